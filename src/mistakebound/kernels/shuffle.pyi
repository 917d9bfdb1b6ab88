from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

BAD: int

def permute(order: Ints, count: int, seed: int, turn: int) -> int: ...
def entries_within(order: Ints, first: int, rows: Ints, most: int) -> int: ...
def gather(
    order: Ints,
    first: int,
    last: int,
    rows: Ints,
    keys: Ints,
    values: Floats,
    out_rows: Ints,
    out_keys: Ints,
    out_values: Floats,
) -> int: ...
def take(order: Ints, first: int, last: int, items: Ints | Floats, out: Ints | Floats) -> int: ...
def localize(keys: Ints, count: int, places: Ints, names: Ints) -> int: ...
def spell(names: Ints, count: int, blob: Buffer, ends: Ints, out: Buffer, out_ends: Ints) -> int: ...
