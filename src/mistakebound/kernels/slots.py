"""Arrays by slot: out of the order of first appearance and into it, or from one layout of the slots to another."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

Item = cython.fused_type(cython.uchar, cython.ushort, cython.uint, cython.ulonglong)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _move(
    source: cython.const[Item][::1],
    source_slots: cython.const[cython.uint][::1],
    target: Item[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
) -> cython.bint:
    i: cython.Py_ssize_t
    here: cython.bint = len(source_slots) > 0
    there: cython.bint = len(target_slots) > 0
    outside: cython.bint = False
    if count > (len(source_slots) if here else len(source)) or count > (len(target_slots) if there else len(target)):
        return False
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
) -> cython.bint:
    """target[target_slots[i]] = source[source_slots[i]] for i < count; empty slots: i itself.  False: outside an array.

    >>> from array import array
    >>> target = bytearray(3)
    >>> move1(b"abc", array("I", [2, 0]), target, array("I"), 2), target
    (True, bytearray(b'ca\\x00'))
    """
    return _move(source, source_slots, target, target_slots, count)


def move2(
    source: cython.const[cython.ushort][::1],
    source_slots: cython.const[cython.uint][::1],
    target: cython.ushort[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
) -> cython.bint:
    """As move1, two bytes an item."""
    return _move(source, source_slots, target, target_slots, count)


def move4(
    source: cython.const[cython.uint][::1],
    source_slots: cython.const[cython.uint][::1],
    target: cython.uint[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
) -> cython.bint:
    """As move1, four bytes an item."""
    return _move(source, source_slots, target, target_slots, count)


def move8(
    source: cython.const[cython.ulonglong][::1],
    source_slots: cython.const[cython.uint][::1],
    target: cython.ulonglong[::1],
    target_slots: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
) -> cython.bint:
    """As move1, eight bytes an item."""
    return _move(source, source_slots, target, target_slots, count)
