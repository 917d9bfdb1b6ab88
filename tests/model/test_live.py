"""Models that learn raw rows as they come: the same bits however the rows are cut into calls, and as from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.core.ledger import bound_of
from mistakebound.io.many_rows import read_rows
from mistakebound.model.live import learn_late, learn_rows, predict_rows
from mistakebound.model.model import Model, RowSchema, from_bytes
from mistakebound.model.new_model import new_model

ROWS = [{"words": [f"w{k * n % 17}" for k in (1, 3)], "size": n % 4, "flag": n % 2 == 0} for n in range(60)]
LABELS = ["spam" if n % 3 == 0 or n % 17 == 5 else "ham" for n in range(60)]
LEARNERS = ("arow", "perceptron", "passive-aggressive", "averaged-perceptron")


def parts(size: int) -> list[slice]:
    return [slice(at, at + size) for at in range(0, len(ROWS), size)]


def contents(model: Model) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and arrays of the file, apart from what only a stream has: spellings of labels, what was found there."""
    header, arrays = model_file.from_bytes("the model", model.to_bytes())
    del header["labels"], header["reader"]
    return header, arrays


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("size", [1, 7, 60])
def test_calls_of_any_size_give_the_model_of_a_file(tmp_path: Path, learner: str, size: int) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(x | {"label": y}) + "\n" for x, y in zip(ROWS, LABELS, strict=True)))
    file = mb.learn(path, "label", learner=learner, labels=["ham", "spam"])
    model = new_model(["ham", "spam"], learner=learner)
    said = [found for part in parts(size) for found in learn_rows(model, ROWS[part], LABELS[part])]
    file.position = None
    assert contents(model) == contents(file)
    assert model.ledger is not None
    assert (said[-1].trials, said[-1].mistakes) == (60, model.ledger.mistakes)
    assert sum(found.prediction != y for found, y in zip(said, LABELS, strict=True)) == model.ledger.mistakes
    assert [found.prediction for found in predict_rows(model, ROWS)] == file.predict(ROWS)


def test_going_on_from_the_bytes_is_going_on() -> None:
    whole = new_model(["ham", "spam", "other"])
    resumed = new_model(["ham", "spam", "other"])
    for at, (x, y) in enumerate(zip(ROWS, LABELS, strict=True)):
        label = "other" if at % 10 == 9 else y
        assert whole.learn_one(x, label) == resumed.learn_one(x, label)
        if at % 7 == 0:
            resumed = from_bytes(resumed.to_bytes())
    assert whole.to_bytes() == resumed.to_bytes()


def test_refused_rows_leave_the_others() -> None:
    bad = [({"size": "\ud800"}, "ham"), ({"words": ["w1"]}, "nix"), ("{", "ham"), ({"size": 1}, None)]
    model, twin = new_model(["ham", "spam"]), new_model(["ham", "spam"])
    rows, labels = [*ROWS[:5], *(x for x, _ in bad), *ROWS[5:9]], [*LABELS[:5], *(y for _, y in bad), *LABELS[5:9]]
    together = learn_rows(model, rows, labels)
    alone = [found for x, y in zip(rows, labels, strict=True) for found in learn_rows(twin, [x], [y])]
    assert [str(found.error) for found in together] == [str(found.error) for found in alone]
    assert [found.error is not None for found in together[5:9]] == [False, True, True, True]
    assert model.to_bytes() == twin.to_bytes()
    assert model.ledger is not None
    assert model.ledger.trials == 10


def test_labels_that_no_hypothesis_fits() -> None:
    rows, labels = ["1:1", "2:1", "1:1", "3:7", "2:1", "3:1"], [0, 1, 1, 1, 0, 1]
    found = []
    for size in (1, 6):
        model = Model(mb.learners.DisjunctionElimination(4, labels=(0, 1)), RowSchema({"format": "libsvm"}))
        cuts = [slice(at, at + size) for at in range(0, 6, size)]
        said = [one for cut in cuts for one in learn_rows(model, rows[cut], labels[cut])]
        found.append([(one.prediction, str(one.error), one.trials, one.mistakes) for one in said])
        assert model.ledger is not None
        assert found[-1][-1][2:] == (model.ledger.trials, model.ledger.mistakes)
        assert model.ledger.verdict.kind == "inconsistent"
    assert found[0] == found[1]
    with pytest.raises(mb.NoConsistentHypothesis):
        model.learn_one("1:1", 1)


