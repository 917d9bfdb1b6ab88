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

class Layers:
    def __init__(self, shape: Ints, output: int, loss: int, weights: Floats, work: Floats) -> None: ...
    def take_steps(self, steps: Floats, settings: Floats, ends: Ints, tied: Ints, gradient: Floats) -> None: ...

def train(
    net: Layers, X: Floats, T: Floats, order: Ints, watch: bool, losses: Floats, predictions: Ints, done: Ints
) -> int: ...
def gradient_of(net: Layers, X: Floats, T: Floats, gradient: Floats, losses: Floats) -> int: ...
def move(net: Layers, gradient: Floats) -> int: ...
def evaluate(net: Layers, X: Floats, outputs: Floats, predictions: Ints) -> int: ...
