"""Readers on damaged text: the rows and the bad lines of the plain twin, whatever the blocks and the threads.

And nothing is lost on the way to a learner: every line is a trial, a bad row that was counted, or no row at all.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from fuzz.texts import MAKERS, changed, header_length, is_packed
from inputs import rows as libsvm_rows
from inputs import tables
from inputs import vw_texts as vw_rows
from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io import open_stream, table_window
from mistakebound.io.reader import run
from mistakebound.model.trainer import learn_stream
from naive import arff_reader, json_lines_reader, libsvm_reader, table_reader, text_reader, vw_reader

FORMATS = list(MAKERS)
SETTINGS: dict[str, dict[str, Any]] = {
    "libsvm": {"format": "libsvm"},
    "vw": {"format": "vw"},
    # Nothing is left to be guessed: damage can look like another dialect.
    "csv": {"format": "csv", "label": "y", "delimiter": ",", "no_header": False},
    "tsv": {"format": "tsv", "label": "y", "no_header": False},
    "arff": {"format": "arff", "label": "y"},
    "jsonl": {
        "format": "jsonl",
        "label": "y",
        "weights": "w",
        "numeric": ["n"],
        "nominal": ["zip"],
        "members": {},  # what members are by their first values is not asked here
    },
    "text": {"format": "text", "ngrams": 2},
}
ROWS_OF: dict[str, Any] = {
    "libsvm": libsvm_rows.rows_of, "vw": vw_rows.rows_of, "csv": tables.rows_of, "tsv": tables.rows_of,
    "arff": tables.rows_of, "jsonl": tables.rows_of, "text": tables.rows_of,
}  # fmt: skip


def plain(format: str, text: bytes, ok: bool) -> tuple[list[Any], list[int]]:
    """The twin's rows and bad lines."""
    if format == "libsvm":
        return libsvm_reader.read(text, ok)
    if format == "vw":
        return vw_reader.read(text, ok)
    if format == "arff":
        return arff_reader.read(text, "y", ok)
    if format == "jsonl":
        return json_lines_reader.read(text, SETTINGS[format], ok)
    if format == "text":
        return text_reader.read(text, SETTINGS[format], ok)
    window = table_window.CELLS, table_window.MOST_ROWS, table_window.MOST_BYTES
    table = table_reader.read(text, SETTINGS[format], ok, *window)
    return table.rows, table.bad


def texts(format: str, count: int, seed: int) -> Any:
    """Damaged texts; of a table the header is left whole: a damaged one is a case of its own."""
    draw = random.Random(f"{format} {seed}")
    count = 40 if format in NEWER and count == COUNTS[0][0] else count
    while count:
        text = MAKERS[format](draw)
        text = changed(text, draw, header_length(format, text))
        if not is_packed(text) and b"\xc2\xa0" not in text:  # the twin knows no blanks that keep a line together
            count -= 1
            yield text, draw


def read(path: Path, format: str, ok: bool, on_error: str, draw: random.Random) -> tuple[list[Any], Any, Any]:
    rows: list[Any] = []
    reader, size = None, draw.choice([1, 7, 64, 300, 1 << 16])
    try:  # the header of ARFF is read when the file is opened
        reader = open_stream(path, SETTINGS[format], unlabelled_ok=ok, on_error=on_error, block_bytes=size)
        run(reader, lambda block: rows.extend(ROWS_OF[format](block)), draw.choice([1, 1, 2, 3]))
    except MistakeboundError as error:
        return rows, reader, error
    return rows, reader, None


COUNTS = [(40, 1), pytest.param(2_000, 2, marks=pytest.mark.long)]
NEWER = ("arff", "jsonl", "text")  # fewer of these in the short run, which has a limit


@pytest.mark.some(3)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(("count", "seed"), COUNTS)
def test_damaged_text_is_read_as_the_twin_reads_it(tmp_path: Path, format: str, count: int, seed: int) -> None:
    path = tmp_path / "damaged"
    for text, draw in texts(format, count, seed):
        path.write_bytes(text)
        ok = draw.random() < 0.3
        wanted, bad = plain(format, text, ok)
        rows, reader, error = read(path, format, ok, "skip", draw)
        assert (rows, error) == (wanted, None), text
        assert (reader.skipped, [line for _, line, _ in reader.skipped_lines]) == (len(bad), bad[:100]), text
        rows, _, error = read(path, format, ok, "fail", draw)
        assert rows == [row for row in wanted if not bad or row[0] < bad[0]], text
        if bad:
            assert isinstance(error, BadData), text
            assert (error.source, error.line) == (str(path), bad[0]), text
            assert str(error).startswith(f"{path}:{bad[0]}: "), text
            assert "\n" not in str(error), text
            assert len(str(error)) < 500, text
        else:
            assert error is None, text


@pytest.mark.some(3)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(("count", "seed"), COUNTS)
def test_every_row_is_learned_or_counted_as_bad(tmp_path: Path, format: str, count: int, seed: int) -> None:
    path = tmp_path / "damaged"
    makers = [mb.Perceptron, mb.Winnow2, lambda: mb.Winnow1(n=50), mb.learners.DisjunctionElimination]
    for text, draw in texts(format, count, seed + 10):
        path.write_bytes(text)
        wanted, bad = plain(format, text, False)
        make, threads = draw.choice(makers), draw.choice([1, 2, 3])
        found = []
        for size in (1, 1 << 16):
            learner = make()
            ledger = mb.Ledger(learner.labels)
            skipped: list[BadData] = []
            with open_stream(path, SETTINGS[format], on_error="skip", block_bytes=size) as reader:
                stopped = learn_stream(learner, reader, ledger, threads=threads, skip=skipped.append)
                if stopped is None:
                    assert ledger.trials + len(skipped) + reader.skipped == len(wanted) + len(bad), text
            assert all(str(error).startswith(f"{path}:{error.line}: ") for error in skipped), text
            assert sum(ledger.counts()) == ledger.trials, text
            found.append((learner.hypothesis, ledger.counts(), [error.line for error in skipped], stopped))
        assert found[0] == found[1], text


@pytest.mark.parametrize("format", ["csv", "tsv", "arff"])
@pytest.mark.parametrize(("count", "seed"), COUNTS)
def test_a_damaged_header_is_refused_or_means_something(tmp_path: Path, format: str, count: int, seed: int) -> None:
    path = tmp_path / "damaged"
    draw = random.Random(f"{format} header {seed}")
    for _ in range(count):
        text = MAKERS[format](draw)
        end = header_length(format, text)
        text = changed(text[:end], draw) + text[end:]
        if is_packed(text):
            continue
        path.write_bytes(text)
        rows, reader, error = read(path, format, False, "skip", draw)
        if error is None:
            lines = text.count(b"\n") + (not text.endswith(b"\n"))
            assert len(rows) + reader.skipped <= lines, text
            columns = reader.settings["columns"]
            assert len(set(columns)) == len(columns), text
            assert "y" in columns, text
        else:
            assert not rows or isinstance(error, BadData), text
            assert "\n" not in str(error), text
