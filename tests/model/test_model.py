"""A model takes raw rows: for every format what `predict` says of the same rows of a file, also in another process."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mistakebound as mb
from cli.conftest import Run

JOBS = ["clerk", "cook, head", 'the "boss"', "?", "", "pilot"]
WORDS = ["Free", "entry", "don't", "miss", "NOW!", "lunch", "tomorrow", "ü", "cheap"]

_TREE = ["--learner", "decision-tree", "--label", "label", "--ignore", "user*"]


def people(count: int = 60) -> list[dict[str, Any]]:
    """Rows of a table: names, numbers, missing cells, and a label that follows from them."""
    chance = Random(5)
    rows = []
    for _ in range(count):
        row: dict[str, Any] = {
            "age": chance.choice([None, 17, 25.5, 37, 61, 1e-3]),
            "job": chance.choice(JOBS),
            "grade": chance.choice([1, 2, 3]),
            "user id": chance.randrange(10**6),
        }
        rich = (row["age"] or 0) > 30 or row["job"] == "pilot"
        rows.append(row | {"label": "rich" if rich != (chance.random() < 0.1) else "poor"})
    return rows


def cell(value: Any) -> str:
    return "" if value is None else str(value)


def csv_line(row: dict[str, Any], delimiter: str = ",") -> str:
    return delimiter.join('"' + cell(value).replace('"', '""') + '"' for value in row.values())


def arff_line(row: dict[str, Any]) -> str:
    return ",".join("?" if cell(v) in ("", "?") else "'" + cell(v).replace("'", "\\'") + "'" for v in row.values())


def typed(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows)


def sentences(count: int = 60) -> list[tuple[str, str]]:
    chance = Random(6)
    texts = [" ".join(chance.choices(WORDS, k=chance.randrange(1, 7))) for _ in range(count)]
    return [("spam" if "Free" in text or "cheap" in text else "ham", text) for text in texts]


Case = tuple[list[str], list[Any], list[list[Any]]]  # options of `learn`, the file to predict, rows in several forms


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def table_case(folder: Path, format: str) -> Case:
    rows = people()
    path = folder / f"rows.{format}"
    bare = [{name: value for name, value in row.items() if name != "label"} for row in rows]
    delimiter = "\t" if format == "tsv" else ","
    if format == "parquet":
        pq.write_table(typed(rows), path)
    elif format == "arrow":
        with pa.ipc.new_file(path, typed(rows).schema) as file:
            file.write_table(typed(rows))
    elif format == "arff":
        kinds = {"age": "numeric", "grade": "numeric", "user id": "numeric"}
        head = [f"@attribute '{name}' {kinds.get(name, 'string')}" for name in rows[0]]
        write(path, ["@relation people", *head, "@data", *(arff_line(row) for row in rows)])
    else:
        write(path, [delimiter.join(rows[0]), *(csv_line(row, delimiter) for row in rows)])
    options = ["--label", "label", "--labels", "poor,rich", "--nominal", "grade", "--ignore", "user*"]
    known = [{name: value for name, value in row.items() if name != "user id"} for row in bare]
    cells = [tuple(row.values()) for row in bare]
    lines = [arff_line(row) if format == "arff" else csv_line(row, delimiter) for row in bare]
    whole = [arff_line(row) if format == "arff" else csv_line(row, delimiter) for row in rows]
    return options, [path], [rows, bare, known, cells, lines, [line.encode() for line in whole]]


def case_of(folder: Path, format: str) -> Case:
    if format in ("csv", "tsv", "arff", "parquet", "arrow"):
        return table_case(folder, format)
    if format == "jsonl":
        rows = [row | {"tags": ["a", cell(row["job"])], "deep": {"x": row["grade"]}} for row in people()]
        lines = [json.dumps(row) for row in rows]
        options = ["--label", "label", "--labels", "poor,rich", "--ignore", "user*"]
        return options, [write(folder / "rows.jsonl", lines)], [rows, lines, [line.encode() for line in lines]]
    if format == "text":
        pairs = [*sentences(), ("ham", "")]
        options = ["--labels", "ham,spam", "--format", "text", "--ngrams", "2", "--keep-punctuation"]
        path = write(folder / "rows.txt", [f"{label}\t{text}" for label, text in pairs])
        texts = [text for _, text in pairs]
        return options, [path], [texts, [text.encode() for text in texts], [f"ham\t{text}" for text in texts]]
    chance = Random(7)
    entries = [{str(k): chance.choice([1.0, 0.5, -2.0]) for k in chance.sample(range(1, 30), 5)} for _ in range(60)]
    labels = [1 if "3" in row else -1 for row in entries]
    if format == "libsvm":
        bare = [" ".join(f"{name}:{value}" for name, value in row.items()) for row in entries]
        path = write(folder / "rows.svm", [f"{label} {line}" for label, line in zip(labels, bare, strict=True)])
        ids = [{int(name): value for name, value in row.items()} for row in entries]
        return [], [path], [bare, [f"+1 {line}" for line in bare], entries, ids]
    named = [{f"w{name}": value for name, value in row.items()} for row in entries]
    bare = ["| " + " ".join(f"{name}:{value}" for name, value in row.items()) for row in named]
    path = write(folder / "rows.vw", [f"{label} {line}" for label, line in zip(labels, bare, strict=True)])
    return ["--ignore", "w1*"], [path], [bare, named, [f"1 {line}".encode() for line in bare]]


TABLES = ["csv", "tsv", "arff", "parquet", "arrow"]
FORMATS = [*TABLES, "jsonl", "text", "libsvm", "vw"]
CHILD = """
import json, sys
import mistakebound as mb
model = mb.load(sys.argv[1])
rows = [tuple(row) if type(row) is list else row for row in json.load(sys.stdin)]
print(json.dumps([[model.predict_one(row), model.score_one(row)] for row in rows]))
"""


@pytest.mark.some(8)
@pytest.mark.parametrize(
    ("format", "more"),
    [(format, more) for format in FORMATS for more in ([], ["--hash", "3"])] + [(t, ["--bins", "3"]) for t in TABLES],
)
def test_a_row_alone_is_predicted_as_in_a_file(
    run: Run, tmp_path: Path, format: str, more: list[str], long: bool
) -> None:
    options, files, forms = case_of(tmp_path, format)
    saved = tmp_path / "m.mb"
    result = run("learn", *files, *options, *more, "--learner", "perceptron", "--passes", 2, "--model", saved)
    assert result.code == 0, result.err
    said = [line.split("\t") for line in run("predict", saved, *files, "--scores").out.splitlines()]
    assert len({label for label, _ in said}) == 2
    model = mb.load(saved)
    found = model.predict(files)
    assert [model.learner.labels.text(model.learner.labels.code(label)) for label in found] == [
        label for label, _ in said
    ]
    for rows in forms:
        assert len(rows) == len(said)
        some = rows[-12:]
        assert [repr(model.score_one(row) + 0.0) for row in some] == [score for _, score in said[-12:]]
        assert model.predict(iter(some)) == found[-12:]
    rows = [row for rows in forms for row in rows[-4:] if not isinstance(row, bytes)]
    if format != "libsvm" and (long or (not more and format in ("csv", "jsonl", "vw"))):  # JSON has no numbers as keys
        words = [sys.executable, "-c", CHILD, str(saved)]
        other = subprocess.run(words, input=json.dumps(rows), capture_output=True, text=True, check=True)
        assert json.loads(other.stdout) == [[model.predict_one(row), model.score_one(row)] for row in rows]


@pytest.mark.some(4)
@pytest.mark.parametrize("format", ["csv", "tsv", "arff", "parquet"])
@pytest.mark.parametrize("learner", ["decision-tree", "naive-bayes", "network"])
def test_a_row_alone_is_predicted_by_a_model_of_tables(run: Run, tmp_path: Path, learner: str, format: str) -> None:
    _, files, forms = table_case(tmp_path, format)
    saved = tmp_path / "m.mb"
    more = ["--nominal", "age,grade"] if learner == "naive-bayes" else []
    result = run(
        "learn", *files, "--learner", learner, "--label", "label", "--ignore", "user*", *more, "--model", saved
    )
    assert result.code == 0, result.err
    said = [line.split("\t") for line in run("predict", saved, *files, "--scores").out.splitlines()]
    model = mb.load(saved)
    assert model.predict(files) == [label for label, _ in said]
    for rows in forms:
        rows = rows[:6]
        assert [model.predict_one(row) for row in rows] == [label for label, _ in said[:6]]
        assert [model.score_one(row) for row in rows] == pytest.approx([float(score) for _, score in said[:6]])


def test_frames_and_lists_of_rows(run: Run, tmp_path: Path) -> None:
    options, files, _ = table_case(tmp_path, "parquet")
    saved = tmp_path / "m.mb"
    assert run("learn", *files, *options, "--model", saved).code == 0
    model = mb.load(saved)
    table = typed(people())
    labels = model.predict(files)
    assert model.predict(table).to_pylist() == labels
    turned = table.select(sorted(table.column_names))
    assert model.predict(turned).to_pylist() == labels, "columns are found by their names"
    assert model.predict(people()) == labels
    with pytest.warns(UserWarning, match="taken as empty: 'age'"):
        assert len(model.predict(table.drop_columns("age"))) == len(labels)
    with pytest.raises(mb.BadData, match="other columns than expected"):
        model.predict(table.select(["age"]).rename_columns(["years"]))


def test_what_is_no_row_is_said_in_one_sentence(run: Run, tmp_path: Path) -> None:
    options, files, _ = table_case(tmp_path, "csv")
    saved = tmp_path / "m.mb"
    assert run("learn", *files, *options, "--model", saved).code == 0
    model = mb.load(saved)
    for row, words in (
        ({"agee": 3}, "the row has none of the columns 'age', 'job', 'grade': 'agee'"),
        ((1, 2), "the row has 2 cells, but 4 are expected, or 5 with the label: "),
        ("1,2", "the row has 2 cells, the header has 5"),
        ("1,2,3,4\n4,5,6,7", "one row is expected, and there are 2"),
        ("", "one row is expected, and there are 0"),
        ({"age": "old"}, "'old' in the numeric column 'age' is not a finite decimal number"),
        ({"age": [1]}, "column 'age' holds list<item: int64>, and not texts, numbers or times"),
        ({"age": object()}, "the value of column 'age' is neither a text nor a number"),
    ):
        with pytest.raises(mb.BadData) as caught:
            model.predict_one(row)
        assert str(caught.value).startswith(words)
    assert model.predict_one({}) == model.predict_one({"age": None, "new": "column"})


def test_a_model_without_a_schema_takes_instances(tmp_path: Path) -> None:
    learner = mb.Perceptron(labels=("ham", "spam"))
    for words, label in (({"free", "now"}, "spam"), ({"now", "lunch"}, "ham")):
        learner.learn_one(words, label)
    learner.save(tmp_path / "m.mb")
    model = mb.load(tmp_path / "m.mb")
    assert (model.schema, model.settings, model.ledger) == (None, None, None)
    assert model.predict_one({"free": 2}) == "spam"
    assert model.score_one({"free": 2}) == learner.score_one({"free": 2})
    assert model.predict([{"free": 1}, {"lunch"}]) == ["spam", "ham"]
    with pytest.raises(mb.BadData, match="not one text"):
        model.predict_one("free")
    assert repr(model) == "Model(Perceptron())"


def test_a_model_learned_in_python_from_a_table_takes_its_rows(tmp_path: Path) -> None:
    rows = people()
    tree = mb.DecisionTree().fit(rows, "label")
    tree.save(tmp_path / "m.mb")
    model = mb.load(tmp_path / "m.mb")
    labels = tree.predict_many(rows)
    assert model.predict(rows) == labels
    assert [model.predict_one(row) for row in rows] == labels
    assert [model.predict_one(tuple(row.values())[:-1]) for row in rows] == labels
    with pytest.raises(mb.BadData, match="takes a mapping of columns"):
        model.predict_one("1,2")


@pytest.mark.parametrize("first", ["hello", "3:1 4:1", "a,b", '{"a": 1}', "1 | x", "+1"])
def test_a_model_of_text_reads_text_whatever_it_looks_like(run: Run, tmp_path: Path, first: str) -> None:
    options, files, _ = case_of(tmp_path, "text")
    saved = tmp_path / "m.mb"
    assert run("learn", *files, *options, "--model", saved).code == 0
    model = mb.load(saved)
    result = run("predict", saved, write(tmp_path / "new", [first, "Free entry"]))
    assert (result.code, result.out.split()) == (0, [model.predict_one(first), model.predict_one("Free entry")])
    lines = [first, "", "  ", "Free entry", ""]
    said = run("predict", saved, write(tmp_path / "new", lines)).out.split()
    assert said == [model.predict_one(line) for line in lines], "a text without words has its answer"


def test_a_table_of_one_column_is_no_libsvm(run: Run, tmp_path: Path) -> None:
    table = write(tmp_path / "rows.csv", ["job,label", "cook,0", "pilot,1", "cook,0", "pilot,1"])
    saved = tmp_path / "m.mb"
    assert run("learn", table, "--label", "label", "--passes", 3, "--model", saved).code == 0
    assert run("predict", saved, write(tmp_path / "new", ["job", "pilot", "cook"])).out.split() == ["1", "0"]


@pytest.mark.parametrize("format", FORMATS)
def test_the_measures_are_those_of_the_command(run: Run, tmp_path: Path, format: str, long: bool) -> None:
    options, files, forms = case_of(tmp_path, format)
    for learner in ("arow", "one-vs-all") if long else (("arow", "one-vs-all")[len(format) % 2],):
        saved = tmp_path / f"{learner}.mb"
        assert run("learn", *files, *options, "--learner", learner, "--model", saved).code == 0
        said = run("eval", saved, *files, "--json").json
        model = mb.load(saved)
        found = {name: value for name, value in said.items() if name not in ("model", "learner")}
        assert model.evaluate(files).as_json() == found
        if isinstance(forms[0][0], dict) and "label" in forms[0][0]:
            assert model.evaluate(forms[0]).as_json() == found
        if format in TABLES:
            assert model.evaluate(typed(people())).as_json() == found


def test_the_measures_of_models_of_tables_and_arrays(run: Run, tmp_path: Path) -> None:
    _, files, forms = table_case(tmp_path, "csv")
    saved = tmp_path / "m.mb"
    assert run("learn", *files, *_TREE, "--set", "prune=pessimistic", "--model", saved).code == 0
    model, said = mb.load(saved), run("eval", saved, *files, "--json").json
    for source in (files, forms[0], typed(people())):
        assert model.evaluate(source).mistakes == said["mistakes"] > 0
    X, y = [[0, 1], [1, 0], [1, 1]], [1, -1, 1]
    model = mb.learn((X, y), learner="perceptron", passes=9)
    assert (model.evaluate((X, y)).error_rate, model.evaluate((X, y)).auc) == (0.0, 1.0)
    assert model.evaluate((X, [-1, -1, 1])).counts == (1, 1, 0, 1)
    with pytest.raises(mb.BadData, match="label 7 is not one of the model's"):
        model.evaluate((X, [7, -1, 1]))


@pytest.mark.some(6)
@pytest.mark.parametrize("more", [[], ["--hash", "5"]], ids=["plain", "hash"])
@pytest.mark.parametrize("format", FORMATS)
def test_a_row_alone_is_explained_as_in_a_file(run: Run, tmp_path: Path, format: str, more: list[str]) -> None:
    options, files, forms = case_of(tmp_path, format)
    saved = tmp_path / "m.mb"
    words = ("--learner", "perceptron", "--passes", 2, "--model", saved)
    assert run("learn", *files, *options, *more, *words).code == 0
    model = mb.load(saved)
    for number in (1, 2, 7):
        by_row = run("explain", saved, *files, "--row", number, "--json", "--top", 99).json
        assert model.explain(number, file=files[0]).as_json(99) == by_row
        for rows in forms:
            found = model.explain(rows[number - 1]).as_json(99)
            assert {**found, "remark": None} == {**by_row, "remark": None}
        line = next(rows[number - 1] for rows in forms if isinstance(rows[0], str))
        if format not in ("libsvm", "vw"):
            said = run("explain", saved, "--instance", line, "--json", "--top", 99).json
            assert {**said, "remark": None} == {**by_row, "remark": None}


def test_models_of_tables_and_ensembles_explain_a_row(run: Run, tmp_path: Path) -> None:
    options, files, forms = table_case(tmp_path, "csv")
    for words in (_TREE, [*options, "--learner", "one-vs-all"]):
        saved = tmp_path / "m.mb"
        assert run("learn", *files, *words, "--model", saved).code == 0
        model = mb.load(saved)
        by_row = run("explain", saved, *files, "--row", 3)
        assert str(model.explain(forms[0][2])).splitlines() == by_row.out.splitlines()
        assert run("explain", saved, "--instance", forms[4][2]).out == by_row.out
        assert run("explain", saved, "--instance-json", json.dumps(forms[0][2])).out == by_row.out
        assert model.explain(3, file=files[0]).prediction == model.predict_one(forms[0][2])
    with pytest.raises(mb.BadParameter, match="row must be at most 60, the rows of"):
        model.explain(61, file=files[0])
    with pytest.raises(mb.BadParameter, match="row must be >= 1: 0"):
        model.explain(0, file=files[0])


def test_a_model_is_copied_and_pickled_whole(run: Run, tmp_path: Path) -> None:
    _, files, forms = case_of(tmp_path, "text")
    model = mb.learn(files[0], labels=("ham", "spam"), format="text", learner="perceptron")
    for again in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert again.learner is not model.learner
        assert again.learner.hypothesis == model.learner.hypothesis
        assert (again.schema, again.ledger.state()) == (model.schema, model.ledger.state())
        again.learner.learn_one({"new"}, "spam")
        assert again.learner.hypothesis != model.learner.hypothesis
        assert model.predict_one(forms[0][0]) == again.predict_one(forms[0][0])


def test_a_version_space_takes_rows(run: Run, tmp_path: Path) -> None:
    table = write(tmp_path / "sport.csv", ["sky,air,enjoy", "sunny,warm,1", "sunny,warm,1", "rainy,cold,0"])
    saved = tmp_path / "m.mb"
    assert run("version-space", table, "--label", "enjoy", "--model", saved).code == 0
    model = mb.load(saved)
    assert model.predict(table) == [1, 1, 0]
    for row in ({"sky": "sunny", "air": "warm"}, "sunny,warm", ("sunny", "warm"), "sunny,warm,0"):
        assert model.predict_one(row) == 1
    assert model.predict_one("sunny,cold") is None, "don't know"
    assert model.evaluate(table).mistakes == 0
    assert str(model.explain("sunny,warm")) == "1: it satisfies all of S, and so every hypothesis"


def test_a_list_of_lines_is_not_taken_for_files(tmp_path: Path) -> None:
    path = tmp_path / "mails.txt"
    path.write_text("spam\tfree money for you\nham\tlunch at noon\n" * 20)
    model = mb.learn(path)
    with pytest.raises(mb.BadParameter, match="'free' is not a file: a list of texts is a list of files"):
        model.predict(["free", "money"])
    assert model.predict([b"free money", b"lunch"]) == ["spam", "ham"]


@pytest.mark.parametrize("labels", [2, 3])
def test_standardised_values_are_explained_with_the_raw_ones(labels: int) -> None:
    rows = [{"x": float(v), "y": v % labels} for v in (0, 3, 0, 6, 9, 0, 7, 1, 0, 2)] * 20
    model = mb.learn(rows, "y", standardize=True)
    for value in (8.0, 0.0):
        (line,) = (line for line in str(model.explain({"x": value})).splitlines() if line.startswith("  x "))
        assert line.endswith(f"raw value {value:g}")


def test_labels_of_arrays_are_plain_values() -> None:
    for labels in (np.array(["no", "yes"] * 5), np.array([0, 1] * 5), np.array(["a", "b", "c", "d", "e"] * 2)):
        model = mb.learn((np.eye(10), labels))
        assert {type(label) for label in model.labels} <= {str, int}


def test_one_mapping_is_not_several_rows(tmp_path: Path) -> None:
    path = tmp_path / "mails.txt"
    path.write_text("spam\tfree money for you\nham\tlunch at noon\n" * 20)
    model = mb.learn(path)
    for call in (model.predict, model.predict_proba, model.evaluate, mb.learn):
        with pytest.raises(mb.BadParameter, match="a mapping is one: give a list of mappings, or a data frame"):
            call({"free": 1, "label": 1})


def test_a_score_at_the_threshold_is_negative_however_it_is_asked_for() -> None:
    rows = [{"words": ["free"], "kind": "spam"}, {"words": ["lunch"], "kind": "ham"}] * 20
    model = mb.learn(rows, "kind")
    row = {"words": ["free"]}
    model.threshold = model.score_one(row)
    assert (model.predict_one(row), model.predict([row]), model.explain(row).prediction) == ("ham", ["ham"], "ham")
    model.threshold = np.nextafter(model.threshold, -1.0)
    assert (model.predict_one(row), model.predict([row]), model.explain(row).prediction) == ("spam", ["spam"], "spam")


@pytest.mark.parametrize("learner", ["arow", "decision-tree"])
def test_a_table_that_was_said_to_have_no_header_takes_every_form_of_a_row(tmp_path: Path, learner: str) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("5.1;red;yes\n4.9;blue;no\n6.0;red;yes\n4.4;blue;no\n" * 5)
    model = mb.learn(path, learner=learner, no_header=True, columns=["length", "colour", "good"], label="good")
    model.save(tmp_path / "cells.mb")
    for known in (model, mb.load(tmp_path / "cells.mb")):
        for cells in (("5.0", "red"), ("5.0", "blue")):
            row = dict(zip(("length", "colour"), cells, strict=True))
            answers = {known.predict_one(form) for form in (row, cells, ";".join(cells))}
            assert answers == {*known.predict([row])} == {known.explain(row).prediction}
