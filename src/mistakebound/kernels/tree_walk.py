"""Rows walk down a decision tree: a leaf a row, or, where values are missing, shares of several leaves.

nodes: 4 numbers a node: the line of its test (-1: a leaf; >= 0: of `codes`; <= -2: of `numbers`, as -2 - line), the
first child, the child for rows without a value, where its mask begins in `masks` (-1: a child a value).
codes, numbers: a line a tested column, `stride` long, as a table has them.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _branch(
    node: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    line: cython.int,
    stride: cython.Py_ssize_t,
    codes: cython.const[cython.int][::1],
    numbers: cython.const[cython.double][::1],
    nodes: cython.const[cython.int][::1],
    thresholds: cython.const[cython.double][::1],
    masks: cython.const[cython.uchar][::1],
) -> cython.int:
    """The child by number, -1 for a row that has no value for the test."""
    code: cython.int
    value: cython.double
    if line >= 0:
        code = codes[line * stride + row]
        if code < 0:
            return -1
        if nodes[4 * node + 3] < 0:
            return code
        return 1 - masks[nodes[4 * node + 3] + code]
    value = numbers[(-2 - line) * stride + row]
    if value <= thresholds[node]:
        return 0
    return 1 if value == value else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk(
    rows: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    stop: cython.bint,
    codes: cython.const[cython.int][::1],
    numbers: cython.const[cython.double][::1],
    nodes: cython.const[cython.int][::1],
    thresholds: cython.const[cython.double][::1],
    masks: cython.const[cython.uchar][::1],
    out: cython.int[::1],
) -> cython.Py_ssize_t:
    row: cython.Py_ssize_t
    node: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    line: cython.int
    branch: cython.int
    going: cython.bint
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
                line = nodes[4 * node] if node >= 0 else -1
                if line == -1:
                    continue
                branch = _branch(node, row, line, stride, codes, numbers, nodes, thresholds, masks)
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
def _share(
    row: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    codes: cython.const[cython.int][::1],
    numbers: cython.const[cython.double][::1],
    nodes: cython.const[cython.int][::1],
    thresholds: cython.const[cython.double][::1],
    masks: cython.const[cython.uchar][::1],
    arity: cython.const[cython.int][::1],
    part: cython.const[cython.double][::1],
    chances: cython.const[cython.double][::1],
    waiting: cython.int[::1],
    weight: cython.double[::1],
    out: cython.double[::1],
) -> cython.void:
    c: cython.Py_ssize_t
    size: cython.Py_ssize_t = 1
    node: cython.Py_ssize_t
    child: cython.Py_ssize_t
    line: cython.int
    branch: cython.int
    mine: cython.double
    waiting[0] = 0
    weight[0] = 1.0
    for c in range(classes):
        out[row * classes + c] = 0.0
    while size > 0:
        size -= 1
        node = waiting[size]
        mine = weight[size]
        line = nodes[4 * node]
        if line == -1:
            for c in range(classes):
                out[row * classes + c] += mine * chances[node * classes + c]
            continue
        branch = _branch(node, row, line, stride, codes, numbers, nodes, thresholds, masks)
        child = nodes[4 * node + 1]
        if branch >= 0:
            waiting[size] = cython.cast(cython.int, child + branch)
            weight[size] = mine
            size += 1
            continue
        for c in range(child, child + arity[node]):
            if part[c] > 0.0:
                waiting[size] = cython.cast(cython.int, c)
                weight[size] = mine * part[c]
                size += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _strange(
    rows: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    codes: cython.const[cython.int][::1],
    limits: cython.const[cython.int][::1],
) -> cython.bint:
    """Whether a code is outside its column's values."""
    line: cython.Py_ssize_t
    row: cython.Py_ssize_t
    limit: cython.int
    bad: cython.int = 0
    for line in range(len(limits)):
        limit = limits[line]
        for row in range(line * stride, line * stride + rows):
            bad |= codes[row] >= limit
    return bad != 0


def walk(
    rows: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    stop: cython.bint,
    codes: cython.const[cython.int][::1],
    limits: cython.const[cython.int][::1],
    numbers: cython.const[cython.double][::1],
    numeric: cython.Py_ssize_t,
    nodes: cython.const[cython.int][::1],
    thresholds: cython.const[cython.double][::1],
    masks: cython.const[cython.uchar][::1],
    out: cython.int[::1],
) -> cython.Py_ssize_t:
    """out[row] is its leaf; with `stop` -1 for a row that has no value for a test on its way; how many such there are.

    -1 when the buffers do not fit, or a code is not below its column's limit.  limits: of every line of codes; numeric:
    how many lines numbers has.  The caller vouches for the tree.
    """
    stopped: cython.Py_ssize_t = -1
    if rows < 0 or stride < rows or len(out) < rows or len(codes) < len(limits) * stride:
        return stopped
    if numeric < 0 or len(numbers) < numeric * stride:
        return stopped
    if len(nodes) < 4 or len(thresholds) < len(nodes) // 4:
        return stopped
    with cython.nogil:
        if not _strange(rows, stride, codes, limits):
            stopped = _walk(rows, stride, stop, codes, numbers, nodes, thresholds, masks, out)
    return stopped


def share(
    rows: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    leaves: cython.const[cython.int][::1],
    codes: cython.const[cython.int][::1],
    limits: cython.const[cython.int][::1],
    numbers: cython.const[cython.double][::1],
    numeric: cython.Py_ssize_t,
    nodes: cython.const[cython.int][::1],
    thresholds: cython.const[cython.double][::1],
    masks: cython.const[cython.uchar][::1],
    arity: cython.const[cython.int][::1],
    part: cython.const[cython.double][::1],
    chances: cython.const[cython.double][::1],
    waiting: cython.int[::1],
    weight: cython.double[::1],
    out: cython.double[::1],
) -> cython.int:
    """out[row * classes:]: the chances of the classes at the leaf of a row; those of a row without one (-1: it lacks
    a value) are sums over the branches by their parts.

    part: of every node, its share of its parent's rows.  chances: of every node, by class.  0, or -1 for a misfit.
    """
    row: cython.Py_ssize_t
    c: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(nodes) // 4
    if rows < 0 or stride < rows or classes < 1 or len(leaves) < rows or len(out) < rows * classes:
        return -1
    if len(codes) < len(limits) * stride or len(numbers) < numeric * stride:
        return -1
    if size < 1 or len(thresholds) < size or len(arity) < size or len(part) < size or len(chances) < size * classes:
        return -1
    if len(waiting) < size or len(weight) < size:
        return -1
    with cython.nogil:
        for row in range(rows):
            if leaves[row] >= 0:
                for c in range(classes):
                    out[row * classes + c] = chances[leaves[row] * classes + c]
            else:
                _share(
                    row, stride, classes, codes, numbers, nodes, thresholds, masks, arity, part, chances, waiting,
                    weight, out,
                )  # fmt: skip
    return 0
