"""NaiveBayes against scikit-learn's three, river one row at a time, and a plain counting loop in C.

A million rows of 20 nominal attributes; the same as 0 and 1; documents of 100 words.  Taken in turns, the best of
--rounds counts; probabilities are compared in the same run.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _gather import NoCompiler
from _processes import verdict
from _word_loop import word_loop
from scipy.sparse import csr_matrix

import mistakebound as mb

FIT_TARGET, FLAGS_TARGET, PREDICT_TARGET, RIVER_TARGET, LOOP_TARGET = 20.0, 5.0, 8.0, 10.0, 4.0
SHAPES = ((2, 4), (4, 8))  # classes, values of an attribute
COLUMNS = 20
SINGLE = 1000  # rows of a round against river
WORDS = 100  # in a document, of VOCABULARY
VOCABULARY = 50_000


def in_turns(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The best wall time of each, seconds."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def show(what: str, best: dict[str, float], unit: float = 1.0, form: str = "10.3f") -> None:
    for who, seconds in best.items():
        print(f"{what:28} {who:34} {seconds * unit:{form}}")


def same(what: str, found: Any, wanted: Any) -> None:
    worst = float(np.abs(found - wanted).max())
    if worst > 1e-12:
        sys.exit(f"{what}: probabilities differ by {worst}")


def arrays(rows: int, rounds: int) -> list[str]:
    said = []
    print(f"{'rows x columns':28} {'who':34} {'seconds':>10}")
    for classes, values in SHAPES:
        draw = np.random.default_rng(classes)
        y = draw.integers(0, classes, rows)
        X = (draw.integers(0, values, (rows, COLUMNS)) * (1 + y[:, None] % 2)) % values
        X[:values] = np.arange(values)[:, None]
        what = f"{rows:,} x {COLUMNS}, {classes} classes"
        said += nominal(what, X, y, rounds)
        for dtype in (np.int64, np.float64, np.bool_):
            said += flags(what, (X > 0).astype(dtype), y, rounds)
    return said


def nominal(what: str, X: Any, y: Any, rounds: int) -> list[str]:
    from sklearn.naive_bayes import CategoricalNB

    peer, ours = CategoricalNB(alpha=1.0), mb.NaiveBayes("laplace", attributes="nominal")
    fit = in_turns({"CategoricalNB fit": lambda: peer.fit(X, y), "ours, fit": lambda: ours.fit(X, y)}, rounds)
    said = in_turns(
        {"CategoricalNB predict": lambda: peer.predict(X), "ours, predict": lambda: ours.predict_many(X)}, rounds
    )
    show(what, fit | said)
    same("nominal", ours.predict_proba_many(X[:1000]), peer.predict_proba(X[:1000]))
    return [
        verdict(f"{what}: fit against CategoricalNB", FIT_TARGET, fit["CategoricalNB fit"] / fit["ours, fit"]),
        verdict(
            f"{what}: predict against CategoricalNB",
            PREDICT_TARGET,
            said["CategoricalNB predict"] / said["ours, predict"],
        ),
    ]


def flags(what: str, X: Any, y: Any, rounds: int) -> list[str]:
    from sklearn.naive_bayes import BernoulliNB

    peer, ours = BernoulliNB(alpha=1.0), mb.NaiveBayes("laplace", attributes="flags")
    kind = X.dtype.name
    best = in_turns(
        {f"BernoulliNB fit, {kind}": lambda: peer.fit(X, y), f"ours, fit, {kind}": lambda: ours.fit(X, y)}, rounds
    )
    show(what, best)
    same("flags", ours.predict_proba_many(X[:1000]), peer.predict_proba(X[:1000]))
    ratio = best[f"BernoulliNB fit, {kind}"] / best[f"ours, fit, {kind}"]
    return [verdict(f"{what}: 0/1 as {kind}, fit against BernoulliNB", FLAGS_TARGET, ratio)]


def play(model: Any, examples: list[tuple[dict[str, Any], bool]]) -> int:
    mistakes = 0
    for x, y in examples:
        mistakes += model.predict_one(x) != y
        model.learn_one(x, y)
    return mistakes


def play_ours(model: Any, examples: list[tuple[dict[str, Any], bool]]) -> int:
    return sum(model.learn_one(x, y) != y for x, y in examples)


def one_at_a_time(rounds: int) -> list[str]:
    """A prediction of every row and its label, new models on mapping after mapping: our learn_one is both."""
    from river.naive_bayes import BernoulliNB, MultinomialNB

    draw = random.Random(1)
    words = [f"word{number}" for number in range(2000)]
    labels = [draw.random() < 0.5 for _ in range(SINGLE)]
    values = [{f"a{j}": str(draw.randrange(4)) for j in range(COLUMNS)} for _ in labels]
    bits = [{f"a{j}": draw.randrange(2) for j in range(COLUMNS)} for _ in labels]
    texts = [{word: draw.randrange(1, 4) for word in draw.sample(words, COLUMNS)} for _ in labels]
    named = [{f"{name}={value}": 1 for name, value in x.items()} for x in values]
    said = []
    print(f"\n{'one row a call':28} {'who':34} {'µs a row':>10}")
    for form, rows, peer, theirs in (
        ("nominal", values, MultinomialNB, named),
        ("flags", bits, BernoulliNB, bits),
        ("words", texts, MultinomialNB, texts),
    ):
        theirs, ours = list(zip(theirs, labels, strict=True)), list(zip(rows, labels, strict=True))
        best = in_turns(
            {
                f"river {peer.__name__}": lambda peer=peer, theirs=theirs: play(peer(), theirs),
                "ours": lambda form=form, ours=ours: play_ours(mb.NaiveBayes(attributes=form), ours),
            },
            rounds,
        )
        show(form, best, 1e6 / SINGLE, "10.1f")
        ratio = best[f"river {peer.__name__}"] / best["ours"]
        said.append(verdict(f"one row a call, {form}, against river", RIVER_TARGET, ratio))
    return said


def text(rows: int, rounds: int) -> list[str]:
    from sklearn.naive_bayes import MultinomialNB

    draw = np.random.default_rng(5)
    documents = rows // 10
    entries = documents * WORDS
    columns = (draw.zipf(1.3, entries) % VOCABULARY).astype(np.int32)
    indptr = np.arange(0, entries + 1, WORDS, dtype=np.int32)
    X = csr_matrix((draw.integers(1, 4, entries), columns, indptr), shape=(documents, VOCABULARY))
    y = draw.integers(0, 2, documents)
    ours, peer = mb.NaiveBayes("laplace"), MultinomialNB()
    runs: dict[str, Callable[[], object]] = {
        "MultinomialNB fit": lambda: peer.fit(X, y),
        "ours, fit": lambda: ours.fit(X, y),
    }
    going = mb.NaiveBayes("laplace").fit(X, y)
    runs["ours, going on"] = lambda: going.partial_fit(X, y)
    said = []
    try:
        runs["C loop"] = word_loop(X, y, 2)
    except NoCompiler as error:
        print(f"the C loop is left out: {error}")
    best = in_turns(runs, rounds)
    print(f"\n{'text':28} {'who':34} {'ms':>10}")
    show(f"{documents:,} documents", best, 1000, "10.1f")
    same("words", ours.predict_proba_many(X[:1000]), peer.predict_proba(X[:1000]))
    if "C loop" in best:
        ratio = best["ours, fit"] / best["C loop"]
        said.append(verdict("text, against a counting loop in C", LOOP_TARGET, ratio, at_most=True))
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=1_000_000)
    options = parser.parse_args()
    said = []
    if importlib.util.find_spec("sklearn"):
        said += arrays(options.rows, options.rounds) + text(options.rows, options.rounds)
    else:
        print("scikit-learn is left out: it is not installed here (`make bench` installs it)")
    if importlib.util.find_spec("river"):
        said += one_at_a_time(options.rounds)
    else:
        print("river is left out: it is not installed here (`make bench` installs it)")
    print("", *said, sep="\n")


if __name__ == "__main__":
    main()
