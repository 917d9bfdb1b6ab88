"""The learner `auto`: sixteen members over shared features, mixed by their logits.  One row at a time, without Python.

A row becomes features once: flags and numbers (standardised; sparse ones by their size), numbers in 8 and 16 bins by
rank, pairs of nominal features.  What the members keep of a feature lies side by side (`singles`, `pairs`), so that all
of them need one look-up.  Nothing here allocates: `learn` stops with GROW before a row that may not fit.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import exp, fabs, log, sqrt
    from cython.cimports.mistakebound.kernels._coins import chance_of, toss, weight_of
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels._multiples import c_add_multiple
    from cython.cimports.mistakebound.kernels.calibration import place_of
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
else:
    from math import exp, fabs, log, sqrt

    from mistakebound.kernels._coins import chance_of, toss, weight_of
    from mistakebound.kernels.calibration import place_of
    from mistakebound.kernels.sorting import sort_keys

OK = 0
GROW = 1  # before row counts[ROW]: an array may be too short for it
CAPACITY = 2
_OK = cython.declare(cython.int, OK)
_GROW = cython.declare(cython.int, GROW)
_CAPACITY = cython.declare(cython.int, CAPACITY)

MEMBERS = 16
(
    AROW_TENTH, AROW_ONE, COIN, PA_ONE, PERCEPTRON, FAST, SLOW, BAYES, BAYES_COUNTS, AROW_PAIRS, PA_PAIRS, COIN_PAIRS,
    BAYES_PAIRS, FULL_TENTH, FULL_ONE, FULL_TEN,
) = range(MEMBERS)  # fmt: skip
_MEMBERS = cython.declare(cython.int, MEMBERS)
_AROW_TENTH = cython.declare(cython.int, AROW_TENTH)
_AROW_ONE = cython.declare(cython.int, AROW_ONE)
_COIN = cython.declare(cython.int, COIN)
_PA_ONE = cython.declare(cython.int, PA_ONE)
_PERCEPTRON = cython.declare(cython.int, PERCEPTRON)
_FAST = cython.declare(cython.int, FAST)
_SLOW = cython.declare(cython.int, SLOW)
_BAYES = cython.declare(cython.int, BAYES)
_BAYES_COUNTS = cython.declare(cython.int, BAYES_COUNTS)
_AROW_PAIRS = cython.declare(cython.int, AROW_PAIRS)
_PA_PAIRS = cython.declare(cython.int, PA_PAIRS)
_COIN_PAIRS = cython.declare(cython.int, COIN_PAIRS)
_BAYES_PAIRS = cython.declare(cython.int, BAYES_PAIRS)
_FULL = cython.declare(cython.int, FULL_TENTH)  # the first of three

# Fields of an attribute, by its number.
ATTRIBUTE = 8
A_COUNT, A_MEAN, A_SQUARES, A_SIZE, A_NUMERIC, A_FEATURE, A_BINS, A_SAMPLE = range(ATTRIBUTE)
_ATTRIBUTE = cython.declare(cython.int, ATTRIBUTE)
_A_COUNT = cython.declare(cython.int, A_COUNT)
_A_MEAN = cython.declare(cython.int, A_MEAN)
_A_SQUARES = cython.declare(cython.int, A_SQUARES)  # sum of squared distances from the mean
_A_SIZE = cython.declare(cython.int, A_SIZE)  # mean square
_A_NUMERIC = cython.declare(cython.int, A_NUMERIC)  # 1: it has had another value than 0 and 1
_A_FEATURE = cython.declare(cython.int, A_FEATURE)  # 1 + its feature
_A_BINS = cython.declare(cython.int, A_BINS)  # 1 + the first of its 24 bins
_A_SAMPLE = cython.declare(cython.int, A_SAMPLE)  # 1 + its place in `samples`

# Fields of the sample of a number.
_KEPT = cython.declare(cython.int, 256)
S_KEPT, S_STRIDE, S_SEEN, S_NEXT, S_VALUES, S_EIGHT, S_SIXTEEN, SAMPLE = 0, 1, 2, 3, 4, 260, 268, 284
_S_KEPT = cython.declare(cython.int, S_KEPT)
_S_STRIDE = cython.declare(cython.int, S_STRIDE)
_S_SEEN = cython.declare(cython.int, S_SEEN)
_S_NEXT = cython.declare(cython.int, S_NEXT)
_S_VALUES = cython.declare(cython.int, S_VALUES)
_S_EIGHT = cython.declare(cython.int, S_EIGHT)  # how many cuts there are, then the cuts
_S_SIXTEEN = cython.declare(cython.int, S_SIXTEEN)
_SAMPLE = cython.declare(cython.int, SAMPLE)
BINS = 24  # eight, then sixteen
_BINS = cython.declare(cython.int, BINS)

# Fields of a single feature; feature 0 is the constant 1.
SINGLE = 32
F_NOMINAL, F_FULL = 0, 1  # 1 + its number among nominal features, among those of full covariance
F_WEIGHTS = {
    AROW_TENTH: 2, AROW_ONE: 4, PA_ONE: 6, PERCEPTRON: 7, FAST: 8, SLOW: 11, AROW_PAIRS: 22, PA_PAIRS: 24,
    COIN: 29, COIN_PAIRS: 30,
}  # fmt: skip
_SINGLE = cython.declare(cython.int, SINGLE)
_F_NOMINAL = cython.declare(cython.int, F_NOMINAL)
_F_FULL = cython.declare(cython.int, F_FULL)
_F_AROW_TENTH = cython.declare(cython.int, 2)  # weight, what is spent of the variance
_F_AROW_ONE = cython.declare(cython.int, 4)
_F_PA_ONE = cython.declare(cython.int, 6)
_F_PERCEPTRON = cython.declare(cython.int, 7)
_F_FAST = cython.declare(cython.int, 8)  # weight, spent, trial of the last update
_F_SLOW = cython.declare(cython.int, 11)
F_COIN, F_COIN_PAIRS = 14, 25  # a coin: sum of gradients, of their sizes, wealth, largest size (kernels/_coins.py)
_F_COIN = cython.declare(cython.int, F_COIN)
F_BAYES = 18  # rows of label 0 and of label 1
_F_BAYES = cython.declare(cython.int, F_BAYES)
_F_COUNTS = cython.declare(cython.int, 20)  # sums of values
_F_AROW_PAIRS = cython.declare(cython.int, 22)
_F_PA_PAIRS = cython.declare(cython.int, 24)
_F_COIN_PAIRS = cython.declare(cython.int, F_COIN_PAIRS)
_F_COIN_WEIGHT = cython.declare(cython.int, 29)  # what their coins make
_F_COIN_PAIRS_WEIGHT = cython.declare(cython.int, 30)

# Fields of a pair.
PAIR = 10
P_AROW, P_PA, P_COIN, P_BAYES, P_COIN_WEIGHT = 0, 2, 3, 7, 9
_PAIR = cython.declare(cython.int, PAIR)
_P_AROW = cython.declare(cython.int, P_AROW)
_P_PA = cython.declare(cython.int, P_PA)
_P_COIN = cython.declare(cython.int, P_COIN)
_P_BAYES = cython.declare(cython.int, P_BAYES)
_P_COIN_WEIGHT = cython.declare(cython.int, P_COIN_WEIGHT)

WIDE = 48  # nominal features of a row that make pairs, at most
NOMINAL = 1000  # nominal features altogether, above which there are no pairs
MANY_PAIRS = WIDE * (WIDE - 1) // 2
FULL = 300  # features of the members with full covariance
BINNED = 4096  # numbers that have bins, at most
_WIDE = cython.declare(cython.int, WIDE)
_NOMINAL = cython.declare(cython.int, NOMINAL)
_MANY_PAIRS = cython.declare(cython.int, MANY_PAIRS)
_FULL_SIZE = cython.declare(cython.int, FULL)
_BINNED = cython.declare(cython.longlong, BINNED)

# What a feature of a row is for.
_PLAIN = cython.declare(cython.int, 1)  # flags and standardised numbers
_NOMINAL_BIT = cython.declare(cython.int, 2)
_FULL_BIT = cython.declare(cython.int, 4)
_COUNT_BIT = cython.declare(cython.int, 8)

# A member's calibration (kernels/calibration.py): 33 cells by label, then mean size, rows, next fit, 33 logits.
TABLE = 102
_TABLE = cython.declare(cython.int, TABLE)
_T_MEAN = cython.declare(cython.int, 66)
_T_ROWS = cython.declare(cython.int, 67)
_T_NEXT = cython.declare(cython.int, 68)
_T_CURVE = cython.declare(cython.int, 69)
_CELLS = cython.declare(cython.int, 33)

# The mixture: a share for each member and one for "nothing", then V, the rows of either label and their sums of values,
# the smallest weight of a mistake (0: there was none) and the largest weight of a trial (at least 1), and the sum of
# what each member adds to the logit, by size, since the race began.
MIXTURE = 2 * MEMBERS + 8
M_LEAST, M_MOST, M_RACE = MEMBERS + 6, MEMBERS + 7, MEMBERS + 8
_M_V = cython.declare(cython.int, MEMBERS + 1)
_M_ROWS = cython.declare(cython.int, MEMBERS + 2)
_M_SUMS = cython.declare(cython.int, MEMBERS + 4)
_M_LEAST = cython.declare(cython.int, M_LEAST)
_M_MOST = cython.declare(cython.int, M_MOST)
_M_RACE = cython.declare(cython.int, M_RACE)
HEAVIEST = 1048576.0  # a larger weight counts as much as this one
_HEAVIEST = cython.declare(cython.double, HEAVIEST)
REACH = 1.5  # the shares' sum, as a factor of logits
RATE = 3.0
SHARE = 0.0003
CLIP = 6.2
_REACH = cython.declare(cython.double, REACH)
_RATE = cython.declare(cython.double, RATE)
_SHARE = cython.declare(cython.double, SHARE)
_CLIP = cython.declare(cython.double, CLIP)
_LOG_MEMBERS = cython.declare(cython.double, log(MEMBERS + 1))

# The race: when the trials have doubled, first after RACE, a costly member that has added less than
# LOSES of all logits sleeps.
RACE = 4096
LOSES = 0.02
EARLY = 255  # a stream without a pair so far is taken to have none
_RACE = cython.declare(cython.longlong, RACE)
_LOSES = cython.declare(cython.double, LOSES)
_EARLY = cython.declare(cython.longlong, EARLY)
_FULL_BITS = cython.declare(cython.longlong, 7 << FULL_TENTH)
TWICE = 1 << AROW_PAIRS | 1 << COIN_PAIRS | 1 << BAYES_PAIRS  # without pairs they are other members once more
_TWICE = cython.declare(cython.longlong, TWICE)
PAIR_BITS = TWICE | 1 << PA_PAIRS
_PAIR_BITS = cython.declare(cython.longlong, PAIR_BITS)
RACERS = PAIR_BITS | 7 << FULL_TENTH  # the others cost little, and may be needed when the stream changes
_RACERS = cython.declare(cython.longlong, RACERS)
_ONE = cython.declare(cython.longlong, 1)

# Shares over time: (trial, shares) at trials that lie further and further apart.
HISTORY = 400
MOMENT = MEMBERS + 2
_HISTORY = cython.declare(cython.int, HISTORY)
_MOMENT = cython.declare(cython.int, MOMENT)

# Places in `counts`.
COUNTS = 11
ROW, TRIALS, SINGLES, SAMPLES, NOMINALS, PAIRS, FULLS, ASLEEP, MOMENTS, NEXT_MOMENT, CAUSES = range(COUNTS)
_ROW = cython.declare(cython.int, ROW)
_TRIALS = cython.declare(cython.int, TRIALS)
_SINGLES = cython.declare(cython.int, SINGLES)
_SAMPLES = cython.declare(cython.int, SAMPLES)
_NOMINALS = cython.declare(cython.int, NOMINALS)
_PAIRS = cython.declare(cython.int, PAIRS)
_FULLS = cython.declare(cython.int, FULLS)
_ASLEEP = cython.declare(cython.int, ASLEEP)  # a bit for each member that sleeps
_MOMENTS = cython.declare(cython.int, MOMENTS)
_NEXT_MOMENT = cython.declare(cython.int, NEXT_MOMENT)
_CAUSES = cython.declare(cython.int, CAUSES)  # why members sleep: bits
WIDE_ROWS, NO_PAIRS, LOST = 1, 2, 4
_WIDE_ROWS = cython.declare(cython.longlong, WIDE_ROWS)
_NO_PAIRS = cython.declare(cython.longlong, NO_PAIRS)
_LOST = cython.declare(cython.longlong, LOST)

_FAST_RATE = cython.declare(cython.double, 1.0 / 30.0)
_SLOW_RATE = cython.declare(cython.double, 1.0 / 300.0)
_OFTEN = cython.declare(cython.double, 2.0)  # one in so many rows has a number that is not sparse
_FAR = cython.declare(cython.double, 5.0)  # standardised values are cut off there
_HUGE = cython.declare(cython.double, 1e6)  # scores are cut off there
_TINY = cython.declare(cython.double, 1e-100)  # smaller gradients are no coins: wealth over them may be no double


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _cut(s: cython.double) -> cython.double:
    if s > _HUGE:
        return _HUGE
    if s < -_HUGE:
        return -_HUGE
    return s if s == s else 0.0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _within(v: cython.double) -> cython.double:
    """A value whose square, and sums of such, are doubles."""
    return min(max(v, -1e100), 1e100)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _spending(x: cython.double, t: cython.double, variance: cython.double, r: cython.double) -> cython.double:
    """As in the kernel `arow`."""
    others: cython.double = variance - t * x
    return x * x / (r + (others if others > 0.0 else 0.0))


@cython.cclass
class Mixture:
    """The arrays of one learner; `hold` gives them, and gives them again when they were replaced."""

    attributes: cython.double[::1]
    samples: cython.double[::1]
    singles: cython.double[::1]
    pairs: cython.double[::1]
    pair_of: cython.uint[::1]
    covariances: cython.double[::1]
    full_weights: cython.double[::1]
    tables: cython.double[::1]
    mixture: cython.double[::1]
    history: cython.double[::1]
    counts: cython.longlong[::1]
    ids: cython.longlong[::1]  # where the features of the row stand in `singles`
    uses: cython.uint[::1]
    values: cython.double[::1]
    products: cython.double[::1]
    keys: cython.ulonglong[::1]
    places: cython.uint[::1]
    pair_ids: cython.longlong[::1]
    pair_products: cython.double[::1]
    gains: cython.double[::1]
    scores: cython.double[::1]
    logits: cython.double[::1]
    entries: cython.Py_ssize_t
    paired: cython.Py_ssize_t
    mixed: cython.double
    known: cython.double
    weight: cython.double  # of the trial
    held: object

    def __init__(self) -> None:
        self.held = None

    def holds(self, state: tuple) -> bool:
        """Whether these are the arrays that it works on."""
        return self.held is state

    def hold(self, state: tuple, counts: cython.longlong[::1], scratch: tuple) -> None:
        """Work on `state`, in the order in which the learner lists its arrays; `scratch` is for one row."""
        self.held = state
        self.attributes, self.samples, self.singles, self.pairs, self.pair_of = state[:5]
        self.covariances, self.full_weights, self.tables, self.mixture, self.history = state[5:]
        self.counts = counts
        self.ids, self.uses, self.values, self.products, self.keys, self.places = scratch[:6]
        self.pair_ids, self.pair_products, self.gains, self.scores, self.logits = scratch[6:]
        self.entries = 0
        self.paired = 0
        self.mixed = 0.0
        self.known = 0.0
        self.weight = 1.0

    # From entries to features.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _emit(self, feature: cython.longlong, value: cython.double, use: cython.int) -> cython.void:
        self.ids[self.entries] = feature * _SINGLE
        self.values[self.entries] = value
        self.uses[self.entries] = use
        self.entries += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bin(self, cuts: cython.longlong, v: cython.double) -> cython.longlong:
        """How many cuts are not above v; the number of cuts stands before them."""
        found: cython.longlong = 0
        k: cython.longlong
        for k in range(1, cython.cast(cython.longlong, self.samples[cuts]) + 1):
            if v >= self.samples[cuts + k]:
                found = k
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _single(self, a: cython.longlong, v: cython.double, learn: cython.bint) -> cython.bint:
        """The features of one attribute; whether it is a nominal one."""
        numeric: cython.bint = self.attributes[a + _A_NUMERIC] > 0.0 or not (v == 0.0 or v == 1.0)
        n: cython.double = self.attributes[a + _A_COUNT]
        feature: cython.longlong = cython.cast(cython.longlong, self.attributes[a + _A_FEATURE]) - 1
        x: cython.double = 0.0
        at: cython.longlong
        if feature < 0 and learn:
            feature = self.counts[_SINGLES]
            self.counts[_SINGLES] = feature + 1
            self.attributes[a + _A_FEATURE] = feature + 1
        if not numeric:
            if v == 0.0:
                return False
            if feature >= 0:
                self._emit(feature, 1.0, _PLAIN | _NOMINAL_BIT | _FULL_BIT | _COUNT_BIT)
            return True
        if feature < 0:
            return False
        if n * _OFTEN < self.counts[_TRIALS]:  # a sparse one: in units of its size
            if v != 0.0:
                x = self.attributes[a + _A_SIZE]
                x = v / sqrt(x) if x > 0.0 else (1.0 if v > 0.0 else -1.0)
                if x == x:
                    self._emit(
                        feature, min(max(x, -1000.0), 1000.0), _PLAIN | _FULL_BIT | (_COUNT_BIT if x > 0.0 else 0)
                    )
            return False
        if n > 1.0:
            x = sqrt(self.attributes[a + _A_SQUARES] / n)
            x = (v - self.attributes[a + _A_MEAN]) / x if x > 0.0 else 0.0
            if x == x and x != 0.0:
                self._emit(feature, min(max(x, -_FAR), _FAR), _PLAIN | _FULL_BIT)
        at = (cython.cast(cython.longlong, self.attributes[a + _A_SAMPLE]) - 1) * _SAMPLE
        if at < 0 or not self.samples[at + _S_SIXTEEN] > 0.0:
            return False
        feature = cython.cast(cython.longlong, self.attributes[a + _A_BINS]) - 1
        self._emit(feature + self._bin(at + _S_EIGHT, v), 1.0, _NOMINAL_BIT | _FULL_BIT)
        self._emit(feature + 8 + self._bin(at + _S_SIXTEEN, v), 1.0, 0)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pair(self, learn: cython.bint) -> cython.void:
        """Every two nominal features of the row that have been together, or with `learn` any two."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        a: cython.longlong
        b: cython.longlong
        t: cython.longlong
        for i in range(self.entries):
            if self.uses[i] & _NOMINAL_BIT == 0:
                continue
            at: cython.longlong = self.ids[i] + _F_NOMINAL
            if learn and self.singles[at] == 0.0:
                self.counts[_NOMINALS] += 1
                self.singles[at] = self.counts[_NOMINALS]
            a = cython.cast(cython.longlong, self.singles[at]) - 1
            if a < 0:
                continue
            for j in range(i):
                if self.uses[j] & _NOMINAL_BIT == 0:
                    continue
                b = cython.cast(cython.longlong, self.singles[self.ids[j]]) - 1
                if b < 0:
                    continue
                t = a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a
                if self.pair_of[t] == 0:
                    if not learn:
                        continue
                    self.counts[_PAIRS] += 1
                    self.pair_of[t] = cython.cast(cython.uint, self.counts[_PAIRS])
                self.pair_ids[self.paired] = (cython.cast(cython.longlong, self.pair_of[t]) - 1) * _PAIR
                self.paired += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ask_for(
        self,
        slots: cython.const[cython.uint][::1],
        numbers: cython.const[cython.uint][::1],
        base: cython.ulonglong,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
    ) -> cython.void:
        """Have what members keep of a row's features brought from memory while another row is worked on."""
        k: cython.Py_ssize_t
        at: cython.longlong
        number: cython.longlong
        if cython.compiled:
            for k in range(first, last):
                number = numbers[slots[k] + base]
                if 0 < number and number * _ATTRIBUTE <= len(self.attributes):
                    at = cython.cast(cython.longlong, self.attributes[(number - 1) * _ATTRIBUTE + _A_FEATURE]) - 1
                    if at >= 0:
                        at *= _SINGLE
                        mb_prefetch(cython.address(self.singles[at]))
                        mb_prefetch(cython.address(self.singles[at + 8]))
                        mb_prefetch(cython.address(self.singles[at + 16]))
                        mb_prefetch(cython.address(self.singles[at + 24]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _read(
        self,
        slots: cython.const[cython.uint][::1],
        values: cython.const[cython.double][::1],
        numbers: cython.const[cython.uint][::1],
        base: cython.ulonglong,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        learn: cython.bint,
    ) -> cython.void:
        """The features of a row, in the order in which its attributes appeared; the constant is the last."""
        k: cython.Py_ssize_t
        number: cython.longlong
        v: cython.double
        known: cython.Py_ssize_t = 0
        nominal: cython.longlong = 0
        self.entries = 0
        self.paired = 0
        self.known = self.counts[_SINGLES]  # features before this row
        for k in range(first, last):
            number = numbers[slots[k] + base]
            if number == 0:
                if len(values) == 0 or values[k] == 1.0:
                    nominal += 1
                continue
            self.keys[known] = number
            self.places[known] = cython.cast(cython.uint, k - first)
            known += 1
        sort_keys(self.keys, self.places, known)
        for k in range(known):
            v = _within(values[first + self.places[k]]) if len(values) > 0 else 1.0
            nominal += self._single((cython.cast(cython.longlong, self.keys[k]) - 1) * _ATTRIBUTE, v, learn)
        if nominal <= _WIDE and self.counts[_NOMINALS] < _NOMINAL and self.counts[_ASLEEP] & _PAIR_BITS != _PAIR_BITS:
            self._pair(learn)
        self._emit(0, 1.0, _PLAIN | _FULL_BIT)

    # What the members say.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _say(self) -> cython.void:
        """Scores of all members."""
        e: cython.Py_ssize_t
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        at: cython.longlong
        use: cython.uint
        x: cython.double
        w: cython.double
        c: cython.double
        last: cython.Py_ssize_t = self.entries - 1
        rows0: cython.double = self.mixture[_M_ROWS]
        rows1: cython.double = self.mixture[_M_ROWS + 1]
        sums0: cython.double = self.mixture[_M_SUMS] + self.known
        sums1: cython.double = self.mixture[_M_SUMS + 1] + self.known
        flags: cython.double = log((rows1 + 0.5) / (rows0 + 0.5))
        counted: cython.double = flags
        together: cython.double = 0.0
        likely: cython.double = 1.0  # a product of ratios, whose logarithm is taken when it is large or small
        alone: cython.double = (rows0 + 1.0) / (rows1 + 1.0)
        ones: cython.double = 1.0
        apart: cython.double = sums0 / sums1
        other: cython.double = log(apart)
        full: cython.bint = self.counts[_ASLEEP] & _FULL_BITS != _FULL_BITS
        for k in range(_MEMBERS):
            self.scores[k] = 0.0
        for e in range(self.entries):
            at = self.ids[e]
            x = self.values[e]
            use = self.uses[e]
            self.scores[_AROW_TENTH] += self.singles[at + _F_AROW_TENTH] * x
            self.scores[_FAST] += self.singles[at + _F_FAST] * x
            self.scores[_SLOW] += self.singles[at + _F_SLOW] * x
            if use & _PLAIN:
                self.scores[_PA_ONE] += self.singles[at + _F_PA_ONE] * x
                self.scores[_COIN] += self.singles[at + _F_COIN_WEIGHT] * x
                self.scores[_AROW_ONE] += self.singles[at + _F_AROW_ONE] * x
                self.scores[_PERCEPTRON] += self.singles[at + _F_PERCEPTRON] * x
            if full and use & _FULL_BIT and self.singles[at + _F_FULL] > 0.0:
                j = cython.cast(cython.Py_ssize_t, self.singles[at + _F_FULL]) - 1
                for k in range(0 if use & _PLAIN else 2, 3):
                    self.scores[_FULL + k] += self.full_weights[k * _FULL_SIZE + j] * x
            if use & _NOMINAL_BIT:
                c = self.singles[at + _F_BAYES] + self.singles[at + _F_BAYES + 1]
                if c > 0.0:
                    likely *= (self.singles[at + _F_BAYES + 1] + 0.5) / (self.singles[at + _F_BAYES] + 0.5) * alone
                    if likely > 1e100 or likely < 1e-100:
                        flags += log(likely)
                        likely = 1.0
            if use & _COUNT_BIT:
                c = self.singles[at + _F_COUNTS] + self.singles[at + _F_COUNTS + 1]
                if c > 0.0:
                    w = (self.singles[at + _F_COUNTS + 1] + 1.0) / (self.singles[at + _F_COUNTS] + 1.0)
                    if x == 1.0:
                        ones *= w * apart
                        if ones > 1e100 or ones < 1e-100:
                            counted += log(ones)
                            ones = 1.0
                    else:
                        counted += x * (log(w) + other)
            if e < last:
                self.scores[_AROW_PAIRS] += self.singles[at + _F_AROW_PAIRS] * x
                self.scores[_PA_PAIRS] += self.singles[at + _F_PA_PAIRS] * x
                self.scores[_COIN_PAIRS] += self.singles[at + _F_COIN_PAIRS_WEIGHT] * x
        flags += log(likely)
        counted += log(ones)
        likely = 1.0
        for e in range(self.paired):
            at = self.pair_ids[e]
            self.scores[_AROW_PAIRS] += self.pairs[at + _P_AROW]
            self.scores[_PA_PAIRS] += self.pairs[at + _P_PA]
            self.scores[_COIN_PAIRS] += self.pairs[at + _P_COIN_WEIGHT]
            c = self.pairs[at + _P_BAYES] + self.pairs[at + _P_BAYES + 1]
            if c > 0.0:
                likely *= (self.pairs[at + _P_BAYES + 1] + 0.5) / (self.pairs[at + _P_BAYES] + 0.5) * alone
                if likely > 1e100 or likely < 1e-100:
                    together += log(likely)
                    likely = 1.0
        together += log(likely)
        # The constant of the members with pairs is the last of their features.
        self.scores[_AROW_PAIRS] += self.singles[_F_AROW_PAIRS]
        self.scores[_PA_PAIRS] += self.singles[_F_PA_PAIRS]
        self.scores[_COIN_PAIRS] += self.singles[_F_COIN_PAIRS_WEIGHT]
        self.scores[_BAYES] = flags
        self.scores[_BAYES_COUNTS] = counted
        self.scores[_BAYES_PAIRS] = flags + together
        for k in range(_MEMBERS):
            self.scores[k] = _cut(self.scores[k])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mix(self) -> cython.double:
        """The logit of the mixture; `logits` has those of the members, and 0 for one that sleeps."""
        k: cython.Py_ssize_t
        table: cython.longlong
        cell: cython.longlong
        at: cython.double
        x: cython.double
        found: cython.double = 0.0
        for k in range(_MEMBERS):
            table = k * _TABLE
            at = place_of(self.scores[k], self.tables[table + _T_MEAN])
            cell = cython.cast(cython.longlong, at)
            if cell >= _CELLS - 1:
                x = self.tables[table + _T_CURVE + _CELLS - 1]
            else:
                x = self.tables[table + _T_CURVE + cell]
                x += (at - cell) * (self.tables[table + _T_CURVE + cell + 1] - x)
            x = min(max(x, -_CLIP), _CLIP)
            if self.counts[_ASLEEP] >> k & 1:
                x = 0.0
            self.logits[k] = x
            found += self.mixture[k] * x
        return found * _REACH

    # Learning.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fit(self, table: cython.longlong) -> cython.void:
        """The logits of a member's cells, ascending: pool adjacent violators, two rows in each cell beforehand."""
        i: cython.longlong
        size: cython.longlong = 0
        j: cython.longlong
        place: cython.double
        told: cython.double
        rows: cython.double
        cells: cython.longlong
        parts = cython.declare(cython.double[33])
        wholes = cython.declare(cython.double[33])
        widths = cython.declare(cython.longlong[33])
        for i in range(33):
            place = (i - 16) / 16.0
            if i == 0:
                told = 1.0 / 1024.0
            elif i == 32:
                told = 1023.0 / 1024.0
            else:
                told = chance_of(min(max(2.0 * place / (1.0 - fabs(place)), -6.0), 6.0))
            rows = self.tables[table + 2 * i] + self.tables[table + 2 * i + 1] + 2.0
            told = self.tables[table + 2 * i + 1] + 2.0 * told
            cells = 1
            while size > 0 and parts[size - 1] * rows >= told * wholes[size - 1]:
                size -= 1
                told += parts[size]
                rows += wholes[size]
                cells += widths[size]
            parts[size] = told
            wholes[size] = rows
            widths[size] = cells
            size += 1
        j = 0
        for i in range(size):
            place = log(parts[i] / (wholes[i] - parts[i]))
            for cells in range(widths[i]):
                self.tables[table + _T_CURVE + j] = place
                j += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _calibrate(self, label: cython.int) -> cython.void:
        k: cython.Py_ssize_t
        t: cython.longlong
        n: cython.double
        cell: cython.longlong
        for k in range(_MEMBERS):
            if self.counts[_ASLEEP] >> k & 1:
                continue
            t = k * _TABLE
            self.tables[t + _T_ROWS] += self.weight
            n = self.tables[t + _T_ROWS]
            self.tables[t + _T_MEAN] += (fabs(self.scores[k]) - self.tables[t + _T_MEAN]) * self.weight / n
            cell = cython.cast(cython.longlong, place_of(self.scores[k], self.tables[t + _T_MEAN]) + 0.5)
            self.tables[t + 2 * cell + label] += self.weight
            if n >= self.tables[t + _T_NEXT]:
                self._fit(t)
                self.tables[t + _T_NEXT] = n + 1.0 + cython.cast(cython.longlong, n / 64.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _share(self, label: cython.int) -> cython.void:
        """Exponentiated gradient over logits, then a little of the whole for everybody who is awake."""
        k: cython.Py_ssize_t
        awake: cython.Py_ssize_t = _MEMBERS + 1
        x: cython.double
        high: cython.double = 0.0
        low: cython.double = 0.0
        rest: cython.double = (chance_of(self.mixed) - label) * self.weight
        rate: cython.double = _RATE * sqrt(_LOG_MEMBERS / (1.0 + self.mixture[_M_V]))
        whole: cython.double = 0.0
        best: cython.double
        for k in range(_MEMBERS):
            self.mixture[_M_RACE + k] += self.mixture[k] * fabs(self.logits[k])
            x = self.logits[k] * _REACH
            high = max(high, x)
            low = min(low, x)
        best = low if rest > 0.0 else high  # nobody's share grows, so that no weight is too large
        for k in range(_MEMBERS):
            self.mixture[k] *= exp(-rate * rest * (self.logits[k] * _REACH - best))
            whole += self.mixture[k]
        self.mixture[_MEMBERS] *= exp(rate * rest * best)
        whole += self.mixture[_MEMBERS]
        for k in range(_MEMBERS):
            awake -= self.counts[_ASLEEP] >> k & 1
        for k in range(_MEMBERS + 1):
            self.mixture[k] = self.mixture[k] / whole * (1.0 - _SHARE)
            if k == _MEMBERS or not self.counts[_ASLEEP] >> k & 1:
                self.mixture[k] += _SHARE / awake
        x = (high - low) * rest
        self.mixture[_M_V] += x * x / 4.0
        if self.weight > self.mixture[_M_MOST]:
            self.mixture[_M_MOST] = self.weight
        if (self.mixed > 0.0) != (label == 1):
            x = self.mixture[_M_LEAST]
            self.mixture[_M_LEAST] = self.weight if x == 0.0 else min(x, self.weight)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _arow(
        self, field: cython.int, score: cython.double, y: cython.double, r: cython.double, use: cython.int,
        pair: cython.int,
    ) -> cython.void:  # fmt: skip
        """One step of AROW, as in its kernel, over the features for `use` and, with `pair` >= 0, the pairs."""
        e: cython.Py_ssize_t
        at: cython.longlong
        x: cython.double
        t: cython.double
        step: cython.double
        variance: cython.double = 0.0
        last: cython.Py_ssize_t = self.entries - 1
        if not y * score < 1.0:
            return
        for e in range(last):
            if use == 0 or self.uses[e] & use:
                x = self.values[e]
                t = x / (1.0 + self.singles[self.ids[e] + field + 1])
                self.products[e] = t
                variance += t * x
        if pair >= 0:
            for e in range(self.paired):
                t = 1.0 / (1.0 + self.pairs[self.pair_ids[e] + pair + 1])
                self.pair_products[e] = t
                variance += t
        t = 1.0 / (1.0 + self.singles[field + 1])
        self.products[last] = t
        variance += t
        step = y * ((1.0 - y * score) / (variance + r))
        for e in range(self.entries):
            if use == 0 or self.uses[e] & use:
                at = self.ids[e] + field
                self.singles[at] += step * self.products[e]
                self.singles[at + 1] += _spending(self.values[e], self.products[e], variance, r)
        if pair >= 0:
            for e in range(self.paired):
                at = self.pair_ids[e] + pair
                self.pairs[at] += step * self.pair_products[e]
                self.pairs[at + 1] += _spending(1.0, self.pair_products[e], variance, r)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _forget(self, field: cython.int, rate: cython.double) -> cython.void:
        """Variances grow back towards 1 with the trials since they were used last."""
        e: cython.Py_ssize_t
        at: cython.longlong
        spent: cython.double
        passed: cython.double
        for e in range(self.entries):
            at = self.ids[e] + field
            passed = rate * (self.counts[_TRIALS] - self.singles[at + 2])
            spent = self.singles[at + 1]
            self.singles[at + 1] = spent / (1.0 + passed + passed * spent)
            self.singles[at + 2] = self.counts[_TRIALS]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _passive_aggressive(
        self, field: cython.int, score: cython.double, y: cython.double, most: cython.double, use: cython.int,
        pair: cython.int,
    ) -> cython.void:  # fmt: skip
        e: cython.Py_ssize_t
        x: cython.double
        step: cython.double
        norm: cython.double = 0.0
        if not y * score < 1.0:
            return
        for e in range(self.entries - 1):
            if use == 0 or self.uses[e] & use:
                x = self.values[e]
                norm += x * x
        if pair >= 0:
            norm += self.paired
        norm += 1.0
        step = y * min(most, (1.0 - y * score) / norm)
        for e in range(self.entries):
            if use == 0 or self.uses[e] & use:
                self.singles[self.ids[e] + field] += step * self.values[e]
        if pair >= 0:
            for e in range(self.paired):
                self.pairs[self.pair_ids[e] + pair] += step

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bets(
        self, field: cython.int, weight: cython.int, score: cython.double, label: cython.int, use: cython.int,
        pair: cython.int,
    ) -> cython.void:  # fmt: skip
        """Coin betting, as in its kernel, with a wealth of 1."""
        e: cython.Py_ssize_t
        at: cython.longlong
        x: cython.double
        c: cython.double = self.weight
        g: cython.double = (label - chance_of(score)) * c
        for e in range(self.entries):
            x = self.values[e]
            if (use == 0 or self.uses[e] & use) and c * fabs(x) > _TINY:
                at = self.ids[e]
                toss(self.singles, at + field, self.singles[at + weight], g * x, c * fabs(x), 1.0)
                self.singles[at + weight] = weight_of(self.singles, at + field)
        if pair >= 0 and c > _TINY:
            for e in range(self.paired):
                at = self.pair_ids[e]
                toss(self.pairs, at + pair, self.pairs[at + _P_COIN_WEIGHT], g, c, 1.0)
                self.pairs[at + _P_COIN_WEIGHT] = weight_of(self.pairs, at + pair)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _full(self, member: cython.int, y: cython.double, r: cython.double, use: cython.int) -> cython.void:
        """One step of AROW with a full covariance over the features for `use`."""
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        at: cython.Py_ssize_t
        x: cython.double
        step: cython.double
        part: cython.double
        variance: cython.double = 0.0
        size: cython.Py_ssize_t = self.counts[_FULLS]
        base: cython.Py_ssize_t = member * _FULL_SIZE * _FULL_SIZE
        score: cython.double = self.scores[_FULL + member]
        if not y * score < 1.0:
            return
        for j in range(size):
            self.gains[j] = 0.0
        for e in range(self.entries):
            i = cython.cast(cython.Py_ssize_t, self.singles[self.ids[e] + _F_FULL])
            if i > 0 and self.uses[e] & use:
                x = self.values[e]
                i -= 1
                at = base + i * _FULL_SIZE
                for j in range(i):  # the matrix is symmetric: of a row only what is right of the diagonal is kept
                    self.gains[j] += x * self.covariances[base + j * _FULL_SIZE + i]
                if cython.compiled:
                    c_add_multiple(cython.address(self.gains[i]), cython.address(self.covariances[at + i]), size - i, x)
                else:
                    for j in range(i, size):
                        self.gains[j] += x * self.covariances[at + j]
        for e in range(self.entries):
            i = cython.cast(cython.Py_ssize_t, self.singles[self.ids[e] + _F_FULL])
            if i > 0 and self.uses[e] & use:
                variance += self.values[e] * self.gains[i - 1]
        if not variance > 0.0:
            return
        part = 1.0 / (variance + r)
        step = y * (1.0 - y * score) * part
        for i in range(size):
            x = self.gains[i]
            if x != 0.0:
                self.full_weights[member * _FULL_SIZE + i] += step * x
                x *= part
                at = base + i * _FULL_SIZE
                if cython.compiled:
                    c_add_multiple(
                        cython.address(self.covariances[at + i]), cython.address(self.gains[i]), size - i, -x
                    )
                else:
                    for j in range(i, size):
                        self.covariances[at + j] += -x * self.gains[j]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _full_features(self) -> cython.void:
        """Numbers for features that the members with full covariance have not had; those beyond the most are left."""
        e: cython.Py_ssize_t
        k: cython.Py_ssize_t
        at: cython.longlong
        n: cython.longlong
        for e in range(self.entries):
            at = self.ids[e] + _F_FULL
            if self.uses[e] & _FULL_BIT and self.singles[at] == 0.0 and self.counts[_FULLS] < _FULL_SIZE:
                n = self.counts[_FULLS]
                self.counts[_FULLS] = n + 1
                self.singles[at] = n + 1
                for k in range(3):
                    self.covariances[(k * _FULL_SIZE + n) * _FULL_SIZE + n] = 1.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _count(self, label: cython.int) -> cython.void:
        """Naive Bayes."""
        e: cython.Py_ssize_t
        at: cython.longlong
        self.mixture[_M_ROWS + label] += self.weight
        for e in range(self.entries):
            at = self.ids[e]
            if self.uses[e] & _NOMINAL_BIT:
                self.singles[at + _F_BAYES + label] += self.weight
            if self.uses[e] & _COUNT_BIT:
                self.singles[at + _F_COUNTS + label] += self.values[e] * self.weight
                self.mixture[_M_SUMS + label] += self.values[e] * self.weight
        for e in range(self.paired):
            self.pairs[self.pair_ids[e] + _P_BAYES + label] += self.weight

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hear(self, label: cython.int) -> cython.void:
        """All that follows from a label."""
        e: cython.Py_ssize_t
        y: cython.double = 1.0 if label else -1.0
        c: cython.double = self.weight
        asleep: cython.longlong = self.counts[_ASLEEP]
        self._share(label)
        self._calibrate(label)
        if not asleep >> _AROW_TENTH & 1:
            self._arow(_F_AROW_TENTH, self.scores[_AROW_TENTH], y, 0.1 / c, 0, -1)
        if not asleep >> _AROW_ONE & 1:
            self._arow(_F_AROW_ONE, self.scores[_AROW_ONE], y, 1.0 / c, _PLAIN, -1)
        if not asleep >> _AROW_PAIRS & 1:
            self._arow(_F_AROW_PAIRS, self.scores[_AROW_PAIRS], y, 0.1 / c, 0, _P_AROW)
        if not asleep >> _FAST & 1:
            self._forget(_F_FAST, _FAST_RATE)
            self._arow(_F_FAST, self.scores[_FAST], y, 0.1 / c, 0, -1)
        if not asleep >> _SLOW & 1:
            self._forget(_F_SLOW, _SLOW_RATE)
            self._arow(_F_SLOW, self.scores[_SLOW], y, 0.1 / c, 0, -1)
        if not asleep >> _PA_ONE & 1:
            self._passive_aggressive(_F_PA_ONE, self.scores[_PA_ONE], y, c, _PLAIN, -1)
        if not asleep >> _PA_PAIRS & 1:
            self._passive_aggressive(_F_PA_PAIRS, self.scores[_PA_PAIRS], y, 0.1 * c, 0, _P_PA)
        if not asleep >> _PERCEPTRON & 1 and (self.scores[_PERCEPTRON] > 0.0) != (label == 1):
            for e in range(self.entries):
                if self.uses[e] & _PLAIN:
                    self.singles[self.ids[e] + _F_PERCEPTRON] += c * y * self.values[e]
        if not asleep >> _COIN & 1:
            self._bets(_F_COIN, _F_COIN_WEIGHT, self.scores[_COIN], label, _PLAIN, -1)
        if not asleep >> _COIN_PAIRS & 1:
            self._bets(_F_COIN_PAIRS, _F_COIN_PAIRS_WEIGHT, self.scores[_COIN_PAIRS], label, 0, _P_COIN)
        self._count(label)
        if asleep & _FULL_BITS != _FULL_BITS:
            self._full_features()
            if not asleep >> _FULL & 1:
                self._full(0, y, 0.1 / c, _PLAIN)
            if not asleep >> (_FULL + 1) & 1:
                self._full(1, y, 1.0 / c, _PLAIN)
            if not asleep >> (_FULL + 2) & 1:
                self._full(2, y, 10.0 / c, _FULL_BIT)
            if self.counts[_SINGLES] - _BINS * self.counts[_SAMPLES] > 2 * _FULL_SIZE:
                self._sleep(_FULL_BITS, _WIDE_ROWS)
        if self.counts[_CAUSES] & _NO_PAIRS == 0 and (
            self.counts[_NOMINALS] >= _NOMINAL or (self.counts[_TRIALS] == _EARLY and self.counts[_PAIRS] == 0)
        ):
            self._sleep(_TWICE, _NO_PAIRS)
        self.counts[_TRIALS] += 1
        if self.counts[_TRIALS] >= _RACE and self.counts[_TRIALS] & (self.counts[_TRIALS] - 1) == 0:
            self._judge()
        if self.counts[_TRIALS] >= self.counts[_NEXT_MOMENT] and self.counts[_MOMENTS] < _HISTORY:
            self._remember()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sleep(self, members: cython.longlong, cause: cython.longlong) -> cython.void:
        """These members sleep from now on: the others share what they had."""
        k: cython.Py_ssize_t
        whole: cython.double = 0.0
        self.counts[_ASLEEP] |= members
        self.counts[_CAUSES] |= cause
        for k in range(_MEMBERS + 1):
            if k < _MEMBERS and members >> k & 1:
                self.mixture[k] = 0.0
            whole += self.mixture[k]
        for k in range(_MEMBERS + 1):
            self.mixture[k] /= whole

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _judge(self) -> cython.void:
        """The end of a race: whoever has added next to nothing to the logits since the last one sleeps."""
        k: cython.Py_ssize_t
        losers: cython.longlong = 0
        whole: cython.double = 0.0
        for k in range(_MEMBERS):
            whole += self.mixture[_M_RACE + k]
        for k in range(_MEMBERS):
            if self.mixture[_M_RACE + k] < _LOSES * whole and (_RACERS & ~self.counts[_ASLEEP]) >> k & 1:
                losers |= _ONE << k
            self.mixture[_M_RACE + k] = 0.0
        if losers:
            self._sleep(losers, _LOST)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _remember(self) -> cython.void:
        k: cython.Py_ssize_t
        at: cython.longlong = self.counts[_MOMENTS] * _MOMENT
        self.history[at] = self.counts[_TRIALS]
        for k in range(_MEMBERS + 1):
            self.history[at + 1 + k] = self.mixture[k]
        self.counts[_MOMENTS] += 1
        self.counts[_NEXT_MOMENT] = self.counts[_TRIALS] + 1 + self.counts[_TRIALS] // 8

    # What an attribute has had.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cuts(self, at: cython.longlong, place: cython.longlong, bins: cython.longlong) -> cython.void:
        """Cuts by rank in the sorted sample, which `gains` has."""
        i: cython.longlong
        found: cython.longlong = 0
        v: cython.double
        kept: cython.longlong = cython.cast(cython.longlong, self.samples[at + _S_KEPT])
        for i in range(1, bins):
            v = self.gains[i * kept // bins]
            if found == 0 or v > self.samples[at + place + found]:
                found += 1
                self.samples[at + place + found] = v
        self.samples[at + place] = found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sample(self, at: cython.longlong, v: cython.double) -> cython.void:
        """Every stride-th value is kept; when there are 256, every second of them, and the stride doubles."""
        i: cython.longlong
        j: cython.longlong
        x: cython.double
        seen: cython.longlong = cython.cast(cython.longlong, self.samples[at + _S_SEEN])
        kept: cython.longlong = cython.cast(cython.longlong, self.samples[at + _S_KEPT])
        self.samples[at + _S_SEEN] = seen + 1
        if seen % cython.cast(cython.longlong, self.samples[at + _S_STRIDE]) == 0:
            self.samples[at + _S_VALUES + kept] = v
            kept += 1
            if kept == _KEPT:
                for i in range(_KEPT // 2):
                    self.samples[at + _S_VALUES + i] = self.samples[at + _S_VALUES + 2 * i]
                kept = _KEPT // 2
                self.samples[at + _S_STRIDE] *= 2.0
            self.samples[at + _S_KEPT] = kept
        if seen + 1 < self.samples[at + _S_NEXT]:
            return
        for i in range(kept):
            x = self.samples[at + _S_VALUES + i]
            j = i
            while j > 0 and self.gains[j - 1] > x:
                self.gains[j] = self.gains[j - 1]
                j -= 1
            self.gains[j] = x
        self._cuts(at, _S_EIGHT, 8)
        self._cuts(at, _S_SIXTEEN, 16)
        self.samples[at + _S_NEXT] = 2 * (seen + 1) if seen < 512 else seen + 1 + seen // 4

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note(self, a: cython.longlong, v: cython.double) -> cython.void:
        """One more value of an attribute."""
        n: cython.double = self.attributes[a + _A_COUNT] + 1.0
        d: cython.double = v - self.attributes[a + _A_MEAN]
        at: cython.longlong
        if not (v == 0.0 or v == 1.0):
            self.attributes[a + _A_NUMERIC] = 1.0
        self.attributes[a + _A_COUNT] = n
        self.attributes[a + _A_MEAN] += d / n
        self.attributes[a + _A_SQUARES] += d * (v - self.attributes[a + _A_MEAN])
        self.attributes[a + _A_SIZE] += (v * v - self.attributes[a + _A_SIZE]) / n
        if self.attributes[a + _A_NUMERIC] == 0.0 or n < 4.0 or n * _OFTEN < self.counts[_TRIALS]:
            return
        at = (cython.cast(cython.longlong, self.attributes[a + _A_SAMPLE]) - 1) * _SAMPLE
        if at < 0:
            if self.counts[_SAMPLES] >= _BINNED:
                return
            at = self.counts[_SAMPLES] * _SAMPLE
            self.counts[_SAMPLES] += 1
            self.attributes[a + _A_SAMPLE] = self.counts[_SAMPLES]
            self.attributes[a + _A_BINS] = self.counts[_SINGLES] + 1
            self.counts[_SINGLES] += _BINS
            self.samples[at + _S_STRIDE] = 1.0
            self.samples[at + _S_NEXT] = 8.0
        self._sample(at, v)

    # From outside.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fits(self, width: cython.longlong, reach: cython.longlong, learn: cython.bint) -> cython.bint:
        """Whether a row of so many entries, of attributes below `reach`, fits into the arrays whatever it is."""
        n: cython.longlong = self.counts[_NOMINALS] + _WIDE + 1
        binned: cython.longlong = min(width, _BINNED - self.counts[_SAMPLES])
        if 3 * width + 1 > len(self.ids) or width > len(self.keys):
            return False
        if not learn:
            return reach * _ATTRIBUTE <= len(self.attributes)
        return (
            reach * _ATTRIBUTE <= len(self.attributes)
            and (self.counts[_SAMPLES] + binned) * _SAMPLE <= len(self.samples)
            and (self.counts[_SINGLES] + width + _BINS * binned) * _SINGLE <= len(self.singles)
            and (self.counts[_PAIRS] + _MANY_PAIRS) * _PAIR <= len(self.pairs)
            and n * (n - 1) // 2 <= len(self.pair_of)
        )

    def run(
        self,
        slots: cython.const[cython.uint][::1],
        values: cython.const[cython.double][::1],
        indptr: cython.const[cython.longlong][::1],
        numbers: cython.const[cython.uint][::1],
        base: cython.ulonglong,
        labels: cython.const[cython.schar][::1],
        importance: cython.const[cython.double][::1],
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        learn: cython.bint,
        predictions: cython.schar[::1],
        scores: cython.double[::1],
    ) -> cython.int:
        """Predict rows first .. last-1 and, with `learn`, learn each after it; counts[ROW] is how far it came.

        `importance` has the weights of the rows, all > 0; empty: 1 for all.
        """
        r: cython.Py_ssize_t
        k: cython.Py_ssize_t
        reach: cython.longlong
        bad: cython.bint = False
        status: cython.int = _OK
        if first < 0 or last < first or len(indptr) <= last or len(predictions) < last:
            return _CAPACITY
        if (learn and len(labels) < last) or (len(scores) > 0 and len(scores) < last):
            return _CAPACITY
        if learn and len(importance) > 0 and len(importance) < last:
            return _CAPACITY
        if indptr[first] < 0 or indptr[last] > len(slots) or (len(values) > 0 and indptr[last] > len(values)):
            return _CAPACITY
        with cython.nogil:
            for r in range(first, last):
                bad |= indptr[r] > indptr[r + 1]
            if not bad:
                for k in range(indptr[first], indptr[last]):
                    bad |= slots[k] + base >= cython.cast(cython.ulonglong, len(numbers))
            if bad:
                status = _CAPACITY
            else:
                self.counts[_ROW] = first
                for r in range(first, last):
                    reach = 0
                    for k in range(indptr[r], indptr[r + 1]):
                        reach = max(reach, cython.cast(cython.longlong, numbers[slots[k] + base]))
                    if not self._fits(indptr[r + 1] - indptr[r], reach, learn):
                        status = _GROW
                        break
                    if r + 1 < last and len(self.singles) > 65536:
                        self._ask_for(slots, numbers, base, indptr[r + 1], indptr[r + 2])
                    self._read(slots, values, numbers, base, indptr[r], indptr[r + 1], learn)
                    self._say()
                    self.mixed = self._mix()
                    predictions[r] = self.mixed > 0.0
                    if len(scores) > 0:
                        scores[r] = self.mixed
                    if learn:
                        self.weight = min(importance[r], _HEAVIEST) if len(importance) > 0 else 1.0
                        self._hear(labels[r] == 1)
                        for k in range(indptr[r + 1] - indptr[r]):  # all have a number, and `_read` has sorted them
                            self._note(
                                (cython.cast(cython.longlong, self.keys[k]) - 1) * _ATTRIBUTE,
                                _within(values[indptr[r] + self.places[k]]) if len(values) > 0 else 1.0,
                            )
                    self.counts[_ROW] = r + 1
        return status

    def shape(self):  # type: () -> tuple[int, int, float]
        """Of the row that was read last: how many features it has, how many pairs, the logit of the mixture."""
        return self.entries, self.paired, self.mixed

    def last_row(self):  # type: () -> tuple[Ints, Floats, Ints, Floats, Floats]
        """Of that row: places of features, their values, places of pairs; scores and logits of the members."""
        return self.ids, self.values, self.pair_ids, self.scores, self.logits

    def fit_all(self) -> None:
        """The logits of all tables, from their cells: for a new learner."""
        k: cython.longlong
        for k in range(_MEMBERS):
            self._fit(k * _TABLE)
