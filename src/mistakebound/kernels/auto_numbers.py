"""What the attributes of `auto` have had: mean and deviation, and of numbers a sample, which cuts them into bins."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels import _auto_fields as fields
else:
    from mistakebound.kernels import _auto_fields as fields

_OFTEN = cython.declare(cython.double, 2.0)  # one in so many rows has a number that is not sparse


@cython.cclass
class Numbers:
    """By number of an attribute; the fields are in `_auto_fields`."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bin_of(self, cuts: cython.longlong, v: cython.double) -> cython.longlong:
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
    def _cuts(self, at: cython.longlong, place: cython.longlong, bins: cython.longlong) -> cython.void:
        """Cuts by rank in the sorted sample, which `ascending` has."""
        i: cython.longlong
        found: cython.longlong = 0
        v: cython.double
        kept: cython.longlong = cython.cast(cython.longlong, self.samples[at + fields.S_KEPT])
        for i in range(1, bins):
            v = self.ascending[i * kept // bins]
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
        seen: cython.longlong = cython.cast(cython.longlong, self.samples[at + fields.S_SEEN])
        kept: cython.longlong = cython.cast(cython.longlong, self.samples[at + fields.S_KEPT])
        self.samples[at + fields.S_SEEN] = seen + 1
        if seen % cython.cast(cython.longlong, self.samples[at + fields.S_STRIDE]) == 0:
            self.samples[at + fields.S_VALUES + kept] = v
            kept += 1
            if kept == fields.KEPT:
                for i in range(fields.KEPT // 2):
                    self.samples[at + fields.S_VALUES + i] = self.samples[at + fields.S_VALUES + 2 * i]
                kept = fields.KEPT // 2
                self.samples[at + fields.S_STRIDE] *= 2.0
            self.samples[at + fields.S_KEPT] = kept
        if seen + 1 < self.samples[at + fields.S_NEXT]:
            return
        for i in range(kept):
            x = self.samples[at + fields.S_VALUES + i]
            j = i
            while j > 0 and self.ascending[j - 1] > x:
                self.ascending[j] = self.ascending[j - 1]
                j -= 1
            self.ascending[j] = x
        self._cuts(at, fields.S_EIGHT, 8)
        self._cuts(at, fields.S_SIXTEEN, 16)
        self.samples[at + fields.S_NEXT] = 2 * (seen + 1) if seen < 512 else seen + 1 + seen // 4

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note(self, a: cython.longlong, v: cython.double) -> cython.void:
        """One more value of an attribute, from a row that is among the trials already."""
        n: cython.double = self.attributes[a + fields.A_COUNT] + 1.0
        d: cython.double = v - self.attributes[a + fields.A_MEAN]
        at: cython.longlong
        if not (v == 0.0 or v == 1.0):
            self.attributes[a + fields.A_NUMERIC] = 1.0
        self.attributes[a + fields.A_COUNT] = n
        self.attributes[a + fields.A_MEAN] += d / n
        self.attributes[a + fields.A_SQUARES] += d * (v - self.attributes[a + fields.A_MEAN])
        self.attributes[a + fields.A_SIZE] += (v * v - self.attributes[a + fields.A_SIZE]) / n
        if self.attributes[a + fields.A_NUMERIC] == 0.0 or n < 4.0 or n * _OFTEN < self.counts[fields.TRIALS]:
            return
        at = (cython.cast(cython.longlong, self.attributes[a + fields.A_SAMPLE]) - 1) * fields.SAMPLE
        if at < 0:
            if self.counts[fields.SAMPLES] >= fields.BINNED:
                return
            at = self.counts[fields.SAMPLES] * fields.SAMPLE
            self.counts[fields.SAMPLES] += 1
            self.attributes[a + fields.A_SAMPLE] = self.counts[fields.SAMPLES]
            self.attributes[a + fields.A_BINS] = self.counts[fields.SINGLES] + 1
            self.counts[fields.SINGLES] += fields.BINS
            self.samples[at + fields.S_STRIDE] = 1.0
            self.samples[at + fields.S_NEXT] = 8.0
        self._sample(at, v)
