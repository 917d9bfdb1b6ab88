"""How good is a test at a node of a decision tree?  Counts by value and class in, gain and split information out.

A "group" is a value that occurs at the node: gv[g] is its code (ascending), gc[g * classes + c] the weight of its rows
of class c; `miss` are the rows without a value, by class.  Entropies are taken as sums of S(x) = x log2 x:
weight * gain = S(W) - sum_c S(t_c) - sum_branches (S(n_b) - sum_c S(n_bc)).
What is done with missing values: 0 the commonest value, 1 the commonest among the rows of that class, 2 fractions that
count in the gain (Mitchell, section 3.7.4), 3 fractions by C4.5: the gain among known rows times their share.
out: 0 gain, 1 split information, 2 whether the test may be used, 3 and 4 the groups beside the threshold.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython
if cython.compiled:
    from cython.cimports.libc.math import log2
    from cython.cimports.mistakebound.kernels._entropy import x_log_x
else:
    from math import log2

    from mistakebound.kernels._entropy import x_log_x


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_groups(
    gc: cython.double[::1],
    groups: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    miss: cython.const[cython.double][::1],
    in_class: cython.bint,
    fill: cython.int[::1],
) -> cython.void:
    """Give rows without a value the commonest one of the node (of their class there): fill[c] is its group."""
    g: cython.Py_ssize_t
    c: cython.Py_ssize_t
    best: cython.Py_ssize_t = 0
    mine: cython.Py_ssize_t
    most: cython.double = -1.0
    size: cython.double
    for g in range(groups):
        size = 0.0
        for c in range(classes):
            size += gc[g * classes + c]
        if size > most:
            most = size
            best = g
    for c in range(classes):
        mine = best
        if in_class:
            most = 0.0
            for g in range(groups):
                if gc[g * classes + c] > most:
                    most = gc[g * classes + c]
                    mine = g
        fill[c] = cython.cast(cython.int, mine)
    for c in range(classes):
        gc[fill[c] * classes + c] += miss[c]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def many_ways(
    gc: cython.const[cython.double][::1],
    groups: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    miss: cython.const[cython.double][::1],
    mode: cython.int,
    least: cython.double,
    table: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.void:
    """A branch a value; with modes 0 and 1 the missing values are filled in already and `miss` is full of zeros."""
    g: cython.Py_ssize_t
    c: cython.Py_ssize_t
    known: cython.double = 0.0
    lost: cython.double = 0.0
    size: cython.double
    inner: cython.double
    total: cython.double
    base: cython.double = 0.0
    within: cython.double = 0.0
    parts: cython.double = 0.0
    share: cython.double
    large: cython.int = 0
    for c in range(classes):
        total = 0.0
        for g in range(groups):
            total += gc[g * classes + c]
        known += total
        lost += miss[c]
        base -= x_log_x(total if mode == 3 else total + miss[c], table)
    base += x_log_x(known if mode == 3 else known + lost, table)
    for g in range(groups):
        size = 0.0
        for c in range(classes):
            size += gc[g * classes + c]
        if size >= least:
            large += 1
        share = size / known if mode == 2 else 0.0
        inner = 0.0
        for c in range(classes):
            inner += x_log_x(gc[g * classes + c] + share * miss[c], table)
        size += share * lost
        within += x_log_x(size, table) - inner
        parts += x_log_x(size, table)
    total = known + lost
    if mode == 3:
        parts += x_log_x(lost, table)
    out[0] = (base - within) / total if base - within > 1e-12 * total else 0.0
    out[1] = (x_log_x(total, table) - parts) / total
    out[2] = 1.0 if large >= 2 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _two_ways(
    work: cython.double[::1],
    classes: cython.Py_ssize_t,
    miss: cython.const[cython.double][::1],
    lost: cython.double,
    mode: cython.int,
    table: cython.const[cython.double][::1],
) -> cython.double:
    """What is left of the entropy (times weight) when work[:classes] of work[classes:2*classes] go to child 0.

    The weights of both branches, missing rows included where they count, are left behind both.
    """
    c: cython.Py_ssize_t
    a: cython.double = 0.0
    b: cython.double = 0.0
    left: cython.double
    right: cython.double
    inner: cython.double = 0.0
    share: cython.double = 0.0
    if lost > 0.0:
        for c in range(classes):
            a += work[c]
            b += work[classes + c] - work[c]
        share = 1.0 if a >= b else 0.0
        if mode == 2:
            share = a / (a + b)
        a = 0.0
        b = 0.0
    for c in range(classes):
        left = work[c]
        right = work[classes + c] - left
        if lost > 0.0 and mode != 3:
            if mode == 1 and (left > 0.0 or right > 0.0):
                if left >= right:
                    left += miss[c]
                else:
                    right += miss[c]
            else:
                left += share * miss[c]
                right += (1.0 - share) * miss[c]
        a += left
        b += right
        inner += x_log_x(left, table) + x_log_x(right, table)
    work[2 * classes] = a
    work[2 * classes + 1] = b
    return x_log_x(a, table) + x_log_x(b, table) - inner


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _prepare(
    gc: cython.const[cython.double][::1],
    groups: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    miss: cython.const[cython.double][::1],
    mode: cython.int,
    table: cython.const[cython.double][::1],
    work: cython.double[::1],
    out: cython.double[::1],
) -> cython.double:
    """Known rows by class to work[classes:], nothing yet on the left; the entropy at the node times its weight."""
    g: cython.Py_ssize_t
    c: cython.Py_ssize_t
    base: cython.double = 0.0
    all_rows: cython.double = 0.0
    total: cython.double
    for c in range(classes):
        work[c] = 0.0
        total = 0.0
        for g in range(groups):
            total += gc[g * classes + c]
        work[classes + c] = total
        if mode != 3:
            total += miss[c]
        all_rows += total
        base -= x_log_x(total, table)
    out[0] = 0.0
    out[1] = 0.0
    out[2] = 0.0
    return base + x_log_x(all_rows, table)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def threshold(
    gc: cython.const[cython.double][::1],
    groups: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    miss: cython.const[cython.double][::1],
    mode: cython.int,
    c45: cython.bint,
    least: cython.double,
    table: cython.const[cython.double][::1],
    work: cython.double[::1],
    out: cython.double[::1],
) -> cython.void:
    """The cut of most gain between neighbouring values, the first of equal ones.

    Cuts stand between neighbours of different class.  With c45 all neighbours count: each side has a tenth of the rows
    a class has on average (at least `least`, at most 25), and log2(cuts)/rows is taken off the gain.
    """
    g: cython.Py_ssize_t
    c: cython.Py_ssize_t
    tries: cython.Py_ssize_t = 0
    lost: cython.double = 0.0
    known: cython.double = 0.0
    base: cython.double = _prepare(gc, groups, classes, miss, mode, table, work, out)
    within: cython.double
    all_rows: cython.double
    best: cython.double = -1.0
    gain: cython.double
    parts: cython.double = 0.0
    side: cython.double = least
    before: cython.Py_ssize_t = -2  # the only class of the group before; -1: several
    only: cython.Py_ssize_t
    for c in range(classes):
        lost += miss[c]
        known += work[classes + c]
    all_rows = known + lost
    if c45:
        side = 0.1 * known / classes
        if side > 25.0:
            side = 25.0
        if side < least:
            side = least
    for g in range(groups):
        only = -2
        for c in range(classes):
            if gc[g * classes + c] > 0.0:
                only = c if only == -2 else -1
        if g > 0 and (c45 or only < 0 or only != before):
            within = _two_ways(work, classes, miss, lost, mode, table)
            if work[2 * classes] >= side and work[2 * classes + 1] >= side:
                tries += 1
                gain = base - within
                if gain > best + 1e-10 * all_rows:
                    best = gain
                    parts = x_log_x(work[2 * classes], table) + x_log_x(work[2 * classes + 1], table)
                    out[3] = g - 1
                    out[4] = g
        before = only
        for c in range(classes):
            work[c] += gc[g * classes + c]
    if tries == 0:
        return
    best = best / all_rows if best > 1e-12 * all_rows else 0.0
    if c45:
        best -= log2(cython.cast(cython.double, tries)) / all_rows
        if best <= 1e-12:
            return
    if mode == 3:
        parts += x_log_x(lost, table)
    out[0] = best
    out[1] = (x_log_x(all_rows, table) - parts) / all_rows
    out[2] = 1.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def one_value(
    gc: cython.const[cython.double][::1],
    groups: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    miss: cython.const[cython.double][::1],
    mode: cython.int,
    least: cython.double,
    table: cython.const[cython.double][::1],
    work: cython.double[::1],
    side: cython.uchar[::1],
    out: cython.double[::1],
) -> cython.void:
    """The value that gains most against all others, the first of equal ones: side[g] is 1 for child 0, which has it."""
    g: cython.Py_ssize_t
    c: cython.Py_ssize_t
    chosen: cython.Py_ssize_t = -1
    lost: cython.double = 0.0
    base: cython.double = _prepare(gc, groups, classes, miss, mode, table, work, out)
    all_rows: cython.double = 0.0
    within: cython.double
    best: cython.double = -1.0
    parts: cython.double = 0.0
    for c in range(classes):
        lost += miss[c]
        all_rows += work[classes + c] + miss[c]
    if groups < 2:
        return
    for g in range(groups):
        for c in range(classes):
            work[c] = gc[g * classes + c]
        within = _two_ways(work, classes, miss, lost, mode, table)
        if work[2 * classes] >= least and work[2 * classes + 1] >= least and base - within > best + 1e-10 * all_rows:
            chosen = g
            best = base - within
            parts = x_log_x(work[2 * classes], table) + x_log_x(work[2 * classes + 1], table)
    if chosen < 0:
        return
    for g in range(groups):
        side[g] = 1 if g == chosen else 0
    if mode == 3:
        parts += x_log_x(lost, table)
    out[0] = best / all_rows if best > 1e-12 * all_rows else 0.0
    out[1] = (x_log_x(all_rows, table) - parts) / all_rows
    out[2] = 1.0
