"""Exported models say what the model says: Python and SQL are run (ONNX: tests/extras)."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from model.exported import CASES, COLUMNS, answers, in_file, learned, table

ROWS = table(1000, 2, whole=False)


def module(model: mb.Model, **more: Any) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "exported"}
    exec(compile(model.export("python", **more), "exported.py", "exec"), space)
    return space


def compare(model: mb.Model, rows: list[Any], said: Any = None) -> None:
    made, (labels, shares) = module(model), said or answers(model, rows)
    assert [made["predict"](row) for row in rows] == labels
    if shares is None:
        assert "predict_proba" not in made
        return
    found = [made["predict_proba"](row) for row in rows]
    assert np.allclose([[own[label] for label in model.labels] for own in found], shares, rtol=0, atol=1e-12)


def query(model: mb.Model, asked: list[Any], columns: tuple[str, ...], **more: Any) -> list[tuple[Any, ...]]:
    base = sqlite3.connect(":memory:")
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
    base.execute(f"CREATE TABLE data ({names})")
    marks = ", ".join("?" * len(columns))
    base.executemany(f"INSERT INTO data VALUES ({marks})", [[row.get(name) for name in columns] for row in asked])
    found = base.execute(str(model.export("sql", **more))).fetchall()
    base.close()
    return found


def compare_sql(model: mb.Model, rows: list[Any], columns: tuple[str, ...] = COLUMNS, said: Any = None) -> None:
    found, (labels, shares) = query(model, rows, columns), said or answers(model, rows)
    assert [row[1] for row in found] == labels
    if shares is not None:
        assert np.allclose([row[3:] for row in found], shares, rtol=0, atol=1e-12)
        at = [list(model.labels).index(label) for label in labels]
        assert np.allclose([row[2] for row in found], shares[np.arange(len(at)), at], rtol=0, atol=1e-12)


@pytest.mark.some(8)
@pytest.mark.parametrize("case", CASES)
def test_python_and_sql_say_what_the_model_says(case: str, tmp_path: Path, long: bool) -> None:
    model, rows = learned(tmp_path, case), ROWS if long else ROWS[:150]
    said = answers(model, in_file(rows, tmp_path / "rows.csv"))
    compare(model, rows, said)
    if sqlite3.sqlite_version_info >= (3, 35):
        compare_sql(model, rows, said=said)


@pytest.mark.parametrize("settings", [{"hash": 4}, {"hash": 3, "bins": 3}, {"hash": 18, "standardize": True}])
def test_hashed_names_are_for_python_alone(settings: dict[str, Any], tmp_path: Path, long: bool) -> None:
    rows = ROWS if long else ROWS[:150]
    learned(tmp_path, "arow")
    model = mb.learn(tmp_path / "people.csv", label="rich", learner="arow", **settings)
    compare(model, rows, answers(model, in_file(rows, tmp_path / "rows.csv")))
    with pytest.raises(mb.BadParameter, match="hashed names cannot be exported to SQL"):
        model.export("sql")


def test_dressed_numbers_dates_and_clocks(tmp_path: Path) -> None:
    cells = [
        (f"{k % 7}.{k * 37 % 1000:03},{k % 100:02} €", f"{1 + k % 28:02}.{1 + k % 12:02}.2024", f"{k % 24:02}:15")
        for k in range(300)
    ]
    lines = ["price;day;at;late", *(";".join([*row, "yn"[k % 7 > 3]]) for k, row in enumerate(cells))]
    (tmp_path / "late.csv").write_text("\n".join(lines) + "\n")
    model = mb.learn(tmp_path / "late.csv", label="late", fast=True)
    rows = [dict(zip(("price", "day", "at"), line.split(";"), strict=False)) for line in lines[1:]]
    compare(model, rows, answers(model, tmp_path / "late.csv"))
    with pytest.raises(mb.BadParameter, match="year-month-day only"):
        model.export("sql")
    with pytest.raises(ValueError, match="'cheap' in the column 'price' is not a number"):
        module(model)["predict"]({"price": "cheap"})
    clocked = mb.learn(tmp_path / "late.csv", label="late", fast=True, ignore=["day"])
    compare_sql(clocked, rows, ("price", "at"), answers(clocked, tmp_path / "late.csv"))


def test_rules_and_lists_of_attributes(tmp_path: Path) -> None:
    rows = [[float(k >> j & 1) for j in range(6)] for k in range(64)]
    names = [str(j + 1) for j in range(6)]
    asked = [dict(zip(names, row, strict=True)) for row in rows]
    targets: dict[str, Any] = {
        "conjunction-elimination": lambda x: x[0] and not x[3],
        "disjunction-elimination": lambda x: x[1] or x[4],
        "decision-list-learner": lambda x: x[2] if x[0] else not x[5],
        "winnow1": lambda x: x[1] or x[2],
    }
    for name, target in targets.items():
        lines = [f"{int(bool(target(row)))} " + " ".join(f"{j + 1}:1" for j in range(6) if row[j]) for row in rows * 4]
        (tmp_path / "rules.svm").write_text("\n".join(lines) + "\n")
        parameters = {"n": 6} if name != "disjunction-elimination" else {}
        model = mb.learn(tmp_path / "rules.svm", learner=name, parameters=parameters)
        said = answers(model, tmp_path / "rules.svm")
        said = said[0][:64], None if said[1] is None else said[1][:64]
        compare(model, asked, said)
        compare_sql(model, asked, tuple(names), said)


def test_texts_json_and_models_of_python(tmp_path: Path) -> None:
    (tmp_path / "mails.tsv").write_text("spam\tFree entry, don't miss!\nham\tLunch at noon\n" * 20)
    model = mb.learn(tmp_path / "mails.tsv", fast=True, format="text", ngrams=2)
    made = module(model)
    for line in ("free lunch", "FREE entry now", ""):
        assert made["predict"](line) == model.predict_one(line)
        assert made["predict_proba"](line) == pytest.approx(model.predict_proba_one(line))
    with pytest.raises(mb.BadParameter, match=r"a model of text has no columns for SQL; export it --to python"):
        model.export("sql")
    rows = [
        {
            "user": {"age": k, "city": "Rome" if k % 3 else "Oslo"},
            "tags": ["a", "b"][: k % 3],
            "ok": k % 2 == 0,
            "y": k % 5 > 1,
        }
        for k in range(200)
    ]
    compare(mb.learn(rows, "y", fast=True), rows[:20])
    compare(mb.learn(rows, "y", fast=True, bins={"user.age": 4}), rows[:20])
    learner = mb.Perceptron(labels=("no", "yes"))
    for k in range(50):
        learner.learn_one({"a": k % 7, "b": 1.0}, "yes" if k % 7 > 3 else "no")
    plain = mb.Model(learner)
    asked = [{"a": float(k), "b": 1.0} for k in range(9)]
    compare(plain, asked)
    compare_sql(plain, asked, ("a", "b"))


def test_hostile_names_and_labels(tmp_path: Path) -> None:
    names = ('"; DROP TABLE data; --', "it's", '"""', "back\\slash")
    rows = [
        {
            names[0]: k % 5,
            names[1]: "x'y" if k % 2 else '"""',
            names[2]: "a\\b",
            names[3]: 1.5 * k,
            "l": "o'k" if k % 5 > 2 else '"no',
        }
        for k in range(100)
    ]
    import pyarrow as pa

    model = mb.learn(pa.Table.from_pylist(rows), label="l", fast=True, keep=list(names))
    said = answers(model, pa.Table.from_pylist(rows))
    compare(model, rows, said)
    compare_sql(model, rows, names, said)


