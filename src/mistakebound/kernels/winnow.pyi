from mistakebound.kernels._buffers import Floats, Ints

OK: int
UNDECIDED: int
EDGE: int
WIDEN: int
CAPACITY: int
OTHER: int
ROW: int
SEEN: int
STARTS: int
BIAS: int
LOW: int
BOTTOM: int
TOP: int
SHIFT: int
GROWS: int
MERGED: int
ELIMINATES: int
OR_EQUAL: int
UNIT: int

def run1(
    slots: Ints,
    indptr: Ints,
    labels: Ints,
    first: int,
    last: int,
    cells: Ints,
    starts: Ints,
    frame: Ints,
    power: Floats,
    units: Ints,
    half: Floats,
    flat: Floats,
    theta: float,
    learn: bool,
    forced: int,
    predictions: Ints,
    scores: Floats,
    state: Ints,
    base: int,
    bits: Ints,
    order: Ints,
    table: Ints,
) -> int: ...

run2 = run1
run4 = run1
run8 = run1

def flatten(shift: int, power: Floats, half: Floats, starts: int, flat: Floats) -> bool: ...
def weights1(cells: Ints, low: int, shift: int, power: Floats, half: Floats, out: Floats) -> bool: ...

weights2 = weights1
weights4 = weights1
weights8 = weights1
