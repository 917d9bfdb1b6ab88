from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

CAPACITY: int

def look_up(keys: Ints, first: int, last: int, bits: Ints, extra_keys: Ints, places: int, out: Ints) -> bool: ...
def resolve(
    entries: tuple[Ints, Floats, Ints],
    checks: tuple[Ints, int, int, bool, bool, bool, bool, int, int],
    naming: tuple[Buffer, Ints, Ints],
    looked_up: Ints,
    table: tuple[Ints, Ints, Ints, Buffer, Ints, Ints],
    out: tuple[Ints, Ints, Floats],
    work: tuple[Ints, Ints, Ints],
    zeros: bool,
) -> int: ...