def test_a_cell_that_is_no_number_has_no_label(tmp_path: Path) -> None:
    model = learned(tmp_path, "arow")
    found = query(model, [{"age": "old"}, {"age": 40}, {"age": "40"}, {"since": "soon"}], COLUMNS)
    assert [row[1] is None for row in found] == [True, False, False, True]
    assert found[1][1:] == found[2][1:]


NUMBERS = ["5", "-5", "+.5", "5.", "007", "5e-3", "1E+2", " 7\t", "-0"]
NO_NUMBERS = [
    "5-10", "1.2.3", "12e", "2024-01-02", "e5", "-e5", ".", "+", "+.e1", "--3", "1e5e5", "1e5.5", "1e+",
    "1e999", "-1e999", "0x1",
]  # fmt: skip


@pytest.mark.parametrize("case", ["arow", "tree"])
def test_sql_takes_the_numbers_that_the_model_takes(case: str, tmp_path: Path) -> None:
    """SQLite itself takes 5-10 for 5."""
    model = learned(tmp_path, case)
    asked = [{"age": cell, "job": "pilot"} for cell in [*NUMBERS, *NO_NUMBERS]]
    found = [row[1] for row in query(model, asked, COLUMNS)]
    assert found[: len(NUMBERS)] == [model.predict_one(row) for row in asked[: len(NUMBERS)]]
    assert set(found[len(NUMBERS) :]) == {None}
    for row in asked[len(NUMBERS) :]:
        with pytest.raises(mb.BadData, match="is not a finite decimal number"):
            model.predict_one(row)
    assert query(model, [{"age": float("inf")}], COLUMNS)[0][1] is None


