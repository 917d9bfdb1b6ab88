from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

OK: int
BAD_BYTE: int
BAD_LABEL: int
NO_LABEL: int
BAD_ID: int
ID_RANGE: int
BAD_VALUE: int
BAD_QID: int
LABELS_FULL: int
CAPACITY: int
WIDE: int
POS: int
LINE: int
ROWS: int
ENTRIES: int
LABELS: int
REAL: int
ASCENDING: int
OFFSET: int
SLACK: int

def parse_block(
    buf: Buffer,
    end: int,
    keys: Ints,
    wide: Ints,
    values: Floats,
    indptr: Ints,
    tokens: Ints,
    lines: Ints,
    label_texts: Buffer,
    label_ends: Ints,
    label_slots: Ints,
    unlabelled_ok: bool,
    state: Ints,
) -> int: ...
def number_lines(lines: Ints, rows: int, first: int) -> None: ...
