"""The columns of a cached block: whole numbers in as few bytes as the largest one needs, and back.

A column is a place `at` in a buffer of bytes and the width of its numbers, 1, 2, 4 or 8 bytes; a column of keys may
have width 3: two bytes of each, then, from the next multiple of eight on, the third of each.  A cache is read on the
machine that wrote it, so numbers lie in its own byte order.  Every function checks that its buffers are long enough and
returns BAD when they are not, or when what lies in them cannot be.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._columns import get_real, get_whole, put_real, put_whole
else:
    from array import array

    from mistakebound.kernels._columns import get_real, get_whole, put_real, put_whole

BAD = -1  # the buffers do not fit together, or a number is outside its range

_LAST = cython.declare(cython.ulonglong, 0x7FFFFFFFFFFFFFFF)
_HUGE = cython.declare(cython.double, 1.7976931348623157e308)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _fits(size: cython.Py_ssize_t, at: cython.Py_ssize_t, count: cython.Py_ssize_t, width: cython.int) -> cython.bint:
    """Whether a column of whole numbers lies within so many bytes."""
    if at < 0 or count < 0 or (width != 1 and width != 2 and width != 4 and width != 8):
        return False
    return at <= size and count <= (size - at) // width


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _get(
    data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, k: cython.Py_ssize_t, width: cython.int
) -> cython.ulonglong:
    if cython.compiled:
        return get_whole(cython.address(data[at]), k, width)
    return get_whole(data[at:], k, width)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _put(
    out: cython.uchar[::1], at: cython.Py_ssize_t, k: cython.Py_ssize_t, width: cython.int, value: cython.ulonglong
) -> cython.void:
    if cython.compiled:
        put_whole(cython.address(out[at]), k, width, value)
    else:
        put_whole(memoryview(out)[at:], k, width, value)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _third(at: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Where the third bytes of a column of width 3 start."""
    return at + (2 * count + 7) // 8 * 8


def largest(values: cython.const[cython.ulonglong][::1], count: cython.Py_ssize_t) -> cython.longlong:
    """The largest of some numbers; BAD when one is 2**63 or more.

    >>> from array import array
    >>> largest(array("Q", [3, 70, 5]), 3)
    70
    """
    k: cython.Py_ssize_t
    top: cython.ulonglong = 0
    if count < 0 or len(values) < count:
        return BAD
    with cython.nogil:
        for k in range(count):
            top = values[k] if values[k] > top else top
    return BAD if top > _LAST else cython.cast(cython.longlong, top)


