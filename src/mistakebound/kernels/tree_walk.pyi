from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

def walk(
    rows: int,
    stride: int,
    stop: bool,
    codes: Ints,
    limits: Ints,
    numbers: Floats,
    numeric: int,
    nodes: Ints,
    thresholds: Floats,
    masks: Buffer,
    out: Ints,
) -> int: ...
def share(
    rows: int,
    stride: int,
    classes: int,
    leaves: Ints,
    codes: Ints,
    limits: Ints,
    numbers: Floats,
    numeric: int,
    nodes: Ints,
    thresholds: Floats,
    masks: Buffer,
    arity: Ints,
    part: Floats,
    chances: Floats,
    waiting: Ints,
    weight: Floats,
    out: Floats,
) -> int: ...
