from array import array
from typing import Any

from typing_extensions import Buffer

from mistakebound.kernels._buffers import Ints

FULL: int
TWICE: int
OVERLAP: int
ID: int
SPLIT: int
UNKNOWN: int
WIDEST: int

def find(data: Buffer, blob: Buffer, ends: Ints, places: Ints) -> int: ...
def translate(
    names: Buffer, name_ends: Ints, first: int, count: int, blob: Buffer, ends: Ints, places: Ints, out: Ints
) -> int: ...
def canonical(names: Buffer, ends: Ints, keys: Ints, payload: Ints, first: int, last: int) -> bool: ...
def first_unknown(keys: Ints, first: int, last: int) -> tuple[int, int]: ...
def rebuild(blob: Buffer, ends: Ints, count: int, places: Ints) -> int: ...
def adopt(given: Ints, blob: Buffer, size: int, ends: Ints) -> int: ...
def numbered(keys: Ints) -> int: ...
def enter(data: Buffer, blob: Buffer, ends: Ints, places: Ints, number: int) -> int: ...
def catch_up(blob: Buffer, ends: Ints, places: Ints, state: Ints) -> int: ...

class TextTable:
    layout: int
    generation: int
    known: dict[str, int]
    _state: array[int]
    _blob: memoryview[int]
    _ends: memoryview[int]
    _text_places: memoryview[int]
    _extra_keys: memoryview[int]
    _order: memoryview[int]
    def __init__(self) -> None: ...
    def enter_names(self, names: list[Any], dense: int) -> int: ...
