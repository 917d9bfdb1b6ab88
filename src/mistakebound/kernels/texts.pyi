from array import array

from mistakebound.kernels._buffers import Ints

FULL: int
TWICE: int
OVERLAP: int
ID: int
SPLIT: int
UNKNOWN: int
WIDEST: int

Bytes = bytes | bytearray | memoryview[int]

def add_text(data: Bytes, a: int, b: int, blob: Ints, ends: Ints, places: Ints, number: int) -> None: ...
def find(data: Bytes, blob: Bytes, ends: Ints, places: Ints) -> int: ...
def translate(names: Bytes, name_ends: Ints, count: int, blob: Bytes, ends: Ints, places: Ints, out: Ints) -> int: ...
def rebuild(blob: Bytes, ends: Ints, count: int, places: Ints) -> int: ...
def adopt(given: Ints, blob: Bytes, size: int, ends: Ints) -> int: ...
def numbered(keys: Ints) -> int: ...
def enter(data: Bytes, blob: Ints, ends: Ints, places: Ints, number: int) -> int: ...
def drop_texts(count: int, kept: int, blob: Bytes, ends: Ints, places: Ints) -> None: ...

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
    def enter_names(self, names: list[str], dense: int) -> int: ...
