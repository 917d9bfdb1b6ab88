from mistakebound.kernels._buffers import Floats, Ints

SIDE: int
OWN: int
OK: int
CAPACITY: int
FIXED: int
ACCURACY: int
F1: int
COST: int
ROWS: int
NEXT: int
CUT: int

def best(cells: Floats, aim: int) -> int: ...

class ScoreCounts:
    def __init__(self, edges: Floats, cells: Floats, counts: Floats, state: Ints) -> None: ...

def count(
    kept: ScoreCounts, aim: int, theta: float, fixed: float, scores: Floats, labels: Ints, own: Ints, importance: Floats
) -> int: ...
