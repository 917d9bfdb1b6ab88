from mistakebound.kernels._buffers import Floats, Ints

SIDE: int
OWN: int
FIXED: int
ACCURACY: int
F1: int
COST: int
ROWS: int
NEXT: int
CUT: int

def best(cells: Floats, aim: int) -> int: ...
def count(
    scores: Floats,
    theta: float,
    labels: Ints,
    own: Ints,
    importance: Floats,
    aim: int,
    fixed: float,
    edges: Floats,
    cells: Floats,
    counts: Floats,
    state: Ints,
) -> int: ...
