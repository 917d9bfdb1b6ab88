"""Cells of a column, as text end to end, to numbers; a matrix of cells without those that are missing."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._digits import scaled
    from cython.cimports.mistakebound.kernels.number import number
else:
    from mistakebound.kernels._digits import scaled
    from mistakebound.kernels.number import number

MISSING = 0
NUMBER = 1
OTHER = 2

SLACK = 16  # bytes that scratch must have beyond the longest cell


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _simple(
    text: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    values: cython.double[::1],
    r: cython.Py_ssize_t,
) -> cython.bint:
    """Whether text[i:j] is a short number without exponent: values[r] is it then, from two doubles that are exact."""
    exact: cython.ulonglong = 9007199254740992
    m: cython.ulonglong = 0
    point: cython.Py_ssize_t = -1
    c: cython.uchar
    minus: cython.bint = text[i] == 45
    if minus or text[i] == 43:
        i += 1
    if not 0 < j - i <= 19 or (j - i == 1 and text[i] == 46):
        return False
    while i < j:
        c = text[i]
        i += 1
        if 48 <= c <= 57:
            m = m * 10 + (c - 48)
        elif c == 46 and point < 0:
            point = i
        else:
            return False
    if m > exact:
        return False
    values[r] = scaled(m, point - j if point >= 0 else 0)
    if minus:
        values[r] = -values[r]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _any(
    text: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    scratch: cython.uchar[::1],
    values: cython.double[::1],
    r: cython.Py_ssize_t,
) -> cython.bint:
    """Whether text[i:j] is a finite decimal number, which goes to values[r]."""
    k: cython.Py_ssize_t
    for k in range(j - i):
        scratch[k] = text[i + k]
    scratch[j - i] = 10  # the number ends here at the latest
    return number(scratch, 0, values, r) == j - i


def numbers(
    text: cython.const[cython.uchar][::1],
    ends: cython.const[cython.int][::1],
    rows: cython.Py_ssize_t,
    scratch: cython.uchar[::1],
    values: cython.double[::1],
    kinds: cython.schar[::1],
) -> cython.Py_ssize_t:
    """kinds[r] of the cell text[ends[r] : ends[r + 1]], and its number in values[r] (1 where it is not a number).

    Blanks (spaces and tabs) around a cell do not count; an empty one and `?` are missing.  How many are not NUMBER, or
    -1 when the buffers do not fit.

    >>> from array import array
    >>> values, kinds = array("d", bytes(32)), array("b", bytes(4))
    >>> numbers(b"1.5 ?x", array("i", [0, 3, 5, 6, 6]), 4, bytearray(20), values, kinds), kinds.tolist(), values[0]
    (3, [1, 0, 2, 0], 1.5)
    """
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    strange: cython.Py_ssize_t = 0
    fits: cython.bint = True
    if rows < 0 or len(ends) < rows + 1 or len(values) < rows or len(kinds) < rows:
        return -1
    with cython.nogil:
        if ends[0] < 0 or ends[rows] > len(text):
            fits = False
        for r in range(rows):
            if not 0 <= ends[r + 1] - ends[r] <= len(scratch) - 16:
                fits = False
                break
        if fits:
            for r in range(rows):
                i = ends[r]
                j = ends[r + 1]
                while i < j and (text[i] == 32 or text[i] == 9):
                    i += 1
                while i < j and (text[j - 1] == 32 or text[j - 1] == 9):
                    j -= 1
                values[r] = 1
                if i == j or (j - i == 1 and text[i] == 63):
                    kinds[r] = 0
                    strange += 1
                    continue
                if _simple(text, i, j, values, r) or _any(text, i, j, scratch, values, r):
                    kinds[r] = 1
                else:
                    kinds[r] = 2
                    values[r] = 1
                    strange += 1
    return strange if fits else -1


def add_codes(
    codes: cython.const[cython.uint][::1],
    column: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    keys: cython.ulonglong[::1],
) -> cython.bint:
    """keys[r * width + column] += codes[r] for every r; false, and nothing done, where there is another number of rows.

    >>> from array import array
    >>> keys = array("Q", [1, 5, 1, 5])
    >>> add_codes(array("I", [2, 0]), 1, 2, keys), keys.tolist(), add_codes(array("I", [2]), 1, 2, keys)
    (True, [1, 7, 1, 5], False)
    """
    r: cython.Py_ssize_t
    if not 0 <= column < width or len(codes) * width != len(keys):
        return False
    with cython.nogil:
        for r in range(len(codes)):
            keys[r * width + column] += codes[r]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _below(keys: cython.const[cython.ulonglong][::1], count: cython.Py_ssize_t, size: cython.ulonglong) -> cython.bint:
    """Whether the first `count` keys are all below `size`; without comparisons, to look at several keys at once."""
    k: cython.Py_ssize_t
    high: cython.ulonglong = 0
    for k in range(count):
        high |= keys[k] | (size - 1 - keys[k])
    return count == 0 or (size > 0 and high >> 63 == 0)


def compress(
    keys: cython.ulonglong[::1],
    values: cython.double[::1],
    present: cython.const[cython.uchar][::1],
    kept: cython.const[cython.uchar][::1],
    indptr: cython.longlong[::1],
    used: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Make a matrix sparse, in place: the cells that are present, of the rows that are kept; how many, or -1.

    Row r has the same number of cells as every other of the len(kept) rows.  `values` and `present` may be empty: there
    are none, all are.  indptr gets the ends of the rows that are kept; used[key] is 1 for each key that is left and 0
    for all others.  -1: the buffers do not fit together; nothing is done.

    >>> from array import array
    >>> keys, indptr, used = array("Q", [0, 3, 1, 4, 2, 4]), array("q", [0, 0, 0]), bytearray(5)
    >>> compress(keys, array("d"), bytes([1, 1, 1, 1, 0, 1]), bytes([1, 0, 1]), indptr, used)
    3
    >>> keys[:3].tolist(), indptr.tolist(), list(used)
    ([0, 3, 4], [0, 2, 3], [1, 0, 0, 1, 1])
    """
    rows: cython.Py_ssize_t = len(kept)
    width: cython.Py_ssize_t = len(keys) // rows if rows else 0
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    out: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    real: cython.bint = len(values) > 0
    whole: cython.bint = len(present) == 0
    if width * rows != len(keys) or (real and len(values) != len(keys)) or (not whole and len(present) != len(keys)):
        return -1
    if not _below(keys, len(keys), len(used)):
        return -1
    for r in range(rows):
        count += kept[r] != 0
    if len(indptr) < count + 1:
        return -1
    with cython.nogil:
        for k in range(len(used)):
            used[k] = 0
        indptr[0] = 0
        if whole and count == rows:  # all stay where they are
            for k in range(len(keys)):
                used[keys[k]] = 1
            for r in range(rows):
                indptr[r + 1] = (r + 1) * width
            out = len(keys)
            rows = 0
        for r in range(rows):
            if kept[r] == 0:
                continue
            for k in range(r * width, (r + 1) * width):
                if whole or present[k] != 0:
                    keys[out] = keys[k]
                    used[keys[k]] = 1
                    if real:
                        values[out] = values[k]
                    out += 1
            row += 1
            indptr[row] = out
    return out


def renumber(
    keys: cython.ulonglong[::1], count: cython.Py_ssize_t, numbers: cython.const[cython.longlong][::1]
) -> cython.bint:
    """keys[k] = numbers[keys[k]] for k < count; false, and nothing done, when one is outside.

    >>> from array import array
    >>> keys = array("Q", [2, 0, 7])
    >>> renumber(keys, 2, array("q", [5, 6, 8])), keys.tolist(), renumber(keys, 3, array("q", [5, 6, 8]))
    (True, [8, 5, 7], False)
    """
    k: cython.Py_ssize_t
    if count < 0 or count > len(keys) or not _below(keys, count, len(numbers)):
        return False
    with cython.nogil:
        for k in range(count):
            keys[k] = numbers[keys[k]]
    return True
