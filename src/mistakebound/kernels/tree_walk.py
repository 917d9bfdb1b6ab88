"""Rows walk down a decision tree: a leaf a row, or, where values are missing, shares of several leaves.

nodes: 4 numbers a node: the line of its test (-1: a leaf; >= 0: of `codes`; <= -2: of `numbers`, as -2 - line), the
first child, the child for rows without a value, where its mask begins in `masks` (-1: a child a value).
codes, numbers: a line a tested column, `stride` long, as a table has them.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

from array import array

MISFIT = -1  # the buffers do not fit together, or a code is outside its column's values
OK = 0
_LEAF = cython.declare(cython.int, -1)  # the line of a node without a test


@cython.cclass
class TreeRows:
    """A tree, for which the caller vouches, and rows of a table.

    limits: of every line of codes, how many values it has.  numbers has `numeric` lines.
    """

    nodes: cython.const[cython.int][::1]
    thresholds: cython.const[cython.double][::1]
    masks: cython.const[cython.uchar][::1]
    size: cython.Py_ssize_t
    stride: cython.Py_ssize_t
    codes: cython.const[cython.int][::1]
    limits: cython.const[cython.int][::1]
    numbers: cython.const[cython.double][::1]
    classes: cython.Py_ssize_t
    arity: cython.const[cython.int][::1]
    part: cython.const[cython.double][::1]
    chances: cython.const[cython.double][::1]
    waiting: cython.int[::1]
    weight: cython.double[::1]

    def __init__(self, nodes, thresholds, masks):  # type: (AnyBuffer, AnyBuffer, AnyBuffer) -> None
        self.size = len(nodes) // 4
        if self.size < 1 or len(thresholds) < self.size:
            raise AssertionError("a node has no threshold")
        self.nodes = nodes
        self.thresholds = thresholds
        self.masks = masks
        self.stride = self.classes = 0

    def take_rows(self, stride, codes, limits, numbers, numeric):
        # type: (int, AnyBuffer, AnyBuffer, AnyBuffer, int) -> None
        if stride < 1 or len(codes) < len(limits) * stride or numeric < 0 or len(numbers) < numeric * stride:
            raise AssertionError("a line is shorter than announced")
        self.stride = stride
        self.codes = codes
        self.limits = limits
        self.numbers = numbers

    def take_shares(self, arity, part, chances):  # type: (AnyBuffer, AnyBuffer, AnyBuffer) -> None
        """Of every node: its children, its share of its parent's rows, the chances of the classes there."""
        if len(arity) < self.size or len(part) < self.size or len(chances) % self.size:
            raise AssertionError("a node has no share")
        self.classes = len(chances) // self.size
        self.arity = arity
        self.part = part
        self.chances = chances
        self.waiting = array("i", bytes(4 * self.size))
        self.weight = array("d", bytes(8 * self.size))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _branch(tree: TreeRows, node: cython.Py_ssize_t, row: cython.Py_ssize_t, line: cython.int) -> cython.int:
    """The child by number, -1 for a row that has no value for the test."""
    code: cython.int
    value: cython.double
    if line >= 0:
        code = tree.codes[line * tree.stride + row]
        if code < 0:
            return -1
        if tree.nodes[4 * node + 3] < 0:
            return code
        return 1 - tree.masks[tree.nodes[4 * node + 3] + code]
    value = tree.numbers[(-2 - line) * tree.stride + row]
    if value <= tree.thresholds[node]:
        return 0
    return 1 if value == value else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk(tree: TreeRows, rows: cython.Py_ssize_t, stop: cython.bint, out: cython.int[::1]) -> cython.Py_ssize_t:
    row: cython.Py_ssize_t
    node: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    line: cython.int
    branch: cython.int
    going: cython.bint
    nodes: cython.const[cython.int][::1] = tree.nodes
    stopped: cython.Py_ssize_t = 0
    # Sixteen rows take a step each in turn, so that they do not wait for each other's memory.
    for begin in range(0, rows, 16):
        end = begin + 16 if begin + 16 < rows else rows
        for row in range(begin, end):
            out[row] = 0
        going = True
        while going:
            going = False
            for row in range(begin, end):
                node = out[row]
                line = nodes[4 * node] if node >= 0 else _LEAF
                if line == _LEAF:
                    continue
                branch = _branch(tree, node, row, line)
                if branch < 0 and stop:
                    out[row] = -1
                    stopped += 1
                    continue
                if branch < 0:
                    branch = nodes[4 * node + 2]
                out[row] = nodes[4 * node + 1] + branch
                going = True
    return stopped


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _share(tree: TreeRows, row: cython.Py_ssize_t, out: cython.double[::1]) -> cython.void:
    c: cython.Py_ssize_t
    classes: cython.Py_ssize_t = tree.classes
    size: cython.Py_ssize_t = 1
    node: cython.Py_ssize_t
    child: cython.Py_ssize_t
    line: cython.int
    branch: cython.int
    mine: cython.double
    tree.waiting[0] = 0
    tree.weight[0] = 1.0
    for c in range(classes):
        out[row * classes + c] = 0.0
    while size > 0:
        size -= 1
        node = tree.waiting[size]
        mine = tree.weight[size]
        line = tree.nodes[4 * node]
        if line == _LEAF:
            for c in range(classes):
                out[row * classes + c] += mine * tree.chances[node * classes + c]
            continue
        branch = _branch(tree, node, row, line)
        child = tree.nodes[4 * node + 1]
        if branch >= 0:
            tree.waiting[size] = cython.cast(cython.int, child + branch)
            tree.weight[size] = mine
            size += 1
            continue
        for c in range(child, child + tree.arity[node]):
            if tree.part[c] > 0.0:
                tree.waiting[size] = cython.cast(cython.int, c)
                tree.weight[size] = mine * tree.part[c]
                size += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _strange(tree: TreeRows, rows: cython.Py_ssize_t) -> cython.bint:
    """Whether a code is outside its column's values."""
    line: cython.Py_ssize_t
    row: cython.Py_ssize_t
    limit: cython.int
    codes: cython.const[cython.int][::1] = tree.codes
    bad: cython.int = 0
    for line in range(len(tree.limits)):
        limit = tree.limits[line]
        for row in range(line * tree.stride, line * tree.stride + rows):
            bad |= codes[row] >= limit
    return bad != 0


def walk(tree: TreeRows, rows: cython.Py_ssize_t, stop: cython.bint, out: cython.int[::1]) -> cython.Py_ssize_t:
    """out[row] is its leaf; with `stop` -1 for a row that has no value for a test on its way.

    How many such there are, or MISFIT.
    """
    stopped: cython.Py_ssize_t = MISFIT
    if rows < 0 or tree.stride < rows or len(out) < rows:
        return stopped
    with cython.nogil:
        if not _strange(tree, rows):
            stopped = _walk(tree, rows, stop, out)
    return stopped


def share(tree: TreeRows, leaves: cython.const[cython.int][::1], out: cython.double[::1]) -> cython.int:
    """out[row * classes:]: the chances of the classes at the leaf of a row; those of a row without one (-1: it lacks
    a value) are sums over the branches by their parts.  OK, or MISFIT.
    """
    row: cython.Py_ssize_t
    c: cython.Py_ssize_t
    classes: cython.Py_ssize_t = tree.classes
    if classes < 1 or tree.stride < len(leaves) or len(out) < len(leaves) * classes:
        return MISFIT
    with cython.nogil:
        for row in range(len(leaves)):
            if leaves[row] >= 0:
                for c in range(classes):
                    out[row * classes + c] = tree.chances[leaves[row] * classes + c]
            else:
                _share(tree, row, out)
    return OK
