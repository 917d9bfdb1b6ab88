"""Winnow on one instance: see the kernels `instances` and `winnow`, which says what cells, frame and state are."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._words import leading_zeros
    from cython.cimports.mistakebound.kernels.single_row import SingleRow
else:
    from mistakebound.kernels._words import leading_zeros
    from mistakebound.kernels.single_row import SingleRow

_EPS = cython.declare(cython.double, 2.0**-52)
_TINY = cython.declare(cython.double, 2.0**-1000)
_ONE = cython.declare(cython.uint, 1)
# Places in `state` and `frame`: see the kernel `winnow`.
_SEEN = cython.declare(cython.int, 1)
_STARTS = cython.declare(cython.int, 2)
_LEAST = cython.declare(cython.int, 258)
_MOST = cython.declare(cython.int, 259)
_BIAS = cython.declare(cython.int, 0)
_LOW = cython.declare(cython.int, 1)
_BOTTOM = cython.declare(cython.int, 2)
_TOP = cython.declare(cython.int, 3)
_SHIFT = cython.declare(cython.int, 4)
_GROWS = cython.declare(cython.int, 5)
_MERGED = cython.declare(cython.int, 6)
_ELIMINATES = cython.declare(cython.int, 7)

Cell = cython.fused_type(cython.uchar, cython.ushort)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _start(count: cython.longlong) -> cython.int:
    """s of the start weight 2**-s of attributes that first appear when `count` >= 1 have: b + 2*ceil(log2(b + 1))."""
    b: cython.longlong = 63 - leading_zeros(cython.cast(cython.ulonglong, count))
    return cython.cast(cython.int, b + 2 * (64 - leading_zeros(cython.cast(cython.ulonglong, b))))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sum(
    slots: cython.const[cython.uint][::1],
    n: cython.Py_ssize_t,
    cells: Cell[::1],
    shift: cython.int,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
) -> cython.double:
    """Not a number when an attribute has no weight yet."""
    k: cython.Py_ssize_t = 0
    s: cython.double = 0.0
    s1: cython.double = 0.0
    c: cython.uint
    d: cython.uint
    mask: cython.uint = (_ONE << shift) - 1
    while k + 2 <= n:
        c = cells[slots[k]]
        d = cells[slots[k + 1]]
        s += power[c & mask] * half[c >> shift]
        s1 += power[d & mask] * half[d >> shift]
        k += 2
    if k < n:
        c = cells[slots[k]]
        s += power[c & mask] * half[c >> shift]
    return s + s1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _within(
    slots: cython.const[cython.uint][::1],
    n: cython.Py_ssize_t,
    cells: Cell[::1],
    mask: cython.uint,
    edge: cython.longlong,
    last: cython.longlong,
) -> cython.bint:
    """Is no code at the edge of the table, nor the last one of its width?"""
    k: cython.Py_ssize_t
    code: cython.longlong
    for k in range(n):
        code = cells[slots[k]] & mask
        if code == edge or code == last:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill(
    slots: cython.const[cython.uint][::1],
    n: cython.Py_ssize_t,
    total: cython.Py_ssize_t,
    cells: Cell[::1],
    cell: cython.uint,
) -> cython.void:
    k: cython.Py_ssize_t
    for k in range(n, total):
        cells[slots[k]] = cell


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    slots: cython.const[cython.uint][::1],
    n: cython.Py_ssize_t,
    cells: Cell[::1],
    mask: cython.uint,
    promote: cython.bint,
    eliminates: cython.bint,
) -> cython.void:
    k: cython.Py_ssize_t
    for k in range(n):
        if cells[slots[k]] & mask == 1:
            continue
        if promote:
            cells[slots[k]] += 1
        elif eliminates:
            cells[slots[k]] = (cells[slots[k]] & ~mask) | 1
        else:
            cells[slots[k]] -= 1


@cython.cclass
class SingleRowWinnow(SingleRow):
    cells: cython.uchar[::1]
    wide_cells: cython.ushort[::1]  # one of the two is empty
    wide: cython.bint
    starts: cython.uchar[::1]
    frame: cython.const[cython.longlong][::1]
    power: cython.const[cython.double][::1]
    half: cython.const[cython.double][::1]
    theta: cython.double
    counts: cython.longlong[::1]  # the state of the kernel `winnow`
    shift: cython.int
    mask: cython.uint

    def __init__(self, owner, cells, starts, frame, power, half, theta, counts):
        # type: (tuple[Any, Any, Any, int, bool], Ints, Ints, Ints, Floats, Floats, float, Ints) -> None
        """`owner` is (lock, table, labels, limit, learns)."""
        SingleRow.__init__(self, *owner)
        if len(frame) < 9 or len(half) < 256 or len(counts) < 260:
            raise ValueError("the table of powers is not whole")
        self.wide = memoryview(cells).format == "H"
        if self.wide:
            self.wide_cells = cells
        else:
            self.cells = cells
        self.starts = starts
        self.frame = frame
        self.power = power
        self.half = half
        self.theta = theta
        self.counts = counts
        self.shift = frame[_SHIFT]
        self.mask = (_ONE << self.shift) - 1
        if self.frame[_LOW] != 0 or len(power) <= self.mask or not 0 < self.frame[_BIAS] <= self.mask:
            raise ValueError("a code is outside the table of powers")
        apart: cython.bint = self.frame[_GROWS] and self.frame[_MERGED]  # else a cell has its start, or all start alike
        if len(cells) < self.capacity or (len(starts) < len(cells) and (apart or len(starts) > 0)):
            raise ValueError("expected one weight per slot")

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _new_start(self, new: cython.Py_ssize_t) -> cython.int:
        return _start(self.counts[_SEEN] + new) if self.frame[_GROWS] else 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _new_cell(self, start: cython.int) -> cython.uint:
        cell: cython.uint = cython.cast(cython.uint, self.frame[_BIAS])
        if self.frame[_MERGED]:
            return cell - start
        return cell | cython.cast(cython.uint, start) << self.shift

    @cython.cfunc
    @cython.exceptval(check=False)
    def decide(self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, new: cython.Py_ssize_t) -> cython.int:
        """On which side of theta the sum is, if it is not too near: see the kernel `winnow`."""
        s: cython.double
        gap: cython.double
        slack: cython.double
        if self.wide:
            s = _sum(slots, n, self.wide_cells, self.shift, self.power, self.half)
        else:
            s = _sum(slots, n, self.cells, self.shift, self.power, self.half)
        if new > 0:
            s += new * (self.power[self.frame[_BIAS]] * self.half[self._new_start(new)])
        gap = s - self.theta
        slack = (s + self.theta) * (n + new + 4) * _EPS + _TINY
        if gap > slack:
            return 1
        if gap < -slack:
            return 0
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def ready(
        self,
        slots: cython.const[cython.uint][::1],
        n: cython.Py_ssize_t,
        new: cython.Py_ssize_t,
        promote: cython.bint,
    ) -> cython.bint:
        """Do all codes stay within their width and the table of powers?"""
        edge: cython.longlong = self.frame[_TOP] if promote else self.frame[_BOTTOM]
        last: cython.longlong = 2 * self.frame[_BIAS] - 1 if promote else 2
        code: cython.longlong
        if self.frame[_ELIMINATES] and not promote:
            return True
        if new > 0:
            code = self._new_cell(self._new_start(new)) & self.mask
            if code == edge or code == last:
                return False
        if self.wide:
            return _within(slots, n, self.wide_cells, self.mask, edge, last)
        return _within(slots, n, self.cells, self.mask, edge, last)

    @cython.cfunc
    @cython.exceptval(check=False)
    def begin(
        self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, total: cython.Py_ssize_t
    ) -> cython.void:
        k: cython.Py_ssize_t
        start: cython.int = self._new_start(total - n)
        cell: cython.uint = self._new_cell(start)
        self.counts[_SEEN] += total - n
        self.counts[_STARTS + start] += total - n
        if self.wide:
            _fill(slots, n, total, self.wide_cells, cell)
        else:
            _fill(slots, n, total, self.cells, cell)
        if len(self.starts) > 0:
            for k in range(n, total):
                self.starts[slots[k]] = start

    @cython.cfunc
    @cython.exceptval(check=False)
    def update(self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, promote: cython.bint) -> cython.void:
        """By one step: an instance with a weight goes the general way."""
        eliminates: cython.bint = self.frame[_ELIMINATES]
        self.counts[_LEAST] = 1
        self.counts[_MOST] = max(self.counts[_MOST], 1)
        if self.wide:
            _update(slots, n, self.wide_cells, self.mask, promote, eliminates)
        else:
            _update(slots, n, self.cells, self.mask, promote, eliminates)
