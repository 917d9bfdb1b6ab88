"""The prediction of an ensemble from those of its members: the highest score above its threshold, or a weighted vote.

`said` has one run of `rows` codes a member, one after the other, and so have the scores.
Weights are beta**(mistakes - the fewest mistakes).  Where rounding could change what is said, the row comes back
UNDECIDED, to be decided in whole numbers (docs/theorems.md has the error bound).
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

from array import array

if cython.compiled:
    from cython.cimports.libc.math import fabs, pow
    from cython.cimports.mistakebound.kernels._splitmix import GAMMA, mixed
else:
    from math import fabs, pow

    from mistakebound.kernels._splitmix import GAMMA, mixed

OK = 0
UNDECIDED = 1  # row state[ROW]: call again from there with `forced`
CAPACITY = 2
NO_MEMBER = -1  # hear: the buffers do not fit, or there are not enough members
DONT_KNOW = -2  # the prediction where no label has appeared
NOT_FORCED = -3
ROW = 0  # places in the state of a vote
TRIALS = 1  # that were learned, each with a draw of its own
HEAVIEST = 2  # the largest importance of a trial

_OK = cython.declare(cython.int, OK)
_UNDECIDED = cython.declare(cython.int, UNDECIDED)
_NO_MEMBER = cython.declare(cython.Py_ssize_t, NO_MEMBER)
_DONT_KNOW = cython.declare(cython.int, DONT_KNOW)
_NOT_FORCED = cython.declare(cython.int, NOT_FORCED)
_ROW = cython.declare(cython.int, ROW)
_TRIALS = cython.declare(cython.int, TRIALS)
_HEAVIEST = cython.declare(cython.int, HEAVIEST)
_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_SPREAD = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
_EPS = cython.declare(cython.double, 2.0**-52)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _draw(seed: cython.ulonglong, trial: cython.ulonglong) -> cython.ulonglong:
    """53 random bits that depend on the seed and the trial only (SplitMix64, Steele, Lea and Flood 2014)."""
    z: cython.ulonglong = ((seed ^ (seed >> 31)) * _SPREAD) & _ALL64
    return mixed((z + (trial + 1) * GAMMA) & _ALL64) >> 11


def draw(seed: cython.ulonglong, trial: cython.ulonglong) -> cython.ulonglong:
    """The draw of a trial, a whole number below 2**53.

    >>> draw(0, 0) != draw(0, 1), draw(1, 0) == draw(1, 0), draw(7, 9) < 2**53
    (True, True, True)
    """
    return _draw(seed, trial)


def hear(
    labels: cython.const[cython.int][::1],
    rows: cython.Py_ssize_t,
    taken: cython.Py_ssize_t,
    codes: cython.int[::1],
    places: cython.int[::1],
    since: cython.longlong[::1],
    out: cython.schar[::1],
) -> cython.Py_ssize_t:
    """What each member of a one-against-all hears: out, which was 0, becomes 1 where a row is of its label.

    places[code] is the member that stands for a code.  One that nobody stands for (-1) gets the first of the members
    that are not taken; it may speak from the row since[member] on, after that of its label's first appearance.  How
    many are taken then, or NO_MEMBER.

    >>> from array import array
    >>> codes, places, since = array("i", [1, 0]), array("i", [-1, 0]), array("q", [0, 0])
    >>> out = array("b", bytes(6))
    >>> hear(array("i", [1, 0, 0]), 3, 1, codes, places, since, out), out.tolist()
    (2, [1, 0, 0, 0, 1, 1])
    >>> codes.tolist(), places.tolist(), since.tolist()
    ([1, 0], [1, 0], [0, 2])
    """
    r: cython.Py_ssize_t
    code: cython.Py_ssize_t
    place: cython.Py_ssize_t
    members: cython.Py_ssize_t = len(codes)
    if rows < 0 or taken < 0 or len(labels) < rows or len(since) < members or len(out) < members * rows:
        return NO_MEMBER
    with cython.nogil:
        for r in range(rows):
            code = labels[r]
            if code < 0 or code >= len(places) or places[code] >= members:
                taken = _NO_MEMBER
                break
            if places[code] < 0:
                if taken >= members:
                    taken = _NO_MEMBER
                    break
                places[code] = cython.cast(cython.int, taken)
                codes[taken] = cython.cast(cython.int, code)
                since[taken] = r + 1
                taken += 1
            place = places[code]
            out[place * rows + r] = 1
    return taken


def furthest(
    said: cython.const[cython.schar][::1],
    scores: cython.const[cython.double][::1],
    codes: cython.const[cython.int][::1],
    since: cython.const[cython.longlong][::1],
    rows: cython.Py_ssize_t,
    theta: cython.double,
    out: cython.int[::1],
    margins: cython.double[::1],
) -> cython.int:
    """out[r] = the code of the member that says 1 with the largest score, else says 0 with the largest; the first such.

    codes[m] is what member m stands for, and since[m] the first row for which it is asked; `margins`, where it is not
    empty, gets that score less theta.

    >>> from array import array
    >>> out = array("i", bytes(8))
    >>> said, scores = array("b", [1, 0, 1, 0]), array("d", [1, -3, 2, -1])
    >>> furthest(said, scores, array("i", [5, 6]), array("q", [0, 0]), 2, 0.0, out, array("d")), out.tolist()
    (0, [6, 6])
    >>> furthest(said, scores, array("i", [5, 6]), array("q", [0, 1]), 2, 0.0, out, array("d")), out.tolist()
    (0, [5, 6])
    """
    r: cython.Py_ssize_t
    m: cython.Py_ssize_t
    at: cython.Py_ssize_t
    k: cython.Py_ssize_t
    tile: cython.Py_ssize_t
    size: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    members: cython.Py_ssize_t = len(codes)
    # Some rows at a time, whose best stay at hand while the members come by one after the other.
    best = cython.declare(cython.int[64])
    told = cython.declare(cython.schar[64])
    score = cython.declare(cython.double[64])
    if rows < 0 or len(said) < members * rows or len(scores) < members * rows or len(out) < rows:
        return CAPACITY
    if len(since) < members or (len(margins) > 0 and len(margins) < rows):
        return CAPACITY
    with cython.nogil:
        for tile in range(0, rows, 64):
            size = rows - tile if rows - tile < 64 else 64
            for k in range(size):
                best[k] = _DONT_KNOW
                told[k] = -128  # less than anybody says
                score[k] = 0.0
            for m in range(members):
                at = m * rows + tile
                begin = since[m] - tile if since[m] > tile else 0
                for k in range(begin, size):
                    if said[at + k] > told[k] or (said[at + k] == told[k] and scores[at + k] > score[k]):
                        best[k] = codes[m]
                        told[k] = said[at + k]
                        score[k] = scores[at + k]
            for k in range(size):
                r = tile + k
                out[r] = best[k]
                if len(margins) > 0:
                    margins[r] = score[k] - theta if best[k] >= 0 else 0.0
    return OK


@cython.cclass
class Experts:
    """The members of a vote: the mistakes of each, and the weights beta**mistakes that follow from them.

    expected[0] grows by the part of the weight that is wrong in a trial.
    """

    beta: cython.double
    dyadic: cython.bint  # beta is a power of 1/2
    drawing: cython.bint
    seed: cython.ulonglong
    members: cython.Py_ssize_t
    mistakes: cython.longlong[::1]
    weights: cython.double[::1]
    expected: cython.double[::1]
    state: cython.longlong[::1]

    def __init__(self, beta, mistakes, weights, expected, state):  # type: (float, Ints, Floats, Floats, Ints) -> None
        if len(mistakes) < 1 or len(weights) != len(mistakes) or len(expected) < 1 or len(state) < 3:
            raise AssertionError("there is not one weight for each expert")
        self.beta = beta
        self.dyadic = beta.as_integer_ratio()[0] == 1
        self.drawing = False
        self.seed = 0
        self.members = len(mistakes)
        self.mistakes = mistakes
        self.weights = weights
        self.expected = expected
        self.state = state

    def draw_by(self, seed):  # type: (int) -> None
        """Not the majority decides, but the member that the draw of the trial falls on."""
        self.drawing = True
        self.seed = seed


@cython.cclass
class Ballots:
    """What the members say to some rows, each a code below `codes`, or one below 0 for nothing."""

    said: cython.const[cython.schar][::1]
    rows: cython.Py_ssize_t
    codes: cython.int
    sums: cython.double[::1]  # work space
    learn: cython.bint
    labels: cython.const[cython.schar][::1]
    importance: cython.const[cython.double][::1]

    def __init__(self, said, rows, codes):  # type: (Ints, int, int) -> None
        k: cython.Py_ssize_t
        if rows < 0 or codes < 2:
            raise AssertionError("there is nothing to vote on")
        self.said = said
        self.rows = rows
        self.codes = codes
        self.sums = array("d", bytes(8 * codes))
        self.learn = False
        for k in range(len(said)):
            if self.said[k] >= self.codes:
                raise AssertionError("a member says what is no code")

    def teach(self, labels, importance):  # type: (Ints, Floats) -> None
        """The rows are trials; the importance of one (empty: 1), a whole number, is what a mistake counts."""
        if len(labels) < self.rows or 0 < len(importance) < self.rows:
            raise AssertionError("there are fewer labels than rows")
        self.labels = labels
        self.importance = importance
        self.learn = True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _weigh(experts: Experts) -> cython.void:
    """weights[e] = beta**(mistakes[e] - the fewest), within a few units in the last place."""
    e: cython.Py_ssize_t
    mistakes: cython.longlong[::1] = experts.mistakes
    fewest: cython.longlong = mistakes[0]
    for e in range(len(mistakes)):
        fewest = mistakes[e] if mistakes[e] < fewest else fewest
    for e in range(len(mistakes)):
        experts.weights[e] = 1.0 if mistakes[e] == fewest else pow(experts.beta, mistakes[e] - fewest)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hear(experts: Experts, ballots: Ballots, r: cython.Py_ssize_t) -> cython.void:
    """The label of row r is told: those who were wrong have made so many mistakes more."""
    e: cython.Py_ssize_t
    wrong: cython.bint = False
    counts: cython.longlong = 1
    if len(ballots.importance) > 0:
        counts = cython.cast(cython.longlong, ballots.importance[r])
    experts.state[_TRIALS] += 1
    experts.state[_HEAVIEST] = max(experts.state[_HEAVIEST], counts)
    for e in range(experts.members):
        if ballots.said[e * ballots.rows + r] != ballots.labels[r]:
            experts.mistakes[e] += counts
            wrong = True
    if wrong:
        _weigh(experts)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _majority(
    said: cython.const[cython.schar][::1],
    rows: cython.Py_ssize_t,
    r: cython.Py_ssize_t,
    weights: cython.const[cython.double][::1],
    sums: cython.double[::1],
    dyadic: cython.bint,
) -> cython.int:
    """The code with the largest weight, of equal ones the smallest; len(sums) where rounding could change that.

    Two members are compared and not added up.  Of powers of 1/2 that are not too far apart the sums are exact.
    """
    e: cython.Py_ssize_t
    c: cython.Py_ssize_t
    best: cython.Py_ssize_t = -1
    code: cython.int
    total: cython.double = 0.0
    near: cython.double = -1.0
    least: cython.double = 1.0
    for c in range(len(sums)):
        sums[c] = 0.0
    for e in range(len(weights)):
        code = said[e * rows + r]
        total += weights[e]
        least = weights[e] if weights[e] < least else least
        if code >= 0:
            sums[code] += weights[e]
    for c in range(len(sums)):
        if sums[c] > 0.0 and (best < 0 or sums[c] > sums[best]):
            near = sums[best] if best >= 0 else near
            best = c
        elif sums[c] > near:
            near = sums[c]
    if best < 0:
        return _DONT_KNOW
    if near < 0.0 or len(weights) == 2 or (dyadic and least >= len(weights) * _EPS):
        return cython.cast(cython.int, best)
    if sums[best] - near <= total * (len(weights) + 16) * _EPS:
        return cython.cast(cython.int, len(sums))
    return cython.cast(cython.int, best)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _drawn(
    said: cython.const[cython.schar][::1],
    rows: cython.Py_ssize_t,
    r: cython.Py_ssize_t,
    weights: cython.const[cython.double][::1],
    unit: cython.double,
    codes: cython.int,
) -> cython.int:
    """The code of the member that the draw falls on; `codes` where rounding could change who that is."""
    e: cython.Py_ssize_t
    total: cython.double = 0.0
    target: cython.double
    prefix: cython.double = 0.0
    slack: cython.double
    for e in range(len(weights)):
        total += weights[e]
    target = unit * total
    slack = total * (len(weights) + 16) * _EPS
    for e in range(len(weights) - 1):
        prefix += weights[e]
        if fabs(prefix - target) <= slack:
            return codes
        if prefix > target:
            return said[e * rows + r]
    return said[(len(weights) - 1) * rows + r]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _share(experts: Experts, ballots: Ballots, r: cython.Py_ssize_t, code: cython.int) -> cython.double:
    """The part of the weight that says the code to row r; what is wrong of it is added to what was expected."""
    e: cython.Py_ssize_t
    said: cython.const[cython.schar][::1] = ballots.said
    weights: cython.double[::1] = experts.weights
    total: cython.double = 0.0
    part: cython.double = 0.0
    wrong: cython.double = 0.0
    for e in range(experts.members):
        total += weights[e]
        if said[e * ballots.rows + r] == code:
            part += weights[e]
        if ballots.learn and said[e * ballots.rows + r] != ballots.labels[r]:
            wrong += weights[e]
    if ballots.learn:
        experts.expected[0] += wrong / total
    return part / total


def vote(
    experts: Experts,
    ballots: Ballots,
    first: cython.Py_ssize_t,
    forced: cython.int,
    out: cython.schar[::1],
    shares: cython.double[::1],
) -> cython.int:
    """The rows from `first` on, the first of which is said to be `forced`, unless that is NOT_FORCED.  A status.

    `shares`, where it is not empty, gets the part of the weight that says code 1 (with more than two codes: that says
    what is said).

    >>> from array import array
    >>> mistakes, out = array("q", [0, 0, 0]), array("b", bytes(2))
    >>> experts = Experts(0.5, mistakes, array("d", bytes(24)), array("d", [0]), array("q", [0, 0, 0]))
    >>> ballots = Ballots(array("b", [1, 0, 0, 1, 0, 1]), 2, 2)
    >>> ballots.teach(array("b", [1, 1]), array("d"))
    >>> vote(experts, ballots, 0, NOT_FORCED, out, array("d")), out.tolist(), mistakes.tolist()
    (0, [0, 0], [1, 1, 1])
    """
    r: cython.Py_ssize_t
    rows: cython.Py_ssize_t = ballots.rows
    codes: cython.int = ballots.codes
    learn: cython.bint = ballots.learn
    said: cython.const[cython.schar][::1] = ballots.said
    weights: cython.double[::1] = experts.weights
    state: cython.longlong[::1] = experts.state
    status: cython.int = OK
    code: cython.int
    part: cython.double
    if first < 0 or first > rows or len(said) < experts.members * rows or len(out) < rows or 0 < len(shares) < rows:
        return CAPACITY
    with cython.nogil:
        _weigh(experts)
        for r in range(first, rows):
            if forced > _NOT_FORCED:
                code = forced
                forced = _NOT_FORCED
            elif experts.drawing:
                code = _drawn(said, rows, r, weights, _draw(experts.seed, state[_TRIALS]) * (_EPS / 2), codes)
            else:
                code = _majority(said, rows, r, weights, ballots.sums, experts.dyadic)
            if code == codes:
                state[_ROW] = r
                status = _UNDECIDED
                break
            if code < 0:
                code = 0  # nobody says anything: that is a tie
            out[r] = code
            if len(shares) > 0 or learn:
                part = _share(experts, ballots, r, 1 if codes == 2 else code)
                if len(shares) > 0:
                    shares[r] = part
                if learn:
                    _hear(experts, ballots, r)
    if status == OK:
        state[_ROW] = rows
    return status


def ordinary(
    values: cython.const[cython.double][::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> cython.bint:
    """Whether all these values are 0 or between 2**-20 and 2**20 by size: no sum over them leaves the doubles.

    >>> from array import array
    >>> ordinary(array("d", [1.0, -0.5, 0.0]), 0, 3), ordinary(array("d", [1.0, 1e300]), 0, 2)
    (True, False)
    """
    k: cython.Py_ssize_t
    size: cython.double
    fine: cython.bint = first >= 0 and last <= len(values)
    if fine:
        with cython.nogil:
            for k in range(first, last):
                size = fabs(values[k])
                fine &= size == 0.0 or (size <= 1048576.0 and size >= 1.0 / 1048576.0)
    return fine
