"""Where parts meet: learner x transform x ensemble x way in x saving, against bare learners on rows made by hand.

The reference is the bare learner, or one per label or expert, on rows that a naive twin has transformed beforehand.  A
combination gives the same predictions and the same ledger, or is refused in one sentence; none is silently different.
`make test` plays a cover of all pairs of choices, `make test-long` every combination.
"""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import mistakebound as mb
from mistakebound.core.ledger import Ledger
from mistakebound.transforms import bins, expand, standardize
from naive.bins import binned
from naive.expand import conjunctions
from naive.standardize import standardized

NAMES = ["a", "b", "c", "d", "e", "f"]
ROWS = 60
Row = dict[str, float]


@cache
def stream(numbers: bool, labels: int) -> tuple[list[Row], list[int]]:
    """Rows whose label depends on two attributes together; two labels or four."""
    draw = random.Random(7 + 10 * labels + numbers)
    rows, told = [], []
    for _ in range(ROWS):
        on = [name for name in NAMES if draw.random() < 0.5] or ["a"]
        row = {name: draw.choice([0.5, 1.0, 2.0, 4.0]) if numbers else 1.0 for name in on}
        kind = 2 * ("a" in row) + ("b" in row)
        rows.append(row)
        told.append(int(kind in (1, 2)) if labels == 2 else kind + 5)
    return rows, told


# The choices.

LEARNERS: dict[str, tuple[Callable[[], Any], bool]] = {  # how it is made, and whether it takes numbers
    "arow": (lambda: mb.AROW(), True),
    "arow, full": (lambda: mb.AROW(covariance="full"), True),
    "perceptron": (lambda: mb.Perceptron(), True),
    "averaged-perceptron": (lambda: mb.AveragedPerceptron(), True),
    "coin-betting": (lambda: mb.learners.CoinBetting(), True),
    "passive-aggressive": (lambda: mb.PassiveAggressive(), True),
    "balanced-winnow": (lambda: mb.BalancedWinnow(), True),
    "winnow1": (lambda: mb.Winnow1(), False),
    "winnow2": (lambda: mb.Winnow2(), False),
    # Weights are powers of 2: sums are exact, so that labels tie alike in whatever order a way in adds them up.
    "winnow2, n": (lambda: mb.Winnow2(n=6, alpha=2.0), False),
}


def crossed(rows: list[Row]) -> list[Row]:
    return [conjunctions(row, 2) for row in rows]


def literals(rows: list[Row]) -> list[Row]:
    return [conjunctions(row, 1, NAMES) for row in rows]


def scaled(rows: list[Row]) -> list[Row]:
    return list(standardized(rows))


CUTS = {key: [0.75] for key in NAMES}
DEVIATIONS = {"a": [-0.4371, 0.6131], "d": [0.1113]}  # where no value lies but for rounding


def in_bins(rows: list[Row]) -> list[Row]:
    return [binned(row, CUTS) for row in rows]


def cut(learner: Any, cuts: dict[str, list[float]], ids: bool) -> Any:
    """The attributes of a libsvm file are called by their numbers."""
    return bins(learner, {str(1 + NAMES.index(name)): at for name, at in cuts.items()} if ids else cuts)


TRANSFORMS: dict[str, tuple[Callable[[Any, bool], Any], Callable[[list[Row]], list[Row]], bool]] = {
    "none": (lambda learner, ids: learner, lambda rows: rows, False),
    "cross": (lambda learner, ids: expand(learner, 2), crossed, False),
    "negate": (lambda learner, ids: expand(learner, negate=True, n=6), literals, False),
    "standardize": (lambda learner, ids: standardize(learner), scaled, True),
    "standardize, cross": (
        lambda learner, ids: standardize(expand(learner, 2)), lambda rows: crossed(scaled(rows)), True
    ),
    "cross, standardize": (
        lambda learner, ids: expand(standardize(learner), 2), lambda rows: scaled(crossed(rows)), True
    ),
    "bins": (lambda learner, ids: cut(learner, CUTS, ids), in_bins, False),
    "bins, cross": (
        lambda learner, ids: cut(expand(learner, 2), CUTS, ids), lambda rows: crossed(in_bins(rows)), False
    ),
    "standardize, bins": (
        lambda learner, ids: standardize(cut(learner, DEVIATIONS, ids)),
        lambda rows: [binned(row, DEVIATIONS) for row in scaled(rows)], True,
    ),
}  # fmt: skip
ENSEMBLES = ("none", "one-vs-all", "majority", "majority of one", "behind one-vs-all", "behind majority")
FORMS = ("one by one", "sets", "array", "sparse", "frame", "json lines", "libsvm")
LIVES = ("whole", "saved", "copied", "pickled")


