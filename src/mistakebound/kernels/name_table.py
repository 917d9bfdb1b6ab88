"""The distinct names of a stream of blocks -> places 0, 1, 2, ... in the order of first appearance.

Name k is names[ends[k]:ends[k + 1]].  Its two words say which name it is: up to sixteen bytes they are the name, of a
longer one they are a hash of all its bytes and its last word, and its bytes are compared.  A cell is four numbers: the
two words, `(place + 1) << 1 | longer`, and key + 1, what the name is to somebody else, where that is known.  Open
addressing, at most four of five cells in use: to look a name up costs one line of memory, which is asked for early.

While one thread takes names over (`take_over`) others may look names up.  What a name has is written once, where zeros
were: whatever they find is right, and a name that they do not find may be there since.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._bytes import copy_bytes, same_bytes, word_at
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels._words import low, mixed, name_hash
    from cython.cimports.mistakebound.kernels.labels import is_utf8
else:
    from array import array

    from mistakebound.kernels._bytes import copy_bytes, same_bytes, word_at
    from mistakebound.kernels._words import low, mixed, name_hash
    from mistakebound.kernels.labels import is_utf8

BATCH = 256  # names that are looked up at once
FULL = -1  # enter: no room for one more name
NOT_UTF8 = -2

_FULL = cython.declare(cython.int, FULL)
_NOT_UTF8 = cython.declare(cython.int, NOT_UTF8)
_CARET = cython.declare(cython.uchar, 94)  # between a namespace and a name
_WIDTH = cython.declare(cython.ulonglong, 0x7FFFFFFF)
_TOPS = cython.declare(cython.ulonglong, 0x8080808080808080)
_SEED = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)  # of the hash of a longer name
_ONE = cython.declare(cython.ulonglong, 1)
_UNKNOWN = cython.declare(cython.ulonglong, 0xC000000000000000)  # no key: see `texts`
_BATCH = cython.declare(cython.Py_ssize_t, BATCH)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _first_word(
    names: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.ulonglong:
    """The first of the two words of names[at : at + size]."""
    x: cython.ulonglong = _SEED
    if size <= 16:
        return low(word_at(names, at), size)
    while size > 8:
        x = mixed(x ^ word_at(names, at))
        at += 8
        size -= 8
    return mixed(x ^ low(word_at(names, at), size))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _second_word(
    names: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.ulonglong:
    """The second: its bytes from the eighth on, or the last ones of a longer name."""
    k: cython.Py_ssize_t = (size - 1) & ~7
    return low(word_at(names, at + k), size - k) if size > 8 else 0


@cython.cclass
class NameBatch:
    """Names that are looked up at once: their words and hashes, and the cells in which they are found."""

    def __init__(self):  # type: () -> None
        if not cython.compiled:
            self.first, self.second, self.hashes = (array("Q", bytes(8 * BATCH)) for _ in range(3))
            self.found = array("I", bytes(4 * BATCH))


@cython.cclass
class NameTable:
    """`names` is 16 bytes longer than what it holds.

    >>> from array import array
    >>> table = NameTable(array("B", bytes(64)), array("q", bytes(40)), array("Q", bytes(256)))
    >>> table.clear()
    """

    def __init__(self, names, ends, cells):  # type: (Buffer, Ints, Ints) -> None
        self.names = names
        self.ends = ends
        self.cells = cells
        if len(names) < 32 or len(cells) < 32 or len(ends) < 2:
            raise AssertionError("the buffers of a table of names do not fit together")
        if len(ends) > 0x3FFFFFFF:
            raise AssertionError("places have 30 bits")
        self.count = 0
        self.bits = 3
        self.ends[0] = 0

    def more_names(self, names):  # type: (Buffer) -> None
        """A larger buffer for names, of which there must be none yet."""
        if self.count != 0 or len(names) < len(self.names):
            raise AssertionError("there are names already")
        self.names = names

    def clear(self):  # type: () -> None
        """Forget all names; as many as there were will find room without a larger table."""
        while self.bits > 3 and 5 * self.count < (2 << self.bits):
            self.bits -= 1
        self.count = 0
        self._fill(self.bits)

    def wanted_cells(self):  # type: () -> int
        """The numbers in as many cells as there should be, when names cannot be taken over for want of them; or 0."""
        return 8 << self.bits if self._is_full() else 0

    def with_cells(self, cells):  # type: (Ints) -> NameTable
        """A table of the same names and keys with more cells, all 0 as yet; this one can still be looked up in."""
        other: NameTable = NameTable(self.names, self.ends, cells)
        h: cython.Py_ssize_t
        k: cython.Py_ssize_t
        if len(cells) < 8 << self.bits:
            raise AssertionError("the buffers of a table of names do not fit together")
        other.count = self.count
        while (8 << other.bits) <= len(cells):
            other.bits += 1
        with cython.nogil:
            for k in range(0, 4 << self.bits, 4):
                if self.cells[k + 2] != 0:
                    h = other._free(name_hash(self.cells[k], self.cells[k + 1], 16 + (self.cells[k + 2] & 1)))
                    other._put(h, self.cells[k], self.cells[k + 1], self.cells[k + 2], self.cells[k + 3])
        return other

    def take_over(self, other, keys, first: cython.Py_ssize_t):  # type: (NameTable, Ints, int) -> int
        """Enter the names of another table from place `first` on that have a key, with it; where to go on.

        keys[k] is the key of name k, or UNKNOWN.  It ends before the last name when there is no room for more.
        """
        table: NameTable = other
        asked: NameBatch = NameBatch()
        known: cython.const[cython.ulonglong][::1] = keys
        k: cython.Py_ssize_t = first
        if first < 0 or first > table.count or len(known) < table.count:
            raise AssertionError("names have no keys")
        with cython.nogil:
            while k < table.count:
                if (k - first) % _BATCH == 0:
                    self._ask(asked, table.names, table.ends, k, table.count)
                if known[k] != _UNKNOWN and not self._take(
                    asked, (k - first) % _BATCH, table.names, table.ends[k], table.ends[k + 1], known[k]
                ):
                    break
                k += 1
        return k

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(
        self,
        asked: NameBatch,
        k: cython.Py_ssize_t,
        names: cython.const[cython.uchar][::1],
        at: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        key: cython.ulonglong,
    ) -> cython.bint:
        """Name k of a batch, names[at:end], gets a place and a key, unless it has them; false: there is no room."""
        if self.find(asked, k, names, at, end - at, 0) != 0:
            return True
        if self._is_full():  # others are looking at the cells: they cannot be filled anew
            return False
        return self.enter(asked, k, names, at, end - at, 0, key + 1) >= 0

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ask(
        self,
        asked: NameBatch,
        names: cython.const[cython.uchar][::1],
        ends: cython.const[cython.longlong][::1],
        place: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
    ) -> cython.void:
        """The names of another table from a place on become the batch, if there are so many."""
        k: cython.Py_ssize_t
        size: cython.Py_ssize_t
        for k in range(_BATCH if last - place > _BATCH else last - place):
            size = ends[place + k + 1] - ends[place + k]
            asked.first[k] = _first_word(names, ends[place + k], size)
            asked.second[k] = _second_word(names, ends[place + k], size)
            asked.hashes[k] = name_hash(asked.first[k], asked.second[k], size)
            if cython.compiled:
                mb_prefetch(cython.address(self.cells[4 * (asked.hashes[k] >> (64 - self.bits))]))

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_full(self) -> cython.bint:
        """Whether there are too few cells for one more name."""
        return 5 * (self.count + 1) > cython.cast(cython.Py_ssize_t, 4) << self.bits

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _free(self, hash: cython.ulonglong) -> cython.Py_ssize_t:
        """Where the empty cell is for a name that has none."""
        h: cython.ulonglong = hash >> (64 - self.bits)
        while self.cells[4 * h + 2] != 0:
            h = (h + 1) & ((_ONE << self.bits) - 1)
        return cython.cast(cython.Py_ssize_t, 4 * h)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(
        self,
        at: cython.Py_ssize_t,
        first: cython.ulonglong,
        second: cython.ulonglong,
        place: cython.ulonglong,
        key: cython.ulonglong,
    ) -> cython.void:
        """Write a cell; who looks at it meanwhile finds nothing before all is there."""
        self.cells[at] = first
        self.cells[at + 1] = second
        self.cells[at + 3] = key
        self.cells[at + 2] = place

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill(self, bits: cython.int) -> cython.void:
        """All names into 2**bits cells, in the order of their places; their keys are forgotten."""
        k: cython.Py_ssize_t
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t
        x: cython.ulonglong
        y: cython.ulonglong
        self.bits = bits
        for k in range(4 << bits):
            self.cells[k] = 0
        for k in range(self.count):
            at = self.ends[k]
            size = self.ends[k + 1] - at
            x = _first_word(self.names, at, size)
            y = _second_word(self.names, at, size)
            self._put(self._free(name_hash(x, y, size)), x, y, 2 * (k + 1) + (size > 16), 0)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_up(self, asked: NameBatch, n: cython.Py_ssize_t) -> cython.void:
        """asked.found[k]: the number of the cell with these first[k] and second[k], or 0, for k < n: see `find`.

        Of a name that is longer than sixteen bytes, what is found may be another one.
        """
        k: cython.Py_ssize_t
        h: cython.ulonglong
        x: cython.ulonglong
        y: cython.ulonglong
        place: cython.ulonglong
        mask: cython.ulonglong = (_ONE << self.bits) - 1
        for k in range(n):
            h = asked.hashes[k] >> (64 - self.bits)
            x = asked.first[k]
            y = asked.second[k]
            place = self.cells[4 * h + 2]
            while place != 0 and (
                self.cells[4 * h] != x or self.cells[4 * h + 1] != y or ((place ^ asked.hashes[k]) & 1) != 0
            ):
                h = (h + 1) & mask
                place = self.cells[4 * h + 2]
            asked.found[k] = cython.cast(cython.uint, h + 1) if place != 0 else 0

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(
        self,
        asked: NameBatch,
        k: cython.Py_ssize_t,
        buf: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
        space: cython.ulonglong,
    ) -> cython.Py_ssize_t:
        """The number of the cell, from 1 on, of name k of the batch of `asked`; 0 when there is none.

        It is written at buf[start : start + size]; space = where << 32 | width of its namespace and a "^".
        """
        h: cython.ulonglong = asked.hashes[k] >> (64 - self.bits)
        mask: cython.ulonglong = (_ONE << self.bits) - 1
        while self.cells[4 * h + 2] != 0:
            if self.cells[4 * h] == asked.first[k] and self.cells[4 * h + 1] == asked.second[k]:
                if ((self.cells[4 * h + 2] ^ asked.hashes[k]) & 1) == 0 and (
                    (asked.hashes[k] & 1) == 0 or self._same(self.place(h + 1), buf, start, size, space)
                ):
                    return cython.cast(cython.Py_ssize_t, h + 1)
            h = (h + 1) & mask
        return 0

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, cell: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place of the name in a cell, by its number."""
        return cython.cast(cython.Py_ssize_t, self.cells[4 * cell - 2] >> 1) - 1

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _same(
        self,
        place: cython.Py_ssize_t,
        buf: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
        space: cython.ulonglong,
    ) -> cython.bint:
        """Whether the bytes of a name that has a place are those that are written."""
        at: cython.Py_ssize_t = self.ends[place]
        width: cython.Py_ssize_t = space & _WIDTH
        if self.ends[place + 1] - at != width + size or not same_bytes(self.names, at + width, buf, start, size):
            return False
        if width == 0:
            return True
        return self.names[at + width - 1] == _CARET and same_bytes(self.names, at, buf, space >> 32, width - 1)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(
        self,
        asked: NameBatch,
        k: cython.Py_ssize_t,
        buf: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
        space: cython.ulonglong,
        key: cython.ulonglong,
    ) -> cython.Py_ssize_t:
        """The next place, for a name that `find` does not find, with its key + 1, or 0; FULL or NOT_UTF8."""
        tail: cython.Py_ssize_t = self.ends[self.count]
        width: cython.Py_ssize_t = space & _WIDTH
        end: cython.Py_ssize_t = tail + width + size
        at: cython.Py_ssize_t = tail
        count: cython.Py_ssize_t = self.count + 1
        grows: cython.bint = self._is_full()
        if end + 16 > len(self.names) or count >= len(self.ends):
            return _FULL
        if grows and (8 << self.bits) > len(self.cells):
            return _FULL
        if width > 0:
            at = copy_bytes(buf, space >> 32, width - 1, self.names, tail)
            self.names[at] = _CARET
            at += 1
        copy_bytes(buf, start, size, self.names, at)
        if not is_utf8(self.names, tail, end):
            return _NOT_UTF8
        self.ends[count] = end
        self.count = count
        if grows:
            self._fill(self.bits + 1)
        else:
            self._put(
                self._free(asked.hashes[k]),
                asked.first[k],
                asked.second[k],
                2 * cython.cast(cython.ulonglong, count) + (asked.hashes[k] & 1),
                key,
            )
        return count - 1

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forget(self, first: cython.Py_ssize_t) -> cython.void:
        """Take the names from place `first` on out again, the last one first: then no other stands behind a gap."""
        h: cython.ulonglong
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t
        mask: cython.ulonglong = (_ONE << self.bits) - 1
        while self.count > first:
            at = self.ends[self.count - 1]
            size = self.ends[self.count] - at
            h = name_hash(_first_word(self.names, at, size), _second_word(self.names, at, size), size)
            h >>= 64 - self.bits
            while self.cells[4 * h + 2] >> 1 != cython.cast(cython.ulonglong, self.count):
                h = (h + 1) & mask
            self.cells[4 * h + 2] = 0
            self.count -= 1
