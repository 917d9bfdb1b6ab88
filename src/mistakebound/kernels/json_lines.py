"""JSON lines -> compressed sparse rows over places in a list of the block's distinct names.

An object a line.  What is usual is done here; a line with anything else in it (an error, a list of objects, a number
that has to be spelled anew, ...) is left to Python with the status HARD, and comes back by `add`.

Members are known by their *paths*: a path is a name within the object of another path.  A text is looked up by its path
and its bytes as they are written, a *pair*; only a new pair is unescaped and becomes a name, `path=text`.  Most objects
have the members of the one before in the same order, so that a path is found by a comparison with the one that came
next last time.  Paths, pairs and names lie in one hash: cells of two words, a hash and `generation << 32 | number << 2
| kind`, at least half of them empty; a cell of another generation is empty, so that nobody has to clear a table.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

from array import array

if cython.compiled:
    from cython.cimports.mistakebound.kernels._bytes import copy_bytes, digits_at, same_bytes, word_at
    from cython.cimports.mistakebound.kernels._digits import power_of_ten, scaled
    from cython.cimports.mistakebound.kernels._words import low, mixed, quote_stop
    from cython.cimports.mistakebound.kernels.json_texts import is_repr, stripped, unescape
    from cython.cimports.mistakebound.kernels.labels import is_utf8, place_label
    from cython.cimports.mistakebound.kernels.number import decimal
    from cython.cimports.mistakebound.kernels.patterns import is_program, matches
else:
    from mistakebound.kernels._bytes import copy_bytes, digits_at, same_bytes, word_at
    from mistakebound.kernels._digits import power_of_ten, scaled
    from mistakebound.kernels._words import low, mixed, quote_stop
    from mistakebound.kernels.json_texts import is_repr, stripped, unescape
    from mistakebound.kernels.labels import is_utf8, place_label
    from mistakebound.kernels.number import decimal
    from mistakebound.kernels.patterns import is_program, matches

OK = 0
HARD = 1  # the line at POS is left to Python
LABELS_FULL = 8  # no room for one more distinct label: hand on the rows so far, then `clear` and go on
CAPACITY = 9  # the buffers do not fit together
NAMES_FULL = 10  # no room for one more name: likewise

# Places in `state`; the first ones as in the libsvm parser.
POS = 0  # where the next line starts in the text
LINE = 1  # lines before it, rows or not
ROWS = 2
ENTRIES = 3
LABELS = 4
REAL = 5  # 1 when some value is not 1, so that `values` counts
WEIGHTED = 6  # 1 when some weight is not 1, so that `weights` counts
NAMES = 8

# What a member's name makes of it, as bits.
LABEL = 1
WEIGHT = 2
NOMINAL = 4  # numbers are texts
NUMERIC = 8  # texts are numbers
OTHER = 16  # for Python, whatever it is
IGNORED = 32  # nothing is made of it, nor of what is in it
DATE = 64  # texts are dates, the year first: month, day of the week and hour
BIN_SHIFT = 8  # numbers become bins: the number of their cuts, from 1, times 2**BIN_SHIFT

_WORDS = b" month= weekday= hour=SunMonTueWedThuFriSat" + bytes(8)
_MONTH = cython.declare(cython.Py_ssize_t, 0)  # where the words begin
_WEEKDAY = cython.declare(cython.Py_ssize_t, 7)
_HOUR = cython.declare(cython.Py_ssize_t, 16)
_DAYS = cython.declare(cython.Py_ssize_t, 22)

# Numbers that are kept of each path, pair and name.
PATH_WIDTH = 16
PAIR_WIDTH = 4
NAME_WIDTH = 4
GENERATIONS = (1 << 30) - 64  # that there may be; a block needs one, and one more each time that the hash grows

_DEEPEST = cython.declare(cython.int, 64)
_SEED = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)

# Of a path: where its name within its object is written, with the quote behind it, and how long that is; the object's
# path; the path whose name is the same when both are unescaped (itself mostly); what its name makes of it; the
# place of its attribute, or -1; the last row that had it; the path that came next last time, and the first in its
# object; where its whole name lies in `path_names`, and its own; whether a name before that has a dot; its hash, and
# the hash of its name unescaped.
_AT = cython.declare(cython.int, 0)
_SIZE = cython.declare(cython.int, 1)
_OUTER = cython.declare(cython.int, 2)
_SAME = cython.declare(cython.int, 3)
_ROLE = cython.declare(cython.int, 4)
_PLACE = cython.declare(cython.int, 5)
_SEEN = cython.declare(cython.int, 6)
_NEXT = cython.declare(cython.int, 7)
_FIRST = cython.declare(cython.int, 8)
_START = cython.declare(cython.int, 9)
_END = cython.declare(cython.int, 10)
_DOTTED = cython.declare(cython.int, 11)
_HASH = cython.declare(cython.int, 12)
_PLAIN_HASH = cython.declare(cython.int, 13)
_OWN = cython.declare(cython.int, 14)

_PATHS = cython.declare(cython.ulonglong, 0)  # kinds in the hash
_PAIRS = cython.declare(cython.ulonglong, 1)
_NAMES = cython.declare(cython.ulonglong, 2)
_ESCAPED = cython.declare(cython.ulonglong, 3)  # the first path of its name, by the name unescaped

_IS_LABEL = cython.declare(cython.longlong, 1)
_IS_WEIGHT = cython.declare(cython.longlong, 2)
_IS_NOMINAL = cython.declare(cython.longlong, 4)
_IS_ODD = cython.declare(cython.longlong, 8 + 16)
_IS_IGNORED = cython.declare(cython.longlong, 32)
_IS_NUMERIC = cython.declare(cython.longlong, 8)
_IS_DATE = cython.declare(cython.longlong, 64)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _hash(
    buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, size: cython.Py_ssize_t, seed: cython.ulonglong
) -> cython.ulonglong:
    """63 bits."""
    while size > 8:
        seed = mixed(seed ^ word_at(buf, i))
        i += 8
        size -= 8
    return mixed(seed ^ low(word_at(buf, i), size)) >> 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _blanks(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Where the white space at buf[i:] ends; a newline does not count."""
    while buf[i] == 32 or buf[i] == 9 or buf[i] == 13:
        i += 1
    return i


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _text_end(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Where the quote is that closes a text from buf[i] on; -1: a control character comes before it."""
    k: cython.Py_ssize_t
    while True:
        k = quote_stop(word_at(buf, i))
        i += k
        if k == 8:
            continue
        if buf[i] == 34:
            return i
        if buf[i] != 92 or buf[i + 1] < 32:
            return -1
        i += 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _number(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    values: cython.double[::1],
    p: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The number at buf[i:] into values[p]; where it ends, or -1: it is invalid, not finite, or the whole number -0."""
    minus: cython.Py_ssize_t = buf[i] == 45
    start: cython.Py_ssize_t = i + minus
    whole: cython.ulonglong = digits_at(buf, start)
    part: cython.ulonglong
    k: cython.Py_ssize_t = whole & 15
    j: cython.Py_ssize_t = start + k
    v: cython.double
    if k == 0 or (k > 1 and buf[start] == 48):
        return -1
    if k < 8:
        if buf[j] == 46:
            part = digits_at(buf, j + 1)
            k = part & 15
            if k == 0:
                return -1
            if k < 8 and (buf[j + 1 + k] | 32) != 101:
                v = scaled(
                    (whole >> 4) * power_of_ten(part & 15) + (part >> 4), -cython.cast(cython.longlong, part & 15)
                )
                values[p] = -v if minus else v
                return j + 1 + k
        elif (buf[j] | 32) != 101:
            v = whole >> 4
            values[p] = -v if minus else v
            return -1 if minus and v == 0 else j
    while 48 <= buf[j] <= 57:
        j += 1
    if buf[j] == 46 and (buf[j + 1] < 48 or buf[j + 1] > 57):
        return -1
    return decimal(buf, i, values, p)


@cython.cfunc
@cython.exceptval(check=False)
def _put_bytes(
    data: cython.const[cython.uchar][::1], out: cython.uchar[::1], at: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """All of them to out[at:]; where they end."""
    k: cython.Py_ssize_t
    for k in range(len(data)):
        out[at + k] = data[k]
    return at + len(data)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_false(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.bint:
    return buf[i + 1] == 97 and buf[i + 2] == 108 and buf[i + 3] == 115 and buf[i + 4] == 101


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_usual(role: cython.longlong, c: cython.uchar) -> cython.bint:
    """Whether a numeric member whose value begins with c can be read here: a number, in quotes or not, a null, a list
    or an object."""
    if role & 16:
        return False
    if c == 34 or c == 45 or 48 <= c <= 57:
        return not role & _IS_NOMINAL
    return c == 110 or c == 91 or c == 123


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _two(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.int:
    """The number of the two digits buf[i:i + 2]; -1: they are none."""
    if 48 <= buf[i] <= 57 and 48 <= buf[i + 1] <= 57:
        return 10 * (buf[i] - 48) + buf[i + 1] - 48
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _days(year: cython.int, month: cython.int) -> cython.int:
    """How many days a month has."""
    if month == 2:
        return 29 if (year % 4 == 0 and year % 100 != 0) or year % 400 == 0 else 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _weekday(year: cython.int, month: cython.int, day: cython.int) -> cython.int:
    """The day of the week, from 0 for Sunday (Zeller's congruence, with March as the first month of a year)."""
    if month < 3:
        month += 12
        year -= 1
    return (day + 13 * (month + 1) // 5 + year + year // 4 - year // 100 + year // 400 + 6) % 7


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _clock_end(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Where seconds, their fraction and a zone (Z or +01:00) end that may stand at buf[i:], behind hour and minute."""
    if buf[i] == 58 and _two(buf, i + 1) >= 0:
        i += 3
        if buf[i] == 46 and 48 <= buf[i + 1] <= 57:
            i += 1
            while 48 <= buf[i] <= 57:
                i += 1
    if buf[i] == 90:
        return i + 1
    if (buf[i] == 43 or buf[i] == 45) and _two(buf, i + 1) >= 0:
        if buf[i + 3] == 58 and _two(buf, i + 4) >= 0:
            return i + 6
        if _two(buf, i + 3) >= 0:
            return i + 5
    return i


@cython.final
@cython.cclass
class JsonRows:
    """The buffers of a block, and what is known of its members and names."""

    indptr: cython.longlong[::1]
    keys: cython.ulonglong[::1]
    values: cython.double[::1]
    weights: cython.double[::1]
    tokens: cython.int[::1]
    lines: cython.longlong[::1]
    label_texts: cython.uchar[::1]
    label_ends: cython.longlong[::1]
    label_slots: cython.int[::1]
    names: cython.uchar[::1]
    name_ends: cython.longlong[::1]
    path_names: cython.uchar[::1]
    cells: cython.ulonglong[::1]
    paths: cython.longlong[::1]
    pairs: cython.longlong[::1]
    facts: cython.longlong[::1]
    role_names: cython.const[cython.uchar][::1]
    role_ends: cython.const[cython.longlong][::1]
    roles: cython.const[cython.longlong][::1]
    cuts: cython.const[cython.double][::1]
    cut_ends: cython.const[cython.longlong][::1]
    bin_names: cython.const[cython.uchar][::1]
    bin_ends: cython.const[cython.longlong][::1]
    binned: cython.longlong[::1]
    ignored: cython.const[cython.int][::1]
    words: cython.const[cython.uchar][::1]
    state: cython.longlong[::1]
    weights_wanted: cython.bint
    bits: cython.int
    generation: cython.ulonglong
    serial: cython.longlong
    path_count: cython.Py_ssize_t
    pair_count: cython.Py_ssize_t
    name_count: cython.Py_ssize_t
    path_tail: cython.Py_ssize_t
    escaped_count: cython.Py_ssize_t
    kept_paths: cython.Py_ssize_t
    kept_pairs: cython.Py_ssize_t
    kept_names: cython.Py_ssize_t
    label_count: cython.Py_ssize_t
    entries: cython.Py_ssize_t  # of the rows so far and of the one that is read
    found: cython.Py_ssize_t
    label_at: cython.Py_ssize_t  # where the label of the row is written
    label_end: cython.Py_ssize_t
    recent: cython.ulonglong  # the last two labels, as bytes with their number
    older: cython.ulonglong
    recent_label: cython.Py_ssize_t
    older_label: cython.Py_ssize_t
    weight: cython.double  # of the row; -1: it has none
    real: cython.bint  # the row has a value other than 1
    unlabelled_ok: cython.bint

    def __init__(self, rows, labels, names, tables, state):
        # type: (tuple[Ints, Ints, Floats, Floats, Ints, Ints], tuple[Buffer, Ints, Ints], tuple[Buffer, Ints, Buffer], tuple[Ints, Ints, Ints, Ints], Ints) -> None
        self.indptr, self.keys, self.values, self.weights, self.tokens, self.lines = rows
        self.label_texts, self.label_ends, self.label_slots = labels
        self.names, self.name_ends, self.path_names = names
        self.cells, self.paths, self.pairs, self.facts = tables
        self.state = state
        self.words = _WORDS
        self.bits = 3
        self.generation = 0
        self.serial = 0
        self.path_count = self.pair_count = self.name_count = self.escaped_count = 0

    def set_roles(self, roles, bins, ignored):
        # type: (tuple[Buffer, Ints, Ints], tuple[Floats, Ints, Buffer, Ints], Ints) -> None
        """Before a block begins: (names, their ends, what each makes of a member), each buffer 8 bytes longer.

        `bins` is (cuts, ends of those of each number, names of the bins, their ends): one bin more than cuts each.
        `ignored` is a program of patterns (kernels/patterns.py): members that one of them fits make nothing.
        """
        self.ignored = ignored
        self.role_names, self.role_ends, self.roles = roles
        self.cuts, self.cut_ends, self.bin_names, self.bin_ends = bins
        self.binned = array("q", bytes(8 * len(self.cut_ends)))
        self.weights_wanted = any(role & WEIGHT for role in roles[2])

    def more_names(self, names):  # type: (Buffer) -> None
        """A larger buffer for names, of which there must be none yet."""
        self.names = names

    def ignored_names(self):  # type: () -> list[bytes]
        """The names of the members of this block that are ignored, and of those in them."""
        k: cython.Py_ssize_t
        found = []
        for k in range(1, self.path_count):
            if self.paths[16 * k + _ROLE] & IGNORED:
                found.append(bytes(self.path_names[self.paths[16 * k + _START] : self.paths[16 * k + _END]]))
        return found

    def clear(self):  # type: () -> bool
        """Begin a block: no rows, labels and names.  False when the buffers have to be made anew, or do not fit."""
        k: cython.Py_ssize_t
        if self.generation >= GENERATIONS or len(self.paths) < 2 * PATH_WIDTH or len(self.cells) < 16:
            return False
        if len(self.state) < 9 or len(self.names) < 32 or len(self.path_names) < 32 or len(self.label_ends) < 2:
            return False
        if len(self.indptr) < 2 or len(self.name_ends) < 2 or not self._roles_fit():
            return False
        self.generation += 1
        for k in range(2, 7):
            self.state[k] = 0
        self.state[8] = 0
        self.indptr[0] = self.label_ends[0] = self.name_ends[0] = 0
        for k in range(len(self.label_slots)):
            self.label_slots[k] = 0
        self.label_count = self.recent_label = self.older_label = 0
        self.recent = self.older = 0
        self.pair_count = self.name_count = self.escaped_count = 0
        self.path_count = 1  # of the object of the line
        self.path_tail = 0
        for k in range(PATH_WIDTH):
            self.paths[k] = 0
        self.paths[_FIRST] = self.paths[_NEXT] = -1
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def _roles_fit(self) -> cython.bint:
        count: cython.Py_ssize_t = len(self.cut_ends) - 1
        k: cython.Py_ssize_t
        if len(self.role_ends) != len(self.roles) + 1 or count < 0 or self.cut_ends[count] != len(self.cuts):
            return False
        if len(self.bin_ends) != len(self.cuts) + count + 1 or not is_program(self.ignored):
            return False
        for k in range(len(self.roles)):
            if self.role_ends[k + 1] + 8 > len(self.role_names) or self.roles[k] >> BIN_SHIFT > count:
                return False
        return self.bin_ends[len(self.bin_ends) - 1] + 8 <= len(self.bin_names)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(
        self, h: cython.ulonglong, x: cython.ulonglong, kind: cython.ulonglong, number: cython.Py_ssize_t
    ) -> cython.bint:
        """Fill the empty cell h; false when there would be no room to grow."""
        entered: cython.Py_ssize_t
        self.cells[2 * h] = x
        self.cells[2 * h + 1] = (self.generation << 32) | (cython.cast(cython.ulonglong, number) << 2) | kind
        entered = self.path_count + self.pair_count + self.name_count + self.escaped_count
        if 2 * entered < (cython.cast(cython.Py_ssize_t, 1) << self.bits):
            return True
        return self._grow()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _grow(self) -> cython.bint:
        """A hash of twice the size, what the present line has entered last: then it can be taken out again."""
        if (cython.cast(cython.Py_ssize_t, 4) << self.bits) > len(self.cells):
            return False
        self.bits += 1
        self.generation += 1
        self._fill(1, self.kept_paths, 0, self.kept_pairs, 0, self.kept_names)
        self._fill(self.kept_paths, self.path_count, self.kept_pairs, self.pair_count, self.kept_names, self.name_count)
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_first_escaped(self, path: cython.Py_ssize_t) -> cython.bint:
        k: cython.Py_ssize_t = 16 * path
        return self.paths[k + _SAME] == path and self.paths[k + _HASH] != self.paths[k + _PLAIN_HASH]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill(
        self,
        path: cython.Py_ssize_t,
        last_path: cython.Py_ssize_t,
        pair: cython.Py_ssize_t,
        last_pair: cython.Py_ssize_t,
        name: cython.Py_ssize_t,
        last_name: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        k: cython.Py_ssize_t
        for k in range(path, last_path):
            self._put(self.paths[16 * k + _HASH], _PATHS, k)
            if self._is_first_escaped(k):
                self._put(self.paths[16 * k + _PLAIN_HASH], _ESCAPED, k)
        for k in range(pair, last_pair):
            self._put(self.pairs[4 * k + 3], _PAIRS, k)
        for k in range(name, last_name):
            self._put(self.facts[4 * k + 2], _NAMES, k)
        return 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(self, written: cython.longlong, kind: cython.ulonglong, number: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Fill the first empty cell."""
        x: cython.ulonglong = cython.cast(cython.ulonglong, written)
        mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << self.bits) - 1
        h: cython.ulonglong = x >> (63 - self.bits)
        while (self.cells[2 * h + 1] >> 32) == self.generation:
            h = (h + 1) & mask
        self.cells[2 * h] = x
        self.cells[2 * h + 1] = (self.generation << 32) | (cython.cast(cython.ulonglong, number) << 2) | kind
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_out(
        self, written: cython.longlong, kind: cython.ulonglong, number: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Empty a cell.  Gaps before it do not end the search: others that came with it may have been taken out."""
        x: cython.ulonglong = cython.cast(cython.ulonglong, written)
        mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << self.bits) - 1
        h: cython.ulonglong = x >> (63 - self.bits)
        tag: cython.ulonglong = (self.generation << 32) | (cython.cast(cython.ulonglong, number) << 2) | kind
        while self.cells[2 * h + 1] != tag:
            h = (h + 1) & mask
        self.cells[2 * h + 1] = 0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _forget(self) -> cython.Py_ssize_t:
        """Take out all that the present line has entered: whatever stays was entered before it."""
        k: cython.Py_ssize_t
        for k in range(self.kept_names, self.name_count):
            if self.facts[4 * k + 1] >= 0:
                self.paths[16 * self.facts[4 * k + 1] + _PLACE] = -1
            self._take_out(self.facts[4 * k + 2], _NAMES, k)
        for k in range(self.kept_pairs, self.pair_count):
            self._take_out(self.pairs[4 * k + 3], _PAIRS, k)
        for k in range(self.kept_paths, self.path_count):
            self._take_out(self.paths[16 * k + _HASH], _PATHS, k)
            if self._is_first_escaped(k):
                self._take_out(self.paths[16 * k + _PLAIN_HASH], _ESCAPED, k)
                self.escaped_count -= 1
        if self.kept_paths < self.path_count:
            self.path_tail = self.paths[16 * self.kept_paths + _START]
        self.path_count = self.kept_paths
        self.pair_count = self.kept_pairs
        self.name_count = self.kept_names
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(self, tail: cython.Py_ssize_t, path: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place of the name names[name_ends[name_count]:tail], which is entered if it is new; -2: no room.

        A new one is the attribute of a path, or of none (-1).
        """
        start: cython.Py_ssize_t = self.name_ends[self.name_count]
        size: cython.Py_ssize_t = tail - start
        mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << self.bits) - 1
        x: cython.ulonglong = _hash(self.names, start, size, _SEED ^ cython.cast(cython.ulonglong, size))
        h: cython.ulonglong = x >> (63 - self.bits)
        tag: cython.ulonglong
        k: cython.Py_ssize_t
        while True:
            tag = self.cells[2 * h + 1]
            if (tag >> 32) != self.generation:
                break
            if self.cells[2 * h] == x and (tag & 3) == _NAMES:
                k = (tag >> 2) & 0x3FFFFFFF
                if self.name_ends[k + 1] - self.name_ends[k] == size:
                    if same_bytes(self.names, self.name_ends[k], self.names, start, size):
                        return k
            h = (h + 1) & mask
        k = self.name_count
        if 4 * k + 4 > len(self.facts) or k + 1 >= len(self.name_ends):
            return -2
        self.facts[4 * k] = -1
        self.facts[4 * k + 1] = path
        self.facts[4 * k + 2] = cython.cast(cython.longlong, x)
        self.name_count = k + 1
        self.name_ends[k + 1] = tail
        if not self._enter(h, x, _NAMES, k):
            return -2
        return k

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _role(
        self, start: cython.Py_ssize_t, end: cython.Py_ssize_t, outer: cython.longlong, dotted: cython.bint
    ) -> cython.longlong:
        """What the name path_names[start:end] makes of a member of an object that has a role of its own."""
        k: cython.Py_ssize_t
        role: cython.longlong = outer & _IS_IGNORED
        if len(self.ignored) > 0 and matches(self.path_names, start, end, self.ignored):
            role |= _IS_IGNORED
        for k in range(len(self.roles)):
            if self.role_ends[k + 1] - self.role_ends[k] == end - start:
                if same_bytes(self.role_names, self.role_ends[k], self.path_names, start, end - start):
                    role |= self.roles[k]
        if dotted:
            role &= ~(_IS_LABEL | _IS_WEIGHT)
        return role

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _path(
        self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t, outer: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The path of the member whose name is written as buf[i:j], with a quote at j; -1: it is hard, -2: no room."""
        size: cython.Py_ssize_t = j - i
        mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << self.bits) - 1
        x: cython.ulonglong = _hash(buf, i, size, mixed(_SEED + cython.cast(cython.ulonglong, outer)))
        h: cython.ulonglong = x >> (63 - self.bits)
        tag: cython.ulonglong
        k: cython.Py_ssize_t
        at: cython.Py_ssize_t
        while True:
            tag = self.cells[2 * h + 1]
            if (tag >> 32) != self.generation:
                break
            if self.cells[2 * h] == x and (tag & 3) == _PATHS:
                k = (tag >> 2) & 0x3FFFFFFF
                at = 16 * k
                if self.paths[at + _OUTER] == outer and self.paths[at + _SIZE] == size + 1:
                    if same_bytes(buf, self.paths[at + _AT], buf, i, size + 1):
                        return k
            h = (h + 1) & mask
        k = self._name_path(buf, i, j, outer)
        if k < 0:
            return k
        self.paths[16 * k + _HASH] = cython.cast(cython.longlong, x)
        self.path_count = k + 1
        if not self._enter(h, x, _PATHS, k):
            return -2
        return k if self._unify(k) else -2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _name_path(
        self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t, outer: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The number of a new path, all about it but its hash; -1: it is hard, -2: no room."""
        k: cython.Py_ssize_t = 16 * self.path_count
        above: cython.Py_ssize_t = 16 * outer
        start: cython.Py_ssize_t = self.path_tail
        own: cython.Py_ssize_t = start
        end: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.paths[above + _END] - self.paths[above + _START]
        escaped: cython.bint = False
        dotted: cython.bint = self.paths[above + _DOTTED] > 0
        if k + 16 > len(self.paths) or start + size + j - i + 32 > len(self.path_names):
            return -2
        if outer > 0:  # the name of the object, and a dot
            own = copy_bytes(self.path_names, self.paths[above + _START], size, self.path_names, start)
            self.path_names[own] = 46
            own += 1
        for end in range(i, j):
            escaped |= buf[end] == 92
        if escaped:
            end = unescape(buf, i, j, self.path_names, own)
        else:
            end = copy_bytes(buf, i, j - i, self.path_names, own)
        if end < 0 or not is_utf8(self.path_names, own, end):
            return -1
        self.paths[k + _AT] = i
        self.paths[k + _SIZE] = j - i + 1
        self.paths[k + _OUTER] = outer
        self.paths[k + _SAME] = self.path_count
        self.paths[k + _ROLE] = self._role(start, end, self.paths[above + _ROLE], dotted)
        self.paths[k + _PLACE] = self.paths[k + _NEXT] = self.paths[k + _FIRST] = -1
        self.paths[k + _SEEN] = 0
        self.paths[k + _START] = start
        self.paths[k + _END] = end
        self.paths[k + _OWN] = own
        self.paths[k + _PLAIN_HASH] = cython.cast(
            cython.longlong,
            _hash(self.path_names, own, end - own, mixed(_SEED + cython.cast(cython.ulonglong, outer))),
        )
        for size in range(own, end):
            dotted |= self.path_names[size] == 46
        self.paths[k + _DOTTED] = dotted
        self.path_tail = end
        return self.path_count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unify(self, path: cython.Py_ssize_t) -> cython.bint:
        """If an older path has the same name, one of the two written with escapes, it is the same; false: no room."""
        a: cython.Py_ssize_t = 16 * path
        b: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.paths[a + _END] - self.paths[a + _OWN]
        mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << self.bits) - 1
        x: cython.ulonglong = cython.cast(cython.ulonglong, self.paths[a + _PLAIN_HASH])
        h: cython.ulonglong = x >> (63 - self.bits)
        tag: cython.ulonglong
        escaped: cython.bint = self.paths[a + _HASH] != self.paths[a + _PLAIN_HASH]
        if not escaped and self.escaped_count == 0:
            return True
        while True:
            tag = self.cells[2 * h + 1]
            if (tag >> 32) != self.generation:
                break
            if self.cells[2 * h] == x and ((tag & 3) == _PATHS or (tag & 3) == _ESCAPED):
                b = 16 * ((tag >> 2) & 0x3FFFFFFF)
                if b != a and self.paths[b + _OUTER] == self.paths[a + _OUTER]:
                    if self.paths[b + _END] - self.paths[b + _OWN] == size:
                        if same_bytes(
                            self.path_names, self.paths[b + _OWN], self.path_names, self.paths[a + _OWN], size
                        ):
                            self.paths[a + _SAME] = self.paths[b + _SAME]
                            return True
            h = (h + 1) & mask
        if not escaped:
            return True
        self.escaped_count += 1
        return self._enter(h, x, _ESCAPED, path)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _number_place(self, path: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place of the attribute that has the path's name; -1: it has none, -2: no room."""
        k: cython.Py_ssize_t = 16 * path
        start: cython.Py_ssize_t = self.paths[k + _START]
        size: cython.Py_ssize_t = self.paths[k + _END] - start
        tail: cython.Py_ssize_t = self.name_ends[self.name_count]
        place: cython.Py_ssize_t
        if size == 0:
            return -1
        if tail + size + 32 > len(self.names):
            return -2
        place = self._place(copy_bytes(self.path_names, start, size, self.names, tail), path)
        if place < self.kept_names or (place >= 0 and self.facts[4 * place + 1] == path):
            self.paths[k + _PLACE] = place
        return place

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bin_place(self, number: cython.Py_ssize_t, v: cython.double) -> cython.Py_ssize_t:
        """The place of the bin of v; -1: the row has such a number already, -2: no room."""
        first: cython.Py_ssize_t = self.cut_ends[number]
        k: cython.Py_ssize_t = first
        tail: cython.Py_ssize_t = self.name_ends[self.name_count]
        size: cython.Py_ssize_t
        if self.binned[number] == self.serial:
            return -1
        self.binned[number] = self.serial
        while k < self.cut_ends[number + 1] and self.cuts[k] < v:
            k += 1
        k += number  # each number before has one bin more than cuts
        size = self.bin_ends[k + 1] - self.bin_ends[k]
        if tail + size + 32 > len(self.names):
            return -2
        return self._place(copy_bytes(self.bin_names, self.bin_ends[k], size, self.names, tail), -1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _text(
        self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t, at: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The text that is written as buf[i:j], with its first quote if it has one, to names[at:] without white space
        around it; where it ends, or -1: it is hard."""
        end: cython.Py_ssize_t
        k: cython.Py_ssize_t
        escaped: cython.bint = False
        if buf[i] != 34:
            return copy_bytes(buf, i, j - i, self.names, at)
        i += 1
        for k in range(i, j):
            escaped |= buf[k] == 92
        if escaped:
            end = unescape(buf, i, j, self.names, at)
        else:
            end = copy_bytes(buf, i, j - i, self.names, at)
        if end < 0 or not is_utf8(self.names, at, end):
            return -1
        return stripped(self.names, at, end)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pair(
        self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t, path: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The place of the attribute `path=text` of a value written as buf[i:j], with its first quote if it has one.

        -1: it is hard, -2: no room, -3: it is missing.
        """
        size: cython.Py_ssize_t = j - i
        mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << self.bits) - 1
        x: cython.ulonglong = _hash(buf, i, size, mixed(_SEED ^ (cython.cast(cython.ulonglong, path) << 1)))
        h: cython.ulonglong = x >> (63 - self.bits)
        tag: cython.ulonglong
        k: cython.Py_ssize_t
        at: cython.Py_ssize_t
        place: cython.Py_ssize_t
        span: cython.longlong = (cython.cast(cython.longlong, i) << 32) | size
        while True:
            tag = self.cells[2 * h + 1]
            if (tag >> 32) != self.generation:
                break
            if self.cells[2 * h] == x and (tag & 3) == _PAIRS:
                k = (tag >> 2) & 0x3FFFFFFF
                if self.pairs[4 * k + 1] == path and (self.pairs[4 * k] & 0xFFFFFFF) == size:
                    if same_bytes(buf, self.pairs[4 * k] >> 32, buf, i, size):
                        return self.pairs[4 * k + 2]
            h = (h + 1) & mask
        k = 16 * path
        at = self.name_ends[self.name_count]
        place = self.paths[k + _END] - self.paths[k + _START]
        if at + place + size + 32 > len(self.names):
            return -2
        at = copy_bytes(self.path_names, self.paths[k + _START], place, self.names, at)
        self.names[at] = 61
        at += 1
        place = self._text(buf, i, j, at)
        if place < 0:
            return -1
        if place == at or (place == at + 1 and self.names[at] == 63):
            place = -3
        else:
            place = self._place(place, -1)
            if place < 0:
                return place
            mask = (cython.cast(cython.ulonglong, 1) << self.bits) - 1  # the hash may have grown
            h = x >> (63 - self.bits)
            while (self.cells[2 * h + 1] >> 32) == self.generation:
                h = (h + 1) & mask
        k = self.pair_count
        if 4 * k + 4 > len(self.pairs):
            return -2
        self.pairs[4 * k] = span
        self.pairs[4 * k + 1] = path
        self.pairs[4 * k + 2] = place
        self.pairs[4 * k + 3] = cython.cast(cython.longlong, x)
        self.pair_count = k + 1
        if not self._enter(h, x, _PAIRS, k):
            return -2
        return place

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_entry(
        self, place: cython.Py_ssize_t, first: cython.Py_ssize_t, p: cython.Py_ssize_t, v: cython.double
    ) -> cython.Py_ssize_t:
        """Entry p of the row that begins with entry `first`: p + 1, or -1 when the row has the attribute already."""
        k: cython.Py_ssize_t = self.facts[4 * place]
        if first <= k < p and self.keys[k] == cython.cast(cython.ulonglong, place):
            return -1
        self.facts[4 * place] = p
        self.keys[p] = place
        self.values[p] = v
        return p + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _scalar(
        self,
        buf: cython.const[cython.uchar][::1],
        i: cython.Py_ssize_t,
        path: cython.Py_ssize_t,
        p: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """A value other than a text that becomes one, at buf[i]: where it ends, -1 when it is hard.

        self.found becomes the place of its attribute, or -3: it is missing, -2: no room.
        """
        c: cython.uchar = buf[i]
        j: cython.Py_ssize_t
        self.found = -3
        if c == 34:
            j = _text_end(buf, i + 1)
            if j < 0:
                return -1
            self.found = self._pair(buf, i, j, path)
            j += 1
        elif c == 110:
            return i + 4 if buf[i + 1] == 117 and buf[i + 2] == 108 and buf[i + 3] == 108 else -1
        else:
            j = self._literal_end(buf, i, p)
            if j < 0 or (c != 116 and c != 102 and not is_repr(buf, i, j)):
                return -1
            self.found = self._pair(buf, i, j, path)
        return -1 if self.found == -1 else j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _literal_end(
        self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, p: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Where true, false or a number ends, whose value goes to values[p]; -1: it is neither."""
        if buf[i] == 116:
            return i + 4 if buf[i + 1] == 114 and buf[i + 2] == 117 and buf[i + 3] == 101 else -1
        if buf[i] == 102:
            return i + 5 if _is_false(buf, i) else -1
        return _number(buf, i, self.values, p)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list(
        self,
        buf: cython.const[cython.uchar][::1],
        i: cython.Py_ssize_t,
        path: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """The list of texts and numbers that begins at buf[i]: where it ends, -1: it is hard, -2: no room."""
        p: cython.Py_ssize_t = self.entries
        start: cython.Py_ssize_t = p
        k: cython.Py_ssize_t
        i = _blanks(buf, i + 1)
        if buf[i] == 93:
            return i + 1
        while True:
            i = self._scalar(buf, i, path, p)
            if i < 0:
                return -1
            if self.found == -2:
                return -2
            if self.found >= 0:
                k = self.facts[4 * self.found]
                if not (start <= k < p and self.keys[k] == cython.cast(cython.ulonglong, self.found)):  # a set
                    p = self._add_entry(self.found, first, p, 1.0)
                    if p < 0:
                        return -1
            i = _blanks(buf, i)
            if buf[i] == 93:
                self.entries = p
                return i + 1
            if buf[i] != 44:
                return -1
            i = _blanks(buf, i + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _date(
        self,
        buf: cython.const[cython.uchar][::1],
        i: cython.Py_ssize_t,
        path: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """The text from buf[i] on, as 2024-01-28 or 2024-01-28T10:30:00Z: behind its quote, -1: hard, -2: no room.

        Whatever is written in another way is left to Python.
        """
        year: cython.int = 100 * _two(buf, i)
        month: cython.int
        day: cython.int
        hour: cython.int = -1
        at: cython.Py_ssize_t = i + 10
        if year < 0 or _two(buf, i + 2) < 0 or buf[i + 4] != 45 or buf[i + 7] != 45:
            return -1
        year += _two(buf, i + 2)
        month = _two(buf, i + 5)
        day = _two(buf, i + 8)
        if year < 1 or month < 1 or month > 12 or day < 1 or day > _days(year, month):
            return -1
        if buf[at] != 34:
            if (buf[at] != 32 and buf[at] != 84) or buf[at + 3] != 58 or _two(buf, at + 4) < 0:
                return -1
            hour = _two(buf, at + 1)
            at = _clock_end(buf, at + 6)
            if hour < 0 or hour > 23 or buf[at] != 34:
                return -1
        if not self._add_part(path, _MONTH, 7, month, first) or not self._add_part(
            path, _WEEKDAY, 9, -_weekday(year, month, day) - 1, first
        ):
            return self.found
        if hour >= 0 and not self._add_part(path, _HOUR, 6, hour, first):
            return self.found
        return at + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_part(
        self,
        path: cython.Py_ssize_t,
        word: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
        number: cython.int,
        first: cython.Py_ssize_t,
    ) -> cython.bint:
        """An entry `path word=number`, or where that is below 0 the day of the week -1 - number; else self.found."""
        k: cython.Py_ssize_t = 16 * path
        length: cython.Py_ssize_t = self.paths[k + _END] - self.paths[k + _START]
        at: cython.Py_ssize_t = self.name_ends[self.name_count]
        place: cython.Py_ssize_t
        self.found = -2
        if at + length + 48 > len(self.names):
            return False
        at = copy_bytes(self.path_names, self.paths[k + _START], length, self.names, at)
        at = copy_bytes(self.words, word, size, self.names, at)
        if number < 0:
            at = copy_bytes(self.words, _DAYS - 3 * (number + 1), 3, self.names, at)
        else:
            if number >= 10:
                self.names[at] = cython.cast(cython.uchar, 48 + number // 10)
                at += 1
            self.names[at] = cython.cast(cython.uchar, 48 + number % 10)
            at += 1
        place = self._place(at, -1)
        if place < 0:
            return False
        place = self._add_entry(place, first, self.entries, 1.0)
        self.found = -1
        if place < 0:
            return False
        self.entries = place
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ignore(
        self,
        buf: cython.const[cython.uchar][::1],
        i: cython.Py_ssize_t,
        path: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """A value at buf[i], other than an object, of which nothing is made: where it ends, -1: hard, -2: no room."""
        c: cython.uchar = buf[i]
        j: cython.Py_ssize_t
        at: cython.Py_ssize_t = self.name_ends[self.name_count]
        entries: cython.Py_ssize_t = self.entries
        if c == 34:
            j = _text_end(buf, i + 1)
            if j < 0:
                return -1
            if at + j - i + 32 > len(self.names):
                return -2
            return -1 if self._text(buf, i, j, at) < 0 else j + 1
        if c == 91:
            i = self._list(buf, i, path, first)
            self.entries = entries
            return i
        if c == 110:
            return self._scalar(buf, i, path, entries)
        return self._literal_end(buf, i, entries)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _label_or_weight(
        self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, role: cython.longlong
    ) -> cython.Py_ssize_t:
        """The value at buf[i] of a member that is the label or the weight: where it ends, -1: it is hard."""
        j: cython.Py_ssize_t
        null: cython.bint = buf[i] == 110 and buf[i + 1] == 117 and buf[i + 2] == 108 and buf[i + 3] == 108
        if role & _IS_LABEL:
            if self.label_at >= 0:
                return -1
            self.label_at = self.label_end = i
            if null:
                return i + 4
            if buf[i] == 34:
                j = _text_end(buf, i + 1)
                self.label_end = j
                return j + 1 if j > 0 else -1
            j = self._literal_end(buf, i, self.entries)
            self.label_end = j
            return j if j > 0 and (buf[i] > 57 or is_repr(buf, i, j)) else -1
        if self.weight >= 0 or (null and not self.unlabelled_ok):
            return -1
        self.weight = 1.0
        if null:
            return i + 4
        j = _number(buf, i, self.values, self.entries)
        if j < 0 or self.values[self.entries] <= 0:
            return -1
        self.weight = self.values[self.entries]
        return j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _row(self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The object at buf[i] to the end of its line: where that is, -1: it is hard, -2: no room."""
        first: cython.Py_ssize_t = self.entries
        outers = cython.declare(cython.Py_ssize_t[64])
        depth: cython.int = 0
        outer: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = -1
        path: cython.Py_ssize_t
        place: cython.Py_ssize_t
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        role: cython.longlong
        closing: cython.bint
        c: cython.uchar
        i = _blanks(buf, i + 1)
        closing = buf[i] == 125
        while True:
            if closing:
                i = _blanks(buf, i + 1)
                if depth == 0:
                    return i if buf[i] == 10 else -1
                depth -= 1
                last = outer
                outer = outers[depth]
            else:
                if buf[i] != 34:
                    return -1
                path = self.paths[16 * outer + _FIRST] if last < 0 else self.paths[16 * last + _NEXT]
                k = 16 * path
                if (
                    0 < path < self.path_count
                    and self.paths[k + _OUTER] == outer
                    and same_bytes(buf, self.paths[k + _AT], buf, i + 1, self.paths[k + _SIZE])
                ):
                    i += 1 + self.paths[k + _SIZE]
                else:
                    j = _text_end(buf, i + 1)
                    if j < 0:
                        return -1
                    path = self._path(buf, i + 1, j, outer)
                    if path < 0:
                        return path
                    i = j + 1
                    if last < 0:
                        self.paths[16 * outer + _FIRST] = path
                    else:
                        self.paths[16 * last + _NEXT] = path
                last = path
                path = self.paths[16 * path + _SAME]
                k = 16 * path
                if self.paths[k + _SEEN] == self.serial:
                    return -1
                self.paths[k + _SEEN] = self.serial
                i = _blanks(buf, i)
                if buf[i] != 58:
                    return -1
                i = _blanks(buf, i + 1)
                role = self.paths[k + _ROLE]
                c = buf[i]
                if role & _IS_ODD and not _is_usual(role, c):
                    return -1
                if role & (_IS_LABEL | _IS_WEIGHT):
                    i = self._label_or_weight(buf, i, role)
                    if i < 0:
                        return -1
                elif role & _IS_IGNORED and c != 123:
                    i = self._ignore(buf, i, path, first)
                    if i < 0:
                        return i
                elif c == 34 and role & _IS_DATE:
                    i = self._date(buf, i + 1, path, first)
                    if i < 0:
                        return i
                elif c == 34 and not role & _IS_NUMERIC:
                    j = _text_end(buf, i + 1)
                    if j < 0:
                        return -1
                    place = self._pair(buf, i, j, path)
                    i = j + 1
                    if place >= 0:
                        self.entries = self._add_entry(place, first, self.entries, 1.0)
                        if self.entries < 0:
                            return -1
                    elif place != -3:
                        return place
                elif c == 34 or ((c == 45 or 48 <= c <= 57) and not role & _IS_NOMINAL):
                    i = _number(buf, i + (c == 34), self.values, self.entries)
                    if i < 0 or (c == 34 and buf[i] != 34):
                        return -1
                    i += c == 34
                    if role >> 8:
                        place = self._bin_place((role >> 8) - 1, self.values[self.entries])
                        self.values[self.entries] = 1.0
                    else:
                        place = self.paths[k + _PLACE]
                        if place < 0:
                            place = self._number_place(path)
                    if place < 0:
                        return place
                    self.real |= self.values[self.entries] != 1.0
                    self.entries = self._add_entry(place, first, self.entries, self.values[self.entries])
                    if self.entries < 0:
                        return -1
                elif c == 123:
                    if depth >= _DEEPEST:
                        return -1
                    outers[depth] = outer
                    depth += 1
                    outer = path
                    last = -1
                    i = _blanks(buf, i + 1)
                    closing = buf[i] == 125
                    continue
                elif c == 91:
                    i = self._list(buf, i, path, first)
                    if i < 0:
                        return i
                else:
                    i = self._scalar(buf, i, path, self.entries)
                    if i < 0:
                        return -1
                    if self.found == -2:
                        return -2
                    if self.found >= 0:
                        self.entries = self._add_entry(self.found, first, self.entries, 1.0)
                        if self.entries < 0:
                            return -1
            i = _blanks(buf, i)
            closing = buf[i] == 125
            if not closing:
                if buf[i] != 44:
                    return -1
                i = _blanks(buf, i + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _label(self, buf: cython.const[cython.uchar][::1]) -> cython.Py_ssize_t:
        """The number of the row's label; -1: it has none, -3: no room for names, FULL: none for labels."""
        at: cython.Py_ssize_t = self.name_ends[self.name_count]
        size: cython.Py_ssize_t = self.label_end - self.label_at
        end: cython.Py_ssize_t
        x: cython.ulonglong = 0
        label: cython.Py_ssize_t = -1
        if self.label_at < 0 or size == 0:
            return -1
        if size < 8:
            x = low(word_at(buf, self.label_at), size) | (cython.cast(cython.ulonglong, size) << 60)
            if x == self.recent:
                return self.recent_label
            if x == self.older:
                return self.older_label
        if at + size + 32 > len(self.names):
            return -3
        end = self._text(buf, self.label_at, self.label_end, at)
        if end < 0:
            return -2
        if end > at and not (end == at + 1 and self.names[at] == 63):
            label = place_label(
                self.names, at, end, self.label_texts, self.label_ends, self.label_slots, self.label_count
            )
            if label < 0:
                return label
            self.label_count += label == self.label_count
        if x != 0:
            self.older = self.recent
            self.older_label = self.recent_label
            self.recent = x
            self.recent_label = label
        return label

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _parse(self, buf: cython.const[cython.uchar][::1], end: cython.Py_ssize_t) -> cython.int:
        i: cython.Py_ssize_t = self.state[0]
        line: cython.longlong = self.state[1]
        r: cython.Py_ssize_t = self.state[2]
        start: cython.Py_ssize_t
        label: cython.Py_ssize_t
        status: cython.int = 0
        while i < end:
            start = i
            i = _blanks(buf, i)
            if buf[i] == 10:
                i += 1
                line += 1
                continue
            self.kept_paths = self.path_count
            self.kept_pairs = self.pair_count
            self.kept_names = self.name_count
            self.serial += 1
            self.entries = self.indptr[r]
            self.label_at = -1
            self.label_end = -1
            self.weight = -1.0
            self.real = False
            label = -2
            i = self._row(buf, i) if buf[i] == 123 else -1
            if i > 0:
                label = self._label(buf)
            if i == -2 or label == -3:
                status = 10
            elif label == -8:
                status = 8
            elif label == -2 or (label < 0 and not self.unlabelled_ok):
                status = 1
            elif self.weights_wanted and self.weight < 0 and not self.unlabelled_ok:
                status = 1
            if status != 0:
                self._forget()
                i = start
                break
            if self.weight >= 0 and self.weight != 1.0:
                self.state[6] = 1
            self.weights[r] = self.weight if self.weight >= 0 else 1.0
            if self.real:
                self.state[5] = 1
            i += 1
            line += 1
            self.tokens[r] = cython.cast(cython.int, label)
            self.lines[r] = line
            r += 1
            self.indptr[r] = self.entries
        self.state[0] = i
        self.state[1] = line
        self.state[2] = r
        self.state[3] = self.indptr[r]
        self.state[4] = self.label_count
        self.state[8] = self.name_count
        return status

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits(self, size: cython.Py_ssize_t) -> cython.bint:
        """Whether so many bytes of text have room: a row takes 2 of them, an entry 2."""
        r: cython.Py_ssize_t = self.state[2] + size // 2
        p: cython.Py_ssize_t = self.state[3] + size // 2
        if self.generation < 1 or self.state[2] < 0 or self.state[3] < 0 or self.path_count < 1:
            return False
        if r > len(self.tokens) or r > len(self.lines) or r > len(self.weights) or r >= len(self.indptr):
            return False
        if p >= len(self.keys) or p >= len(self.values) or self.indptr[self.state[2]] != self.state[3]:
            return False
        if self.state[8] != self.name_count or self.state[4] != self.label_count:
            return False
        return len(self.label_texts) >= self.label_ends[self.label_count] + size

    def parse(self, text: cython.const[cython.uchar][::1], end: cython.Py_ssize_t, unlabelled_ok: cython.bint):
        # type: (Buffer, int, bool) -> int
        """Parse the lines text[state[POS]:end] into rows state[ROWS], ...; OK, or why it stopped at state[POS]."""
        status: cython.int
        if end < 0 or self.state[0] < 0 or self.state[0] > end or len(text) < end + 32 or end > 0x7FFFFF00:
            return CAPACITY
        if (end > 0 and text[end - 1] != 10) or not self._fits(end - self.state[0]):
            return CAPACITY
        self.unlabelled_ok = unlabelled_ok
        with cython.nogil:
            status = self._parse(text, end)
        return status

    def add(self, label, weight, names, values):
        # type: (bytes | None, float, list[bytes], list[float]) -> int
        """A row that Python has read: its label (bytes, or None), its weight, its names (bytes) and values.

        OK, LABELS_FULL or NAMES_FULL; the last two change nothing.
        """
        r: cython.Py_ssize_t = self.state[2]
        p: cython.Py_ssize_t = self.indptr[r]
        tail: cython.Py_ssize_t
        place: cython.Py_ssize_t
        k: cython.Py_ssize_t
        number: cython.Py_ssize_t = -1
        if not self._fits(2) or p + len(names) >= len(self.keys):
            return CAPACITY
        self.kept_paths, self.kept_pairs, self.kept_names = self.path_count, self.pair_count, self.name_count
        for k, name in enumerate(names):
            tail = self.name_ends[self.name_count]
            place = -2
            if tail + len(name) + 32 <= len(self.names):
                place = self._place(_put_bytes(name, self.names, tail), -1)
            if place < 0:
                self._forget()
                return NAMES_FULL
            self.facts[4 * place] = p + k
            self.keys[p + k] = place
            self.values[p + k] = values[k]
        if label is not None:
            number = self._known_label(label)
            if number < 0:
                self._forget()
                return LABELS_FULL
        self.tokens[r] = number
        self.weights[r] = weight
        self.lines[r] = self.state[1]
        self.indptr[r + 1] = p + len(names)
        self.state[2] = r + 1
        self.state[3] = p + len(names)
        self.state[4] = self.label_count
        self.state[5] = self.state[5] or any(value != 1.0 for value in values)
        self.state[6] = self.state[6] or weight != 1.0
        self.state[8] = self.name_count
        return OK

    @cython.cfunc
    @cython.exceptval(check=False)
    def _known_label(self, label: bytes) -> cython.Py_ssize_t:
        """The number of a label; -8: no room.  One that is half a character has no place in the hash of labels."""
        at: cython.Py_ssize_t = self.label_ends[self.label_count]
        number: cython.Py_ssize_t
        if at + len(label) > len(self.label_texts):
            return -8
        number = place_label(
            label, 0, len(label), self.label_texts, self.label_ends, self.label_slots, self.label_count
        )
        if number == -2:
            for number in range(self.label_count):
                if bytes(self.label_texts[self.label_ends[number] : self.label_ends[number + 1]]) == label:
                    return number
            if self.label_count + 1 >= len(self.label_ends):
                return -8
            self.label_ends[self.label_count + 1] = _put_bytes(label, self.label_texts, at)
            number = self.label_count
        self.label_count += number == self.label_count
        return number
