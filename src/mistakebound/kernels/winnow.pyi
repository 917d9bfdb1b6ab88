from mistakebound.kernels._buffers import Floats, Ints

OK: int
UNDECIDED: int
EDGE: int
WIDEN: int
CAPACITY: int
ROW: int
SEEN: int
BIAS: int
LOW: int
BOTTOM: int
TOP: int
UNIT: int

def run_byte(
    slots: Ints,
    indptr: Ints,
    labels: Ints,
    first: int,
    last: int,
    codes: Ints,
    starts: Ints,
    scale: Ints,
    frame: Ints,
    power: Floats,
    units: Ints,
    half: Floats,
    theta: float,
    or_equal: bool,
    grows: bool,
    eliminate: bool,
    learn: bool,
    forced: int,
    predictions: Ints,
    scores: Floats,
    state: Ints,
) -> int: ...

run_narrow = run_byte
run_wide = run_byte

def weights_byte(codes: Ints, scale: Ints, low: int, power: Floats, half: Floats, out: Floats) -> bool: ...

weights_narrow = weights_byte
weights_wide = weights_byte
