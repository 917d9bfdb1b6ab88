from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

CAPACITY: int
SHARED: int
FOREIGN: int
BUCKETS: int

def of_ids(keys: Ints, entries: int, out: Ints) -> int: ...
def of_names(blob: Buffer, ends: Ints, count: int, out: Ints) -> int: ...
def gather(table: Ints, keys: Ints, entries: int, out: Ints) -> int: ...
def widest(indptr: Ints, rows: int) -> int: ...
def fold(
    indptr: Ints,
    values: Floats,
    rows: int,
    prints: Ints,
    bits: int,
    out_indptr: Ints,
    out_keys: Ints,
    out_values: Floats,
    seen: Ints,
    held: Ints,
) -> int: ...
def claim(prints: Ints, entries: int, bits: int, owners: Ints, state: Ints) -> int: ...
