from mistakebound.kernels._buffers import Floats, Ints

OK: int
GROW: int
BAD_LABEL: int
NOT_BINARY: int
DUPLICATE: int
BEYOND: int
CAPACITY: int
FULL: int
TWICE: int
SIZE: int
USED: int
NEXT_ROW: int
ENTRIES: int
WHERE: int
UNKNOWN: int
STAMP: int

def resolve(
    keys: Ints,
    values: Floats,
    indptr: Ints,
    labels: Ints,
    first: int,
    last: int,
    in_order: bool,
    add: bool,
    binary: bool,
    id_limit: int,
    size_limit: int,
    direct: Ints,
    hash_keys: Ints,
    hash_slots: Ints,
    slot_keys: Ints,
    stamps: Ints,
    out_indptr: Ints,
    out_slots: Ints,
    out_values: Floats,
    scratch: Ints,
    places: Ints,
    state: Ints,
) -> int: ...
def find(key: int, direct: Ints, hash_keys: Ints, hash_slots: Ints) -> int: ...
def insert(key: int, slot: int, direct: Ints, hash_keys: Ints, hash_slots: Ints) -> int: ...
def rebuild(slot_keys: Ints, size: int, direct: Ints, hash_keys: Ints, hash_slots: Ints) -> int: ...
