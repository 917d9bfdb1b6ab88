"""What the members of `auto` learn from a row: each is the learner of its name, over features that all lanes share.

What they keep of a feature lies side by side (`singles`, `pairs`, `triples`), so that all of them need one look-up.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs
    from cython.cimports.mistakebound.kernels import _auto_fields as fields
    from cython.cimports.mistakebound.kernels._coins import chance_of, toss_weighed
    from cython.cimports.mistakebound.kernels._multiples import c_add_multiple, c_add_symmetric
    from cython.cimports.mistakebound.kernels.auto_inputs import Inputs
    from cython.cimports.mistakebound.kernels.auto_mixture import Mixture
else:
    from math import fabs

    from mistakebound.kernels import _auto_fields as fields
    from mistakebound.kernels._coins import chance_of, toss_weighed
    from mistakebound.kernels.auto_inputs import Inputs
    from mistakebound.kernels.auto_mixture import Mixture

_DENSE = cython.declare(cython.int, 4)  # one in so many features, and a row is dense
_TINY = cython.declare(cython.double, 1e-100)  # smaller gradients are no coins: wealth over them may be no double


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _spending(x: cython.double, t: cython.double, variance: cython.double, r: cython.double) -> cython.double:
    """As in the kernel `arow`."""
    others: cython.double = variance - t * x
    return x * x / (r + (others if others > 0.0 else 0.0))


@cython.cclass
class Members(Mixture):
    """The weights of the members; the fields are in `_auto_fields`."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def arow(
        self, row: Inputs, first: cython.Py_ssize_t, end: cython.Py_ssize_t, field: cython.int, score: cython.double,
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
            if use == 0 or row.uses[e] & use:
                x = row.values[e]
                t = x / (1.0 + self.singles[row.ids[e] * fields.SINGLE + field + 1])
                row.products[e - first] = t
                variance += t * x
        if crossed:
            for e in range(row.pairs_first, row.pairs_end):
                t = 1.0 / (1.0 + self.pairs[row.pair_ids[e] * fields.PAIR + fields.P_AROW + 1])
                row.pair_products[e - row.pairs_first] = t
                variance += t
            for e in range(row.triples_first, row.triples_end):
                t = 1.0 / (1.0 + self.triples[row.triple_ids[e] * fields.TRIPLE + fields.T_AROW + 1])
                row.triple_products[e - row.triples_first] = t
                variance += t
        t = 1.0 / (1.0 + self.singles[field + 1])
        row.products[end - 1 - first] = t
        variance += t
        step = y * ((1.0 - y * score) / (variance + r))
        for e in range(first, end):
            if use == 0 or row.uses[e] & use:
                at = row.ids[e] * fields.SINGLE + field
                self.singles[at] += step * row.products[e - first]
                self.singles[at + 1] += _spending(row.values[e], row.products[e - first], variance, r)
        if crossed:
            for e in range(row.pairs_first, row.pairs_end):
                at = row.pair_ids[e] * fields.PAIR + fields.P_AROW
                self.pairs[at] += step * row.pair_products[e - row.pairs_first]
                self.pairs[at + 1] += _spending(1.0, row.pair_products[e - row.pairs_first], variance, r)
            for e in range(row.triples_first, row.triples_end):
                at = row.triple_ids[e] * fields.TRIPLE + fields.T_AROW
                self.triples[at] += step * row.triple_products[e - row.triples_first]
                self.triples[at + 1] += _spending(1.0, row.triple_products[e - row.triples_first], variance, r)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forget(self, row: Inputs, field: cython.int, rate: cython.double) -> cython.void:
        """Variances grow back towards 1 with the trials since they were used last."""
        e: cython.Py_ssize_t
        at: cython.longlong
        spent: cython.double
        passed: cython.double
        for e in range(row.first, row.end):
            at = row.ids[e] * fields.SINGLE + field
            passed = rate * (row.trials - self.singles[at + 2])
            spent = self.singles[at + 1]
            self.singles[at + 1] = spent / (1.0 + passed + passed * spent)
            self.singles[at + 2] = row.trials

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def passive_aggressive(
        self, row: Inputs, score: cython.double, y: cython.double, most: cython.double
    ) -> cython.void:
        """One step on plain features."""
        e: cython.Py_ssize_t
        x: cython.double
        step: cython.double
        norm: cython.double = 0.0
        if not y * score < 1.0:
            return
        for e in range(row.first, row.end - 1):
            if row.uses[e] & fields.FOR_PLAIN:
                x = row.values[e]
                norm += x * x
        norm += 1.0
        step = y * min(most, (1.0 - y * score) / norm)
        for e in range(row.first, row.end):
            if row.uses[e] & fields.FOR_PLAIN:
                self.singles[row.ids[e] * fields.SINGLE + fields.W_PA_ONE] += step * row.values[e]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bets(
        self, row: Inputs, field: cython.int, score: cython.double, label: cython.int, use: cython.int,
        pair: cython.int, triple: cython.int,
    ) -> cython.void:  # fmt: skip
        """Coin betting, as in its kernel, with a wealth of 1."""
        e: cython.Py_ssize_t
        at: cython.longlong
        x: cython.double
        c: cython.double = self.weight
        g: cython.double = (label - chance_of(score)) * c
        for e in range(row.first, row.end):
            x = row.values[e]
            if (use == 0 or row.uses[e] & use) and c * fabs(x) > _TINY:
                at = row.ids[e] * fields.SINGLE + field
                toss_weighed(self.singles, at, g, x, c)
        if pair >= 0 and c > _TINY:
            for e in range(row.pairs_first, row.pairs_end):
                at = row.pair_ids[e] * fields.PAIR + pair
                toss_weighed(self.pairs, at, g, 1.0, c)
        if triple >= 0 and c > _TINY:
            for e in range(row.triples_first, row.triples_end):
                at = row.triple_ids[e] * fields.TRIPLE + triple
                toss_weighed(self.triples, at, g, 1.0, c)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_places(self, row: Inputs) -> cython.void:
        """The variances of features that are new in covariances of members that are awake."""
        k: cython.Py_ssize_t
        n: cython.longlong
        if not self.own[fields.ASLEEP] >> fields.FULL_PRODUCTS & 1:
            for n in range(row.places_before, row.places_now):
                self.covariances[n * (n + 1) // 2 + n] = 1.0
        for k in range(1, 3):
            if not self.own[fields.ASLEEP] >> (fields.FULL_PRODUCTS + k) & 1:
                for n in range(row.fulls_before, row.fulls_now):
                    self.covariances[k * fields.TRIANGLE + n * (n + 1) // 2 + n] = 1.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gain(
        self, row: Inputs, first: cython.Py_ssize_t, end: cython.Py_ssize_t, base: cython.Py_ssize_t,
        size: cython.longlong,
    ) -> cython.void:  # fmt: skip
        """The covariance times a row that has most of its features: every row of the triangle once."""
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        at: cython.Py_ssize_t = base
        for i in range(size):
            row.dense[i] = 0.0
        for e in range(first, end):
            row.dense[row.places_of[e]] = row.values_of[e]
        for i in range(size):
            if cython.compiled:
                row.gains[i] = c_add_symmetric(
                    cython.address(row.gains[0]),
                    cython.address(self.covariances[at]),
                    cython.address(row.dense[0]),
                    i,
                    row.dense[i],
                )
            else:
                sums = [0.0] * 8
                for j in range(i):
                    row.gains[j] += row.dense[i] * self.covariances[at + j]
                    sums[j % 8] += self.covariances[at + j] * row.dense[j]
                row.gains[i] = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
            row.gains[i] += row.dense[i] * self.covariances[at + i]
            at += i + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def full(
        self, row: Inputs, member: cython.int, size: cython.longlong, y: cython.double, r: cython.double
    ) -> cython.void:
        """One step of AROW with a full covariance of `size` features."""
        e: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        at: cython.Py_ssize_t
        x: cython.double
        step: cython.double
        part: cython.double
        variance: cython.double = 0.0
        base: cython.Py_ssize_t = member * fields.TRIANGLE
        own: cython.Py_ssize_t = member * fields.FULL
        first: cython.Py_ssize_t = row.places_first + own
        end: cython.Py_ssize_t = first + row.placed[row.places_first // fields.FULL + member]
        score: cython.double = self.scores[fields.FULL_PRODUCTS + member]
        if not y * score < 1.0:
            return
        for j in range(size):
            row.gains[j] = 0.0
        if _DENSE * (end - first) < size:
            for e in range(first, end):
                i = row.places_of[e]
                x = row.values_of[e]
                at = base + i * (i + 1) // 2
                if cython.compiled:
                    c_add_multiple(cython.address(row.gains[0]), cython.address(self.covariances[at]), i + 1, x)
                else:
                    for j in range(i + 1):
                        row.gains[j] += x * self.covariances[at + j]
                at += i
                for j in range(i + 1, size):  # the rest of the row is the column below the diagonal
                    at += j
                    row.gains[j] += x * self.covariances[at]
        else:
            self._gain(row, first, end, base, size)
        for e in range(first, end):
            variance += row.values_of[e] * row.gains[row.places_of[e]]
        if not variance > 0.0:
            return
        part = 1.0 / (variance + r)
        step = y * (1.0 - y * score) * part
        for i in range(size):
            x = row.gains[i]
            if x != 0.0:
                self.full_weights[own + i] += step * x
                x *= part
                at = base + i * (i + 1) // 2
                if cython.compiled:
                    c_add_multiple(cython.address(self.covariances[at]), cython.address(row.gains[0]), i + 1, -x)
                else:
                    for j in range(i + 1):
                        self.covariances[at + j] += -x * row.gains[j]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count(self, row: Inputs, label: cython.int) -> cython.void:
        """Naive Bayes."""
        e: cython.Py_ssize_t
        at: cython.longlong
        self.mixture[fields.M_ROWS + label] += self.weight
        for e in range(row.first, row.end):
            at = row.ids[e] * fields.SINGLE
            if row.uses[e] & fields.FOR_NOMINAL:
                self.singles[at + fields.W_BAYES + label] += self.weight
            if row.uses[e] & fields.FOR_COUNTS:
                self.singles[at + fields.W_COUNTS + label] += row.values[e] * self.weight
                self.mixture[fields.M_SUMS + label] += row.values[e] * self.weight
