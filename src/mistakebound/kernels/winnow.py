"""Winnow on integer exponents: weight = unit * 2**-start * alpha**exponent (Littlestone 1988, sections 4 and 5).

A weight is stored as a cell: the code exponent + bias in its lower `shift` bits (8, 16 or 32), the start in the bits
above them; where starts are part of the exponent already (when alpha is 2) or all 0 (when n is declared), a cell has
no more than its code.  The cell 0 is that of an attribute that has not appeared yet, code 1 the eliminated weight 0.
`power[code - low]` is unit * alpha**exponent as a double, good to 3/2 units in the last place, 0.0 where it is not
filled in and not a number for code 0: a sum that is no number is of a row with new attributes, no other has to look.
`flat` has the weight of every cell of two bytes: of its many entries only those of cells that occur are ever touched.
`units[code - low]` is UNIT + the exponent of its lowest set bit where the double is exact, and 0 where it is not.

Predictions are those of exact arithmetic.  The sum of m positive terms, each rounded, is off by less than
(m + 4) * 2**-52 of itself, so a sum further than that from theta is on the right side of it.  Nearer, the sum is
still exact when all terms are multiples of one power of two and it has fewer than 53 bits above that.  What is then
left undecided goes back to the caller, who decides it in integers and calls again with the verdict.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from mistakebound.kernels.row_batch import RowBatch

OK = 0
UNDECIDED = 1  # row state[ROW] needs exact arithmetic: call again with forced = 0 or 1 for it
EDGE = 4  # an update of row state[ROW] would leave the filled part of the table: extend it
WIDEN = 5  # an update of row state[ROW] would leave the range of the codes: widen them
CAPACITY = 2
OTHER = 3  # rows that are still to enter their table have an attribute that is not its own slot: nothing was done
_OK = cython.declare(cython.int, OK)
_UNDECIDED = cython.declare(cython.int, UNDECIDED)
_EDGE = cython.declare(cython.int, EDGE)
_WIDEN = cython.declare(cython.int, WIDEN)
_CAPACITY = cython.declare(cython.int, CAPACITY)
_OTHER = cython.declare(cython.int, OTHER)

# Places in `state`.
ROW = 0
SEEN = 1  # attributes whose start weight is settled
STARTS = 2  # from here on, 256 places: how many of them started with 2**0, 2**-1, ...
LEAST = 258  # the smallest importance of a mistake, 0 before the first one,
MOST = 259  # and the largest
_ROW = cython.declare(cython.int, ROW)
_SEEN = cython.declare(cython.int, SEEN)
_STARTS = cython.declare(cython.int, STARTS)
_LEAST = cython.declare(cython.int, LEAST)
_MOST = cython.declare(cython.int, MOST)

# Places in `frame`, what the cells mean: written by the caller when the table or the width changes.
BIAS = 0
LOW = 1  # the code at power[0]
BOTTOM = 2  # lowest code that is filled in, or -1 when everything below it is 0.0 as a double
TOP = 3  # highest code that is filled in
SHIFT = 4  # bits of a code
GROWS = 5  # 1: n is not declared, attributes start with 2**-start when they appear; 0: they start with 1
MERGED = 6  # 1: the start is part of the exponent
ELIMINATES = 7  # 1: a false positive sets weights to 0; 0: it divides them by alpha
OR_EQUAL = 8  # 1: predict 1 when the sum is >= theta; 0: when it is > theta
_BIAS = cython.declare(cython.int, BIAS)
_LOW = cython.declare(cython.int, LOW)
_BOTTOM = cython.declare(cython.int, BOTTOM)
_TOP = cython.declare(cython.int, TOP)
_SHIFT = cython.declare(cython.int, SHIFT)
_GROWS = cython.declare(cython.int, GROWS)
_MERGED = cython.declare(cython.int, MERGED)
_ELIMINATES = cython.declare(cython.int, ELIMINATES)
_OR_EQUAL = cython.declare(cython.int, OR_EQUAL)

UNIT = 4096
_UNIT = cython.declare(cython.int, UNIT)
_AHEAD = cython.declare(cython.Py_ssize_t, 64)  # entries between one that is added and one that is asked for
_TINY = cython.declare(cython.double, 2.0**-1000)
_EPS = cython.declare(cython.double, 2.0**-52)
_NEW = cython.declare(cython.double, float("nan"))
_HUGE = cython.declare(cython.double, float("inf"))
_FAR = cython.declare(cython.double, 1e300)  # a sum that no double holds is above any theta below this
_HEAVIEST = cython.declare(cython.double, 2.0**40)
_ONE = cython.declare(cython.ulonglong, 1)

Cell = cython.fused_type(cython.uchar, cython.ushort, cython.uint, cython.ulonglong)


@cython.cclass
class WeightTable:
    """What cells stand for: the frame and the powers of alpha of a learner's table, halves, and its threshold.

    `flat`, where it is not empty, has the weight of every cell of two bytes.
    """

    frame: cython.const[cython.longlong][::1]
    power: cython.const[cython.double][::1]
    units: cython.const[cython.short][::1]
    half: cython.const[cython.double][::1]
    flat: cython.const[cython.double][::1]
    theta: cython.double

    def __init__(self, frame, power, units, half, flat, theta):
        # type: (Ints, Floats, Ints, Floats, Floats, float) -> None
        if len(frame) < 9 or len(half) < 256:
            raise AssertionError("the frame or the halves are not whole")
        low, shift = frame[LOW], frame[SHIFT]
        if len(units) < len(power) or frame[TOP] - low >= len(power) or not low <= frame[BIAS] <= frame[TOP]:
            raise AssertionError("the table of powers does not fit its frame")
        if shift not in (8, 16, 32) or low < 0 or (low == 0 and (shift == 32 or len(power) < 1 << shift)):
            raise AssertionError("a code is outside the table of powers")
        self.frame = frame
        self.power = power
        self.units = units
        self.half = half
        self.flat = flat
        self.theta = theta


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _start(count: cython.longlong) -> cython.int:
    """s of the start weight 2**-s of attributes that first appear when `count` have: docs/theorems, 'n unknown'."""
    b: cython.int = 0
    c: cython.int = 0
    while (count >> b) > 1:
        b += 1
    while (1 << c) < b + 1:
        c += 1
    return b + 2 * c


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _unseen(
    slots: cython.const[cython.uint][::1], a: cython.Py_ssize_t, b: cython.Py_ssize_t, cells: Cell[::1]
) -> cython.Py_ssize_t:
    """How many attributes of this row have not appeared yet."""
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    for k in range(a, b):
        count += cells[slots[k]] == 0
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _settle(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    cells: Cell[::1],
    starts: cython.uchar[::1],
    frame: cython.const[cython.longlong][::1],
    state: cython.longlong[::1],
    base: cython.uint,
    bits: cython.ulonglong[::1],
    order: cython.uint[::1],
    table: cython.longlong[::1],
) -> cython.void:
    """Start weights for the attributes that first appear in this row; those that are not in their table yet enter it.

    state[STARTS + s] counts the attributes that started with 2**-s; `starts` is empty where cells have their start.
    """
    k: cython.Py_ssize_t
    new: cython.Py_ssize_t = 0
    s: cython.int = 0
    id: cython.uint
    cell: cython.ulonglong = frame[_BIAS]
    if len(order) > 0:
        for k in range(a, b):  # without a branch, which nobody could predict
            order[table[0] + new] = slots[k]
            new += cells[slots[k]] == 0
    else:
        new = _unseen(slots, a, b, cells)
    state[_SEEN] += new
    if frame[_GROWS]:
        s = _start(state[_SEEN])
        if frame[_MERGED]:
            cell -= s
        else:
            cell |= cython.cast(cython.ulonglong, s) << frame[_SHIFT]
    state[_STARTS + s] += new
    if len(order) > 0:
        for k in range(table[0], table[0] + new):
            cells[order[k]] = cell
            if len(starts) > 0:
                starts[order[k]] = s
            id = order[k] + base
            bits[id >> 6] |= _ONE << (id & 63)
            order[k] = id
        table[0] += new
        return
    for k in range(a, b):
        if cells[slots[k]] == 0:
            cells[slots[k]] = cell
            if len(starts) > 0:
                starts[slots[k]] = s


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _weight(
    cell: cython.ulonglong,
    low: cython.longlong,
    shift: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
) -> cython.double:
    i: cython.longlong = cython.cast(cython.longlong, cell & ((_ONE << shift) - 1)) - low
    if i < 0:  # eliminated, or below every double: the absolute part of the slack covers that
        return _NEW if cell == 0 else 0.0
    if i >= len(power):
        return _HUGE
    return power[i] * half[(cell >> shift) & 255]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ask(slots: cython.const[cython.uint][::1], k: cython.Py_ssize_t, cells: Cell[::1]) -> cython.void:
    """Have the cells of two entries brought from memory while others are added up."""
    if cython.compiled:
        mb_prefetch(cython.address(cells[slots[k]]))
        mb_prefetch(cython.address(cells[slots[k + 1]]))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _plain_sum(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    cells: Cell[::1],
    power: cython.const[cython.double][::1],
    far: cython.bint,
) -> cython.double:
    """The sum of a row whose cells index the table as they are: four sums at once, which do not wait for each other.

    With `far` the cells are too many to be near at hand, and _AHEAD entries follow the row.
    """
    k: cython.Py_ssize_t = a
    s: cython.double = 0.0
    s1: cython.double = 0.0
    s2: cython.double = 0.0
    s3: cython.double = 0.0
    while k + 4 <= b:
        if far:
            _ask(slots, k + _AHEAD, cells)
            _ask(slots, k + _AHEAD + 2, cells)
        s += power[cells[slots[k]]]
        s1 += power[cells[slots[k + 1]]]
        s2 += power[cells[slots[k + 2]]]
        s3 += power[cells[slots[k + 3]]]
        k += 4
    while k < b:
        s += power[cells[slots[k]]]
        k += 1
    return (s + s1) + (s2 + s3)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _scaled_sum(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    cells: Cell[::1],
    shift: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    far: cython.bint,
) -> cython.double:
    """The same for cells with a start, whose codes index the table as they are."""
    k: cython.Py_ssize_t = a
    mask: cython.ulonglong = (_ONE << shift) - 1
    c: cython.ulonglong
    d: cython.ulonglong
    s: cython.double = 0.0
    s1: cython.double = 0.0
    while k + 2 <= b:
        if far:
            _ask(slots, k + _AHEAD, cells)
        c = cells[slots[k]]
        d = cells[slots[k + 1]]
        s += power[c & mask] * half[(c >> shift) & 255]
        s1 += power[d & mask] * half[(d >> shift) & 255]
        k += 2
    if k < b:
        c = cells[slots[k]]
        s += power[c & mask] * half[(c >> shift) & 255]
    return s + s1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _careful_sum(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    cells: Cell[::1],
    low: cython.longlong,
    shift: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    unseen: cython.Py_ssize_t,
    new_weight: cython.double,
) -> cython.double:
    """The sum of any row, in its order; `unseen` of its attributes are about to start with `new_weight`."""
    k: cython.Py_ssize_t
    s: cython.double = 0.0
    for k in range(a, b):
        if unseen == 0 or cells[slots[k]] != 0:
            s += _weight(cells[slots[k]], low, shift, power, half)
    if unseen > 0:
        s += unseen * new_weight
    return s


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _exact(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    cells: Cell[::1],
    low: cython.longlong,
    shift: cython.longlong,
    units: cython.const[cython.short][::1],
    bias: cython.longlong,
    unseen_start: cython.int,
    total: cython.double,
) -> cython.bint:
    """Is the rounded sum of this row exact?  (unseen_start: of attributes without a weight, -1 without any.)"""
    k: cython.Py_ssize_t
    i: cython.longlong
    cell: cython.ulonglong
    unit: cython.longlong = 1023
    room: cython.double = 9007199254740992.0  # 2**53
    if unseen_start >= 0:
        if units[bias - low] == 0:
            return False
        unit = units[bias - low] - _UNIT - unseen_start
    for k in range(a, b):
        cell = cells[slots[k]]
        i = cython.cast(cython.longlong, cell & ((_ONE << shift) - 1))
        if i < 2:
            continue
        i -= low
        if i < 0 or i >= len(units) or units[i] == 0:
            return False
        unit = min(unit, units[i] - _UNIT - cython.cast(cython.longlong, cell >> shift))
    if unit < -900 or unit > 900:
        return False
    while unit > 0:
        room *= 2.0
        unit -= 1
    while unit < 0:
        room *= 0.5
        unit += 1
    return total < room


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    cells: Cell[::1],
    frame: cython.const[cython.longlong][::1],
    promote: cython.bint,
    steps: cython.longlong,
) -> cython.int:
    """Multiply or divide the weights of a row by alpha**steps, or eliminate them; all are changed, or none."""
    k: cython.Py_ssize_t
    mask: cython.ulonglong = (_ONE << frame[_SHIFT]) - 1
    code: cython.longlong
    if frame[_ELIMINATES] and not promote:
        for k in range(a, b):
            cells[slots[k]] = (cells[slots[k]] & ~mask) | 1
        return _OK
    for k in range(a, b):
        code = cython.cast(cython.longlong, cells[slots[k]] & mask)
        if code == 1:
            continue
        if code + steps > 2 * frame[_BIAS] - 1 if promote else code - steps < 2:
            return _WIDEN
        if code + steps > frame[_TOP] if promote else code - steps < frame[_BOTTOM]:
            return _EDGE
    for k in range(a, b):
        if cells[slots[k]] & mask != 1:
            if promote:
                cells[slots[k]] += steps
            else:
                cells[slots[k]] -= steps
    return _OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run(
    batch: RowBatch,
    cells: Cell[::1],
    starts: cython.uchar[::1],
    kept: WeightTable,
    first: cython.Py_ssize_t,
    forced: cython.int,
) -> cython.int:
    slots: cython.const[cython.uint][::1] = batch.slots
    indptr: cython.const[cython.longlong][::1] = batch.indptr
    state: cython.longlong[::1] = batch.state
    frame: cython.const[cython.longlong][::1] = kept.frame
    power: cython.const[cython.double][::1] = kept.power
    half: cython.const[cython.double][::1] = kept.half
    flat: cython.const[cython.double][::1] = kept.flat
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    low: cython.longlong = frame[_LOW]
    shift: cython.longlong = frame[_SHIFT]
    fast: cython.bint = low == 0 and len(batch.scores) == 0
    plain: cython.bint = frame[_MERGED] or not frame[_GROWS]
    flattened: cython.bint = len(flat) > 0
    k: cython.Py_ssize_t
    far: cython.bint
    last: cython.Py_ssize_t = indptr[batch.rows] - _AHEAD if len(cells) > 262144 else -1
    unseen: cython.Py_ssize_t
    unseen_start: cython.int
    settled: cython.bint = False
    s: cython.double
    gap: cython.double
    slack: cython.double
    prediction: cython.int
    status: cython.int
    steps: cython.longlong = 1
    for r in range(first, batch.rows):
        a = indptr[r]
        b = indptr[r + 1]
        unseen_start = -1
        far = b <= last
        if cython.compiled:
            if settled and far and r + 1 < batch.rows:  # after new attributes come new ones
                for k in range(b, indptr[r + 2]):
                    if len(batch.order) > 0:
                        mb_prefetch(cython.address(batch.bits[(slots[k] + batch.base) >> 6]))
                    if len(starts) > 0:
                        mb_prefetch(cython.address(starts[slots[k]]))
        settled = False
        while True:
            if not fast:
                s = _careful_sum(slots, a, b, cells, low, shift, power, half, 0, 0.0)
            elif plain:
                s = _plain_sum(slots, a, b, cells, power, far)
            elif flattened:
                s = _plain_sum(slots, a, b, cells, flat, far)
            else:
                s = _scaled_sum(slots, a, b, cells, shift, power, half, far)
            if s == s or settled or not batch.learn:
                break
            _settle(slots, a, b, cells, starts, frame, state, batch.base, batch.bits, batch.order, batch.table)
            settled = True
        if s != s:
            unseen = _unseen(slots, a, b, cells)
            unseen_start = _start(state[_SEEN] + unseen) if frame[_GROWS] else 0
            s = _careful_sum(
                slots, a, b, cells, low, shift, power, half, unseen, power[frame[_BIAS] - low] * half[unseen_start]
            )
        gap = s - kept.theta
        slack = (s + kept.theta) * (b - a + 4) * _EPS + _TINY
        if gap > slack:
            prediction = 1
        elif gap < -slack:
            prediction = 0
        elif forced >= 0:
            prediction = forced
        elif s == _HUGE and kept.theta < _FAR:
            prediction = 1
        elif _exact(slots, a, b, cells, low, shift, kept.units, frame[_BIAS], unseen_start, s):
            prediction = gap > 0.0 or (frame[_OR_EQUAL] and gap == 0.0)
        else:
            state[_ROW] = r
            return _UNDECIDED
        forced = -1
        batch.predictions[r] = prediction
        if len(batch.scores) > 0:
            batch.scores[r] = s
        if batch.learn and prediction != batch.labels[r]:
            if len(batch.importance) > 0:
                if not 1.0 <= batch.importance[r] <= _HEAVIEST:
                    return _CAPACITY
                steps = cython.cast(cython.longlong, batch.importance[r])
            status = _update(slots, a, b, cells, frame, batch.labels[r] == 1, steps)
            if status != _OK:
                state[_ROW] = r
                return status
            if state[_LEAST] == 0 or steps < state[_LEAST]:
                state[_LEAST] = steps
            if steps > state[_MOST]:
                state[_MOST] = steps
    state[_ROW] = batch.rows
    return _OK


@cython.cfunc
def _checked_run(
    batch: RowBatch,
    cells: Cell[::1],
    starts: cython.uchar[::1],
    kept: WeightTable,
    first: cython.Py_ssize_t,
    forced: cython.int,
) -> cython.int:
    status: cython.int = CAPACITY
    cell_bits: cython.int = 8 * cells.itemsize
    frame: cython.const[cython.longlong][::1] = kept.frame
    if first < 0 or first > batch.rows or len(batch.state) < 260 or batch.state[_SEEN] < 0:
        return status
    if len(starts) < len(cells) and (len(starts) > 0 or (frame[_GROWS] and frame[_MERGED])):
        return status
    if (frame[_MERGED] or not frame[_GROWS]) and cell_bits > frame[_SHIFT]:
        return status  # such a cell would not index the table as it is
    if len(kept.flat) > 0 and (cell_bits > 16 or len(kept.flat) < 1 << cell_bits):
        return status
    with cython.nogil:
        status = batch.check(len(cells), False)
        if status == 0:
            status = _run(batch, cells, starts, kept, first, forced)
    return status


# Told apart by hand: the dispatcher that Cython writes for a `def` of fused types imports numpy.
def run(
    batch: RowBatch,
    cells: object,
    starts: cython.uchar[::1],
    kept: WeightTable,
    first: cython.Py_ssize_t,
    forced: cython.int,
) -> cython.int:
    # type: (RowBatch, Ints, Buffer, WeightTable, int, int) -> int
    """Predict the rows from `first` on and, if they have labels, play them as trials.  A status comes back.

    A mistake multiplies or divides by alpha to the importance of its row, which is a whole number.  Scores are added
    up in the order of the row.  New small ids are entered into their table, if the batch has one.  `forced`, if it is
    not -1, is what the first row is predicted to be where doubles do not decide.
    """
    width: cython.Py_ssize_t = cells.itemsize
    cells1: cython.uchar[::1]
    cells2: cython.ushort[::1]
    cells4: cython.uint[::1]
    cells8: cython.ulonglong[::1]
    if width == 1:
        cells1 = cells
        return _checked_run(batch, cells1, starts, kept, first, forced)
    if width == 2:
        cells2 = cells
        return _checked_run(batch, cells2, starts, kept, first, forced)
    if width == 4:
        cells4 = cells
        return _checked_run(batch, cells4, starts, kept, first, forced)
    cells8 = cells
    return _checked_run(batch, cells8, starts, kept, first, forced)


def flatten(
    shift: cython.int,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    starts: cython.Py_ssize_t,
    flat: cython.double[::1],
) -> cython.bint:
    """flat[cell] = the weight of a cell, for starts below `starts`; false when the buffers do not fit together."""
    s: cython.Py_ssize_t
    c: cython.Py_ssize_t
    codes: cython.Py_ssize_t = 1 << shift
    if shift < 0 or shift > 16 or len(power) < codes or len(half) < starts or len(flat) < starts * codes:
        return False
    for s in range(starts):
        for c in range(codes):
            flat[s * codes + c] = power[c] * half[s]
    return True


@cython.cfunc
def _fill(
    cells: cython.const[Cell][::1],
    low: cython.longlong,
    shift: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.bint:
    k: cython.Py_ssize_t
    if len(cells) < len(out) or len(half) < 256 or (shift != 8 and shift != 16 and shift != 32):
        return False
    for k in range(len(out)):
        out[k] = _weight(cells[k], low, shift, power, half)
    return True


def weights(
    cells: object,
    low: cython.longlong,
    shift: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.bint:
    # type: (Ints, int, int, Floats, Floats, Floats) -> bool
    """out[k] = the weight of a cell as a double; false when the buffers do not fit together."""
    width: cython.Py_ssize_t = cells.itemsize
    cells1: cython.const[cython.uchar][::1]
    cells2: cython.const[cython.ushort][::1]
    cells4: cython.const[cython.uint][::1]
    cells8: cython.const[cython.ulonglong][::1]
    if width == 1:
        cells1 = cells
        return _fill(cells1, low, shift, power, half, out)
    if width == 2:
        cells2 = cells
        return _fill(cells2, low, shift, power, half, out)
    if width == 4:
        cells4 = cells
        return _fill(cells4, low, shift, power, half, out)
    cells8 = cells
    return _fill(cells8, low, shift, power, half, out)
