"""Winnow on integer exponents: weight = 2**-start * alpha**exponent (Littlestone 1988, sections 4 and 5).

A weight is stored as the code exponent + bias, 8, 16 or 32 bits wide; code 0 is the weight of an attribute that has not
appeared yet, code 1 the eliminated weight 0.
`power[code - low]` is alpha**exponent as a double, good to one unit in the last place, 0.0 where it is not filled in
and not a number for code 0: a sum that is not a number is of a row with new attributes, and no other row has to look;
`units[code - low]` is UNIT + the exponent of its lowest set bit where the double is exact, and 0 where it is not.
`scale` holds the starts where they are not part of the code already (they are when alpha is 2), else it is empty.

Predictions are those of exact arithmetic.  The sum of m positive terms, each rounded, is off by less than
(m + 4) * 2**-52 of itself, so a sum further than that from theta is on the right side of it.  Nearer, the sum is
still exact when all terms are multiples of one power of two and it has fewer than 53 bits above that.  What is then
left undecided goes back to the caller, who decides it in integers and calls again with the verdict.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

OK = 0
UNDECIDED = 1  # row state[ROW] needs exact arithmetic: call again with forced = 0 or 1 for it
EDGE = 2  # an update of row state[ROW] would leave the filled part of the table: extend it
WIDEN = 3  # an update of row state[ROW] would leave the range of the codes: widen them
CAPACITY = 4
_OK = cython.declare(cython.int, OK)
_UNDECIDED = cython.declare(cython.int, UNDECIDED)
_EDGE = cython.declare(cython.int, EDGE)
_WIDEN = cython.declare(cython.int, WIDEN)
_CAPACITY = cython.declare(cython.int, CAPACITY)

# Places in `state`.
ROW = 0
SEEN = 1  # attributes whose start weight is settled
_ROW = cython.declare(cython.int, ROW)
_SEEN = cython.declare(cython.int, SEEN)

# Places in `frame`, what the codes mean: written by the caller when the table or the width changes.
BIAS = 0
LOW = 1  # the code at power[0]
BOTTOM = 2  # lowest code that is filled in, or -1 when everything below it is 0.0 as a double
TOP = 3  # highest code that is filled in
_BIAS = cython.declare(cython.int, BIAS)
_LOW = cython.declare(cython.int, LOW)
_BOTTOM = cython.declare(cython.int, BOTTOM)
_TOP = cython.declare(cython.int, TOP)

UNIT = 4096
_UNIT = cython.declare(cython.int, UNIT)
_TINY = cython.declare(cython.double, 2.0**-1000)
_EPS = cython.declare(cython.double, 2.0**-52)
_NEW = cython.declare(cython.double, float("nan"))

Code = cython.fused_type(cython.uchar, cython.ushort, cython.uint)


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
    slots: cython.const[cython.ulonglong][::1], a: cython.Py_ssize_t, b: cython.Py_ssize_t, codes: Code[::1]
) -> cython.Py_ssize_t:
    """How many attributes of this row have not appeared yet."""
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    for k in range(a, b):
        count += codes[slots[k]] == 0
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _settle(
    slots: cython.const[cython.ulonglong][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    codes: Code[::1],
    starts: cython.uchar[::1],
    merged: cython.bint,
    grows: cython.bint,
    bias: cython.longlong,
    seen: cython.longlong,
) -> cython.longlong:
    """Start weights for the attributes that first appear in this row; how many have appeared after it."""
    k: cython.Py_ssize_t
    s: cython.int = 0
    seen += _unseen(slots, a, b, codes)
    if grows:
        s = _start(seen)
    for k in range(a, b):
        if codes[slots[k]] == 0:
            codes[slots[k]] = bias - s if merged else bias
            if grows:
                starts[slots[k]] = s
    return seen


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _weight(
    slot: cython.ulonglong,
    codes: Code[::1],
    scale: cython.const[cython.uchar][::1],
    low: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
) -> cython.double:
    i: cython.longlong = codes[slot] - low
    if i < 0:  # eliminated, or below every double: the absolute part of the slack covers that
        return _NEW if codes[slot] == 0 else 0.0
    if len(scale) > 0:
        return power[i] * half[scale[slot]]
    return power[i]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _sum(
    slots: cython.const[cython.ulonglong][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    codes: Code[::1],
    power: cython.const[cython.double][::1],
) -> cython.double:
    """The sum of a row whose codes index the table as they are: four sums at once, which do not wait for each other."""
    k: cython.Py_ssize_t = a
    s: cython.double = 0.0
    s1: cython.double = 0.0
    s2: cython.double = 0.0
    s3: cython.double = 0.0
    while k + 4 <= b:
        s += power[codes[slots[k]]]
        s1 += power[codes[slots[k + 1]]]
        s2 += power[codes[slots[k + 2]]]
        s3 += power[codes[slots[k + 3]]]
        k += 4
    while k < b:
        s += power[codes[slots[k]]]
        k += 1
    return (s + s1) + (s2 + s3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _careful_sum(
    slots: cython.const[cython.ulonglong][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    codes: Code[::1],
    scale: cython.const[cython.uchar][::1],
    low: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    unseen: cython.Py_ssize_t,
    unseen_start: cython.int,
) -> cython.double:
    """The sum of any row, in its order; `unseen` of its attributes are about to start with 2**-unseen_start."""
    k: cython.Py_ssize_t
    s: cython.double = 0.0
    for k in range(a, b):
        if unseen == 0 or codes[slots[k]] != 0:
            s += _weight(slots[k], codes, scale, low, power, half)
    if unseen > 0:
        s += unseen * half[unseen_start]
    return s


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _exact(
    slots: cython.const[cython.ulonglong][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    codes: Code[::1],
    scale: cython.const[cython.uchar][::1],
    low: cython.longlong,
    units: cython.const[cython.short][::1],
    unseen_start: cython.int,
    total: cython.double,
) -> cython.bint:
    """Is the rounded sum of this row exact?  (unseen_start: of attributes without a weight, -1 if there are none.)"""
    k: cython.Py_ssize_t
    i: cython.longlong
    u: cython.int
    unit: cython.int = 1023
    room: cython.double = 9007199254740992.0  # 2**53
    if unseen_start >= 0:
        unit = -unseen_start
    for k in range(a, b):
        if codes[slots[k]] < 2:
            continue
        i = codes[slots[k]] - low
        if i < 0 or units[i] == 0:
            return False
        u = units[i] - _UNIT
        if len(scale) > 0:
            u -= scale[slots[k]]
        unit = min(unit, u)
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
    slots: cython.const[cython.ulonglong][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    codes: Code[::1],
    frame: cython.const[cython.longlong][::1],
    promote: cython.bint,
    eliminate: cython.bint,
) -> cython.int:
    """Promote, demote or eliminate the weights of a row; nothing is changed when one of them cannot be."""
    k: cython.Py_ssize_t
    code: cython.longlong
    if eliminate and not promote:
        for k in range(a, b):
            codes[slots[k]] = 1
        return _OK
    for k in range(a, b):
        code = codes[slots[k]]
        if code == (2 * frame[_BIAS] - 1 if promote else 2):
            return _WIDEN
        if code == (frame[_TOP] if promote else frame[_BOTTOM]):
            return _EDGE
    for k in range(a, b):
        if codes[slots[k]] != 1:
            if promote:
                codes[slots[k]] += 1
            else:
                codes[slots[k]] -= 1
    return _OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run(
    slots: cython.const[cython.ulonglong][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    codes: Code[::1],
    starts: cython.uchar[::1],
    scale: cython.const[cython.uchar][::1],
    frame: cython.const[cython.longlong][::1],
    power: cython.const[cython.double][::1],
    units: cython.const[cython.short][::1],
    half: cython.const[cython.double][::1],
    theta: cython.double,
    or_equal: cython.bint,
    grows: cython.bint,
    eliminate: cython.bint,
    learn: cython.bint,
    forced: cython.int,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    low: cython.longlong = frame[_LOW]
    plain: cython.bint = low == 0 and len(scale) == 0 and len(scores) == 0
    unseen: cython.Py_ssize_t
    unseen_start: cython.int
    s: cython.double
    gap: cython.double
    slack: cython.double
    prediction: cython.int
    status: cython.int
    for r in range(first, last):
        a = indptr[r]
        b = indptr[r + 1]
        unseen_start = -1
        s = (
            _sum(slots, a, b, codes, power)
            if plain
            else _careful_sum(slots, a, b, codes, scale, low, power, half, 0, 0)
        )
        if s != s:
            unseen = 0
            if learn:
                state[_SEEN] = _settle(
                    slots, a, b, codes, starts, len(scale) == 0, grows, frame[_BIAS], state[_SEEN]
                )  # fmt: skip
            else:
                unseen = _unseen(slots, a, b, codes)
                unseen_start = _start(state[_SEEN] + unseen) if grows else 0
            s = _careful_sum(slots, a, b, codes, scale, low, power, half, unseen, unseen_start)
        gap = s - theta
        slack = (s + theta) * (b - a + 4) * _EPS + _TINY
        if gap > slack:
            prediction = 1
        elif gap < -slack:
            prediction = 0
        elif forced >= 0:
            prediction = forced
        elif _exact(slots, a, b, codes, scale, low, units, unseen_start, s):
            prediction = gap > 0.0 or (or_equal and gap == 0.0)
        else:
            state[_ROW] = r
            return _UNDECIDED
        forced = -1
        predictions[r] = prediction
        if len(scores) > 0:
            scores[r] = s
        if learn and prediction != labels[r]:
            status = _update(slots, a, b, codes, frame, labels[r] == 1, eliminate)
            if status != _OK:
                state[_ROW] = r
                return status
    state[_ROW] = last
    return _OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _misfit(
    slots: cython.const[cython.ulonglong][::1],
    indptr: cython.const[cython.longlong][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
) -> cython.bint:
    """Does a row leave `slots`, or a slot the weights?  One pass without a branch inside."""
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.bint = False
    for r in range(first, last):
        bad |= indptr[r] > indptr[r + 1]
    if bad or indptr[first] < 0 or indptr[last] > len(slots):
        return True
    for k in range(indptr[first], indptr[last]):
        bad |= slots[k] >= cython.cast(cython.ulonglong, size)
    return bad


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _checked(
    slots: cython.const[cython.ulonglong][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    codes: Code[::1],
    starts: cython.uchar[::1],
    scale: cython.const[cython.uchar][::1],
    frame: cython.const[cython.longlong][::1],
    power: cython.const[cython.double][::1],
    units: cython.const[cython.short][::1],
    half: cython.const[cython.double][::1],
    theta: cython.double,
    or_equal: cython.bint,
    grows: cython.bint,
    eliminate: cython.bint,
    learn: cython.bint,
    forced: cython.int,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    fits: cython.bint = _fits(
        indptr, labels, first, last, len(codes), starts, scale, frame, power, units, half, grows, learn, predictions,
        scores, state,
    )  # fmt: skip
    if not fits or _misfit(slots, indptr, first, last, len(codes)):
        return _CAPACITY
    return _run(
        slots, indptr, labels, first, last, codes, starts, scale, frame, power, units, half, theta, or_equal, grows,
        eliminate, learn, forced, predictions, scores, state,
    )  # fmt: skip


def run_byte(
    slots: cython.const[cython.ulonglong][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    codes: cython.uchar[::1],
    starts: cython.uchar[::1],
    scale: cython.const[cython.uchar][::1],
    frame: cython.const[cython.longlong][::1],
    power: cython.const[cython.double][::1],
    units: cython.const[cython.short][::1],
    half: cython.const[cython.double][::1],
    theta: cython.double,
    or_equal: cython.bint,
    grows: cython.bint,
    eliminate: cython.bint,
    learn: cython.bint,
    forced: cython.int,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Predict rows first .. last-1 and, with `learn`, play them as trials; 8-bit codes.  A status comes back.

    With `scores` not empty the sums, added in the order of the row, go there.
    """
    status: cython.int
    with cython.nogil:
        status = _checked(
            slots, indptr, labels, first, last, codes, starts, scale, frame, power, units, half, theta, or_equal, grows,
            eliminate, learn, forced, predictions, scores, state,
        )  # fmt: skip
    return status


