"""The labels of a stream are found in its first 1,000 rows: the same model as by hand, whatever the blocks."""

from __future__ import annotations

import functools
import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_matrix

import mistakebound as mb
from cli.conftest import Run
from cli.test_resume import interrupt_at_block
from mistakebound import io as streams
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.ledger import Ledger
from mistakebound.io import pass_source

Row = tuple[str, list[int]]
CASES = {  # labels of the rows before 1,000 and of those from a later one on
    "two": (["spam", "ham"], 0, []),
    "numbers": (["2", "10"], 0, []),
    "one, then two": (["ham"], 1200, ["ham", "spam"]),
    "yes, then two": (["yes"], 1250, ["maybe", "yes"]),
    "one, then three": (["ham"], 1150, ["ham", "spam", "eggs"]),
    "two, then three": (["no", "yes"], 1399, ["no", "yes", "maybe"]),
    "two, then many": (["0", "1"], 1001, [*"0123456"]),
    "three": (["a", "b", "c"], 0, []),
    "three, then more": (["a", "b", "c"], 1350, [*"abcdef"]),
    "the third is row 1,000": (["a", "b"], 999, ["c"]),
    "the third is row 1,001": (["a", "b"], 1000, ["c", "a"]),
}


@functools.cache
def rows_of(case: str, count: int = 1500) -> list[Row]:
    early, start, late = CASES[case]
    chance, rows = random.Random(len(case)), []
    for number in range(count):
        names = late if late and number >= start else early
        place = chance.randrange(len(names)) if number != start or not late else len(names) - 1
        ids = sorted({*chance.sample(range(1, 40), 3), 50 + len(names[place]) + ord(names[place][0])})
        rows.append((names[place], ids))
    return rows


@functools.cache
def by_hand(case: str, make: Any) -> tuple[Any, Ledger]:
    """Rows one by one, with labels that are declared; from a third one on by a one-vs-all that knows the others."""
    rows = rows_of(case)
    first = list(dict.fromkeys(label for label, _ in rows[:1000]))
    known = {"spam": ("ham", "spam"), "10": ("2", "10"), "yes": ("no", "yes"), "1": ("0", "1"), "b": ("a", "b")}
    if len(first) == 1:
        second = next((label for label, _ in rows if label != first[0]), "other")
        pair = (second, first[0]) if first == ["yes"] else (first[0], second)
    else:
        pair = known[max(first, key=lambda label: (len(label), label))] if len(first) == 2 else ("", "")
    learner = make(labels=pair) if len(first) < 3 else mb.OneVsAll(make())
    ledger = Ledger(learner.labels)
    for label, ids in rows:
        if not learner.many_classes and label not in pair:
            learner = mb.OneVsAll(make(), labels=pair)
            learner.labels.reopen({0: pair[0], 1: pair[1]})
            ledger.widen(learner.labels, {"used": True})
        ledger.record(label, learner.learn_one({str(i): 1 for i in ids}, label))
    return learner, ledger


def write(path: Path, rows: list[Row]) -> Path:
    text = "".join(f"{label} {' '.join(f'{i}:1' for i in ids)}\n" for label, ids in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def counts(model: Any) -> tuple[Any, ...]:
    """What was counted and learned, labels as texts."""
    ledger, labels = model.ledger, model.learner.labels
    text = {value: labels.text(code) for code, value in enumerate(labels.values)}
    pairs = {(text[a], text.get(b, b)): count for (a, b), count in ledger.confusion.items()}
    return ledger.trials, ledger.mistakes, pairs, model.learner.hypothesis


@pytest.fixture(params=[pytest.param(64, marks=pytest.mark.long), 300, 1 << 20])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(pass_source, "open_stream", functools.partial(streams.open_stream, block_bytes=request.param))
    return int(request.param)


@pytest.mark.some(5)
@pytest.mark.parametrize("case", CASES)
def test_as_by_hand(tmp_path: Path, case: str, blocks: int) -> None:
    rows = rows_of(case)
    path = write(tmp_path / "rows.svm", rows)
    name, make = ("arow", mb.AROW) if case.startswith("two") else ("winnow2", mb.Winnow2)
    learner, ledger = by_hand(case, make)
    first, second = write(tmp_path / "first.svm", rows[:1100]), write(tmp_path / "more.svm.gz", rows[1100:])
    for threads, files in ((1, path), (3, [first, second])):
        model = mb.learn(files, learner=name, threads=threads)
        assert counts(model)[:2] == (ledger.trials, ledger.mistakes)
        assert model.learner.name == learner.name
        values = {str(a): str(b) for a, b in zip(model.labels, learner.labels.values, strict=True)}
        assert list(values) == list(values.values())
        confusion = {(str(a), str(b)): count for (a, b), count in model.ledger.confusion.items()}
        assert confusion == {(str(a), str(b)): count for (a, b), count in ledger.confusion.items()}
        for _, ids in rows[:40]:
            x = {str(i): 1 for i in ids}
            assert str(model.learner.predict_one(x)) == str(learner.predict_one(x))
        model.save(tmp_path / "m.mb")
        again = mb.load(tmp_path / "m.mb")
        assert counts(again) == counts(model)
        assert [again.learner.labels.text(code) for code in range(len(again.labels))] == [
            model.learner.labels.text(code) for code in range(len(model.labels))
        ]


@pytest.mark.some(5)
@pytest.mark.parametrize("case", ["two", "one, then three", "two, then many", "three"])
@pytest.mark.parametrize(
    "options",
    [
        {"shuffle": True, "seed": 3, "passes": 3}, {"passes": 2, "holdout": 7}, {"cache": True, "passes": 2},
        {"cross": 2, "holdout": 5}, {"learner": "arow", "standardize": True}, {"hash": 8},
        {"shuffle": True, "holdout": 3, "cache": True},
    ],
)  # fmt: skip
def test_any_block_size_and_any_way_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str, options: dict[str, Any]
) -> None:
    path = write(tmp_path / "rows.svm", rows_of(case))
    found = []
    for size, threads in ((200, 3), (1 << 20, 1)):
        monkeypatch.setattr(pass_source, "open_stream", functools.partial(streams.open_stream, block_bytes=size))
        for cache in tmp_path.glob("*.mbcache"):
            cache.unlink()
        model = mb.learn(path, threads=threads, **{"learner": "perceptron"} | options)
        found.append(counts(model))
    assert found[0] == found[1]