def built(learner: str, transform: str, ensemble: str, ids: bool) -> Any:
    """The learner of a combination; a BadParameter in one sentence where it has no meaning."""
    bare = LEARNERS[learner][0]()

    def put(learner: Any) -> Any:
        return TRANSFORMS[transform][0](learner, ids)

    if ensemble == "none":
        return put(bare)
    if ensemble == "one-vs-all":
        return mb.OneVsAll(put(bare))
    if ensemble == "majority":
        return mb.WeightedMajority([put(bare), "perceptron(bias=false)"])
    if ensemble == "majority of one":
        return mb.WeightedMajority([put(bare)])
    if ensemble == "behind one-vs-all":
        return put(mb.OneVsAll(bare))
    return put(mb.WeightedMajority([bare, "perceptron(bias=false)"]))


class Expert:
    """A bare learner on rows that were transformed beforehand, told 0 and 1."""

    def __init__(self, learner: Any) -> None:
        self.learner = learner

    def says(self, row: Row) -> int:
        return int(self.learner.predict_trial(row) == 1)

    def margin(self, row: Row) -> float:
        """By how much the next trial is decided."""
        apart = self.learner.trials_by != "predict_one"
        score: float = (self.learner.current.score if apart else self.learner.score_one)(row)
        return score - float(self.learner.theta)

    def hears(self, row: Row, label: int) -> None:
        self.learner.learn_one(row, label)


def bare(learner: str, transform: str) -> Expert:
    """n is that of the features that it sees, where it is known."""
    found = LEARNERS[learner][0]()
    settings = dict(found.settings)
    if settings.get("n") is not None or ("n" in settings and transform == "negate"):
        settings["n"] = {"none": 6, "cross": 21, "negate": 12, "bins": 12, "bins, cross": 78}.get(transform)
    return Expert(type(found)(**settings, labels=(0, 1)))


@cache
def transformed(transform: str, numbers: bool, labels: int, dense: bool) -> list[Row]:
    """With `dense` the transform sees a 0 where an attribute is absent."""
    rows = stream(numbers, labels)[0]
    return TRANSFORMS[transform][1]([{name: row.get(name, 0.0) for name in NAMES} for row in rows] if dense else rows)


def expected(learner: str, transform: str, ensemble: str, numbers: bool, labels: int, dense: bool) -> list[Any]:
    """The predictions, by bare learners and the definitions of the ensembles."""
    (rows, told), seen = stream(numbers, labels), transformed(transform, numbers, labels, dense)
    if ensemble == "none" or ensemble == "majority of one":
        one = bare(learner, transform)
        return [(one.says(row), one.hears(row, y))[0] for row, y in zip(seen, told, strict=True)]
    if "one-vs-all" in ensemble:
        return one_for_each(learner, transform, seen, told)
    other = seen if ensemble.startswith("behind") else rows
    experts = [(bare(learner, transform), seen), (Expert(mb.Perceptron(bias=False, labels=(0, 1))), other)]
    weights, said = [Fraction(1), Fraction(1)], []
    for at, y in enumerate(told):
        votes = [expert.says(theirs[at]) for expert, theirs in experts]
        for_1 = sum(weight for weight, vote in zip(weights, votes, strict=True) if vote)
        said.append(int(for_1 > sum(weights) - for_1))
        for number, (expert, theirs) in enumerate(experts):
            weights[number] *= Fraction(1, 2) if votes[number] != y else 1
            expert.hears(theirs[at], y)
    return said


def one_for_each(learner: str, transform: str, seen: list[Row], told: list[Any]) -> list[Any]:
    """A label that is new has a learner that has heard of every row that it is not of it."""
    heard: dict[Any, Expert] = {}
    said: list[Any] = []
    for at, (row, y) in enumerate(zip(seen, told, strict=True)):
        margins = [(one.margin(row), label) for label, one in heard.items()]
        best = max((margin for margin, _ in margins), default=None)
        said.append(next((label for margin, label in margins if margin == best), None))
        if y not in heard:
            heard[y] = bare(learner, transform)
            for earlier in seen[:at]:
                heard[y].hears(earlier, 0)
        for label, one in heard.items():
            one.hears(row, int(label == y))
    return said


# Ways in, and lives: `learn` plays rows first .. last-1 and gives back the predictions.


def learn(learner: Any, form: str, rows: list[Row], told: list[Any], ledger: Ledger) -> list[Any]:
    if form in ("one by one", "sets"):
        said = []
        for row, y in zip(rows, told, strict=True):
            x: Any = {*row} if form == "sets" and set(row.values()) == {1.0} else row
            said.append(learner.learn_one(x, y))
            ledger.record(y, said[-1])
        return said
    X = np.array([[row.get(name, 0.0) for name in NAMES] for row in rows])
    if form == "array":
        return list(learner.learn_many(X, told, names=NAMES, ledger=ledger))
    if form == "sparse":
        return list(learner.learn_many(sp.csr_matrix(X), told, names=NAMES, ledger=ledger))
    pa = pytest.importorskip("pyarrow")
    return list(learner.learn_many(pa.table({name: X[:, k] for k, name in enumerate(NAMES)}), told, ledger=ledger))


