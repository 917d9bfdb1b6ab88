"""One instance at a time, where nothing is unusual about it: the slots of a dict, and predictions that are sure.

What these do not settle (-1) goes the general way, with the same result.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs
else:
    from math import fabs

_EPS = cython.declare(cython.double, 2.0**-52)
_TINY = cython.declare(cython.double, 2.0**-1000)
_ONE = cython.declare(cython.ulonglong, 1)

Cell = cython.fused_type(cython.uchar, cython.ushort)


def look_up(x: dict, known: dict, slots: cython.uint[::1]) -> cython.Py_ssize_t:
    """The slots of the names in x, which `known` has; how many they are, or -1 unless all are known and all values 1.

    >>> from array import array
    >>> slots = array("I", [0, 0])
    >>> look_up({"a": 1, "b": 1.0}, {"a": 7, "b": 9}, slots), slots.tolist()
    (2, [7, 9])
    >>> look_up({"a": 2}, {"a": 7}, slots), look_up({"c": 1}, {"a": 7}, slots)
    (-1, -1)
    """
    n: cython.Py_ssize_t = 0
    if len(x) > len(slots):
        return -1
    for name, value in x.items():
        if type(value) is float:
            if value != 1.0:
                return -1
        elif value is not True and (type(value) is not int or value != 1):
            return -1
        slot = known.get(name)
        if slot is None:
            return -1
        slots[n] = slot
        n += 1
    return n


def sure_sign(
    slots: cython.const[cython.uint][::1],
    weights: cython.const[cython.double][::1],
    bias: cython.double,
) -> cython.int:
    """Is the sum of the weights of some slots, and the bias, above 0?  -1 when rounding could matter."""
    k: cython.Py_ssize_t
    s: cython.double = bias
    size: cython.double = fabs(bias)
    w: cython.double
    top: cython.ulonglong = len(weights)
    for k in range(len(slots)):
        if slots[k] >= top:
            return -1
        w = weights[slots[k]]
        s += w
        size += fabs(w)
    if size == 0.0:
        return 0
    if s - s != 0.0 or fabs(s) <= size * ((len(slots) + 5) * _EPS):
        return -1
    return s > 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sure(
    slots: cython.const[cython.uint][::1],
    cells: cython.const[Cell][::1],
    shift: cython.int,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    theta: cython.double,
) -> cython.int:
    k: cython.Py_ssize_t
    s: cython.double = 0.0
    gap: cython.double
    slack: cython.double
    c: cython.ulonglong
    mask: cython.ulonglong = (_ONE << shift) - 1
    top: cython.ulonglong = len(cells)
    if len(power) <= cython.cast(cython.longlong, mask) or len(half) < 256:
        return -1
    for k in range(len(slots)):
        if slots[k] >= top:
            return -1
        c = cells[slots[k]]
        s += power[c & mask] * half[(c >> shift) & 255]
    gap = s - theta
    slack = (s + theta) * (len(slots) + 4) * _EPS + _TINY
    if gap > slack:
        return 1
    if gap < -slack:
        return 0
    return -1


def sure_sum1(
    slots: cython.const[cython.uint][::1],
    cells: cython.const[cython.uchar][::1],
    shift: cython.int,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    theta: cython.double,
) -> cython.int:
    """Is the sum of some of Winnow's weights (see the kernel `winnow`) above theta?  -1 when it could be theta itself.

    Codes of `shift` = 8 bits, with or without a start, index the table of powers as they are.  An attribute that has
    not appeared makes the sum no number, and the answer -1.
    """
    return _sure(slots, cells, shift, power, half, theta)


def sure_sum2(
    slots: cython.const[cython.uint][::1],
    cells: cython.const[cython.ushort][::1],
    shift: cython.int,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    theta: cython.double,
) -> cython.int:
    """As sure_sum1, cells of two bytes (codes of 8 bits with a start, or of 16)."""
    return _sure(slots, cells, shift, power, half, theta)
