"""What a decision tree is grown in: rows, columns, work space and the tree so far; see the kernel `tree_grow`.

The rows of a node lie next to each other.  Codes below 256 lie in `narrow`, others in `wide`, row by row.  A number is
the rank of its value; the code behind the last value means missing.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython


@cython.cclass
class TreeBuffers:
    """All of them stay the caller's.

    `room` is how many rows there may be, `fills` how many children take rows without a value (one a class in mode 1),
    and `groups` how many values of the column that was measured last occur at the node.
    """

    def take_rows(self, narrow, wide, y, w):
        # type: (AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer) -> None
        """The second half of each is work space; `w` is empty when every row weighs 1."""
        self.narrow = narrow
        self.wide = wide
        self.y = y
        self.w = w

    def take_columns(self, columns, divisor, table, critical, options, least):
        # type: (AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, float) -> None
        """What may be tested, and how tests are measured.

        columns: 5 numbers each: its place among the narrow ones, or ~place among the wide ones; 0 a branch a value, 1
        two sets of values, 2 numeric; how many values; where its counts begin in hist (weights, when rows have
        weights); whether it has too many values to count in the average gain.  divisor: by cost.  table: x log2 x.
        critical: of chi-squared by degrees of freedom, empty when nothing is tested.
        options, read anew in every call: `classes`, how many columns are narrow (`small`) and wide (`large`), gain
        `ratio`, `guard`, measure of `cost` (1 Tan and Schlimmer, 2 Nunez), `mode` for missing values (tree_splits),
        `max_depth` (-1: any), `budget` of rows until a pause, and whether the rows lie elsewhere and `hist` has the
        counts of the one node of the stack (`counted`): then every column is narrow, whatever its values, and the
        budget is 0.
        least: the weight of a leaf.
        """
        self.columns = columns
        self.divisor = divisor
        self.table = table
        self.critical = critical
        self.options = options
        self.least = least

    def take_groups(self, hist, weights, gv, gc, side, keys, spare, miss):
        # type: (AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer) -> None
        """Work space: the counts of all narrow columns, and the groups of values of one column."""
        self.hist = hist
        self.weights = weights
        self.gv = gv
        self.gc = gc
        self.side = side
        self.keys = keys
        self.spare = spare
        self.miss = miss

    def take_node(self, work, found, out, fill, slots, part, begin, sizes):
        # type: (AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer) -> None
        """Work space: what was found of each column, and the branches of one node."""
        self.work = work
        self.found = found
        self.out = out
        self.fill = fill
        self.slots = slots
        self.part = part
        self.begin = begin
        self.sizes = sizes

    def take_tree(self, active, stack, state, nodes, otherwise, masks, counts):
        # type: (AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer, AnyBuffer) -> None
        """The tree so far, and the nodes that are still to be split.

        stack: node, first row, end of rows, depth.  state: 0 size of the stack, 1 nodes, 2 masks, 4 what is needed.
        active: a line a depth: how many columns may be tested there, and which.
        nodes: column, first child, arity, rank below and above the threshold, mask; otherwise: the child without a
        value, by class in mode 1.
        """
        self.active = active
        self.stack = stack
        self.state = state
        self.nodes = nodes
        self.otherwise = otherwise
        self.masks = masks
        self.counts = counts


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _options_fit(b: TreeBuffers) -> cython.bint:
    """Read the options; whether there are rows of as many columns as they say."""
    if len(b.options) < 10 or len(b.state) < 5 or len(b.out) < 5:
        return False
    if len(b.divisor) < 1 or len(b.columns) != 5 * len(b.divisor):
        return False
    b.classes = b.options[0]
    b.small = b.options[1]
    b.large = b.options[2]
    b.ratio = b.options[3] != 0
    b.guard = b.options[4] != 0
    b.cost = cython.cast(cython.int, b.options[5])
    b.mode = cython.cast(cython.int, b.options[6])
    b.max_depth = b.options[7]
    b.budget = b.options[8]
    b.counted = b.options[9] != 0
    b.room = len(b.y) // 2
    b.fills = b.classes if b.mode == 1 else 1
    if b.classes < 1 or b.small < 0 or b.large < 0 or len(b.y) != 2 * b.room:
        return False
    if len(b.w) != 0 and len(b.w) != len(b.y):
        return False
    if b.counted and (b.room > 0 or b.large > 0 or b.budget != 0 or b.state[0] != 1):
        return False
    return len(b.narrow) >= 2 * b.room * b.small and len(b.wide) >= 2 * b.room * b.large


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _column_fits(b: TreeBuffers, a: cython.Py_ssize_t) -> cython.bint:
    """Whether column a lies within the rows, its counts within theirs, and its values within the work space."""
    place: cython.Py_ssize_t = b.columns[5 * a]
    kind: cython.int = b.columns[5 * a + 1]
    bins: cython.Py_ssize_t = b.columns[5 * a + 2]
    begin: cython.Py_ssize_t = b.columns[5 * a + 3]
    most: cython.Py_ssize_t = bins if bins < b.room or b.counted else b.room
    widest: cython.Py_ssize_t = min(len(b.part), len(b.begin), len(b.sizes))
    counters: cython.Py_ssize_t = len(b.weights) if len(b.w) > 0 else len(b.hist)
    if bins < 0 or kind < 0 or kind > 2 or widest < 2 or (kind == 0 and widest < bins):
        return False
    if min(len(b.gc) // b.classes, len(b.gv)) <= most or (kind == 1 and len(b.side) < most):
        return False
    if len(b.critical) > 0 and (max(most, 2) - 1) * (b.classes - 1) >= len(b.critical):
        return False
    if place < 0:
        return -1 - place < b.large
    if place >= b.small or (bins > 255 and not b.counted) or begin < 0:
        return False
    return begin + (bins + 1) * b.classes <= counters


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _stack_fits(b: TreeBuffers) -> cython.bint:
    """Whether the nodes that are still to be split, their rows and the columns that they may be tested on are there."""
    attributes: cython.Py_ssize_t = len(b.divisor)
    nodes: cython.Py_ssize_t = len(b.nodes) // 6
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t
    at: cython.Py_ssize_t
    if len(b.counts) < nodes * b.classes or len(b.otherwise) < nodes * b.fills:
        return False
    if b.state[0] < 0 or len(b.stack) < 4 * b.state[0] or b.state[1] < 1 or nodes < b.state[1] or b.state[2] < 0:
        return False
    for n in range(b.state[0]):
        if b.stack[4 * n] < 0 or b.stack[4 * n] >= b.state[1] or b.stack[4 * n + 3] < 0:
            return False
        if b.stack[4 * n + 1] < 0 or (b.stack[4 * n + 2] > b.room and not b.counted):
            return False
        at = b.stack[4 * n + 3] * (attributes + 1)
        if at + attributes + 1 > len(b.active) or b.active[at] < 0 or b.active[at] > attributes:
            return False
        for k in range(at + 1, at + 1 + b.active[at]):
            if b.active[k] < 0 or b.active[k] >= attributes:
                return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fits(b: TreeBuffers) -> cython.bint:
    """Read the options, and say whether the buffers fit together; codes and classes are the caller's concern."""
    a: cython.Py_ssize_t
    attributes: cython.Py_ssize_t = len(b.divisor)
    if not _options_fit(b):
        return False
    if b.large > 0 and (len(b.keys) < b.room or len(b.spare) < b.room):
        return False
    if len(b.miss) < b.classes or len(b.fill) < b.classes or len(b.work) < 2 * b.classes + 2:
        return False
    if len(b.found) < 3 * attributes or len(b.slots) < 3 * attributes:
        return False
    for a in range(attributes):
        if not _column_fits(b, a):
            return False
    return _stack_fits(b)
