"""Growing a decision tree over integer codes, depth first.

The rows of a node lie next to each other and move with it: counting reads memory in order, and a row is moved only as
long as its node may be split.  Codes below 256 lie in `narrow`, others in `wide`, row by row.  A number is the rank of
its value; the code behind the last value means missing.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython
if cython.compiled:
    from cython.cimports.libc.math import exp2, log2
    from cython.cimports.mistakebound.kernels.tree_splits import fill_groups, many_ways, one_value, threshold
else:
    from math import exp2, log2

    from mistakebound.kernels.tree_splits import fill_groups, many_ways, one_value, threshold

DONE, MORE_NODES, MORE_STACK, MORE_DEPTH, MORE_MASKS, MORE_ROWS, PAUSE = range(7)  # state[4]: how much is needed
MISFIT = -1  # the buffers do not fit together
_MORE_NODES = cython.declare(cython.int, MORE_NODES)
_MORE_STACK = cython.declare(cython.int, MORE_STACK)
_MORE_DEPTH = cython.declare(cython.int, MORE_DEPTH)
_MORE_MASKS = cython.declare(cython.int, MORE_MASKS)
_MORE_ROWS = cython.declare(cython.int, MORE_ROWS)
_PAUSE = cython.declare(cython.int, PAUSE)


@cython.cclass
class TreeBuffers:
    """What a tree is grown in: rows, columns, work space and the tree so far, all of which stay the caller's."""

    narrow: cython.uchar[::1]
    wide: cython.uint[::1]
    y: cython.int[::1]
    w: cython.double[::1]
    columns: cython.const[cython.int][::1]
    divisor: cython.const[cython.double][::1]
    table: cython.const[cython.double][::1]
    critical: cython.const[cython.double][::1]
    options: cython.const[cython.longlong][::1]
    least: cython.double
    hist: cython.int[::1]
    weights: cython.double[::1]
    gv: cython.int[::1]
    gc: cython.double[::1]
    side: cython.uchar[::1]
    keys: cython.ulonglong[::1]
    spare: cython.ulonglong[::1]
    miss: cython.double[::1]
    work: cython.double[::1]
    found: cython.double[::1]
    out: cython.double[::1]
    fill: cython.int[::1]
    slots: cython.int[::1]
    part: cython.double[::1]
    begin: cython.longlong[::1]
    sizes: cython.longlong[::1]
    active: cython.int[::1]
    stack: cython.longlong[::1]
    state: cython.longlong[::1]
    nodes: cython.int[::1]
    otherwise: cython.int[::1]
    masks: cython.uchar[::1]
    counts: cython.double[::1]

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
        options: 0 classes, 1 narrow and 2 wide columns, 3 gain ratio, 4 guard, 5 cost measure (1 Tan and Schlimmer,
        2 Nunez), 6 mode for missing values (tree_splits), 7 greatest depth (-1: any), 8 rows until a pause, 9 whether
        the rows lie elsewhere and `hist` has the counts of the one node of the stack: then every column is narrow,
        whatever its values, and 8 is 0.
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
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _s(x: cython.int, table: cython.const[cython.double][::1]) -> cython.double:
    if x < len(table):
        return table[x]
    return x * log2(cython.cast(cython.double, x))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sort(
    keys: cython.ulonglong[::1], spare: cython.ulonglong[::1], n: cython.Py_ssize_t, top: cython.ulonglong
) -> cython.void:
    """Sort keys[:n] by what stands above bit 32 (at most `top`), equal ones as they are: by insertion or by digits."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    key: cython.ulonglong
    shift: cython.int = 32
    digit: cython.Py_ssize_t
    place: cython.Py_ssize_t
    size: cython.Py_ssize_t
    begins = cython.declare(cython.Py_ssize_t[256])
    if n <= 48:
        for i in range(1, n):
            key = keys[i]
            j = i
            while j > 0 and keys[j - 1] > key:
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = key
        return
    while top > 0:
        for digit in range(256):
            begins[digit] = 0
        for i in range(n):
            begins[cython.cast(cython.Py_ssize_t, (keys[i] >> shift) & 255)] += 1
        place = 0
        for digit in range(256):
            size = begins[digit]
            begins[digit] = place
            place += size
        for i in range(n):
            digit = cython.cast(cython.Py_ssize_t, (keys[i] >> shift) & 255)
            spare[begins[digit]] = keys[i]
            begins[digit] += 1
        for i in range(n):
            keys[i] = spare[i]
        shift += 8
        top >>= 8


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _wide_groups(
    wide: cython.const[cython.uint][::1],
    columns: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    y: cython.const[cython.int][::1],
    w: cython.const[cython.double][::1],
    lo: cython.Py_ssize_t,
    hi: cython.Py_ssize_t,
    bins: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    keys: cython.ulonglong[::1],
    spare: cython.ulonglong[::1],
    gv: cython.int[::1],
    gc: cython.double[::1],
    miss: cython.double[::1],
) -> cython.Py_ssize_t:
    r: cython.Py_ssize_t
    c: cython.Py_ssize_t
    code: cython.Py_ssize_t
    last: cython.Py_ssize_t = -1
    n: cython.Py_ssize_t = 0
    groups: cython.Py_ssize_t = 0
    weight: cython.double = 1.0
    weighted: cython.bint = len(w) > 0
    low: cython.ulonglong = 0xFFFFFFFF
    for c in range(classes):
        miss[c] = 0.0
    for r in range(lo, hi):
        code = wide[r * columns + column]
        if code == bins:
            miss[y[r]] += w[r] if weighted else 1.0
        else:
            keys[n] = (cython.cast(cython.ulonglong, code) << 32) | cython.cast(cython.ulonglong, r)
            n += 1
    _sort(keys, spare, n, cython.cast(cython.ulonglong, bins))
    for r in range(n):
        code = cython.cast(cython.Py_ssize_t, keys[r] >> 32)
        if code != last:
            last = code
            gv[groups] = cython.cast(cython.int, code)
            for c in range(classes):
                gc[groups * classes + c] = 0.0
            groups += 1
        c = cython.cast(cython.Py_ssize_t, keys[r] & low)
        if weighted:
            weight = w[c]
        gc[(groups - 1) * classes + y[c]] += weight
    return groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _narrow_groups(
    hist: cython.const[cython.int][::1],
    weights: cython.const[cython.double][::1],
    start: cython.Py_ssize_t,
    bins: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    gv: cython.int[::1],
    gc: cython.double[::1],
    miss: cython.double[::1],
) -> cython.Py_ssize_t:
    v: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    groups: cython.Py_ssize_t = 0
    x: cython.double
    size: cython.double
    weighted: cython.bint = len(weights) > 0
    for v in range(bins):
        size = 0.0
        k = start + v * classes
        for c in range(classes):
            x = weights[k + c] if weighted else hist[k + c]
            gc[groups * classes + c] = x
            size += x
        if size > 0.0:
            gv[groups] = cython.cast(cython.int, v)
            groups += 1
    k = start + bins * classes
    for c in range(classes):
        miss[c] = weights[k + c] if weighted else hist[k + c]
    return groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _plain(
    hist: cython.const[cython.int][::1],
    start: cython.Py_ssize_t,
    bins: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    base: cython.double,
    n: cython.int,
    least: cython.double,
    table: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.Py_ssize_t:
    """`many_ways` for whole counts, straight from them; how many values occur, or -1 when some are missing."""
    v: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t = start
    groups: cython.Py_ssize_t = 0
    large: cython.int = 0
    x: cython.int
    other: cython.int
    size: cython.int
    known: cython.int = 0
    inner: cython.double
    sums: cython.double = 0.0
    parts: cython.double = 0.0
    for v in range(bins):
        if classes == 2:
            x = hist[k]
            other = hist[k + 1]
            size = x + other
            if size == 0:
                k += 2
                continue
            inner = _s(x, table) + _s(other, table)
        else:
            size = 0
            inner = 0.0
            for c in range(classes):
                x = hist[k + c]
                size += x
                if x > 1:
                    inner += _s(x, table)
            if size == 0:
                k += classes
                continue
        k += classes
        groups += 1
        known += size
        if size >= least:
            large += 1
        sums += inner
        parts += _s(size, table)
    if known < n:
        return -1
    inner = base - (parts - sums)
    out[0] = inner / n if inner > 1e-12 * n else 0.0
    out[1] = (_s(n, table) - parts) / n
    out[2] = 1.0 if large >= 2 else 0.0
    return groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _choose(
    found: cython.const[cython.double][::1],
    active: cython.const[cython.int][::1],
    at: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    ratio: cython.bint,
    guard: cython.bint,
    cost: cython.int,
    divisor: cython.const[cython.double][::1],
    columns: cython.const[cython.int][::1],
) -> cython.Py_ssize_t:
    """Which of the candidates is best, of equal ones the first; -1: none.  found[3*i:] is gain, information, usable."""
    i: cython.Py_ssize_t
    best: cython.Py_ssize_t = -1
    most: cython.double = -1.0
    value: cython.double
    average: cython.double = 0.0
    usable: cython.Py_ssize_t = 0
    all_many: cython.bint = True
    if ratio and guard:
        for i in range(count):
            if found[3 * i + 2] > 0.0 and not columns[5 * active[at + i] + 4]:
                all_many = False
        for i in range(count):
            if found[3 * i + 2] > 0.0 and (all_many or not columns[5 * active[at + i] + 4]):
                average += found[3 * i]
                usable += 1
        if usable > 0:
            average = average / usable - 1e-3
    for i in range(count):
        if found[3 * i + 2] <= 0.0:
            continue
        value = found[3 * i]
        if ratio:
            if guard and (value < average or value <= 1e-12):
                continue
            value = value / found[3 * i + 1] if found[3 * i + 1] > 1e-12 else 0.0
        if cost == 1:
            value = value * value / divisor[active[at + i]]
        elif cost == 2:
            value = (exp2(value) - 1.0) / divisor[active[at + i]]
        if value > most + 1e-10:
            most = value
            best = i
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _significant(
    counts: cython.const[cython.double][::1],
    node: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    arity: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    critical: cython.const[cython.double][::1],
) -> cython.bint:
    """Chi-squared of the branches that have rows against the classes of the node: is it in the tail?"""
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    branches: cython.Py_ssize_t = 0
    present: cython.Py_ssize_t = 0
    total: cython.double = 0.0
    size: cython.double
    expected: cython.double
    sum_: cython.double = 0.0
    for c in range(classes):
        total += counts[node * classes + c]
        if counts[node * classes + c] > 0.0:
            present += 1
    for b in range(arity):
        size = 0.0
        k = (first + b) * classes
        for c in range(classes):
            size += counts[k + c]
        if size <= 0.0:
            continue
        branches += 1
        for c in range(classes):
            expected = size * counts[node * classes + c] / total
            if expected > 0.0:
                sum_ += (counts[k + c] - expected) * (counts[k + c] - expected) / expected
    k = (branches - 1) * (present - 1)
    return k > 0 and sum_ >= critical[k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count(
    narrow: cython.const[cython.uchar][::1],
    y: cython.const[cython.int][::1],
    w: cython.const[cython.double][::1],
    lo: cython.Py_ssize_t,
    hi: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    slots: cython.const[cython.int][::1],
    count: cython.Py_ssize_t,
    hist: cython.int[::1],
    weights: cython.double[::1],
) -> cython.void:
    """Rows by value and class, all narrow columns in one pass; slots: place in the row, begin of counts, how many."""
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    p: cython.Py_ssize_t
    c: cython.Py_ssize_t
    if len(w) > 0:
        for r in range(lo, hi):
            p = r * stride
            c = y[r]
            for i in range(count):
                weights[slots[3 * i + 1] + narrow[p + slots[3 * i]] * classes + c] += w[r]
    else:
        for r in range(lo, hi):
            p = r * stride
            c = y[r]
            for i in range(count):
                hist[slots[3 * i + 1] + narrow[p + slots[3 * i]] * classes + c] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _measure(
    a: cython.Py_ssize_t,
    narrow: cython.const[cython.uchar][::1],
    wide: cython.const[cython.uint][::1],
    y: cython.const[cython.int][::1],
    w: cython.const[cython.double][::1],
    lo: cython.Py_ssize_t,
    hi: cython.Py_ssize_t,
    columns: cython.const[cython.int][::1],
    options: cython.const[cython.longlong][::1],
    least: cython.double,
    table: cython.const[cython.double][::1],
    hist: cython.const[cython.int][::1],
    weights: cython.const[cython.double][::1],
    gv: cython.int[::1],
    gc: cython.double[::1],
    side: cython.uchar[::1],
    keys: cython.ulonglong[::1],
    spare: cython.ulonglong[::1],
    miss: cython.double[::1],
    work: cython.double[::1],
    fill: cython.int[::1],
    out: cython.double[::1],
) -> cython.Py_ssize_t:
    """The best test of one column at a node, by way of its groups; how many there are."""
    classes: cython.Py_ssize_t = options[0]
    c: cython.Py_ssize_t
    groups: cython.Py_ssize_t
    place: cython.Py_ssize_t = columns[5 * a]
    kind: cython.int = columns[5 * a + 1]
    mode: cython.int = cython.cast(cython.int, options[6])
    lost: cython.double = 0.0
    if place >= 0:
        groups = _narrow_groups(hist, weights, columns[5 * a + 3], columns[5 * a + 2], classes, gv, gc, miss)
    else:
        groups = _wide_groups(
            wide, options[2], -1 - place, y, w, lo, hi, columns[5 * a + 2], classes, keys, spare, gv, gc, miss
        )
    out[0] = 0.0
    out[1] = 0.0
    out[2] = 0.0
    for c in range(classes):
        lost += miss[c]
        fill[c] = 0
    if groups == 0:
        return 0
    if kind != 2 and mode < 2:
        fill_groups(gc, groups, classes, miss, mode == 1, fill)
        for c in range(classes):
            miss[c] = 0.0
    if kind == 0:
        many_ways(gc, groups, classes, miss, mode, least, table, out)
    elif kind == 1:
        one_value(gc, groups, classes, miss, mode, least, table, work, side, out)
    else:
        threshold(gc, groups, classes, miss, mode, options[3] and options[4], least, table, work, out)
    return groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _known_branches(
    kind: cython.int,
    groups: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    cut: cython.Py_ssize_t,
    gv: cython.const[cython.int][::1],
    gc: cython.const[cython.double][::1],
    side: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    counts: cython.double[::1],
) -> cython.void:
    """The counts of the children, which begin at counts[at], from the groups of the tested column."""
    g: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for g in range(groups):
        if kind == 0:
            k = gv[g]
        elif kind == 1:
            k = 1 - side[g]
        else:
            k = 1 if g > cut else 0
        for c in range(classes):
            counts[at + k * classes + c] += gc[g * classes + c]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _missing_branches(
    kind: cython.int,
    mode: cython.int,
    arity: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    gv: cython.const[cython.int][::1],
    side: cython.const[cython.uchar][::1],
    fill: cython.int[::1],
    miss: cython.const[cython.double][::1],
    part: cython.double[::1],
    at: cython.Py_ssize_t,
    counts: cython.double[::1],
) -> cython.void:
    """fill[c]: the child that takes rows of class c without a value; with fractions part[b] of each goes to child b."""
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    best: cython.Py_ssize_t = 0
    known: cython.double = 0.0
    most: cython.double = -1.0
    if kind != 2 and mode < 2:  # the groups were filled; which children they went to
        for c in range(classes):
            fill[c] = gv[fill[c]] if kind == 0 else 1 - side[fill[c]]
        return
    for b in range(arity):
        part[b] = 0.0
        for c in range(classes):
            part[b] += counts[at + b * classes + c]
        known += part[b]
        if part[b] > most:
            most = part[b]
            best = b
    for b in range(arity):
        part[b] /= known
    for c in range(classes):
        fill[c] = cython.cast(cython.int, best)
        if mode == 1:
            most = 0.0
            for b in range(arity):
                if counts[at + b * classes + c] > most:
                    most = counts[at + b * classes + c]
                    fill[c] = cython.cast(cython.int, b)
    for c in range(classes):
        if miss[c] > 0.0:
            if mode < 2:
                counts[at + fill[c] * classes + c] += miss[c]
            else:
                for b in range(arity):
                    counts[at + b * classes + c] += part[b] * miss[c]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _deal(
    a: cython.Py_ssize_t,
    lo: cython.Py_ssize_t,
    hi: cython.Py_ssize_t,
    room: cython.Py_ssize_t,
    low: cython.Py_ssize_t,
    mask: cython.Py_ssize_t,
    arity: cython.Py_ssize_t,
    narrow: cython.uchar[::1],
    wide: cython.uint[::1],
    y: cython.int[::1],
    w: cython.double[::1],
    columns: cython.const[cython.int][::1],
    options: cython.const[cython.longlong][::1],
    masks: cython.const[cython.uchar][::1],
    fill: cython.const[cython.int][::1],
    part: cython.const[cython.double][::1],
    begin: cython.longlong[::1],
    sizes: cython.longlong[::1],
    move: cython.bint,
) -> cython.Py_ssize_t:
    """Without `move` count the rows of each child to sizes; with it move those with begin >= 0 behind `room`."""
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    to: cython.Py_ssize_t
    end: cython.Py_ssize_t
    code: cython.Py_ssize_t
    place: cython.Py_ssize_t = columns[5 * a]
    kind: cython.int = columns[5 * a + 1]
    bins: cython.Py_ssize_t = columns[5 * a + 2]
    small: cython.Py_ssize_t = options[1]
    large: cython.Py_ssize_t = options[2]
    share: cython.double
    for r in range(lo, hi):
        code = narrow[r * small + place] if place >= 0 else wide[r * large - 1 - place]
        share = 1.0
        end = -1
        if code == bins:
            if options[6] >= 2:
                b = 0
                end = arity
            else:
                b = fill[y[r]]
        elif kind == 0:
            b = code
        elif kind == 2:
            b = 1 if code > low else 0
        else:
            b = 0 if masks[mask + code] else 1
        while True:
            if end >= 0:
                share = part[b]
            if share > 0.0:
                if not move:
                    sizes[b] += 1
                elif begin[b] >= 0:
                    to = room + begin[b]
                    begin[b] += 1
                    y[to] = y[r]
                    if len(w) > 0:
                        w[to] = w[r] * share
                    for k in range(small):
                        narrow[to * small + k] = narrow[r * small + k]
                    for k in range(large):
                        wide[to * large + k] = wide[r * large + k]
            b += 1
            if b >= end:
                break
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _open_child(
    counts: cython.const[cython.double][::1], at: cython.Py_ssize_t, classes: cython.Py_ssize_t, least: cython.double
) -> cython.bint:
    """Whether a node with these counts may be split: two classes, rows enough for two branches."""
    c: cython.Py_ssize_t
    present: cython.int = 0
    total: cython.double = 0.0
    for c in range(classes):
        total += counts[at + c]
        if counts[at + c] > 0.0:
            present += 1
    return present >= 2 and total >= 2.0 * least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _grow(
    narrow: cython.uchar[::1],
    wide: cython.uint[::1],
    y: cython.int[::1],
    w: cython.double[::1],
    columns: cython.const[cython.int][::1],
    divisor: cython.const[cython.double][::1],
    table: cython.const[cython.double][::1],
    critical: cython.const[cython.double][::1],
    options: cython.const[cython.longlong][::1],
    least: cython.double,
    hist: cython.int[::1],
    weights: cython.double[::1],
    gv: cython.int[::1],
    gc: cython.double[::1],
    side: cython.uchar[::1],
    keys: cython.ulonglong[::1],
    spare: cython.ulonglong[::1],
    miss: cython.double[::1],
    work: cython.double[::1],
    found: cython.double[::1],
    out: cython.double[::1],
    fill: cython.int[::1],
    slots: cython.int[::1],
    part: cython.double[::1],
    begin: cython.longlong[::1],
    sizes: cython.longlong[::1],
    active: cython.int[::1],
    stack: cython.longlong[::1],
    state: cython.longlong[::1],
    nodes: cython.int[::1],
    otherwise: cython.int[::1],
    masks: cython.uchar[::1],
    counts: cython.double[::1],
) -> cython.int:
    classes: cython.Py_ssize_t = options[0]
    line: cython.Py_ssize_t = len(divisor) + 1
    fills: cython.Py_ssize_t = classes if options[6] == 1 else 1
    room: cython.Py_ssize_t = len(y) // 2
    budget: cython.longlong = options[8]
    node: cython.Py_ssize_t
    lo: cython.Py_ssize_t
    hi: cython.Py_ssize_t
    depth: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    tests: cython.Py_ssize_t
    at: cython.Py_ssize_t
    best: cython.Py_ssize_t
    groups: cython.Py_ssize_t
    first: cython.Py_ssize_t
    arity: cython.Py_ssize_t
    mask: cython.Py_ssize_t
    low: cython.Py_ssize_t
    total: cython.Py_ssize_t
    narrows: cython.Py_ssize_t
    plain: cython.bint = len(w) == 0
    counted: cython.bint = options[9] != 0
    base: cython.double
    while state[0] > 0:
        node = stack[4 * state[0] - 4]
        lo = stack[4 * state[0] - 3]
        hi = stack[4 * state[0] - 2]
        depth = stack[4 * state[0] - 1]
        if budget < 0:
            return _PAUSE
        budget -= hi - lo
        if not _open_child(counts, node * classes, classes, least) or depth == options[7]:
            state[0] -= 1
            continue
        at = depth * line + 1
        tests = active[at - 1]
        narrows = 0
        for i in range(tests):
            a = active[at + i]
            if columns[5 * a] >= 0:
                slots[3 * narrows] = columns[5 * a]
                slots[3 * narrows + 1] = columns[5 * a + 3]
                slots[3 * narrows + 2] = cython.cast(cython.int, (columns[5 * a + 2] + 1) * classes)
                narrows += 1
        if not counted:
            _count(narrow, y, w, lo, hi, options[1], classes, slots, narrows, hist, weights)
        base = 0.0
        if plain:
            base = _s(cython.cast(cython.int, hi - lo), table)
            for c in range(classes):
                base -= _s(cython.cast(cython.int, counts[node * classes + c]), table)
        for i in range(tests):
            a = active[at + i]
            groups = -1
            if plain and columns[5 * a] >= 0 and columns[5 * a + 1] == 0 and columns[5 * a + 2] <= 255:
                groups = _plain(
                    hist, columns[5 * a + 3], columns[5 * a + 2], classes, base, cython.cast(cython.int, hi - lo),
                    least, table, out,
                )  # fmt: skip
            if groups < 0:
                groups = _measure(
                    a, narrow, wide, y, w, lo, hi, columns, options, least, table, hist, weights, gv, gc,
                    side, keys, spare, miss, work, fill, out,
                )  # fmt: skip
            found[3 * i] = out[0]
            found[3 * i + 1] = out[1]
            found[3 * i + 2] = out[2] if groups > 1 else -1.0
        best = _choose(found, active, at, tests, options[3] != 0, options[4] != 0, options[5], divisor, columns)
        a = -1
        if best >= 0:
            a = active[at + best]
            groups = _measure(
                a, narrow, wide, y, w, lo, hi, columns, options, least, table, hist, weights, gv, gc,
                side, keys, spare, miss, work, fill, out,
            )  # fmt: skip
        for i in range(narrows):
            b = slots[3 * i + 1]
            for k in range(b, b + slots[3 * i + 2]):
                if plain:
                    hist[k] = 0
                else:
                    weights[k] = 0.0
        if a < 0:
            state[0] -= 1
            continue
        first = state[1]
        arity = columns[5 * a + 2] if columns[5 * a + 1] == 0 else 2
        mask = state[2]
        low = gv[cython.cast(cython.Py_ssize_t, out[3])] if columns[5 * a + 1] == 2 else -1
        state[4] = first + arity
        if 6 * (first + arity) > len(nodes):
            return _MORE_NODES
        state[4] = state[0] + arity
        if 4 * (state[0] + arity) > len(stack):
            return _MORE_STACK
        state[4] = depth + 2
        if (depth + 2) * line > len(active):
            return _MORE_DEPTH
        state[4] = mask + columns[5 * a + 2]
        if columns[5 * a + 1] == 1 and mask + columns[5 * a + 2] > len(masks):
            return _MORE_MASKS
        for k in range(first * classes, (first + arity) * classes):
            counts[k] = 0.0
        _known_branches(
            columns[5 * a + 1], groups, classes, cython.cast(cython.Py_ssize_t, out[3]), gv, gc, side, first * classes,
            counts,
        )  # fmt: skip
        _missing_branches(
            columns[5 * a + 1], options[6], arity, classes, gv, side, fill, miss, part, first * classes, counts
        )
        if len(critical) > 0 and not _significant(counts, node, first, arity, classes, critical):
            state[0] -= 1
            continue
        if columns[5 * a + 1] == 1:
            for k in range(columns[5 * a + 2]):
                masks[mask + k] = 0  # a value that does not occur here is one of the rest
            for k in range(groups):
                masks[mask + gv[k]] = side[k]
        # What may be tested below: not this column again if it has a branch a value, nor one without two values.
        total = 0
        for i in range(tests):
            if found[3 * i + 2] >= 0.0 and (active[at + i] != a or columns[5 * a + 1] != 0):
                active[at + line + total] = active[at + i]
                total += 1
        active[at + line - 1] = cython.cast(cython.int, total)
        # Children that may be split get room from the last to the first, so that the first is on top.
        for b in range(arity):
            sizes[b] = 0
            begin[b] = -1
            if plain:
                for c in range(classes):
                    sizes[b] += cython.cast(cython.longlong, counts[(first + b) * classes + c])
        if not plain:
            _deal(
                a, lo, hi, room, low, mask, arity, narrow, wide, y, w, columns, options, masks, fill, part, begin,
                sizes, False,
            )  # fmt: skip
        k = 0
        b = arity
        while b > 0:
            b -= 1
            if total > 0 and depth + 1 != options[7]:
                if _open_child(counts, (first + b) * classes, classes, least):
                    begin[b] = k
                    k += sizes[b]
        state[4] = lo + k
        if lo + k > room and not counted:
            return _MORE_ROWS
        state[0] -= 1
        b = arity
        while b > 0:
            b -= 1
            if begin[b] >= 0:
                stack[4 * state[0]] = first + b
                stack[4 * state[0] + 1] = lo + begin[b]
                stack[4 * state[0] + 2] = lo + begin[b] + sizes[b]
                stack[4 * state[0] + 3] = depth + 1
                state[0] += 1
        if k > 0 and not counted:
            _deal(
                a, lo, hi, room, low, mask, arity, narrow, wide, y, w, columns, options, masks, fill, part, begin,
                sizes, True,
            )  # fmt: skip
            for i in range(k):
                y[lo + i] = y[room + i]
            for i in range(k * options[1]):
                narrow[lo * options[1] + i] = narrow[room * options[1] + i]
            for i in range(k * options[2]):
                wide[lo * options[2] + i] = wide[room * options[2] + i]
            if not plain:
                for i in range(k):
                    w[lo + i] = w[room + i]
        for b in range(first, first + arity):
            for k in range(6):
                nodes[6 * b + k] = -1
            nodes[6 * b + 2] = 0
            for k in range(fills):
                otherwise[b * fills + k] = -1
        nodes[6 * node] = cython.cast(cython.int, a)
        nodes[6 * node + 1] = cython.cast(cython.int, first)
        nodes[6 * node + 2] = cython.cast(cython.int, arity)
        if columns[5 * a + 1] == 2:
            nodes[6 * node + 3] = cython.cast(cython.int, low)
            nodes[6 * node + 4] = gv[cython.cast(cython.Py_ssize_t, out[4])]
        elif columns[5 * a + 1] == 1:
            nodes[6 * node + 5] = cython.cast(cython.int, mask)
            state[2] += columns[5 * a + 2]
        for k in range(fills):
            otherwise[node * fills + k] = fill[k]
        state[1] += arity
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _misfit(
    columns: cython.const[cython.int][::1],
    options: cython.const[cython.longlong][::1],
    attributes: cython.Py_ssize_t,
    counters: cython.Py_ssize_t,
    room: cython.Py_ssize_t,
    groups: cython.Py_ssize_t,
    sets: cython.Py_ssize_t,
    widest: cython.Py_ssize_t,
    critical: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a column lies outside the rows, its counts outside theirs, or its values outside the work space."""
    a: cython.Py_ssize_t
    bins: cython.Py_ssize_t
    most: cython.Py_ssize_t
    for a in range(attributes):
        bins = columns[5 * a + 2]
        most = bins if bins < room or options[9] else room
        if (
            bins < 0
            or columns[5 * a + 1] < 0
            or columns[5 * a + 1] > 2
            or (widest < bins and columns[5 * a + 1] == 0)
            or widest < 2
            or groups <= most
        ):
            return True
        if columns[5 * a + 1] == 1 and sets < most:
            return True
        if critical > 0 and ((most if most > 2 else 2) - 1) * (options[0] - 1) >= critical:
            return True
        if columns[5 * a] < 0:
            if -1 - columns[5 * a] >= options[2]:
                return True
        elif columns[5 * a] >= options[1] or (bins > 255 and not options[9]) or columns[5 * a + 3] < 0:
            return True
        elif columns[5 * a + 3] + (bins + 1) * options[0] > counters:
            return True
    return False


