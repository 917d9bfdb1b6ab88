from mistakebound.kernels._buffers import Floats, Ints

def sort(keys: Ints, payload: Ints, n: int) -> int: ...
def order_rows(
    indptr: Ints,
    slots: Ints,
    values: Floats,
    rows: int,
    dense: int,
    texts: int,
    extra_keys: Ints,
    scratch: tuple[Ints, Ints],
) -> bool: ...
def sort_rows(
    indptr: Ints, slots: Ints, rows: int, dense: int, extra_keys: Ints, keys: Ints, places: Ints, out: Ints
) -> int: ...
