"""Keys sorted with a payload, in place: no recursion, no allocation, the same order everywhere."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._ranks import sort_row


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _sift(
    keys: cython.ulonglong[::1], payload: cython.uint[::1], root: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.void:
    key: cython.ulonglong = keys[root]
    load: cython.uint = payload[root]
    child: cython.Py_ssize_t = 2 * root + 1
    while child < end:
        if child + 1 < end and keys[child] < keys[child + 1]:
            child += 1
        if keys[child] <= key:
            break
        keys[root] = keys[child]
        payload[root] = payload[child]
        root = child
        child = 2 * root + 1
    keys[root] = key
    payload[root] = load


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sort_by_rank(keys: cython.ulonglong[::1], payload: cython.uint[::1], n: cython.Py_ssize_t) -> cython.bint:
    """Sort 1 to 256 keys by counting, for each, those that are smaller: no branch depends on the keys.

    False, and nothing done, when they are too far apart for 31 bits, or two are the same.
    """
    near = cython.declare(cython.int[256])
    old = cython.declare(cython.ulonglong[256])
    loads = cython.declare(cython.uint[256])
    ranks = cython.declare(cython.int[256])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    wide: cython.Py_ssize_t = (n + 7) & ~7
    least: cython.ulonglong = keys[0]
    most: cython.ulonglong = keys[0]
    one: cython.int
    smaller: cython.int
    total: cython.Py_ssize_t = 0
    for i in range(1, n):
        least = keys[i] if keys[i] < least else least
        most = keys[i] if keys[i] > most else most
    if most - least >= 0x7FFFFFFF:
        return False
    for i in range(n):
        near[i] = cython.cast(cython.int, keys[i] - least)
        old[i] = keys[i]
        loads[i] = payload[i]
    for i in range(n, wide):
        near[i] = 0x7FFFFFFF
    for i in range(n):
        one = near[i]
        smaller = 0
        for j in range(wide):
            smaller += near[j] < one
        ranks[i] = smaller
        total += smaller
    if 2 * total != n * (n - 1):
        return False
    for i in range(n):
        keys[ranks[i]] = old[i]
        payload[ranks[i]] = loads[i]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_keys(keys: cython.ulonglong[::1], payload: cython.uint[::1], n: cython.Py_ssize_t) -> cython.void:
    """Sort keys[:n] ascending; payload[:n] goes along.  Nearly sorted runs by insertion, others by rank."""
    i: cython.Py_ssize_t
    down: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    key: cython.ulonglong
    load: cython.uint
    if 16 <= n <= 256:
        for i in range(1, n):
            down += keys[i] < keys[i - 1]
        if 8 * down > n and _sort_by_rank(keys, payload, n):
            return
    if n <= 64:
        for i in range(1, n):
            key = keys[i]
            load = payload[i]
            j = i
            while j > 0 and keys[j - 1] > key:
                keys[j] = keys[j - 1]
                payload[j] = payload[j - 1]
                j -= 1
            keys[j] = key
            payload[j] = load
        return
    i = n // 2
    while i > 0:
        i -= 1
        _sift(keys, payload, i, n)
    i = n - 1
    while i > 0:
        key = keys[0]
        keys[0] = keys[i]
        keys[i] = key
        load = payload[0]
        payload[0] = payload[i]
        payload[i] = load
        _sift(keys, payload, 0, i)
        i -= 1


def sort(keys: cython.ulonglong[::1], payload: cython.uint[::1], n: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Sort keys[:n] with payload[:n]; n back, or -1 when a buffer is shorter than n.

    >>> from array import array
    >>> keys, payload = array("Q", [5, 1, 3]), array("I", [0, 1, 2])
    >>> sort(keys, payload, 3), keys.tolist(), payload.tolist()
    (3, [1, 3, 5], [1, 2, 0])
    """
    if n < 0 or len(keys) < n or len(payload) < n:
        return -1
    with cython.nogil:
        sort_keys(keys, payload, n)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def radix_sort(
    keys: cython.ulonglong[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    low: cython.int,
    high: cython.int,
    spare: cython.ulonglong[::1],
) -> cython.void:
    """Sort keys[first:last] by their bytes low .. high-1 (0: the lowest), equal ones as they are.

    The lowest byte comes first; one that all keys have in common is passed over.
    """
    begins = cython.declare(cython.Py_ssize_t[256])  # of each value of a byte
    k: cython.Py_ssize_t
    value: cython.Py_ssize_t
    count: cython.Py_ssize_t
    total: cython.Py_ssize_t
    shift: cython.int
    if last - first < 2:
        return
    for shift in range(8 * low, 8 * high, 8):
        for value in range(256):
            begins[value] = 0
        for k in range(first, last):
            begins[cython.cast(cython.Py_ssize_t, (keys[k] >> shift) & 255)] += 1
        if begins[cython.cast(cython.Py_ssize_t, (keys[first] >> shift) & 255)] == last - first:
            continue
        total = first
        for value in range(256):
            count = begins[value]
            begins[value] = total
            total += count
        for k in range(first, last):
            value = cython.cast(cython.Py_ssize_t, (keys[k] >> shift) & 255)
            spare[begins[value]] = keys[k]
            begins[value] += 1
        for k in range(first, last):
            keys[k] = spare[k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def key_order(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    dense: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
) -> cython.void:
    """places[:b-a]: the entries of slots[a:b] in ascending order of their keys (of the table in `attributes`)."""
    k: cython.Py_ssize_t
    ascending: cython.bint = True
    for k in range(b - a):
        keys[k] = slots[a + k] if slots[a + k] < dense else extra_keys[slots[a + k] - dense]
        places[k] = cython.cast(cython.uint, k)
        ascending &= k == 0 or keys[k - 1] < keys[k]
    if not ascending:
        sort_keys(keys, places, b - a)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def order_entries(
    slots: cython.uint[::1],
    values: cython.double[::1],
    real: cython.bint,
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    dense: cython.ulonglong,
    texts: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
) -> cython.void:
    """Put slots[a:b], and with `real` their values, in ascending order of their keys; `texts`: slot of the first text.

    Small ids and text names have the order of their slots; only other ids have to be looked at.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t = b - a
    slot: cython.uint
    value: cython.double
    low: cython.uint = cython.cast(cython.uint, dense)  # slots have 32 bits
    high: cython.uint = cython.cast(cython.uint, texts)
    ascending: cython.bint = True
    hashed: cython.bint = False
    for k in range(a, b):
        hashed |= low <= slots[k] < high
    for k in range(a + 1, b):
        ascending &= slots[k - 1] < slots[k]
    if ascending and not hashed:
        return
    if not hashed and n <= 256:
        if cython.compiled:
            if sort_row(cython.address(slots[a]), cython.address(values[a]) if real else cython.NULL, n):
                return
    if hashed:
        key_order(slots, a, b, dense, extra_keys, keys, places)
    else:
        for k in range(n):
            keys[k] = slots[a + k]
            places[k] = cython.cast(cython.uint, k)
        sort_keys(keys, places, n)
    if not real:
        for k in range(n):
            keys[k] = slots[a + places[k]]
        for k in range(n):
            slots[a + k] = cython.cast(cython.uint, keys[k])
        return
    for i in range(n):  # cycle by cycle; places[j] = j says that entry j is where it belongs
        slot = slots[a + i]
        value = values[a + i]
        j = i
        while places[j] != cython.cast(cython.uint, i):
            k = places[j]
            slots[a + j] = slots[a + k]
            values[a + j] = values[a + k]
            places[j] = cython.cast(cython.uint, j)
            j = k
        slots[a + j] = slot
        values[a + j] = value
        places[j] = cython.cast(cython.uint, j)


def order_rows(
    indptr: cython.const[cython.longlong][::1],
    slots: cython.uint[::1],
    values: cython.double[::1],
    rows: cython.Py_ssize_t,
    dense: cython.ulonglong,
    texts: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    scratch,
):
    # type: (Ints, Ints, Floats, int, int, int, Ints, tuple[Ints, Ints]) -> bool
    """Put the entries of every row in ascending order of their keys, in place; false: the buffers do not fit together.

    Text names have the slots from `texts` on.  Without `values` all are 1.  `scratch` is (keys, places), as wide as the
    widest row.

    >>> from array import array
    >>> slots, scratch = array("I", [3, 1, 9, 8]), (array("Q", bytes(16)), array("I", bytes(8)))
    >>> order_rows(array("q", [0, 2, 4]), slots, array("d"), 2, 8, 10, array("Q", [50, 40]), scratch), slots.tolist()
    (True, [1, 3, 9, 8])
    """
    keys: cython.ulonglong[::1] = scratch[0]
    places: cython.uint[::1] = scratch[1]
    r: cython.Py_ssize_t
    real: cython.bint = len(values) > 0
    if not _fit(indptr, slots, rows, dense + cython.cast(cython.ulonglong, len(extra_keys)), keys, places):
        return False
    if real and len(values) < indptr[rows]:
        return False
    with cython.nogil:
        for r in range(rows):
            order_entries(slots, values, real, indptr[r], indptr[r + 1], dense, texts, extra_keys, keys, places)
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _fit(
    indptr: cython.const[cython.longlong][::1],
    slots: cython.const[cython.uint][::1],
    rows: cython.Py_ssize_t,
    top: cython.ulonglong,
    keys: cython.const[cython.ulonglong][::1],
    places: cython.const[cython.uint][::1],
) -> cython.bint:
    """Whether rows lie within their buffers, their slots below `top`, and the scratch is as wide as a row."""
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    width: cython.Py_ssize_t
    all_bits: cython.uint = 0
    bad: cython.bint = False
    if rows < 0 or len(indptr) <= rows or indptr[0] < 0 or indptr[rows] > len(slots):
        return False
    for r in range(rows):
        width = indptr[r + 1] - indptr[r]
        if width < 0 or width > len(keys) or width > len(places):
            return False
    for k in range(indptr[0], indptr[rows]):
        all_bits |= slots[k]  # as large as the largest slot at least, and faster
    if all_bits >= top:
        for k in range(indptr[0], indptr[rows]):
            bad |= slots[k] >= top
    return not bad


def sort_rows(
    indptr: cython.const[cython.longlong][::1],
    slots: cython.const[cython.uint][::1],
    rows: cython.Py_ssize_t,
    dense: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
    out: cython.uint[::1],
) -> cython.int:
    """out: the slots of every row in ascending order of their keys; 0, or -1 when the buffers do not fit together.

    `keys` and `places` are scratch, as wide as the widest row.

    >>> from array import array
    >>> out = array("I", bytes(16))
    >>> scratch = array("Q", bytes(16)), array("I", bytes(8))
    >>> sort_rows(array("q", [0, 2, 4]), array("I", [3, 1, 8, 9]), 2, 8, array("Q", [50, 40]), *scratch, out)
    0
    >>> out.tolist()
    [1, 3, 9, 8]
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    width: cython.Py_ssize_t
    if not _fit(indptr, slots, rows, dense + cython.cast(cython.ulonglong, len(extra_keys)), keys, places):
        return -1
    if indptr[rows] > len(out):
        return -1
    with cython.nogil:
        for r in range(rows):
            a = indptr[r]
            width = indptr[r + 1] - a
            key_order(slots, a, a + width, dense, extra_keys, keys, places)
            for k in range(width):
                out[a + k] = slots[a + places[k]]
    return 0
