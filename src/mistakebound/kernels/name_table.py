"""The distinct names of a stream of blocks -> places 0, 1, 2, ... in the order of first appearance.

Name k is names[ends[k]:ends[k + 1]].  Its record has two words that say which name it is: up to sixteen bytes they are
the name, of a longer one they are a hash of all its bytes and its last word, and its bytes are compared.  The third
number of the record belongs to whoever reads rows: where the name stood last.  A cell is place + 1 in its lower `bits`
bits, and above them as many of the lower bits of the hash of the words as there is room for: the lowest says whether
the name is longer.  Open addressing, at least half of the cells empty.

Many names are looked up at once (`look_up`): what each step touches is on its way before the step is taken; whoever
writes `hashes` asks for the cells.  Cells are small, and the records of usual names, which appear early, lie near each
other: what is looked up most stays near at hand.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._bytes import copy_bytes, same_bytes
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels._words import name_hash
    from cython.cimports.mistakebound.kernels.labels import is_utf8
else:
    from array import array

    from mistakebound.kernels._bytes import copy_bytes, same_bytes
    from mistakebound.kernels._words import name_hash
    from mistakebound.kernels.labels import is_utf8

BATCH = 256  # names that are looked up at once
FULL = -1  # place_of: no room for one more name
NOT_UTF8 = -2

_FULL = cython.declare(cython.int, FULL)
_NOT_UTF8 = cython.declare(cython.int, NOT_UTF8)
_CARET = cython.declare(cython.uchar, 94)  # between a namespace and a name
_WIDTH = cython.declare(cython.ulonglong, 0x7FFFFFFF)
_TAG = cython.declare(cython.ulonglong, 0xFFFFFFFF)
_ONE = cython.declare(cython.ulonglong, 1)


@cython.final
@cython.cclass
class NameTable:
    """`names` is 16 bytes longer than what it holds, `records` have room for one name more than `ends`.

    >>> from array import array
    >>> table = NameTable(array("B", bytes(64)), array("q", bytes(40)), array("I", bytes(32)), array("Q", bytes(160)))
    >>> table.clear()
    """

    def __init__(self, names, ends, cells, records):  # type: (Buffer, Ints, Ints, Ints) -> None
        self.names = names
        self.ends = ends
        self.cells = cells
        self.records = records
        if len(names) < 32 or len(cells) < 8 or len(ends) < 2 or len(records) < 4 * len(ends):
            raise AssertionError("the buffers of a table of names do not fit together")
        if len(cells) > 0x7FFFFFFF:
            raise AssertionError("places have 30 bits")
        self.count = 0
        self.bits = 3
        self.ends[0] = 0
        if not cython.compiled:
            self.first, self.second, self.hashes = (array("Q", bytes(8 * BATCH)) for _ in range(3))
            self.found = array("I", bytes(4 * BATCH))

    def more_names(self, names):  # type: (Buffer) -> None
        """A larger buffer for names, of which there must be none yet."""
        if self.count != 0 or len(names) < len(self.names):
            raise AssertionError("there are names already")
        self.names = names

    def clear(self):  # type: () -> None
        """Forget all names; as many as there were will find room without a larger table."""
        while self.bits > 3 and 4 * self.count < (1 << self.bits):
            self.bits -= 1
        self.count = 0
        self._fill(self.bits)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill(self, bits: cython.int) -> cython.void:
        """All names into 2**bits cells, in the order of their places."""
        h: cython.ulonglong
        hash: cython.ulonglong
        k: cython.Py_ssize_t
        mask: cython.ulonglong = (_ONE << bits) - 1
        self.bits = bits
        for k in range(_ONE << bits):
            self.cells[k] = 0
        for k in range(1, self.count + 1):
            hash = name_hash(self.records[4 * k], self.records[4 * k + 1], self.ends[k] - self.ends[k - 1])
            h = hash >> (64 - bits)
            while self.cells[h] != 0:
                h = (h + 1) & mask
            self.cells[h] = cython.cast(cython.uint, ((hash << bits) & _TAG) | cython.cast(cython.ulonglong, k))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_up(self, n: cython.Py_ssize_t) -> cython.void:
        """found[k] = 1 + the place of the name that seems to have hashes[k], or 0; its record is on its way.

        Only its words, and of a longer name its bytes, say whether it is the one.
        """
        k: cython.Py_ssize_t
        h: cython.ulonglong
        tag: cython.ulonglong
        cell: cython.ulonglong
        name: cython.ulonglong
        top: cython.ulonglong = _ONE << self.bits
        for k in range(n):
            h = self.hashes[k] >> (64 - self.bits)
            tag = (self.hashes[k] << self.bits) & _TAG
            cell = self.cells[h]
            name = cell ^ tag
            while name >= top and cell != 0:
                h = (h + 1) & (top - 1)
                cell = self.cells[h]
                name = cell ^ tag
            if cell == 0:
                name = 0
            self.found[k] = cython.cast(cython.uint, name)
            if cython.compiled:
                mb_prefetch(cython.address(self.records[4 * name]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place_of(
        self,
        k: cython.Py_ssize_t,
        buf: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
        space: cython.ulonglong,
    ) -> cython.Py_ssize_t:
        """The place of name k of the batch, entered where it is new; FULL or NOT_UTF8.

        It is written at buf[start : start + size]; space = where << 32 | width of its namespace and a "^".
        """
        h: cython.ulonglong = self.hashes[k] >> (64 - self.bits)
        tag: cython.ulonglong = (self.hashes[k] << self.bits) & _TAG
        top: cython.ulonglong = _ONE << self.bits
        name: cython.ulonglong
        while self.cells[h] != 0:
            name = self.cells[h] ^ tag
            if name < top and self.records[4 * name] == self.first[k] and self.records[4 * name + 1] == self.second[k]:
                if (self.hashes[k] & 1) == 0 or self._same(name - 1, buf, start, size, space):
                    return name - 1
            h = (h + 1) & (top - 1)
        return self._enter(h, k, buf, start, size, space)

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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(
        self,
        h: cython.ulonglong,
        k: cython.Py_ssize_t,
        buf: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
        space: cython.ulonglong,
    ) -> cython.Py_ssize_t:
        """Name k of the batch gets the next place, and the empty cell h."""
        tail: cython.Py_ssize_t = self.ends[self.count]
        width: cython.Py_ssize_t = space & _WIDTH
        end: cython.Py_ssize_t = tail + width + size
        at: cython.Py_ssize_t = tail
        count: cython.Py_ssize_t = self.count + 1
        grows: cython.bint = 2 * cython.cast(cython.ulonglong, count) > (_ONE << self.bits)
        if end + 16 > len(self.names) or count >= len(self.ends):
            return _FULL
        if grows and (_ONE << (self.bits + 1)) > cython.cast(cython.ulonglong, len(self.cells)):
            return _FULL
        if width > 0:
            at = copy_bytes(buf, space >> 32, width - 1, self.names, tail)
            self.names[at] = _CARET
            at += 1
        copy_bytes(buf, start, size, self.names, at)
        if not is_utf8(self.names, tail, end):
            return _NOT_UTF8
        self.count = count
        self.ends[count] = end
        self.records[4 * count] = self.first[k]
        self.records[4 * count + 1] = self.second[k]
        if grows:
            self._fill(self.bits + 1)
        else:
            self.cells[h] = cython.cast(
                cython.uint, ((self.hashes[k] << self.bits) & _TAG) | cython.cast(cython.ulonglong, count)
            )
        return count - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forget(self, first: cython.Py_ssize_t) -> cython.void:
        """Take the names from place `first` on out again, the last one first: then no other stands behind a gap."""
        h: cython.ulonglong
        k: cython.Py_ssize_t
        mask: cython.ulonglong = (_ONE << self.bits) - 1
        while self.count > first:
            k = self.count
            h = name_hash(self.records[4 * k], self.records[4 * k + 1], self.ends[k] - self.ends[k - 1])
            h >>= 64 - self.bits
            while (self.cells[h] & mask) != cython.cast(cython.ulonglong, k):
                h = (h + 1) & mask
            self.cells[h] = 0
            self.count -= 1
