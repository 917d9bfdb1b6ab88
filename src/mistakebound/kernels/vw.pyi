from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

OK: int
BAD_BYTE: int
BAD_LABEL: int
NO_LABEL: int
NO_BAR: int
BAD_NAME: int
BAD_VALUE: int
BAD_SCALE: int
LABELS_FULL: int
CAPACITY: int
NAMES_FULL: int
BAD_WEIGHT: int
SEVERAL_LABELS: int
BAD_HEAD: int
BAD_SPACE: int
BAD_SUM: int
POS: int
LINE: int
ROWS: int
ENTRIES: int
LABELS: int
REAL: int
WEIGHTED: int
OFFSET: int
NAMES: int
GENERATION: int
BITS: int
SLACK: int

def parse_block(
    buf: Buffer,
    end: int,
    keys: Ints,
    values: Floats,
    indptr: Ints,
    tokens: Ints,
    lines: Ints,
    weights: Floats,
    label_texts: Buffer,
    label_ends: Ints,
    label_slots: Ints,
    names: Buffer,
    name_ends: Ints,
    table: Ints,
    spans: Ints,
    spaces: Ints,
    lasts: Ints,
    unlabelled_ok: bool,
    state: Ints,
    place: Ints,
) -> int: ...
