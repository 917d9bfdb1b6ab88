"""Which score should say "positive": counts of labels by the size of the score before them, and the best cut.

A margin, a score less the learner's own threshold, falls into one of 770 cells; `edges` are 384 sizes, ascending.  Cell
385 + k has the margins above the k-th edge up to the next (edge 0 is 0), cell 384 - k those as far below 0.  The cut c
says "positive" to the cells from c on: cut 385 is the learner's own.  The sums of a cell grow row by row, so that
nothing depends on how the rows are cut into blocks.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

SIDE = 385  # cells on either side of 0
OWN = SIDE
OK, CAPACITY = 0, -1
FIXED, ACCURACY, F1, COST = range(4)
ROWS = 0  # places in `state`
NEXT = 1  # rows after which the cut is chosen again
CUT = 2
_SIDE = cython.declare(cython.Py_ssize_t, SIDE)
_ACCURACY = cython.declare(cython.int, ACCURACY)
_F1 = cython.declare(cython.int, F1)
_ROWS = cython.declare(cython.int, ROWS)
_NEXT = cython.declare(cython.int, NEXT)
_CUT = cython.declare(cython.int, CUT)
_FIXED = cython.declare(cython.int, FIXED)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cell(margin: cython.double, edges: cython.const[cython.double][::1]) -> cython.Py_ssize_t:
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = _SIDE - 1
    middle: cython.Py_ssize_t
    size: cython.double = margin if margin > 0.0 else -margin
    while low < high:
        middle = (low + high) // 2
        if edges[middle] < size or (edges[middle] == size and margin <= 0.0):
            low = middle + 1
        else:
            high = middle
    return _SIDE + low if margin > 0.0 else _SIDE - 1 - low


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _best(cells: cython.const[cython.double][::1], aim: cython.int) -> cython.Py_ssize_t:
    """The cut with the best count; of equal ones the nearest to the learner's own, of two such the higher."""
    c: cython.Py_ssize_t
    best: cython.Py_ssize_t = _SIDE
    far: cython.Py_ssize_t
    near: cython.Py_ssize_t
    positives: cython.double = 0.0
    hits: cython.double = 0.0
    false: cython.double = 0.0
    value: cython.double
    most: cython.double = -1.0
    for c in range(2 * _SIDE):
        positives += cells[2 * c + 1]
    # From the highest cut down: what it calls positive grows.  The value is F1, or hits less false positives.  For F1 a
    # row of either label is there beforehand, right at the learner's own cut: a few rows do not move it far.
    for c in range(2 * _SIDE, -1, -1):
        if c < 2 * _SIDE:
            false += cells[2 * c]
            hits += cells[2 * c + 1]
        value = hits - false
        if aim == _F1:
            value = 2.0 * (hits + (c <= _SIDE)) / (hits + (c <= _SIDE) + false + (c < _SIDE) + positives + 1.0)
        far = c - _SIDE if c > _SIDE else _SIDE - c
        near = best - _SIDE if best > _SIDE else _SIDE - best
        if c == 2 * _SIDE or value > most or (value == most and far < near):
            most = value
            best = c
    return best


def best(cells: cython.const[cython.double][::1], aim: cython.int) -> cython.Py_ssize_t:
    """The best cut for what was counted; CAPACITY when these are not the cells."""
    if len(cells) != 4 * _SIDE:
        return CAPACITY
    return _best(cells, aim)


@cython.cclass
class ScoreCounts:
    """What was counted of the rows so far: cells by margin, labels by prediction, and where the cut stands."""

    edges: cython.const[cython.double][::1]
    cells: cython.double[::1]
    counts: cython.double[::1]
    state: cython.longlong[::1]

    def __init__(self, edges, cells, counts, state):  # type: (Floats, Floats, Floats, Ints) -> None
        if len(edges) != _SIDE - 1 or len(cells) != 4 * _SIDE or len(counts) < 4 or len(state) < 3:
            raise AssertionError("there are not as many cells as edges ask for")
        self.edges = edges
        self.cells = cells
        self.counts = counts
        self.state = state


def count(
    kept: ScoreCounts,
    aim: cython.int,
    theta: cython.double,
    fixed: cython.double,
    scores: cython.const[cython.double][::1],
    labels: cython.const[cython.schar][::1],
    own: cython.const[cython.schar][::1],
    importance: cython.const[cython.double][::1],
) -> cython.int:
    """Count all these rows, each by the cut of the rows before it; OK, or CAPACITY.

    `theta` is the learner's own threshold, `own` what it says by that.  counts[2 * label + prediction] grows by the
    importance of a row where the aim is cost, else by 1, and so do its cells.  With the aim FIXED a margin above
    `fixed` is positive.
    """
    r: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    state: cython.longlong[::1] = kept.state
    weighted: cython.bint = len(importance) > 0 and aim != _F1 and aim != _ACCURACY
    said: cython.bint
    told: cython.bint
    c: cython.double
    margin: cython.double
    if len(labels) < len(scores) or len(own) < len(scores) or 0 < len(importance) < len(scores):
        return CAPACITY
    with cython.nogil:
        for r in range(len(scores)):
            margin = scores[r] - theta
            cell = _cell(margin, kept.edges)
            told = labels[r] == 1
            if aim == _FIXED:
                said = margin > fixed
            elif state[_CUT] == _SIDE:
                said = own[r] == 1
            else:
                said = cell >= state[_CUT]
            c = importance[r] if weighted else 1.0
            kept.counts[2 * told + said] += c
            kept.cells[2 * cell + told] += c
            state[_ROWS] += 1
            if aim != _FIXED and state[_ROWS] == state[_NEXT]:
                state[_CUT] = _best(kept.cells, aim)
                state[_NEXT] += state[_NEXT] // 16
    return OK
