"""The distinct label texts of a block, in order of first appearance.

Text k is texts[ends[k]:ends[k + 1]]; `slots` is an open-addressing hash of k + 1, a power of two long and at
least twice as many as there may be labels, so that a search ends.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

NOT_UTF8 = -2
FULL = -8

_LOW32 = cython.declare(cython.ulonglong, 0xFFFFFFFF)


@cython.cfunc
@cython.with_gil
@cython.exceptval(check=False)
def _decodes(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
    try:
        bytes(buf[i:j]).decode()
    except UnicodeDecodeError:
        return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_utf8(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
    all_bits: cython.uchar = 0
    k: cython.Py_ssize_t
    for k in range(i, j):
        all_bits |= buf[k]
    return all_bits < 128 or _decodes(buf, i, j)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _same(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    texts: cython.uchar[::1],
    start: cython.longlong,
    end: cython.longlong,
) -> cython.bint:
    if end - start != j - i:
        return False
    while i < j and buf[i] == texts[start]:
        i += 1
        start += 1
    return i == j


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_label(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    texts: cython.uchar[::1],
    ends: cython.longlong[::1],
    slots: cython.int[::1],
    used: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The number of the label buf[i:j]: `used` when it is new and was added; else NOT_UTF8 or FULL."""
    mask: cython.ulonglong = len(slots) - 1
    h: cython.ulonglong = 0
    all_bits: cython.uchar = 0
    k: cython.Py_ssize_t
    free: cython.Py_ssize_t
    for k in range(i, j):
        h = (h * 1000003 + buf[k]) & _LOW32
        all_bits |= buf[k]
    h = (h ^ (h >> 15)) & mask
    while slots[h] != 0:
        k = slots[h] - 1
        if _same(buf, i, j, texts, ends[k], ends[k + 1]):
            return k
        h = (h + 1) & mask
    if all_bits > 127 and not _decodes(buf, i, j):
        return -2
    if used + 1 >= len(ends):
        return -8
    free = ends[used]
    for k in range(j - i):
        texts[free + k] = buf[i + k]
    ends[used + 1] = free + j - i
    slots[h] = cython.cast(cython.int, used + 1)
    return used
