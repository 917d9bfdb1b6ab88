"""Text names -> numbers, in the order in which they were entered.

Name k is blob[ends[k]:ends[k+1]].  `places` is an open-addressing hash of pairs (64-bit hash of the text, number + 1);
two names are the same when their bytes are: the hash only says where to look.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._bytes import word_at
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels._words import low, mixed
else:
    from mistakebound.kernels._bytes import word_at
    from mistakebound.kernels._words import low, mixed

FULL = -1  # rebuild: the hash is too small, or the buffers do not fit together
TWICE = -2  # rebuild: a name stands twice
OVERLAP = -3  # adopt: the ends go down, or the last is not that of the texts
ID = -4  # adopt: a name is an id
SPLIT = -5  # adopt: a name ends within a character
UNKNOWN = 0xC000000000000000  # translate: the name is a text that is not in the table

WIDEST = 4  # bytes of a character, at most

_WIDEST = cython.declare(cython.int, WIDEST)
_UNKNOWN = cython.declare(cython.ulonglong, UNKNOWN)
_TEXT = cython.declare(cython.ulonglong, 0x8000000000000000)
_SEED = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)
# Places in the state of an attribute table: see the kernel `attributes`.
_SIZE = cython.declare(cython.int, 0)
_PLACES = cython.declare(cython.int, 2)
_TEXTS = cython.declare(cython.int, 7)
_BYTES = cython.declare(cython.int, 8)
_HASHED = cython.declare(cython.int, 9)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _hash(data: cython.const[cython.uchar][::1], a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.ulonglong:
    """Eight bytes at a time, the last ones alone: nothing behind them is read."""
    k: cython.Py_ssize_t
    x: cython.ulonglong
    h: cython.ulonglong = _SEED ^ cython.cast(cython.ulonglong, b - a)
    while b - a >= 8:
        h = mixed(h ^ word_at(data, a))
        a += 8
    if b > a:
        if a + 8 <= len(data):
            x = low(word_at(data, a), b - a)
        else:
            x = 0
            for k in range(b - a):
                x |= cython.cast(cython.ulonglong, data[a + k]) << (8 * k)
        h = mixed(h ^ x)
    return h ^ (h >> 32)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _same(
    data: cython.const[cython.uchar][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    blob: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.bint:
    if end - start != b - a:
        return False
    while b - a >= 8:
        if word_at(data, a) != word_at(blob, start):
            return False
        a += 8
        start += 8
    while a < b:
        if data[a] != blob[start]:
            return False
        a += 1
        start += 1
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _find(
    data: cython.const[cython.uchar][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    places: cython.const[cython.ulonglong][::1],
) -> cython.longlong:
    """The number of the name data[a:b], or -1."""
    return _find_hashed(_hash(data, a, b), data, a, b, blob, ends, places)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _find_hashed(
    hash: cython.ulonglong,
    data: cython.const[cython.uchar][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    places: cython.const[cython.ulonglong][::1],
) -> cython.longlong:
    mask: cython.ulonglong = len(places) // 2 - 1
    h: cython.ulonglong = hash & mask
    number: cython.Py_ssize_t
    while places[2 * h + 1] != 0:
        if places[2 * h] == hash:
            number = cython.cast(cython.Py_ssize_t, places[2 * h + 1]) - 1
            if _same(data, a, b, blob, ends[number], ends[number + 1]):
                return number
        h = (h + 1) & mask
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _place(hash: cython.ulonglong, places: cython.ulonglong[::1], number: cython.Py_ssize_t) -> cython.void:
    mask: cython.ulonglong = len(places) // 2 - 1
    h: cython.ulonglong = hash & mask
    while places[2 * h + 1] != 0:
        h = (h + 1) & mask
    places[2 * h] = hash
    places[2 * h + 1] = number + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def append_text(
    data: cython.const[cython.uchar][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    blob: cython.uchar[::1],
    ends: cython.longlong[::1],
    number: cython.Py_ssize_t,
) -> cython.void:
    """data[a:b], which is not there yet, becomes the next name; the caller has seen to room and calls `place_texts`."""
    k: cython.Py_ssize_t
    start: cython.Py_ssize_t = ends[number]
    for k in range(b - a):
        blob[start + k] = data[a + k]
    ends[number + 1] = start + b - a


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_texts(
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    places: cython.ulonglong[::1],
) -> cython.void:
    """Enter the names first .. last-1 into the hash, 64 at once: where they go is on its way before they do."""
    hashes = cython.declare(cython.ulonglong[64])
    mask: cython.ulonglong = len(places) // 2 - 1
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t
    while first < last:
        n = last - first if last - first < 64 else 64
        for k in range(n):
            hashes[k] = _hash(blob, ends[first + k], ends[first + k + 1])
            if cython.compiled:
                mb_prefetch(cython.address(places[2 * (hashes[k] & mask)]))
        for k in range(n):
            _place(hashes[k], places, first + k)
        first += n


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _id(data: cython.const[cython.uchar][::1], a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.ulonglong:
    """The id that a name is, or 2**63: ids have no sign and no leading zero, and are below 2**63."""
    k: cython.Py_ssize_t
    x: cython.ulonglong = 0
    if b - a < 1 or b - a > 19 or (data[a] == 48 and b - a > 1):
        return _TEXT
    for k in range(a, b):
        if data[k] < 48 or data[k] > 57:
            return _TEXT
        x = x * 10 + (data[k] - 48)
    return x if x < _TEXT else _TEXT


def find(
    data: cython.const[cython.uchar][::1],
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    places: cython.const[cython.ulonglong][::1],
) -> cython.longlong:
    """The number of a name, or -1."""
    return _find(data, 0, len(data), blob, ends, places)


def translate(
    names: cython.const[cython.uchar][::1],
    name_ends: cython.const[cython.longlong][::1],
    first: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    places: cython.const[cython.ulonglong][::1],
    out: cython.ulonglong[::1],
) -> cython.Py_ssize_t:
    """out[k] = the key of name k for first <= k < count: an id, 2**63 + number, or UNKNOWN; how many are, or FULL.

    >>> from array import array
    >>> blob, ends, places, out = bytearray(b"ab"), array("q", [0, 2]), array("Q", bytes(64)), array("Q", bytes(24))
    >>> rebuild(blob, ends, 1, places)
    0
    >>> translate(b"7abc", array("q", [0, 1, 3, 4]), 0, 3, blob, ends, places, out), [key - 2**63 for key in out[1:]]
    (1, [0, 4611686018427387904])
    """
    k: cython.Py_ssize_t
    unknown: cython.Py_ssize_t = 0
    if first < 0 or count < first or count > len(out) or len(name_ends) <= count or len(places) < 2:
        return FULL
    if name_ends[first] < 0 or name_ends[count] > len(names):
        return FULL
    for k in range(first, count):
        if name_ends[k] > name_ends[k + 1]:
            return FULL
    with cython.nogil:
        for k in range(first, count, 64):
            unknown += _translate(names, name_ends, k, k + 64 if k + 64 < count else count, blob, ends, places, out)
    return unknown


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _translate(
    names: cython.const[cython.uchar][::1],
    name_ends: cython.const[cython.longlong][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    places: cython.const[cython.ulonglong][::1],
    out: cython.ulonglong[::1],
) -> cython.Py_ssize_t:
    """At most 64 names: what each step of their look-ups touches is on its way before the step is taken."""
    hashes = cython.declare(cython.ulonglong[64])
    mask: cython.ulonglong = len(places) // 2 - 1
    k: cython.Py_ssize_t
    h: cython.ulonglong
    number: cython.longlong
    unknown: cython.Py_ssize_t = 0
    for k in range(first, last):
        out[k] = _id(names, name_ends[k], name_ends[k + 1])
        hashes[k - first] = _hash(names, name_ends[k], name_ends[k + 1])
        if cython.compiled:
            mb_prefetch(cython.address(places[2 * (hashes[k - first] & mask)]))
    if cython.compiled:
        for k in range(first, last):
            h = 2 * (hashes[k - first] & mask)
            if places[h] == hashes[k - first] and places[h + 1] != 0:
                mb_prefetch(cython.address(ends[places[h + 1] - 1]))
        for k in range(first, last):
            h = 2 * (hashes[k - first] & mask)
            if places[h] == hashes[k - first] and places[h + 1] != 0:
                mb_prefetch(cython.address(blob[ends[places[h + 1] - 1]]))
    for k in range(first, last):
        if out[k] == _TEXT:
            number = _find_hashed(hashes[k - first], names, name_ends[k], name_ends[k + 1], blob, ends, places)
            if number >= 0:
                out[k] = _TEXT + cython.cast(cython.ulonglong, number)
            else:
                out[k] = _UNKNOWN
                unknown += 1
    return unknown


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _before(
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.bint:
    """Whether name j comes before name i, byte by byte: UTF-8 has the order of code points."""
    a: cython.Py_ssize_t = ends[i]
    b: cython.Py_ssize_t = ends[j]
    while a < ends[i + 1] and b < ends[j + 1]:
        if names[a] != names[b]:
            return names[b] < names[a]
        a += 1
        b += 1
    return a < ends[i + 1]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _sift(
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    keys: cython.ulonglong[::1],
    payload: cython.uint[::1],
    first: cython.Py_ssize_t,
    root: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
) -> cython.void:
    """As in `sorting`, by the names of keys[first : first + n]."""
    key: cython.ulonglong = keys[first + root]
    load: cython.uint = payload[first + root]
    child: cython.Py_ssize_t = 2 * root + 1
    while child < n:
        if child + 1 < n and _before(names, ends, keys[first + child + 1] - _UNKNOWN, keys[first + child] - _UNKNOWN):
            child += 1
        if not _before(names, ends, keys[first + child] - _UNKNOWN, key - _UNKNOWN):
            break
        keys[first + root] = keys[first + child]
        payload[first + root] = payload[first + child]
        root = child
        child = 2 * root + 1
    keys[first + root] = key
    payload[first + root] = load


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_texts(
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    keys: cython.ulonglong[::1],
    payload: cython.uint[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.void:
    """keys[first:last], which are UNKNOWN + place, in the canonical order of their names; the payload goes along."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    key: cython.ulonglong
    load: cython.uint
    if last - first <= 32:
        for i in range(first + 1, last):
            key = keys[i]
            load = payload[i]
            j = i
            while j > first and _before(names, ends, keys[j - 1] - _UNKNOWN, key - _UNKNOWN):
                keys[j] = keys[j - 1]
                payload[j] = payload[j - 1]
                j -= 1
            keys[j] = key
            payload[j] = load
        return
    i = (last - first) // 2
    while i > 0:
        i -= 1
        _sift(names, ends, keys, payload, first, i, last - first)
    i = last - first - 1
    while i > 0:
        key = keys[first]
        keys[first] = keys[first + i]
        keys[first + i] = key
        load = payload[first]
        payload[first] = payload[first + i]
        payload[first + i] = load
        _sift(names, ends, keys, payload, first, 0, i)
        i -= 1


