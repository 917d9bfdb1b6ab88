from mistakebound.kernels._buffers import Floats, Ints

SIGMOID: int
LINEAR: int
SIGN: int
SQUARED: int
LIKELIHOOD: int
ETA: int
MOMENTUM: int
DECAY: int
STEPS: int
EPOCHS: int
OK: int
MISFIT: int
NOT_FINITE: int

def train(
    shape: Ints,
    output: int,
    loss: int,
    weights: Floats,
    steps: Floats,
    settings: Floats,
    ends: Ints,
    tied: Ints,
    gradient: Floats,
    X: Floats,
    T: Floats,
    rows: int,
    order: Ints,
    watch: bool,
    losses: Floats,
    predictions: Ints,
    work: Floats,
    done: Ints,
) -> int: ...
def gradient_of(
    shape: Ints,
    output: int,
    loss: int,
    weights: Floats,
    X: Floats,
    T: Floats,
    rows: int,
    gradient: Floats,
    work: Floats,
    losses: Floats,
) -> int: ...
def move(weights: Floats, steps: Floats, gradient: Floats, settings: Floats, ends: Ints, tied: Ints) -> int: ...
def evaluate(
    shape: Ints, output: int, weights: Floats, X: Floats, rows: int, outputs: Floats, predictions: Ints, work: Floats
) -> int: ...
