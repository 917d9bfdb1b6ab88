"""Frames of pandas and polars: the same model as from their file, the same predictions in any order of columns."""

from __future__ import annotations

import contextlib
import datetime
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import mistakebound as mb

COLUMNS: dict[str, list[Any]] = {
    "age": [25, 61, 40, 33, 18] * 30,
    "job": ["clerk", "pilot", "pilot", None, "cook"] * 30,
    "height": [1.7, 1.8, 0.0, 1.9, None] * 30,
    "member": [True, False, True, True, False] * 30,
    "rich": ["no", "yes", "yes", "no", "no"] * 30,
}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def plain(column: Any) -> list[Any]:
    """A column of any library as a list."""
    return column.to_pylist() if isinstance(column, pa.Array) else column.to_list()


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_as_its_file(kind: str, tmp_path: Path) -> None:
    frame = FRAMES[kind](COLUMNS)
    arrow = pa.table(frame) if kind != "pandas" else pa.Table.from_pandas(frame, preserve_index=False)
    pyarrow.feather.write_feather(arrow, tmp_path / "people.arrow", compression="uncompressed")
    model, by_file = mb.learn(frame, label="rich"), mb.learn(tmp_path / "people.arrow", label="rich")
    assert str(model.learner.hypothesis) == str(by_file.learner.hypothesis)
    assert model.ledger is not None
    assert by_file.ledger is not None
    assert model.ledger.mistakes == by_file.ledger.mistakes
    assert plain(model.predict(frame)) == by_file.predict(tmp_path / "people.arrow")


@pytest.mark.parametrize("kind", FRAMES)
def test_columns_count_by_name(kind: str) -> None:
    model = mb.learn(FRAMES[kind](COLUMNS), label="rich")
    turned = FRAMES[kind]({name: COLUMNS[name] for name in ("member", "height", "age", "job")})
    assert plain(model.predict(turned)) == plain(model.predict(FRAMES[kind](COLUMNS)))
    one = {"age": 61, "job": "pilot", "height": 1.8, "member": False}
    assert model.predict_one(one) == plain(model.predict(turned))[1]


TYPED = {
    "job": ["clerk", "pilot", "pilot", None, "cook"] * 30,
    "age": [25, 61, None, 33, 18] * 30,
    "member": [True, False, None, True, False] * 30,
    "since": [datetime.datetime(2024, 1 + day % 12, 1 + day % 28, day % 24, 30) for day in range(150)],
    "born": [datetime.date(1990, 1 + day % 7, 3) for day in range(150)],
    "rich": ["no", "yes", "yes", "no", "no"] * 30,
}


def typed_frames() -> dict[str, Any]:
    """The same rows with the types that each library has for them."""
    in_pandas = pd.DataFrame(TYPED)
    in_polars = pl.DataFrame(TYPED)
    dates = {name: pd.to_datetime(in_pandas[name]) for name in ("since", "born")}
    return {
        "pandas": in_pandas.assign(
            job=in_pandas["job"].astype("category"), age=in_pandas["age"].astype("Int64"),
            member=in_pandas["member"].astype("boolean"), rich=in_pandas["rich"].astype("category"),
            since=dates["since"],
        ),
        "pandas of objects": in_pandas,
        "pandas of texts": in_pandas.astype({"job": "string", "rich": "string"}),
        "pandas over Arrow": in_pandas.convert_dtypes(dtype_backend="pyarrow"),
        "pandas with a time zone": in_pandas.assign(since=dates["since"].dt.tz_localize("Europe/Berlin")),
        "polars": in_polars,
        "polars categories": in_polars.with_columns(pl.col("job").cast(pl.Categorical)),
        "polars enumerations": in_polars.with_columns(
            pl.col("job").cast(pl.Enum(["pilot", "none", "cook", "clerk"])), pl.col("rich").cast(pl.Enum(["yes", "no"]))
        ),
        "polars in chunks": pl.concat([in_polars[:40], in_polars[40:]], rechunk=False),
    }  # fmt: skip


