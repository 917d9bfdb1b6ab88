from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

OK: int
OTHER: int
FULL: int
IGNORED: int
NOMINAL: int
NUMERIC: int
LABEL: int
WEIGHT: int
ROWS: int
ENTRIES: int
NEWLINES: int
NAMES: int
PAIR_WIDTH: int
SLACK: int

class CsvRows:
    def __init__(
        self,
        rows: tuple[Ints, Ints, Floats, Ints, Ints, Ints, Ints, Floats],
        tables: tuple[Ints, Ints, Ints, Buffer, Buffer, Ints],
        columns: tuple[Ints, Buffer, Ints, Ints, bool],
        words: tuple[str, frozenset[str], int],
        state: Ints,
    ) -> None: ...
    def clear(self) -> None: ...
    def label_texts(self) -> list[bytes]: ...
    def parse(self, text: Buffer, end: int, labelled: bool) -> int: ...
