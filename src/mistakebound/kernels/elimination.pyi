from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

OK: int
INCONSISTENT: int
CAPACITY: int
ROW: int
STARTED: int
ALIVE: int
PLAIN: int
NOT_NEGATED: int
MARK: int

def disjunction(
    slots: Ints,
    indptr: Ints,
    labels: Ints,
    first: int,
    last: int,
    gone: Buffer,
    learn: bool,
    predictions: Ints,
    scores: Floats,
    state: Ints,
) -> int: ...
def conjunction(
    slots: Ints,
    indptr: Ints,
    labels: Ints,
    first: int,
    last: int,
    flags: Buffer,
    alive: Ints,
    learn: bool,
    predictions: Ints,
    scores: Floats,
    state: Ints,
) -> int: ...