@pytest.mark.parametrize("kind", typed_frames())
@pytest.mark.parametrize("learner", ["arow", "decision-tree"])
def test_categories_nullable_integers_truth_values_and_dates(learner: str, kind: str) -> None:
    table, frame = pa.table(TYPED), typed_frames()[kind]
    expected, model = (mb.learn(rows, label="rich", learner=learner) for rows in (table, frame))
    assert model.settings == expected.settings
    assert model.settings["kinds"] == {  # type: ignore[index]
        "job": "nominal", "age": "numeric", "member": "nominal", "since": "moment:ymd", "born": "moment:ymd",
    }  # fmt: skip
    if learner == "arow":
        assert model.learner.hypothesis == expected.learner.hypothesis
        assert "since hour=" in str(model.learner.hypothesis)
        assert model.ledger.state() == expected.ledger.state()  # type: ignore[union-attr]
    assert plain(model.predict(frame)) == expected.predict(table).to_pylist()
    assert model.predict_proba(frame).tolist() == expected.predict_proba(table).tolist()
    assert model.evaluate(frame).as_json() == expected.evaluate(table).as_json()


@pytest.mark.parametrize("learner", ["arow", "decision-tree"])
def test_the_labels_are_a_column_of_the_frame(learner: str) -> None:
    frame = pd.DataFrame(COLUMNS).sample(frac=1, random_state=1)
    model = mb.learn(frame, label="rich", learner=learner)
    some = frame.drop(columns="rich").iloc[7:20]
    said = model.predict(some)
    assert isinstance(said, pd.Series)
    assert said.name == "rich"
    assert said.index.equals(some.index)
    assert frame.assign(said=said)["said"].notna().sum() == 13, "rows are found by the index"
    assert (frame["rich"].loc[said.index] == said).sum() > 10
    assert list(model.predict(some.iloc[:0]).index) == []
    by_polars = model.predict(pl.from_pandas(some))
    assert isinstance(by_polars, pl.Series)
    assert (by_polars.name, by_polars.dtype, by_polars.to_list()) == ("rich", pl.String, said.to_list())
    assert model.predict(pl.from_pandas(some).clear()).dtype == pl.String


@pytest.mark.parametrize(
    ("labels", "in_pandas", "in_polars"),
    [([True, False], "bool", pl.Boolean), ([3, 1], "int64", pl.Int64), ([0.5, 2], "float64", pl.Float64)],
)
def test_the_type_of_the_labels(labels: list[Any], in_pandas: str, in_polars: Any) -> None:
    columns = {"job": ["clerk", "pilot"] * 20, "label": labels * 20}
    for frame, type in ((pd.DataFrame(columns), in_pandas), (pl.DataFrame(columns, strict=False), in_polars)):
        said = mb.learn(frame).predict(frame)
        assert said.dtype == type
        assert said.to_list()[-2:] == labels


def test_labels_of_several_kinds() -> None:
    columns = {"job": ["clerk", "pilot"] * 20, "label": ["1", "many"] * 20}
    for frame, expected in ((pd.DataFrame(columns), [1, "many"]), (pl.DataFrame(columns), ["1", "many"])):
        assert mb.learn(frame).predict(frame).to_list()[-2:] == expected


def test_arrays_were_learned_and_a_frame_is_asked_about() -> None:
    X = pd.DataFrame({"a": [0.0, 1.0] * 20, "b": [1.0, 1.0] * 20})
    model = mb.learn((X.to_numpy(), [False, True] * 20))
    for ask in (model.predict, model.predict_proba):
        with pytest.raises(mb.BadData, match="it lacks '1', '2' and has 'a', 'b'"):
            ask(X)
    said = model.predict(X.set_axis(["1", "2"], axis=1).set_index(X.index + 100))
    assert isinstance(said, pd.Series)
    assert said.loc[[138, 139]].to_list() == [False, True]


