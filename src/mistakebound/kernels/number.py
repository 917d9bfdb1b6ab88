"""Decimal text -> the nearest double (ties to even), for the kernels that read streams."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._digits import load8, power_of_ten, ratio, run, scaled
else:
    from mistakebound.kernels._digits import load8, power_of_ten, ratio, run, scaled


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _run(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.ulonglong:
    if cython.compiled:
        return run(load8(cython.address(buf[i])))
    return run(load8(buf[i : i + 8]))


@cython.cfunc
@cython.with_gil
@cython.exceptval(check=False)
def _python_float(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.double:
    return float(bytes(buf[i:j]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _nearest(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    m: cython.ulonglong,
    e: cython.longlong,
    hard: cython.bint,
) -> cython.double:
    """m * 10**e, or when `hard` what the text buf[i:j] says, rounded once."""
    exact: cython.ulonglong = 9007199254740992
    v: cython.double = -1
    if not hard and m <= exact and -22 <= e <= 22:
        return scaled(m, e)
    if not hard and m > exact and -19 <= e < 0:  # sixteen and more digits behind the point: what repr() writes
        v = ratio(m, power_of_ten(-e))
    if v < 0:
        v = _python_float(buf, i, j)  # needs long arithmetic; rare
    return v


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def decimal(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The longest decimal at buf[i:] into values[p]; where it ends, or -1 when there is no finite one.

    A newline must follow, and eight bytes more.
    """
    m: cython.ulonglong = 0  # the digits, without the point
    digits: cython.longlong = 0  # in m, leading zeros apart
    e: cython.longlong = 0
    power: cython.longlong = 0
    x: cython.ulonglong
    k: cython.ulonglong
    v: cython.double
    seen: cython.bint = False
    hard: cython.bint = False
    minus: cython.bint = buf[i] == 45
    point: cython.Py_ssize_t
    start: cython.Py_ssize_t
    if minus or buf[i] == 43:
        i += 1
    start = i
    while 48 <= buf[i] <= 57:
        seen = True
        if digits < 19:
            m = m * 10 + (buf[i] - 48)
            digits += m > 0
        else:
            hard = True
        i += 1
    if buf[i] == 46:
        i += 1
        point = i
        if m == 0:
            while buf[i] == 48:
                i += 1
        k = 8
        while k == 8:
            x = _run(buf, i)
            k = x & 15
            i += k
            digits += k
            if digits > 19:
                hard = True
            else:
                m = m * power_of_ten(k) + (x >> 4)
        e = point - i
        seen = seen or e < 0
    if seen and (buf[i] == 101 or buf[i] == 69):
        i += 1
        k = buf[i] == 45
        if buf[i] == 45 or buf[i] == 43:
            i += 1
        seen = False
        while 48 <= buf[i] <= 57:
            seen = True
            power = power * 10 + (buf[i] - 48)
            if power > 99999:
                power = 99999
                hard = True
            i += 1
        e = e - power if k else e + power
    if not seen:
        return -1
    v = _nearest(buf, start, i, m, e, hard)
    if v - v != 0:
        return -1
    values[p] = -v if minus else v
    return i


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The decimal at buf[i:] into values[p]; where it ends, or -1 when it is not a finite decimal number.

    It ends before white space, a control character or a '#'.  A newline must follow, and eight bytes more.
    """
    i = decimal(buf, i, values, p)
    if i < 0 or (buf[i] > 32 and buf[i] != 35):
        return -1
    return i


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def whole_number(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.ulonglong:
    """The number that the digits buf[i:j] mean; 2**63 or more when it is that or more."""
    limit: cython.ulonglong = 0x8000000000000000
    v: cython.ulonglong = 0
    x: cython.ulonglong
    while j - i > 19 and buf[i] == 48:
        i += 1
    if j - i > 19:
        return limit
    while i < j:
        x = _run(buf, i)
        v = v * power_of_ten(x & 15) + (x >> 4)
        i += x & 15
    return v


def read_number(buf: cython.const[cython.uchar][::1], values: cython.double[::1]) -> cython.Py_ssize_t:
    """The decimal at the start of buf into values[0]; where it ends, -1: not a finite number, -2: a misuse.

    >>> from array import array
    >>> out = array("d", [0.0])
    >>> read_number(b"-2.5e-1\\n" + bytes(8), out), out[0], read_number(b"1e999\\n" + bytes(8), out)
    (7, -0.25, -1)
    """
    n: cython.Py_ssize_t = len(buf)
    k: cython.Py_ssize_t = n - 9
    if len(values) < 1 or n < 9:
        return -2
    while k >= 0 and buf[k] != 10:
        k -= 1
    if k < 0:
        return -2
    with cython.nogil:
        k = number(buf, 0, values, 0)
    return k
