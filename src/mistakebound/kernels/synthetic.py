"""A labelled stream as libsvm text, from whole numbers only: the same bytes on every machine.

A row is `active` draws from the ids 1 .. n, sorted, without repeats.  A fair coin gives the label; a positive
row gets one of the relevant ids (each as likely), a negative row loses all that it has.  So the target is the
disjunction of the relevant attributes.  Random numbers are splitmix64 (Steele, Lea and Flood 2014).
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

from array import array

if cython.compiled:
    from cython.cimports.mistakebound.kernels._splitmix import GAMMA, mixed
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
else:
    from mistakebound.kernels._splitmix import GAMMA, mixed
    from mistakebound.kernels.sorting import sort_keys

CAPACITY = -1

_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _next(random: cython.ulonglong[::1]) -> cython.ulonglong:
    z: cython.ulonglong = (random[0] + GAMMA) & _ALL64
    random[0] = z
    return mixed(z)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _write_id(out: cython.uchar[::1], i: cython.Py_ssize_t, key: cython.ulonglong) -> cython.Py_ssize_t:
    """ " key:1" at out[i:]; where it ends."""
    width: cython.Py_ssize_t = 1
    k: cython.Py_ssize_t
    rest: cython.ulonglong = key // 10
    while rest > 0:
        width += 1
        rest //= 10
    out[i] = 32
    for k in range(width):
        out[i + width - k] = cython.cast(cython.uchar, 48 + key % 10)
        key //= 10
    out[i + width + 1] = 58
    out[i + width + 2] = 49
    return i + width + 3


@cython.cclass
class RowSource:
    """Where rows come from: the ids 1 .. n, those that are relevant (ascending), the words of both labels, the seed.

    random[0], the seed, is stepped on.  A row takes at most the longer label + 22 * (active + 1) + 1 bytes.
    """

    n: cython.ulonglong
    active: cython.Py_ssize_t
    relevant: cython.const[cython.ulonglong][::1]
    negative_label: cython.const[cython.uchar][::1]
    positive_label: cython.const[cython.uchar][::1]
    random: cython.ulonglong[::1]
    keys: cython.ulonglong[::1]  # work space
    payload: cython.uint[::1]

    def __init__(self, n, active, relevant, negative_label, positive_label, random):
        # type: (int, int, Ints, bytes, bytes, Ints) -> None
        if n < 1 or active < 0 or len(relevant) < 1 or len(random) < 1:
            raise AssertionError("there is nothing to draw from")
        self.n = n
        self.active = active
        self.relevant = relevant
        self.negative_label = negative_label
        self.positive_label = positive_label
        self.random = random
        self.keys = array("Q", bytes(8 * (active + 1)))
        self.payload = array("I", bytes(4 * (active + 1)))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _draw(source: RowSource) -> cython.bint:
    """Draw a row into keys[: active + 1], sorted, with repeats and relevant ids; whether it is positive."""
    k: cython.Py_ssize_t
    positive: cython.bint
    many: cython.ulonglong = len(source.relevant)
    for k in range(source.active):
        source.keys[k] = 1 + _next(source.random) % source.n
    positive = _next(source.random) >> 63
    if positive:
        source.keys[source.active] = source.relevant[_next(source.random) % many]
    else:
        source.keys[source.active] = source.relevant[0]  # goes out again with the others
    sort_keys(source.keys, source.payload, source.active + 1)
    return positive


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_rows(source: RowSource, rows: cython.Py_ssize_t, out: cython.uchar[::1]) -> cython.Py_ssize_t:
    i: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    next_relevant: cython.Py_ssize_t
    relevant: cython.const[cython.ulonglong][::1] = source.relevant
    many: cython.Py_ssize_t = len(relevant)
    key: cython.ulonglong
    while rows > 0:
        rows -= 1
        if _draw(source):
            next_relevant = many  # none is taken out
            for k in range(len(source.positive_label)):
                out[i] = source.positive_label[k]
                i += 1
        else:
            next_relevant = 0
            for k in range(len(source.negative_label)):
                out[i] = source.negative_label[k]
                i += 1
        for k in range(source.active + 1):
            key = source.keys[k]
            if k > 0 and key == source.keys[k - 1]:
                continue
            while next_relevant < many and relevant[next_relevant] < key:
                next_relevant += 1
            if next_relevant < many and relevant[next_relevant] == key:
                continue
            i = _write_id(out, i, key)
        out[i] = 10
        i += 1
    return i


def write_rows(source: RowSource, rows: cython.Py_ssize_t, out: cython.uchar[::1]) -> cython.Py_ssize_t:
    """Write rows as text into out; bytes written, or CAPACITY when it is too small.

    >>> from array import array
    >>> out = bytearray(300)
    >>> size = write_rows(RowSource(50, 3, array("Q", [7, 9]), b"0", b"1", array("Q", [1])), 3, out)
    >>> out[:size].decode().splitlines()
    ['0 16:1 20:1 41:1', '1 7:1 12:1 46:1 49:1', '0 1:1 21:1 38:1']
    """
    label: cython.Py_ssize_t = max(len(source.negative_label), len(source.positive_label))
    written: cython.Py_ssize_t
    if rows < 0 or len(out) < rows * (label + 22 * (source.active + 1) + 1):
        return CAPACITY
    with cython.nogil:
        written = _write_rows(source, rows, out)
    return written
