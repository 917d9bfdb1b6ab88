"""Arrays by slot: out of the order of first appearance and into it, or from one layout of the slots to another."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

Item = cython.fused_type(cython.uchar, cython.ushort, cython.uint, cython.ulonglong)
_INFINITE = cython.declare(cython.double, float("inf"))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _move(
    source: cython.const[Item][::1],
    source_slots: cython.const[cython.uint][::1],
    target: Item[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    below: cython.Py_ssize_t,
) -> cython.bint:
    i: cython.Py_ssize_t
    here: cython.bint = len(source_slots) > 0
    there: cython.bint = len(target_slots) > 0
    outside: cython.bint = False
    if count > (len(source_slots) if here else len(source)) or count > (len(target_slots) if there else len(target)):
        return False
    if here and there and below < len(source):
        for i in range(count):
            if source_slots[i] < cython.cast(cython.ulonglong, below):
                if target_slots[i] >= cython.cast(cython.ulonglong, len(target)):
                    return False
                target[target_slots[i]] = source[source_slots[i]]
        return True
    # All slots are looked at first: then the numbers can be fetched many at a time.
    if here:
        for i in range(count):
            outside |= source_slots[i] >= cython.cast(cython.ulonglong, len(source))
    if there:
        for i in range(count):
            outside |= target_slots[i] >= cython.cast(cython.ulonglong, len(target))
    if outside:
        return False
    if here and there:
        for i in range(count):
            target[target_slots[i]] = source[source_slots[i]]
    elif here:
        for i in range(count):
            target[i] = source[source_slots[i]]
    elif there:
        for i in range(count):
            target[target_slots[i]] = source[i]
    else:
        for i in range(count):
            target[i] = source[i]
    return True


def move1(
    source: cython.const[cython.uchar][::1],
    source_slots: cython.const[cython.uint][::1],
    target: cython.uchar[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    below: cython.Py_ssize_t,
) -> cython.bint:
    """target[target_slots[i]] = source[source_slots[i]] for i < count; empty slots: i itself.  False: outside an array.

    Source slots from `below` on are skipped.

    >>> from array import array
    >>> target = bytearray(3)
    >>> move1(b"abc", array("I", [2, 0]), target, array("I"), 2, 3), target
    (True, bytearray(b'ca\\x00'))
    """
    return _move(source, source_slots, target, target_slots, count, below)


def move2(
    source: cython.const[cython.ushort][::1],
    source_slots: cython.const[cython.uint][::1],
    target: cython.ushort[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    below: cython.Py_ssize_t,
) -> cython.bint:
    """As move1, two bytes an item."""
    return _move(source, source_slots, target, target_slots, count, below)


def move4(
    source: cython.const[cython.uint][::1],
    source_slots: cython.const[cython.uint][::1],
    target: cython.uint[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    below: cython.Py_ssize_t,
) -> cython.bint:
    """As move1, four bytes an item."""
    return _move(source, source_slots, target, target_slots, count, below)


def move8(
    source: cython.const[cython.ulonglong][::1],
    source_slots: cython.const[cython.uint][::1],
    target: cython.ulonglong[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    below: cython.Py_ssize_t,
) -> cython.bint:
    """As move1, eight bytes an item."""
    return _move(source, source_slots, target, target_slots, count, below)


def move_wide(
    source: cython.const[cython.double][::1],
    source_slots: cython.const[cython.uint][::1],
    target: cython.double[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    below: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
) -> cython.bint:
    """As move1, `width` numbers an item.

    >>> from array import array
    >>> target = array("d", bytes(48))
    >>> move_wide(array("d", [1, 2, 3, 4]), array("I", [1, 0]), target, array("I", [0, 2]), 2, 2, 2), target.tolist()
    (True, [3.0, 4.0, 0.0, 0.0, 1.0, 2.0])
    """
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    here: cython.bint = len(source_slots) > 0
    there: cython.bint = len(target_slots) > 0
    outside: cython.bint = False
    if width < 1 or (here and count > len(source_slots)) or (there and count > len(target_slots)):
        return False
    with cython.nogil:
        for i in range(count):
            a = source_slots[i] if here else i
            b = target_slots[i] if there else i
            if a >= below:
                continue
            if (a + 1) * width > len(source) or (b + 1) * width > len(target):
                outside = True
                break
            for k in range(width):
                target[b * width + k] = source[a * width + k]
    return not outside


def take_column(
    source: cython.const[cython.double][::1],
    slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    out: cython.double[::1],
) -> cython.bint:
    """out[i] = the number `column` of the `width` that are kept at slots[i]; false: outside an array.

    >>> from array import array
    >>> out = array("d", [0, 0])
    >>> take_column(array("d", [1, 2, 3, 4]), array("I", [1, 0]), 2, 2, 1, out), out.tolist()
    (True, [4.0, 2.0])
    """
    i: cython.Py_ssize_t
    outside: cython.bint = False
    if not 0 <= column < width or count > len(slots) or count > len(out):
        return False
    with cython.nogil:
        for i in range(count):
            if (slots[i] + cython.cast(cython.Py_ssize_t, 1)) * width > len(source):
                outside = True
                break
            out[i] = source[slots[i] * width + column]
    return not outside


def put_column(
    numbers: cython.const[cython.double][::1],
    slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    target: cython.double[::1],
) -> cython.bint:
    """The inverse of `take_column`."""
    i: cython.Py_ssize_t
    outside: cython.bint = False
    if not 0 <= column < width or count > len(slots) or count > len(numbers):
        return False
    with cython.nogil:
        for i in range(count):
            if (slots[i] + cython.cast(cython.Py_ssize_t, 1)) * width > len(target):
                outside = True
                break
            target[slots[i] * width + column] = numbers[i]
    return not outside


def widen(
    keys: cython.const[cython.uint][::1], count: cython.Py_ssize_t, base: cython.ulonglong, out: cython.ulonglong[::1]
) -> cython.bint:
    """out[k] = keys[k] + base for k < count; false when a buffer is too short.

    >>> from array import array
    >>> out = array("Q", [0, 0])
    >>> widen(array("I", [7, 9]), 2, 1, out), out.tolist()
    (True, [8, 10])
    """
    k: cython.Py_ssize_t
    if count < 0 or count > len(keys) or count > len(out):
        return False
    with cython.nogil:
        for k in range(count):
            out[k] = keys[k] + base
    return True


def found(
    slots: cython.const[cython.uint][::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t, slot: cython.uint
) -> cython.bint:
    """Whether a slot is among slots[first:last]; true when there are not so many.

    >>> from array import array
    >>> found(array("I", [7, 9, 8]), 0, 2, 8), found(array("I", [7, 9, 8]), 1, 3, 8), found(array("I"), 0, 1, 8)
    (False, True, True)
    """
    k: cython.Py_ssize_t
    there: cython.int = 0
    if first < 0 or last < first or last > len(slots):
        return True
    with cython.nogil:
        for k in range(first, last):
            there |= slots[k] == slot
    return there != 0


def shift(
    slots: cython.const[cython.uint][::1], count: cython.Py_ssize_t, base: cython.uint, out: cython.uint[::1]
) -> cython.bint:
    """out[k] = slots[k] + base for k < count; false when a buffer is too short."""
    k: cython.Py_ssize_t
    if count < 0 or count > len(slots) or count > len(out):
        return False
    with cython.nogil:
        for k in range(count):
            out[k] = slots[k] + base
    return True


def narrow(
    keys: cython.const[cython.ulonglong][::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t, out: cython.uint[::1]
) -> cython.bint:
    """out[k] = keys[k] for first <= k < last; false when one has more than 32 bits, or a buffer is too short.

    >>> from array import array
    >>> out = array("I", [0, 0])
    >>> narrow(array("Q", [7, 9]), 0, 2, out), out.tolist(), narrow(array("Q", [7, 1 << 32]), 0, 2, out)
    (True, [7, 9], False)
    """
    k: cython.Py_ssize_t
    all_bits: cython.ulonglong = 0
    all32: cython.ulonglong = 0xFFFFFFFF
    if first < 0 or last < first or last > len(keys) or last > len(out):
        return False
    with cython.nogil:
        for k in range(first, last):
            all_bits |= keys[k]
            out[k] = cython.cast(cython.uint, keys[k] & all32)
    return all_bits >> 32 == 0


def without_zeros(
    indptr: cython.const[cython.longlong][::1],
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    count: cython.Py_ssize_t,
    out_indptr: cython.longlong[::1],
    out_slots: cython.uint[::1],
    out_values: cython.double[::1],
) -> cython.bint:
    """The first `count` rows without the entries whose value is 0; false when buffers do not fit together.

    >>> from array import array
    >>> out = array("q", [0] * 3), array("I", [0] * 3), array("d", [0] * 3)
    >>> without_zeros(array("q", [0, 2, 3]), array("I", [7, 8, 9]), array("d", [0, 2, 3]), 2, *out)
    True
    >>> [column.tolist() for column in out]
    [[0, 1, 2], [8, 9, 0], [2.0, 3.0, 0.0]]
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    out: cython.Py_ssize_t = 0
    room: cython.Py_ssize_t = min(len(out_slots), len(out_values))
    if count < 0 or count >= len(indptr) or count >= len(out_indptr) or indptr[0] < 0:
        return False
    for r in range(count):
        if indptr[r + 1] < indptr[r] or indptr[r + 1] > len(slots) or indptr[r + 1] > len(values):
            return False
    if indptr[count] - indptr[0] > room:
        return False
    with cython.nogil:
        out_indptr[0] = 0
        for r in range(count):
            for k in range(indptr[r], indptr[r + 1]):
                if values[k] != 0.0:
                    out_slots[out] = slots[k]
                    out_values[out] = values[k]
                    out += 1
            out_indptr[r + 1] = out
    return True


