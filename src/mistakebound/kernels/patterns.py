"""Attributes dropped by shell-style patterns on their names.

A program holds the patterns, one after the other: the length of one, then its steps.  A step is a code point, ANY,
STAR, or SET, which is followed by whether it is turned round, how many ranges it has, and their first and last points.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._bytes import spans_fit
    from cython.cimports.mistakebound.kernels.key_rows import KeyRows, NewRows
else:
    from mistakebound.kernels._bytes import spans_fit
    from mistakebound.kernels.key_rows import KeyRows, NewRows

CAPACITY = -1  # the caller's buffers do not fit together

ANY = -1
STAR = -2
SET = -3
_ANY = cython.declare(cython.int, ANY)
_STAR = cython.declare(cython.int, STAR)
_SET = cython.declare(cython.int, SET)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _width(c: cython.uchar) -> cython.Py_ssize_t:
    """Bytes of the character that starts with c in UTF-8."""
    if c < 0xC0:
        return 1
    return 2 if c < 0xE0 else 3 if c < 0xF0 else 4


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _point(text: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.int:
    """The code point at text[i:], which ends before j."""
    n: cython.Py_ssize_t = _width(text[i])
    k: cython.Py_ssize_t
    c: cython.int = text[i]
    if n > 1:
        c &= 0xFF >> (n + 1)
        for k in range(i + 1, i + n):
            if k < j:
                c = (c << 6) | (text[k] & 0x3F)
    return c


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _step(program: cython.const[cython.int][::1], a: cython.Py_ssize_t, c: cython.int) -> cython.bint:
    """Whether the step at program[a], no STAR, takes the code point."""
    k: cython.Py_ssize_t
    inside: cython.bint = False
    if program[a] == _ANY:
        return True
    if program[a] != _SET:
        return program[a] == c
    for k in range(program[a + 2]):
        if program[a + 3 + 2 * k] <= c <= program[a + 4 + 2 * k]:
            inside = True
    return inside != (program[a + 1] != 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _matches_one(
    text: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    program: cython.const[cython.int][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the pattern program[a:b] matches the whole of text[i:j]: a star first takes nothing, then ever more."""
    star: cython.Py_ssize_t = -1
    again: cython.Py_ssize_t = 0
    while i < j:
        if a < b and program[a] == _STAR:
            star = a
            again = i
            a += 1
        elif a < b and _step(program, a, _point(text, i, j)):
            a += 3 + 2 * program[a + 2] if program[a] == _SET else 1
            i += _width(text[i])
        elif star >= 0:
            again += _width(text[again])
            i = again
            a = star + 1
        else:
            return False
    while a < b and program[a] == _STAR:
        a += 1
    return a == b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def matches(
    text: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    program: cython.const[cython.int][::1],
) -> cython.bint:
    a: cython.Py_ssize_t = 0
    while a < len(program):
        if _matches_one(text, i, j, program, a + 1, a + 1 + program[a]):
            return True
        a += 1 + program[a]
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_program(program: cython.const[cython.int][::1]) -> cython.bint:
    """Whether no step reaches beyond its pattern."""
    a: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    while a < len(program):
        if program[a] < 0 or program[a] >= len(program) - a:
            return False
        end = a + 1 + program[a]
        a += 1
        while a < end:
            if program[a] == _SET:
                if a + 2 >= end or program[a + 2] < 0 or program[a + 2] > (end - a - 3) // 2:
                    return False
                a += 2 + 2 * program[a + 2]
            a += 1
    return True


def match_names(
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    count: cython.Py_ssize_t,
    program: cython.const[cython.int][::1],
    out: cython.uchar[::1],
) -> cython.longlong:
    """out[k] = whether one of the patterns matches the name blob[ends[k]:ends[k + 1]].

    >>> from array import array
    >>> out = bytearray(2)
    >>> match_names(b"user_7free", array("q", [0, 6, 10]), 2, array("i", [2, ord("u"), STAR]), out), list(out)
    (0, [1, 0])
    """
    k: cython.Py_ssize_t
    if count < 0 or count >= len(ends) or count > len(out) or not is_program(program):
        return CAPACITY
    if not spans_fit(ends, count, len(blob)):
        return CAPACITY
    with cython.nogil:
        for k in range(count):
            out[k] = matches(blob, ends[k], ends[k + 1], program)
    return 0


def match_ids(
    keys: cython.const[cython.ulonglong][::1],
    entries: cython.Py_ssize_t,
    program: cython.const[cython.int][::1],
    digits: cython.uchar[::1],
    out: cython.uchar[::1],
) -> cython.longlong:
    """out[k] = whether one of the patterns matches the decimal name of keys[k]; `digits` is room for twenty bytes."""
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    x: cython.ulonglong
    if entries < 0 or entries > len(keys) or entries > len(out) or len(digits) < 20 or not is_program(program):
        return CAPACITY
    with cython.nogil:
        for k in range(entries):
            x = keys[k]
            i = 20
            while i == 20 or x > 0:
                i -= 1
                digits[i] = cython.cast(cython.uchar, 48 + x % 10)
                x //= 10
            out[k] = matches(digits, i, 20, program)
    return 0


def drop(rows: KeyRows, dropped: cython.const[cython.uchar][::1], by_key: cython.bint, out: NewRows) -> cython.longlong:
    """The rows without the entries k for which dropped[k], or by_key dropped[keys[k]], is set; how many stay.

    >>> from array import array
    >>> from mistakebound.kernels.key_rows import KeyRows, NewRows
    >>> out = array("q", [0, 0]), array("Q", [0, 0]), array("d")
    >>> rows = KeyRows(array("q", [0, 2]), array("Q", [3, 4]), array("d"), 1)
    >>> drop(rows, bytes([1, 0]), False, NewRows(*out)), out[1][0]
    (1, 4)
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    q: cython.longlong = 0
    top: cython.ulonglong = len(dropped)
    if out.short or not out.has_room(rows.rows, rows.end, rows.real):
        return CAPACITY
    if not by_key and rows.end > len(dropped):
        return CAPACITY
    if by_key:
        for k in range(rows.indptr[0], rows.end):
            if rows.keys[k] >= top:
                return CAPACITY
    with cython.nogil:
        out.indptr[0] = 0
        for r in range(rows.rows):
            for k in range(rows.indptr[r], rows.indptr[r + 1]):
                if dropped[rows.keys[k]] if by_key else dropped[k]:
                    continue
                out.keys[q] = rows.keys[k]
                if rows.real:
                    out.values[q] = rows.values[k]
                q += 1
            out.indptr[r + 1] = q
    return q
