"""Learners of instances over nominal attributes (or of any class that they list), who may say "don't know".

The checks of rows of numbers do not fit them: here an attribute that is absent has no value, where there it has the
value 0, and there is no block of slots, no weight of an attribute, no array of numbers.
"""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from random import Random

from mistakebound.checks._games import asked, ledger_counts, play, require, require_still, state
from mistakebound.checks._subject import check
from mistakebound.checks.resuming import saved_and_loaded
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.ledger import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.checks._subject import Subject

ATTRIBUTES = {"sky": ["sunny", "rainy"], "wind": ["strong", "weak"]}
_ROWS = 24


def instance_games(subject: Subject) -> Iterator[tuple[list[dict[str, str]], list[int]]]:
    """Instances and labels: of a conjunction, of another one, of nothing in particular."""
    for seed in range(3):
        draw = Random(seed)
        xs = [{name: draw.choice(values) for name, values in ATTRIBUTES.items()} for _ in range(_ROWS)]
        if seed == 2:
            labels = [draw.randrange(2) for _ in xs]
        else:
            labels = [int(x["sky"] == "sunny" and (seed == 0 or x["wind"] == "weak")) for x in xs]
        yield xs, labels


@check("instances")
def check_answers_are_pure(subject: Subject) -> None:
    """predict_one and score_one change nothing, and learn_one returns what predict_one would have said before."""
    for xs, labels in instance_games(subject):
        learner = subject.make()
        for x, label in zip(xs, labels, strict=True):
            before = state(learner)
            said = asked(learner, x)
            require(0 <= learner.score_one(x) <= 1, "a score that is not between 0 and 1")
            require(state(learner) == before, "predicting changed the state")
            heard = play(learner, [x], [label])[0]
            require(heard == said, f"predict_one said {said!r}, learn_one {heard!r}")
            if learner.keeps_version_space and not learner.version_space:
                break  # empty: there is nothing more to be said


@check("instances")
def check_instance_forms_agree(subject: Subject) -> None:
    """A mapping in any order, a row in the order of the attributes, a row with its names: one thing, left as it was."""
    for xs, labels in instance_games(subject):
        learner = subject.make()
        said, expected = play(learner, list(xs), labels), state(learner)
        turned: list[Any] = [dict(reversed(x.items())) for x in xs]
        if subject.settings.get("attributes", "declared") is None:
            turned[0] = xs[0]  # who observes the attributes takes the order of the first example
        rows: list[Any] = [xs[0], *(list(x.values()) for x in xs[1:])]
        for form in (turned, rows, [rows[0], *map(tuple, rows[1:])]):
            kept, other = deepcopy(form), subject.make()
            require(play(other, form, labels) == said, "another form of an instance, another prediction")
            require(state(other) == expected, "another form of an instance, another state")
            require(form == kept, "an instance was changed")
        named = subject.make()
        for k, (x, label) in enumerate(zip(xs[: len(said) - 1], labels, strict=False)):
            names = list(x) if not k else list(reversed(x))
            named.learn_one([x[name] for name in names], label, names=names)
        one = subject.make()
        play(one, xs[: len(said) - 1], labels[: len(said) - 1])
        require(state(named) == state(one), "rows with names are not what mappings are")


@check("instances")
def check_tables_equal_one_by_one(subject: Subject) -> None:
    """learn_many on a table, on a list and in parts: the same predictions, state and ledger as one by one."""
    for xs, labels in instance_games(subject):
        single, counted = subject.make(), Ledger()
        said = play(single, list(xs), labels, counted)
        columns = {name: [x[name] for x in xs] for name in xs[0]}
        for size in (1, 5, _ROWS):
            for table in (True, False):
                other, ledger, heard = subject.make(), Ledger(), []
                ledger.labels = other.labels
                for first in range(0, _ROWS, size):
                    part: Any = {name: cells[first : first + size] for name, cells in columns.items()}
                    part = part if table else xs[first : first + size]
                    heard += other.learn_many(part, labels[first : first + size], ledger=ledger)
                    if ledger.inconsistency is not None:
                        break
                require(heard == said, f"in parts of {size}: other predictions")
                require(state(other) == state(single), f"in parts of {size}: another state")
                require(ledger_counts(ledger) == ledger_counts(counted), f"in parts of {size}: another ledger")
                require(ledger.abstentions == counted.abstentions, f"in parts of {size}: other abstentions")


