"""Counting for naive Bayes, and sums of logs: dense rows of codes, columns of codes, sparse rows of counts.

Counts and tables are flat: entry c * classes + t is of cell c in class t.  A column of `top` codes has top + 1 cells:
the first is for what is missing or was never seen (a code below 0), code c is cell c + 1.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import exp
else:
    from math import exp

OK, MISFIT = 0, -1  # MISFIT: the buffers do not fit together
_OK = cython.declare(cython.int, OK)
_NEVER = cython.declare(cython.double, float("-inf"))  # the log of a probability of 0
Code = cython.fused_type(cython.int, cython.longlong)


@cython.cclass
class LabelledRows:
    """The class of each of some rows, below `classes`, and its weight (empty: 1 each)."""

    labels: cython.const[cython.int][::1]
    weights: cython.const[cython.double][::1]
    rows: cython.Py_ssize_t
    classes: cython.Py_ssize_t

    def __init__(self, labels, weights, classes):  # type: (AnyBuffer, AnyBuffer, int) -> None
        r: cython.Py_ssize_t
        bad: cython.int = 0
        self.labels = labels
        self.weights = weights
        self.rows = len(labels)
        self.classes = classes
        for r in range(self.rows):
            bad |= (self.labels[r] < 0) | (self.labels[r] >= self.classes)
        if bad or classes < 1 or 0 < len(weights) < self.rows:
            raise AssertionError("a row has no class, or no weight")


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_matrix(
    cells: cython.const[Code][::1],
    width: cython.Py_ssize_t,
    lowest: cython.longlong,
    top: cython.longlong,
    told: LabelledRows,
    counts: cython.double[::1],
) -> cython.Py_ssize_t:
    r: cython.Py_ssize_t
    j: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    base: cython.Py_ssize_t
    classes: cython.Py_ssize_t = told.classes
    step: cython.Py_ssize_t = (cython.cast(cython.Py_ssize_t, top) + 1) * classes
    code: cython.longlong
    weight: cython.double = 1.0
    for r in range(told.rows):
        if len(told.weights) > 0:
            weight = told.weights[r]
        base = classes + told.labels[r]
        for j in range(width):
            code = cells[at + j]
            if code < lowest or code >= top:
                return r
            counts[base + cython.cast(cython.Py_ssize_t, code) * classes] += weight
            base += step
        at += width
    return told.rows


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_column(
    cells: cython.const[cython.int][::1],
    lowest: cython.longlong,
    top: cython.longlong,
    told: LabelledRows,
    counts: cython.double[::1],
) -> cython.Py_ssize_t:
    """As _count_matrix, for one column and no weights: where a column lies in one piece."""
    r: cython.Py_ssize_t
    code: cython.Py_ssize_t
    labels: cython.const[cython.int][::1] = told.labels
    classes: cython.Py_ssize_t = told.classes
    for r in range(told.rows):
        code = cells[r]
        if code < lowest or code >= top:
            return r
        counts[(code + 1) * classes + labels[r]] += 1.0
    return told.rows


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_matrix(
    cells: cython.const[Code][::1],
    width: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    top: cython.longlong,
    classes: cython.Py_ssize_t,
    table: cython.const[cython.double][::1],
    scores: cython.double[::1],
) -> cython.void:
    """Four or two classes at a time, whose sums then stay in registers."""
    r: cython.Py_ssize_t
    j: cython.Py_ssize_t
    t: cython.Py_ssize_t
    odd: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    cell: cython.Py_ssize_t
    base: cython.Py_ssize_t
    place: cython.Py_ssize_t
    step: cython.Py_ssize_t = (cython.cast(cython.Py_ssize_t, top) + 1) * classes
    code: cython.longlong
    first: cython.double
    second: cython.double
    third: cython.double
    fourth: cython.double
    for r in range(rows):
        t = 0
        while t < classes:
            place = r * classes + t
            base = t
            if t + 4 <= classes:
                first = scores[place]
                second = scores[place + 1]
                third = scores[place + 2]
                fourth = scores[place + 3]
                for j in range(width):
                    code = cells[at + j]
                    cell = base + (classes * (cython.cast(cython.Py_ssize_t, code) + 1) if 0 <= code < top else 0)
                    first += table[cell]
                    second += table[cell + 1]
                    third += table[cell + 2]
                    fourth += table[cell + 3]
                    base += step
                scores[place] = first
                scores[place + 1] = second
                scores[place + 2] = third
                scores[place + 3] = fourth
                t += 4
            else:
                odd = 1 if t + 1 < classes else 0  # 0: the last class alone, twice
                first = scores[place]
                second = scores[place + odd]
                for j in range(width):
                    code = cells[at + j]
                    cell = base + (classes * (cython.cast(cython.Py_ssize_t, code) + 1) if 0 <= code < top else 0)
                    first += table[cell]
                    second += table[cell + odd]
                    base += step
                scores[place] = first
                scores[place + odd] = second
                t += 2
        at += width


def count_codes(
    cells: object,
    width: cython.Py_ssize_t,
    lowest: cython.longlong,
    top: cython.longlong,
    told: LabelledRows,
    counts: cython.double[::1],
) -> cython.Py_ssize_t:
    """Count dense rows of codes, of 4 or 8 bytes; how many before one with a code below `lowest` or not below `top`.

    MISFIT when the buffers do not fit.

    >>> from array import array
    >>> counts = array("d", bytes(8 * 2 * 3 * 2))  # two columns of two codes, two classes
    >>> count_codes(array("i", [0, 1, 1, -1]), 2, -1, 2, LabelledRows(array("i", [0, 1]), array("d"), 2), counts)
    2
    >>> counts[:6].tolist(), counts[6:].tolist()
    ([0.0, 0.0, 1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0, 1.0, 0.0])
    """
    short: cython.const[cython.int][::1]
    whole: cython.const[cython.longlong][::1]
    done: cython.Py_ssize_t
    if width < 0 or top < 0 or lowest < -1 or len(cells) < told.rows * width:
        return MISFIT
    if len(counts) < width * (top + 1) * told.classes:
        return MISFIT
    if memoryview(cells).itemsize == 4:
        short = cells
        with cython.nogil:
            if width == 1 and len(told.weights) == 0:
                done = _count_column(short, lowest, top, told, counts)
            else:
                done = _count_matrix(short, width, lowest, top, told, counts)
    else:
        whole = cells
        with cython.nogil:
            done = _count_matrix(whole, width, lowest, top, told, counts)
    return done


def add_codes(
    cells: object,
    width: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    top: cython.longlong,
    classes: cython.Py_ssize_t,
    table: cython.const[cython.double][::1],
    scores: cython.double[::1],
) -> cython.int:
    """Add to the scores of each row what the table has for its codes, of 4 or 8 bytes; OK, or MISFIT.

    >>> from array import array
    >>> scores = array("d", [1.0, 2.0])
    >>> add_codes(array("i", [1]), 1, 1, 2, 2, array("d", [0, 0, 8, 9, 3, 4]), scores), scores.tolist()
    (0, [4.0, 6.0])
    """
    short: cython.const[cython.int][::1]
    whole: cython.const[cython.longlong][::1]
    if rows < 0 or width < 0 or classes < 1 or top < 0 or len(cells) < rows * width:
        return MISFIT
    if len(table) < width * (top + 1) * classes or len(scores) < rows * classes:
        return MISFIT
    if memoryview(cells).itemsize == 4:
        short = cells
        with cython.nogil:
            _add_matrix(short, width, rows, top, classes, table, scores)
    else:
        whole = cells
        with cython.nogil:
            _add_matrix(whole, width, rows, top, classes, table, scores)
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_entries(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    values: cython.const[cython.double][::1],
    told: LabelledRows,
    counts: cython.double[::1],
) -> cython.void:
    classes: cython.Py_ssize_t = told.classes
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    label: cython.Py_ssize_t
    weight: cython.double = 1.0
    for r in range(told.rows):
        label = told.labels[r]
        if len(told.weights) > 0:
            weight = told.weights[r]
        if len(values) > 0:
            for k in range(indptr[r], indptr[r + 1]):
                counts[columns[k] * classes + label] += values[k] * weight
        else:
            for k in range(indptr[r], indptr[r + 1]):
                counts[columns[k] * classes + label] += weight


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _entries_fit(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    values: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    lowest: cython.int,
    width: cython.longlong,
) -> cython.bint:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.int = 0
    # As wide as the columns, so that several are compared at a time.
    end: cython.int = cython.cast(cython.int, width) if width < 2147483647 else 2147483647
    if rows < 0 or len(indptr) <= rows or indptr[0] < 0 or indptr[rows] > len(columns):
        return False
    if len(values) > 0 and len(values) < indptr[rows]:
        return False
    for r in range(rows):
        bad |= indptr[r + 1] < indptr[r]
    for k in range(indptr[0], indptr[rows]):
        bad |= (columns[k] < lowest) | (columns[k] >= end)
    return bad == 0


def count_entries(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    values: cython.const[cython.double][::1],
    width: cython.Py_ssize_t,
    told: LabelledRows,
    counts: cython.double[::1],
) -> cython.int:
    """Count sparse rows over `width` columns (values empty: all 1); OK, or MISFIT.

    >>> from array import array
    >>> counts = array("d", bytes(8 * 3 * 2))
    >>> entries = array("q", [0, 2]), array("i", [0, 2]), array("d", [5, 7])
    >>> count_entries(*entries, 3, LabelledRows(array("i", [1]), array("d"), 2), counts), counts.tolist()
    (0, [0.0, 5.0, 0.0, 0.0, 0.0, 7.0])
    """
    status: cython.int = MISFIT
    if width < 0 or len(counts) < width * told.classes:
        return status
    with cython.nogil:
        if _entries_fit(indptr, columns, values, told.rows, 0, width):
            _count_entries(indptr, columns, values, told, counts)
            status = _OK
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_entries(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    values: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    table: cython.const[cython.double][::1],
    scores: cython.double[::1],
) -> cython.void:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    value: cython.double = 1.0
    for r in range(rows):
        for k in range(indptr[r], indptr[r + 1]):
            if len(values) > 0:
                value = values[k]
            # A column below 0 was never seen; and no occurrence says nothing, even of a word whose probability is 0.
            if columns[k] >= 0 and value != 0.0:
                for t in range(classes):
                    scores[r * classes + t] += value * table[columns[k] * classes + t]


def add_entries(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    values: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    table: cython.const[cython.double][::1],
    scores: cython.double[::1],
) -> cython.int:
    """Add to the scores of each sparse row its values times the table; OK, or MISFIT.

    An entry in column -1 adds nothing.

    >>> from array import array
    >>> scores = array("d", [1.0, 2.0])
    >>> entries = array("q", [0, 1]), array("i", [1]), array("d", [3])
    >>> add_entries(*entries, 1, 2, array("d", [0, 0, -1, -2]), scores), scores.tolist()
    (0, [-2.0, -4.0])
    """
    status: cython.int = MISFIT
    if classes < 1 or len(scores) < rows * classes:
        return status
    with cython.nogil:
        if _entries_fit(indptr, columns, values, rows, -1, len(table) // classes):
            _add_entries(indptr, columns, values, rows, classes, table, scores)
            status = _OK
    return status


def flag_codes(bits: cython.const[cython.ulonglong][::1], out: cython.int[::1]) -> cython.int:
    """Doubles, as their bits, to 0 and 1; 0, 1 when some are neither (and out is of no use), or MISFIT.

    >>> from array import array
    >>> out = array("i", [9] * 2)
    >>> flag_codes(memoryview(array("d", [1, 0])).cast("B").cast("Q"), out), out.tolist()
    (0, [1, 0])
    """
    k: cython.Py_ssize_t
    one: cython.ulonglong = 0x3FF0000000000000  # the bits of 1.0; all are clear in 0.0
    last: cython.ulonglong = 1
    bit: cython.ulonglong
    other: cython.ulonglong = 0
    if len(out) < len(bits):
        return MISFIT
    with cython.nogil:
        for k in range(len(bits)):  # no compares, so that several are done at a time
            bit = (bits[k] >> 52) & last
            other |= bits[k] ^ (one & (0 - bit))
            out[k] = cython.cast(cython.int, bit)
    return 1 if other else 0


def look(values: cython.const[cython.double][::1]) -> cython.int:
    """What numbers are like: 0 all are 1; 1 all are 0 or 1; 2 all are finite and >= 0; 3 some are not.

    >>> from array import array
    >>> [look(array("d", values)) for values in ([1, 1], [1, 0], [0.5], [float("nan")])]
    [0, 1, 2, 3]
    """
    k: cython.Py_ssize_t
    other: cython.int = 0
    unlike: cython.int = 0
    wild: cython.int = 0
    with cython.nogil:
        for k in range(len(values)):  # without branches: several at a time
            other |= values[k] != 1.0
            unlike |= (values[k] != 1.0) & (values[k] != 0.0)
            wild |= 0 if 0.0 <= values[k] <= 1.7976931348623157e308 else 1
    return 3 if wild else 2 if unlike else 1 if other else 0


def decide(
    scores: cython.const[cython.double][::1], rows: cython.Py_ssize_t, classes: cython.Py_ssize_t, out: cython.int[::1]
) -> cython.int:
    """out[r] = the class with the largest score, of equal ones the first, -1 when all are ruled out; OK, or MISFIT.

    >>> from array import array
    >>> out = array("i", [0, 0])
    >>> decide(array("d", [-1, -1, float("-inf"), -3]), 2, 2, out), out.tolist()
    (0, [0, 1])
    """
    r: cython.Py_ssize_t
    t: cython.Py_ssize_t
    best: cython.int
    score: cython.double
    if rows < 0 or classes < 1 or len(scores) < rows * classes or len(out) < rows:
        return MISFIT
    with cython.nogil:
        for r in range(rows):
            best = -1
            score = _NEVER
            for t in range(classes):
                if scores[r * classes + t] > score:
                    score = scores[r * classes + t]
                    best = cython.cast(cython.int, t)
            out[r] = best
    return 0


def named(codes: cython.const[cython.int][::1], labels: list) -> list:
    """The label of each code; IndexError for one that there is not.

    >>> from array import array
    >>> named(array("i", [1, 0, 1]), ["no", "yes"])
    ['yes', 'no', 'yes']
    """
    r: cython.Py_ssize_t
    for r in range(len(codes)):
        if codes[r] < 0 or codes[r] >= len(labels):
            raise IndexError(codes[r])
    return [labels[codes[r]] for r in range(len(codes))]


def normalise(scores: cython.double[::1], rows: cython.Py_ssize_t, classes: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Scores become probabilities, in place; the first row with all classes ruled out, or `rows` (or MISFIT).

    >>> from array import array
    >>> from math import log
    >>> scores = array("d", [log(3.0) - 1000.0, -1000.0])
    >>> normalise(scores, 1, 2), [round(p, 12) for p in scores]
    (1, [0.75, 0.25])
    """
    r: cython.Py_ssize_t = MISFIT
    t: cython.Py_ssize_t
    top: cython.double
    total: cython.double
    if rows < 0 or classes < 1 or len(scores) < rows * classes:
        return r
    with cython.nogil:
        for r in range(rows):
            top = scores[r * classes]
            for t in range(1, classes):
                top = max(top, scores[r * classes + t])
            if top == _NEVER:
                break
            total = 0.0
            for t in range(classes):
                scores[r * classes + t] = exp(scores[r * classes + t] - top)
                total += scores[r * classes + t]
            for t in range(classes):
                scores[r * classes + t] /= total
        else:
            r = rows
    return r
