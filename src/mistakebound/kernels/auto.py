"""The learner `auto`: fourteen members over shared features, mixed by their logits.  One row at a time, without Python.

A row becomes features once: flags and numbers (standardised; sparse ones by their size), numbers in 8 and 16 bins by
rank, pairs and triples of nominal features, products of numbers, and its raw values as a row of length 1.  What the
members keep of a feature lies side by side (`singles`, `pairs`, `triples`), so that all of them need one look-up.
Nothing here allocates: `learn` stops with GROW before a row that may not fit.
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

MEMBERS = 14
(
    AROW_ONE, COIN, PA_ONE, UNIT, FAST, SLOW, BAYES, BAYES_COUNTS, AROW_TRIPLES, COIN_PAIRS, COIN_TRIPLES,
    FULL_PRODUCTS, FULL_ONE, FULL_TEN,
) = range(MEMBERS)  # fmt: skip
_MEMBERS = cython.declare(cython.int, MEMBERS)
_AROW_ONE = cython.declare(cython.int, AROW_ONE)
_COIN = cython.declare(cython.int, COIN)
_PA_ONE = cython.declare(cython.int, PA_ONE)
_UNIT = cython.declare(cython.int, UNIT)
_FAST = cython.declare(cython.int, FAST)
_SLOW = cython.declare(cython.int, SLOW)
_BAYES = cython.declare(cython.int, BAYES)
_BAYES_COUNTS = cython.declare(cython.int, BAYES_COUNTS)
_AROW_TRIPLES = cython.declare(cython.int, AROW_TRIPLES)
_COIN_PAIRS = cython.declare(cython.int, COIN_PAIRS)
_COIN_TRIPLES = cython.declare(cython.int, COIN_TRIPLES)
_FULL = cython.declare(cython.int, FULL_PRODUCTS)  # the first of three

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
SINGLE = 36
# 1 + its number among nominal features, its place in the covariances of the last two members and in that with products,
# its number among those with products
F_NOMINAL, F_FULL, F_PRODUCT, F_NUMBER = range(4)
F_WEIGHTS = {AROW_ONE: 4, PA_ONE: 6, FAST: 7, SLOW: 10, COIN: 17, AROW_TRIPLES: 24, COIN_PAIRS: 30, COIN_TRIPLES: 35}
_SINGLE = cython.declare(cython.int, SINGLE)
_F_NOMINAL = cython.declare(cython.int, F_NOMINAL)
_F_FULL = cython.declare(cython.int, F_FULL)
_F_PRODUCT = cython.declare(cython.int, F_PRODUCT)
_F_NUMBER = cython.declare(cython.int, F_NUMBER)
_F_AROW_ONE = cython.declare(cython.int, 4)  # weight, what is spent of the variance
_F_PA_ONE = cython.declare(cython.int, 6)
_F_FAST = cython.declare(cython.int, 7)  # weight, spent, trial of the last update
_F_SLOW = cython.declare(cython.int, 10)
# A coin: sum of gradients, of their sizes, wealth, largest size (kernels/_coins.py), and the weight that it makes.
_F_COIN = cython.declare(cython.int, 13)
F_BAYES = 18  # rows of label 0 and of label 1
_F_BAYES = cython.declare(cython.int, F_BAYES)
_F_COUNTS = cython.declare(cython.int, 20)  # sums of values
F_UNIT = 22
_F_UNIT = cython.declare(cython.int, F_UNIT)
_F_AROW_TRIPLES = cython.declare(cython.int, 24)
_F_COIN_PAIRS = cython.declare(cython.int, 26)
_F_COIN_TRIPLES = cython.declare(cython.int, 31)
_COIN_WEIGHT = cython.declare(cython.int, 4)  # where the weight of a coin stands, from its beginning

# Fields of a pair and of a triple.
PAIR = 12
P_AROW, P_COIN_PAIRS, P_COIN_TRIPLES = 0, 2, 7
_PAIR = cython.declare(cython.int, PAIR)
_P_AROW = cython.declare(cython.int, P_AROW)
_P_COIN_PAIRS = cython.declare(cython.int, P_COIN_PAIRS)
_P_COIN_TRIPLES = cython.declare(cython.int, P_COIN_TRIPLES)
TRIPLE = 7
T_AROW, T_COIN = 0, 2
_TRIPLE = cython.declare(cython.int, TRIPLE)
_T_AROW = cython.declare(cython.int, T_AROW)
_T_COIN = cython.declare(cython.int, T_COIN)

WIDE = 48  # nominal features of a row that make pairs, at most
NOMINAL = 1000  # nominal features altogether, above which there are no pairs
MANY_PAIRS = WIDE * (WIDE - 1) // 2
NARROW = 12  # nominal features of a row that make triples, at most
FEW = 128  # nominal features altogether, above which there are no triples
MANY_TRIPLES = NARROW * (NARROW - 1) * (NARROW - 2) // 6
FULL = 300  # features of the members with full covariance
NUMBERS = 22  # standardised numbers of a row that make products, at most
PRODUCTS = NUMBERS * (NUMBERS + 1) // 2
BINNED = 4096  # numbers that have bins, at most
_WIDE = cython.declare(cython.int, WIDE)
_NOMINAL = cython.declare(cython.int, NOMINAL)
_MANY_PAIRS = cython.declare(cython.int, MANY_PAIRS)
_NARROW = cython.declare(cython.int, NARROW)
_FEW = cython.declare(cython.int, FEW)
_MANY_TRIPLES = cython.declare(cython.int, MANY_TRIPLES)
_FULL_SIZE = cython.declare(cython.int, FULL)
_NUMBERS = cython.declare(cython.int, NUMBERS)
TRIANGLE = FULL * (FULL + 1) // 2  # a symmetric matrix: of a row what is left of the diagonal, and that
_TRIANGLE = cython.declare(cython.int, TRIANGLE)
_BINNED = cython.declare(cython.longlong, BINNED)

# What a feature of a row is for.
_PLAIN = cython.declare(cython.int, 1)  # flags and standardised numbers
_NOMINAL_BIT = cython.declare(cython.int, 2)
_FULL_BIT = cython.declare(cython.int, 4)
_COUNT_BIT = cython.declare(cython.int, 8)
_NUMBER_BIT = cython.declare(cython.int, 16)  # standardised

# A member's calibration (kernels/calibration.py): 33 cells by label, then mean size, rows, next fit, 33 logits.
TABLE = 102
_TABLE = cython.declare(cython.int, TABLE)
_T_MEAN = cython.declare(cython.int, 66)
_T_ROWS = cython.declare(cython.int, 67)
_T_NEXT = cython.declare(cython.int, 68)
_T_CURVE = cython.declare(cython.int, 69)
_CELLS = cython.declare(cython.int, 33)
PRIOR, STEEP = 3.0, 1.5  # rows that each cell has had before the first, and what these say of z: a logistic function
_PRIOR = cython.declare(cython.double, PRIOR)
_STEEP = cython.declare(cython.double, STEEP)

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
_FULL_BITS = cython.declare(cython.longlong, 7 << FULL_PRODUCTS)
TRIPLE_COINS = 1 << COIN_TRIPLES  # without triples it is COIN_PAIRS once more,
_TRIPLE_COINS = cython.declare(cython.longlong, TRIPLE_COINS)
TWICE = TRIPLE_COINS | 1 << COIN_PAIRS  # and without pairs both are COIN
_TWICE = cython.declare(cython.longlong, TWICE)
TRIPLE_BITS = TRIPLE_COINS | 1 << AROW_TRIPLES
_TRIPLE_BITS = cython.declare(cython.longlong, TRIPLE_BITS)
PAIR_BITS = TRIPLE_BITS | TWICE
_PAIR_BITS = cython.declare(cython.longlong, PAIR_BITS)
RACERS = PAIR_BITS | 7 << FULL_PRODUCTS  # the others cost little, and may be needed when the stream changes
_RACERS = cython.declare(cython.longlong, RACERS)
_ONE = cython.declare(cython.longlong, 1)

# Shares over time: (trial, shares) at trials that lie further and further apart.
HISTORY = 400
MOMENT = MEMBERS + 2
_HISTORY = cython.declare(cython.int, HISTORY)
_MOMENT = cython.declare(cython.int, MOMENT)

# Places in `counts`.
COUNTS = 14
ROW, TRIALS, SINGLES, SAMPLES, NOMINALS, PAIRS, FULLS, ASLEEP, MOMENTS, NEXT_MOMENT, CAUSES, TRIPLES, PLACES, \
    MULTIPLIED = range(COUNTS)  # fmt: skip
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
_TRIPLES = cython.declare(cython.int, TRIPLES)
_PLACES = cython.declare(cython.int, PLACES)  # of the covariance with products
_MULTIPLIED = cython.declare(cython.int, MULTIPLIED)  # numbers with products
WIDE_ROWS, NO_PAIRS, LOST, NO_TRIPLES = 1, 2, 4, 8
_WIDE_ROWS = cython.declare(cython.longlong, WIDE_ROWS)
_NO_PAIRS = cython.declare(cython.longlong, NO_PAIRS)
_LOST = cython.declare(cython.longlong, LOST)
_NO_TRIPLES = cython.declare(cython.longlong, NO_TRIPLES)

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
    triples: cython.double[::1]
    triple_of: cython.uint[::1]
    product_of: cython.uint[::1]  # 1 + the place of a product in its covariance
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
    triple_ids: cython.longlong[::1]
    triple_products: cython.double[::1]
    placed: cython.longlong[::1]  # of three members with full covariance: how many features of the row they have,
    places_of: cython.longlong[::1]  # their places in the covariance
    values_of: cython.double[::1]  # and values
    gains: cython.double[::1]
    scores: cython.double[::1]
    logits: cython.double[::1]
    entries: cython.Py_ssize_t
    paired: cython.Py_ssize_t
    tripled: cython.Py_ssize_t
    units: cython.Py_ssize_t  # behind the entries: the row with a length of 1, and the constant
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
        self.triples, self.triple_of, self.product_of = state[5:8]
        self.covariances, self.full_weights, self.tables, self.mixture, self.history = state[8:]
        self.counts = counts
        self.ids, self.uses, self.values, self.products, self.keys, self.places = scratch[:6]
        self.pair_ids, self.pair_products, self.triple_ids, self.triple_products = scratch[6:10]
        self.placed, self.places_of, self.values_of, self.gains, self.scores, self.logits = scratch[10:]
        self.entries = 0
        self.paired = 0
        self.tripled = 0
        self.units = 0
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
                self._emit(feature, min(max(x, -_FAR), _FAR), _PLAIN | _FULL_BIT | _NUMBER_BIT)
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
    def _triple(self, learn: cython.bint) -> cython.void:
        """Every three nominal features of the row, which all have their numbers."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        size: cython.Py_ssize_t = 0
        a: cython.longlong
        t: cython.longlong
        found = cython.declare(cython.longlong[12])
        for i in range(self.entries):  # ascending
            if self.uses[i] & _NOMINAL_BIT:
                a = cython.cast(cython.longlong, self.singles[self.ids[i] + _F_NOMINAL]) - 1
                if a >= 0:
                    j = size
                    while j > 0 and found[j - 1] > a:
                        found[j] = found[j - 1]
                        j -= 1
                    found[j] = a
                    size += 1
        for i in range(2, size):
            for j in range(1, i):
                for k in range(j):
                    a = found[i]
                    t = a * (a - 1) * (a - 2) // 6 + found[j] * (found[j] - 1) // 2 + found[k]
                    if self.triple_of[t] == 0:
                        if not learn:
                            continue
                        self.counts[_TRIPLES] += 1
                        self.triple_of[t] = cython.cast(cython.uint, self.counts[_TRIPLES])
                    self.triple_ids[self.tripled] = (cython.cast(cython.longlong, self.triple_of[t]) - 1) * _TRIPLE
                    self.tripled += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(self, member: cython.int, place: cython.longlong, value: cython.double) -> cython.void:
        """One more feature of the row for a member with full covariance; place 0 is none."""
        at: cython.longlong
        if place > 0:
            at = member * _FULL_SIZE + self.placed[member]
            self.places_of[at] = place - 1
            self.values_of[at] = value
            self.placed[member] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _new_place(self, count: cython.int, first: cython.int, last: cython.int) -> cython.longlong:
        """1 + a new place in the covariances of members first .. last - 1, or 0 when there is no room."""
        k: cython.Py_ssize_t
        n: cython.longlong = self.counts[count]
        if n >= _FULL_SIZE:
            return 0
        for k in range(first, last):
            self.covariances[k * _TRIANGLE + n * (n + 1) // 2 + n] = 1.0
        self.counts[count] = n + 1
        return n + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(self, learn: cython.bint) -> cython.void:
        """The features of the row for members with full covariance; those beyond the most are left."""
        e: cython.Py_ssize_t
        at: cython.longlong
        numbers: cython.Py_ssize_t = 0
        for e in range(3):
            self.placed[e] = 0
        if self.counts[_ASLEEP] & _FULL_BITS == _FULL_BITS:
            return
        for e in range(self.entries):
            at = self.ids[e]
            if self.uses[e] & _FULL_BIT:
                if learn and self.singles[at + _F_FULL] == 0.0:
                    self.singles[at + _F_FULL] = self._new_place(_FULLS, 1, 3)
                self._put(2, cython.cast(cython.longlong, self.singles[at + _F_FULL]), self.values[e])
            if self.uses[e] & _PLAIN:
                self._put(1, cython.cast(cython.longlong, self.singles[at + _F_FULL]), self.values[e])
                if learn and self.singles[at + _F_PRODUCT] == 0.0:
                    self.singles[at + _F_PRODUCT] = self._new_place(_PLACES, 0, 1)
                self._put(0, cython.cast(cython.longlong, self.singles[at + _F_PRODUCT]), self.values[e])
            numbers += self.uses[e] & _NUMBER_BIT != 0
        if 0 < numbers <= _NUMBERS and not self.counts[_ASLEEP] >> _FULL & 1:
            self._multiply(learn)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _multiply(self, learn: cython.bint) -> cython.void:
        """Products of every two standardised numbers of the row, and squares less 1."""
        e: cython.Py_ssize_t
        j: cython.Py_ssize_t
        size: cython.Py_ssize_t = 0
        at: cython.longlong
        a: cython.longlong
        b: cython.longlong
        x: cython.double
        own = cython.declare(cython.longlong[22])
        own_values = cython.declare(cython.double[22])
        for e in range(self.entries):
            if self.uses[e] & _NUMBER_BIT:
                at = self.ids[e] + _F_NUMBER
                if learn and self.singles[at] == 0.0 and self.counts[_MULTIPLIED] < _NUMBERS:
                    self.counts[_MULTIPLIED] += 1
                    self.singles[at] = self.counts[_MULTIPLIED]
                a = cython.cast(cython.longlong, self.singles[at]) - 1
                if a < 0:
                    continue
                own[size] = a
                own_values[size] = self.values[e]
                size += 1
                for j in range(size):
                    b = own[j]
                    at = a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a
                    x = self.values[e] * own_values[j]
                    if j == size - 1:
                        x -= 1.0
                    if learn and self.product_of[at] == 0:
                        self.product_of[at] = cython.cast(cython.uint, self._new_place(_PLACES, 0, 1))
                    self._put(0, self.product_of[at], min(max(x, -_FAR), _FAR))

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
        at: cython.longlong
        v: cython.double
        length: cython.double = 0.0
        known: cython.Py_ssize_t = 0
        nominal: cython.longlong = 0
        self.entries = 0
        self.paired = 0
        self.tripled = 0
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
            length += v * v
            nominal += self._single((cython.cast(cython.longlong, self.keys[k]) - 1) * _ATTRIBUTE, v, learn)
        if known < last - first:
            for k in range(first, last):
                if numbers[slots[k] + base] == 0:
                    v = _within(values[k]) if len(values) > 0 else 1.0
                    length += v * v
        if nominal <= _WIDE and self.counts[_NOMINALS] < _NOMINAL and self.counts[_ASLEEP] & _PAIR_BITS != _PAIR_BITS:
            self._pair(learn)
            if (
                nominal <= _NARROW
                and self.counts[_NOMINALS] <= _FEW
                and self.counts[_ASLEEP] & _TRIPLE_BITS != _TRIPLE_BITS
            ):
                self._triple(learn)
        self._emit(0, 1.0, _PLAIN | _FULL_BIT)
        self._place(learn)
        number = self.entries
        if length > 0.0:
            length = sqrt(length)
            for k in range(known):
                v = _within(values[first + self.places[k]]) if len(values) > 0 else 1.0
                at = (cython.cast(cython.longlong, self.keys[k]) - 1) * _ATTRIBUTE
                at = cython.cast(cython.longlong, self.attributes[at + _A_FEATURE]) - 1
                if at >= 0 and v != 0.0:
                    self._emit(at, v / length, 0)
        self._emit(0, 1.0, 0)
        self.units = self.entries - number
        self.entries = number

    # What the members say.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _say(self) -> cython.void:
        """Scores of all members."""
        e: cython.Py_ssize_t
        k: cython.Py_ssize_t
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
        likely: cython.double = 1.0  # a product of ratios, whose logarithm is taken when it is large or small
        alone: cython.double = (rows0 + 1.0) / (rows1 + 1.0)
        ones: cython.double = 1.0
        apart: cython.double = sums0 / sums1
        other: cython.double = log(apart)
        paired: cython.bint = self.counts[_ASLEEP] & _TWICE != _TWICE
        for k in range(_MEMBERS):
            self.scores[k] = 0.0
        for e in range(self.entries):
            at = self.ids[e]
            x = self.values[e]
            use = self.uses[e]
            self.scores[_FAST] += self.singles[at + _F_FAST] * x
            self.scores[_SLOW] += self.singles[at + _F_SLOW] * x
            if use & _PLAIN:
                self.scores[_PA_ONE] += self.singles[at + _F_PA_ONE] * x
                self.scores[_COIN] += self.singles[at + _F_COIN + _COIN_WEIGHT] * x
                self.scores[_AROW_ONE] += self.singles[at + _F_AROW_ONE] * x
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
            if e < last:  # the constant of the members with pairs is the last of their features
                self.scores[_AROW_TRIPLES] += self.singles[at + _F_AROW_TRIPLES] * x
                if paired:
                    self.scores[_COIN_PAIRS] += self.singles[at + _F_COIN_PAIRS + _COIN_WEIGHT] * x
                    self.scores[_COIN_TRIPLES] += self.singles[at + _F_COIN_TRIPLES + _COIN_WEIGHT] * x
        for e in range(self.entries, self.entries + self.units):
            self.scores[_UNIT] += self.singles[self.ids[e] + _F_UNIT] * self.values[e]
        for e in range(self.paired):
            at = self.pair_ids[e]
            self.scores[_AROW_TRIPLES] += self.pairs[at + _P_AROW]
            self.scores[_COIN_PAIRS] += self.pairs[at + _P_COIN_PAIRS + _COIN_WEIGHT]
            self.scores[_COIN_TRIPLES] += self.pairs[at + _P_COIN_TRIPLES + _COIN_WEIGHT]
        for e in range(self.tripled):
            at = self.triple_ids[e]
            self.scores[_AROW_TRIPLES] += self.triples[at + _T_AROW]
            self.scores[_COIN_TRIPLES] += self.triples[at + _T_COIN + _COIN_WEIGHT]
        self.scores[_AROW_TRIPLES] += self.singles[_F_AROW_TRIPLES]
        self.scores[_COIN_PAIRS] += self.singles[_F_COIN_PAIRS + _COIN_WEIGHT]
        self.scores[_COIN_TRIPLES] += self.singles[_F_COIN_TRIPLES + _COIN_WEIGHT]
        for k in range(3):
            for e in range(k * _FULL_SIZE, k * _FULL_SIZE + self.placed[k]):
                self.scores[_FULL + k] += self.full_weights[k * _FULL_SIZE + self.places_of[e]] * self.values_of[e]
        self.scores[_BAYES] = flags + log(likely)
        self.scores[_BAYES_COUNTS] = counted + log(ones)
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
        """The logits of a member's cells, ascending: pool adjacent violators, three rows in each cell beforehand."""
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
                told = chance_of(min(max(_STEEP * place / (1.0 - fabs(place)), -6.0), 6.0))
            rows = self.tables[table + 2 * i] + self.tables[table + 2 * i + 1] + _PRIOR
            told = self.tables[table + 2 * i + 1] + _PRIOR * told
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
        self, first: cython.Py_ssize_t, end: cython.Py_ssize_t, field: cython.int, score: cython.double,
        y: cython.double, r: cython.double, use: cython.int, crossed: cython.bint,
    ) -> cython.void:  # fmt: skip
        """One step of AROW, as in its kernel, over the entries first .. end - 1 for `use`, the last of which is the
        constant, and with `crossed` over pairs and triples."""
        e: cython.Py_ssize_t
        at: cython.longlong
        x: cython.double
        t: cython.double
        step: cython.double
        variance: cython.double = 0.0
        if not y * score < 1.0:
            return
        for e in range(first, end - 1):
            if use == 0 or self.uses[e] & use:
                x = self.values[e]
                t = x / (1.0 + self.singles[self.ids[e] + field + 1])
                self.products[e] = t
                variance += t * x
        if crossed:
            for e in range(self.paired):
                t = 1.0 / (1.0 + self.pairs[self.pair_ids[e] + _P_AROW + 1])
                self.pair_products[e] = t
                variance += t
            for e in range(self.tripled):
                t = 1.0 / (1.0 + self.triples[self.triple_ids[e] + _T_AROW + 1])
                self.triple_products[e] = t
                variance += t
        t = 1.0 / (1.0 + self.singles[field + 1])
        self.products[end - 1] = t
        variance += t
        step = y * ((1.0 - y * score) / (variance + r))
        for e in range(first, end):
            if use == 0 or self.uses[e] & use:
                at = self.ids[e] + field
                self.singles[at] += step * self.products[e]
                self.singles[at + 1] += _spending(self.values[e], self.products[e], variance, r)
        if crossed:
            for e in range(self.paired):
                at = self.pair_ids[e] + _P_AROW
                self.pairs[at] += step * self.pair_products[e]
                self.pairs[at + 1] += _spending(1.0, self.pair_products[e], variance, r)
            for e in range(self.tripled):
                at = self.triple_ids[e] + _T_AROW
                self.triples[at] += step * self.triple_products[e]
                self.triples[at + 1] += _spending(1.0, self.triple_products[e], variance, r)

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
    def _passive_aggressive(self, score: cython.double, y: cython.double, most: cython.double) -> cython.void:
        """One step on plain features."""
        e: cython.Py_ssize_t
        x: cython.double
        step: cython.double
        norm: cython.double = 0.0
        if not y * score < 1.0:
            return
        for e in range(self.entries - 1):
            if self.uses[e] & _PLAIN:
                x = self.values[e]
                norm += x * x
        norm += 1.0
        step = y * min(most, (1.0 - y * score) / norm)
        for e in range(self.entries):
            if self.uses[e] & _PLAIN:
                self.singles[self.ids[e] + _F_PA_ONE] += step * self.values[e]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bets(
        self, field: cython.int, score: cython.double, label: cython.int, use: cython.int, pair: cython.int,
        triple: cython.int,
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
                at = self.ids[e] + field
                toss(self.singles, at, self.singles[at + _COIN_WEIGHT], g * x, c * fabs(x), 1.0)
                self.singles[at + _COIN_WEIGHT] = weight_of(self.singles, at)
        if pair >= 0 and c > _TINY:
            for e in range(self.paired):
                at = self.pair_ids[e] + pair
                toss(self.pairs, at, self.pairs[at + _COIN_WEIGHT], g, c, 1.0)
                self.pairs[at + _COIN_WEIGHT] = weight_of(self.pairs, at)
        if triple >= 0 and c > _TINY:
            for e in range(self.tripled):
                at = self.triple_ids[e] + triple
                toss(self.triples, at, self.triples[at + _COIN_WEIGHT], g, c, 1.0)
                self.triples[at + _COIN_WEIGHT] = weight_of(self.triples, at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _full(self, member: cython.int, size: cython.longlong, y: cython.double, r: cython.double) -> cython.void:
        """One step of AROW with a full covariance of `size` features."""
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        at: cython.Py_ssize_t
        x: cython.double
        step: cython.double
        part: cython.double
        variance: cython.double = 0.0
        base: cython.Py_ssize_t = member * _TRIANGLE
        first: cython.Py_ssize_t = member * _FULL_SIZE
        end: cython.Py_ssize_t = first + self.placed[member]
        score: cython.double = self.scores[_FULL + member]
        if not y * score < 1.0:
            return
        for j in range(size):
            self.gains[j] = 0.0
        for e in range(first, end):
            i = self.places_of[e]
            x = self.values_of[e]
            at = base + i * (i + 1) // 2
            if cython.compiled:
                c_add_multiple(cython.address(self.gains[0]), cython.address(self.covariances[at]), i + 1, x)
            else:
                for j in range(i + 1):
                    self.gains[j] += x * self.covariances[at + j]
            at += i
            for j in range(i + 1, size):  # the rest of the row is the column below the diagonal
                at += j
                self.gains[j] += x * self.covariances[at]
        for e in range(first, end):
            variance += self.values_of[e] * self.gains[self.places_of[e]]
        if not variance > 0.0:
            return
        part = 1.0 / (variance + r)
        step = y * (1.0 - y * score) * part
        for i in range(size):
            x = self.gains[i]
            if x != 0.0:
                self.full_weights[first + i] += step * x
                x *= part
                at = base + i * (i + 1) // 2
                if cython.compiled:
                    c_add_multiple(cython.address(self.covariances[at]), cython.address(self.gains[0]), i + 1, -x)
                else:
                    for j in range(i + 1):
                        self.covariances[at + j] += -x * self.gains[j]

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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hear(self, label: cython.int) -> cython.void:
        """All that follows from a label."""
        n: cython.Py_ssize_t = self.entries
        y: cython.double = 1.0 if label else -1.0
        c: cython.double = self.weight
        asleep: cython.longlong = self.counts[_ASLEEP]
        self._share(label)
        self._calibrate(label)
        self._arow(0, n, _F_AROW_ONE, self.scores[_AROW_ONE], y, 1.0 / c, _PLAIN, False)
        self._arow(n, n + self.units, _F_UNIT, self.scores[_UNIT], y, 0.1 / c, 0, False)
        self._forget(_F_FAST, _FAST_RATE)
        self._arow(0, n, _F_FAST, self.scores[_FAST], y, 0.1 / c, 0, False)
        self._forget(_F_SLOW, _SLOW_RATE)
        self._arow(0, n, _F_SLOW, self.scores[_SLOW], y, 0.1 / c, 0, False)
        self._passive_aggressive(self.scores[_PA_ONE], y, c)
        self._bets(_F_COIN, self.scores[_COIN], label, _PLAIN, -1, -1)
        self._count(label)
        if not asleep >> _AROW_TRIPLES & 1:
            self._arow(0, n, _F_AROW_TRIPLES, self.scores[_AROW_TRIPLES], y, 0.1 / c, 0, True)
        if not asleep >> _COIN_PAIRS & 1:
            self._bets(_F_COIN_PAIRS, self.scores[_COIN_PAIRS], label, 0, _P_COIN_PAIRS, -1)
        if not asleep >> _COIN_TRIPLES & 1:
            self._bets(_F_COIN_TRIPLES, self.scores[_COIN_TRIPLES], label, 0, _P_COIN_TRIPLES, _T_COIN)
        if asleep & _FULL_BITS != _FULL_BITS:
            if not asleep >> _FULL & 1:
                self._full(0, self.counts[_PLACES], y, 0.1 / c)
            if not asleep >> (_FULL + 1) & 1:
                self._full(1, self.counts[_FULLS], y, 1.0 / c)
            if not asleep >> (_FULL + 2) & 1:
                self._full(2, self.counts[_FULLS], y, 10.0 / c)
            if self.counts[_SINGLES] - _BINS * self.counts[_SAMPLES] > 2 * _FULL_SIZE:
                self._sleep(_FULL_BITS, _WIDE_ROWS)
        if self.counts[_CAUSES] & _NO_PAIRS == 0 and (
            self.counts[_NOMINALS] >= _NOMINAL or (self.counts[_TRIALS] == _EARLY and self.counts[_PAIRS] == 0)
        ):
            self._sleep(_TWICE, _NO_PAIRS)
        if self.counts[_CAUSES] & _NO_TRIPLES == 0 and (
            self.counts[_NOMINALS] > _FEW or (self.counts[_TRIALS] == _EARLY and self.counts[_TRIPLES] == 0)
        ):
            self._sleep(_TRIPLE_COINS, _NO_TRIPLES)
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
        if 4 * width + 2 > len(self.ids) or width > len(self.keys):
            return False
        if not learn:
            return reach * _ATTRIBUTE <= len(self.attributes)
        return (
            reach * _ATTRIBUTE <= len(self.attributes)
            and (self.counts[_SAMPLES] + binned) * _SAMPLE <= len(self.samples)
            and (self.counts[_SINGLES] + width + _BINS * binned) * _SINGLE <= len(self.singles)
            and (self.counts[_PAIRS] + _MANY_PAIRS) * _PAIR <= len(self.pairs)
            and n * (n - 1) // 2 <= len(self.pair_of)
            and (
                self.counts[_NOMINALS] > _FEW
                or (
                    (self.counts[_TRIPLES] + _MANY_TRIPLES) * _TRIPLE <= len(self.triples)
                    and n * (n - 1) * (n - 2) // 6 <= len(self.triple_of)
                )
            )
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

    def shape(self):  # type: () -> tuple[int, int, int, int, list[int]]
        """Of the row that was read last: how many features, entries of length 1, pairs, triples, places it has."""
        return self.entries, self.units, self.paired, self.tripled, list(self.placed)

    def last_row(self):  # type: () -> tuple[Ints, Floats, Ints, Ints, Ints, Floats]
        """Of that row: features and their values, pairs, triples, places in covariances and their values."""
        return self.ids, self.values, self.pair_ids, self.triple_ids, self.places_of, self.values_of

    def members(self):  # type: () -> tuple[Floats, Floats]
        """Of that row: scores and logits of the members."""
        return self.scores, self.logits

    def weigh(
        self, scales: cython.const[cython.double][::1], singles: cython.double[::1], pairs: cython.double[::1],
        triples: cython.double[::1],
    ) -> None:  # fmt: skip
        """The weights of features, pairs and triples: those of the members, each times its scale."""
        e: cython.Py_ssize_t
        at: cython.longlong
        w: cython.double
        if (
            len(scales) < _MEMBERS
            or len(singles) * _SINGLE > len(self.singles)
            or len(pairs) * _PAIR > len(self.pairs)
            or len(triples) * _TRIPLE > len(self.triples)
        ):
            raise AssertionError("buffers do not fit together")
        with cython.nogil:
            for e in range(len(singles)):
                at = e * _SINGLE
                w = scales[_AROW_ONE] * self.singles[at + _F_AROW_ONE] + scales[_PA_ONE] * self.singles[at + _F_PA_ONE]
                w += scales[_FAST] * self.singles[at + _F_FAST] + scales[_SLOW] * self.singles[at + _F_SLOW]
                w += scales[_UNIT] * self.singles[at + _F_UNIT]
                w += scales[_AROW_TRIPLES] * self.singles[at + _F_AROW_TRIPLES]
                w += scales[_COIN] * self.singles[at + _F_COIN + _COIN_WEIGHT]
                w += scales[_COIN_PAIRS] * self.singles[at + _F_COIN_PAIRS + _COIN_WEIGHT]
                w += scales[_COIN_TRIPLES] * self.singles[at + _F_COIN_TRIPLES + _COIN_WEIGHT]
                if self.singles[at + _F_PRODUCT] > 0.0:
                    w += (
                        scales[_FULL]
                        * self.full_weights[cython.cast(cython.longlong, self.singles[at + _F_PRODUCT]) - 1]
                    )
                if self.singles[at + _F_FULL] > 0.0:
                    at = _FULL_SIZE + cython.cast(cython.longlong, self.singles[at + _F_FULL]) - 1
                    w += (
                        scales[_FULL + 1] * self.full_weights[at]
                        + scales[_FULL + 2] * self.full_weights[at + _FULL_SIZE]
                    )
                singles[e] = w
            for e in range(len(pairs)):
                at = e * _PAIR
                w = scales[_COIN_PAIRS] * self.pairs[at + _P_COIN_PAIRS + _COIN_WEIGHT]
                w += scales[_COIN_TRIPLES] * self.pairs[at + _P_COIN_TRIPLES + _COIN_WEIGHT]
                pairs[e] = w + scales[_AROW_TRIPLES] * self.pairs[at + _P_AROW]
            for e in range(len(triples)):
                at = e * _TRIPLE
                w = scales[_COIN_TRIPLES] * self.triples[at + _T_COIN + _COIN_WEIGHT]
                triples[e] = w + scales[_AROW_TRIPLES] * self.triples[at + _T_AROW]

    def fit_all(self) -> None:
        """The logits of all tables, from their cells: for a new learner."""
        k: cython.longlong
        for k in range(_MEMBERS):
            self._fit(k * _TABLE)
