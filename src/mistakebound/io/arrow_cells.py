"""Typed columns of Arrow as the cells of a table: texts to be coded, or numbers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mistakebound.core.errors import BadData
from mistakebound.core.schema import NOMINAL
from mistakebound.io.bins import MOST_ROWS
from mistakebound.io.moments import MOMENT
from mistakebound.io.table_cells import CODES, TEXT, numbers, texts_of
from mistakebound.io.table_window import AT_ONCE, Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy.typing as npt

_NOT_UTF8 = "\ufffd"
# Doubles below are whole numbers one by one.  Made once: where memory is short Arrow says TypeError of a plain float.
_EXACT = pa.Array.from_buffers(pa.float64(), 1, [None, pa.py_buffer(np.array([2.0**53]))])[0]


def is_number(type: Any) -> bool:
    return bool(pa.types.is_integer(type) or pa.types.is_floating(type) or pa.types.is_decimal(type))


def is_text(type: Any) -> bool:
    if pa.types.is_dictionary(type):
        return is_text(type.value_type) or is_number(type.value_type)
    texts = pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type)
    return bool(texts or pa.types.is_boolean(type) or pa.types.is_null(type))


def order_of_type(type: Any) -> str | None:
    """In which order the parts of dates and times stand when they are written; None for any other type."""
    if pa.types.is_timestamp(type) or pa.types.is_date(type):
        return "ymd"
    return "clock" if pa.types.is_time(type) else None


def check_type(name: str, type: Any, source: str) -> None:
    """BadData for a column that holds no texts, numbers, dates or times."""
    if not is_number(type) and not is_text(type) and order_of_type(type) is None:
        raise BadData(f"column {name!r} holds {type}, and not texts, numbers or times: ignore it", source=source)


def broken_texts(batch: Any, places: Iterable[int]) -> list[int]:
    """Those of some columns in which a text is not UTF-8; ArrowInvalid where buffers do not fit together.

    Nothing may trust a column before: a file can say of its buffers what it likes.
    """
    broken = []
    for place in places:
        column = batch.column(place)
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            _as_bytes(column.dictionary if pa.types.is_dictionary(column.type) else column).validate(full=True)
            if pa.types.is_dictionary(column.type):
                pa.DictionaryArray.from_arrays(column.indices, pa.nulls(len(column.dictionary))).validate(full=True)
            broken.append(place)
    return broken


def _as_bytes(texts: Any) -> Any:
    """Texts as what they are before anybody has looked whether they are UTF-8."""
    kinds = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}
    if texts.type not in kinds:
        raise pa.ArrowInvalid(f"the buffers of a column of {texts.type} do not fit together")
    return pa.Array.from_buffers(kinds[texts.type], len(texts), texts.buffers(), offset=texts.offset)


def mended(column: Any) -> tuple[Any, npt.NDArray[np.bool_]]:
    """A column with something else in place of texts that are not UTF-8, and which they are."""
    if pa.types.is_dictionary(column.type):
        column = _as_bytes(column.dictionary).take(column.indices)
        type = pa.large_string() if pa.types.is_large_binary(column.type) else pa.string()
    else:
        type, column = column.type, _as_bytes(column)
    data = column.to_pylist()
    texts = [_as_utf8(text) for text in data]
    broken = np.array([text is None and some is not None for text, some in zip(texts, data, strict=True)], np.bool_)
    return pa.array([_NOT_UTF8 if bad else text for text, bad in zip(texts, broken, strict=True)], type), broken


def _as_utf8(data: bytes | None) -> str | None:
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError:
        return None


def as_codes(column: Any) -> Any:
    """Texts, truth values, numbers or times as a CODES column without nulls: an empty text is missing."""
    if _is_coded(column):
        return pa.DictionaryArray.from_arrays(column.indices.cast(pa.int32()), column.dictionary)
    column = _without_codes(column)
    if pa.types.is_float16(column.type):
        column = column.cast(pa.float32())
    texts = column.cast(pa.string())
    if pa.types.is_floating(column.type):
        texts = pc.if_else(pc.is_nan(column), pa.nulls(1, pa.string())[0], texts)
        # 3.0 is written 3, as a whole number is; each cell for itself, whatever stands beside it in its batch.
        whole = pc.and_(pc.equal(column, pc.floor(column)), pc.less(pc.abs(column), _EXACT))
        written = pc.if_else(whole, column, pa.nulls(1, column.type)[0]).cast(pa.int64()).cast(pa.string())
        texts = pc.coalesce(written, texts)
    return pc.fill_null(texts, texts_of([""])[0]).dictionary_encode().cast(CODES)


def _is_coded(column: Any) -> bool:
    """Whether a column has codes of distinct texts already, and no nulls."""
    if not pa.types.is_dictionary(column.type) or column.type.value_type != pa.string() or column.null_count:
        return False
    texts = column.dictionary
    return not texts.null_count and len(texts) <= len(column) and len(texts.unique()) == len(texts)


def _without_codes(column: Any) -> Any:
    """The values of a column of categories; any other column as it is."""
    if not pa.types.is_dictionary(column.type):
        return column
    values = column.dictionary
    if pa.types.is_string_view(values.type):  # as of polars; Arrow cannot decode them
        values = values.cast(pa.large_string())
    return values.take(column.indices)


def as_doubles(column: Any) -> Any:
    """Numbers as doubles, each the nearest one: Arrow's own cast of a decimal is not."""
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.string())
    return column.cast(pa.float64(), safe=False)


def as_numbers(column: Any) -> Any:
    """A column of a table that is to be read as numbers: doubles, or texts that are to be read as such."""
    if is_number(column.type):
        return as_doubles(column)
    return pc.fill_null(_without_codes(column).cast(TEXT), texts_of([""])[0])


class TypedWindow(Window):
    """What the types of the columns tell, and the first cells where these say more: ids, dates that are texts, cuts.

    Rows come in batches, however the file has them: as in a text it does not matter how many are in one.
    """

    __slots__ = ("_types",)

    def __init__(self, types: list[Any], places: Iterable[int]) -> None:
        super().__init__(places)
        self._types = types

    def add_batch(self, batch: Any) -> None:
        for place in self.open():
            column = batch.column(place).slice(0, MOST_ROWS - self.rows)
            broken = broken_texts(batch, [place])
            for first in range(0, len(column), AT_ONCE):
                if place not in self.open():
                    break
                cells = column.slice(first, AT_ONCE)
                cells = as_numbers(mended(cells)[0] if broken else cells)
                values, kinds, all_numbers = numbers(cells)
                self._note(place, cells.to_pylist(), values.tolist(), kinds.tolist(), all_numbers)
        self.rows += batch.num_rows

    def numeric(self, place: int) -> bool:
        return is_number(self._types[place])

    def kind(self, place: int) -> tuple[str | None, str]:
        order = order_of_type(self._types[place])
        if order is not None:
            return f"{MOMENT}:{order}", ""
        if place not in self._cells:  # of a type that is refused where it is asked for
            nested = not is_number(self._types[place]) and not is_text(self._types[place])
            return (None, f"it holds {self._types[place]}") if nested else (NOMINAL, "")
        if self.numeric(place):
            return self._kind_of_numbers(place)
        digits = self._numeric[place]  # saved as texts, so they are codes
        return self._kind_of_names(place) if digits else self._kind_of_texts(place)
