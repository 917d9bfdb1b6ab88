"""Growing a decision tree over integer codes, depth first.

The rows of a node lie next to each other and move with it: counting reads memory in order, and a row is moved only as
long as its node may be split.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython
if cython.compiled:
    from cython.cimports.mistakebound.kernels.tree_buffers import TreeBuffers, fits
    from cython.cimports.mistakebound.kernels.tree_tests import (
        choose,
        count_rows,
        entropy,
        measure,
        plain,
        significant,
    )
else:
    from mistakebound.kernels.tree_buffers import TreeBuffers, fits
    from mistakebound.kernels.tree_tests import choose, count_rows, entropy, measure, plain, significant

DONE, MORE_NODES, MORE_STACK, MORE_DEPTH, MORE_MASKS, MORE_ROWS, PAUSE = range(7)  # state[4]: how much is needed
MISFIT = -1  # the buffers do not fit together
_DONE = cython.declare(cython.int, DONE)
_MORE_NODES = cython.declare(cython.int, MORE_NODES)
_MORE_STACK = cython.declare(cython.int, MORE_STACK)
_MORE_DEPTH = cython.declare(cython.int, MORE_DEPTH)
_MORE_MASKS = cython.declare(cython.int, MORE_MASKS)
_MORE_ROWS = cython.declare(cython.int, MORE_ROWS)
_PAUSE = cython.declare(cython.int, PAUSE)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _known_branches(b: TreeBuffers, kind: cython.int, at: cython.Py_ssize_t) -> cython.void:
    """The counts of the children, which begin at counts[at], from the groups of the tested column."""
    g: cython.Py_ssize_t
    cut: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, b.out[3])
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for g in range(b.groups):
        if kind == 0:
            k = b.gv[g]
        elif kind == 1:
            k = 1 - b.side[g]
        else:
            k = 1 if g > cut else 0
        for c in range(b.classes):
            b.counts[at + k * b.classes + c] += b.gc[g * b.classes + c]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _missing_branches(b: TreeBuffers, kind: cython.int, arity: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.void:
    """fill[c]: the child that takes rows of class c without a value; with fractions part[b] of each goes to child b."""
    child: cython.Py_ssize_t
    classes: cython.Py_ssize_t = b.classes
    counts: cython.double[::1] = b.counts
    fill: cython.int[::1] = b.fill
    part: cython.double[::1] = b.part
    c: cython.Py_ssize_t
    best: cython.Py_ssize_t = 0
    known: cython.double = 0.0
    most: cython.double = -1.0
    if kind != 2 and b.mode < 2:  # the groups were filled; which children they went to
        for c in range(classes):
            fill[c] = b.gv[fill[c]] if kind == 0 else 1 - b.side[fill[c]]
        return
    for child in range(arity):
        part[child] = 0.0
        for c in range(classes):
            part[child] += counts[at + child * classes + c]
        known += part[child]
        if part[child] > most:
            most = part[child]
            best = child
    for child in range(arity):
        part[child] /= known
    for c in range(classes):
        fill[c] = cython.cast(cython.int, best)
        if b.mode == 1:
            most = 0.0
            for child in range(arity):
                if counts[at + child * classes + c] > most:
                    most = counts[at + child * classes + c]
                    fill[c] = cython.cast(cython.int, child)
    for c in range(classes):
        if b.miss[c] > 0.0:
            if b.mode < 2:
                counts[at + fill[c] * classes + c] += b.miss[c]
            else:
                for child in range(arity):
                    counts[at + child * classes + c] += part[child] * b.miss[c]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _deal(
    b: TreeBuffers,
    a: cython.Py_ssize_t,
    lo: cython.Py_ssize_t,
    hi: cython.Py_ssize_t,
    low: cython.Py_ssize_t,
    mask: cython.Py_ssize_t,
    arity: cython.Py_ssize_t,
    move: cython.bint,
) -> cython.void:
    """Without `move` count the rows of each child to sizes; with it move those with begin >= 0 behind `room`."""
    narrow: cython.uchar[::1] = b.narrow
    wide: cython.uint[::1] = b.wide
    y: cython.int[::1] = b.y
    w: cython.double[::1] = b.w
    begin: cython.longlong[::1] = b.begin
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    child: cython.Py_ssize_t
    to: cython.Py_ssize_t
    end: cython.Py_ssize_t
    code: cython.Py_ssize_t
    place: cython.Py_ssize_t = b.columns[5 * a]
    kind: cython.int = b.columns[5 * a + 1]
    bins: cython.Py_ssize_t = b.columns[5 * a + 2]
    small: cython.Py_ssize_t = b.small
    large: cython.Py_ssize_t = b.large
    share: cython.double
    for r in range(lo, hi):
        code = narrow[r * small + place] if place >= 0 else wide[r * large - 1 - place]
        share = 1.0
        end = -1
        if code == bins:
            if b.mode >= 2:
                child = 0
                end = arity
            else:
                child = b.fill[y[r]]
        elif kind == 0:
            child = code
        elif kind == 2:
            child = 1 if code > low else 0
        else:
            child = 0 if b.masks[mask + code] else 1
        while True:
            if end >= 0:
                share = b.part[child]
            if share > 0.0:
                if not move:
                    b.sizes[child] += 1
                elif begin[child] >= 0:
                    to = b.room + begin[child]
                    begin[child] += 1
                    y[to] = y[r]
                    if len(w) > 0:
                        w[to] = w[r] * share
                    for k in range(small):
                        narrow[to * small + k] = narrow[r * small + k]
                    for k in range(large):
                        wide[to * large + k] = wide[r * large + k]
            child += 1
            if child >= end:
                break


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _open_child(b: TreeBuffers, node: cython.Py_ssize_t) -> cython.bint:
    """Whether a node may be split by its counts: two classes, rows enough for two branches."""
    c: cython.Py_ssize_t
    present: cython.int = 0
    total: cython.double = 0.0
    for c in range(node * b.classes, (node + 1) * b.classes):
        total += b.counts[c]
        if b.counts[c] > 0.0:
            present += 1
    return present >= 2 and total >= 2.0 * b.least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_test(
    b: TreeBuffers, node: cython.Py_ssize_t, lo: cython.Py_ssize_t, hi: cython.Py_ssize_t, at: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """The column to test at a node, of those from active[at] on, measured last; -1: none."""
    tests: cython.Py_ssize_t = b.active[at - 1]
    narrows: cython.Py_ssize_t = 0
    weighted: cython.bint = len(b.w) > 0
    n: cython.int = cython.cast(cython.int, hi - lo)
    a: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    base: cython.double = 0.0
    for i in range(tests):
        a = b.active[at + i]
        if b.columns[5 * a] >= 0:
            b.slots[3 * narrows] = b.columns[5 * a]
            b.slots[3 * narrows + 1] = b.columns[5 * a + 3]
            b.slots[3 * narrows + 2] = cython.cast(cython.int, (b.columns[5 * a + 2] + 1) * b.classes)
            narrows += 1
    if not b.counted:
        count_rows(b, lo, hi, narrows)
    if not weighted:
        base = entropy(b, node, n)
    for i in range(tests):
        a = b.active[at + i]
        b.groups = -1
        if not weighted and b.columns[5 * a] >= 0 and b.columns[5 * a + 1] == 0 and b.columns[5 * a + 2] <= 255:
            b.groups = plain(b, a, base, n)
        if b.groups < 0:
            b.groups = measure(b, a, lo, hi)
        b.found[3 * i] = b.out[0]
        b.found[3 * i + 1] = b.out[1]
        b.found[3 * i + 2] = b.out[2] if b.groups > 1 else -1.0
    a = choose(b, at, tests)
    if a >= 0:
        a = b.active[at + a]
        b.groups = measure(b, a, lo, hi)
    for i in range(narrows):
        for k in range(b.slots[3 * i + 1], b.slots[3 * i + 1] + b.slots[3 * i + 2]):
            if weighted:
                b.weights[k] = 0.0
            else:
                b.hist[k] = 0
    return a


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _missing_room(
    b: TreeBuffers, a: cython.Py_ssize_t, depth: cython.Py_ssize_t, arity: cython.Py_ssize_t
) -> cython.int:
    """DONE when there is room for the children of a node that tests column a; else what there is too little of."""
    first: cython.Py_ssize_t = b.state[1]
    b.state[4] = first + arity
    if 6 * (first + arity) > len(b.nodes):
        return _MORE_NODES
    b.state[4] = b.state[0] + arity
    if 4 * (b.state[0] + arity) > len(b.stack):
        return _MORE_STACK
    b.state[4] = depth + 2
    if (depth + 2) * (len(b.divisor) + 1) > len(b.active):
        return _MORE_DEPTH
    b.state[4] = b.state[2] + b.columns[5 * a + 2]
    if b.columns[5 * a + 1] == 1 and b.state[2] + b.columns[5 * a + 2] > len(b.masks):
        return _MORE_MASKS
    return _DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _tests_below(b: TreeBuffers, a: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """How many columns may be tested below a test of column a: not it again if it has a branch a value, nor one without
    two values.
    """
    i: cython.Py_ssize_t
    line: cython.Py_ssize_t = len(b.divisor) + 1
    total: cython.Py_ssize_t = 0
    for i in range(b.active[at - 1]):
        if b.found[3 * i + 2] >= 0.0 and (b.active[at + i] != a or b.columns[5 * a + 1] != 0):
            b.active[at + line + total] = b.active[at + i]
            total += 1
    b.active[at + line - 1] = cython.cast(cython.int, total)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _move_back(b: TreeBuffers, lo: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
    """The rows that were moved behind `room`, to where those of their parent were."""
    i: cython.Py_ssize_t
    for i in range(count):
        b.y[lo + i] = b.y[b.room + i]
    for i in range(count * b.small):
        b.narrow[lo * b.small + i] = b.narrow[b.room * b.small + i]
    for i in range(count * b.large):
        b.wide[lo * b.large + i] = b.wide[b.room * b.large + i]
    if len(b.w) > 0:
        for i in range(count):
            b.w[lo + i] = b.w[b.room + i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _enter_test(
    b: TreeBuffers, a: cython.Py_ssize_t, node: cython.Py_ssize_t, arity: cython.Py_ssize_t, low: cython.Py_ssize_t
) -> cython.void:
    """The node tests column a, and its children, which test nothing yet, are in the tree."""
    first: cython.Py_ssize_t = b.state[1]
    k: cython.Py_ssize_t
    for k in range(6 * first, 6 * (first + arity)):
        b.nodes[k] = 0 if k % 6 == 2 else -1
    for k in range(first * b.fills, (first + arity) * b.fills):
        b.otherwise[k] = -1
    b.nodes[6 * node] = cython.cast(cython.int, a)
    b.nodes[6 * node + 1] = cython.cast(cython.int, first)
    b.nodes[6 * node + 2] = cython.cast(cython.int, arity)
    if b.columns[5 * a + 1] == 2:
        b.nodes[6 * node + 3] = cython.cast(cython.int, low)
        b.nodes[6 * node + 4] = b.gv[cython.cast(cython.Py_ssize_t, b.out[4])]
    elif b.columns[5 * a + 1] == 1:
        b.nodes[6 * node + 5] = cython.cast(cython.int, b.state[2])
        b.state[2] += b.columns[5 * a + 2]
    for k in range(b.fills):
        b.otherwise[node * b.fills + k] = b.fill[k]
    b.state[1] += arity


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _grow(b: TreeBuffers) -> cython.int:
    classes: cython.Py_ssize_t = b.classes
    node: cython.Py_ssize_t
    lo: cython.Py_ssize_t
    hi: cython.Py_ssize_t
    depth: cython.Py_ssize_t
    a: cython.Py_ssize_t
    child: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    arity: cython.Py_ssize_t
    mask: cython.Py_ssize_t
    low: cython.Py_ssize_t
    kind: cython.int
    status: cython.int
    below: cython.bint
    weighted: cython.bint = len(b.w) > 0
    while b.state[0] > 0:
        node = b.stack[4 * b.state[0] - 4]
        lo = b.stack[4 * b.state[0] - 3]
        hi = b.stack[4 * b.state[0] - 2]
        depth = b.stack[4 * b.state[0] - 1]
        if b.budget < 0:
            return _PAUSE
        b.budget -= hi - lo
        at = depth * (len(b.divisor) + 1) + 1
        a = -1
        if depth != b.max_depth and _open_child(b, node):
            a = _find_test(b, node, lo, hi, at)
        if a < 0:
            b.state[0] -= 1
            continue
        kind = b.columns[5 * a + 1]
        first = b.state[1]
        arity = b.columns[5 * a + 2] if kind == 0 else 2
        mask = b.state[2]
        low = b.gv[cython.cast(cython.Py_ssize_t, b.out[3])] if kind == 2 else -1
        status = _missing_room(b, a, depth, arity)
        if status != _DONE:
            return status
        for k in range(first * classes, (first + arity) * classes):
            b.counts[k] = 0.0
        _known_branches(b, kind, first * classes)
        _missing_branches(b, kind, arity, first * classes)
        if len(b.critical) > 0 and not significant(b, node, first, arity):
            b.state[0] -= 1
            continue
        if kind == 1:
            for k in range(b.columns[5 * a + 2]):
                b.masks[mask + k] = 0  # a value that does not occur here is one of the rest
            for k in range(b.groups):
                b.masks[mask + b.gv[k]] = b.side[k]
        below = _tests_below(b, a, at) > 0 and depth + 1 != b.max_depth
        for child in range(arity):
            b.sizes[child] = 0
            b.begin[child] = -1
            if not weighted:
                for k in range((first + child) * classes, (first + child + 1) * classes):
                    b.sizes[child] += cython.cast(cython.longlong, b.counts[k])
        if weighted:
            _deal(b, a, lo, hi, low, mask, arity, False)
        # Children that may be split get room from the last to the first, so that the first is on top.
        k = 0
        for child in range(arity - 1, -1, -1):
            if below and _open_child(b, first + child):
                b.begin[child] = k
                k += b.sizes[child]
        b.state[4] = lo + k
        if lo + k > b.room and not b.counted:
            return _MORE_ROWS
        b.state[0] -= 1
        for child in range(arity - 1, -1, -1):
            if b.begin[child] >= 0:
                b.stack[4 * b.state[0]] = first + child
                b.stack[4 * b.state[0] + 1] = lo + b.begin[child]
                b.stack[4 * b.state[0] + 2] = lo + b.begin[child] + b.sizes[child]
                b.stack[4 * b.state[0] + 3] = depth + 1
                b.state[0] += 1
        if k > 0 and not b.counted:
            _deal(b, a, lo, hi, low, mask, arity, True)
            _move_back(b, lo, k)
        _enter_test(b, a, node, arity, low)
    return _DONE


def grow(b: TreeBuffers) -> cython.int:
    """Grow until the stack of nodes is empty: DONE; or stop before a node is split, to be called again.

    The caller vouches for codes (at most the number of values) and classes.
    """
    status: cython.int = MISFIT
    with cython.nogil:
        if fits(b):
            status = _grow(b)
    return status
