from mistakebound.kernels._buffers import Floats

LANES: int
BAD: int

def room(d: int, k: int) -> int: ...
def expect(
    points: Floats,
    d: int,
    means: Floats,
    k: int,
    variance: float,
    chunk: int,
    first: int,
    last: int,
    work: Floats,
    sums: Floats,
) -> int: ...
def responsibilities(
    points: Floats, d: int, means: Floats, k: int, variance: float, work: Floats, out: Floats
) -> int: ...