@pytest.mark.parametrize("learner", ["arow", "decision-tree"])
def test_a_row_of_a_frame(learner: str) -> None:
    frame = typed_frames()["pandas"]
    model = mb.learn(frame, label="rich", learner=learner)
    assert pd.NA in (frame.iloc[2]["age"], frame.iloc[2]["member"])
    said = model.predict(frame)
    assert [model.predict_one(frame.iloc[row]) for row in range(5)] == said.iloc[:5].to_list()
    assert model.predict_one({"age": pd.NA, "since": pd.NaT}) == model.predict_one({"age": None})
    rows = [{"a": 1, "kind": "x"}, {"a": 2, "kind": "y"}] * 10
    by_rows = mb.learn(rows, "kind")
    assert by_rows.predict_one({"a": pd.NA}) == by_rows.predict_one({})


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("learner", ["arow", "decision-tree", "auto"])
def test_weights_beside_a_frame_and_its_labels(kind: str, learner: str) -> None:
    columns = {name: cells for name, cells in COLUMNS.items() if name != "rich"}
    weights = [1.0 + row % 3 for row in range(150)]
    by_column = mb.learn(
        pa.table(columns | {"weight": weights, "label": COLUMNS["rich"]}), "label", weights="weight", learner=learner
    )
    frame = FRAMES[kind](columns)
    for given in (weights, np.array(weights), pd.Series(weights), pl.Series(weights), pa.array(weights)):
        model = mb.learn((frame, COLUMNS["rich"]), weights=given, learner=learner)
        assert plain(model.predict(frame)) == plain(by_column.predict(pa.table(columns)))
        if learner != "decision-tree":
            assert model.ledger.state() == by_column.ledger.state()  # type: ignore[union-attr]
        assert model.evaluate((frame, COLUMNS["rich"])).trials == 150
    with pytest.raises(mb.BadData, match="X has 150 rows, and there are 149 weights"):
        mb.learn((frame, COLUMNS["rich"]), weights=weights[1:], learner=learner)


def test_frames_that_cannot_be_read() -> None:
    frame = pd.DataFrame(COLUMNS)
    with pytest.raises(mb.BadData, match="two columns have one name: 'age', 'job'"):
        mb.learn(pd.concat([frame, frame[["job"]]], axis=1), label="rich")
    with pytest.raises(mb.BadData, match=r"cells of several kinds: .*column age"):
        mb.learn(frame.assign(age=[1, "a", 2, 3, 4] * 30), label="rich")
    lazy = pl.DataFrame(COLUMNS).lazy()
    model = mb.learn(frame, label="rich")
    for ask in (mb.learn, model.predict, model.predict_proba, model.evaluate):
        with pytest.raises(mb.BadParameter, match="a LazyFrame has no rows yet: collect it"):
            ask(lazy)


def test_the_page_runs(checkout: Path) -> None:
    text = (checkout / "docs" / "python_tools.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block, "python_tools.md", "exec"), {})
        assert said.getvalue().splitlines() == re.findall(r"print\(.*\)  # (.*)", block)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_file_is_read_without_pandas(tmp_path: Path, form: str) -> None:
    """Arrow imports it for some of its ways from and to Python, which takes longer than a small file does."""
    path = tmp_path / f"x.{form}"
    rows = {
        "colour": ["red", "blue", "?", "red"] * 20, "size": [1.5, 2.0, 7.0, 3.0] * 20,
        "day": ["2026-01-02", "2026-02-03", "", "2026-05-06"] * 20, "label": ["yes", "no", "no", "yes"] * 20,
    }  # fmt: skip
    if form == "csv":
        lines = [",".join(rows), *(",".join(map(str, cells)) for cells in zip(*rows.values(), strict=True))]
        path.write_text("\n".join(lines) + "\n")
    else:
        pq.write_table(pa.table(rows), path)
    code = (
        "import sys, mistakebound as mb\n"
        f"model = mb.learn({str(path)!r}, label='label')\n"
        "assert model.ledger.trials == 80\n"
        "print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
