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
    below: cython.Py_ssize_t,
) -> cython.bint:
    i: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    here: cython.bint = len(source_slots) > 0
    there: cython.bint = len(target_slots) > 0
    if (here and count > len(source_slots)) or (there and count > len(target_slots)):
        return False
    for i in range(count):
        a = source_slots[i] if here else i
        if a >= below:
            continue
        b = target_slots[i] if there else i
        if a >= len(source) or b >= len(target):
            return False
        target[b] = source[a]
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

    Source slots from `below` on are passed over.

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
