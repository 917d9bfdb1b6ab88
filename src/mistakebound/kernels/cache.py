"""The columns of a cached block: whole numbers in as few bytes as the largest one needs, and back.

A cache is read on the machine that wrote it, so numbers lie in its own byte order and each column starts at a multiple
of eight.  Every function checks that its buffers are long enough and returns BAD when they are not, or when what lies
in them cannot be.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if not cython.compiled:
    from array import array

BAD = -1

_LAST = cython.declare(cython.ulonglong, 0x7FFFFFFFFFFFFFFF)
_HUGE = cython.declare(cython.double, 1.7976931348623157e308)

Whole = cython.fused_type(cython.uchar, cython.ushort, cython.uint, cython.ulonglong)
Real = cython.fused_type(cython.schar, cython.float, cython.double)


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


def largest(values: cython.const[cython.ulonglong][::1], count: cython.Py_ssize_t) -> cython.longlong:
    """The largest of some numbers; BAD when one is 2**63 or more.

    >>> from array import array
    >>> largest(array("Q", [3, 70, 5]), 3)
    70
    """
    k: cython.Py_ssize_t
    top: cython.ulonglong = 0
    if count < 0 or len(values) < count:
        return -1
    with cython.nogil:
        for k in range(count):
            top = values[k] if values[k] > top else top
    return -1 if top > _LAST else cython.cast(cython.longlong, top)


def narrow(values: cython.const[cython.ulonglong][::1], count: cython.Py_ssize_t, out: Whole[::1]) -> cython.int:
    """out[k] = values[k], which fit."""
    k: cython.Py_ssize_t
    if count < 0 or len(values) < count or len(out) < count:
        return -1
    with cython.nogil:
        for k in range(count):
            out[k] = values[k]
    return 0


def widen(packed: Whole[::1], count: cython.Py_ssize_t, out: cython.ulonglong[::1]) -> cython.int:
    """out[k] = packed[k].

    >>> from array import array
    >>> out = array("Q", [0, 0])
    >>> widen(array("H", [7, 65535]), 2, out), out.tolist()
    (0, [7, 65535])
    """
    k: cython.Py_ssize_t
    if count < 0 or len(packed) < count or len(out) < count:
        return -1
    with cython.nogil:
        for k in range(count):
            out[k] = packed[k]
    return 0


def narrow_24(
    values: cython.const[cython.ulonglong][::1],
    count: cython.Py_ssize_t,
    low: cython.ushort[::1],
    high: cython.uchar[::1],
) -> cython.int:
    """Numbers below 2**24: the lower two bytes of all of them, then the upper ones."""
    k: cython.Py_ssize_t
    if count < 0 or len(values) < count or len(low) < count or len(high) < count:
        return -1
    with cython.nogil:
        for k in range(count):
            low[k] = cython.cast(cython.ushort, values[k] & 0xFFFF)
            high[k] = cython.cast(cython.uchar, (values[k] >> 16) & 0xFF)
    return 0


def widen_24(
    low: cython.ushort[::1], high: cython.uchar[::1], count: cython.Py_ssize_t, out: cython.ulonglong[::1]
) -> cython.int:
    """What `narrow_24` took apart."""
    k: cython.Py_ssize_t
    if count < 0 or len(low) < count or len(high) < count or len(out) < count:
        return -1
    with cython.nogil:
        for k in range(count):
            out[k] = low[k] | (cython.cast(cython.uint, high[k]) << 16)
    return 0


def largest_step(values: cython.const[cython.longlong][::1], count: cython.Py_ssize_t) -> cython.longlong:
    """The largest of values[k + 1] - values[k], k < count; BAD when one is negative."""
    k: cython.Py_ssize_t
    top: cython.longlong = 0
    step: cython.longlong
    fell: cython.bint = False
    if count < 0 or len(values) < count + 1:
        return -1
    with cython.nogil:
        for k in range(count):
            step = values[k + 1] - values[k]
            top = step if step > top else top
            fell |= step < 0
    return -1 if fell else top


def narrow_steps(values: cython.const[cython.longlong][::1], count: cython.Py_ssize_t, out: Whole[::1]) -> cython.int:
    """out[k] = values[k + 1] - values[k], which fit."""
    k: cython.Py_ssize_t
    if count < 0 or len(values) < count + 1 or len(out) < count:
        return -1
    with cython.nogil:
        for k in range(count):
            out[k] = values[k + 1] - values[k]
    return 0


def add_steps(
    packed: Whole[::1],
    count: cython.Py_ssize_t,
    start: cython.longlong,
    last: cython.longlong,
    out: cython.longlong[::1],
) -> cython.int:
    """out[0] = start, out[k + 1] = out[k] + packed[k]; BAD unless that ends at `last`.

    >>> from array import array
    >>> out = array("q", [0, 0, 0])
    >>> add_steps(array("B", [2, 3]), 2, 10, 15, out), out.tolist()
    (0, [10, 12, 15])
    """
    k: cython.Py_ssize_t
    at: cython.ulonglong
    step: cython.ulonglong
    end: cython.ulonglong
    if count < 0 or start < 0 or last < start or len(packed) < count or len(out) < count + 1:
        return -1
    at = cython.cast(cython.ulonglong, start)
    end = cython.cast(cython.ulonglong, last)
    with cython.nogil:
        out[0] = start
        for k in range(count):
            step = packed[k]
            if step > end - at:
                break
            at += step
            out[k + 1] = cython.cast(cython.longlong, at)
        else:
            k = count
    return 0 if k == count and at == end else -1


def narrow_tokens(tokens: cython.const[cython.int][::1], count: cython.Py_ssize_t, out: Whole[::1]) -> cython.int:
    """out[k] = tokens[k] + 1: a row without a label has token -1."""
    k: cython.Py_ssize_t
    if count < 0 or len(tokens) < count or len(out) < count:
        return -1
    with cython.nogil:
        for k in range(count):
            out[k] = tokens[k] + 1
    return 0


def widen_tokens(packed: Whole[::1], count: cython.Py_ssize_t, labels: cython.int, out: cython.int[::1]) -> cython.int:
    """out[k] = packed[k] - 1; BAD when there are not so many labels."""
    k: cython.Py_ssize_t
    bad: cython.bint = False
    if count < 0 or labels < 0 or len(packed) < count or len(out) < count:
        return -1
    with cython.nogil:
        for k in range(count):
            bad |= packed[k] > cython.cast(cython.uint, labels)
            out[k] = cython.cast(cython.int, packed[k]) - 1
    return -1 if bad else 0


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
        return -1
    for k in range(count):
        v = values[k]
        if v < -3.4e38 or v > 3.4e38 or v != _in_single(v):
            return 8
        if v < -128.0 or v > 127.0 or v != cython.cast(cython.double, cython.cast(cython.int, v)):
            small = False
    return 1 if small else 4


def narrow_reals(
    values: cython.const[cython.double][::1],
    count: cython.Py_ssize_t,
    small: cython.schar[::1],
    single: cython.float[::1],
) -> cython.int:
    """Values that fit into one of the two: small[k] = values[k], or single[k] where `small` is empty."""
    k: cython.Py_ssize_t
    if count < 0 or len(values) < count or (len(small) < count and len(single) < count):
        return -1
    if len(small) > 0:
        for k in range(count):
            small[k] = cython.cast(cython.schar, cython.cast(cython.int, values[k]))
    else:
        for k in range(count):
            single[k] = values[k]
    return 0


def widen_reals(packed: Real[::1], count: cython.Py_ssize_t, out: cython.double[::1]) -> cython.int:
    """out[k] = packed[k]; BAD when one is not finite."""
    k: cython.Py_ssize_t
    bad: cython.bint = False
    if count < 0 or len(packed) < count or len(out) < count:
        return -1
    with cython.nogil:
        for k in range(count):
            out[k] = packed[k]
            bad |= not (-_HUGE <= out[k] <= _HUGE)
    return -1 if bad else 0