DATES = [
    "2024-01-28",
    "2024-01-28T09:05",
    "2024-01-28  9:05 pm",
    "2024-01-28 12:30AM",
    "2024-01-28 10:00:05.5+02:00",
    "",
]
NO_DATES = [
    "2024-02-30",
    "2024-02-30 10:00",
    "2024-13-01",
    "2024-01-28 25:00",
    "2024-01-28 13",
    "10:00",
    "2024-01-28x",
    "soon",
]
CLOCKS = ["10:30", "9:05", "9:05 PM", "12:00 am", "23:59:59", "10:00Z", "NA"]
NO_CLOCKS = ["25:00", "10", "9:5", "10:300", "soon", "2024-01-28 10:00", ":30"]


@pytest.mark.parametrize("learner", ["arow", "decision-tree"])
@pytest.mark.parametrize(("good", "bad"), [(DATES, NO_DATES), (CLOCKS, NO_CLOCKS)])
def test_dates_that_the_model_takes(learner: str, good: list[str], bad: list[str], tmp_path: Path) -> None:
    cells = [f"2024-{1 + k % 12:02}-{1 + k % 28:02} {k % 24:02}:30"[11 * (good is CLOCKS) :] for k in range(300)]
    path = tmp_path / "days.csv"
    path.write_text("at,late\n" + "".join(f"{cell},{'yn'[k % 24 > 12]}\n" for k, cell in enumerate(cells)))
    model = mb.learn(path, label="late", learner=learner)
    asked = [{"at": cell} for cell in [*good, *bad]]
    labels = [model.predict_one(row) for row in asked[: len(good)]]
    made = module(model)
    assert [made["predict"](row) for row in asked[: len(good)]] == labels
    assert [row[1] for row in query(model, asked, ("at",))] == labels + [None] * len(bad)
    for row in asked[len(good) :]:
        with pytest.raises(mb.BadData, match="is not a date"):
            model.predict_one(row)
        with pytest.raises(ValueError, match=r"is not a|range|must be in"):
            made["predict"](row)


def test_missing_words_with_letters_beyond_ascii(tmp_path: Path) -> None:
    path = tmp_path / "sizes.csv"
    cells = ["ÄHH" if k % 7 == 0 else f"{k % 20 + k / 1000}" for k in range(300)]
    path.write_text("size,late\n" + "".join(f"{cell},{'yn'[k % 20 > 9]}\n" for k, cell in enumerate(cells)))
    model = mb.learn(path, label="late", fast=True, missing=["ähh"])
    assert model.settings is not None
    assert model.settings["kinds"] == {"size": "numeric"}
    asked = [{"size": cell} for cell in ("ÄHH", "ähh", "Ähh", "äHH", None, 3, "15")]
    assert model.predict_proba_one(asked[0]) == model.predict_proba_one({})
    compare(model, asked)
    compare_sql(model, asked, ("size",))


@pytest.mark.parametrize("names", [("rowid", "kind"), ("RowID", "_rowid_")])
def test_columns_that_are_called_as_the_number_of_the_row(names: tuple[str, str]) -> None:
    rows = [{names[0]: float(-k % 20), names[1]: "uvw"[k % 3], "y": "lo" if -k % 20 < 10 else "hi"} for k in range(200)]
    import pyarrow as pa

    model = mb.learn(pa.Table.from_pylist(rows), label="y", fast=True)
    found = query(model, rows, names)
    assert [row[0] for row in found] == list(range(1, 201))
    assert [row[1] for row in found] == [model.predict_one(row) for row in rows]


def test_columns_that_sql_cannot_tell_apart() -> None:
    import pyarrow as pa

    def export(*names: str) -> str | bytes:
        columns = {name: [float((k + place) % 20) for k in range(100)] for place, name in enumerate(names)}
        rows = pa.table(columns | {"y": [k % 20 > 10 for k in range(100)]})
        return mb.learn(rows, label="y", fast=True).export("sql")

    with pytest.raises(mb.BadParameter, match="columns 'Age' and 'AGE' have one name in SQL"):
        export("Age", "age of", "AGE")
    with pytest.raises(mb.BadParameter, match="leave SQL no name for the number of a row"):
        export("rowid", "OID", "_rowid_")
    assert export("é", "É")


