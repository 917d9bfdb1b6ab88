from mistakebound.kernels._buffers import Floats, Ints

OK: int
OTHER: int
OVERFLOW: int
CAPACITY: int
ROW: int
BIAS: int
RADIUS_SQUARED: int
LEAST: int
MOST: int
REACH: int

def run(
    slots: Ints,
    values: Floats,
    indptr: Ints,
    labels: Ints,
    importance: Floats,
    first: int,
    last: int,
    weights: Floats,
    words: Ints,
    scalars: Floats,
    scale: float,
    biased: bool,
    learn: bool,
    predictions: Ints,
    scores: Floats,
    dense: int,
    extra_keys: Ints,
    keys: Ints,
    places: Ints,
    state: Ints,
    base: int,
    bits: Ints,
    order: Ints,
    table: Ints,
) -> int: ...
def show(numbers: Floats, eta: float) -> None: ...
def sign_zeros(weights: Floats, zero: float) -> None: ...
def reach(weights: Floats, bias: float) -> float: ...
