"""Numbers by rank: the few largest of many, and the distinct ones with the rows of either label that have them."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels.sorting import radix_sort
else:
    from mistakebound.kernels.sorting import radix_sort

_SIGN = cython.declare(cython.ulonglong, 1 << 63)
_INFINITY = cython.declare(cython.ulonglong, 0x7FF << 52)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _largest(
    values: cython.const[cython.double][::1], count: cython.Py_ssize_t, wanted: cython.Py_ssize_t, out: cython.uint[::1]
) -> cython.Py_ssize_t:
    found: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    j: cython.Py_ssize_t
    size: cython.double
    other: cython.double
    for k in range(count):
        size = values[k] if values[k] >= 0.0 else -values[k]
        if found == wanted:
            other = values[out[found - 1]]
            if size <= (other if other >= 0.0 else -other):
                continue
            found -= 1
        j = found
        while j > 0:
            other = values[out[j - 1]]
            if (other if other >= 0.0 else -other) >= size:
                break
            out[j] = out[j - 1]
            j -= 1
        out[j] = cython.cast(cython.uint, k)
        found += 1
    return found


def largest(
    values: cython.const[cython.double][::1], count: cython.Py_ssize_t, wanted: cython.Py_ssize_t, out: cython.uint[::1]
) -> cython.Py_ssize_t:
    """The places of the largest values by size, largest first, of equal ones the first; how many (-1: misfit).

    Takes `count` steps and a few more for each value that enters the list: meant for a short one.

    >>> from array import array
    >>> out = array("I", bytes(8))
    >>> largest(array("d", [1, -5, 2, 5]), 4, 2, out), out.tolist()
    (2, [1, 3])
    """
    found: cython.Py_ssize_t = -1
    if count < 0 or count > len(values) or wanted < 0 or wanted > len(out):
        return found
    if wanted == 0:
        return 0
    with cython.nogil:
        found = _largest(values, count, wanted, out)
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _key(bits: cython.ulonglong) -> cython.ulonglong:
    """A whole number for the bits of a double, in the same order.

    Both zeros have the same one; so have all that are no number, above the others.
    """
    size: cython.ulonglong = bits & (_SIGN - 1)
    if size == 0:
        return _SIGN
    if size > _INFINITY:
        return _SIGN | (_SIGN - 1)
    return _SIGN - size if bits >= _SIGN else _SIGN + size


def distinct(
    scores: cython.const[cython.ulonglong][::1],
    codes: cython.const[cython.schar][::1],
    scratch: cython.ulonglong[::1],
    keys: cython.ulonglong[::1],
    counts: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """The distinct scores of rows, given as the bits of doubles: their number, or -1 when the buffers do not fit.

    keys: whole numbers in the order of the scores, ascending; counts[2 * k] and [2 * k + 1]: rows whose code is not 1,
    and is 1.

    >>> from array import array
    >>> scores = memoryview(array("d", [0.5, -2, 0.5, 0, -0.0])).cast("B").cast("Q")
    >>> scratch, keys, counts = array("Q", bytes(40)), array("Q", bytes(40)), array("q", bytes(80))
    >>> distinct(scores, array("b", [1, 0, 0, 1, 1]), scratch, keys, counts), counts[:6].tolist()
    (3, [1, 0, 0, 2, 1, 1])
    """
    rows: cython.Py_ssize_t = len(codes)
    found: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    middle: cython.Py_ssize_t
    j: cython.Py_ssize_t = rows
    r: cython.Py_ssize_t
    key: cython.ulonglong
    if len(scores) != rows or len(scratch) < rows or len(keys) < rows or len(counts) < 2 * rows:
        return -1
    with cython.nogil:
        for r in range(rows):
            key = _key(scores[r])
            if codes[r] == 1:
                j -= 1
                scratch[j] = key
            else:
                scratch[i] = key
                i += 1
        middle = i
        radix_sort(scratch, 0, middle, 0, 8, keys)
        radix_sort(scratch, middle, rows, 0, 8, keys)
        i = 0
        j = middle
        while i < middle or j < rows:
            key = scratch[i] if j == rows or (i < middle and scratch[i] < scratch[j]) else scratch[j]
            keys[found] = key
            counts[2 * found] = 0
            counts[2 * found + 1] = 0
            while i < middle and scratch[i] == key:
                counts[2 * found] += 1
                i += 1
            while j < rows and scratch[j] == key:
                counts[2 * found + 1] += 1
                j += 1
            found += 1
    return found


def merge(
    one_keys: cython.const[cython.ulonglong][::1],
    one_counts: cython.const[cython.longlong][::1],
    other_keys: cython.const[cython.ulonglong][::1],
    other_counts: cython.const[cython.longlong][::1],
    keys: cython.ulonglong[::1],
    counts: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """What two calls of `distinct` found becomes what one would have found; -1 when the buffers do not fit.

    >>> from array import array
    >>> one, other = (array("Q", [3, 8]), array("q", [1, 0, 2, 2])), (array("Q", [8]), array("q", [0, 5]))
    >>> keys, counts = array("Q", bytes(24)), array("q", bytes(48))
    >>> merge(*one, *other, keys, counts), keys[:2].tolist(), counts[:4].tolist()
    (2, [3, 8], [1, 0, 2, 7])
    """
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    found: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t = len(one_keys)
    m: cython.Py_ssize_t = len(other_keys)
    key: cython.ulonglong
    if len(one_counts) != 2 * n or len(other_counts) != 2 * m or len(keys) < n + m or len(counts) < 2 * (n + m):
        return -1
    with cython.nogil:
        while i < n or j < m:
            key = one_keys[i] if j == m or (i < n and one_keys[i] < other_keys[j]) else other_keys[j]
            keys[found] = key
            counts[2 * found] = 0
            counts[2 * found + 1] = 0
            if i < n and one_keys[i] == key:
                counts[2 * found] += one_counts[2 * i]
                counts[2 * found + 1] += one_counts[2 * i + 1]
                i += 1
            if j < m and other_keys[j] == key:
                counts[2 * found] += other_counts[2 * j]
                counts[2 * found + 1] += other_counts[2 * j + 1]
                j += 1
            found += 1
    return found


def pairs(counts: cython.const[cython.longlong][::1], sums: cython.longlong[::1]) -> cython.int:
    """Of the counts of `distinct`: sums are the rows of either label, and in how many pairs of them 1 has more.

    A pair counts 2, and 1 where the scores are the same.  That number is sums[2] * 2**24 + sums[3], because it may have
    more than 64 bits.  0, or -1 when the buffers do not fit.

    >>> from array import array
    >>> sums = array("q", bytes(32))
    >>> pairs(array("q", [1, 0, 0, 2, 1, 1]), sums), sums.tolist()
    (0, [2, 3, 0, 7])
    """
    k: cython.Py_ssize_t
    below: cython.longlong
    if len(counts) % 2 or len(sums) != 4:
        return -1
    with cython.nogil:
        for k in range(4):
            sums[k] = 0
        for k in range(0, len(counts), 2):
            below = 2 * sums[0] + counts[k]
            sums[2] += counts[k + 1] * (below >> 24)
            sums[3] += counts[k + 1] * (below & 0xFFFFFF)
            sums[0] += counts[k]
            sums[1] += counts[k + 1]
    return 0