def test_auto_is_an_approximation_and_says_how_good(tmp_path: Path) -> None:
    learned(tmp_path, "arow", dates=False)
    model = mb.learn(tmp_path / "people.csv", label="rich")
    assert model.learner.name == "auto"
    with pytest.raises(mb.BadParameter, match=r"give rows on which to measure [^\n]+, or learn with --fast"):
        model.export("python")
    many = mb.learn(tmp_path / "people.csv", label="job")
    for given in ({}, {"rows": tmp_path / "people.csv"}):
        with pytest.raises(mb.BadParameter, match=r"a model of auto cannot be exported: [^\n]+; one of --fast can"):
            many.export("python", **given)
    rows = [{name: row[name] for name in row if name != "since"} for row in table(600, 5)]
    path = in_file(rows, tmp_path / "rows.csv")
    made = module(model, rows=path)
    assert "An approximation" in made["__doc__"]
    said = [made["predict"](row) for row in rows]
    agree = np.mean([a == b for a, b in zip(said, model.predict(path), strict=True)])
    assert agree > 0.9
    found = query(model, rows, COLUMNS, rows=path)
    assert [row[1] for row in found] == said
    assert np.allclose([row[4] for row in found], [made["predict_proba"](row)["yes"] for row in rows], atol=1e-12)
    with pytest.raises(mb.BadParameter, match="rows are for auto alone"):
        learned(tmp_path, "arow").export("sql", rows=rows)


def test_what_cannot_be_exported(tmp_path: Path) -> None:
    learned(tmp_path, "arow")
    network = mb.learn(tmp_path / "people.csv", label="rich", learner="network", parameters={"epochs": 1})
    with pytest.raises(mb.BadParameter, match="a model of table-network cannot be exported"):
        network.export("python")
    voting = mb.learn(
        tmp_path / "people.csv", label="rich", learner="weighted-majority", parameters={"experts": "perceptron,arow"}
    )
    with pytest.raises(mb.BadParameter, match="cannot be exported: it is no sum over features"):
        voting.export("sql")
    with pytest.raises(mb.BadParameter, match="to must be one of python, sql, onnx: 'java'"):
        voting.export("java")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mistakebound.cli import main

    learned(tmp_path, "arow").save(tmp_path / "rich.mb")
    name = str(tmp_path / "rich.mb")
    assert main(["export", name, "--to", "sql", "--table", "people"]) == 0
    assert 'FROM "people"' in capsys.readouterr().out
    assert main(["export", name, "--to", "python", "-o", str(tmp_path / "rich.py"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["exact"] is True
    assert said["bytes"] == (tmp_path / "rich.py").stat().st_size
    assert main(["export", name, "--to", "python", "-o", str(tmp_path / "people.csv")]) == 2
    assert "refusing to overwrite" in capsys.readouterr().err
    assert main(["export", name, "--to", "onnx"]) == 2
    assert "--output must name a file" in capsys.readouterr().err


@pytest.mark.parametrize("case", ["tree", "tree fractions", "balanced", "naive-bayes", "arow"])
def test_numbers_on_the_edge(case: str, tmp_path: Path) -> None:
    """At the threshold of a test, and at the cut between two bins."""
    model = learned(tmp_path, case)
    edges = {"age": {18 + k / 4 for k in range(250)}, "height": {1.4 + k / 200 for k in range(120)}}
    if case.startswith("tree"):
        names = model.learner.schema.names
        for column, cut in zip(model.learner.tree.column, model.learner.tree.threshold, strict=True):
            if column >= 0 and np.isfinite(cut):
                edges[names[column]].add(float(cut))
    for name, cuts in ((model.settings or {}).get("bins") or {}).items():
        edges[name] |= set(cuts)
    plain = {"age": 40.0, "job": "pilot", "height": 1.7, "member": "true", "since": "2020-03-04"}
    rows = [plain | {name: cut} for name, cuts in edges.items() for cut in cuts]
    said = answers(model, in_file(rows, tmp_path / "rows.csv"))
    compare(model, rows, said)
    compare_sql(model, rows, said=said)
