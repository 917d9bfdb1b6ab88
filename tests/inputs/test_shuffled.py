"""Another order for every pass, the same on every machine, in any number of threads."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inputs.rows import texts
from mistakebound.core.block import Block
from mistakebound.core.errors import BadData
from mistakebound.io import open_stream, shuffled
from mistakebound.io.reader import run
from mistakebound.io.row_store import RowStore
from mistakebound.io.shuffled import ShuffledReader


def stored(paths: list[Path], size: int = 1 << 20, **options: Any) -> RowStore:
    store = RowStore()
    for block in open_stream(paths, block_bytes=size, **options):
        store.add(block)
    return store


def rows_in(block: Block) -> list[Any]:
    found = []
    for r in range(block.rows):
        span = range(block.indptr[r], block.indptr[r + 1])
        keys = [block.columns.name(block.keys[k]) if block.columns else block.keys[k] for k in span]
        values = [1.0 if block.values is None else block.values[k] for k in span]
        label = None if block.tokens is None or block.tokens[r] < 0 else block.label_tokens[block.tokens[r]]
        weight = 1.0 if block.weights is None else block.weights[r]
        found.append((label, list(zip(keys, values, strict=True)), weight))
    return found


def read(reader: Any, threads: int = 1) -> tuple[list[int], list[Any]]:
    """The numbers of the rows in the order in which they come, and the rows."""
    numbers: list[int] = []
    rows: list[Any] = []

    def handle(block: Block) -> None:
        assert block.lines is not None
        numbers.extend(block.lines[: block.rows])
        rows.extend(rows_in(block))

    run(reader, handle, threads)
    return numbers, rows


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffled, "BLOCK", 20)


@pytest.mark.kernel
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts(), st.integers(20, 200), st.integers(0, 2**64 - 1))
def test_the_rows_are_those_of_the_text(tmp_path: Path, text: bytes, size: int, seed: int) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    options = {"on_error": "skip", "settings": {"format": "libsvm"}}
    plain = [row for block in open_stream(path, **options) for row in rows_in(block)]
    store = stored([path], size, **options)
    numbers, rows = read(ShuffledReader(store, {}, seed, 1))
    assert sorted(numbers) == list(range(1, len(plain) + 1))
    assert rows == [plain[number - 1] for number in numbers]
    for threads in (2, 3):
        other = stored([path], 1 << 20, **options)
        assert read(ShuffledReader(other, {}, seed, 1), threads) == (numbers, rows)


def test_names_values_and_weights(tmp_path: Path) -> None:
    one, two = tmp_path / "1.vw", tmp_path / "2.vw.gz"
    one.write_text("".join(f"1 | w{k} x:{k}.5 common\n" for k in range(60)))
    two.write_bytes(gzip.compress("".join(f"-1 2.5 | w{k} é{k}:0\n" for k in range(50, 90)).encode()))
    plain = [row for block in open_stream([one, two]) for row in rows_in(block)]
    for size in (50, 1 << 20):
        numbers, rows = read(ShuffledReader(stored([one, two], size), {}, 3, 2), 2)
        assert rows == [plain[number - 1] for number in numbers]
        assert numbers != sorted(numbers)


def test_each_pass_and_each_seed_has_its_order(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("".join(f"1 {k}:1\n" for k in range(200)))
    store = stored([path])
    orders = [read(ShuffledReader(store, {}, seed, turn))[0] for seed in (1, 2) for turn in (1, 2, 3)]
    assert len({tuple(order) for order in orders}) == 6
    assert read(ShuffledReader(store, {}, 1, 2))[0] == orders[1]


def test_a_position_is_gone_on_from(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("".join(f"1 {k}:1\n" for k in range(200)))
    store = stored([path])
    whole = read(ShuffledReader(store, {}, 1, 2))[0]
    reader = ShuffledReader(store, {}, 1, 2)
    blocks = iter(reader)
    for _ in range(3):
        next(blocks)
    position = reader.position()
    rest = ShuffledReader(store, {}, 1, 2)
    rest.seek(position)
    assert read(rest, 2)[0] == whole[position["rows"] :]
    assert 0 < position["rows"] < 200


def test_an_error_says_where_the_row_stood(tmp_path: Path) -> None:
    one, two = tmp_path / "1.svm", tmp_path / "2.svm"
    one.write_text("1 1:1\n" * 5)
    two.write_text("1 1:1\n\n0 1:1\n")
    reader = ShuffledReader(stored([one, two]), {}, 1, 1)
    error = BadData("oh", line=7, row=2)
    reader.locate(error)
    assert str(error) == f"{two}:3: oh"


def test_large_ids_and_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 1:1 2:1\n" * 1000)
    store = stored([path])
    assert store.size == 4 * 2000 + 24 * 1000 + 16, "4 bytes an entry, 24 a row"
    path.write_text("1 1:1\n1 4294967296:1\n1 9223372036854775807:1\n")
    assert [keys for _, keys, _ in read(ShuffledReader(stored([path], 20), {}, 1, 1))[1]] != []
    assert sorted(key for _, row, _ in read(ShuffledReader(stored([path], 20), {}, 1, 1))[1] for key, _ in row) == [
        1, 1 << 32, (1 << 63) - 1,
    ]  # fmt: skip