def test_late_labels_count_what_was_said_in_time() -> None:
    model = new_model(["ham", "spam"], learner="perceptron", assume={"margin": 0.1, "radius": 5})
    twin = new_model(["ham", "spam"], learner="perceptron")
    said = model.predict_one(ROWS[3])
    for x, y in zip(ROWS[:20], LABELS[:20], strict=True):
        model.learn_one(x, y)
        twin.learn_one(x, y)
    assert model.ledger is not None
    before = model.ledger.mistakes
    assert learn_late(model, ROWS[3], "spam", said).mistakes == before + 1
    twin.learner.learn_one(twin.schema.instance(ROWS[3]), "spam")  # type: ignore[union-attr]
    assert model.learner.weights() == twin.learner.weights()
    assert learn_late(model, "{", "spam", said).error is not None
    assert model.ledger.trials == 21
    loaded = from_bytes(model.to_bytes())
    for one in (model, loaded):
        assert one.ledger is not None
        one.ledger.bound = bound_of(one.learner, one.ledger, one.assumptions)
        assert "1 label came after later rows were learned" in one.ledger.verdict


def test_weights_and_models_that_cannot_learn() -> None:
    light, heavy = new_model(["ham", "spam"], learner="perceptron"), new_model(["ham", "spam"], learner="perceptron")
    light.learn_one(ROWS[0], "spam")
    heavy.learn_one(ROWS[0], "spam", weight=2.0)
    assert heavy.ledger is not None
    assert heavy.ledger.weighted_trials == 2
    assert heavy.learner.weights() != light.learner.weights()
    rows = [{"size": n % 5, "kind": LABELS[n]} for n in range(60)]
    tree = mb.learn(rows, "kind", learner="decision-tree")
    with pytest.raises(mb.BadParameter, match="learns a whole table at once"):
        tree.learn_one({"size": 1}, "ham")
    with pytest.raises(mb.BadData, match="neither 'ham' nor 'spam'"):
        light.learn_one(ROWS[0], "nix")


def test_models_without_a_schema_and_of_tables(tmp_path: Path) -> None:
    plain = Model(mb.Perceptron(labels=(0, 1)))
    bare = mb.Perceptron(labels=(0, 1))
    for x, y in (({"a": 1, "b": 2}, 1), ({"b": 1}, 0), ({"a": 0.5}, 1)):
        assert plain.learn_one(x, y) == bare.learn_one(x, y)
    assert plain.learner.weights() == bare.weights()
    path = tmp_path / "table.csv"
    path.write_text("size,colour,kind\n" + "".join(f"{n % 7},{'rg'[n % 2]},{LABELS[n]}\n" for n in range(60)))
    table = mb.learn(path, "kind")
    assert table.ledger is not None
    assert table.learn_one({"size": 3, "colour": "r"}, "ham") == table.learn_one(["3", "r"], "ham")
    assert table.ledger.trials == 62


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"labels": ["a"]}, "two labels or more"),
        ({"labels": "ab"}, "two labels or more"),
        ({"labels": [0, 1], "format": "csv"}, "a table is learned from a file first"),
        ({"labels": [0, 1], "learner": "decision-tree"}, "table"),
        ({"labels": [0, 1], "ngrams": 2}, "ngrams is only for text"),
        ({"labels": [0, 1], "nix": 2}, "no setting 'nix'"),
        ({"labels": [0, 1], "assume": {"margin": -1}}, "margin"),
        ({"labels": [0, 1], "format": "text", "ngrams": 50}, "ngrams must be a whole number, 1 .. 8"),
        ({"labels": [0, 1], "hash": 31}, "hash"),
    ],
)
def test_bad_specifications(given: dict[str, Any], words: str) -> None:
    with pytest.raises(mb.MistakeboundError, match=words):
        new_model(**given)


def test_bytes_that_are_no_model() -> None:
    data = new_model([0, 1]).to_bytes()
    for bad in (b"", data[:50], data[:-1], data[:30] + b"x" + data[31:]):
        with pytest.raises(mb.errors.BadModel, match=r"^the model"):
            from_bytes(bad)


