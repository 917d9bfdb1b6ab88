"""`mb.learn` makes what the command `learn` makes, from files, frames, arrays and mappings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_matrix

import mistakebound as mb
from cli.conftest import Run
from mistakebound.io import pass_source
from mistakebound.kernels import compiled
from mistakebound.model.training import Training
from model.test_model import FORMATS, case_of, people, table_case, typed, write

TABLE = {"label": "label", "labels": ("poor", "rich"), "nominal": ["grade"], "ignore": ["user*"]}
KEYWORDS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("csv", "tsv", "arff", "parquet", "arrow"), TABLE),
    "jsonl": {"label": "label", "labels": ("poor", "rich"), "ignore": ["user*"]},
    "text": {"labels": ("ham", "spam"), "format": "text", "ngrams": 2, "keep_punctuation": True},
    "libsvm": {},
    "vw": {"ignore": ["w1*"]},
}


def same(one: mb.Model, other: mb.Model) -> None:
    assert one.learner.hypothesis == other.learner.hypothesis
    assert one.settings == other.settings
    assert one.ledger.state() == other.ledger.state()
    assert one.assumptions == other.assumptions


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_as_the_command(run: Run, tmp_path: Path, format: str) -> None:
    options, files, _ = case_of(tmp_path, format)
    saved = tmp_path / "m.mb"
    assert run("learn", *files, *options, "--passes", 2, "--hash", 12, "--model", saved).code == 0
    model = mb.learn(files[0] if format != "csv" else files, **KEYWORDS[format], passes=2, hash=12)
    same(model, mb.load(saved))
    model.save(tmp_path / "own.mb")
    same(mb.load(tmp_path / "own.mb"), model)


OPTIONS: list[tuple[list[Any], dict[str, Any]]] = [
    (["--shuffle", "--seed", 3, "--passes", 3], {"shuffle": True, "seed": 3, "passes": 3}),
    (["--shuffle"], {"shuffle": True}),
    (["--holdout", "1/5"], {"holdout": "1/5"}),
    (["--holdout", "1/5"], {"holdout": 5}),
    (["--cross", 2], {"cross": 2}),
    (["--standardize", "--learner", "perceptron"], {"standardize": True, "learner": "perceptron"}),
    (["--learner", "passive-aggressive", "--set", "C=2"], {"learner": "passive-aggressive", "parameters": {"C": 2}}),
    (["--learner", "perceptron", "--cost", "1=3"], {"learner": "perceptron", "cost": {1: 3.0}}),
    (["--threads", 2, "--on-error", "skip"], {"threads": 2, "on_error": "skip"}),
    (["--cache"], {"cache": True}),
    (["--learner", "perceptron", "--assume", "margin=1"], {"learner": "perceptron", "assume": {"margin": 1}}),
]


@pytest.mark.parametrize(("words", "keywords"), OPTIONS)
def test_every_option_as_the_command(run: Run, tmp_path: Path, words: list[Any], keywords: dict[str, Any]) -> None:
    _, files, _ = case_of(tmp_path, "libsvm")
    saved = tmp_path / "m.mb"
    result = run("learn", *files, *words, "--model", saved)
    if result.code:
        pytest.fail(result.err)
    same(mb.learn(files[0], **keywords), mb.load(saved))


class Frame:
    """As a frame of polars shows itself."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def test_a_frame_as_its_file(run: Run, tmp_path: Path) -> None:
    _, files, _ = table_case(tmp_path, "arrow")
    model = mb.learn(files[0], **TABLE, passes=2)
    for frame in (typed(people()), Frame(typed(people()))):
        same(mb.learn(frame, **TABLE, passes=2), model)
    table = typed(people())
    options = {name: value for name, value in TABLE.items() if name != "label"}
    by_pair = mb.learn((table.drop_columns("label"), table["label"].to_pylist()), **options, passes=2)
    same(by_pair, model)
    assert by_pair.predict_one({"age": 37, "job": "pilot", "grade": 1}) in ("poor", "rich")


def test_mappings_as_json_lines(run: Run, tmp_path: Path) -> None:
    _, files, forms = case_of(tmp_path, "jsonl")
    model = mb.learn(files[0], **KEYWORDS["jsonl"])
    same(mb.learn(forms[0], **KEYWORDS["jsonl"]), model)
    same(mb.learn(iter(forms[0]), **KEYWORDS["jsonl"]), model)
    with pytest.raises(mb.BadParameter, match="passes over an iterator"):
        mb.learn(iter(forms[0]), **KEYWORDS["jsonl"], passes=2)
    with pytest.raises(mb.BadParameter, match="a row must be a mapping: int"):
        mb.learn([1, 2], "label")


def test_arrays() -> None:
    chance = np.random.default_rng(2)
    X = chance.integers(0, 2, (80, 6)).astype(float)
    y = np.where(X[:, 2] > 0, 1, -1)
    ledger, learner = mb.Ledger(), mb.Winnow2()
    for _ in range(2):
        learner.learn_many(X, y, ledger=ledger)
    for matrix in (X, csr_matrix(X)):
        model = mb.learn((matrix, y), learner="winnow2", passes=2, assume={"k": 1})
        assert model.learner.hypothesis == learner.hypothesis
        assert model.ledger.mistakes == ledger.mistakes
        assert model.predict(matrix) == learner.predict_many(X).tolist()
    with pytest.raises(mb.BadParameter, match="shuffle is not supported here, X and y are arrays"):
        mb.learn((X, y), shuffle=True)


