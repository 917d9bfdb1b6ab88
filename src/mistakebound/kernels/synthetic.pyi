from typing_extensions import Buffer

from mistakebound.kernels._buffers import Ints

def write_rows(
    n: int,
    active: int,
    relevant: Ints,
    negative_label: Buffer,
    positive_label: Buffer,
    rows: int,
    random: Ints,
    keys: Ints,
    payload: Ints,
    out: Buffer,
) -> int: ...
