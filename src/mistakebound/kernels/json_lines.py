"""JSON lines -> compressed sparse rows over places in a list of the block's distinct names.

An object a line.  What is usual is done here; a line with anything else in it (an error, a list of objects, a number
that has to be spelled anew, ...) is left to Python with the status HARD, and comes back by `add`.

Most objects have the members of the one before in the same order, so that a path is found by a comparison with the one
that came next last time.  All others, and texts, are looked up in the hash of `json_names`, which enters what is new.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels import _json_fields as fields
    from cython.cimports.mistakebound.kernels._bytes import (
        copy_bytes,
        digits_end,
        hash_of,
        same_bytes,
        short_decimal,
        word_at,
    )
    from cython.cimports.mistakebound.kernels._words import low, mixed, quote_stop
    from cython.cimports.mistakebound.kernels.json_dates import date_at
    from cython.cimports.mistakebound.kernels.json_names import JsonNames
    from cython.cimports.mistakebound.kernels.json_texts import is_repr
    from cython.cimports.mistakebound.kernels.labels import place_label
    from cython.cimports.mistakebound.kernels.number import decimal
else:
    from mistakebound.kernels import _json_fields as fields
    from mistakebound.kernels._bytes import copy_bytes, digits_end, hash_of, same_bytes, short_decimal, word_at
    from mistakebound.kernels._words import low, mixed, quote_stop
    from mistakebound.kernels.json_dates import date_at
    from mistakebound.kernels.json_names import JsonNames
    from mistakebound.kernels.json_texts import is_repr
    from mistakebound.kernels.labels import place_label
    from mistakebound.kernels.number import decimal

OK = 0
HARD = 1  # the line at POS is left to Python
LABELS_FULL = 8  # no room for one more distinct label: hand on the rows so far, then `clear` and go on
CAPACITY = 9  # the buffers do not fit together
NAMES_FULL = 10  # no room for one more name: likewise

# Places in `state` behind those of the libsvm parser, which come first.
WEIGHTED = 6  # 1 when some weight is not 1, so that `weights` counts
NAMES = 8

_WORDS = b" month= weekday= hour=SunMonTueWedThuFriSat" + bytes(8)
_MONTH = cython.declare(cython.Py_ssize_t, 0)  # where the words begin
_WEEKDAY = cython.declare(cython.Py_ssize_t, 7)
_HOUR = cython.declare(cython.Py_ssize_t, 16)
_DAYS = cython.declare(cython.Py_ssize_t, 22)

_DEEPEST = cython.declare(cython.int, 64)
_SEED = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)


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
    start: cython.Py_ssize_t = i + (buf[i] == 45)
    j: cython.Py_ssize_t = short_decimal(buf, i, values, p)
    if buf[start] < 48 or buf[start] > 57 or (buf[start] == 48 and 48 <= buf[start + 1] <= 57):
        return -1
    if j > 0 and (buf[j] | 32) != 101 and (buf[j] < 48 or buf[j] > 57):
        return -1 if buf[j - 1] == 46 or (j == i + 2 and start > i and buf[start] == 48) else j
    j = digits_end(buf, start)
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
    if role & fields.OTHER:
        return False
    if c == 34 or c == 45 or 48 <= c <= 57:
        return not role & fields.NOMINAL
    return c == 110 or c == 91 or c == 123


@cython.final
@cython.cclass
class JsonRows(JsonNames):
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
    words: cython.const[cython.uchar][::1]
    state: cython.longlong[::1]
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

    def clear(self):  # type: () -> bool
        """Begin a block: no rows, labels and names.  False when the buffers have to be made anew, or do not fit."""
        k: cython.Py_ssize_t
        if len(self.state) < 9 or len(self.label_ends) < 2 or len(self.indptr) < 2 or not self.begin():
            return False
        for k in range(2, 7):
            self.state[k] = 0
        self.state[8] = 0
        self.indptr[0] = self.label_ends[0] = 0
        for k in range(len(self.label_slots)):
            self.label_slots[k] = 0
        self.label_count = self.recent_label = self.older_label = 0
        self.recent = self.older = 0
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _path(
        self, buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t, outer: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The path of the member whose name is written as buf[i:j], with a quote at j; -1: it is hard, -2: no room."""
        size: cython.Py_ssize_t = j - i
        mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << self.bits) - 1
        x: cython.ulonglong = hash_of(buf, i, size, mixed(_SEED + cython.cast(cython.ulonglong, outer))) >> 1
        h: cython.ulonglong = x >> (63 - self.bits)
        tag: cython.ulonglong
        k: cython.Py_ssize_t
        at: cython.Py_ssize_t
        while True:
            tag = self.cells[2 * h + 1]
            if (tag >> 32) != self.generation:
                break
            if self.cells[2 * h] == x and (tag & 3) == fields.PATH:
                k = (tag >> 2) & 0x3FFFFFFF
                at = 16 * k
                if self.paths[at + fields.OUTER] == outer and self.paths[at + fields.SIZE] == size + 1:
                    if same_bytes(buf, self.paths[at + fields.AT], buf, i, size + 1):
                        return k
            h = (h + 1) & mask
        return self.new_path(buf, i, j, outer, x, h)

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
        x: cython.ulonglong = hash_of(buf, i, size, mixed(_SEED ^ (cython.cast(cython.ulonglong, path) << 1))) >> 1
        h: cython.ulonglong = x >> (63 - self.bits)
        tag: cython.ulonglong
        k: cython.Py_ssize_t
        while True:
            tag = self.cells[2 * h + 1]
            if (tag >> 32) != self.generation:
                break
            if self.cells[2 * h] == x and (tag & 3) == fields.PAIR:
                k = (tag >> 2) & 0x3FFFFFFF
                if self.pairs[4 * k + 1] == path and (self.pairs[4 * k] & 0xFFFFFFF) == size:
                    if same_bytes(buf, self.pairs[4 * k] >> 32, buf, i, size):
                        return self.pairs[4 * k + 2]
            h = (h + 1) & mask
        return self.new_pair(buf, i, j, path, x, h)

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
        """The date from buf[i] on: behind its quote, -1: hard, -2: no room.

        Whatever is written in another way is left to Python.
        """
        found: cython.longlong = date_at(buf, i)
        hour: cython.int
        if found < 0:
            return -1
        hour = cython.cast(cython.int, (found >> 8) & 31) - 1
        if not self._add_part(path, _MONTH, 7, cython.cast(cython.int, found & 15), first) or not self._add_part(
            path, _WEEKDAY, 9, -cython.cast(cython.int, (found >> 4) & 15) - 1, first
        ):
            return self.found
        if hour >= 0 and not self._add_part(path, _HOUR, 6, hour, first):
            return self.found
        return i + (found >> 16) + 1

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
        length: cython.Py_ssize_t = self.paths[k + fields.END] - self.paths[k + fields.START]
        at: cython.Py_ssize_t = self.name_ends[self.name_count]
        place: cython.Py_ssize_t
        self.found = -2
        if at + length + 48 > len(self.names):
            return False
        at = copy_bytes(self.path_names, self.paths[k + fields.START], length, self.names, at)
        at = copy_bytes(self.words, word, size, self.names, at)
        if number < 0:
            at = copy_bytes(self.words, _DAYS - 3 * (number + 1), 3, self.names, at)
        else:
            if number >= 10:
                self.names[at] = cython.cast(cython.uchar, 48 + number // 10)
                at += 1
            self.names[at] = cython.cast(cython.uchar, 48 + number % 10)
            at += 1
        place = self.place(at, -1)
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
            return -1 if self.text(buf, i, j, at) < 0 else j + 1
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
        if role & fields.LABEL:
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
                path = self.paths[16 * outer + fields.FIRST] if last < 0 else self.paths[16 * last + fields.NEXT]
                k = 16 * path
                if (
                    0 < path < self.path_count
                    and self.paths[k + fields.OUTER] == outer
                    and same_bytes(buf, self.paths[k + fields.AT], buf, i + 1, self.paths[k + fields.SIZE])
                ):
                    i += 1 + self.paths[k + fields.SIZE]
                else:
                    j = _text_end(buf, i + 1)
                    if j < 0:
                        return -1
                    path = self._path(buf, i + 1, j, outer)
                    if path < 0:
                        return path
                    i = j + 1
                    if last < 0:
                        self.paths[16 * outer + fields.FIRST] = path
                    else:
                        self.paths[16 * last + fields.NEXT] = path
                last = path
                path = self.paths[16 * path + fields.SAME]
                k = 16 * path
                if self.paths[k + fields.SEEN] == self.serial:
                    return -1
                self.paths[k + fields.SEEN] = self.serial
                i = _blanks(buf, i)
                if buf[i] != 58:
                    return -1
                i = _blanks(buf, i + 1)
                role = self.paths[k + fields.ROLE]
                c = buf[i]
                if role & (fields.NUMERIC | fields.OTHER) and not _is_usual(role, c):
                    return -1
                if role & (fields.LABEL | fields.WEIGHT):
                    i = self._label_or_weight(buf, i, role)
                    if i < 0:
                        return -1
                elif role & fields.IGNORED and c != 123:
                    i = self._ignore(buf, i, path, first)
                    if i < 0:
                        return i
                elif c == 34 and role & fields.DATE:
                    i = self._date(buf, i + 1, path, first)
                    if i < 0:
                        return i
                elif c == 34 and not role & fields.NUMERIC:
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
                elif c == 34 or ((c == 45 or 48 <= c <= 57) and not role & fields.NOMINAL):
                    i = _number(buf, i + (c == 34), self.values, self.entries)
                    if i < 0 or (c == 34 and buf[i] != 34):
                        return -1
                    i += c == 34
                    if role >> fields.BIN_SHIFT:
                        place = self.bin_place((role >> fields.BIN_SHIFT) - 1, self.values[self.entries])
                        self.values[self.entries] = 1.0
                    else:
                        place = self.paths[k + fields.PLACE]
                        if place < 0:
                            place = self.number_place(path)
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
        end = self.text(buf, self.label_at, self.label_end, at)
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
            self.keep()
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
                self.forget()
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
        self.keep()
        for k, name in enumerate(names):
            tail = self.name_ends[self.name_count]
            place = -2
            if tail + len(name) + 32 <= len(self.names):
                place = self.place(_put_bytes(name, self.names, tail), -1)
            if place < 0:
                self.forget()
                return NAMES_FULL
            self.facts[4 * place] = p + k
            self.keys[p + k] = place
            self.values[p + k] = values[k]
        if label is not None:
            number = self._known_label(label)
            if number < 0:
                self.forget()
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
