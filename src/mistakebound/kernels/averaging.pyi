from mistakebound.kernels._buffers import Floats, Ints

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int

def note(
    slots: Ints,
    values: Floats,
    indptr: Ints,
    labels: Ints,
    predictions: Ints,
    importance: Floats,
    rows: int,
    trials: Ints,
    biased: bool,
    sums: Floats,
    bias: Floats,
) -> int: ...
def average(weights: Floats, sums: Floats, trials: int, out: Floats) -> int: ...
def score(
    slots: Ints,
    values: Floats,
    indptr: Ints,
    rows: int,
    weights: Floats,
    sums: Floats,
    bias: float,
    bias_sum: float,
    trials: int,
    scale: float,
    predictions: Ints,
    scores: Floats,
    dense: int,
    extra_keys: Ints,
    keys: Ints,
    places: Ints,
    state: Ints,
) -> int: ...
