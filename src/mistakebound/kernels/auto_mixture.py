"""The mixture of `auto`: the members' scores become logits, and the logits one, by shares; members that sleep.

docs/theorems.md has the theorem of the shares.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import exp, fabs, log, sqrt
    from cython.cimports.mistakebound.kernels import _auto_fields as fields
    from cython.cimports.mistakebound.kernels._coins import chance_of
    from cython.cimports.mistakebound.kernels.calibration import place_of
else:
    from math import exp, fabs, log, sqrt

    from mistakebound.kernels import _auto_fields as fields
    from mistakebound.kernels._coins import chance_of
    from mistakebound.kernels.calibration import place_of

PRIOR, STEEP = 3.0, 1.5  # rows that each cell has had before the first, and what these say of z: a logistic function
_PRIOR = cython.declare(cython.double, PRIOR)
_STEEP = cython.declare(cython.double, STEEP)
HEAVIEST = 1048576.0  # a larger weight counts as much as this one
REACH = 1.5  # the shares' sum, as a factor of logits
RATE = 3.0
SHARE = 0.0003
CLIP = 6.2
_REACH = cython.declare(cython.double, REACH)
_RATE = cython.declare(cython.double, RATE)
_SHARE = cython.declare(cython.double, SHARE)
_CLIP = cython.declare(cython.double, CLIP)
_LOG_MEMBERS = cython.declare(cython.double, log(fields.MEMBERS + 1))
_LOSES = cython.declare(cython.double, 0.02)  # who has added less of all logits loses a race
_ONE = cython.declare(cython.longlong, 1)


@cython.cclass
class Mixture:
    """Tables of the members, their shares and the course of these; `own` has the counts of a lane.

    `scores` and `logits` are those of the members for the row in hand, `mixed` is its logit, `weight` its weight.
    """

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mix(self) -> cython.void:
        """The logit of the mixture; `logits` has those of the members, and 0 for one that sleeps."""
        k: cython.Py_ssize_t
        table: cython.longlong
        cell: cython.longlong
        at: cython.double
        x: cython.double
        found: cython.double = 0.0
        for k in range(fields.MEMBERS):
            if self.own[fields.ASLEEP] >> k & 1:
                self.logits[k] = 0.0
                continue
            table = k * fields.TABLE
            at = place_of(self.scores[k], self.tables[table + fields.T_MEAN])
            cell = cython.cast(cython.longlong, at)
            if cell >= fields.CELLS - 1:
                x = self.tables[table + fields.T_CURVE + fields.CELLS - 1]
            else:
                x = self.tables[table + fields.T_CURVE + cell]
                x += (at - cell) * (self.tables[table + fields.T_CURVE + cell + 1] - x)
            x = min(max(x, -_CLIP), _CLIP)
            self.logits[k] = x
            found += self.mixture[k] * x
        self.mixed = found * _REACH

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fit(self, table: cython.longlong) -> cython.void:
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
            rows = wholes[i] - parts[i]
            place = log(parts[i] / rows) if rows > 0.0 else 2.0 * _CLIP  # lost behind many rows of label 1
            for cells in range(widths[i]):
                self.tables[table + fields.T_CURVE + j] = place
                j += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def calibrate(self, label: cython.int) -> cython.void:
        k: cython.Py_ssize_t
        t: cython.longlong
        n: cython.double
        cell: cython.longlong
        for k in range(fields.MEMBERS):
            if self.own[fields.ASLEEP] >> k & 1:
                continue
            t = k * fields.TABLE
            self.tables[t + fields.T_ROWS] += self.weight
            n = self.tables[t + fields.T_ROWS]
            self.tables[t + fields.T_MEAN] += (fabs(self.scores[k]) - self.tables[t + fields.T_MEAN]) * self.weight / n
            cell = cython.cast(cython.longlong, place_of(self.scores[k], self.tables[t + fields.T_MEAN]) + 0.5)
            self.tables[t + 2 * cell + label] += self.weight
            if n >= self.tables[t + fields.T_NEXT]:
                self.fit(t)
                self.tables[t + fields.T_NEXT] = n + 1.0 + cython.cast(cython.longlong, n / 64.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def share(self, label: cython.int) -> cython.void:
        """Exponentiated gradient over logits, then a little of the whole for everybody who is awake."""
        k: cython.Py_ssize_t
        awake: cython.Py_ssize_t = fields.MEMBERS + 1
        x: cython.double
        high: cython.double = 0.0
        low: cython.double = 0.0
        rest: cython.double = (chance_of(self.mixed) - label) * self.weight
        rate: cython.double = _RATE * sqrt(_LOG_MEMBERS / (1.0 + self.mixture[fields.M_V]))
        whole: cython.double = 0.0
        best: cython.double
        for k in range(fields.MEMBERS):
            self.mixture[fields.M_RACE + k] += self.mixture[k] * fabs(self.logits[k])
            x = self.logits[k] * _REACH
            high = max(high, x)
            low = min(low, x)
        best = low if rest > 0.0 else high  # nobody's share grows, so that no weight is too large
        for k in range(fields.MEMBERS):
            if self.own[fields.ASLEEP] >> k & 1:
                continue  # its share is 0
            self.mixture[k] *= exp(-rate * rest * (self.logits[k] * _REACH - best))
            whole += self.mixture[k]
        self.mixture[fields.MEMBERS] *= exp(rate * rest * best)
        whole += self.mixture[fields.MEMBERS]
        for k in range(fields.MEMBERS):
            awake -= self.own[fields.ASLEEP] >> k & 1
        for k in range(fields.MEMBERS + 1):
            self.mixture[k] = self.mixture[k] / whole * (1.0 - _SHARE)
            if k == fields.MEMBERS or not self.own[fields.ASLEEP] >> k & 1:
                self.mixture[k] += _SHARE / awake
        x = (high - low) * rest
        self.mixture[fields.M_V] += x * x / 4.0
        if self.weight > self.mixture[fields.M_MOST]:
            self.mixture[fields.M_MOST] = self.weight
        if (self.mixed > 0.0) != (label == 1):
            x = self.mixture[fields.M_LEAST]
            self.mixture[fields.M_LEAST] = self.weight if x == 0.0 else min(x, self.weight)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sleep(self, members: cython.longlong, cause: cython.longlong) -> cython.void:
        """These members sleep from now on: the others share what they had."""
        k: cython.Py_ssize_t
        whole: cython.double = 0.0
        self.own[fields.ASLEEP] |= members
        self.own[fields.CAUSES] |= cause
        for k in range(fields.MEMBERS + 1):
            if k < fields.MEMBERS and members >> k & 1:
                self.mixture[k] = 0.0
            whole += self.mixture[k]
        for k in range(fields.MEMBERS + 1):
            self.mixture[k] /= whole

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def judge(self) -> cython.void:
        """The end of a race: whoever has added next to nothing to the logits since the last one sleeps."""
        k: cython.Py_ssize_t
        losers: cython.longlong = 0
        whole: cython.double = 0.0
        for k in range(fields.MEMBERS):
            whole += self.mixture[fields.M_RACE + k]
        for k in range(fields.MEMBERS):
            if self.mixture[fields.M_RACE + k] < _LOSES * whole and (fields.RACERS & ~self.own[fields.ASLEEP]) >> k & 1:
                losers |= _ONE << k
            self.mixture[fields.M_RACE + k] = 0.0
        if losers:
            self.sleep(losers, fields.LOST)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def remember(self, trials: cython.longlong) -> cython.void:
        k: cython.Py_ssize_t
        at: cython.longlong = self.own[fields.MOMENTS] * fields.MOMENT
        self.history[at] = trials
        for k in range(fields.MEMBERS + 1):
            self.history[at + 1 + k] = self.mixture[k]
        self.own[fields.MOMENTS] += 1
        self.own[fields.NEXT_MOMENT] = trials + 1 + trials // 8