@check("instances")
def check_concepts_are_kept_whole(subject: Subject) -> None:
    """Saved and loaded after 0, 1 and some trials it goes on as if nothing had been; so does a copy."""
    for xs, labels in instance_games(subject):
        learner = subject.make()
        said = play(learner, list(xs), labels)
        for stop in (0, 1, len(said) // 2, len(said)):
            for again in (saved_and_loaded, lambda learner: learner.copy()):
                first = subject.make()
                begun = play(first, xs[:stop], labels[:stop])
                before, other = state(first), again(first)
                require(state(other) == before, "a loaded or copied learner has another state")
                require(other.hypothesis == first.hypothesis, "a loaded or copied learner has another hypothesis")
                if stop < len(said):
                    begun += play(other, xs[stop:], labels[stop:])
                    require(begun == said, f"stopped after {stop} trials, the predictions differ")
                    require(state(other) == state(learner), f"stopped after {stop} trials, the state differs")
                    require(state(first) == before, "what a copy learned reached the other learner")


@check("instances")
def check_concept_stands_still(subject: Subject) -> None:
    """A hypothesis predicts as the learner does when it is taken, compares by what it is, and never changes after."""
    for xs, labels in list(instance_games(subject))[:2]:
        learner = subject.make()
        play(learner, xs[:1], labels[:1])
        before = learner.hypothesis
        require_still(learner, xs, partial(play, learner, xs[1:], labels[1:]))
        require(before != learner.hypothesis, "another hypothesis is the same")


@check("instances")
def check_concept_labels_come_back(subject: Subject) -> None:
    """Predictions are in the labels that were given, or None."""
    for xs, labels in instance_games(subject):
        plain = subject.make()
        said = play(plain, list(xs), labels)
        for pair in (("no", "yes"), (-1, 1), (False, True), (1, 0)):
            learner = subject.make(labels=pair)
            heard = play(learner, list(xs), [pair[label] for label in labels])
            require(heard == [None if s is None else pair[s] for s in said], f"labels {pair!r}: other predictions")
            require(learner.hypothesis == plain.hypothesis, f"labels {pair!r}: another hypothesis")


@check("instances")
def check_bad_concept_data_are_refused(subject: Subject) -> None:
    """A text, an attribute missing or strange, a missing cell, a third label, a weight: refused, without a trace."""
    xs, labels = next(instance_games(subject))
    learner = subject.make()
    play(learner, xs[:6], labels[:6])
    before = state(learner)
    good = xs[0]
    bad: list[tuple[str, Any, Any]] = [
        ("a text", "sunny", 1), ("a number", 5, 1), ("nothing", None, 1), ("a row too short", ["sunny"], 1),
        ("an attribute too few", {"sky": "sunny"}, 1), ("an attribute too many", good | {"more": "x"}, 1),
        ("a list as a value", good | {"sky": ["sunny"]}, 1), ("a third label", good, "perhaps"),
        ("no label", good, None),
    ]  # fmt: skip
    if subject.settings.get("missing", "refuse") == "refuse":
        bad += [("a missing cell", good | {"sky": None}, 1), ("NaN", good | {"sky": float("nan")}, 1)]
    if subject.settings.get("attributes", "declared") is not None:
        bad.append(("a value that was not declared", good | {"sky": "green"}, 1))
    for what, x, label in bad:
        for call in ("learn_one", "predict_one") if label == 1 else ("learn_one",):
            try:
                learner.learn_one(x, label) if call == "learn_one" else learner.predict_one(x)
            except BadData:
                require(state(learner) == before, f"{what}: refused, but the state changed")
            else:
                raise AssertionError(f"{what} was not refused by {call}")
    try:
        learner.learn_one(good, labels[0], weight=2.0)
    except BadParameter as error:
        require("weight" in str(error) and state(learner) == before, "a refused weight left a trace")
    else:
        raise AssertionError("a weight was not refused")