@pytest.mark.parametrize("learner", ["decision-tree", "table-network"])
def test_learners_of_tables(run: Run, tmp_path: Path, learner: str) -> None:
    _, files, forms = table_case(tmp_path, "csv")
    model = mb.learn(files[0], "label", learner=learner, ignore=["user*"], model=tmp_path / "m.mb")
    said = run("predict", tmp_path / "m.mb", *files).out.split("\n")[:-1]
    assert model.predict(files[0]) == said
    assert [model.predict_one(row) for row in forms[0][:5]] == said[:5]
    with pytest.raises(mb.BadParameter, match=f"passes is not supported here, {learner} learns a whole table: 3"):
        mb.learn(files[0], "label", learner=learner, passes=3)


def test_a_learner_that_is_given_learns_on(tmp_path: Path) -> None:
    _, files, _ = case_of(tmp_path, "libsvm")
    learner = mb.Perceptron()
    assert mb.learn(files[0], learner=learner).learner is learner
    with pytest.raises(mb.BadParameter, match="labels cannot be changed, because the learner has its own"):
        mb.learn(files[0], learner=learner, labels=("a", "b"))
    with pytest.raises(mb.BadParameter, match="learner must be a name or a learner: 7"):
        mb.learn(files[0], learner=7)


def test_start_checkpoint_and_resume(tmp_path: Path) -> None:
    _, files, _ = case_of(tmp_path, "libsvm")
    whole = mb.learn([files[0], files[0]], learner="perceptron")
    half = mb.learn(files[0], learner="perceptron", model=tmp_path / "half.mb")
    assert half.ledger.trials == 60
    on = mb.learn(files[0], start=tmp_path / "half.mb")
    assert on.learner.hypothesis == whole.learner.hypothesis
    further, at_once = on.ledger.state(), whole.ledger.state()
    assert further.pop("passes") == 2 * at_once.pop("passes")  # the file is in the model
    for counted_once in ("calibration", "spread"):  # of rows that are new
        further.pop(counted_once, None)
        at_once.pop(counted_once, None)
    assert further == at_once
    done = mb.learn(files[0], learner="perceptron", model=tmp_path / "c.mb", checkpoint=7, resume=True, passes=4)
    again = mb.learn(files[0], learner="perceptron", model=tmp_path / "c.mb", checkpoint=7, resume=True, passes=4)
    same(again, done)
    with pytest.raises(mb.BadParameter, match=r"^passes must be the same as in the run to resume, 4: 5"):
        mb.learn(files[0], learner="perceptron", model=tmp_path / "c.mb", resume=True, passes=5)
    for words, wrong in (
        ({"start": tmp_path / "half.mb", "learner": "arow"}, "learner cannot be changed with start"),
        ({"checkpoint": 5}, "checkpoint needs model"),
        ({"seed": 5}, "seed needs shuffle"),
        ({"passes": 0}, "passes must be a whole number >= 1: 0"),
        ({"holdout": "1/1"}, "holdout 1/K: K must be >= 2: 1"),
        ({"holdout": "nowhere"}, "holdout must be 1/K or a file of rows: 'nowhere'"),
        ({"assume": {"k": -1}}, "k must be"),
        ({"hash": 99}, "hash must be a number of bits"),
    ):
        with pytest.raises(mb.BadParameter, match=wrong):
            mb.learn(files[0], **words)


@pytest.mark.some(2)
@pytest.mark.skipif(not compiled, reason="it takes long")
@pytest.mark.parametrize(("labels", "learner"), [(2, None), (4, None), (2, "auto")])
def test_a_slow_learner_leaves_checkpoints_where_they_are_due(
    labels: int, learner: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its blocks are small, so that nobody waits for the end of a megabyte; the model is the same."""
    saved: list[int] = []
    save = Training.save

    def counted(training: Training) -> Any:
        saved.append(training.ledger.trials)
        return save(training)

    monkeypatch.setattr(Training, "save", counted)
    head, rows = "a,b,c,label", [f"{k % 7},{k * 37 % 11},{'x' * 90},{k * k % labels}" for k in range(4000)]
    path = write(tmp_path / "rows.csv", [head, *rows])
    given = {"cross": 2} if learner else {}
    done = mb.learn(path, learner=learner, model=tmp_path / "m.mb", checkpoint=500, **given)
    assert len(saved) == 4
    assert saved[0] < 1500
    monkeypatch.setattr(pass_source, "_LOOK", 1 << 20)
    same(mb.learn(path, learner=learner, **given), done)


def test_progress_and_bad_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "rows.svm", ["1 3:1", "-1 4:1", "1 x", "1 3:1"])
    seen: list[int] = []
    with pytest.warns(UserWarning, match="1 bad rows were skipped"):
        model = mb.learn(path, on_error="skip", progress=lambda ledger: seen.append(ledger.trials))
    assert (seen[-1], model.ledger.trials) == (3, 3)
    mb.learn(write(tmp_path / "good.svm", ["1 3:1", "-1 4:1"]), progress=True)
    assert capsys.readouterr().err.endswith("2 trials, 2 mistakes\n")
    with pytest.raises(mb.BadData, match=r"rows\.svm:3"):
        mb.learn(path)
    assert json.loads(json.dumps(model.settings)) == {"format": "libsvm"}
    assert isinstance(typed(people()), pa.Table)
