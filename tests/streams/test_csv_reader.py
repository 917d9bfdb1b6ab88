"""Tables: the same rows for every block size and number of threads, a clear error for every bad row."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from mistakebound.core.errors import BadData
from mistakebound.streams import table_window
from mistakebound.streams.csv import CsvReader
from naive import table_reader
from streams.tables import read_all, settings_of, texts, written

pytestmark = pytest.mark.kernel
same_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
FORMATS = {"csv": ",", "tsv": "\t"}


@pytest.fixture
def small_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that small tables go beyond what their columns are decided by."""
    monkeypatch.setattr(table_window, "CELLS", 3)
    monkeypatch.setattr(table_window, "MOST_ROWS", 6)
    monkeypatch.setattr(table_window, "MOST_BYTES", 80)
    monkeypatch.setattr("mistakebound.streams.csv.MOST_BYTES", 80)


@pytest.mark.usefixtures("small_window")
@same_file
@given(st.data(), st.integers(1, 200), st.integers(1, 3), st.booleans())
def test_any_block_size_and_threads_give_the_plain_rows(
    tmp_path: Path, data: st.DataObject, size: int, threads: int, ok: bool
) -> None:
    format = data.draw(st.sampled_from(["csv", "tsv"]))
    asked = settings_of(data.draw, format)
    text = data.draw(texts(("a", "b", "c", "d"), FORMATS[format]))
    try:
        table = table_reader.read(text, asked, ok, 3, 6, 80)
    except ValueError:  # bins for a column that has no number to begin with
        assume(False)
    path = written(tmp_path, text)
    reader = CsvReader(path, asked, block_bytes=size, unlabelled_ok=ok, on_error="skip")
    rows, error = read_all(reader, threads)
    assert error is None
    assert rows == table.rows
    assert reader.settings["kinds"] == table.kinds
    assert (reader.settings["bins"] or {}) == table.bins
    assert [line for line, _ in reader.skipped_lines] == table.bad
    assert reader.skipped == len(table.bad)
    assert reader.offset in (len(text), len(text) + 1)  # one more when the last line has no newline
    # The same with the settings that were found, and up to the first error.
    rows, error = read_all(CsvReader(path, reader.settings, block_bytes=size, unlabelled_ok=ok), threads)
    first = table.bad[0] if table.bad else len(text) + 2
    assert rows == [row for row in table.rows if row[0] < first]
    assert (error.line if isinstance(error, BadData) else None) == (table.bad[0] if table.bad else None)
