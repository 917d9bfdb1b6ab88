from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

CAPACITY: int
ANY: int
STAR: int
SET: int

def match_names(blob: Buffer, ends: Ints, count: int, program: Ints, out: Buffer) -> int: ...
def match_ids(keys: Ints, entries: int, program: Ints, digits: Buffer, out: Buffer) -> int: ...
def drop(
    indptr: Ints,
    keys: Ints,
    values: Floats,
    rows: int,
    dropped: Buffer,
    by_key: bool,
    out_indptr: Ints,
    out_keys: Ints,
    out_values: Floats,
) -> int: ...
