"""Tables that are good, odd and bad, and blocks of them turned into plain rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from mistakebound.core.block import Block
from mistakebound.core.errors import MistakeboundError
from mistakebound.io.csv import CsvReader
from mistakebound.io.reader import run
from naive.table_reader import Row


def rows_of(block: Block) -> list[Row]:
    assert block.tokens is not None
    assert block.lines is not None
    assert block.columns is not None
    names = block.columns.texts()
    assert len(set(names)) == len(names)
    rows: list[Row] = []
    used = set()
    for r in range(block.rows):
        entries = {}
        for k in range(block.indptr[r], block.indptr[r + 1]):
            used.add(block.keys[k])
            entries[names[block.keys[k]]] = 1.0 if block.values is None else block.values[k]
        assert len(entries) == block.indptr[r + 1] - block.indptr[r]
        label = block.label_tokens[block.tokens[r]] if block.tokens[r] >= 0 else None
        rows.append((block.lines[r], label, 1.0 if block.weights is None else block.weights[r], entries))
    assert used == set(range(len(names)))
    return rows


def read_all(reader: CsvReader, threads: int = 1) -> tuple[list[Row], MistakeboundError | None]:
    rows: list[Row] = []
    try:
        with reader:
            run(reader, lambda block: rows.extend(rows_of(block)), threads)
    except MistakeboundError as e:
        return rows, e
    return rows, None


def written(folder: Path, text: bytes, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_bytes(text)
    return path


numbers = st.one_of(
    st.sampled_from(["0", "1", "-1", "+2.50", ".5", "5.", "1e3", "-0", "00012", "1e-400", "9007199254740993"]),
    st.integers(-(10**20), 10**20).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-1000, max_value=1000).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)
words = st.sampled_from(["", "?", "a", "b", "a b", " a", "b\t", " ?", " ", "??", "é", "\ufeffx", "a=b", "'", "#", "#?"])
odd = st.sampled_from(["nan", "inf", "1e400", "0x1", "1_0", ".", "-", "1e", "1 2", "٣", "1,5", "1.5.2", "--1", "+"])
inner = st.text(st.sampled_from('ab ",\n\r\t?1\x0b\u2028'), max_size=5)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


cells = st.one_of(
    numbers,
    numbers,
    words,
    words.map(quoted),
    numbers.map(quoted),
    odd.filter(lambda cell: "," not in cell),
    inner.map(quoted),
    st.sampled_from(['a"b', 'a"', "''", '"a"b', '"a"""', '""""', '"', '"a" ', "a\rb", "\r", "\x00", "\x0c"]),
)
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r\n", "\n\n", "\n\r\n", "\r\r\n"])


@st.composite
def texts(draw: st.DrawFn, columns: tuple[str, ...], delimiter: str) -> bytes:
    """A table under a good header."""
    tidy = draw(st.booleans())
    header = delimiter.join(draw(st.sampled_from([name, quoted(name), f" {name}"])) for name in columns)
    parts = [draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf", b"\n\r\n"])), header.encode(), b"\n"]
    kinds = [draw(st.sampled_from([numbers, words, cells])) for _ in columns]
    for _ in range(draw(st.integers(0, 9))):
        row = [draw(kind if tidy else cells) for kind in kinds]
        if not draw(st.integers(0, 7)):
            row = row[:-1] if draw(st.booleans()) else [*row, "x"]
        parts += [delimiter.join(row).encode(), draw(ends).encode()]
        if not draw(st.integers(0, 9)):
            parts.append(draw(st.binary(max_size=6)))
    text = b"".join(parts)
    return text.removesuffix(b"\n") if draw(st.booleans()) else text


def settings_of(draw: Any, format: str) -> dict[str, Any]:
    """Something that may be asked for of a table with the columns a, b, c, d."""
    settings: dict[str, Any] = {"format": format, "label": draw(st.sampled_from(["a", "c"]))}
    if not draw(st.integers(0, 3)):
        settings["weights"] = "b"
    if draw(st.booleans()):
        settings["nominal"] = ["d"]
    elif draw(st.booleans()):
        settings["numeric"] = ["d"]
    settings["bins"] = draw(st.sampled_from([None, None, 2, 3, 7]))
    return settings