@pytest.mark.some(3)
@pytest.mark.parametrize("case", CASES)
def test_from_memory_as_from_a_file(tmp_path: Path, case: str) -> None:
    rows = rows_of(case)
    found = mb.learn(write(tmp_path / "rows.svm", rows), learner="perceptron")
    mappings = [{"y": label, "f": [f"{i:03}" for i in ids]} for label, ids in rows]
    by_mapping = mb.learn(iter(mappings), "y", learner="perceptron")
    assert counts(by_mapping)[:3] == counts(found)[:3]
    X = np.zeros((len(rows), 200))
    for row, (_, ids) in enumerate(rows):
        X[row, [i - 1 for i in ids]] = 1
    for matrix in (X, csr_matrix(X)):
        by_array = mb.learn((matrix, [label for label, _ in rows]), learner="perceptron")
        assert counts(by_array)[:3] == counts(found)[:3]
    frame = pa.table(
        {"y": [label for label, _ in rows], **{f"c{k}": [str(ids[k]) for _, ids in rows] for k in range(3)}}
    )
    csv = tmp_path / "rows.csv"
    csv.write_text("y,c0,c1,c2\n" + "".join(f"{label},{ids[0]},{ids[1]},{ids[2]}\n" for label, ids in rows))
    kinds = {"nominal": ["c0", "c1", "c2"], "learner": "perceptron"}
    assert counts(mb.learn(frame, "y", **kinds)) == counts(mb.learn(csv, "y", **kinds))


def test_numbers_and_truth_values_in_an_array() -> None:
    X = np.eye(4)[[0, 1, 2, 3] * 5]
    for y, labels in (
        (np.array([3, 7] * 10), (3, 7)), (np.array([0, 1] * 10), (0, 1)), (np.array([1, -1] * 10), (-1, 1)),
        ([True, False] * 10, (False, True)), (np.array(["b", "a"] * 10), ("a", "b")), ([0.5, -2] * 10, (-2, 0.5)),
        (np.array([2, 1, 3, 2] * 5), (2, 1, 3)),
    ):  # fmt: skip
        model = mb.learn((X, y), learner="perceptron", passes=5)
        assert model.labels == labels
        assert model.learner.predict_many(X).tolist() == list(np.asarray(y))


