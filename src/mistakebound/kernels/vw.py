"""VW text -> compressed sparse rows over places in a list of the block's distinct names.

`[label [weight]] ['tag]|namespace:scale name:value name ... |namespace ...`; a row a line.  Like the libsvm parser a
block is checked once, a line is taken whole or not at all, and a status comes back, never an exception.

Names are found by a hash of entries of four words, so that a name touches one line of memory: open addressing, at
least a third of it empty.  Up to eight bytes a name is its first word; a longer one has a hash there, and its last word
in the third: together they are exact up to sixteen bytes, because each step of the hash is a permutation, and a name
that is longer still is compared byte by byte.  The second word is `generation << 32 | place << 2 | kind`; an entry of
another generation is empty, so that nobody has to clear a table that a large block has filled.  The fourth is where in
its row the name stood last.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._digits import load8, power_of_ten, run, scaled
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels._words import leading_zeros, low, mixed, put_word, stop, word
    from cython.cimports.mistakebound.kernels.labels import place_label
    from cython.cimports.mistakebound.kernels.number import number
else:
    from mistakebound.kernels._digits import load8, power_of_ten, run, scaled
    from mistakebound.kernels._words import leading_zeros, low, mixed, stop, word
    from mistakebound.kernels.labels import place_label
    from mistakebound.kernels.number import number

OK = 0
BAD_BYTE = 1  # a control character
BAD_LABEL = 2  # not UTF-8
NO_LABEL = 3
NO_BAR = 4
BAD_NAME = 5  # empty, or not UTF-8
BAD_VALUE = 6
BAD_SCALE = 7
LABELS_FULL = 8  # no room for one more distinct label: hand on the rows so far, then go on with ROWS, ... = 0
CAPACITY = 9  # the caller's buffers do not fit together
NAMES_FULL = 10  # no room for one more distinct name: likewise
BAD_WEIGHT = 11
SEVERAL_LABELS = 12  # a label with a colon or a comma
BAD_HEAD = 13  # too many words before the first bar
BAD_SPACE = 14  # a namespace that has a scale and no name, or is not UTF-8
BAD_SUM = 15  # the values of a name that stands there several times have no finite sum

# Places in `state`; the first ones as in the libsvm parser.
POS = 0  # where the next line starts in the text
LINE = 1  # lines before it, rows or not
ROWS = 2
ENTRIES = 3
LABELS = 4  # distinct label texts in the table
REAL = 5  # 1 when some value is not 1, so that `values` counts
WEIGHTED = 6  # 1 when some weight is not 1, so that `weights` counts
OFFSET = 7  # of the trouble, from the start of its line
NAMES = 8  # distinct names
GENERATION = 9  # of the entries of the hash; one more where the names begin anew
BITS = 10  # the hash has 2**BITS entries

SLACK = 32

_SEED = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _word(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.ulonglong:
    if cython.compiled:
        return word(cython.address(buf[i]))
    return word(buf[i : i + 8])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _digits(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.ulonglong:
    if cython.compiled:
        return run(load8(cython.address(buf[i])))
    return run(load8(buf[i : i + 8]))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _put(names: cython.uchar[::1], at: cython.Py_ssize_t, x: cython.ulonglong) -> cython.int:
    """Eight bytes."""
    k: cython.Py_ssize_t
    if cython.compiled:
        put_word(cython.address(names[at]), x)
    else:
        for k in range(8):
            names[at + k] = (x >> (8 * k)) & 255
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _copy(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    names: cython.uchar[::1],
    at: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """buf[i:j] to names[at:], eight bytes at a time: up to seven behind them are overwritten; where they end."""
    last: cython.Py_ssize_t = at + j - i
    while at < last:
        _put(names, at, _word(buf, i))
        at += 8
        i += 8
    return last


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _hash(names: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.ulonglong:
    """Of the name names[i:j]: its word when it is short."""
    h: cython.ulonglong
    if j - i <= 8:
        return low(_word(names, i), j - i)
    h = _SEED
    while j - i > 8:
        h = mixed(h ^ _word(names, i))
        i += 8
    return mixed(h ^ low(_word(names, i), j - i))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _same(
    names: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
) -> cython.bint:
    """Whether names[at:] and buf[i:] have the same `size` bytes."""
    while size > 8:
        if _word(names, at) != _word(buf, i):
            return False
        at += 8
        i += 8
        size -= 8
    return low(_word(names, at) ^ _word(buf, i), size) == 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _same_long(
    names: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    space: cython.ulonglong,
) -> cython.bint:
    """Whether names[start:end] is the namespace, its "^" and the name buf[i:] of `size` bytes, byte by byte."""
    width: cython.Py_ssize_t = space & 0x7FFFFFFF
    if end - start != width + size or not _same(names, start + width, buf, i, size):
        return False
    return width == 0 or (names[start + width - 1] == 94 and _same(names, start, buf, space >> 32, width - 1))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _kind(size: cython.Py_ssize_t) -> cython.ulonglong:
    return (size > 8) + (size > 16)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rehash(
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    count: cython.Py_ssize_t,
    table: cython.ulonglong[::1],
    bits: cython.int,
    generation: cython.ulonglong,
) -> cython.int:
    """All names into a table of a new generation; none of them stands anywhere yet."""
    mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << bits) - 1
    x: cython.ulonglong
    h: cython.ulonglong
    k: cython.Py_ssize_t
    size: cython.Py_ssize_t
    for k in range(count):
        size = ends[k + 1] - ends[k]
        x = _hash(names, ends[k], ends[k + 1])
        h = mixed(x) >> (64 - bits)
        while (table[4 * h + 1] >> 32) == generation:
            h = (h + 1) & mask
        table[4 * h] = x
        table[4 * h + 1] = (generation << 32) | (cython.cast(cython.ulonglong, k) << 2) | _kind(size)
        table[4 * h + 2] = low(_word(names, ends[k + 1] - 1 - (size - 1) % 8), 1 + (size - 1) % 8)
        table[4 * h + 3] = 0
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _entry_of(
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    k: cython.Py_ssize_t,
    table: cython.const[cython.ulonglong][::1],
    bits: cython.int,
) -> cython.ulonglong:
    """Where name k, which is there, has its entry."""
    mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << bits) - 1
    h: cython.ulonglong = mixed(_hash(names, ends[k], ends[k + 1])) >> (64 - bits)
    while ((table[4 * h + 1] >> 2) & 0x3FFFFFFF) != cython.cast(cython.ulonglong, k):
        h = (h + 1) & mask
    return h


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _forget(
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    first: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    table: cython.ulonglong[::1],
    bits: cython.int,
) -> cython.int:
    """Take the names first .. count-1 out again, the last one first: then no other name stands behind a gap."""
    k: cython.Py_ssize_t = count
    while k > first:
        k -= 1
        table[4 * _entry_of(names, ends, k, table, bits) + 1] = 0
    return 0


@cython.cfunc
@cython.with_gil
@cython.exceptval(check=False)
def _is_utf8(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
    try:
        bytes(buf[i:j]).decode()
    except UnicodeDecodeError:
        return False
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ends_word(c: cython.uchar) -> cython.bint:
    return c <= 32 or c == 124


@cython.cfunc
@cython.with_gil
@cython.exceptval(check=False)
def _before_bar(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The number of a word that a bar ends: the same word before a newline."""
    return number(bytes(buf[i:j]) + b"\n" + bytes(16), 0, values, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _number(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Any decimal at buf[i:] into values[p]; where it ends, or -1."""
    j: cython.Py_ssize_t = i
    while not _ends_word(buf[j]):
        j += 1
    if buf[j] != 124:
        return j if number(buf, i, values, p) == j else -1
    return j if _before_bar(buf, i, j, values, p) == j - i else -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _value(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The number at buf[i:] into values[p]; where it ends, or 0: it has many digits, `_number` reads it."""
    minus: cython.Py_ssize_t = buf[i] == 45
    whole: cython.ulonglong = _digits(buf, i + minus)
    part: cython.ulonglong
    j: cython.Py_ssize_t = i + minus + (whole & 15)
    v: cython.double
    if 0 < (whole & 15) < 8:
        if buf[j] == 46:
            part = _digits(buf, j + 1)
            j += 1 + (part & 15)
            if (part & 15) < 8 and _ends_word(buf[j]):
                v = scaled(
                    (whole >> 4) * power_of_ten(part & 15) + (part >> 4),
                    -cython.cast(cython.longlong, part & 15),
                )
                values[p] = -v if minus else v
                return j
        elif _ends_word(buf[j]):
            v = whole >> 4
            values[p] = -v if minus else v
            return j
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _head(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    unlabelled_ok: cython.bint,
    weights: cython.double[::1],
    r: cython.Py_ssize_t,
    place: cython.longlong[::1],
) -> cython.int:
    """What stands before the first bar: place[0:3] become start and end of the label, and where the bar is.

    The weight goes to weights[r].  A status other than OK has its trouble at place[2].
    """
    words: cython.int = 0
    j: cython.Py_ssize_t
    start: cython.Py_ssize_t = i
    colon: cython.bint
    weights[r] = 1.0
    place[0] = place[1] = i
    while buf[i] != 124:
        if buf[i] < 32 and buf[i] != 9:
            place[2] = i
            if buf[i] == 10 or (buf[i] == 13 and buf[i + 1] == 10):
                place[2] = start
                return 4
            return 1
        if buf[i] <= 32:
            i += 1
            continue
        j = i
        colon = False
        while not _ends_word(buf[j]):
            colon |= buf[j] == 58 or buf[j] == 44
            j += 1
        if buf[j] == 124:  # a tag
            i = j
            continue
        place[2] = i
        if buf[i] == 39:  # a quoted tag: nothing but blanks may follow
            while buf[j] == 32 or buf[j] == 9:
                j += 1
            if buf[j] != 124:
                if buf[j] < 32:
                    i = j
                    continue
                return 13
            i = j
            continue
        if colon:
            return 12
        words += 1
        if words == 1:
            place[0] = i
            place[1] = j
        elif words == 2:
            if _number(buf, i, weights, r) < 0 or not weights[r] > 0:
                return 11
        else:
            return 13
        i = j
    place[2] = i
    if words == 0 and not unlabelled_ok:
        place[2] = start
        return 3
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _parse(
    buf: cython.const[cython.uchar][::1],
    end: cython.Py_ssize_t,
    keys: cython.ulonglong[::1],
    values: cython.double[::1],
    indptr: cython.longlong[::1],
    tokens: cython.int[::1],
    lines: cython.longlong[::1],
    weights: cython.double[::1],
    texts: cython.uchar[::1],
    ends: cython.longlong[::1],
    slots: cython.int[::1],
    names: cython.uchar[::1],
    name_ends: cython.longlong[::1],
    table: cython.ulonglong[::1],
    spans: cython.ulonglong[::1],
    spaces: cython.ulonglong[::1],
    lasts: cython.ulonglong[::1],
    unlabelled_ok: cython.bint,
    state: cython.longlong[::1],
    place: cython.longlong[::1],
) -> cython.int:
    i: cython.Py_ssize_t = state[0]
    number_of_line: cython.longlong = state[1]
    r: cython.Py_ssize_t = state[2]
    p: cython.Py_ssize_t = state[3]
    labels: cython.Py_ssize_t = state[4]
    real: cython.bint = state[5]
    weighted: cython.bint = state[6]
    count: cython.Py_ssize_t = state[8]
    generation: cython.ulonglong = state[9]
    bits: cython.int = cython.cast(cython.int, state[10])
    tail: cython.Py_ssize_t = name_ends[count]
    mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << bits) - 1
    all64: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    tops: cython.ulonglong = 0x8080808080808080
    long_name: cython.ulonglong = 0x8000000000000000
    status: cython.int = 0
    start: cython.Py_ssize_t
    first_name: cython.Py_ssize_t
    was_real: cython.bint
    was_weighted: cython.bint
    first: cython.Py_ssize_t
    first_end: cython.Py_ssize_t
    done: cython.Py_ssize_t
    space: cython.Py_ssize_t
    width: cython.Py_ssize_t
    over: cython.Py_ssize_t
    prefix: cython.ulonglong
    begun: cython.ulonglong
    scale: cython.double
    finished: cython.bint
    far: cython.bint
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    left: cython.Py_ssize_t
    size: cython.Py_ssize_t
    x: cython.ulonglong
    h: cython.ulonglong
    tag: cython.ulonglong
    kind: cython.ulonglong
    out: cython.Py_ssize_t
    v: cython.double
    c: cython.uchar
    label: cython.Py_ssize_t
    recent: cython.ulonglong = 0
    older: cython.ulonglong = 0
    recent_label: cython.Py_ssize_t = 0
    older_label: cython.Py_ssize_t = 0
    while i < end:
        start = i
        was_real = real
        was_weighted = weighted
        first_name = count
        while buf[i] == 32 or buf[i] == 9:
            i += 1
        if buf[i] == 10 or (buf[i] == 13 and buf[i + 1] == 10):
            i += 1 + (buf[i] == 13)
            number_of_line += 1
            continue
        status = _head(buf, i, unlabelled_ok, weights, r, place)
        first = place[0]
        first_end = place[1]
        i = place[2]
        if status == 0 and not weighted and weights[r] != 1.0:
            weighted = True
            for k in range(r):
                weights[k] = 1.0
        space = i
        width = 0
        over = 0
        prefix = 0
        begun = _SEED
        scale = 1.0
        finished = False
        done = p
        far = bits > 11
        while status == 0 and not finished:
            # Some entries, each with the word or the hash of its name, before the first of them is looked up: what
            # the lookups touch is on its way meanwhile.
            while p - done < 256:
                c = buf[i]
                if c <= 32:
                    if c == 32 or c == 9:
                        i += 1
                        continue
                    finished = True
                    if c == 13 and buf[i + 1] == 10:
                        i += 1
                    elif c != 10:
                        status = 1
                    break
                if c == 124:
                    i += 1
                    space = i
                    x = 0
                    k = 8
                    while k == 8:
                        x |= _word(buf, i) & tops
                        k = stop(_word(buf, i))
                        i += k
                    width = i - space
                    scale = 1.0
                    if x != 0 and not _is_utf8(buf, space, space + width):
                        i = space
                        status = 14
                        break
                    if buf[i] == 58:
                        if width == 0:
                            status = 14
                            break
                        i = _number(buf, i + 1, values, p)
                        if i < 0:
                            i = space
                            status = 7
                            break
                        scale = values[p]
                    # The namespace and a "^": its whole words go into a hash, the rest waits for the name.
                    begun = _SEED
                    prefix = 0
                    over = 0
                    if width > 0:
                        x = 94
                        k = space
                        left = width
                        while left >= 8:
                            begun = mixed(begun ^ _word(buf, k))
                            k += 8
                            left -= 8
                        prefix = low(_word(buf, k), left) | (x << (8 * left))
                        over = left + 1
                        if over == 8:
                            begun = mixed(begun ^ prefix)
                            prefix = 0
                            over = 0
                        width += 1
                    continue
                # A name, then perhaps a value.
                x = _word(buf, i)
                k = stop(x)
                j = i + k
                if k == 8:
                    k = stop(_word(buf, j))
                    while k == 8:
                        j += 8
                        k = stop(_word(buf, j))
                    j += k
                size = j - i
                if size == 0:
                    status = 5
                    break
                spans[p] = (cython.cast(cython.ulonglong, i) << 32) | size
                if width + size <= 8:
                    x = prefix | ((low(x, size) << (8 * width)) & all64)
                else:
                    spans[p] |= long_name
                    spaces[p] = (cython.cast(cython.ulonglong, space) << 32) | width
                    left = over + size
                    if left <= 8:
                        lasts[p] = prefix | ((low(x, size) << (8 * over)) & all64)
                        x = mixed(begun ^ lasts[p])
                    else:
                        x = mixed(begun ^ (prefix | ((x << (8 * over)) & all64)))
                        k = i + 8 - over
                        left -= 8
                        while left > 8:
                            x = mixed(x ^ _word(buf, k))
                            k += 8
                            left -= 8
                        lasts[p] = low(_word(buf, k), left)
                        x = mixed(x ^ lasts[p])
                keys[p] = x
                if far:
                    if cython.compiled:
                        mb_prefetch(cython.address(table[4 * (mixed(x) >> (64 - bits))]))
                k = i
                i = j
                v = scale
                if buf[j] == 58:
                    if buf[j + 1] == 49 and _ends_word(buf[j + 2]):
                        i = j + 2
                    else:
                        i = _value(buf, j + 1, values, p)
                        if i == 0:
                            i = _number(buf, j + 1, values, p)
                            if i < 0:
                                i = k
                                status = 6
                                break
                        v = values[p] * scale
                        if v - v != 0:
                            i = k
                            status = 6
                            break
                if real:
                    values[p] = v
                elif v != 1.0:
                    real = True
                    for j in range(p):
                        values[j] = 1.0
                    values[p] = v
                p += 1
            if status != 0:
                break
            out = done
            for at in range(done, p):
                x = keys[at]
                j = (spans[at] >> 32) & 0x7FFFFFFF
                size = spans[at] & 0x7FFFFFFF
                left = 0
                if spans[at] >> 63:
                    left = (spaces[at] & 0x7FFFFFFF) + size
                kind = _kind(left)
                h = mixed(x) >> (64 - bits)
                while True:
                    tag = table[4 * h + 1]
                    if (tag >> 32) != generation:
                        k = count
                        break
                    if table[4 * h] == x and (tag & 3) == kind:
                        k = (tag >> 2) & 0x3FFFFFFF
                        if kind == 0 or (
                            table[4 * h + 2] == lasts[at]
                            and (
                                kind == 1 or _same_long(names, name_ends[k], name_ends[k + 1], buf, j, size, spaces[at])
                            )
                        ):
                            break
                    h = (h + 1) & mask
                if k < count:
                    # A name that stands there again adds its value to the first.
                    j = table[4 * h + 3]
                    if indptr[r] <= j < out and keys[j] == cython.cast(cython.ulonglong, k):
                        if not real:
                            real = True
                            for j in range(p):
                                values[j] = 1.0
                            j = table[4 * h + 3]
                        values[j] += values[at]
                        if values[j] - values[j] != 0:
                            i = start
                            status = 15
                            break
                        continue
                    table[4 * h + 3] = out
                    keys[out] = k
                    if real:
                        values[out] = values[at]
                    out += 1
                    continue
                if kind == 0:
                    left = (71 - leading_zeros(x)) >> 3
                if tail + left + 16 > len(names):
                    status = 10
                    break
                if kind == 0:
                    _put(names, tail, x)
                else:
                    k = tail
                    if (spaces[at] & 0x7FFFFFFF) > 0:
                        k = spaces[at] >> 32
                        k = _copy(buf, k, k + (spaces[at] & 0x7FFFFFFF) - 1, names, tail)
                        names[k] = 94
                        k += 1
                    _copy(buf, j, j + size, names, k)
                if not _plain(names, tail, tail + left) and not _is_utf8(names, tail, tail + left):
                    i = j
                    status = 5
                    break
                table[4 * h] = x
                table[4 * h + 1] = (generation << 32) | (cython.cast(cython.ulonglong, count) << 2) | kind
                table[4 * h + 2] = lasts[at]
                table[4 * h + 3] = out
                keys[out] = count
                if real:
                    values[out] = values[at]
                out += 1
                tail += left
                count += 1
                name_ends[count] = tail
                if 3 * count > 2 * cython.cast(cython.Py_ssize_t, mask):
                    if 8 * (mask + 1) > cython.cast(cython.ulonglong, len(table)):
                        status = 10
                        break
                    bits += 1
                    mask = mask * 2 + 1
                    generation += 1
                    _rehash(names, name_ends, count, table, bits, generation)
                    for k in range(indptr[r], out):
                        table[4 * _entry_of(names, name_ends, keys[k], table, bits) + 3] = k
            p = out
            done = p
        # Now that the row is good its label counts.  The last two labels are known by their bytes: eight hold
        # a label of up to seven, and its length.
        label = -1
        if status == 0 and first < first_end:
            x = 0
            k = first_end - first
            if k < 8:
                x = low(_word(buf, first), k) | (cython.cast(cython.ulonglong, k) << 60)
            if x == recent and x != 0:
                label = recent_label
            elif x == older and x != 0:
                label = older_label
            else:
                label = place_label(buf, first, first_end, texts, ends, slots, labels)
                labels += label == labels
                older = recent
                older_label = recent_label
                recent = x
                recent_label = label
            if label < 0:
                status = cython.cast(cython.int, -label)
                i = first
        if status != 0:
            state[7] = i - start
            i = start
            p = indptr[r]
            real = was_real
            weighted = was_weighted
            _forget(names, name_ends, first_name, count, table, bits)
            count = first_name
            break
        i += 1
        number_of_line += 1
        tokens[r] = cython.cast(cython.int, label)
        lines[r] = number_of_line
        r += 1
        indptr[r] = p
    state[0] = i
    state[1] = number_of_line
    state[2] = r
    state[3] = p
    state[4] = labels
    state[5] = real
    state[6] = weighted
    state[8] = count
    state[9] = generation
    state[10] = bits
    return status


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _plain(names: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
    """Whether the name is ASCII."""
    all_bits: cython.ulonglong = 0
    tops: cython.ulonglong = 0x8080808080808080
    while i < j:
        all_bits |= low(_word(names, i), j - i)
        i += 8
    return (all_bits & tops) == 0


def parse_block(
    buf: cython.const[cython.uchar][::1],
    end: cython.Py_ssize_t,
    keys: cython.ulonglong[::1],
    values: cython.double[::1],
    indptr: cython.longlong[::1],
    tokens: cython.int[::1],
    lines: cython.longlong[::1],
    weights: cython.double[::1],
    label_texts: cython.uchar[::1],
    label_ends: cython.longlong[::1],
    label_slots: cython.int[::1],
    names: cython.uchar[::1],
    name_ends: cython.longlong[::1],
    table: cython.ulonglong[::1],
    spans: cython.ulonglong[::1],
    spaces: cython.ulonglong[::1],
    lasts: cython.ulonglong[::1],
    unlabelled_ok: cython.bint,
    state: cython.longlong[::1],
    place: cython.longlong[::1],
) -> cython.int:
    """Parse the lines buf[state[POS]:end] into rows state[ROWS], ...; OK, or why it stopped at state[POS]."""
    status: cython.int
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t = len(label_slots)
    if len(state) < 11 or len(place) < 3 or end < 0 or state[0] < 0 or state[0] > end or len(buf) < end + 32:
        return 9
    if end > 0 and buf[end - 1] != 10:
        return 9
    k = end - state[0]  # bytes to go: a row takes 2 of them, an entry 2
    if (
        state[2] < 0
        or state[2] + k // 2 > len(tokens)
        or state[2] + k // 2 > len(lines)
        or state[2] + k // 2 >= len(weights)
        or state[2] + k // 2 >= len(indptr)
    ):
        return 9
    if state[3] < 0 or state[3] + k // 2 >= len(keys) or state[3] + k // 2 >= len(values):
        return 9
    if state[3] + k // 2 > len(spans) or state[3] + k // 2 > len(spaces) or state[3] + k // 2 > len(lasts):
        return 9
    if end > 0x7FFFFF00:
        return 9
    if len(label_ends) < 2 or state[4] < 0 or state[4] >= len(label_ends) or n < 2 * len(label_ends) - 2 or n & (n - 1):
        return 9
    if state[8] < 0 or state[8] + k // 2 >= len(name_ends) or len(names) < 16 or state[9] < 1 or state[9] >= 1 << 30:
        return 9
    if state[10] < 3 or state[10] > 28 or len(table) < 4 << state[10] or 3 * state[8] > 2 * ((1 << state[10]) - 1):
        return 9
    if state[2] == 0:
        indptr[0] = 0
    if state[4] == 0:
        label_ends[0] = 0
        for k in range(n):
            label_slots[k] = 0
    if state[8] == 0:
        name_ends[0] = 0
    if len(label_texts) < label_ends[state[4]] + end - state[0]:
        return 9
    with cython.nogil:
        status = _parse(
            buf,
            end,
            keys,
            values,
            indptr,
            tokens,
            lines,
            weights,
            label_texts,
            label_ends,
            label_slots,
            names,
            name_ends,
            table,
            spans,
            spaces,
            lasts,
            unlabelled_ok,
            state,
            place,
        )
    return status
