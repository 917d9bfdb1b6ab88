"""Wide tables: larger chunks, the same rows; compressed ones in whole chunks too."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from mistakebound.core.errors import BadData
from mistakebound.io import open_stream

WIDTH, ROWS = 700, 900


@pytest.fixture(scope="module")
def text() -> bytes:
    chance = random.Random(1)
    lines = [",".join([*(f"c{k}" for k in range(WIDTH)), "label"])]
    lines += [",".join([*(f"{chance.random():.2f}" for _ in range(WIDTH)), "1"]) for _ in range(ROWS)]
    return "\n".join(lines).encode()  # no newline at the end


def blocks_of(path: Path, size: int) -> tuple[list[int], list[float], list[int]]:
    counts, values, lines = [], [], []
    with open_stream(path, {"label": "label"}, block_bytes=size) as stream:
        for block in stream:
            counts.append(block.rows)
            assert block.values is not None
            assert block.lines is not None
            values += block.values[: block.indptr[block.rows]]
            lines += block.lines[: block.rows]
    return counts, values, lines


@pytest.mark.long
def test_pieces_grow_with_the_width_and_the_rows_do_not_change(tmp_path: Path, text: bytes) -> None:
    plain, packed = tmp_path / "t.csv", tmp_path / "t.csv.gz"
    plain.write_bytes(text)
    packed.write_bytes(gzip.compress(text, 1))
    small = blocks_of(plain, 50_000)
    assert max(small[0]) < 20
    assert small[2] == list(range(2, ROWS + 2))
    for path in (plain, packed):
        large = blocks_of(path, 1 << 20)
        assert large[1:] == small[1:]
        assert max(large[0]) > 500, "4,096 bytes a column"
        assert len(large[0]) < 5


def test_small_chunks_grow_with_the_width_too(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text[: text.index(b"\n", 500_000)])
    (counts, *found) = blocks_of(path, 1 << 17)
    assert max(counts) > 90, "512 bytes a column"
    assert found == [*blocks_of(path, 1 << 20)[1:]]


def test_rows_before_a_truncated_end_are_given_out(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(text, 1)[:-20_000])
    rows = 0

    def read() -> None:
        nonlocal rows
        with open_stream(path, {"label": "label"}) as stream:
            for block in stream:
                rows += block.rows

    with pytest.raises(BadData, match="the gzip data stop in the middle") as caught:
        read()
    assert 800 < rows < ROWS
    assert caught.value.line == rows + 2
