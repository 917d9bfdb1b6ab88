from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

OK: int
GROW: int
BAD_LABEL: int
NOT_BINARY: int
DUPLICATE: int
BEYOND: int
CAPACITY: int
OTHER: int
FULL: int
TWICE: int
SIZE: int
EXTRA: int
PLACES: int
NEXT_ROW: int
ENTRIES: int
WHERE: int
STAMP: int
TEXTS: int
BYTES: int
HASHED: int
NOBODY: int
GONE: int

def resolve_dense(
    entries: tuple[Ints, Floats, Ints],
    base: int,
    checks: tuple[Ints, int, int, bool, bool, bool, int, int],
    table: tuple[Ints, Ints],
    work: tuple[Ints, Ints, Ints],
) -> int: ...
def find(key: int, bits: Ints, extra_keys: Ints, state: Ints) -> int: ...
def enter(keys: Ints, count: int, bits: Ints, extra_keys: Ints, order: Ints, state: Ints) -> int: ...
def keys_in_order(order: Ints, count: int, dense: int, extra_keys: Ints, out: Ints) -> bool: ...
def count_widths(keys: Ints, out: Ints) -> bool: ...
def relocate(old_keys: Ints, old_places: int, bits: Ints, extra_keys: Ints, new_slots: Ints, state: Ints) -> bool: ...
def renumber(slots: Ints, count: int, old_dense: int, new_slots: Ints) -> bool: ...
def forget(
    size: int, bits: Ints, extra_keys: Ints, order: Ints, state: Ints, blob: Buffer, ends: Ints, text_places: Ints
) -> int: ...
