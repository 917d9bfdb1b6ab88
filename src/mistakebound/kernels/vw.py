"""VW text -> compressed sparse rows over places in a list of the block's distinct names (`name_table`).

`[label [weight]] ['tag]|namespace:scale name:value name ... |namespace ...`; a row a line.  Like the libsvm parser a
block is checked once, a line is taken whole or not at all, and a status comes back, never an exception.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._bytes import short_decimal, word_at
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels._words import (
        first_word,
        low,
        mixed,
        name_hash,
        name_stop,
        second_word,
        stop,
    )
    from cython.cimports.mistakebound.kernels.labels import is_utf8, place_label
    from cython.cimports.mistakebound.kernels.name_table import NameTable
    from cython.cimports.mistakebound.kernels.number import number
else:
    from array import array

    from mistakebound.kernels._bytes import short_decimal, word_at
    from mistakebound.kernels._words import (
        first_word,
        low,
        mixed,
        name_hash,
        name_stop,
        second_word,
        stop,
    )
    from mistakebound.kernels.labels import is_utf8, place_label
    from mistakebound.kernels.name_table import NameTable
    from mistakebound.kernels.number import number

OK = 0
BAD_BYTE = 1  # a control character
BAD_LABEL = 2  # not UTF-8
NO_LABEL = 3
NO_BAR = 4
BAD_NAME = 5  # empty, or not UTF-8
BAD_VALUE = 6
BAD_SCALE = 7
LABELS_FULL = 8  # no room for one more distinct label: hand on the rows so far, then go on with ROWS, ... = 0
CAPACITY = 9  # the caller's buffers do not fit together
NAMES_FULL = 10  # no room for one more distinct name: likewise
BAD_WEIGHT = 11
SEVERAL_LABELS = 12  # a label with a colon or a comma
BAD_HEAD = 13  # too many words before the first bar
BAD_SPACE = 14  # a namespace that has a scale and no name, or is not UTF-8
BAD_SUM = 15  # the values of a name that stands there several times have no finite sum

# Places in `state` beside those of the libsvm parser.
WEIGHTED = 6  # 1 when some weight is not 1, so that `weights` counts
NAMES = 8  # distinct names

SLACK = 32

# The same for the inside of the kernel, where a Python object would need the interpreter.
_BAD_BYTE = cython.declare(cython.int, BAD_BYTE)
_NO_LABEL = cython.declare(cython.int, NO_LABEL)
_NO_BAR = cython.declare(cython.int, NO_BAR)
_BAD_NAME = cython.declare(cython.int, BAD_NAME)
_BAD_VALUE = cython.declare(cython.int, BAD_VALUE)
_BAD_SCALE = cython.declare(cython.int, BAD_SCALE)
_NAMES_FULL = cython.declare(cython.int, NAMES_FULL)
_BAD_WEIGHT = cython.declare(cython.int, BAD_WEIGHT)
_SEVERAL_LABELS = cython.declare(cython.int, SEVERAL_LABELS)
_BAD_HEAD = cython.declare(cython.int, BAD_HEAD)
_BAD_SPACE = cython.declare(cython.int, BAD_SPACE)
_BAD_SUM = cython.declare(cython.int, BAD_SUM)

_BATCH = cython.declare(cython.Py_ssize_t, 256)  # entries whose names are looked up at once,
_ENOUGH = cython.declare(cython.Py_ssize_t, 128)  # and so many that no other row is waited for,
_ROWS = cython.declare(cython.Py_ssize_t, 32)  # nor after so many rows
_SEED = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)
_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_TOPS = cython.declare(cython.ulonglong, 0x8080808080808080)
_CARET = cython.declare(cython.ulonglong, 94)  # between a namespace and a name


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _name_stop(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    if cython.compiled:
        return name_stop(cython.address(buf[i]))
    return name_stop(buf[i : i + 16])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ends_word(c: cython.uchar) -> cython.bint:
    return c <= 32 or c == 124


@cython.cfunc
@cython.with_gil
@cython.exceptval(check=False)
def _before_bar(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The number of a word that a bar ends: the same word before a newline."""
    return number(bytes(buf[i:j]) + b"\n" + bytes(16), 0, values, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _number(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Any decimal at buf[i:] into values[p]; where it ends, or -1."""
    j: cython.Py_ssize_t = i
    while not _ends_word(buf[j]):
        j += 1
    if buf[j] != 124:
        return j if number(buf, i, values, p) == j else -1
    return j if _before_bar(buf, i, j, values, p) == j - i else -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _value(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The number at buf[i:] into values[p]; where it ends, or 0: it has many digits, `_number` reads it."""
    j: cython.Py_ssize_t = short_decimal(buf, i, values, p)
    return j if j > 0 and _ends_word(buf[j]) else 0


@cython.final
@cython.cclass
class VwRows:
    """The buffers of a block, and what is known of the row that is read."""

    keys: cython.ulonglong[::1]
    values: cython.double[::1]
    indptr: cython.longlong[::1]
    tokens: cython.int[::1]
    lines: cython.longlong[::1]
    weights: cython.double[::1]
    label_texts: cython.uchar[::1]
    label_ends: cython.longlong[::1]
    label_slots: cython.int[::1]
    table: NameTable
    state: cython.longlong[::1]
    labels: cython.Py_ssize_t  # distinct ones so far
    recent: cython.ulonglong  # the last two labels, as bytes with their number
    older: cython.ulonglong
    recent_label: cython.Py_ssize_t
    older_label: cython.Py_ssize_t
    label_at: cython.Py_ssize_t  # where the label of the row is written
    label_end: cython.Py_ssize_t
    entries: cython.Py_ssize_t  # of the rows so far and of the one that is read
    real: cython.bint
    weighted: cython.bint
    unlabelled_ok: cython.bint
    status: cython.int  # of the row
    finished: cython.bint  # its last entry was read
    scale: cython.double  # of the namespace, which is
    space: cython.Py_ssize_t  # written here,
    width: cython.Py_ssize_t  # with its "^" so long;
    prefix: cython.ulonglong  # its first two words, if it has no more,
    prefix_end: cython.ulonglong
    begun: cython.ulonglong  # the hash of its whole words,
    rest: cython.ulonglong  # and what is left of it,
    over: cython.Py_ssize_t  # so many bytes
    base: cython.Py_ssize_t  # entries before the batch
    found: cython.Py_ssize_t  # entries of the batch
    spans: cython.ulonglong[256]  # of the batch: where its names are written << 32 | so many bytes,
    spaces: cython.ulonglong[256]  # likewise their namespaces, with the "^"
    rows: cython.Py_ssize_t  # before the batch
    line: cython.longlong  # lines before the next row
    waiting: cython.Py_ssize_t  # rows of the batch, and of each
    starts: cython.Py_ssize_t[32]  # where its line starts,
    firsts: cython.Py_ssize_t[32]  # its first entry in the batch,
    lines_before: cython.longlong[32]
    label_spans: cython.ulonglong[32]  # where its label is written << 32 | where that ends,
    flags: cython.uchar[32]  # what `real` (1) and `weighted` (2) were before it

    def __init__(self, rows, labels, table, state):
        # type: (tuple[Ints, Floats, Ints, Ints, Ints, Floats], tuple[Buffer, Ints, Ints], NameTable, Ints) -> None
        self.keys, self.values, self.indptr, self.tokens, self.lines, self.weights = rows
        self.label_texts, self.label_ends, self.label_slots = labels
        self.table = table
        self.state = state
        if not cython.compiled:
            self.spans, self.spaces = array("Q", bytes(2048)), array("Q", bytes(2048))
            self.starts, self.firsts, self.lines_before = (array("q", bytes(256)) for _ in range(3))
            self.label_spans, self.flags = array("Q", bytes(256)), array("B", bytes(32))

    def clear(self, keep_names):  # type: (bool) -> None
        """Begin a block: no rows and labels, and no names unless those of the blocks before are kept."""
        k: cython.Py_ssize_t
        if len(self.state) < 9 or len(self.indptr) < 1 or len(self.label_ends) < 2:
            raise AssertionError("the buffers of a block do not fit together")
        for k in range(2, 7):
            self.state[k] = 0
        self.indptr[0] = self.label_ends[0] = 0
        for k in range(len(self.label_slots)):
            self.label_slots[k] = 0
        self.labels = self.recent_label = self.older_label = 0
        self.recent = self.older = 0
        if not keep_names:
            self.table.clear()
        self.state[8] = self.table.count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _head(
        self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, r: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """What stands before the first bar: the label, its weight to weights[r]; where the bar is, or the trouble."""
        words: cython.int = 0
        j: cython.Py_ssize_t
        start: cython.Py_ssize_t = i
        colon: cython.bint
        self.weights[r] = 1.0
        self.label_at = self.label_end = i
        while buf[i] != 124:
            if buf[i] < 32 and buf[i] != 9:
                if buf[i] == 10 or (buf[i] == 13 and buf[i + 1] == 10):
                    self.status = _NO_BAR
                    return start
                self.status = _BAD_BYTE
                return i
            if buf[i] <= 32:
                i += 1
                continue
            j = i
            colon = False
            while not _ends_word(buf[j]):
                colon |= buf[j] == 58 or buf[j] == 44
                j += 1
            if buf[j] == 124:  # a tag
                i = j
                continue
            if buf[i] == 39:  # a quoted tag: nothing but blanks may follow
                while buf[j] == 32 or buf[j] == 9:
                    j += 1
                if buf[j] >= 32 and buf[j] != 124:
                    self.status = _BAD_HEAD
                    return i
                i = j
                continue
            words += 1
            if colon:
                self.status = _SEVERAL_LABELS
            elif words == 1:
                self.label_at = i
                self.label_end = j
            elif words > 2:
                self.status = _BAD_HEAD
            elif _number(buf, i, self.weights, r) < 0 or not self.weights[r] > 0:
                self.status = _BAD_WEIGHT
            if self.status != 0:
                return i
            i = j
        if words == 0 and not self.unlabelled_ok:
            self.status = _NO_LABEL
            return start
        if not self.weighted and self.weights[r] != 1.0:
            self.weighted = True
            for j in range(r):
                self.weights[j] = 1.0
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _no_namespace(self) -> cython.void:
        self.scale = 1.0
        self.space = self.width = self.over = 0
        self.prefix = self.prefix_end = self.rest = 0
        self.begun = _SEED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _namespace(self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The namespace behind the bar buf[i - 1]; where it ends, or the trouble."""
        bits: cython.ulonglong = 0
        k: cython.Py_ssize_t = 8
        left: cython.Py_ssize_t
        self._no_namespace()
        self.space = i
        while k == 8:
            bits |= word_at(buf, i) & _TOPS
            k = stop(word_at(buf, i))
            i += k
        left = i - self.space
        if bits != 0 and not is_utf8(buf, self.space, i):
            self.status = _BAD_SPACE
            return self.space
        if buf[i] == 58:
            if left == 0:
                self.status = _BAD_SPACE
                return i
            i = _number(buf, i + 1, self.values, self.base + self.found)
            if i < 0:
                self.status = _BAD_SCALE
                return self.space
            self.scale = self.values[self.base + self.found]
        if left == 0:
            return i
        self.width = left + 1
        self.prefix = low(word_at(buf, self.space), left)
        if left > 8:
            self.prefix_end = low(word_at(buf, self.space + 8), left - 8) | (
                _CARET << (8 * (left - 8)) if left < 16 else 0
            )
        elif left == 8:
            self.prefix_end = _CARET
        else:
            self.prefix |= _CARET << (8 * left)
        k = self.space
        while left >= 8:
            self.begun = mixed(self.begun ^ word_at(buf, k))
            k += 8
            left -= 8
        self.rest = low(word_at(buf, k), left) | (_CARET << (8 * left))
        self.over = left + 1
        if self.over == 8:
            self.begun = mixed(self.begun ^ self.rest)
            self.rest = 0
            self.over = 0
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _words(
        self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, size: cython.Py_ssize_t, n: cython.Py_ssize_t
    ) -> cython.void:
        """The words of name n of the batch, which has a namespace before it or is longer than sixteen bytes."""
        w: cython.Py_ssize_t = self.width
        k: cython.Py_ssize_t
        left: cython.Py_ssize_t
        x: cython.ulonglong = low(word_at(buf, i), size)
        y: cython.ulonglong = low(word_at(buf, i + 8), size - 8) if size > 8 else 0
        if w + size <= 16:
            if 0 < w < 8:
                y = (x >> (64 - 8 * w)) | ((y << (8 * w)) & _ALL64)
                x = self.prefix | ((x << (8 * w)) & _ALL64)
            elif w > 0:
                y = self.prefix_end | ((x << (8 * (w - 8))) & _ALL64)
                x = self.prefix
        else:
            left = self.over + size
            if left <= 8:
                y = self.rest | ((x << (8 * self.over)) & _ALL64)
                x = mixed(self.begun ^ y)
            else:
                x = mixed(self.begun ^ (self.rest | ((word_at(buf, i) << (8 * self.over)) & _ALL64)))
                k = i + 8 - self.over
                left -= 8
                while left > 8:
                    x = mixed(x ^ word_at(buf, k))
                    k += 8
                    left -= 8
                y = low(word_at(buf, k), left)
                x = mixed(x ^ y)
        self.table.first[n] = x
        self.table.second[n] = y

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _scan(self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Entries, as many as the batch has room for, with the words and hashes of their names.

        Where to go on comes back, or where the trouble is; state of the row: `finished`.
        """
        n: cython.Py_ssize_t = self.found
        size: cython.Py_ssize_t
        k: cython.Py_ssize_t
        start: cython.Py_ssize_t
        p: cython.Py_ssize_t
        v: cython.double
        c: cython.uchar
        hash: cython.ulonglong
        while n < _BATCH:
            c = buf[i]
            if c == 32 or c == 9:
                i += 1
                continue
            if c < 32:
                self.finished = True
                if c == 13 and buf[i + 1] == 10:
                    i += 1
                elif c != 10:
                    self.status = _BAD_BYTE
                break
            if c == 124:
                self.found = n
                i = self._namespace(buf, i + 1)
                if self.status != 0:
                    break
                continue
            # A name, then perhaps a value.
            start = i
            size = _name_stop(buf, i)
            if size == 0:
                self.status = _BAD_NAME
                break
            if self.width == 0 and size < 16:
                self.table.first[n] = first_word(word_at(buf, i), size)
                self.table.second[n] = second_word(word_at(buf, i + 8), size)
            else:
                k = stop(word_at(buf, i + size)) if size == 16 else 0
                while k == 8:
                    size += 8
                    k = stop(word_at(buf, i + size))
                size += k
                self._words(buf, i, size, n)
            hash = name_hash(self.table.first[n], self.table.second[n], self.width + size)
            self.table.hashes[n] = hash
            if cython.compiled:  # its cell is on its way while the next names are read
                mb_prefetch(cython.address(self.table.cells[hash >> (64 - self.table.bits)]))
            self.spans[n] = (cython.cast(cython.ulonglong, i) << 32) | size
            self.spaces[n] = (cython.cast(cython.ulonglong, self.space) << 32) | self.width
            i += size
            p = self.base + n
            v = self.scale
            if buf[i] == 58:
                i += 1
                if buf[i] == 49 and _ends_word(buf[i + 1]):
                    i += 1
                else:
                    k = _value(buf, i, self.values, p)
                    i = k if k != 0 else _number(buf, i, self.values, p)
                    v = self.values[p] * self.scale
                    if i < 0 or v - v != 0:
                        i = start
                        self.status = _BAD_VALUE
                        break
            if v != 1.0 and not self.real:
                self._make_real(p)
            if self.real:
                self.values[p] = v
            n += 1
        self.found = n
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _make_real(self, count: cython.Py_ssize_t) -> cython.void:
        """The first value other than 1: those before it are written out."""
        k: cython.Py_ssize_t
        self.real = True
        for k in range(count):
            self.values[k] = 1.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(
        self, buf: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, stop: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The places of names start .. stop-1 of the batch become the keys of entries of the row that comes next.

        0, or where the trouble is.  A name that stands there again adds its value to the first.
        """
        out: cython.Py_ssize_t = self.entries
        first: cython.Py_ssize_t = self.indptr[self.rows]
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        name: cython.Py_ssize_t
        for k in range(start, stop):
            name = self.table.found[k]
            if (
                self.table.records[4 * name] != self.table.first[k]
                or self.table.records[4 * name + 1] != self.table.second[k]
                or self.table.hashes[k] & 1
                or name == 0
            ):
                j = self.spans[k] >> 32
                name = 1 + self.table.place_of(k, buf, j, self.spans[k] & 0x7FFFFFFF, self.spaces[k])
                if name <= 0:
                    self.status = _NAMES_FULL if name == 0 else _BAD_NAME
                    return j
            j = self.table.records[4 * name + 2]
            if first <= j < out and self.keys[j] == cython.cast(cython.ulonglong, name - 1):
                if not self.real:
                    self._make_real(self.base + self.found)
                self.values[j] += self.values[self.base + k]
                if self.values[j] - self.values[j] != 0:
                    self.status = _BAD_SUM
                    return 0
                continue
            self.table.records[4 * name + 2] = out
            self.keys[out] = name - 1
            if self.real:
                self.values[out] = self.values[self.base + k]
            out += 1
        self.entries = out
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _label(
        self, buf: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The number of the label buf[start:end], -1 where it is empty; any other negative number is a status, negated.

        The last two labels are known by their bytes: eight hold a label of up to seven, and its length.
        """
        x: cython.ulonglong = 0
        size: cython.Py_ssize_t = end - start
        label: cython.Py_ssize_t
        if size == 0:
            return -1
        if size < 8:
            x = low(word_at(buf, start), size) | (cython.cast(cython.ulonglong, size) << 60)
        if x == self.recent and x != 0:
            return self.recent_label
        if x == self.older and x != 0:
            return self.older_label
        label = place_label(buf, start, end, self.label_texts, self.label_ends, self.label_slots, self.labels)
        self.labels += label == self.labels
        self.older = self.recent
        self.older_label = self.recent_label
        self.recent = x
        self.recent_label = label
        return label

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_back(self, w: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """There is trouble in row w of the batch, `offset` bytes behind the start of its line: where that starts."""
        self.real = self.flags[w] & 1
        self.weighted = self.flags[w] > 1
        self.entries = self.base = self.indptr[self.rows]
        self.found = self.waiting = 0
        self.line = self.lines_before[w]
        self.state[7] = offset if offset > 0 else 0
        return self.starts[w]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _end_row(
        self, buf: cython.const[cython.uchar][::1], w: cython.Py_ssize_t, trouble: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Now that all entries of row w of the batch have places, its label counts; where the trouble is."""
        label: cython.Py_ssize_t
        if self.status == 0:
            trouble = self.label_spans[w] >> 32
            label = self._label(buf, trouble, self.label_spans[w] & 0x7FFFFFFF)
            if label < -1:
                self.status = cython.cast(cython.int, -label)
            else:
                self.tokens[self.rows] = cython.cast(cython.int, label)
                self.lines[self.rows] = self.lines_before[w] + 1
                self.rows += 1
                self.indptr[self.rows] = self.entries
        return trouble

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _end_batch(self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The rows of the batch are done; i, or the start of the first line with trouble."""
        w: cython.Py_ssize_t
        names: cython.Py_ssize_t
        trouble: cython.Py_ssize_t
        self.table.look_up(self.found)
        for w in range(self.waiting):
            if self.entries < self.base + self.firsts[w]:  # a name stood twice in a row before: its value is not 1
                self.flags[w] |= 1
            names = self.table.count
            trouble = self._place(buf, self.firsts[w], self.firsts[w + 1] if w + 1 < self.waiting else self.found)
            trouble = self._end_row(buf, w, trouble)
            if self.status != 0:
                self.table.forget(names)
                return self._take_back(w, trouble - self.starts[w])
        self.base = self.entries
        self.found = self.waiting = 0
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _wide_row(self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The rest of a row that has more entries than a batch; where its line ends, or where it starts."""
        names: cython.Py_ssize_t = self.table.count
        trouble: cython.Py_ssize_t = 0
        while True:
            self.table.look_up(self.found)
            trouble = self._place(buf, 0, self.found)
            if self.status != 0 or self.finished:
                break
            self.base = self.entries
            self.found = 0
            i = trouble = self._scan(buf, i)
            if self.status != 0:
                break
        trouble = self._end_row(buf, 0, trouble)
        if self.status != 0:
            self.table.forget(names)
            return self._take_back(0, trouble - self.starts[0])
        self.base = self.entries
        self.found = 0
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _row(
        self, buf: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, i: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """A row, written at buf[i] in the line from `start` on, goes to the batch, or after the batch when it is wide.

        Where the next line starts, or the first one with trouble.
        """
        w: cython.Py_ssize_t = self.waiting
        status: cython.int
        self.starts[w] = start
        self.firsts[w] = self.found
        self.lines_before[w] = self.line
        self.flags[w] = self.real + 2 * self.weighted
        i = self._head(buf, i, self.rows + w)
        self.label_spans[w] = (cython.cast(cython.ulonglong, self.label_at) << 32) | self.label_end
        self._no_namespace()
        self.finished = False
        if self.status == 0:
            i = self._scan(buf, i)
        status = self.status
        if status == 0 and w == 0 and not self.finished:
            i = self._wide_row(buf, i)
        elif status == 0 and self.finished:
            self.waiting += 1
        else:  # the rows before it come first
            self.found = self.firsts[w]
            self.real = self.flags[w] & 1
            self.weighted = self.flags[w] > 1
            self.status = 0
            i -= start
            start = self._end_batch(buf, start)
            if self.status == 0 and status != 0:
                self.status = status
                self.state[7] = i if i > 0 else 0
            return start
        if self.status != 0:
            return i
        self.line += 1
        return i + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _parse(self, buf: cython.const[cython.uchar][::1], end: cython.Py_ssize_t) -> cython.int:
        i: cython.Py_ssize_t = self.state[0]
        start: cython.Py_ssize_t
        self.line = self.state[1]
        self.rows = self.state[2]
        self.base = self.entries
        self.found = self.waiting = 0
        self.status = 0
        while i < end and self.status == 0:
            start = i
            while buf[i] == 32 or buf[i] == 9:
                i += 1
            if buf[i] == 10 or (buf[i] == 13 and buf[i + 1] == 10):
                i += 1 + (buf[i] == 13)
                self.line += 1
                continue
            i = self._row(buf, start, i)
            if self.found > _ENOUGH or self.waiting == _ROWS:
                i = self._end_batch(buf, i)
        if self.status == 0:
            i = self._end_batch(buf, i)
        self.state[0] = i
        self.state[1] = self.line
        self.state[2] = self.rows
        self.state[3] = self.entries
        self.state[4] = self.labels
        self.state[5] = self.real
        self.state[6] = self.weighted
        self.state[8] = self.table.count
        return self.status

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits(self, size: cython.Py_ssize_t) -> cython.bint:
        """Whether so many bytes of text have room: a row takes 2 of them, an entry 2."""
        r: cython.Py_ssize_t = self.state[2] + size // 2
        p: cython.Py_ssize_t = self.state[3] + size // 2
        n: cython.Py_ssize_t = len(self.label_slots)
        if self.state[2] < 0 or self.state[3] < 0 or self.state[4] != self.labels or self.state[8] != self.table.count:
            return False
        if r > len(self.tokens) or r > len(self.lines) or r >= len(self.weights) or r >= len(self.indptr):
            return False
        if p >= len(self.keys) or p >= len(self.values) or self.indptr[self.state[2]] != self.state[3]:
            return False
        if self.labels >= len(self.label_ends) or n < 2 * len(self.label_ends) - 2 or n & (n - 1):
            return False
        return len(self.label_texts) >= self.label_ends[self.labels] + size

    def parse(self, text: cython.const[cython.uchar][::1], end: cython.Py_ssize_t, unlabelled_ok: cython.bint):
        # type: (Buffer, int, bool) -> int
        """Parse the lines text[state[POS]:end] into rows state[ROWS], ...; OK, or why it stopped at state[POS]."""
        status: cython.int
        if end < 0 or self.state[0] < 0 or self.state[0] > end or len(text) < end + SLACK or end > 0x7FFFFF00:
            return CAPACITY
        if (end > 0 and text[end - 1] != 10) or not self._fits(end - self.state[0]):
            return CAPACITY
        self.unlabelled_ok = unlabelled_ok
        self.real = self.state[5]
        self.weighted = self.state[6]
        self.entries = self.state[3]
        with cython.nogil:
            status = self._parse(text, end)
        return status
