"""One label of `auto` against the rest: what its members say of a row, and all that follows from a label."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import log
    from cython.cimports.mistakebound.kernels import _auto_fields as fields
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels._limits import limited
    from cython.cimports.mistakebound.kernels.auto_inputs import Inputs
    from cython.cimports.mistakebound.kernels.auto_members import Members
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from math import log

    from mistakebound.kernels import _auto_fields as fields
    from mistakebound.kernels._limits import limited
    from mistakebound.kernels.auto_inputs import Inputs
    from mistakebound.kernels.auto_members import Members
    from mistakebound.kernels.row_batch import RowBatch

_FAST_RATE = cython.declare(cython.double, 1.0 / 30.0)
_SLOW_RATE = cython.declare(cython.double, 1.0 / 300.0)
_HUGE = cython.declare(cython.double, 1e6)  # scores are cut off there
_HEAVIEST = cython.declare(cython.double, 1048576.0)  # a larger weight counts as much as this one


@cython.cclass
class Lane(Members):
    """The members of one label against the rest, and their mixture."""

    def __init__(self) -> None:
        self.held = None

    def holds(self, state: object) -> bool:
        """Whether these are the arrays that it works on."""
        return self.held is state

    def hold(
        self, state: dict, own: cython.longlong[::1], scores: cython.double[::1], logits: cython.double[::1]
    ) -> None:
        """Work on these arrays, by name; `own` are the counts of the lane."""
        self.held = state
        self.singles, self.pairs, self.triples = state["singles"], state["pairs"], state["triples"]
        self.covariances, self.full_weights = state["covariances"], state["full_weights"]
        self.tables, self.mixture, self.history = state["tables"], state["mixture"], state["history"]
        self.own = own
        self.scores = scores
        self.logits = logits
        self.mixed = 0.0
        self.weight = 1.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fits(self, row: Inputs, width: cython.longlong) -> cython.bint:
        """Whether a row of so many entries can be learned, whatever it is."""
        asleep: cython.longlong = self.own[fields.ASLEEP]
        binned: cython.longlong = min(width, fields.BINNED - row.counts[fields.SAMPLES])
        return (
            (row.counts[fields.SINGLES] + width + fields.BINS * binned) * fields.SINGLE <= len(self.singles)
            and (
                asleep & fields.PAIR_BITS == fields.PAIR_BITS
                or (row.counts[fields.PAIRS] + fields.MANY_PAIRS) * fields.PAIR <= len(self.pairs)
            )
            and (
                asleep & fields.TRIPLE_BITS == fields.TRIPLE_BITS
                or row.counts[fields.NOMINALS] > fields.FEW
                or (row.counts[fields.TRIPLES] + fields.MANY_TRIPLES) * fields.TRIPLE <= len(self.triples)
            )
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ask_for(
        self,
        row: Inputs,
        batch: RowBatch,
        r: cython.Py_ssize_t,
        numbers: cython.const[cython.uint][::1],
        base: cython.ulonglong,
    ) -> cython.void:
        """Have what members keep of a row's features brought from memory while another row is worked on."""
        k: cython.Py_ssize_t
        at: cython.longlong
        number: cython.longlong
        if cython.compiled:
            for k in range(batch.indptr[r], batch.indptr[r + 1]):
                number = numbers[batch.slots[k] + base]
                if 0 < number and number * fields.ATTRIBUTE <= len(row.attributes):
                    at = cython.cast(
                        cython.longlong, row.attributes[(number - 1) * fields.ATTRIBUTE + fields.A_FEATURE]
                    )
                    if at > 0:
                        at = (at - 1) * fields.SINGLE
                        mb_prefetch(cython.address(self.singles[at]))
                        mb_prefetch(cython.address(self.singles[at + 8]))
                        mb_prefetch(cython.address(self.singles[at + 16]))
                        mb_prefetch(cython.address(self.singles[at + 24]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def say(self, row: Inputs) -> cython.void:
        """Scores of all members that are awake, and the logit."""
        e: cython.Py_ssize_t
        k: cython.Py_ssize_t
        at: cython.longlong
        use: cython.uint
        x: cython.double
        w: cython.double
        c: cython.double
        last: cython.Py_ssize_t = row.end - 1
        asleep: cython.longlong = self.own[fields.ASLEEP]
        rows0: cython.double = self.mixture[fields.M_ROWS]
        rows1: cython.double = self.mixture[fields.M_ROWS + 1]
        sums0: cython.double = self.mixture[fields.M_SUMS] + row.known
        sums1: cython.double = self.mixture[fields.M_SUMS + 1] + row.known
        flags: cython.double = log((rows1 + 0.5) / (rows0 + 0.5))
        counted: cython.double = flags
        likely: cython.double = 1.0  # a product of ratios, whose logarithm is taken when it is large or small
        alone: cython.double = (rows0 + 1.0) / (rows1 + 1.0)
        ones: cython.double = 1.0
        apart: cython.double = sums0 / sums1
        other: cython.double = log(apart)
        fast: cython.double = 0.0
        slow: cython.double = 0.0
        pa: cython.double = 0.0
        coin: cython.double = 0.0
        arow: cython.double = 0.0
        triples: cython.double = 0.0
        coin_pairs: cython.double = 0.0
        coin_triples: cython.double = 0.0
        paired: cython.bint = asleep & fields.TWICE != fields.TWICE
        arow_crossed: cython.bint = not asleep >> fields.AROW_TRIPLES & 1
        coin_paired: cython.bint = not asleep >> fields.COIN_PAIRS & 1
        coin_tripled: cython.bint = not asleep >> fields.COIN_TRIPLES & 1
        for e in range(row.first, row.end):
            at = row.ids[e] * fields.SINGLE
            x = row.values[e]
            use = row.uses[e]
            fast += self.singles[at + fields.W_FAST] * x
            slow += self.singles[at + fields.W_SLOW] * x
            if use & fields.FOR_PLAIN:
                pa += self.singles[at + fields.W_PA_ONE] * x
                coin += self.singles[at + fields.W_COIN + fields.COIN_WEIGHT] * x
                arow += self.singles[at + fields.W_AROW_ONE] * x
            if use & fields.FOR_NOMINAL:
                c = self.singles[at + fields.W_BAYES] + self.singles[at + fields.W_BAYES + 1]
                if c > 0.0:
                    likely *= (
                        (self.singles[at + fields.W_BAYES + 1] + 0.5)
                        / (self.singles[at + fields.W_BAYES] + 0.5)
                        * alone
                    )
                    if likely > 1e100 or likely < 1e-100:
                        flags += log(likely)
                        likely = 1.0
            if use & fields.FOR_COUNTS:
                c = self.singles[at + fields.W_COUNTS] + self.singles[at + fields.W_COUNTS + 1]
                if c > 0.0:
                    w = (self.singles[at + fields.W_COUNTS + 1] + 1.0) / (self.singles[at + fields.W_COUNTS] + 1.0)
                    if x == 1.0:
                        ones *= w * apart
                        if ones > 1e100 or ones < 1e-100:
                            counted += log(ones)
                            ones = 1.0
                    else:
                        counted += x * (log(w) + other)
            if e < last:  # the constant of the members with pairs is the last of their features
                triples += self.singles[at + fields.W_AROW_TRIPLES] * x
                if paired:
                    coin_pairs += self.singles[at + fields.W_COIN_PAIRS + fields.COIN_WEIGHT] * x
                    coin_triples += self.singles[at + fields.W_COIN_TRIPLES + fields.COIN_WEIGHT] * x
        self.scores[fields.FAST] = fast
        self.scores[fields.SLOW] = slow
        self.scores[fields.PA_ONE] = pa
        self.scores[fields.COIN] = coin
        self.scores[fields.AROW_ONE] = arow
        self.scores[fields.BAYES] = flags + log(likely)
        self.scores[fields.BAYES_COUNTS] = counted + log(ones)
        w = 0.0
        for e in range(row.end, row.units_end):
            w += self.singles[row.ids[e] * fields.SINGLE + fields.W_UNIT] * row.values[e]
        self.scores[fields.UNIT] = w
        for e in range(row.pairs_first, row.pairs_end):  # three sums at once: none waits for another
            at = row.pair_ids[e] * fields.PAIR
            if arow_crossed:
                triples += self.pairs[at + fields.P_AROW]
            if coin_paired:
                if cython.compiled:
                    mb_prefetch(cython.address(self.pairs[at]))  # what learning needs may be in another line
                coin_pairs += self.pairs[at + fields.P_COIN_PAIRS + fields.COIN_WEIGHT]
            if coin_tripled:
                coin_triples += self.pairs[at + fields.P_COIN_TRIPLES + fields.COIN_WEIGHT]
        for e in range(row.triples_first, row.triples_end):
            at = row.triple_ids[e] * fields.TRIPLE
            if arow_crossed:
                triples += self.triples[at + fields.T_AROW]
            if coin_tripled:
                coin_triples += self.triples[at + fields.T_COIN + fields.COIN_WEIGHT]
        self.scores[fields.AROW_TRIPLES] = triples + self.singles[fields.W_AROW_TRIPLES]
        self.scores[fields.COIN_PAIRS] = coin_pairs + self.singles[fields.W_COIN_PAIRS + fields.COIN_WEIGHT]
        self.scores[fields.COIN_TRIPLES] = coin_triples + self.singles[fields.W_COIN_TRIPLES + fields.COIN_WEIGHT]
        for k in range(3):
            w = 0.0
            if not asleep >> (fields.FULL_PRODUCTS + k) & 1:
                at = row.places_first + k * fields.FULL
                for e in range(at, at + row.placed[row.places_first // fields.FULL + k]):
                    w += self.full_weights[k * fields.FULL + row.places_of[e]] * row.values_of[e]
            self.scores[fields.FULL_PRODUCTS + k] = w
        for k in range(fields.MEMBERS):
            self.scores[k] = limited(self.scores[k], _HUGE)
        self.mix()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hear(self, row: Inputs, label: cython.int, weight: cython.double) -> cython.void:
        """All that follows from a label."""
        first: cython.Py_ssize_t = row.first
        end: cython.Py_ssize_t = row.end
        y: cython.double = 1.0 if label else -1.0
        c: cython.double = min(weight, _HEAVIEST)
        trials: cython.longlong = row.trials + 1
        causes: cython.longlong
        asleep: cython.longlong = self.own[fields.ASLEEP]
        self.weight = c
        self.share(label)
        self.calibrate(label)
        self.arow(row, first, end, fields.W_AROW_ONE, self.scores[fields.AROW_ONE], y, 1.0 / c, fields.FOR_PLAIN, False)
        self.arow(row, end, row.units_end, fields.W_UNIT, self.scores[fields.UNIT], y, 0.1 / c, 0, False)
        self.forget(row, fields.W_FAST, _FAST_RATE)
        self.arow(row, first, end, fields.W_FAST, self.scores[fields.FAST], y, 0.1 / c, 0, False)
        self.forget(row, fields.W_SLOW, _SLOW_RATE)
        self.arow(row, first, end, fields.W_SLOW, self.scores[fields.SLOW], y, 0.1 / c, 0, False)
        self.passive_aggressive(row, self.scores[fields.PA_ONE], y, c)
        self.bets(row, fields.W_COIN, self.scores[fields.COIN], label, fields.FOR_PLAIN, -1, -1)
        self.count(row, label)
        if not asleep >> fields.AROW_TRIPLES & 1:
            self.arow(row, first, end, fields.W_AROW_TRIPLES, self.scores[fields.AROW_TRIPLES], y, 0.1 / c, 0, True)
        if not asleep >> fields.COIN_PAIRS & 1:
            self.bets(row, fields.W_COIN_PAIRS, self.scores[fields.COIN_PAIRS], label, 0, fields.P_COIN_PAIRS, -1)
        if not asleep >> fields.COIN_TRIPLES & 1:
            self.bets(
                row, fields.W_COIN_TRIPLES, self.scores[fields.COIN_TRIPLES], label, 0, fields.P_COIN_TRIPLES,
                fields.T_COIN,
            )  # fmt: skip
        if asleep & fields.FULL_BITS != fields.FULL_BITS:
            self.begin_places(row)
            if not asleep >> fields.FULL_PRODUCTS & 1:
                waves: cython.bint = 0 < row.counts[fields.FIRST_WAVE] <= row.places_now
                self.full(row, 0, row.places_now, y, (1.0 if waves else 0.1) / c)
            if not asleep >> fields.FULL_ONE & 1:
                self.full(row, 1, row.fulls_now, y, 1.0 / c)
            if not asleep >> fields.FULL_TEN & 1:
                self.full(row, 2, row.fulls_now, y, 10.0 / c)
            if row.events & fields.WIDE_ROWS:
                self.sleep(fields.FULL_BITS, fields.WIDE_ROWS)
        if asleep & fields.PAIR_BITS != fields.PAIR_BITS:
            causes = row.events & ~self.own[fields.CAUSES]
            if causes & fields.NO_PAIRS:
                self.sleep(fields.TWICE, fields.NO_PAIRS)
            if causes & fields.NO_TRIPLES:
                self.sleep(fields.TRIPLE_COINS, fields.NO_TRIPLES)
        if row.events & fields.LOST:
            self.judge()
        if trials >= self.own[fields.NEXT_MOMENT] and self.own[fields.MOMENTS] < fields.HISTORY:
            self.remember(trials)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self, row: Inputs, batch: RowBatch, at: cython.Py_ssize_t, r: cython.Py_ssize_t) -> cython.void:
        """Predict the row in hand and, if there are labels, learn it; `at` is its place in buffers of all lanes."""
        self.say(row)
        batch.predictions[at] = self.mixed > 0.0
        if len(batch.scores) > 0:
            batch.scores[at] = self.mixed
        if batch.learn:
            self.hear(row, batch.labels[at] == 1, batch.importance[r] if len(batch.importance) > 0 else 1.0)

    # From outside.

    def send_to_sleep(self, members: cython.longlong, cause: cython.longlong) -> None:
        """Those of these members that are awake sleep from now on."""
        if members & ~self.own[fields.ASLEEP]:
            self.sleep(members, cause)

    def weigh(
        self, row: Inputs, scales: cython.const[cython.double][::1], singles: cython.double[::1],
        pairs: cython.double[::1], triples: cython.double[::1],
    ) -> None:  # fmt: skip
        """The weights of features, pairs and triples: those of the members, each times its scale."""
        e: cython.Py_ssize_t
        at: cython.longlong
        place: cython.longlong
        w: cython.double
        if (
            len(scales) < fields.MEMBERS
            or len(singles) * fields.SINGLE > len(self.singles)
            or len(singles) * fields.FEATURE > len(row.features)
            or len(pairs) * fields.PAIR > len(self.pairs)
            or len(triples) * fields.TRIPLE > len(self.triples)
        ):
            raise AssertionError("buffers do not fit together")
        with cython.nogil:
            for e in range(len(singles)):
                at = e * fields.SINGLE
                w = scales[fields.AROW_ONE] * self.singles[at + fields.W_AROW_ONE]
                w += scales[fields.PA_ONE] * self.singles[at + fields.W_PA_ONE]
                w += (
                    scales[fields.FAST] * self.singles[at + fields.W_FAST]
                    + scales[fields.SLOW] * self.singles[at + fields.W_SLOW]
                )
                w += scales[fields.UNIT] * self.singles[at + fields.W_UNIT]
                w += scales[fields.AROW_TRIPLES] * self.singles[at + fields.W_AROW_TRIPLES]
                w += scales[fields.COIN] * self.singles[at + fields.W_COIN + fields.COIN_WEIGHT]
                w += scales[fields.COIN_PAIRS] * self.singles[at + fields.W_COIN_PAIRS + fields.COIN_WEIGHT]
                w += scales[fields.COIN_TRIPLES] * self.singles[at + fields.W_COIN_TRIPLES + fields.COIN_WEIGHT]
                place = cython.cast(cython.longlong, row.features[e * fields.FEATURE + fields.F_PRODUCT]) - 1
                if place >= 0:
                    w += scales[fields.FULL_PRODUCTS] * self.full_weights[place]
                place = cython.cast(cython.longlong, row.features[e * fields.FEATURE + fields.F_FULL]) - 1
                if place >= 0:
                    w += (
                        scales[fields.FULL_ONE] * self.full_weights[fields.FULL + place]
                        + scales[fields.FULL_TEN] * self.full_weights[2 * fields.FULL + place]
                    )
                singles[e] = w
            for e in range(len(pairs)):
                at = e * fields.PAIR
                w = scales[fields.COIN_PAIRS] * self.pairs[at + fields.P_COIN_PAIRS + fields.COIN_WEIGHT]
                w += scales[fields.COIN_TRIPLES] * self.pairs[at + fields.P_COIN_TRIPLES + fields.COIN_WEIGHT]
                pairs[e] = w + scales[fields.AROW_TRIPLES] * self.pairs[at + fields.P_AROW]
            for e in range(len(triples)):
                at = e * fields.TRIPLE
                w = scales[fields.COIN_TRIPLES] * self.triples[at + fields.T_COIN + fields.COIN_WEIGHT]
                triples[e] = w + scales[fields.AROW_TRIPLES] * self.triples[at + fields.T_AROW]

    def fit_all(self) -> None:
        """The logits of all tables, from their cells: for a new learner."""
        k: cython.longlong
        for k in range(fields.MEMBERS):
            self.fit(k * fields.TABLE)