def ascends(
    keys: cython.const[cython.ulonglong][::1], indptr: cython.const[cython.longlong][::1], rows: cython.Py_ssize_t
) -> cython.int:
    """1 where the keys of every row ascend strictly, 0 where those of some do not; BAD for rows that do not fit.

    >>> from array import array
    >>> ascends(array("Q", [3, 5, 4]), array("q", [0, 2, 3]), 2), ascends(array("Q", [3, 3]), array("q", [0, 2]), 1)
    (1, 0)
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    ascending: cython.bint = True
    if rows < 0 or len(indptr) <= rows or indptr[0] < 0 or indptr[rows] > len(keys):
        return BAD
    with cython.nogil:
        for r in range(rows):
            for k in range(indptr[r] + 1, indptr[r + 1]):
                ascending &= keys[k - 1] < keys[k]
    return 1 if ascending else 0


def put_keys(
    values: cython.const[cython.ulonglong][::1],
    count: cython.Py_ssize_t,
    width: cython.int,
    out: cython.uchar[::1],
    at: cython.Py_ssize_t,
) -> cython.int:
    """A column of numbers that fit."""
    k: cython.Py_ssize_t
    third: cython.Py_ssize_t = _third(at, count)
    if count < 0 or len(values) < count:
        return BAD
    if width == 3:
        if not _fits(len(out), at, count, 2) or not _fits(len(out), third, count, 1):
            return BAD
        with cython.nogil:
            for k in range(count):
                _put(out, at, k, 2, values[k] & 0xFFFF)
                out[third + k] = cython.cast(cython.uchar, (values[k] >> 16) & 0xFF)
        return 0
    if not _fits(len(out), at, count, width):
        return BAD
    with cython.nogil:
        for k in range(count):
            _put(out, at, k, width, values[k])
    return 0


def get_keys(
    data: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    width: cython.int,
    out: cython.ulonglong[::1],
) -> cython.int:
    """What `put_keys` wrote.

    >>> from array import array
    >>> out, column = array("Q", [0, 0]), bytearray(16)
    >>> put_keys(array("Q", [7, 65536]), 2, 3, column, 0), get_keys(column, 0, 2, 3, out), out.tolist()
    (0, 0, [7, 65536])
    """
    k: cython.Py_ssize_t
    third: cython.Py_ssize_t = _third(at, count)
    if count < 0 or len(out) < count:
        return BAD
    if width == 3:
        if not _fits(len(data), at, count, 2) or not _fits(len(data), third, count, 1):
            return BAD
    elif not _fits(len(data), at, count, width):
        return BAD
    with cython.nogil:  # a loop for each width: the compiler makes vectors of them
        if width == 1:
            for k in range(count):
                out[k] = _get(data, at, k, 1)
        elif width == 2:
            for k in range(count):
                out[k] = _get(data, at, k, 2)
        elif width == 3:
            for k in range(count):
                out[k] = _get(data, at, k, 2) | (cython.cast(cython.ulonglong, data[third + k]) << 16)
        elif width == 4:
            for k in range(count):
                out[k] = _get(data, at, k, 4)
        else:
            for k in range(count):
                out[k] = _get(data, at, k, 8)
    return 0


def largest_step(values: cython.const[cython.longlong][::1], count: cython.Py_ssize_t) -> cython.longlong:
    """The largest of values[k + 1] - values[k], k < count; BAD when one is negative."""
    k: cython.Py_ssize_t
    top: cython.longlong = 0
    step: cython.longlong
    fell: cython.bint = False
    if count < 0 or len(values) < count + 1:
        return BAD
    with cython.nogil:
        for k in range(count):
            step = values[k + 1] - values[k]
            top = step if step > top else top
            fell |= step < 0
    return BAD if fell else top


def put_steps(
    values: cython.const[cython.longlong][::1],
    count: cython.Py_ssize_t,
    width: cython.int,
    out: cython.uchar[::1],
    at: cython.Py_ssize_t,
) -> cython.int:
    """A column of values[k + 1] - values[k], which fit."""
    k: cython.Py_ssize_t
    if len(values) < count + 1 or not _fits(len(out), at, count, width):
        return BAD
    with cython.nogil:
        for k in range(count):
            _put(out, at, k, width, cython.cast(cython.ulonglong, values[k + 1] - values[k]))
    return 0


def get_steps(
    data: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    width: cython.int,
    start: cython.longlong,
    last: cython.longlong,
    out: cython.longlong[::1],
) -> cython.int:
    """out[0] = start, out[k + 1] = out[k] + step k; BAD unless that ends at `last`.

    >>> from array import array
    >>> out = array("q", [0, 0, 0])
    >>> get_steps(bytes([2, 3]), 0, 2, 1, 10, 15, out), out.tolist()
    (0, [10, 12, 15])
    """
    k: cython.Py_ssize_t
    sum_: cython.ulonglong
    step: cython.ulonglong
    end: cython.ulonglong
    bad: cython.bint = False
    if start < 0 or last < start or len(out) < count + 1 or not _fits(len(data), at, count, width):
        return BAD
    sum_ = cython.cast(cython.ulonglong, start)
    end = cython.cast(cython.ulonglong, last)
    with cython.nogil:
        out[0] = start
        for k in range(count):
            step = _get(data, at, k, width)
            if step > end - sum_:
                bad = True
                break
            sum_ += step
            out[k + 1] = cython.cast(cython.longlong, sum_)
    return 0 if not bad and sum_ == end else -1


def put_tokens(
    tokens: cython.const[cython.int][::1],
    count: cython.Py_ssize_t,
    width: cython.int,
    out: cython.uchar[::1],
    at: cython.Py_ssize_t,
) -> cython.int:
    """A column of tokens[k] + 1: a row without a label has token -1."""
    k: cython.Py_ssize_t
    if len(tokens) < count or not _fits(len(out), at, count, width):
        return BAD
    with cython.nogil:
        for k in range(count):
            _put(out, at, k, width, cython.cast(cython.ulonglong, tokens[k] + 1))
    return 0


def get_tokens(
    data: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    width: cython.int,
    labels: cython.int,
    out: cython.int[::1],
) -> cython.int:
    """What `put_tokens` wrote; BAD when there are not so many labels."""
    k: cython.Py_ssize_t
    token: cython.ulonglong
    bad: cython.bint = False
    if labels < 0 or len(out) < count or not _fits(len(data), at, count, width):
        return BAD
    with cython.nogil:
        for k in range(count):
            token = _get(data, at, k, width)
            if token > cython.cast(cython.ulonglong, labels):
                bad = True
                break
            out[k] = cython.cast(cython.int, token) - 1
    return BAD if bad else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _in_single(v: cython.double) -> cython.double:
    single: cython.float
    if cython.compiled:
        single = v
        return single
    return array("f", (v,))[0]


def width_of_reals(values: cython.const[cython.double][::1], count: cython.Py_ssize_t) -> cython.int:
    """1 when all are whole numbers from -128 to 127, 4 when all survive single precision, 8 otherwise; or BAD.

    >>> from array import array
    >>> [width_of_reals(array("d", [x]), 1) for x in (-3.0, 0.5, 0.1, 1e300)]
    [1, 4, 8, 8]
    """
    k: cython.Py_ssize_t
    v: cython.double
    small: cython.bint = True
    if count < 0 or len(values) < count:
        return BAD
    for k in range(count):
        v = values[k]
        if not -3.4e38 <= v <= 3.4e38 or v != _in_single(v):
            return 8
        if v < -128.0 or v > 127.0 or v != cython.cast(cython.double, cython.cast(cython.int, v)):
            small = False
    return 1 if small else 4


def put_reals(
    values: cython.const[cython.double][::1],
    count: cython.Py_ssize_t,
    width: cython.int,
    out: cython.uchar[::1],
    at: cython.Py_ssize_t,
) -> cython.int:
    """A column of values that fit into a width of 1, 4 or 8 bytes."""
    k: cython.Py_ssize_t
    if len(values) < count or width == 2 or not _fits(len(out), at, count, width):
        return BAD
    for k in range(count):
        if cython.compiled:
            put_real(cython.address(out[at]), k, width, values[k])
        else:
            put_real(memoryview(out)[at:], k, width, values[k])
    return 0


def get_reals(
    data: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    width: cython.int,
    out: cython.double[::1],
) -> cython.int:
    """What `put_reals` wrote; BAD when one is not finite."""
    k: cython.Py_ssize_t
    bad: cython.bint = False
    if len(out) < count or width == 2 or not _fits(len(data), at, count, width):
        return BAD
    with cython.nogil:
        for k in range(count):
            if cython.compiled:
                out[k] = get_real(cython.address(data[at]), k, width)
            else:
                out[k] = get_real(data[at:], k, width)
            bad |= not (-_HUGE <= out[k] <= _HUGE)
    return BAD if bad else 0