def live(learner: Any, life: str, folder: Path) -> Any:
    """The same learner, after something that must not change it."""
    if life == "saved":
        learner.save(folder / "model.mb")
        return mb.load(folder / "model.mb").learner
    if life == "copied":
        return copy.deepcopy(learner)
    return pickle.loads(pickle.dumps(learner)) if life == "pickled" else learner


def by_file(learner: Any, form: str, life: str, rows: list[Row], told: list[Any], folder: Path) -> tuple[Any, Ledger]:
    """Through `mb.learn`; what is not whole is interrupted by a model file."""
    if form == "json lines":
        lines = [json.dumps({"label": y, **row}) for row, y in zip(rows, told, strict=True)]
    else:
        number = {name: 1 + k for k, name in enumerate(NAMES)}
        lines = [f"{y} {' '.join(f'{number[name]}:{row[name]}' for name in sorted(row))}" for row, y in
                 zip(rows, told, strict=True)]  # fmt: skip
    half, model = ROWS // 2, folder / "half.mb"
    parts = [lines] if life == "whole" else [lines[:half], lines[half:]]
    label = {"label": "label"} if form == "json lines" else {}
    for number_of, part in enumerate(parts):
        path = folder / f"{number_of}.{'jsonl' if form == 'json lines' else 'svm'}"
        path.write_text("\n".join(part) + "\n")
        first = number_of == 0
        found = mb.learn(path, **label, **({"learner": learner} if first else {"start": model}), model=model)
    assert found.ledger is not None
    return found, found.ledger


def check(learner: str, transform: str, ensemble: str, form: str, life: str, folder: Path) -> bool:
    """Whether the combination is played; false when it is refused."""
    for_any = transform.startswith(("standardize", "cross, st", "bins"))
    numbers = for_any or (LEARNERS[learner][1] and transform != "negate")
    labels = 4 if "one-vs-all" in ensemble else 2
    rows, told = stream(numbers, labels)
    if TRANSFORMS[transform][2] and not LEARNERS[learner][1]:
        with pytest.raises(mb.BadParameter, match=r"\Astandardize needs a learner of numbers, and [^\n]+\Z"):
            built(learner, transform, ensemble, form == "libsvm")
        return False
    dense = form in ("array", "frame") and transform.startswith(("standardize", "bins"))  # else a 0 is nothing
    made = built(learner, transform, ensemble, form == "libsvm")
    want = expected(learner, transform, ensemble, numbers, labels, dense)
    if form in ("json lines", "libsvm"):
        found, ledger = by_file(made, form, life, rows, told, folder)
        assert ledger.trials == ROWS
        count = Ledger(found.learner.labels)
        for y, said in zip(told, want, strict=True):
            count.record(y, said)
        assert ledger.confusion == count.confusion
        return True
    ledger, half, said = Ledger(made.labels), ROWS // 2, []
    for part in (slice(0, half), slice(half, ROWS)):
        said += learn(made, form, rows[part], told[part], ledger)
        made = live(made, life, folder)
        ledger.labels = made.labels
    assert [0 if one is None and "one-vs-all" not in ensemble else one for one in said] == want
    assert ledger.mistakes + ledger.abstentions == sum(a != b for a, b in zip(want, told, strict=True))
    return True


CHOICES = (tuple(LEARNERS), tuple(TRANSFORMS), ENSEMBLES, FORMS, LIVES)


def cover() -> Iterator[tuple[str, ...]]:
    """Combinations in which every two choices stand together at least once: each is the best of a few drawn ones."""
    draw = random.Random(1)
    left = {
        ((i, a), (j, b)) for i, j in combinations(range(len(CHOICES)), 2) for a in CHOICES[i] for b in CHOICES[j]
    }  # fmt: skip
    while left:
        (i, a), (j, b) = min(left)
        tried = []
        for _ in range(30):
            some = [draw.choice(values) for values in CHOICES]
            some[i], some[j] = a, b
            pairs = {((p, some[p]), (q, some[q])) for p, q in combinations(range(len(CHOICES)), 2)}
            tried.append((len(pairs & left), tuple(some), pairs))
        _, best, pairs = max(tried, key=lambda one: one[:2])
        left -= pairs
        yield best


COVER = [*cover()]


@pytest.mark.some(len(COVER))  # half of it would be no cover
@pytest.mark.parametrize("choice", COVER, ids=" / ".join)
def test_every_pair_of_choices(choice: tuple[str, str, str, str, str], tmp_path: Path) -> None:
    check(*choice, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(("learner", "transform"), [*product(LEARNERS, TRANSFORMS)])
def test_every_combination(learner: str, transform: str, tmp_path: Path) -> None:
    played = [
        check(learner, transform, ensemble, form, life, tmp_path)
        for ensemble, form, life in product(ENSEMBLES, FORMS, LIVES)
    ]
    assert any(played) == (LEARNERS[learner][1] or not TRANSFORMS[transform][2])