def test_declared_labels_come_before_those_that_are_found(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.svm", rows_of("two"))
    assert mb.learn(path).labels == ("ham", "spam")
    assert mb.learn(path, labels=("spam", "ham")).labels == ("spam", "ham")
    model = mb.learn(path, labels=["eggs", "ham", "spam"], learner="winnow2")
    assert (model.learner.name, model.labels) == ("one-vs-all", ("eggs", "ham", "spam"))
    assert model.learner.settings == {"base": "winnow2"}
    assert mb.learn(path, learner="one-vs-all").learner.settings == {"base": "perceptron"}
    three = write(tmp_path / "three.svm", rows_of("three"))
    with pytest.raises(BadData, match="label 'c' is neither 'a' nor 'b'"):
        mb.learn(three, labels=("a", "b"))


def test_a_learner_that_is_given_stays_the_one_that_learns(tmp_path: Path) -> None:
    learner = mb.Winnow2()
    path = write(tmp_path / "rows.svm", rows_of("two"))
    assert mb.learn(path, learner=learner).learner is learner
    assert learner.labels.values == ("ham", "spam")
    three = write(tmp_path / "three.svm", rows_of("three"))
    with pytest.raises(BadParameter, match=r"does not support more than two labels; use mb\.OneVsAll"):
        mb.learn(three, learner=mb.Winnow2())
    assert sorted(mb.learn(three, learner=mb.OneVsAll("winnow2")).labels) == ["a", "b", "c"]
    late = write(tmp_path / "late.svm", rows_of("two, then three"))
    with pytest.raises(BadData, match=r"late.svm:1400: label 'maybe' is neither 'no' nor 'yes'"):
        mb.learn(late, learner=mb.Winnow2())


def test_costs_of_labels_that_are_found(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.svm", rows_of("two"))
    found, told = (
        mb.learn(path, learner="perceptron", cost={"spam": 5}, **more) for more in ({}, {"labels": ("ham", "spam")})
    )
    assert counts(found) == counts(told)
    three = write(tmp_path / "three.svm", rows_of("three"))
    model = mb.learn(three, learner="perceptron", cost={"a": 2})
    assert (model.learner.name, model.learner.costs) == ("one-vs-all", {"a": 2.0})
    plain = mb.learn(three, learner="perceptron")
    assert model.ledger.weighted_trials == plain.ledger.trials + sum(
        count for (label, _), count in plain.ledger.confusion.items() if label == "a"
    )
    late = write(tmp_path / "late.svm", rows_of("two, then three"))
    assert mb.learn(late, learner="perceptron", cost={"no": 2}).learner.costs == {"no": 2.0}


@pytest.mark.some(3)
@pytest.mark.parametrize("case", ["one, then two", "one, then three", "two, then three", "three", "two"])
@pytest.mark.parametrize("options", [(), ("--holdout", "1/4", "--passes", 2), ("--cross", 2, "--cache")])
def test_resumed_before_and_after_another_label(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str, options: tuple[Any, ...]
) -> None:
    path, model = write(tmp_path / "rows.svm", rows_of(case)), tmp_path / "m.mb"
    words = ("learn", path, "--learner", "perceptron", *options, "--model", model)
    monkeypatch.setattr(pass_source, "open_stream", functools.partial(streams.open_stream, block_bytes=900))
    assert run(*words).code == 0
    whole = model.read_bytes()
    for number in (1, 17):
        model.unlink()
        with monkeypatch.context() as patch:
            interrupt_at_block(patch, number)
            assert run(*words).code == 130
        resumed = run(*words, "--resume", "--json", "--threads", 2)
        assert resumed.json["resumed"]
        assert model.read_bytes() == whole


def test_a_model_goes_on_with_labels_that_are_new(run: Run, tmp_path: Path) -> None:
    rows = rows_of("two")
    first, more = write(tmp_path / "first.svm", rows[:300]), tmp_path / "more.svm"
    start, end = tmp_path / "start.mb", tmp_path / "end.mb"
    assert run("learn", first, "--model", start, "--learner", "perceptron", "--quiet").code == 0
    write(more, [*rows[300:320], ("eggs", [3]), *rows[320:400]])
    found = run("learn", more, "--from", start, "--model", end, "--json")
    assert found.json["labels"] == ["ham", "spam", "eggs"]
    assert found.json["trials"] == 401
    assert f"'eggs' in {more}:21 is a third label, so one-vs-all over perceptron from there on" in found.err
    assert found.json["labels_found"].startswith("'eggs' in ")
    assert run("predict", end, more).code == 0
    assert run("learn", more, "--from", end, "--json").json["trials"] == 502
    declared = tmp_path / "declared.mb"
    assert run("learn", first, "--model", declared, "--labels", "ham,spam", "--quiet").code == 0
    refused = run("learn", more, "--from", declared)
    assert refused.code == 3
    assert f"{more}:21: label 'eggs' is neither 'ham' nor 'spam'" in refused.err
    crossed = tmp_path / "crossed.mb"
    assert run("learn", first, "--model", crossed, "--cross", 2, "--quiet").code == 0
    assert run("learn", more, "--from", crossed, "--json").json["labels"] == ["ham", "spam", "eggs"]


def test_a_model_of_one_label_goes_on_with_a_second(run: Run, tmp_path: Path) -> None:
    one, two = write(tmp_path / "one.svm", [("ham", [1]), ("ham", [2])]), write(tmp_path / "two.svm", [("egg", [3])])
    model = tmp_path / "m.mb"
    assert "labels: only ham so far (negative)" in run("learn", one, "--model", model).err
    assert run("predict", model, one).out == "ham\nham\n"
    found = run("learn", two, "--from", model, "--model", model, "--json")
    assert (found.json["labels"], found.json["labels_found"]) == (["ham", "egg"], "ham, egg (positive: egg)")
    assert json.loads(run("explain", model, "--header", "--json").out)["labels"]["spelling"] == ["ham", "egg"]


@pytest.mark.parametrize("label", [None, float("nan"), float("inf"), ("a", 1), b"x", object()])
def test_what_is_no_label_is_no_class(label: Any) -> None:
    X = np.array([[1.0, 0.0], [0.0, 1.0]] * 20)
    with pytest.raises(mb.BadData, match="a label must be a"):
        mb.learn((X, ["a", label] * 20))


def test_labels_beyond_64_bits() -> None:
    X = np.array([[1.0, 0.0], [0.0, 1.0]] * 20)
    model = mb.learn((X, [10**30, 2] * 20))
    assert model.labels == (2, 10**30)
    assert model.learner.predict_many(X[:2]).tolist() == [10**30, 2]