def canonical(
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    keys: cython.ulonglong[::1],
    payload: cython.uint[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.bint:
    """Sort keys[first:last], each UNKNOWN + the place of a name, by the names; false when buffers do not fit together.

    >>> from array import array
    >>> keys, payload = array("Q", [7, UNKNOWN, UNKNOWN + 1]), array("I", [0, 1, 2])
    >>> canonical(b"bab", array("q", [0, 1, 3]), keys, payload, 1, 3), payload.tolist()
    (True, [0, 2, 1])
    """
    k: cython.Py_ssize_t
    place: cython.ulonglong
    if first < 0 or last < first or last > len(keys) or last > len(payload):
        return False
    for k in range(first, last):
        place = keys[k] - _UNKNOWN
        if keys[k] < _UNKNOWN or place + 1 >= cython.cast(cython.ulonglong, len(ends)):
            return False
        if ends[place] < 0 or ends[place + 1] < ends[place] or ends[place + 1] > len(names):
            return False
    with cython.nogil:
        sort_texts(names, ends, keys, payload, first, last)
    return True


def first_unknown(
    keys: cython.const[cython.ulonglong][::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> tuple[int, int]:
    """The first k with first <= k < last where keys[k] is UNKNOWN, or `last`; and how many before it are texts.

    (-1, 0) when there are not so many keys.

    >>> from array import array
    >>> first_unknown(array("Q", [7, 2**63, UNKNOWN, 8]), 0, 4), first_unknown(array("Q", [7, UNKNOWN, 8]), 2, 3)
    ((2, 1), (3, 0))
    """
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if first < 0 or last < first or last > len(keys):
        return -1, 0
    for k in range(first, last):
        if keys[k] == _UNKNOWN:
            return k, count
        count += keys[k] >= _TEXT
    return last, count


def rebuild(
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    count: cython.Py_ssize_t,
    places: cython.ulonglong[::1],
) -> cython.int:
    """Fill an empty (zeroed) hash with the names 0 .. count-1; 0, FULL or TWICE."""
    k: cython.Py_ssize_t
    other: cython.Py_ssize_t
    hash: cython.ulonglong
    h: cython.ulonglong
    mask: cython.ulonglong = len(places) // 2 - 1
    status: cython.int = 0
    if count < 0 or len(ends) <= count or 4 * count > len(places) or len(places) < 2 or len(places) & (len(places) - 1):
        return FULL
    if ends[0] != 0 or ends[count] > len(blob):
        return FULL
    for k in range(count):
        if ends[k] > ends[k + 1]:
            return FULL
    with cython.nogil:
        for k in range(count):
            hash = _hash(blob, ends[k], ends[k + 1])
            h = hash & mask
            while places[2 * h + 1] != 0:
                other = cython.cast(cython.Py_ssize_t, places[2 * h + 1]) - 1
                if places[2 * h] == hash and _same(blob, ends[k], ends[k + 1], blob, ends[other], ends[other + 1]):
                    status = -2
                    break
                h = (h + 1) & mask
            if status != 0:
                break
            places[2 * h] = hash
            places[2 * h + 1] = k + 1
    return status


def adopt(
    given: cython.const[cython.ulonglong][::1],
    blob: cython.const[cython.uchar][::1],
    size: cython.Py_ssize_t,
    ends: cython.longlong[::1],
) -> cython.int:
    """Take up the ends of names blob[:size] as a model file has them: ends[k + 1] = given[k]; 0, or what is wrong.

    >>> from array import array
    >>> ends = array("q", bytes(24))
    >>> adopt(array("Q", [1, 3]), b"abc", 3, ends), ends.tolist(), adopt(array("Q", [1, 3]), b"a17", 3, ends) == ID
    (0, [0, 1, 3], True)
    """
    k: cython.Py_ssize_t
    before: cython.ulonglong = 0
    count: cython.Py_ssize_t = len(given)
    status: cython.int = 0
    if len(ends) <= count or size < 0 or size > len(blob):
        return FULL
    if (given[count - 1] if count else 0) != cython.cast(cython.ulonglong, size):
        return OVERLAP
    with cython.nogil:
        ends[0] = 0
        for k in range(count):
            if given[k] < before or given[k] > cython.cast(cython.ulonglong, size):
                status = -3
                break
            ends[k + 1] = cython.cast(cython.longlong, given[k])
            if given[k] < cython.cast(cython.ulonglong, size) and blob[given[k]] & 0xC0 == 0x80:
                status = -5
                break
            if _id(blob, ends[k], ends[k + 1]) != _TEXT:
                status = -4
                break
            before = given[k]
    return status


def numbered(keys: cython.const[cython.ulonglong][::1]) -> cython.Py_ssize_t:
    """How many keys are those of text names; -1 when they are not 2**63, 2**63 + 1, ... in this order.

    >>> from array import array
    >>> numbered(array("Q", [2**63, 7, 2**63 + 1])), numbered(array("Q", [2**63 + 1]))
    (2, -1)
    """
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    with cython.nogil:
        for k in range(len(keys)):
            if keys[k] >= _TEXT:
                if keys[k] - _TEXT != cython.cast(cython.ulonglong, count):
                    count = -1
                    break
                count += 1
    return count


def enter(
    data: cython.const[cython.uchar][::1],
    blob: cython.uchar[::1],
    ends: cython.longlong[::1],
    places: cython.ulonglong[::1],
    number: cython.Py_ssize_t,
) -> cython.int:
    """Enter a name that is not there yet as number `number`; 0, or FULL when there is no room."""
    if number < 0 or number + 1 >= len(ends) or 4 * (number + 1) > len(places) or ends[number] + len(data) > len(blob):
        return FULL
    append_text(data, 0, len(data), blob, ends, number)
    place_texts(number, number + 1, blob, ends, places)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def drop_texts(
    count: cython.Py_ssize_t,
    kept: cython.Py_ssize_t,
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    places: cython.ulonglong[::1],
) -> cython.void:
    """Take the names kept .. count-1 out of the hash, the last one first; the caller has seen to it that they fit."""
    k: cython.Py_ssize_t = count
    h: cython.ulonglong
    mask: cython.ulonglong = len(places) // 2 - 1
    while k > kept:
        k -= 1
        h = _hash(blob, ends[k], ends[k + 1]) & mask
        while places[2 * h + 1] != 0 and places[2 * h + 1] != cython.cast(cython.ulonglong, k) + 1:
            h = (h + 1) & mask
        places[2 * h + 1] = 0


def catch_up(
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    places: cython.ulonglong[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Enter the names that are not in the hash yet, state[HASHED] .. state[TEXTS]-1; 0, or FULL without room."""
    count: cython.Py_ssize_t
    if len(state) < 10 or len(places) < 2 or len(places) & (len(places) - 1):
        return FULL
    count = state[_TEXTS]
    if state[_HASHED] < 0 or count >= len(ends) or 4 * count > len(places) or ends[count] > len(blob):
        return FULL
    place_texts(state[_HASHED], count, blob, ends, places)
    state[_HASHED] = count
    return 0


@cython.cclass
class TextTable:
    """The part of an attribute table that the kernels work on object by object: new text names, and what is known.

    `known` has the slots of the names that somebody asked for since `layout` changed last; slots that were looked up
    in an earlier `generation` may not be valid any more.  The buffers are the table's, which replaces them as it grows.
    """

    # seen: layout: int
    # seen: generation: int
    # seen: known: dict[str, int]
    # seen: _state: array[int]
    # seen: _blob: memoryview[int]
    # seen: _ends: memoryview[int]
    # seen: _text_places: memoryview[int]
    # seen: _extra_keys: memoryview[int]
    # seen: _order: memoryview[int]
    def __init__(self):
        self.layout = 1
        self.generation = 0
        self.known = {}
        self.taken_state = self.taken_blob = self.taken_ends = self.taken_text_places = None
        self.taken_extra_keys = self.taken_order = None

    @cython.cfunc
    def _take(self) -> cython.void:
        """Views of the buffers that were replaced since they were taken."""
        if self._state is not self.taken_state:
            self.state_view = self.taken_state = self._state
        if self._blob is not self.taken_blob:
            self.blob_view = self.taken_blob = self._blob
        if self._ends is not self.taken_ends:
            self.ends_view = self.taken_ends = self._ends
        if self._text_places is not self.taken_text_places:
            self.text_places_view = self.taken_text_places = self._text_places
        if self._extra_keys is not self.taken_extra_keys:
            self.extra_keys_view = self.taken_extra_keys = self._extra_keys
        if self._order is not self.taken_order:
            self.order_view = self.taken_order = self._order

    @cython.ccall
    @cython.exceptval(-2, check=True)
    def enter_names(self, names: list, dense: cython.longlong) -> cython.longlong:
        """Give texts that are not there yet their slots, in the order of code points: the first of these slots, which
        follow each other.  -1, and nothing done, when there may be no room for them.
        """
        room: cython.Py_ssize_t = 0
        count: cython.Py_ssize_t = len(names)
        size: cython.Py_ssize_t
        extra: cython.Py_ssize_t
        number: cython.Py_ssize_t
        end: cython.Py_ssize_t
        start: cython.Py_ssize_t
        k: cython.Py_ssize_t
        code: cython.uint
        name: str
        self._take()
        size = self.state_view[_SIZE]
        number = self.state_view[_TEXTS]
        extra = self.state_view[_PLACES] + number
        end = self.state_view[_BYTES]
        for name in names:
            room += _WIDEST * len(name)
        if (
            size + count > len(self.order_view)
            or extra + count > len(self.extra_keys_view)
            or end + room > len(self.blob_view)
        ):
            return -1
        if number + count >= len(self.ends_view):
            return -1
        if 4 * (number + count) > len(self.text_places_view) or self.state_view[_HASHED] != number:
            return -1
        if count > 1:
            names.sort()
        # What may fail comes first, and nobody looks behind the names that there are; then nothing fails any more.
        try:
            for name in names:
                start = end
                for character in name:
                    code = ord(character)
                    if code > 127:
                        break
                    self.blob_view[end] = code
                    end += 1
                if end - start < len(name):
                    end = start
                    for code in name.encode("utf-8", "surrogatepass"):
                        self.blob_view[end] = code
                        end += 1
                self.ends_view[number + 1] = end
                self.known[name] = dense + extra
                extra += 1
                number += 1
        except BaseException:
            self.known.clear()
            raise
        number -= count
        extra -= count
        for k in range(count):
            _place(
                _hash(self.blob_view, self.ends_view[number], self.ends_view[number + 1]),
                self.text_places_view,
                number,
            )
            self.extra_keys_view[extra] = _TEXT + cython.cast(cython.ulonglong, number)
            self.order_view[size] = cython.cast(cython.uint, dense + extra)
            size += 1
            extra += 1
            number += 1
        self.state_view[_SIZE] = size
        self.state_view[_TEXTS] = self.state_view[_HASHED] = number
        self.state_view[_BYTES] = end
        return dense + extra - count
