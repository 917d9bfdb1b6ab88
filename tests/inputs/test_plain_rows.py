"""Plain text of a table by one kernel: the same rows, errors and models as by Arrow's columns."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inputs.tables import read_all, settings_of, texts, written
from mistakebound.io import csv_chunk, plain_rows
from mistakebound.io.csv import CsvReader
from mistakebound.io.plain_rows import PlainRows
from mistakebound.io.reader import run
from mistakebound.io.source import SLACK
from mistakebound.io.table_columns import Columns
from mistakebound.io.table_settings import DELIMITERS
from mistakebound.kernels import csv_rows as kernel
from mistakebound.learners import AROW

pytestmark = pytest.mark.kernel
same_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def uncompiled_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_rows, "compiled", lambda: True)


def by_arrow(context: pytest.MonkeyPatch) -> None:
    context.setattr(csv_chunk, "can_read", lambda columns: False)


def settings_for(columns: str, kinds: dict[str, str], **more: Any) -> dict[str, Any]:
    return {"format": "csv", "label": "y", "columns": [*columns], "kinds": kinds, "delimiter": ",", **more}


def rows_in(text: bytes, columns: Columns, labelled: bool = True) -> PlainRows | None:
    rows = PlainRows(columns, ",", len(text))
    return rows if rows.parse(bytearray(text + bytes(SLACK)), len(text), labelled) else None


@same_file
@given(st.data(), st.integers(1, 200), st.booleans(), st.booleans())
def test_any_text_gives_the_rows_and_errors_of_arrow(
    tmp_path: Path, data: st.DataObject, size: int, ok: bool, skip: bool
) -> None:
    format = data.draw(st.sampled_from(["csv", "tsv"]))
    asked = settings_of(data.draw, format) | {"delimiter": DELIMITERS[format], "no_header": False}
    asked.pop("bins", None)
    path = written(tmp_path, data.draw(texts(("a", "b", "c", "d"), asked["delimiter"])))
    found = []
    for plain in (True, False):
        reader = CsvReader(path, dict(asked), block_bytes=size, unlabelled_ok=ok, on_error="skip" if skip else "fail")
        with pytest.MonkeyPatch.context() as context:
            if not plain:
                by_arrow(context)
            rows, error = read_all(reader)
        found.append((rows, str(error), reader.skipped_lines, reader.line, reader.offset))
    assert found[0] == found[1]


def test_what_is_usual_is_plain() -> None:
    columns = Columns(["a", "b", "y"], settings_for("aby", {"a": "nominal", "b": "numeric"}))
    text = b'x , 1.5,0\n\n"p,q\n",-2e3,1\r\nNA,7,0\nx,,"1"\n a much longer text than others,3, 1 \n'
    rows = rows_in(text, columns)
    assert rows is not None
    block = rows.block("t.csv", 10)
    names = rows.names.texts()
    entries = [[(names[block.keys[k]], block.values[k]) for k in range(*block.indptr[r : r + 2])] for r in range(5)]  # type: ignore[index]
    assert entries == [
        [("a=x", 1.0), ("b", 1.5)],
        [("a=p,q\n", 1.0), ("b", -2000.0)],
        [("b", 7.0)],
        [("a=x", 1.0)],
        [("a=a much longer text than others", 1.0), ("b", 3.0)],
    ]
    assert [block.label_tokens[token] for token in block.tokens[:5]] == [b"0", b"1", b"0", b"1", b"1"]  # type: ignore[index]
    assert list(block.lines[:5]) == [11, 13, 15, 16, 17]  # type: ignore[index]
    assert rows.newlines == 7


@pytest.mark.parametrize(
    "line",
    [b"x,1,0,2", b"x,1", b'x,"1""2",0', b'"x"y,1,0', b"x,one,0", b"x,1e999,0", b"x,1,?", b"x\0,1,0", b"x,1\r2,0",
     b'"x,1,0', b"\xff,1,0", b'x"y,1,0'],
)  # fmt: skip
def test_what_is_not_is_left_to_arrow(line: bytes) -> None:
    columns = Columns(["a", "b", "y"], settings_for("aby", {"a": "nominal", "b": "numeric"}))
    assert rows_in(b"x,1,0\n", columns) is not None
    assert rows_in(b"x,1,0\n" + line + b"\n", columns) is None


def test_columns_that_become_something_else_are_left_to_arrow() -> None:
    kinds = {"a": "nominal", "b": "numeric"}
    assert plain_rows.can_read(Columns(["a", "b", "y"], settings_for("aby", kinds)))
    assert not plain_rows.can_read(Columns(["b", "a", "y"], settings_for("aby", kinds)))
    assert not plain_rows.can_read(Columns(["a", "y"], settings_for("aby", kinds)))
    assert not plain_rows.can_read(Columns(["a", "b", "y"], settings_for("aby", kinds, bins={"b": [1.0]})))
    assert not plain_rows.can_read(Columns(["a", "y"], settings_for("ay", {"a": "moment:ymd"})))


def weights_of(path: Path, size: int) -> dict[str, float]:
    learner = AROW(labels=("0", "1"))
    reader = CsvReader(path, {"format": "csv", "label": "y", "keep": ["a"]}, block_bytes=size)
    with reader:
        run(reader, lambda block: learner.learn_block(block, None, array("b", bytes(block.rows))))
    return learner.weights()


@pytest.mark.parametrize("most", [1 << 18, 256])
def test_a_learner_gets_the_same_from_cells_that_are_kept_or_have_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    lines = [f"w{k % 700},{'uvw'[k % 3] * (k % 23)},{k % 7 / 4},{k * k % 5 % 2}" for k in range(2000)]
    path = written(tmp_path, ("a,b,c,y\n" + "\n".join(lines)).encode())
    monkeypatch.setattr(plain_rows, "_MOST_CELLS", most)
    found = [weights_of(path, size) for size in (500, 9000, 1 << 20)]
    by_arrow(monkeypatch)
    assert found == [weights_of(path, 1 << 20)] * 3


def test_buffers_that_do_not_fit_are_refused() -> None:
    big, columns = array("Q", bytes(8 << 10)), (array("i", [1]), b"a=", array("q", [0, 2]), array("q", [0]), False)
    rows = tuple(array(code, bytes(80)) for code in "IQdqiqqd")
    tables = (big, big[:], array("q", bytes(999)[:992]), bytearray(9), bytearray(9), array("q", bytes(80)))
    words = (",", frozenset({""}), 0)
    made = kernel.CsvRows(rows, tables, columns, words, array("q", bytes(32)))  # type: ignore[arg-type]
    assert made.parse(b"x\n", 2, False) == kernel.OTHER  # nothing behind it
    with pytest.raises(AssertionError, match="do not fit together"):
        made.parse(b"x\n" * 40 + bytes(64), 80, False)
    with pytest.raises(AssertionError, match="columns"):
        kernel.CsvRows(rows, tables, (*columns[:2], array("q", [0]), *columns[3:]), words, array("q", bytes(32)))  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="names of columns"):
        kernel.CsvRows(rows, tables, (columns[0], b"a", *columns[2:]), words, array("q", bytes(32)))  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="dictionary"):
        kernel.CsvRows(rows, (big[:7], *tables[1:]), columns, words, array("q", bytes(32)))  # type: ignore[arg-type]
