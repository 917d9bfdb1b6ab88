from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

OK: int
FULL: int
LIMIT: int
FAR: int
INFINITE: int
CAPACITY: int
ROW: int
WIDTH: int
MOST: int
LOWEST: bytes

def fill_sums(sums: Ints, levels: int, first: int, factor: int) -> int: ...
def expand4(
    slots: Ints,
    base: int,
    values: Floats,
    indptr: Ints,
    last: int,
    numbers: Ints,
    seen: int,
    size: int,
    sums: Ints,
    known: int,
    levels: int,
    limit: int,
    members: Ints,
    places: Ints,
    bits: Ints,
    lowest: Buffer,
    member_values: Floats,
    lists: Ints,
    list_values: Floats,
    ends: Ints,
    out_indptr: Ints,
    out: Ints,
    out_values: Floats,
    state: Ints,
) -> int: ...
def expand8(
    slots: Ints,
    base: int,
    values: Floats,
    indptr: Ints,
    last: int,
    numbers: Ints,
    seen: int,
    size: int,
    sums: Ints,
    known: int,
    levels: int,
    limit: int,
    members: Ints,
    places: Ints,
    bits: Ints,
    lowest: Buffer,
    member_values: Floats,
    lists: Ints,
    list_values: Floats,
    ends: Ints,
    out_indptr: Ints,
    out: Ints,
    out_values: Floats,
    state: Ints,
) -> int: ...
