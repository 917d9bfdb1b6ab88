"""Attributes dropped and names hashed: what happens to the rows of a block between its parser and a learner."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import Buffers, zeros
from mistakebound.io.ignore import program_of
from mistakebound.kernels import hashing as kernel
from mistakebound.kernels import patterns
from mistakebound.kernels.key_rows import KeyRows, NewRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.core.block import Block

_NO_VALUES = array("d")


class Rework:
    """What the settings "ignore" and "hash" do to blocks.  Each chunk has its own, for its buffers.

    `apply` is given a block as soon as it is parsed, in any thread.  The block that is given out later, with its lines
    numbered, becomes the same by `put_into`.
    """

    __slots__ = ("_bits", "_buffer", "_done", "_program", "prints", "prints_used", "unmatched")

    def __init__(self, ignore: list[str], bits: int | None) -> None:
        self._program = program_of(ignore) if ignore else None
        self.unmatched = {pattern: program_of([pattern]) for pattern in ignore}  # patterns that fit no name so far
        self._bits = bits
        self._buffer = Buffers()
        self._done: tuple[Any, Any, Any] | None = None
        self.prints: memoryview[int] = zeros("Q", 1)  # of the entries before those that fall together became one
        self.prints_used = 0

    def apply(self, block: Block) -> None:
        keys, indptr, values = block.wide_keys(), block.indptr, block.values
        if self._program is not None:
            indptr, keys, values = self._drop(block, keys)
        if self._bits is not None:
            indptr, keys, values = self._fold(block, indptr, keys, values)
        self._done = indptr, keys, values

    def put_into(self, block: Block) -> None:
        """The block that `apply` was given, given out; one that came without it (a chunk of several) is done now."""
        if self._done is None:
            self.apply(block)
        assert self._done is not None
        block.indptr, block.keys, block.values = self._done
        self._done = None
        if self._bits is not None:
            block.columns, block.ascending = None, False

    def _drop(self, block: Block, keys: Any) -> tuple[Any, Any, Any]:
        entries, names = block.indptr[block.rows], block.columns
        count = entries if names is None else names.count
        for pattern, program in [*self.unmatched.items()]:
            if 1 in bytes(self._match(block, keys, count, program)[:count]):
                del self.unmatched[pattern]
        dropped = self._match(block, keys, count, self._program)
        out = self._outputs("drop", block.rows, entries, block.values is not None)
        rows = KeyRows(block.indptr, keys, _NO_VALUES if block.values is None else block.values, block.rows)
        _check(patterns.drop(rows, dropped, names is not None, NewRows(*out)))
        return out[0], out[1], None if block.values is None else out[2]

    def _match(self, block: Block, keys: Any, count: int, program: Any) -> Any:
        """Of each name, or where there are only ids of each entry, whether one of the patterns fits."""
        dropped = self._buffer("dropped", "B", count)
        if block.columns is None:
            status = patterns.match_ids(keys, count, program, self._buffer("digits", "B", 20), dropped)
        else:
            status = patterns.match_names(block.columns.blob, block.columns.ends, count, program, dropped)
        _check(status)
        return dropped

    def _fold(self, block: Block, indptr: Any, keys: Any, values: Any) -> tuple[Any, Any, Any]:
        entries, names = indptr[block.rows], block.columns
        self.prints, self.prints_used = self._buffer("prints", "Q", entries), entries
        if names is None:
            status = kernel.of_ids(keys, entries, self.prints)
        else:
            table = self._buffer("names", "Q", names.count)
            status = kernel.of_names(names.blob, names.ends, names.count, table)
            status = status or kernel.gather(table, keys, entries, self.prints)
        _check(status)
        rows = KeyRows(indptr, self.prints, _NO_VALUES if values is None else values, block.rows)
        places = 1 << max(4, (2 * rows.widest).bit_length())
        out = self._outputs("fold", block.rows, entries, values is not None)
        _check(kernel.fold(rows, self._bits or 0, NewRows(*out), zeros("q", places), zeros("q", places)))
        return out[0], out[1], None if values is None else out[2]

    def _outputs(self, name: str, rows: int, entries: int, real: bool) -> tuple[Any, Any, Any]:
        return (
            self._buffer(name + " indptr", "q", rows + 1),
            self._buffer(name + " keys", "Q", entries),
            self._buffer(name + " values", "d", entries) if real else _NO_VALUES,
        )


class Collisions:
    """Who came first to each bucket, in the order of the stream: the same for any block size and number of threads."""

    __slots__ = ("_bits", "_owners", "_state")

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._owners: memoryview[int] = zeros("Q", 1 << bits)  # 8 bytes a bucket, in pages that are touched
        self._state = array("q", bytes(24))

    def add(self, prints: memoryview[int], count: int) -> None:
        _check(kernel.claim(prints, count, self._bits, self._owners, self._state))

    def found(self) -> dict[str, int]:
        """Buckets in use, those in which another name than the first was seen, and entries that met a foreign one."""
        state = self._state
        return {
            "bits": self._bits,
            "buckets": state[kernel.BUCKETS],
            "shared_buckets": state[kernel.SHARED],
            "foreign_entries": state[kernel.FOREIGN],
        }


def buckets_of(block: Block, bits: int, wanted: set[int]) -> Iterator[tuple[str, int]]:
    """(name, bucket) of those attributes of a block, each once, that are hashed into one of these buckets."""
    names = block.columns
    keys = block.wide_keys() if names is None else None
    count = block.indptr[block.rows] if names is None else names.count
    prints = zeros("Q", max(1, count))
    if names is None:
        _check(kernel.of_ids(keys, count, prints))  # type: ignore[arg-type]
    else:
        _check(kernel.of_names(names.blob, names.ends, count, prints))
    seen = set()
    for place in range(count):
        bucket = 1 + (prints[place] >> (64 - bits))
        if bucket in wanted:
            name = names.name(place) if names is not None else str(keys[place])  # type: ignore[index]
            if name not in seen:
                seen.add(name)
                yield name, bucket


def _check(status: int) -> None:
    if status < 0:
        raise AssertionError("the buffers of a block do not fit together")
