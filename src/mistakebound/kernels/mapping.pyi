from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

CAPACITY: int

def look_up(keys: Ints, first: int, last: int, bits: Ints, extra_keys: Ints, places: int, out: Ints) -> bool: ...
def resolve(
    keys: Ints,
    values: Floats,
    indptr: Ints,
    labels: Ints,
    first: int,
    last: int,
    in_order: bool,
    distinct: bool,
    add: bool,
    binary: bool,
    id_limit: int,
    size_limit: int,
    names: Buffer,
    name_ends: Ints,
    translate: Ints,
    looked_up: Ints,
    bits: Ints,
    extra_keys: Ints,
    order: Ints,
    blob: Buffer,
    ends: Ints,
    text_places: Ints,
    stamps: Ints,
    out_indptr: Ints,
    out_slots: Ints,
    out_values: Floats,
    scratch: Ints,
    payload: Ints,
    state: Ints,
    zeros: bool,
) -> int: ...
