from mistakebound.kernels._buffers import Floats, Ints

OK: int
UNDECIDED: int
CAPACITY: int
DONT_KNOW: int
NOT_FORCED: int
ROW: int
TRIALS: int
HEAVIEST: int

def draw(seed: int, trial: int) -> int: ...
def hear(labels: Ints, rows: int, taken: int, codes: Ints, places: Ints, since: Ints, out: Ints) -> int: ...
def furthest(
    said: Ints, scores: Floats, codes: Ints, since: Ints, rows: int, theta: float, out: Ints, margins: Floats
) -> int: ...
def vote(
    said: Ints,
    labels: Ints,
    importance: Floats,
    first: int,
    rows: int,
    beta: float,
    dyadic: bool,
    drawing: bool,
    seed: int,
    forced: int,
    learn: bool,
    mistakes: Ints,
    weights: Floats,
    sums: Floats,
    out: Ints,
    shares: Floats,
    expected: Floats,
    state: Ints,
) -> int: ...
def ordinary(values: Floats, first: int, last: int) -> bool: ...
