from mistakebound.kernels._buffers import Floats

LANES: int
OK: int
BAD: int

class GaussianPoints:
    def __init__(self, points: Floats, d: int, means: Floats, variance: float) -> None: ...

def expect(given: GaussianPoints, chunk: int, first: int, last: int, sums: Floats) -> int: ...
def responsibilities(given: GaussianPoints, out: Floats) -> int: ...