def grow(b: TreeBuffers) -> cython.int:
    """Grow until the stack of nodes is empty: DONE; or stop before a node is split, to be called again.

    The caller vouches for codes (at most the number of values) and classes.
    """
    classes: cython.Py_ssize_t
    most: cython.Py_ssize_t
    room: cython.Py_ssize_t = len(b.y) // 2
    attributes: cython.Py_ssize_t = len(b.divisor)
    k: cython.Py_ssize_t
    status: cython.int
    if len(b.options) < 10 or len(b.state) < 5 or len(b.out) < 5 or attributes < 1 or len(b.columns) != 5 * attributes:
        return MISFIT
    classes = b.options[0]
    if (
        classes < 1
        or b.options[1] < 0
        or b.options[2] < 0
        or len(b.y) != 2 * room
        or (len(b.w) != 0 and len(b.w) != len(b.y))
        or (b.options[9] and (room > 0 or b.options[2] > 0 or b.options[8] != 0 or b.state[0] != 1))
    ):
        return MISFIT
    if len(b.narrow) < 2 * room * b.options[1] or len(b.wide) < 2 * room * b.options[2]:
        return MISFIT
    if b.options[2] > 0 and (len(b.keys) < room or len(b.spare) < room):
        return MISFIT
    if len(b.miss) < classes or len(b.fill) < classes or len(b.work) < 2 * classes + 2:
        return MISFIT
    if len(b.found) < 3 * attributes or len(b.slots) < 3 * attributes:
        return MISFIT
    most = len(b.part)
    if len(b.begin) < most:
        most = len(b.begin)
    if len(b.sizes) < most:
        most = len(b.sizes)
    room = len(b.side)
    if _misfit(
        b.columns,
        b.options,
        attributes,
        len(b.weights) if len(b.w) > 0 else len(b.hist),
        len(b.y) // 2,
        len(b.gc) // classes if len(b.gc) // classes < len(b.gv) else len(b.gv),
        room,
        most,
        len(b.critical),
    ):
        return MISFIT
    most = len(b.nodes) // 6
    if len(b.counts) < most * classes or len(b.otherwise) < most * (classes if b.options[6] == 1 else 1):
        return MISFIT
    if b.state[0] < 0 or len(b.stack) < 4 * b.state[0] or b.state[1] < 1 or most < b.state[1] or b.state[2] < 0:
        return MISFIT
    for room in range(b.state[0]):
        if (
            b.stack[4 * room] < 0
            or b.stack[4 * room] >= b.state[1]
            or (b.stack[4 * room + 3] + 1) * (attributes + 1) > len(b.active)
        ):
            return MISFIT
        if b.stack[4 * room + 1] < 0 or (b.stack[4 * room + 2] > len(b.y) // 2 and not b.options[9]):
            return MISFIT
        most = b.stack[4 * room + 3] * (attributes + 1)
        if b.active[most] < 0 or b.active[most] > attributes:
            return MISFIT
        for k in range(most + 1, most + 1 + b.active[most]):
            if b.active[k] < 0 or b.active[k] >= attributes:
                return MISFIT
    with cython.nogil:
        status = _grow(
            b.narrow, b.wide, b.y, b.w, b.columns, b.divisor, b.table, b.critical, b.options, b.least, b.hist,
            b.weights, b.gv, b.gc, b.side, b.keys, b.spare, b.miss, b.work, b.found, b.out, b.fill, b.slots, b.part,
            b.begin, b.sizes, b.active, b.stack, b.state, b.nodes, b.otherwise, b.masks, b.counts,
        )  # fmt: skip
    return status
