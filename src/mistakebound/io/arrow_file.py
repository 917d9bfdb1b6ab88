"""Opening Parquet and Arrow files: plain ones are read as they are needed, compressed ones and pipes from memory.

No file is memory-mapped: if it were truncated meanwhile, reading a missing page would kill the process.
Arrow files are read one record batch at a time, Parquet files a part of each column at a time.
"""

from __future__ import annotations

import io
import os

import pyarrow as pa

from mistakebound.core.errors import BadData
from mistakebound.io.memory import MemorySource
from mistakebound.io.ranges import RangeSource, is_remote
from mistakebound.io.table_cells import raise_if_memory, spare_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from mistakebound.io.source import Source

_ROWS = 1 << 15  # read at once
_ADDRESSES = 1 << 40  # bytes: no batch has more
_UNIT = 1 << 20


class ArrowFile:
    """An open file: its schema, its record batches and, where the file says it, the number of rows.

    `first` rows of the file come before the batches, where only some row groups are read; `metadata` is Parquet's.
    """

    __slots__ = ("batches", "first", "metadata", "rows", "schema")

    def __init__(
        self, schema: Any, batches: Iterator[Any], rows: int | None, first: int = 0, metadata: Any = None
    ) -> None:
        self.metadata = metadata
        self.schema = schema
        self.batches = batches
        self.rows = rows
        self.first = first


def open_arrow(source: Source, format: str) -> ArrowFile:
    """BadData when the bytes are not of that format."""
    if isinstance(source, MemorySource) and source.table is not None:
        return ArrowFile(source.table.schema, iter(source.table.to_batches(_ROWS)), source.table.num_rows)
    data = open_bytes(source)
    spare_thread()
    try:
        if format == "parquet":
            from pyarrow import parquet

            file = parquet.ParquetFile(data, buffer_size=_UNIT, pre_buffer=False)
            texts = [field.name for field in file.schema_arrow if field.type == pa.string()]
            if texts:  # as codes: most files have them so
                data.seek(0)
                file = parquet.ParquetFile(
                    data, metadata=file.metadata, read_dictionary=texts, buffer_size=_UNIT, pre_buffer=False
                )
            rows, first, groups = file.metadata.num_rows, 0, None
            if isinstance(source, RangeSource) and source.groups is not None:
                first, groups = source.first_row, list(source.groups)
                rows = sum(file.metadata.row_group(group).num_rows for group in groups)
            batches = _all_rows(_checked(file.iter_batches(_ROWS, row_groups=groups)), rows)
            return ArrowFile(file.schema_arrow, batches, rows, first, file.metadata)
        return _open_ipc(data)
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise_if_memory(error)
        raise BadData(f"the file is not {format.capitalize()}: {one_line(error)}", source=source.name) from None


def one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _open_ipc(data: Any) -> ArrowFile:
    """Both kinds of Arrow's own format: files, which begin with ARROW1 and know their batches, and streams."""
    options = pa.ipc.IpcReadOptions(use_threads=False)
    if data.read(6) == b"ARROW1":
        data.seek(0)
        file = pa.ipc.open_file(data, options=options)
        batches = (file.get_batch(k) for k in range(file.num_record_batches))
        return ArrowFile(file.schema, _checked(batches), None)
    data.seek(0)
    stream = pa.ipc.open_stream(data, options=options)
    return ArrowFile(stream.schema, _checked(stream), None)


def _checked(batches: Iterable[Any]) -> Iterator[Any]:
    """ArrowInvalid for a batch whose buffers are shorter than its rows need, or larger than any memory."""
    try:
        for batch in batches:
            batch.validate()
            yield batch
    except pa.ArrowMemoryError as error:  # it says "malloc of size N failed"
        if max((int(word) for word in str(error).split() if word.isdigit()), default=0) < _ADDRESSES:
            raise
        raise pa.ArrowInvalid(f"a length in it is damaged: {error}") from error


def _all_rows(batches: Iterable[Any], rows: int) -> Iterator[Any]:
    """ArrowInvalid at the end when there were fewer rows: Arrow takes a column that ends too early for a short one."""
    for batch in batches:
        rows -= batch.num_rows
        yield batch
    if rows > 0:
        raise pa.ArrowInvalid(f"it ends {rows} row{'s' * (rows > 1)} too early")


class _Plain(io.RawIOBase):
    """A plain file that is never asked for more bytes than it has: a damaged length would take all memory.

    `size` is that of the file when it was opened; a file that has grown is read to its new end.
    """

    def __init__(self, file: io.FileIO, size: int) -> None:
        self._file = file
        self._size = size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        left = max(self._size, os.fstat(self._file.fileno()).st_size) - self._file.tell()
        return self._file.read(max(0, left) if size is None or size < 0 else min(size, max(0, left)))

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()
        super().close()


def open_bytes(source: Source) -> Any:
    """The bytes of a source as pyarrow takes them."""
    if source.can_jump() and is_remote(source.name):
        return source.file()  # already one of pyarrow
    if source.can_jump() and source.total:
        return pa.PythonFile(_Plain(source.file(), source.total), mode="r")
    data, part = bytearray(), bytearray(_UNIT)
    with memoryview(part) as view:
        while got := source.read_into(view):
            data += view[:got]
    return pa.BufferReader(data)