def largest(numbers: cython.const[cython.double][::1]) -> cython.double:
    """The largest size of a number among some; NaN when one is NaN.

    >>> from array import array
    >>> largest(array("d", [1.0, -3.0])), largest(array("d", [1.0, float("nan"), 2.0])), largest(array("d"))
    (3.0, nan, 0.0)
    """
    k: cython.Py_ssize_t
    size: cython.double
    most: cython.double = 0.0
    with cython.nogil:
        for k in range(len(numbers)):
            size = numbers[k] if numbers[k] >= 0.0 else -numbers[k]
            if not size <= most:
                most = size
                if size != size:
                    break
    return most


def smallest(numbers: cython.const[cython.double][::1]) -> cython.double:
    """The smallest of some numbers none of which is NaN, infinite when there is none.

    >>> from array import array
    >>> smallest(array("d", [1.0, -3.0])), smallest(array("d"))
    (-3.0, inf)
    """
    k: cython.Py_ssize_t
    least: cython.double = _INFINITE
    with cython.nogil:
        for k in range(len(numbers)):
            least = min(least, numbers[k])
    return least


def number(
    slots: cython.const[cython.uint][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    numbers: cython.uint[::1],
) -> cython.bint:
    """numbers[slots[i]] = i + 1 for first <= i < last; false when one is outside.

    >>> from array import array
    >>> numbers = array("I", bytes(16))
    >>> number(array("I", [2, 0]), 0, 2, numbers), numbers.tolist()
    (True, [2, 0, 1, 0])
    """
    i: cython.Py_ssize_t
    if first < 0 or last > len(slots):
        return False
    for i in range(first, last):
        if slots[i] >= cython.cast(cython.ulonglong, len(numbers)):
            return False
        numbers[slots[i]] = cython.cast(cython.uint, i + 1)
    return True
