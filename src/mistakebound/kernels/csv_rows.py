"""Plain text of a table -> compressed sparse rows over places in a list of distinct names.

Cells are parted by a delimiter, rows by newlines.  A text with anything unusual in it (a row with other cells than the
header has, a quote in quotes, a cell of a numeric column that is no number, ...) is left whole to whoever called, with
the status OTHER.

A nominal cell is looked up by its column and its bytes as they are written, a *pair*; only a new pair becomes a name,
`column=text`.  A pair has four numbers: its two words (up to sixteen bytes they are the text, of a longer one a hash of
it and its last word, and the bytes are compared), its column, and 1 + the place of its name, or 0: it is missing.  The
hash has cells `number << 32 | tag`, 0 for an empty one, of which at least half are.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._bytes import digits_at, hash_of, word_at
    from cython.cimports.mistakebound.kernels._digits import power_of_ten, scaled
    from cython.cimports.mistakebound.kernels._words import (
        first_word,
        leading_zeros,
        name_hash,
        second_word,
        word,
    )
    from cython.cimports.mistakebound.kernels.number import decimal
else:
    from mistakebound.kernels._bytes import digits_at, hash_of, word_at
    from mistakebound.kernels._digits import power_of_ten, scaled
    from mistakebound.kernels._words import first_word, name_hash, second_word, word
    from mistakebound.kernels.number import decimal

OK = 0
OTHER = 1  # something unusual: nothing of the text counts
FULL = 2  # no room for one more pair or name: likewise

# What the cells of a column are.
IGNORED = 0
NOMINAL = 1
NUMERIC = 2
LABEL = 3
WEIGHT = 4

# Places in `state`.
ROWS = 0
ENTRIES = 1
NEWLINES = 2
NAMES = 3

PAIR_WIDTH = 4
SLACK = 64  # bytes behind the text

_OTHER = cython.declare(cython.int, OTHER)
_FULL = cython.declare(cython.int, FULL)
_NOMINAL = cython.declare(cython.int, NOMINAL)
_NUMERIC = cython.declare(cython.int, NUMERIC)
_LABEL = cython.declare(cython.int, LABEL)
_WEIGHT = cython.declare(cython.int, WEIGHT)
_FIRST_BITS = cython.declare(cython.int, 10)  # of the hash: 2**bits cells
_TAG = cython.declare(cython.ulonglong, 0xFFFFFFFF)
_ONE = cython.declare(cython.ulonglong, 1)
_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_SEED = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)
_STEP = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_GATHER = cython.declare(cython.ulonglong, 0x0102040810204080)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_blank(c: cython.uchar) -> cython.bint:
    return c == 32 or c == 9


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_stops(
    text: cython.const[cython.uchar][::1],
    end: cython.Py_ssize_t,
    delimiter: cython.uchar,
    stops: cython.uint[::1],
) -> cython.Py_ssize_t:
    """Where in text[:end] a delimiter, a quote or a control character up to 13 stands; how many there are."""
    i: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t = 0
    c: cython.uchar
    mask: cython.ulonglong
    least: cython.ulonglong
    if cython.compiled:
        flags = cython.declare(cython.uchar[64])
        while i < end:
            for k in range(64):  # the compiler does many at once
                c = text[i + k]
                flags[k] = (c < 14) | (c == delimiter) | (c == 34)
            mask = 0
            for k in range(8):  # a bit of each byte
                mask |= ((word(cython.address(flags[8 * k])) * _GATHER) >> 56) << (8 * k)
            if end - i < 64:
                mask &= (_ONE << (end - i)) - 1
            while mask != 0:
                least = mask & (0 - mask)
                stops[n] = cython.cast(cython.uint, i + 63 - leading_zeros(least))
                n += 1
                mask ^= least
            i += 64
    else:
        for i in range(end):
            if text[i] < 14 or text[i] == delimiter or text[i] == 34:
                stops[n] = i
                n += 1
    return n


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _number(
    text: cython.const[cython.uchar][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.bint:
    """Whether text[a:b], which a delimiter, a blank, a quote or a newline ends, is a number; it goes to values[p]."""
    minus: cython.Py_ssize_t = text[a] == 45
    whole: cython.ulonglong = digits_at(text, a + minus)
    part: cython.ulonglong
    j: cython.Py_ssize_t = a + minus + (whole & 15)
    v: cython.double
    if (whole & 15) > 0:
        if j == b:
            v = whole >> 4
            values[p] = -v if minus else v
            return True
        if text[j] == 46 and (whole & 15) < 8:
            part = digits_at(text, j + 1)
            if 0 < (part & 15) < 8 and j + 1 + cython.cast(cython.Py_ssize_t, part & 15) == b:
                v = scaled(
                    (whole >> 4) * power_of_ten(part & 15) + (part >> 4), -cython.cast(cython.longlong, part & 15)
                )
                values[p] = -v if minus else v
                return True
    return decimal(text, a, values, p) == b


@cython.final
@cython.cclass
class CsvRows:
    """The buffers of a chunk, and the dictionary of its cells, which stays for the chunks that follow."""

    text: cython.const[cython.uchar][::1]
    stops: cython.uint[::1]
    keys: cython.ulonglong[::1]
    values: cython.double[::1]
    indptr: cython.longlong[::1]
    tokens: cython.int[::1]
    starts: cython.longlong[::1]
    lines: cython.longlong[::1]
    weights: cython.double[::1]
    cells: cython.ulonglong[::1]
    pairs: cython.ulonglong[::1]
    spans: cython.longlong[::1]  # of each pair: how many bytes it has, and where they are in `raw`, if many
    raw: cython.uchar[::1]
    names: cython.uchar[::1]
    name_ends: cython.longlong[::1]
    roles: cython.int[::1]
    prefixes: cython.const[cython.uchar][::1]
    prefix_ends: cython.const[cython.longlong][::1]
    numeric: cython.longlong[::1]  # of each column: 1 + the place of its name, if it has one already
    missing: object
    longest: cython.Py_ssize_t  # word for a missing cell, in bytes
    delimiter: cython.uchar
    labels: list
    state: cython.longlong[::1]
    bits: cython.int
    count: cython.Py_ssize_t  # pairs
    kept: cython.Py_ssize_t  # bytes in `raw`
    named: cython.Py_ssize_t  # names
    status: cython.int
    real: cython.bint
    labelled: cython.bint
    start: cython.Py_ssize_t  # of the cell that is read,
    stop: cython.Py_ssize_t  # where it ends,
    newlines: cython.Py_ssize_t  # and how many newlines are in it
    found: cython.Py_ssize_t  # stops

    def __init__(self, rows, tables, columns, words, state):
        # type: (tuple[Ints, Ints, Floats, Ints, Ints, Ints, Ints, Floats], tuple[Ints, Ints, Ints, Buffer, Buffer, Ints], tuple[Ints, Buffer, Ints, Ints, bool], tuple[str, frozenset[str], int], Ints) -> None
        """`columns`: roles, names with their ends, room for a number each, and whether values are wanted.

        The name of a nominal column has its "=" already.  `words`: the delimiter, the words for a missing cell in small
        letters, and how many bytes the longest has.
        """
        self.stops, self.keys, self.values, self.indptr, self.tokens, self.starts, self.lines, self.weights = rows
        self.cells, self.pairs, self.spans, self.raw, self.names, self.name_ends = tables
        self.roles, self.prefixes, self.prefix_ends, self.numeric, self.real = columns
        self.delimiter = ord(words[0])
        self.missing = words[1]
        self.longest = words[2]
        self.state = state
        self.labels = []
        width = len(self.roles)
        if width < 1 or len(self.prefix_ends) <= width or len(self.numeric) < width or len(state) < 4:
            raise AssertionError("the columns of a table do not fit together")
        if len(self.cells) < 1024 or len(self.cells) & (len(self.cells) - 1) or len(self.name_ends) < 2:
            raise AssertionError("the buffers of a dictionary do not fit together")
        for k in range(width):
            if not 0 <= self.prefix_ends[k] <= self.prefix_ends[k + 1] <= len(self.prefixes):
                raise AssertionError("the names of columns do not fit together")
        self.clear()

    def clear(self):  # type: () -> None
        """Forget all cells, names and labels."""
        k: cython.Py_ssize_t
        self.labels = []
        self.count = self.kept = self.named = 0
        self.name_ends[0] = 0
        self.state[3] = 0
        for k in range(len(self.numeric)):
            self.numeric[k] = 0
        self._fill(10)

    def label_texts(self):  # type: () -> list[bytes]
        """Of the tokens."""
        return list(self.labels)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill(self, bits: cython.int) -> cython.void:
        """All pairs into 2**bits cells."""
        h: cython.ulonglong
        hash: cython.ulonglong
        n: cython.Py_ssize_t
        k: cython.Py_ssize_t
        mask: cython.ulonglong = (_ONE << bits) - 1
        self.bits = bits
        for k in range(_ONE << bits):
            self.cells[k] = 0
        for n in range(1, self.count + 1):
            hash = self._hash(self.pairs[4 * n], self.pairs[4 * n + 1], self.pairs[4 * n + 2], self.spans[2 * n])
            h = hash >> (64 - bits)
            while self.cells[h] != 0:
                h = (h + 1) & mask
            self.cells[h] = (cython.cast(cython.ulonglong, n) << 32) | (hash & _TAG)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _hash(
        self,
        first: cython.ulonglong,
        second: cython.ulonglong,
        column: cython.ulonglong,
        size: cython.Py_ssize_t,
    ) -> cython.ulonglong:
        return name_hash(first ^ ((column * _STEP) & _ALL64), second, size)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _same(self, n: cython.Py_ssize_t, i: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.bint:
        """Whether a long text is that of pair n."""
        k: cython.Py_ssize_t
        at: cython.Py_ssize_t = self.spans[2 * n + 1]
        if self.spans[2 * n] != size:
            return False
        for k in range(size):
            if self.raw[at + k] != self.text[i + k]:
                return False
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(
        self,
        i: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
        column: cython.ulonglong,
    ) -> cython.longlong:
        """1 + the place of the name of a cell that is not empty; 0: it is missing; -1: see the status."""
        first: cython.ulonglong
        second: cython.ulonglong
        hash: cython.ulonglong
        h: cython.ulonglong
        cell: cython.ulonglong
        n: cython.Py_ssize_t
        mask: cython.ulonglong = (_ONE << self.bits) - 1
        if size <= 16:
            first = first_word(word_at(self.text, i), size)
            second = second_word(word_at(self.text, i + 8), size)
        else:
            first = hash_of(self.text, i, size, _SEED)
            second = word_at(self.text, i + size - 8)
        hash = self._hash(first, second, column, size)
        h = hash >> (64 - self.bits)
        cell = self.cells[h]
        while cell != 0:
            if (cell & _TAG) == (hash & _TAG):
                n = cell >> 32
                if (
                    self.pairs[4 * n] == first
                    and self.pairs[4 * n + 1] == second
                    and self.pairs[4 * n + 2] == column
                    and (size <= 16 or self._same(n, i, size))
                ):
                    return self.pairs[4 * n + 3]
            h = (h + 1) & mask
            cell = self.cells[h]
        return self._enter(i, size, column, first, second)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(
        self,
        i: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
        column: cython.ulonglong,
        first: cython.ulonglong,
        second: cython.ulonglong,
    ) -> cython.longlong:
        """A new pair; as `_place`."""
        a: cython.Py_ssize_t = i
        b: cython.Py_ssize_t = i + size
        k: cython.Py_ssize_t
        found: cython.longlong = 0
        hash: cython.ulonglong
        h: cython.ulonglong
        while a < b and _is_blank(self.text[a]):
            a += 1
        while a < b and _is_blank(self.text[b - 1]):
            b -= 1
        if b - a == size:
            found = self._meaning(a, b, column)
        elif a < b:
            found = self._place(a, b - a, column)
        if found < 0:
            return -1
        n: cython.Py_ssize_t = self.count + 1
        if 4 * n + 4 > len(self.pairs) or 2 * n + 2 > len(self.spans) or 2 * n > len(self.cells):
            self.status = _FULL
            return -1
        if size > 16:
            if self.kept + size > len(self.raw):
                self.status = _FULL
                return -1
            for k in range(size):
                self.raw[self.kept + k] = self.text[i + k]
            self.spans[2 * n + 1] = self.kept
            self.kept += size
        self.spans[2 * n] = size
        self.pairs[4 * n] = first
        self.pairs[4 * n + 1] = second
        self.pairs[4 * n + 2] = column
        self.pairs[4 * n + 3] = found
        self.count = n
        if 2 * cython.cast(cython.ulonglong, n) > (_ONE << self.bits):
            self._fill(self.bits + 1)
            return found
        hash = self._hash(first, second, column, size)
        h = hash >> (64 - self.bits)
        while self.cells[h] != 0:
            h = (h + 1) & ((_ONE << self.bits) - 1)
        self.cells[h] = (cython.cast(cython.ulonglong, n) << 32) | (hash & _TAG)
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _meaning(
        self,
        a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        column: cython.Py_ssize_t,
    ) -> cython.longlong:
        """What a cell without blanks around it is, met for the first time: as `_place`; of a label 1 + its token."""
        if self.roles[column] == _LABEL:
            return 0 if b - a == 1 and self.text[a] == 63 else self._new_label(a, b)
        if b - a <= self.longest and self._is_missing(a, b):
            return 0
        if self.roles[column] == _NUMERIC:
            self.status = _OTHER
            return -1
        return self._new_name(a, b, column)

    @cython.cfunc
    @cython.with_gil
    @cython.exceptval(check=False)
    def _new_label(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.longlong:
        self.labels.append(bytes(self.text[a:b]))
        return len(self.labels)

    @cython.cfunc
    @cython.with_gil
    @cython.exceptval(check=False)
    def _is_missing(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        return bytes(self.text[a:b]).decode().lower() in self.missing

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _new_name(
        self,
        a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        column: cython.Py_ssize_t,
    ) -> cython.longlong:
        """The name of a column, and text[a:b] behind it: 1 + its place, or -1."""
        k: cython.Py_ssize_t
        start: cython.Py_ssize_t = self.prefix_ends[column]
        width: cython.Py_ssize_t = self.prefix_ends[column + 1] - start
        at: cython.Py_ssize_t = self.name_ends[self.named]
        if self.named + 2 > len(self.name_ends) or at + width + b - a > len(self.names):
            self.status = _FULL
            return -1
        for k in range(width):
            self.names[at + k] = self.prefixes[start + k]
        for k in range(b - a):
            self.names[at + width + k] = self.text[a + k]
        self.named += 1
        self.name_ends[self.named] = at + width + b - a
        return self.named

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _odd_cell(self, i: cython.Py_ssize_t, s: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """A cell from text[i] on whose first stop is no delimiter or newline: which stop ends it, or -1 (OTHER)."""
        c: cython.uchar
        self.newlines = 0
        self.start = i
        if self.text[i] == 34:
            s += 1
            while True:  # a text that ends in quotes has no stop that could end the cell: see `_parse`
                c = self.text[self.stops[s]]
                if c == 34:
                    break
                if c == 0 or s + 1 >= self.found:
                    return -1
                self.newlines += c == 10
                s += 1
            self.start = i + 1
            self.stop = self.stops[s]
            s += 1
            if s >= self.found or self.stops[s] != self.stop + 1:
                return -1
        else:
            c = self.text[self.stops[s]]
            while c != self.delimiter and c != 10 and c != 13:
                if c == 0 or c == 34:
                    return -1
                s += 1
                c = self.text[self.stops[s]]
            self.stop = self.stops[s]
        c = self.text[self.stops[s]]
        if c == 13:
            if self.text[self.stops[s] + 1] != 10:
                return -1
            return s + 1
        return s if c == self.delimiter or c == 10 else -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _parse(self, end: cython.Py_ssize_t) -> cython.int:
        i: cython.Py_ssize_t = 0
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        s: cython.Py_ssize_t = 0
        r: cython.Py_ssize_t = 0
        p: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        line: cython.Py_ssize_t = 0
        found: cython.longlong
        c: cython.uchar
        role: cython.int
        width: cython.Py_ssize_t = len(self.roles)
        delimiter: cython.uchar = self.delimiter
        stops: cython.uint[::1] = self.stops
        self.indptr[0] = 0
        while i < end:
            if self.text[i] == 10 or (self.text[i] == 13 and self.text[i + 1] == 10):  # an empty line
                s += 1 + (self.text[i] == 13)
                i += 1 + (self.text[i] == 13)
                line += 1
                continue
            self.starts[r] = i
            self.tokens[r] = -1
            line += 1
            self.lines[r] = line
            for k in range(width):
                a = i
                b = stops[s]
                c = self.text[b]
                if c != delimiter and c != 10:
                    s = self._odd_cell(i, s)
                    if s < 0:
                        return _OTHER
                    a = self.start
                    b = self.stop
                    line += self.newlines
                    c = self.text[stops[s]]
                if (c == 10) != (k == width - 1):
                    return _OTHER
                i = stops[s] + 1
                s += 1
                role = self.roles[k]
                if role == 0:
                    continue
                if role == _NOMINAL:
                    found = self._place(a, b - a, k) if a < b else 0
                    if found > 0:
                        self.keys[p] = found - 1
                        if self.real:
                            self.values[p] = 1.0
                        p += 1
                elif role == _LABEL:
                    found = self._place(a, b - a, k) if a < b else 0
                    self.tokens[r] = cython.cast(cython.int, found - 1)
                    if found == 0 and self.labelled:
                        return _OTHER
                else:
                    while a < b and _is_blank(self.text[a]):
                        a += 1
                    while a < b and _is_blank(self.text[b - 1]):
                        b -= 1
                    found = 0
                    if role == _WEIGHT:
                        if a == b or not _number(self.text, a, b, self.weights, r) or not self.weights[r] > 0:
                            return _OTHER
                    elif a < b and _number(self.text, a, b, self.values, p):
                        if self.numeric[k] == 0:
                            self.numeric[k] = self._new_name(a, a, k)
                            if self.numeric[k] < 0:
                                return _FULL
                        self.keys[p] = self.numeric[k] - 1
                        p += 1
                    elif a < b:
                        found = self._place(a, b - a, k)
                if found < 0:
                    return self.status
            r += 1
            self.indptr[r] = p
        self.state[0] = r
        self.state[1] = p
        self.state[2] = line
        self.state[3] = self.named
        return 0

    def parse(self, text: cython.const[cython.uchar][::1], end: cython.Py_ssize_t, labelled: cython.bint):
        # type: (Buffer, int, bool) -> int
        """The rows of text[:end], which ends in a newline; OK, or why nothing came of it."""
        status: cython.int = OTHER
        if end < 1 or len(text) < end + SLACK or text[end - 1] != 10 or end > 0x7FFFFF00:
            return OTHER
        if len(self.stops) < end or len(self.keys) < end // 2 + 1 or len(self.values) < end // 2 + 1:
            raise AssertionError("the buffers of a chunk do not fit together")
        k: cython.Py_ssize_t = end // 2 + 1
        if len(self.indptr) <= k or len(self.tokens) < k or len(self.starts) < k or len(self.lines) < k:
            raise AssertionError("the buffers of a chunk do not fit together")
        if len(self.weights) < k:
            raise AssertionError("the buffers of a chunk do not fit together")
        self.text = text
        self.labelled = labelled
        self.status = 0
        with cython.nogil:
            self.found = _find_stops(text, end, self.delimiter, self.stops)
            status = self._parse(end)
        self.text = self.prefixes  # who owns the text may want to make it longer
        if status != 0:
            self.clear()
        return status
