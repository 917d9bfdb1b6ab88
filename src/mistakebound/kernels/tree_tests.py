"""The best test at a node of a decision tree: rows counted by value and class, columns measured, one of them chosen."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython
if cython.compiled:
    from cython.cimports.libc.math import exp2
    from cython.cimports.mistakebound.kernels._entropy import x_log_x
    from cython.cimports.mistakebound.kernels.sorting import radix_sort
    from cython.cimports.mistakebound.kernels.tree_buffers import TreeBuffers
    from cython.cimports.mistakebound.kernels.tree_splits import fill_groups, many_ways, one_value, threshold
else:
    from math import exp2

    from mistakebound.kernels._entropy import x_log_x
    from mistakebound.kernels.sorting import radix_sort
    from mistakebound.kernels.tree_buffers import TreeBuffers
    from mistakebound.kernels.tree_splits import fill_groups, many_ways, one_value, threshold


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sort(
    keys: cython.ulonglong[::1], spare: cython.ulonglong[::1], n: cython.Py_ssize_t, top: cython.ulonglong
) -> cython.void:
    """Sort keys[:n] by what stands above bit 32 (at most `top`), equal ones as they are: by insertion or by bytes."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    key: cython.ulonglong
    end: cython.int = 4
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
        end += 1
        top >>= 8
    radix_sort(keys, 0, n, 4, end, spare)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _wide_groups(
    b: TreeBuffers, column: cython.Py_ssize_t, bins: cython.Py_ssize_t, lo: cython.Py_ssize_t, hi: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """The groups of a column of many values, by sorting the rows of the node."""
    wide: cython.uint[::1] = b.wide
    y: cython.int[::1] = b.y
    w: cython.double[::1] = b.w
    keys: cython.ulonglong[::1] = b.keys
    classes: cython.Py_ssize_t = b.classes
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
        b.miss[c] = 0.0
    for r in range(lo, hi):
        code = wide[r * b.large + column]
        if code == bins:
            b.miss[y[r]] += w[r] if weighted else 1.0
        else:
            keys[n] = (cython.cast(cython.ulonglong, code) << 32) | cython.cast(cython.ulonglong, r)
            n += 1
    _sort(keys, b.spare, n, cython.cast(cython.ulonglong, bins))
    for r in range(n):
        code = cython.cast(cython.Py_ssize_t, keys[r] >> 32)
        if code != last:
            last = code
            b.gv[groups] = cython.cast(cython.int, code)
            for c in range(classes):
                b.gc[groups * classes + c] = 0.0
            groups += 1
        c = cython.cast(cython.Py_ssize_t, keys[r] & low)
        if weighted:
            weight = w[c]
        b.gc[(groups - 1) * classes + y[c]] += weight
    return groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _narrow_groups(b: TreeBuffers, start: cython.Py_ssize_t, bins: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The groups of a column of few values, whose counts begin at `start`."""
    hist: cython.int[::1] = b.hist
    weights: cython.double[::1] = b.weights
    classes: cython.Py_ssize_t = b.classes
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
            b.gc[groups * classes + c] = x
            size += x
        if size > 0.0:
            b.gv[groups] = cython.cast(cython.int, v)
            groups += 1
    k = start + bins * classes
    for c in range(classes):
        b.miss[c] = weights[k + c] if weighted else hist[k + c]
    return groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def plain(b: TreeBuffers, a: cython.Py_ssize_t, base: cython.double, n: cython.int) -> cython.Py_ssize_t:
    """`many_ways` for whole counts, straight from them; how many values occur, or -1 when some are missing."""
    v: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t = b.columns[5 * a + 3]
    classes: cython.Py_ssize_t = b.classes
    hist: cython.int[::1] = b.hist
    table: cython.const[cython.double][::1] = b.table
    groups: cython.Py_ssize_t = 0
    large: cython.int = 0
    x: cython.int
    other: cython.int
    size: cython.int
    known: cython.int = 0
    inner: cython.double
    sums: cython.double = 0.0
    parts: cython.double = 0.0
    for v in range(b.columns[5 * a + 2]):
        if classes == 2:
            x = hist[k]
            other = hist[k + 1]
            size = x + other
            if size == 0:
                k += 2
                continue
            inner = x_log_x(x, table) + x_log_x(other, table)
        else:
            size = 0
            inner = 0.0
            for c in range(classes):
                x = hist[k + c]
                size += x
                if x > 1:
                    inner += x_log_x(x, table)
            if size == 0:
                k += classes
                continue
        k += classes
        groups += 1
        known += size
        if size >= b.least:
            large += 1
        sums += inner
        parts += x_log_x(size, table)
    if known < n:
        return -1
    inner = base - (parts - sums)
    b.out[0] = inner / n if inner > 1e-12 * n else 0.0
    b.out[1] = (x_log_x(n, table) - parts) / n
    b.out[2] = 1.0 if large >= 2 else 0.0
    return groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def entropy(b: TreeBuffers, node: cython.Py_ssize_t, n: cython.int) -> cython.double:
    """That of the classes of a node of n rows, times n."""
    c: cython.Py_ssize_t
    found: cython.double = x_log_x(n, b.table)
    for c in range(b.classes):
        found -= x_log_x(cython.cast(cython.int, b.counts[node * b.classes + c]), b.table)
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose(b: TreeBuffers, at: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Which of the candidates is best, of equal ones the first; -1: none.  found[3*i:] is gain, information, usable."""
    i: cython.Py_ssize_t
    best: cython.Py_ssize_t = -1
    most: cython.double = -1.0
    value: cython.double
    average: cython.double = 0.0
    usable: cython.Py_ssize_t = 0
    all_many: cython.bint = True
    if b.ratio and b.guard:
        for i in range(count):
            if b.found[3 * i + 2] > 0.0 and not b.columns[5 * b.active[at + i] + 4]:
                all_many = False
        for i in range(count):
            if b.found[3 * i + 2] > 0.0 and (all_many or not b.columns[5 * b.active[at + i] + 4]):
                average += b.found[3 * i]
                usable += 1
        if usable > 0:
            average = average / usable - 1e-3
    for i in range(count):
        if b.found[3 * i + 2] <= 0.0:
            continue
        value = b.found[3 * i]
        if b.ratio:
            if b.guard and (value < average or value <= 1e-12):
                continue
            value = value / b.found[3 * i + 1] if b.found[3 * i + 1] > 1e-12 else 0.0
        if b.cost == 1:
            value = value * value / b.divisor[b.active[at + i]]
        elif b.cost == 2:
            value = (exp2(value) - 1.0) / b.divisor[b.active[at + i]]
        if value > most + 1e-10:
            most = value
            best = i
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def significant(
    b: TreeBuffers, node: cython.Py_ssize_t, first: cython.Py_ssize_t, arity: cython.Py_ssize_t
) -> cython.bint:
    """Chi-squared of the branches that have rows against the classes of the node: is it in the tail?"""
    child: cython.Py_ssize_t
    classes: cython.Py_ssize_t = b.classes
    counts: cython.double[::1] = b.counts
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
    for child in range(arity):
        size = 0.0
        k = (first + child) * classes
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
    return k > 0 and sum_ >= b.critical[k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_rows(b: TreeBuffers, lo: cython.Py_ssize_t, hi: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
    """Rows by value and class, all narrow columns in one pass; slots: place in the row, begin of counts, how many."""
    narrow: cython.uchar[::1] = b.narrow
    y: cython.int[::1] = b.y
    w: cython.double[::1] = b.w
    slots: cython.int[::1] = b.slots
    hist: cython.int[::1] = b.hist
    weights: cython.double[::1] = b.weights
    classes: cython.Py_ssize_t = b.classes
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    p: cython.Py_ssize_t
    c: cython.Py_ssize_t
    if len(w) > 0:
        for r in range(lo, hi):
            p = r * b.small
            c = y[r]
            for i in range(count):
                weights[slots[3 * i + 1] + narrow[p + slots[3 * i]] * classes + c] += w[r]
    else:
        for r in range(lo, hi):
            p = r * b.small
            c = y[r]
            for i in range(count):
                hist[slots[3 * i + 1] + narrow[p + slots[3 * i]] * classes + c] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def measure(b: TreeBuffers, a: cython.Py_ssize_t, lo: cython.Py_ssize_t, hi: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The best test of one column at a node, by way of its groups; how many there are."""
    classes: cython.Py_ssize_t = b.classes
    c: cython.Py_ssize_t
    place: cython.Py_ssize_t = b.columns[5 * a]
    kind: cython.int = b.columns[5 * a + 1]
    groups: cython.Py_ssize_t
    if place >= 0:
        groups = _narrow_groups(b, b.columns[5 * a + 3], b.columns[5 * a + 2])
    else:
        groups = _wide_groups(b, -1 - place, b.columns[5 * a + 2], lo, hi)
    b.out[0] = 0.0
    b.out[1] = 0.0
    b.out[2] = 0.0
    for c in range(classes):
        b.fill[c] = 0
    if groups == 0:
        return 0
    if kind != 2 and b.mode < 2:
        fill_groups(b.gc, groups, classes, b.miss, b.mode == 1, b.fill)
        for c in range(classes):
            b.miss[c] = 0.0
    if kind == 0:
        many_ways(b.gc, groups, classes, b.miss, b.mode, b.least, b.table, b.out)
    elif kind == 1:
        one_value(b.gc, groups, classes, b.miss, b.mode, b.least, b.table, b.work, b.side, b.out)
    else:
        threshold(b.gc, groups, classes, b.miss, b.mode, b.ratio and b.guard, b.least, b.table, b.work, b.out)
    return groups
