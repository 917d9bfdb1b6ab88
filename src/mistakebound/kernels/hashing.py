"""Attribute names hashed into buckets: fingerprints of 64 bits, rows over buckets, and who came first to each bucket.

The fingerprint of an id is finish(id xor 2^63), of any other name finish(FNV-1a of its UTF-8), where `finish` is the
last step of MurmurHash3, a permutation of the 64-bit numbers: different ids have different fingerprints.  The bucket is
one more than the upper bits of the fingerprint.  A name that is written as an id is one, whatever format it came in.
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

# Places in the state of `claim`.
SHARED = 0  # buckets in which more than one name was seen
FOREIGN = 1  # entries that met the bucket of another name
BUCKETS = 2  # buckets in use
_SHARED = cython.declare(cython.int, SHARED)
_FOREIGN = cython.declare(cython.int, FOREIGN)
_BUCKETS = cython.declare(cython.int, BUCKETS)

_ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_TOP = cython.declare(cython.ulonglong, 0x8000000000000000)
_FNV_START = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
_FNV_PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
_FIRST = cython.declare(cython.ulonglong, 0xFF51AFD7ED558CCD)
_SECOND = cython.declare(cython.ulonglong, 0xC4CEB9FE1A85EC53)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _finish(x: cython.ulonglong) -> cython.ulonglong:
    x ^= x >> 33
    x = (x * _FIRST) & _ALL
    x ^= x >> 33
    x = (x * _SECOND) & _ALL
    return x ^ (x >> 33)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _of_name(blob: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.ulonglong:
    x: cython.ulonglong = 0
    k: cython.Py_ssize_t = i
    if 0 < j - i < 20 and (blob[i] != 48 or j - i == 1):
        while k < j and 48 <= blob[k] <= 57:
            x = x * 10 + (blob[k] - 48)
            k += 1
        if k == j and x < _TOP:
            return _finish(x ^ _TOP)
    x = _FNV_START
    for k in range(i, j):
        x = ((x ^ blob[k]) * _FNV_PRIME) & _ALL
    x = _finish(x)
    if (x & (_TOP - 1)) == 0:  # the sign of a bucket without an owner; no id has it
        x |= 1
    return x


def of_ids(
    keys: cython.const[cython.ulonglong][::1], entries: cython.Py_ssize_t, out: cython.ulonglong[::1]
) -> cython.longlong:
    """The fingerprints of ids.

    >>> from array import array
    >>> out = array("Q", [0])
    >>> of_ids(array("Q", [17]), 1, out), hex(out[0])
    (0, '0x370ad2c9c6e7c06c')
    """
    k: cython.Py_ssize_t
    if entries < 0 or entries > len(keys) or entries > len(out):
        return CAPACITY
    with cython.nogil:
        for k in range(entries):
            out[k] = _finish(keys[k] ^ _TOP)
    return 0


def of_names(
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    count: cython.Py_ssize_t,
    out: cython.ulonglong[::1],
) -> cython.longlong:
    """The fingerprints of the names blob[ends[k]:ends[k + 1]].

    >>> from array import array
    >>> out = array("Q", [0, 0])
    >>> of_names(b"free17", array("q", [0, 4, 6]), 2, out), hex(out[0]), hex(out[1])
    (0, '0x469bfc5d67aae2de', '0x370ad2c9c6e7c06c')
    """
    k: cython.Py_ssize_t
    if count < 0 or count >= len(ends) or count > len(out):
        return CAPACITY
    if not spans_fit(ends, count, len(blob)):
        return CAPACITY
    with cython.nogil:
        for k in range(count):
            out[k] = _of_name(blob, ends[k], ends[k + 1])
    return 0


def gather(
    table: cython.const[cython.ulonglong][::1],
    keys: cython.const[cython.ulonglong][::1],
    entries: cython.Py_ssize_t,
    out: cython.ulonglong[::1],
) -> cython.longlong:
    """out[k] = table[keys[k]]."""
    k: cython.Py_ssize_t
    top: cython.ulonglong = len(table)
    if entries < 0 or entries > len(keys) or entries > len(out):
        return CAPACITY
    for k in range(entries):
        if keys[k] >= top:
            return CAPACITY
    with cython.nogil:
        for k in range(entries):
            out[k] = table[keys[k]]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fold(
    rows: KeyRows, bits: cython.int, out: NewRows, seen: cython.longlong[::1], held: cython.longlong[::1]
) -> cython.longlong:
    indptr: cython.const[cython.longlong][::1] = rows.indptr
    prints: cython.const[cython.ulonglong][::1] = rows.keys
    values: cython.const[cython.double][::1] = rows.values
    out_keys: cython.ulonglong[::1] = out.keys
    out_values: cython.double[::1] = out.values
    real: cython.bint = rows.real
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t
    m: cython.longlong
    mask: cython.ulonglong = len(seen) - 1
    h: cython.ulonglong
    bucket: cython.ulonglong
    ones: cython.bint
    twice: cython.bint
    v: cython.double
    out.indptr[0] = 0
    for r in range(rows.rows):
        row = q
        ones = True
        if real:
            for k in range(indptr[r], indptr[r + 1]):
                ones &= values[k] == 1 or values[k] == 0
        for k in range(indptr[r], indptr[r + 1]):
            # A mark is one more than an entry; those of earlier rows are below the row's own.
            h = prints[k] & mask
            twice = False
            while seen[h] > indptr[r]:
                if prints[seen[h] - 1] == prints[k]:
                    twice = True
                    break
                h = (h + 1) & mask
            seen[h] = k + 1
            bucket = (prints[k] >> (64 - bits)) + 1
            v = values[k] if real else 1.0
            h = bucket & mask
            m = held[h]
            while m > row and out_keys[m - 1] != bucket:
                h = (h + 1) & mask
                m = held[h]
            if m > row and not twice:
                if not real:
                    continue
                if ones:
                    out_values[m - 1] = 1.0 if v == 1 else out_values[m - 1]
                    continue
                v += out_values[m - 1]
                if v - v == 0:
                    out_values[m - 1] = v
                    continue
                v = values[k]
            # A name that stands twice in its row, and a sum beyond the doubles, stay two entries: the attribute
            # table refuses such a row.
            held[h] = q + 1
            out_keys[q] = bucket
            if real:
                out_values[q] = v
            q += 1
        out.indptr[r + 1] = q
    return q


def fold(
    rows: KeyRows, bits: cython.int, out: NewRows, seen: cython.longlong[::1], held: cython.longlong[::1]
) -> cython.longlong:
    """Rows over fingerprints -> rows over buckets 1 .. 2**bits; how many entries they have.

    Attributes of one row that fall together are added, in a row of ones and zeros they are one.  `seen` and `held` are
    a power of two long, at least twice the widest row, and zero.

    >>> from array import array
    >>> from mistakebound.kernels.key_rows import KeyRows, NewRows
    >>> out = array("q", [0, 0]), array("Q", [0, 0, 0]), array("d", [0, 0, 0])
    >>> rows = KeyRows(array("q", [0, 3]), array("Q", [1, 2, 1 << 63]), array("d", [1, 2, 4]), 1)
    >>> fold(rows, 1, NewRows(*out), array("q", bytes(64)), array("q", bytes(64)))
    2
    >>> out[0].tolist(), out[1][:2].tolist(), out[2][:2].tolist()
    ([0, 2], [1, 2], [3.0, 4.0])
    """
    entries: cython.longlong
    n: cython.Py_ssize_t = len(seen)
    if bits < 1 or bits > 30 or n & (n - 1) or len(held) != n or 2 * rows.widest > n or n < 1:
        return CAPACITY
    if out.short or not out.has_room(rows.rows, rows.end, rows.real):
        return CAPACITY
    with cython.nogil:
        entries = _fold(rows, bits, out, seen, held)
    return entries


def claim(
    prints: cython.const[cython.ulonglong][::1],
    entries: cython.Py_ssize_t,
    bits: cython.int,
    owners: cython.ulonglong[::1],
    state: cython.longlong[::1],
) -> cython.longlong:
    """Entries in the order of the stream: the first name of a bucket owns it, and the others are counted.

    owners[b] is the fingerprint of the owner without its upper bit, which b tells; that bit says that another name
    was seen there.

    >>> from array import array
    >>> owners, state = array("Q", bytes(16)), array("q", bytes(24))
    >>> claim(array("Q", [5, 6, 5, 6, 1 << 63 | 1]), 5, 1, owners, state), state.tolist()
    (0, [1, 2, 2])
    """
    k: cython.Py_ssize_t
    b: cython.ulonglong
    x: cython.ulonglong
    if entries < 0 or entries > len(prints) or bits < 1 or bits > 30 or len(owners) < 1 << bits or len(state) < 3:
        return CAPACITY
    with cython.nogil:
        for k in range(entries):
            b = prints[k] >> (64 - bits)
            x = prints[k] & (_TOP - 1)
            if owners[b] == x:
                continue
            if owners[b] == 0:
                owners[b] = x
                state[_BUCKETS] += 1
            elif (owners[b] & (_TOP - 1)) != x:
                state[_FOREIGN] += 1
                state[_SHARED] += owners[b] < _TOP
                owners[b] |= _TOP
    return 0
