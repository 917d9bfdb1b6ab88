"""Naive Bayes one instance at a time, and its estimates: cells, flags or words looked up, counted and scored.

Counts are flat: entry c * classes + t is of cell c in class t.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import log
else:
    from math import log

OK, MISFIT = 0, -1  # MISFIT: the buffers do not fit together; for what reads a mapping: it is an unusual one
_NEVER = cython.declare(cython.double, float("-inf"))  # the log of a probability of 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _estimate(
    count: cython.double, n: cython.double, m: cython.double, p: cython.double, size: cython.double
) -> cython.double:
    """The log of (count + m p)/(n + m); m < 0 stands for m = size, p < 0 for p = 1/size; with n + m = 0 of p."""
    among: cython.double = n + (size if m < 0.0 else m)
    prior: cython.double = 1.0 / size if p < 0.0 else p
    found: cython.double = count
    if among <= 0.0:
        found, among = prior, 1.0
    elif m >= 0.0:
        found += m * prior
    else:
        found += 1.0 if p < 0.0 else size * p
    return log(found / among) if found > 0.0 else _NEVER


def estimate(
    counts: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    classes: cython.Py_ssize_t,
    m: cython.double,
    p: cython.double,
    size: cython.double,
    out: cython.double[::1],
) -> cython.int:
    """The log of the m-estimate of each cell; OK, or MISFIT.

    totals has a number a class, or one for each of the counts; m < 0: m = size, the number of values; p < 0: 1/size.

    >>> from array import array
    >>> from math import exp
    >>> out = array("d", bytes(16))
    >>> estimate(array("d", [2, 0]), array("d", [9, 5]), 2, 0.0, -1.0, 3.0, out), out[1]
    (0, -inf)
    >>> round(exp(out[0]), 4)  # 2/9, as in Mitchell's example
    0.2222
    """
    k: cython.Py_ssize_t
    each: cython.bint = len(totals) >= len(counts)
    if classes < 1 or len(totals) < classes or len(counts) % classes or len(out) < len(counts) or not size > 0.0:
        return MISFIT
    with cython.nogil:
        for k in range(len(counts)):
            out[k] = _estimate(counts[k], totals[k] if each else totals[k % classes], m, p, size)
    return OK


def score_row(
    cells: cython.const[cython.int][::1],
    sizes: cython.const[cython.int][::1],
    classes: cython.Py_ssize_t,
    counts: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    m: cython.double,
    p: cython.double,
    scores: cython.double[::1],
) -> cython.int:
    """Add the logs of one row, cell cells[j] for its attribute j (below 0: none); OK, or MISFIT.

    totals[j * classes + t] examples of class t have attribute j, which has sizes[j] values.

    >>> from array import array
    >>> from math import exp
    >>> scores = array("d", [0.0, 0.0])
    >>> args = array("i", [1]), array("i", [2]), 2, array("d", [1, 1, 3, 0]), array("d", [4, 1])
    >>> score_row(*args, 2.0, -1.0, scores), [round(exp(score), 4) for score in scores]
    (0, [0.6667, 0.3333])
    """
    j: cython.Py_ssize_t
    t: cython.Py_ssize_t
    bad: cython.int = 0
    width: cython.Py_ssize_t = len(cells)
    if classes < 1 or len(sizes) < width or len(totals) < width * classes or len(scores) < classes:
        return MISFIT
    with cython.nogil:
        for j in range(width):
            bad |= (cells[j] >= len(counts) // classes) | (cells[j] >= 0 and sizes[j] < 1)
        if not bad:
            for j in range(width):
                if cells[j] >= 0:
                    for t in range(classes):
                        scores[t] += _estimate(counts[cells[j] * classes + t], totals[j * classes + t], m, p, sizes[j])
    return MISFIT if bad else OK


def count_row(
    cells: cython.const[cython.int][::1],
    label: cython.Py_ssize_t,
    weight: cython.double,
    classes: cython.Py_ssize_t,
    counts: cython.double[::1],
    totals: cython.double[::1],
    done: cython.longlong[::1],
) -> cython.int:
    """Count one row of class `label`, whose attribute j has cell cells[j] (below 0: none); OK, or MISFIT.

    done[0] becomes 1 when it is counted.

    >>> from array import array
    >>> counts, totals, done = array("d", bytes(32)), array("d", bytes(32)), array("q", [0])
    >>> count_row(array("i", [1, -1]), 1, 2.0, 2, counts, totals, done), counts.tolist(), totals.tolist(), done[0]
    (0, [0.0, 0.0, 0.0, 2.0], [0.0, 2.0, 0.0, 0.0], 1)
    """
    j: cython.Py_ssize_t
    if classes < 1 or label < 0 or label >= classes or len(totals) < len(cells) * classes or len(done) < 1:
        return MISFIT
    for j in range(len(cells)):
        if cells[j] >= len(counts) // classes:
            return MISFIT
    for j in range(len(cells)):
        if cells[j] >= 0:
            counts[cells[j] * classes + label] += weight
            totals[j * classes + label] += weight
    done[0] = 1
    return OK


@cython.cclass
class Words:
    """The slots of the words of one row, and how often each stands in it."""

    slots: cython.const[cython.int][::1]
    values: cython.const[cython.double][::1]
    most: cython.Py_ssize_t  # the largest slot, -1 when there are none

    def __init__(self, slots, values):  # type: (Ints, Floats) -> None
        k: cython.Py_ssize_t
        if len(values) < len(slots):
            raise AssertionError("a word has no number")
        self.slots = slots
        self.values = values
        self.most = -1
        for k in range(len(self.slots)):
            if self.slots[k] < 0:
                raise AssertionError("a word has no slot")
            self.most = max(self.most, self.slots[k])


def count_words(
    words: Words,
    label: cython.Py_ssize_t,
    weight: cython.double,
    classes: cython.Py_ssize_t,
    counts: cython.double[::1],
    totals: cython.double[::1],
    all_words: cython.bint,
    done: cython.longlong[::1],
) -> cython.int:
    """Count the words of one row of class `label`; OK, or MISFIT.

    `totals`, where they are not empty, are the words of each class (`all_words`), or its rows.  done[0] becomes 1 when
    the row is counted.

    >>> from array import array
    >>> counts, totals, done = array("d", bytes(32)), array("d", bytes(16)), array("q", [0])
    >>> count_words(Words(array("i", [1, 0]), array("d", [3, 1])), 1, 2.0, 2, counts, totals, True, done)
    0
    >>> counts.tolist(), totals.tolist(), done[0]
    ([0.0, 2.0, 0.0, 6.0], [0.0, 8.0], 1)
    """
    k: cython.Py_ssize_t
    total: cython.double = 0.0
    if classes < 1 or label < 0 or label >= classes or words.most >= len(counts) // classes or len(done) < 1:
        return MISFIT
    if 0 < len(totals) < classes:
        return MISFIT
    for k in range(len(words.slots)):
        counts[words.slots[k] * classes + label] += words.values[k] * weight
        total += words.values[k]
    if len(totals) > 0:
        totals[label] += total * weight if all_words else weight
    done[0] = 1
    return OK


def score_words(
    words: Words,
    classes: cython.Py_ssize_t,
    counts: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    m: cython.double,
    p: cython.double,
    size: cython.double,
    scores: cython.double[::1],
) -> cython.int:
    """Add the logs of the words of one row, a vocabulary of `size` words; OK, or MISFIT.

    >>> from array import array
    >>> from math import exp
    >>> scores = array("d", [0.0])
    >>> words = Words(array("i", [1]), array("d", [2]))
    >>> score_words(words, 1, array("d", [1, 3]), array("d", [4]), 2.0, -1.0, 2.0, scores)
    0
    >>> round(exp(scores[0]), 4)  # (4/6) squared
    0.4444
    """
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    value: cython.double
    if classes < 1 or words.most >= len(counts) // classes or len(totals) < classes or len(scores) < classes:
        return MISFIT
    if not size > 0.0:
        return MISFIT
    with cython.nogil:
        for k in range(len(words.slots)):
            value = words.values[k]
            if value != 0.0:
                for t in range(classes):
                    scores[t] += value * _estimate(counts[words.slots[k] * classes + t], totals[t], m, p, size)
    return OK


def score_flags(
    marks: cython.const[cython.uchar][::1],
    classes: cython.Py_ssize_t,
    ones: cython.const[cython.double][::1],
    missing: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    m: cython.double,
    p: cython.double,
    scores: cython.double[::1],
) -> cython.int:
    """Add the logs of all flags of one row, each marked 0, 1 or 2 (missing); OK, or MISFIT.

    >>> from array import array
    >>> from math import exp
    >>> scores = array("d", [0.0])
    >>> marks, zeros = bytes([1, 0, 2]), array("d", bytes(24))
    >>> score_flags(marks, 1, array("d", [3, 1, 1]), zeros, array("d", [4]), 0.0, -1.0, scores)
    0
    >>> round(exp(scores[0]), 4)  # 3/4 * 3/4
    0.5625
    """
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    count: cython.double
    n: cython.double
    flags: cython.Py_ssize_t = len(marks)
    other: cython.double = p if p < 0.0 else 1.0 - p
    if classes < 1 or len(totals) < classes or len(scores) < classes:
        return MISFIT
    if len(ones) < flags * classes or len(missing) < flags * classes:
        return MISFIT
    with cython.nogil:
        for k in range(flags):
            if marks[k] == 2:
                continue
            for t in range(classes):
                count = ones[k * classes + t]
                n = totals[t] - missing[k * classes + t]
                scores[t] += _estimate(count, n, m, p, 2.0) if marks[k] == 1 else _estimate(n - count, n, m, other, 2.0)
    return OK


def gather_cells(x: dict, places: dict, cells: list, skip: cython.bint, row: cython.int[::1]) -> cython.int:
    """row[places[name]] = cells[places[name]][value] for the texts of x; OK, or MISFIT.

    With `skip` a name or a value that is not known is skipped.

    >>> from array import array
    >>> row = array("i", [-1, -1])
    >>> gather_cells({"b": "x"}, {"a": 0, "b": 1}, [{}, {"x": 7}], False, row), row.tolist()
    (0, [-1, 7])
    """
    place: cython.Py_ssize_t
    for name, value in x.items():
        if type(name) is not str or type(value) is not str:
            return MISFIT
        found = places.get(name)
        if found is None:
            if not skip:
                return MISFIT
            continue
        place = found
        cell = cython.cast(dict, cells[place]).get(value)
        if cell is None:
            if not skip:
                return MISFIT
            continue
        if place >= len(row):
            return MISFIT
        row[place] = cell
    return OK


def gather_words(
    x: dict,
    known: dict,
    most: cython.double,
    skip: cython.bint,
    slots: cython.int[::1],
    values: cython.double[::1],
) -> cython.Py_ssize_t:
    """The slots of the names of x in order, with their numbers from 0 to `most`; how many, or MISFIT.

    With `skip` names that are not known are skipped.

    >>> from array import array
    >>> slots, values = array("i", [0, 0]), array("d", [0, 0])
    >>> gather_words({"b": 2, "a": 1.5}, {"a": 0, "b": 1}, 9.0, False, slots, values), slots.tolist(), values.tolist()
    (2, [0, 1], [1.5, 2.0])
    """
    n: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    slot: cython.int
    number: cython.double
    if len(x) > len(slots) or len(x) > len(values):
        return MISFIT
    for name, value in x.items():
        if type(name) is not str or (type(value) is not int and type(value) is not float and type(value) is not bool):
            return MISFIT
        if type(value) is int and not -1 <= value <= 4294967296:
            return MISFIT
        number = value
        if not 0.0 <= number <= most:
            return MISFIT
        found = known.get(name)
        if found is None:
            if not skip:
                return MISFIT
            continue
        slot = found
        j = n
        while j > 0 and slots[j - 1] > slot:  # few of them, and often in order
            slots[j] = slots[j - 1]
            values[j] = values[j - 1]
            j -= 1
        slots[j] = slot
        values[j] = number
        n += 1
    return n