def run_narrow(
    slots: cython.const[cython.ulonglong][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    codes: cython.ushort[::1],
    starts: cython.uchar[::1],
    scale: cython.const[cython.uchar][::1],
    frame: cython.const[cython.longlong][::1],
    power: cython.const[cython.double][::1],
    units: cython.const[cython.short][::1],
    half: cython.const[cython.double][::1],
    theta: cython.double,
    or_equal: cython.bint,
    grows: cython.bint,
    eliminate: cython.bint,
    learn: cython.bint,
    forced: cython.int,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """As run_byte, 16-bit codes."""
    status: cython.int
    with cython.nogil:
        status = _checked(
            slots, indptr, labels, first, last, codes, starts, scale, frame, power, units, half, theta, or_equal, grows,
            eliminate, learn, forced, predictions, scores, state,
        )  # fmt: skip
    return status


def run_wide(
    slots: cython.const[cython.ulonglong][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    codes: cython.uint[::1],
    starts: cython.uchar[::1],
    scale: cython.const[cython.uchar][::1],
    frame: cython.const[cython.longlong][::1],
    power: cython.const[cython.double][::1],
    units: cython.const[cython.short][::1],
    half: cython.const[cython.double][::1],
    theta: cython.double,
    or_equal: cython.bint,
    grows: cython.bint,
    eliminate: cython.bint,
    learn: cython.bint,
    forced: cython.int,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """As run_byte, 32-bit codes."""
    status: cython.int
    with cython.nogil:
        status = _checked(
            slots, indptr, labels, first, last, codes, starts, scale, frame, power, units, half, theta, or_equal, grows,
            eliminate, learn, forced, predictions, scores, state,
        )  # fmt: skip
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fits(
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    starts: cython.const[cython.uchar][::1],
    scale: cython.const[cython.uchar][::1],
    frame: cython.const[cython.longlong][::1],
    power: cython.const[cython.double][::1],
    units: cython.const[cython.short][::1],
    half: cython.const[cython.double][::1],
    grows: cython.bint,
    learn: cython.bint,
    predictions: cython.const[cython.schar][::1],
    scores: cython.const[cython.double][::1],
    state: cython.const[cython.longlong][::1],
) -> cython.bint:
    """Do the caller's buffers fit together?  Then no index below can leave its buffer."""
    if first < 0 or last < first or len(indptr) <= last or len(predictions) < last or len(state) < 2 or len(frame) < 4:
        return False
    if (learn and len(labels) < last) or (len(scores) > 0 and len(scores) < last) or len(half) < 256:
        return False
    if grows and (len(starts) < size or state[_SEEN] < 0):
        return False
    if len(power) < (256 if frame[_BIAS] == 128 else 65536) and frame[_LOW] == 0:
        return False  # codes index the table as they are
    if len(scale) > 0 and len(scale) < size:
        return False
    return len(units) >= len(power) and frame[_TOP] - frame[_LOW] < len(power)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _weights(
    codes: Code[::1],
    scale: cython.const[cython.uchar][::1],
    low: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.bint:
    """All weights as doubles; false when a code is outside the table."""
    k: cython.Py_ssize_t
    top: cython.longlong = low + len(power)
    for k in range(len(out)):
        if codes[k] >= top:
            return False
        out[k] = _weight(cython.cast(cython.ulonglong, k), codes, scale, low, power, half)
    return True


def weights_byte(
    codes: cython.uchar[::1],
    scale: cython.const[cython.uchar][::1],
    low: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.bint:
    """out[slot] = the weight of a slot as a double; false when the buffers do not fit together.  8-bit codes."""
    if len(codes) < len(out) or (len(scale) > 0 and len(scale) < len(out)) or len(half) < 256:
        return False
    return _weights(codes, scale, low, power, half, out)


def weights_narrow(
    codes: cython.ushort[::1],
    scale: cython.const[cython.uchar][::1],
    low: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.bint:
    """As weights_byte, 16-bit codes."""
    if len(codes) < len(out) or (len(scale) > 0 and len(scale) < len(out)) or len(half) < 256:
        return False
    return _weights(codes, scale, low, power, half, out)


def weights_wide(
    codes: cython.uint[::1],
    scale: cython.const[cython.uchar][::1],
    low: cython.longlong,
    power: cython.const[cython.double][::1],
    half: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.bint:
    """As weights_byte, 32-bit codes."""
    if len(codes) < len(out) or (len(scale) > 0 and len(scale) < len(out)) or len(half) < 256:
        return False
    return _weights(codes, scale, low, power, half, out)
