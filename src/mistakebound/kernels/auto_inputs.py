"""From the entries of a row to the features of `auto`: once, however many labels there are.

Flags and numbers (standardised; sparse ones by their size), numbers in 8 and 16 bins by rank, pairs and triples of
nominal features, products and waves of numbers, and the raw values as a row of length 1.  Features, pairs and triples
are numbered as they appear.  Nothing here allocates: `fits` says whether a row may be read.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import cos, sqrt
    from cython.cimports.mistakebound.kernels import _auto_fields as fields
    from cython.cimports.mistakebound.kernels._multiples import c_add_multiple
    from cython.cimports.mistakebound.kernels._splitmix import GAMMA, mixed
    from cython.cimports.mistakebound.kernels.auto_numbers import Numbers
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
else:
    from math import cos, sqrt

    from mistakebound.kernels import _auto_fields as fields
    from mistakebound.kernels._splitmix import GAMMA, mixed
    from mistakebound.kernels.auto_numbers import Numbers
    from mistakebound.kernels.row_batch import RowBatch
    from mistakebound.kernels.sorting import sort_keys

_OFTEN = cython.declare(cython.double, 2.0)  # one in so many rows has a number that is not sparse
_FAR = cython.declare(cython.double, 5.0)  # standardised values are cut off there
_HIGH = cython.declare(cython.double, sqrt(2.0))  # of a wave
_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


def draw_waves(waves: cython.double[::1]) -> None:
    """Of WAVES waves: where each begins, in radians, then for one number after the other the speed of each with it.

    Draw k is splitmix64 (Steele, Lea and Flood 2014).  A beginning is even on the circle; a speed is the sum of its
    four parts of 16 bits, less its mean, over its deviation: nearly normal.
    """
    k: cython.Py_ssize_t
    z: cython.ulonglong
    for k in range(len(waves)):
        z = mixed((cython.cast(cython.ulonglong, k + 1) * GAMMA) & _ALL64)
        if k < fields.WAVES:
            waves[k] = (z >> 11) * (2.0 * 3.141592653589793 / 9007199254740992.0)
        else:
            waves[k] = (
                ((z & 65535) + (z >> 16 & 65535) + (z >> 32 & 65535) + (z >> 48)) / 65535.0 - 2.0
            ) * 1.7320508075688772


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _within(v: cython.double) -> cython.double:
    """A value whose square, and sums of such, are doubles."""
    return min(max(v, -1e100), 1e100)


@cython.cclass
class Inputs(Numbers):
    """Arrays that all lanes share, and the features of some rows, of which one is in hand.

    features      by feature: see `_auto_fields`
    ids, values   features of the row in hand and their values, from `first` to before `end`, and from there to before
                  `units_end` its values with a length of 1; the last of both is the constant
    uses          what each is for
    pair_ids, triple_ids  those of the row, from `pairs_first` and `triples_first`
    placed        of three members with full covariance: how many features of the row they have,
    places_of     their places in the covariance, from `places_first` + member * FULL on,
    values_of     and values
    records       what else is kept of every row
    products      and those of pairs, triples, places: where lanes work, one after the other
    waves         as `draw_waves` makes them
    asleep        members that sleep in every lane, by bits: what only these need is not worked out
    """

    def __init__(self) -> None:
        self.held = None
        self.asleep = 0

    def holds(self, state: object) -> bool:
        """Whether these are the arrays that it works on."""
        return self.held is state

    def hold(self, state: dict, counts: cython.longlong[::1], scratch: tuple) -> None:
        """Work on these arrays, by name; `scratch` is for one row."""
        self.held = state
        self.attributes, self.samples, self.features = state["attributes"], state["samples"], state["features"]
        self.pair_of, self.triple_of, self.product_of = state["pair_of"], state["triple_of"], state["product_of"]
        self.counts = counts
        self.ids, self.uses, self.values, self.keys, self.places = scratch[:5]
        self.pair_ids, self.triple_ids, self.placed, self.places_of, self.values_of = scratch[5:10]
        self.products, self.pair_products, self.triple_products, self.gains, self.ascending = scratch[10:15]
        self.records, self.dense, self.waves = scratch[15:18]
        self.batch = len(self.records) // fields.RECORD
        self.stride = len(self.ids) // self.batch
        self.past = 0
        self._begin(0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, place: cython.Py_ssize_t) -> cython.void:
        """A row in this place of the batch, of which nothing is known yet."""
        self.first = place * self.stride
        self.end = self.first
        self.units_end = self.first
        self.pairs_first = place * fields.MANY_PAIRS
        self.pairs_end = self.pairs_first
        self.triples_first = place * fields.MANY_TRIPLES
        self.triples_end = self.triples_first
        self.places_first = place * 3 * fields.FULL

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _emit(self, feature: cython.longlong, value: cython.double, use: cython.int) -> cython.void:
        self.ids[self.end] = feature
        self.values[self.end] = value
        self.uses[self.end] = use
        self.end += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _single(self, a: cython.longlong, v: cython.double, learn: cython.bint) -> cython.bint:
        """The features of one attribute; whether it is a nominal one."""
        numeric: cython.bint = self.attributes[a + fields.A_NUMERIC] > 0.0 or not (v == 0.0 or v == 1.0)
        n: cython.double = self.attributes[a + fields.A_COUNT]
        feature: cython.longlong = cython.cast(cython.longlong, self.attributes[a + fields.A_FEATURE]) - 1
        x: cython.double = 0.0
        at: cython.longlong
        if feature < 0 and learn:
            feature = self.counts[fields.SINGLES]
            self.counts[fields.SINGLES] = feature + 1
            self.attributes[a + fields.A_FEATURE] = feature + 1
        if not numeric:
            if v == 0.0:
                return False
            if feature >= 0:
                self._emit(feature, 1.0, fields.FOR_PLAIN | fields.FOR_NOMINAL | fields.FOR_FULL | fields.FOR_COUNTS)
            return True
        if feature < 0:
            return False
        if n * _OFTEN < self.counts[fields.TRIALS]:  # a sparse one: in units of its size
            if v != 0.0:
                x = self.attributes[a + fields.A_SIZE]
                x = v / sqrt(x) if x > 0.0 else (1.0 if v > 0.0 else -1.0)
                if x == x:
                    self._emit(
                        feature,
                        min(max(x, -1000.0), 1000.0),
                        fields.FOR_PLAIN | fields.FOR_FULL | (fields.FOR_COUNTS if x > 0.0 else 0),
                    )
            return False
        if n > 1.0:
            x = sqrt(self.attributes[a + fields.A_SQUARES] / n)
            x = (v - self.attributes[a + fields.A_MEAN]) / x if x > 0.0 else 0.0
            if x == x and x != 0.0:
                self._emit(feature, min(max(x, -_FAR), _FAR), fields.FOR_PLAIN | fields.FOR_FULL | fields.FOR_PRODUCTS)
        at = (cython.cast(cython.longlong, self.attributes[a + fields.A_SAMPLE]) - 1) * fields.SAMPLE
        if at < 0 or not self.samples[at + fields.S_SIXTEEN] > 0.0:
            return False
        feature = cython.cast(cython.longlong, self.attributes[a + fields.A_BINS]) - 1
        self._emit(feature + self.bin_of(at + fields.S_EIGHT, v), 1.0, fields.FOR_NOMINAL | fields.FOR_FULL)
        self._emit(feature + 8 + self.bin_of(at + fields.S_SIXTEEN, v), 1.0, 0)
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
        for i in range(self.first, self.end):
            if self.uses[i] & fields.FOR_NOMINAL == 0:
                continue
            at: cython.longlong = self.ids[i] * fields.FEATURE + fields.F_NOMINAL
            if learn and self.features[at] == 0.0:
                self.counts[fields.NOMINALS] += 1
                self.features[at] = self.counts[fields.NOMINALS]
            a = cython.cast(cython.longlong, self.features[at]) - 1
            if a < 0:
                continue
            for j in range(self.first, i):
                if self.uses[j] & fields.FOR_NOMINAL == 0:
                    continue
                b = cython.cast(cython.longlong, self.features[self.ids[j] * fields.FEATURE + fields.F_NOMINAL]) - 1
                if b < 0:
                    continue
                t = a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a
                if self.pair_of[t] == 0:
                    if not learn:
                        continue
                    self.counts[fields.PAIRS] += 1
                    self.pair_of[t] = cython.cast(cython.uint, self.counts[fields.PAIRS])
                self.pair_ids[self.pairs_end] = cython.cast(cython.longlong, self.pair_of[t]) - 1
                self.pairs_end += 1

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
        for i in range(self.first, self.end):  # ascending
            if self.uses[i] & fields.FOR_NOMINAL:
                a = cython.cast(cython.longlong, self.features[self.ids[i] * fields.FEATURE + fields.F_NOMINAL]) - 1
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
                        self.counts[fields.TRIPLES] += 1
                        self.triple_of[t] = cython.cast(cython.uint, self.counts[fields.TRIPLES])
                    self.triple_ids[self.triples_end] = cython.cast(cython.longlong, self.triple_of[t]) - 1
                    self.triples_end += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(self, member: cython.int, place: cython.longlong, value: cython.double) -> cython.void:
        """One more feature of the row for a member with full covariance; place 0 is none."""
        at: cython.longlong = self.places_first // fields.FULL + member
        if place > 0 and self.placed[at] < fields.FULL:
            self.placed[at] += 1
            at = at * fields.FULL + self.placed[at] - 1
            self.places_of[at] = place - 1
            self.values_of[at] = value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _new_place(self, count: cython.int) -> cython.longlong:
        """1 + a new place in the covariances that have so many, or 0 when there is no room."""
        n: cython.longlong = self.counts[count]
        if n >= fields.FULL:
            return 0
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
        numbered: cython.longlong = self.counts[fields.NUMBERED]
        self.fulls_before = self.counts[fields.FULLS]
        self.places_before = self.counts[fields.PLACES]
        for e in range(3):
            self.placed[self.places_first // fields.FULL + e] = 0
        if self.asleep & fields.FULL_BITS == fields.FULL_BITS:
            return
        for e in range(self.first, self.end):
            at = self.ids[e] * fields.FEATURE
            if self.uses[e] & fields.FOR_FULL:
                if learn and self.features[at + fields.F_FULL] == 0.0:
                    self.features[at + fields.F_FULL] = self._new_place(fields.FULLS)
                self._put(2, cython.cast(cython.longlong, self.features[at + fields.F_FULL]), self.values[e])
            if self.uses[e] & fields.FOR_PLAIN:
                self._put(1, cython.cast(cython.longlong, self.features[at + fields.F_FULL]), self.values[e])
                if learn and self.features[at + fields.F_PRODUCT] == 0.0:
                    self.features[at + fields.F_PRODUCT] = self._new_place(fields.PLACES)
                self._put(0, cython.cast(cython.longlong, self.features[at + fields.F_PRODUCT]), self.values[e])
            if self.uses[e] & fields.FOR_PRODUCTS:
                numbers += 1
                at += fields.F_NUMBER
                if learn and self.features[at] == 0.0 and self.counts[fields.NUMBERED] <= fields.WAVED:
                    self.counts[fields.NUMBERED] += 1
                    self.features[at] = self.counts[fields.NUMBERED]
        if numbers > 0 and not self.asleep >> fields.FULL_PRODUCTS & 1:
            if numbers <= fields.NUMBERS:
                self._multiply(learn)
            self._wave(numbered, learn)

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
        for e in range(self.first, self.end):
            if self.uses[e] & fields.FOR_PRODUCTS:
                a = cython.cast(cython.longlong, self.features[self.ids[e] * fields.FEATURE + fields.F_NUMBER]) - 1
                if a < 0 or a >= fields.NUMBERS:
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
                        self.product_of[at] = cython.cast(cython.uint, self._new_place(fields.PLACES))
                    self._put(0, self.product_of[at], min(max(x, -_FAR), _FAR))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _wave(self, many: cython.longlong, learn: cython.bint) -> cython.void:
        """Cosines along random directions of the standardised numbers (Rahimi and Recht 2007), where there is room.

        The first `many` numbers count: one that is new in this row does not change what is said of it.
        """
        e: cython.Py_ssize_t
        j: cython.Py_ssize_t
        a: cython.longlong
        x: cython.double
        if many == 0 or many > fields.WAVED:
            return
        if learn and self.counts[fields.FIRST_WAVE] == 0 and self.counts[fields.TRIALS] >= fields.CALM:
            self.counts[fields.FIRST_WAVE] = self.counts[fields.PLACES] + 1
            self.counts[fields.WAVING] = min(fields.WAVES, fields.FULL - self.counts[fields.PLACES])
            self.counts[fields.PLACES] += self.counts[fields.WAVING]
        for j in range(self.counts[fields.WAVING]):
            self.gains[j] = self.waves[j]
        for e in range(self.first, self.end):
            a = cython.cast(cython.longlong, self.features[self.ids[e] * fields.FEATURE + fields.F_NUMBER])
            if self.uses[e] & fields.FOR_PRODUCTS and 0 < a <= many:
                x = self.values[e] / sqrt(cython.cast(cython.double, many))
                if cython.compiled:
                    c_add_multiple(
                        cython.address(self.gains[0]),
                        cython.address(self.waves[a * fields.WAVES]),
                        self.counts[fields.WAVING],
                        x,
                    )
                else:
                    for j in range(self.counts[fields.WAVING]):
                        self.gains[j] += x * self.waves[a * fields.WAVES + j]
        for j in range(self.counts[fields.WAVING]):
            self._put(0, self.counts[fields.FIRST_WAVE] + j, _HIGH * cos(self.gains[j]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def read(
        self,
        batch: RowBatch,
        r: cython.Py_ssize_t,
        numbers: cython.const[cython.uint][::1],
        base: cython.ulonglong,
        place: cython.Py_ssize_t,
    ) -> cython.void:
        """The features of a row, in the order in which its attributes appeared; the constant is the last."""
        k: cython.Py_ssize_t
        number: cython.longlong
        at: cython.longlong
        v: cython.double
        length: cython.double = 0.0
        known: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = batch.indptr[r]
        last: cython.Py_ssize_t = batch.indptr[r + 1]
        learn: cython.bint = batch.learn
        nominal: cython.longlong = 0
        few: cython.bint = self.counts[fields.NOMINALS] <= fields.FEW  # before those that a row to be learned brings
        self._begin(place)
        self.width = last - first
        self.known = self.counts[fields.SINGLES]  # features before this row
        for k in range(first, last):
            number = numbers[batch.slots[k] + base]
            if number == 0:
                if not batch.real or batch.values[k] == 1.0:
                    nominal += 1
                continue
            self.keys[known] = number
            self.places[known] = cython.cast(cython.uint, k - first)
            known += 1
        sort_keys(self.keys, self.places, known)
        for k in range(known):
            v = _within(batch.values[first + self.places[k]]) if batch.real else 1.0
            length += v * v
            nominal += self._single((cython.cast(cython.longlong, self.keys[k]) - 1) * fields.ATTRIBUTE, v, learn)
        if known < last - first:
            for k in range(first, last):
                if numbers[batch.slots[k] + base] == 0:
                    v = _within(batch.values[k]) if batch.real else 1.0
                    length += v * v
        if (
            nominal <= fields.WIDE
            and self.counts[fields.NOMINALS] < fields.NOMINAL
            and self.asleep & fields.PAIR_BITS != fields.PAIR_BITS
        ):
            self._pair(learn)
            if nominal <= fields.NARROW and few and self.asleep & fields.TRIPLE_BITS != fields.TRIPLE_BITS:
                self._triple(learn)
        self._emit(0, 1.0, fields.FOR_PLAIN | fields.FOR_FULL)
        self._place(learn)
        number = self.end
        if length > 0.0:
            length = sqrt(length)
            for k in range(known):
                v = _within(batch.values[first + self.places[k]]) if batch.real else 1.0
                at = (cython.cast(cython.longlong, self.keys[k]) - 1) * fields.ATTRIBUTE
                at = cython.cast(cython.longlong, self.attributes[at + fields.A_FEATURE]) - 1
                if at >= 0 and v != 0.0:
                    self._emit(at, v / length, 0)
        self._emit(0, 1.0, 0)
        self.units_end = self.end
        self.end = number

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fits(self, width: cython.longlong, reach: cython.longlong, learn: cython.bint) -> cython.bint:
        """Whether a row of so many entries, of attributes below `reach`, fits into the arrays whatever it is."""
        n: cython.longlong = self.counts[fields.NOMINALS] + fields.WIDE + 1
        binned: cython.longlong = min(width, fields.BINNED - self.counts[fields.SAMPLES])
        if 4 * width + 2 > self.stride or width > len(self.keys):
            return False
        if not learn:
            return reach * fields.ATTRIBUTE <= len(self.attributes)
        return (
            reach * fields.ATTRIBUTE <= len(self.attributes)
            and (self.counts[fields.SAMPLES] + binned) * fields.SAMPLE <= len(self.samples)
            and (self.counts[fields.SINGLES] + width + fields.BINS * binned) * fields.FEATURE <= len(self.features)
            and n * (n - 1) // 2 <= len(self.pair_of)
            and (self.counts[fields.NOMINALS] > fields.FEW or n * (n - 1) * (n - 2) // 6 <= len(self.triple_of))
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count(self, batch: RowBatch, r: cython.Py_ssize_t) -> cython.void:
        """Row r, which was read to be learned, is among the trials."""
        k: cython.Py_ssize_t
        first: cython.Py_ssize_t = batch.indptr[r]
        self.counts[fields.TRIALS] += 1
        for k in range(self.width):  # all have a number, and `read` has sorted them
            self.note(
                (cython.cast(cython.longlong, self.keys[k]) - 1) * fields.ATTRIBUTE,
                _within(batch.values[first + self.places[k]]) if batch.real else 1.0,
            )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(self, place: cython.Py_ssize_t) -> cython.bint:
        """Note what lanes have to know of the row that was read, before it is counted; whether one may fall asleep."""
        at: cython.Py_ssize_t = place * fields.RECORD
        trials: cython.longlong = self.counts[fields.TRIALS]
        early: cython.bint = trials == fields.EARLY
        events: cython.longlong = 0
        new: cython.longlong
        if self.counts[fields.SINGLES] - fields.BINS * self.counts[fields.SAMPLES] > 2 * fields.FULL:
            events |= fields.WIDE_ROWS
        if self.counts[fields.NOMINALS] >= fields.NOMINAL or (early and self.counts[fields.PAIRS] == 0):
            events |= fields.NO_PAIRS
        if self.counts[fields.NOMINALS] > fields.FEW or (early and self.counts[fields.TRIPLES] == 0):
            events |= fields.NO_TRIPLES
        if trials + 1 >= fields.RACE and (trials + 1) & trials == 0:
            events |= fields.LOST
        self.records[at + fields.R_ENTRIES] = self.end - self.first
        self.records[at + fields.R_UNITS] = self.units_end - self.end
        self.records[at + fields.R_PAIRS] = self.pairs_end - self.pairs_first
        self.records[at + fields.R_TRIPLES] = self.triples_end - self.triples_first
        self.records[at + fields.R_KNOWN] = cython.cast(cython.longlong, self.known)
        self.records[at + fields.R_TRIALS] = trials
        self.records[at + fields.R_PLACES_BEFORE] = self.places_before
        self.records[at + fields.R_PLACES] = self.counts[fields.PLACES]
        self.records[at + fields.R_FULLS_BEFORE] = self.fulls_before
        self.records[at + fields.R_FULLS] = self.counts[fields.FULLS]
        self.records[at + fields.R_EVENTS] = events
        new = events & ~self.past
        self.past |= events & ~fields.LOST  # races come again
        return new != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self, place: cython.Py_ssize_t) -> cython.void:
        """Take a row of the batch in hand."""
        at: cython.Py_ssize_t = place * fields.RECORD
        self._begin(place)
        self.end = self.first + self.records[at + fields.R_ENTRIES]
        self.units_end = self.end + self.records[at + fields.R_UNITS]
        self.pairs_end = self.pairs_first + self.records[at + fields.R_PAIRS]
        self.triples_end = self.triples_first + self.records[at + fields.R_TRIPLES]
        self.known = self.records[at + fields.R_KNOWN]
        self.trials = self.records[at + fields.R_TRIALS]
        self.places_before = self.records[at + fields.R_PLACES_BEFORE]
        self.places_now = self.records[at + fields.R_PLACES]
        self.fulls_before = self.records[at + fields.R_FULLS_BEFORE]
        self.fulls_now = self.records[at + fields.R_FULLS]
        self.events = self.records[at + fields.R_EVENTS]

    def shape(self):  # type: () -> tuple[int, int, int, int, list[int]]
        """Of one row that was read: how many features, entries of length 1, pairs, triples, places it has."""
        return (
            self.end - self.first, self.units_end - self.end, self.pairs_end - self.pairs_first,
            self.triples_end - self.triples_first, list(self.placed[:3]),
        )  # fmt: skip

    def last_row(self):  # type: () -> tuple[Ints, Floats, Ints, Ints, Ints, Floats]
        """Of that row: features and their values, pairs, triples, places in covariances and their values."""
        return self.ids, self.values, self.pair_ids, self.triple_ids, self.places_of, self.values_of
