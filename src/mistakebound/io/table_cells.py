"""Cells of a table as Arrow columns, and what they say: a text, a number, or nothing."""

from __future__ import annotations

from functools import cache
from threading import Thread

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from mistakebound.core.threads import start_thread
from mistakebound.io.missing_words import BLANKS, MARKS, longest_word
from mistakebound.kernels import cells as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy.typing as npt

    Missing = frozenset[str]

TEXT = pa.string()
CODES = pa.dictionary(pa.int32(), pa.string())
_SHOWN = 40  # characters of a cell
_BOM = b"\xef\xbb\xbf"
_NAN = np.array([np.nan])


@cache
def spare_thread() -> None:
    """See to it that Arrow can start a thread, or raise: where it cannot it ends the process.

    The system keeps the stack of a thread that has ended for the next one.
    """
    thread = Thread(target=int)
    start_thread(thread)
    thread.join()


def raise_if_memory(error: BaseException) -> None:
    """MemoryError for what Arrow says where it lacks memory: that, or that a thread cannot be started."""
    if isinstance(error, MemoryError):  # Arrow's own is one of its exceptions too
        raise error
    if "launch worker thread" in str(error):
        raise MemoryError("Arrow cannot start a thread") from None


def read_columns(
    text: memoryview[int], rows: int, width: int, delimiter: str, types: Mapping[int, Any]
) -> dict[int, Any]:
    """Some columns of a text of good records, by their places.  Nothing is inferred: a cell is its text."""
    if not rows or not types:
        return {place: pa.nulls(0, type) for place, type in types.items()}
    data = b"\n" + text if text[:3] == _BOM else text  # here it belongs to a cell; Arrow would drop it
    names = [str(place) for place in range(width)]
    spare_thread()
    convert = csv.ConvertOptions(
        check_utf8=False,  # it has been
        column_types={str(place): type for place, type in types.items()},
        include_columns=[str(place) for place in types],
        strings_can_be_null=False,
    )
    try:
        table = csv.read_csv(
            pa.BufferReader(pa.py_buffer(data)),
            csv.ReadOptions(use_threads=False, block_size=len(data) + 1, column_names=names),
            csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert,
        )
    except pa.ArrowException as error:
        raise_if_memory(error)
        raise
    if table.num_rows != rows:
        raise AssertionError(f"{rows} records were read as {table.num_rows}")
    return {place: _whole(table.column(k)) for k, place in enumerate(types)}


def _whole(column: Any) -> Any:
    return column.chunk(0) if column.num_chunks == 1 else column.unify_dictionaries().combine_chunks()


# Arrow's own ways from and to Python import pandas where it is installed, which takes longer than many a file.


def texts_of(cells: Sequence[str], type: Any = TEXT) -> Any:
    """Texts as a column of Arrow."""
    encoded = [cell.encode() for cell in cells]
    ends = np.zeros(len(cells) + 1, np.int64 if pa.types.is_large_string(type) else np.int32)
    np.cumsum([len(cell) for cell in encoded], out=ends[1:])
    return pa.Array.from_buffers(type, len(cells), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))])


def codes_of(column: Any) -> npt.NDArray[np.int32]:
    """The places of a CODES column, which has no nulls."""
    places = column.indices
    return np.frombuffer(places.buffers()[1] or b"", np.int32, len(places), 4 * places.offset if len(places) else 0)


def places_of(places: npt.NDArray[np.int64]) -> Any:
    """Places in a column, for Arrow."""
    return pa.Array.from_buffers(pa.int64(), len(places), [None, pa.py_buffer(np.ascontiguousarray(places, np.int64))])


def coded(places: npt.NDArray[np.int32], texts: Any) -> Any:
    """A CODES column."""
    indices = pa.Array.from_buffers(pa.int32(), len(places), [None, pa.py_buffer(places)])
    return pa.DictionaryArray.from_arrays(indices, texts)


def buffers(texts: Any) -> tuple[Any, memoryview[int]]:
    """A column of texts as one text with ends: cell r is text[ends[r] : ends[r + 1]]."""
    count = len(texts)
    _, ends, text = texts.buffers()
    code = np.dtype(np.int64 if pa.types.is_large_string(texts.type) else np.int32)
    offsets = np.frombuffer(ends, code, count + 1, code.itemsize * texts.offset) if count else np.zeros(1, code)
    return offsets, memoryview(text or b"").cast("B")


def numbers(column: Any, missing: Missing = MARKS) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int8], bool]:
    """The cells of a TEXT column as numbers (1 where it is not one), what each is, and whether all are NUMBER.

    `missing` are the words, in small letters, that stand where there is no number.  A column of doubles, from a file
    that has types, has its numbers already.
    """
    rows = len(column)
    if column.type == pa.float64():
        return _doubles(column)
    ends, text = buffers(column)
    values, kinds = np.empty(rows), np.empty(rows, np.int8)
    out: Any = values.data
    scratch = bytearray(len(text) + kernel.SLACK)  # no cell is longer
    strange = kernel.numbers(text, ends.data, rows, scratch, out, kinds.data)
    if strange < 0:
        raise AssertionError("the buffers of a column do not fit together")
    if strange and missing is not MARKS:
        others = np.flatnonzero(kinds == kernel.OTHER)
        cells = column.take(places_of(others)).dictionary_encode()
        absent = _missing(pc.ascii_trim(cells.dictionary, BLANKS), missing)
        kinds[others[np.isin(codes_of(cells), absent)]] = kernel.MISSING
    return values, kinds, strange == 0


def _doubles(column: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int8], bool]:
    if column.null_count:
        column = pc.fill_null(column, pa.Array.from_buffers(pa.float64(), 1, [None, pa.py_buffer(_NAN)])[0])
    values = np.frombuffer(column.buffers()[1] or b"", np.float64, len(column), 8 * column.offset if len(column) else 0)
    strange = ~np.isfinite(values)
    if not strange.any():
        return values.copy(), np.full(len(values), kernel.NUMBER, np.int8), True
    kinds = np.where(np.isnan(values), kernel.MISSING, np.where(strange, kernel.OTHER, kernel.NUMBER)).astype(np.int8)
    return np.where(strange, 1.0, values), kinds, False


def codes(
    column: Any, blanks: bool, missing: Missing = MARKS
) -> tuple[npt.NDArray[np.int32], Any, npt.NDArray[np.bool_] | None]:
    """The cells of a CODES column: places in a list of distinct texts, that list, and which are present (None: all).

    Blanks around a cell do not count; `blanks` says whether there can be any.
    """
    texts, places = column.dictionary, codes_of(column)
    if blanks:
        bare = pc.ascii_trim(texts, BLANKS)
        if not bare.equals(texts):
            again = bare.dictionary_encode()
            texts, places = again.dictionary, codes_of(again)[places]
    absent = _missing(texts, missing)
    if not len(absent):
        return places, texts, None
    known = np.ones(len(texts), np.bool_)
    known[absent] = False
    return places, texts, known[places]


def _missing(texts: Any, words: Missing) -> npt.NDArray[np.int64]:
    """The places of the words for a missing cell in a list of texts."""
    lengths = np.diff(buffers(texts)[0])  # in bytes
    short = np.flatnonzero(lengths <= longest_word(words))
    return short[[texts[int(place)].as_py().lower() in words for place in short]] if len(short) else short


def shown(column: Any, row: int) -> str:
    """A cell of a column for a message, shortened."""
    text = str(column[row].as_py()).strip(BLANKS)
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")