def test_many_wide_rows() -> None:
    """More bytes than are read at once."""
    rows = [{f"f{number * 7 + k}": 1 for k in range(150)} for number in range(100)]
    with read_rows(rows[:10], {"format": "jsonl", "label": "label"}, []) as block:
        assert block is not None
        assert block.rows == 10
    together, alone = new_model([0, 1]), new_model([0, 1])
    learn_rows(together, rows, [n % 2 for n in range(100)])
    for number, x in enumerate(rows):
        alone.learn_one(x, number % 2)
    assert together.to_bytes() == alone.to_bytes()


def test_the_list_of_mistakes_is_bounded() -> None:
    model = new_model([0, 1], learner="perceptron")
    for part in range(30):
        learn_rows(model, [{"a": 1}] * 1000, [(part * 1000 + n) % 2 for n in range(1000)])
    ledger = model.ledger
    assert ledger is not None
    assert ledger.mistakes > 20_000 >= len(ledger.mistake_trials) >= 10_000
    assert list(ledger.mistake_trials)[-1] > 29_990
    assert ledger.recent(100)[0] == 100


@pytest.mark.parametrize("older", [False, True])
def test_a_file_is_read_as_the_rows_before_it(tmp_path: Path, older: bool) -> None:
    rows = [{"at": f"2024-03-{1 + k % 28:02}", "n": k % 2, "id": f"x{k}"} for k in range(60)]
    model = new_model(["ham", "spam"], learner="perceptron")
    learn_rows(model, rows, LABELS)
    if older:
        assert model.schema is not None
        del model.schema.settings["members"]
    model.save(tmp_path / "m.mb")
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(x | {"label": y}) + "\n" for x, y in zip(rows, LABELS, strict=True)))
    more = mb.learn(path, start=tmp_path / "m.mb")
    assert len(more.learner.attributes) == len(model.learner.attributes)
    assert (more.settings or {})["members"] == {}


@pytest.mark.parametrize(
    ("format", "rows"),
    [
        ("text", ["free", "\ufefffree", "\ufeff", "\ufeff\ufeffnow", "lunch\nnow"]),
        ("vw", ["| free", "\ufeff| free", "| now:2"]),
        ("libsvm", ["3:1", "\ufeff3:1", "# 3:1"]),
        ("jsonl", ["{", '"a": 1}', '{"b": 1} {"c": 2}']),
        ("jsonl", ['[{"a": 1}]', '{"b": 1}', "[", '{"c": 1}', "]", " { ", '{"d": 1}', '\ufeff{"e": 1}', "{\n}"]),
    ],
)
def test_rows_mean_the_same_in_any_company(format: str, rows: list[str]) -> None:
    """A journal is replayed in other groups than those in which its rows came."""
    labels = [number % 2 for number in range(len(rows))]
    alone = new_model([0, 1], format=format, learner="perceptron")
    expected = [str(learn_rows(alone, [x], [y])) for x, y in zip(rows, labels, strict=True)]
    for cut in range(len(rows)):
        model = new_model([0, 1], format=format, learner="perceptron")
        found = [*learn_rows(model, rows[:cut], labels[:cut]), *learn_rows(model, rows[cut:], labels[cut:])]
        assert [f"[{outcome}]" for outcome in found] == expected
        assert model.to_bytes() == alone.to_bytes()
        predicted = [str(predict_rows(model, [x])) for x in rows]
        assert [f"[{outcome}]" for outcome in predict_rows(model, rows)] == predicted


@pytest.mark.parametrize("given", [{"cross": 2}, {"negate": True, "attributes": 30}, {"standardize": True}])
def test_a_transform_alone(tmp_path: Path, given: dict[str, Any]) -> None:
    rows = [{"a": n % 2, "b": n // 2 % 2} for n in range(40)]
    labels = [n % 2 ^ n // 2 % 2 for n in range(40)]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(x | {"label": y}) + "\n" for x, y in zip(rows, labels, strict=True)))
    file = mb.learn(path, "label", learner="perceptron", labels=["0", "1"], **given)
    model = new_model(["0", "1"], learner="perceptron", **given)
    learn_rows(model, rows, [str(label) for label in labels])
    assert model.ledger is not None
    assert file.ledger is not None
    assert model.ledger.mistakes == file.ledger.mistakes
    assert model.predict(rows) == file.predict(rows)
