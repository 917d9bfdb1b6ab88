"""What JSON lines know of the members and names of a block: paths, texts and names, in one hash.

Members are known by their *paths*: a path is a name within the object of another path.  A text is looked up by its path
and its bytes as they are written, a *pair*; only a new pair is unescaped and becomes a name, `path=text`.  Paths, pairs
and names lie in one hash: cells of two words, a hash and `generation << 32 | number << 2 | kind`, at least half of them
empty; a cell of another generation is empty, so that nobody has to clear a table.

The rows (kernels/json_lines.py) look up; what is new is entered here.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

from array import array

if cython.compiled:
    from cython.cimports.mistakebound.kernels import _json_fields as fields
    from cython.cimports.mistakebound.kernels._bytes import copy_bytes, hash_of, same_bytes
    from cython.cimports.mistakebound.kernels._words import mixed
    from cython.cimports.mistakebound.kernels.json_texts import stripped, unescape
    from cython.cimports.mistakebound.kernels.labels import is_utf8
    from cython.cimports.mistakebound.kernels.patterns import is_program, matches
else:
    from mistakebound.kernels import _json_fields as fields
    from mistakebound.kernels._bytes import copy_bytes, hash_of, same_bytes
    from mistakebound.kernels._words import mixed
    from mistakebound.kernels.json_texts import stripped, unescape
    from mistakebound.kernels.labels import is_utf8
    from mistakebound.kernels.patterns import is_program, matches

_SEED = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)


@cython.cclass
class JsonNames:
    """Members, texts and names; the buffers are those of JsonRows."""

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
        self.weights_wanted = any(role & fields.WEIGHT for role in roles[2])

    def more_names(self, names):  # type: (Buffer) -> None
        """A larger buffer for names, of which there must be none yet."""
        self.names = names

    def ignored_names(self):  # type: () -> list[bytes]
        """The names of the members of this block that are ignored, and of those in them."""
        k: cython.Py_ssize_t
        found = []
        for k in range(1, self.path_count):
            if self.paths[16 * k + fields.ROLE] & fields.IGNORED:
                found.append(
                    bytes(self.path_names[self.paths[16 * k + fields.START] : self.paths[16 * k + fields.END]])
                )
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def begin(self) -> cython.bint:
        """No names and paths.  False when the buffers have to be made anew, or do not fit."""
        k: cython.Py_ssize_t
        if self.generation >= fields.GENERATIONS or len(self.paths) < 2 * fields.PATH_WIDTH or len(self.cells) < 16:
            return False
        if len(self.names) < 32 or len(self.path_names) < 32 or len(self.name_ends) < 2 or not self._roles_fit():
            return False
        self.generation += 1
        self.name_ends[0] = 0
        self.pair_count = self.name_count = self.escaped_count = 0
        self.path_count = 1  # of the object of the line
        self.path_tail = 0
        for k in range(fields.PATH_WIDTH):
            self.paths[k] = 0
        self.paths[fields.FIRST] = self.paths[fields.NEXT] = -1
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
            if self.role_ends[k + 1] + 8 > len(self.role_names) or self.roles[k] >> fields.BIN_SHIFT > count:
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
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_first_escaped(self, path: cython.Py_ssize_t) -> cython.bint:
        k: cython.Py_ssize_t = 16 * path
        return self.paths[k + fields.SAME] == path and self.paths[k + fields.HASH] != self.paths[k + fields.PLAIN_HASH]

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
            self._put(self.paths[16 * k + fields.HASH], fields.PATH, k)
            if self._is_first_escaped(k):
                self._put(self.paths[16 * k + fields.PLAIN_HASH], fields.ESCAPED, k)
        for k in range(pair, last_pair):
            self._put(self.pairs[4 * k + 3], fields.PAIR, k)
        for k in range(name, last_name):
            self._put(self.facts[4 * k + 2], fields.NAME, k)
        return 0

    @cython.cfunc
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
    def keep(self) -> cython.Py_ssize_t:
        """A line begins: `forget` will take out what it enters."""
        self.kept_paths = self.path_count
        self.kept_pairs = self.pair_count
        self.kept_names = self.name_count
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forget(self) -> cython.Py_ssize_t:
        """Take out all that the present line has entered: whatever stays was entered before it."""
        k: cython.Py_ssize_t
        for k in range(self.kept_names, self.name_count):
            if self.facts[4 * k + 1] >= 0:
                self.paths[16 * self.facts[4 * k + 1] + fields.PLACE] = -1
            self._take_out(self.facts[4 * k + 2], fields.NAME, k)
        for k in range(self.kept_pairs, self.pair_count):
            self._take_out(self.pairs[4 * k + 3], fields.PAIR, k)
        for k in range(self.kept_paths, self.path_count):
            self._take_out(self.paths[16 * k + fields.HASH], fields.PATH, k)
            if self._is_first_escaped(k):
                self._take_out(self.paths[16 * k + fields.PLAIN_HASH], fields.ESCAPED, k)
                self.escaped_count -= 1
        if self.kept_paths < self.path_count:
            self.path_tail = self.paths[16 * self.kept_paths + fields.START]
        self.path_count = self.kept_paths
        self.pair_count = self.kept_pairs
        self.name_count = self.kept_names
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, tail: cython.Py_ssize_t, path: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place of the name names[name_ends[name_count]:tail], which is entered if it is new; -2: no room.

        A new one is the attribute of a path, or of none (-1).
        """
        start: cython.Py_ssize_t = self.name_ends[self.name_count]
        size: cython.Py_ssize_t = tail - start
        mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << self.bits) - 1
        x: cython.ulonglong = hash_of(self.names, start, size, _SEED ^ cython.cast(cython.ulonglong, size)) >> 1
        h: cython.ulonglong = x >> (63 - self.bits)
        tag: cython.ulonglong
        k: cython.Py_ssize_t
        while True:
            tag = self.cells[2 * h + 1]
            if (tag >> 32) != self.generation:
                break
            if self.cells[2 * h] == x and (tag & 3) == fields.NAME:
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
        if not self._enter(h, x, fields.NAME, k):
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
        role: cython.longlong = outer & fields.IGNORED
        if len(self.ignored) > 0 and matches(self.path_names, start, end, self.ignored):
            role |= fields.IGNORED
        for k in range(len(self.roles)):
            if self.role_ends[k + 1] - self.role_ends[k] == end - start:
                if same_bytes(self.role_names, self.role_ends[k], self.path_names, start, end - start):
                    role |= self.roles[k]
        if dotted:
            role &= ~(fields.LABEL | fields.WEIGHT)
        return role

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def new_path(
        self,
        buf: cython.const[cython.uchar][::1],
        i: cython.Py_ssize_t,
        j: cython.Py_ssize_t,
        outer: cython.Py_ssize_t,
        x: cython.ulonglong,
        h: cython.ulonglong,
    ) -> cython.Py_ssize_t:
        """The path of a new name buf[i:j] of the hash x, whose empty cell is h; -1: it is hard, -2: no room."""
        k: cython.Py_ssize_t = self._name_path(buf, i, j, outer)
        if k < 0:
            return k
        self.paths[16 * k + fields.HASH] = cython.cast(cython.longlong, x)
        self.path_count = k + 1
        if not self._enter(h, x, fields.PATH, k):
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
        size: cython.Py_ssize_t = self.paths[above + fields.END] - self.paths[above + fields.START]
        escaped: cython.bint = False
        dotted: cython.bint = self.paths[above + fields.DOTTED] > 0
        if k + 16 > len(self.paths) or start + size + j - i + 32 > len(self.path_names):
            return -2
        if outer > 0:  # the name of the object, and a dot
            own = copy_bytes(self.path_names, self.paths[above + fields.START], size, self.path_names, start)
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
        self.paths[k + fields.AT] = i
        self.paths[k + fields.SIZE] = j - i + 1
        self.paths[k + fields.OUTER] = outer
        self.paths[k + fields.SAME] = self.path_count
        self.paths[k + fields.ROLE] = self._role(start, end, self.paths[above + fields.ROLE], dotted)
        self.paths[k + fields.PLACE] = self.paths[k + fields.NEXT] = self.paths[k + fields.FIRST] = -1
        self.paths[k + fields.SEEN] = 0
        self.paths[k + fields.START] = start
        self.paths[k + fields.END] = end
        self.paths[k + fields.OWN] = own
        self.paths[k + fields.PLAIN_HASH] = cython.cast(
            cython.longlong,
            hash_of(self.path_names, own, end - own, mixed(_SEED + cython.cast(cython.ulonglong, outer))) >> 1,
        )
        for size in range(own, end):
            dotted |= self.path_names[size] == 46
        self.paths[k + fields.DOTTED] = dotted
        self.path_tail = end
        return self.path_count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unify(self, path: cython.Py_ssize_t) -> cython.bint:
        """If an older path has the same name, one of the two written with escapes, it is the same; false: no room."""
        a: cython.Py_ssize_t = 16 * path
        b: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.paths[a + fields.END] - self.paths[a + fields.OWN]
        mask: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << self.bits) - 1
        x: cython.ulonglong = cython.cast(cython.ulonglong, self.paths[a + fields.PLAIN_HASH])
        h: cython.ulonglong = x >> (63 - self.bits)
        tag: cython.ulonglong
        escaped: cython.bint = self.paths[a + fields.HASH] != self.paths[a + fields.PLAIN_HASH]
        if not escaped and self.escaped_count == 0:
            return True
        while True:
            tag = self.cells[2 * h + 1]
            if (tag >> 32) != self.generation:
                break
            if self.cells[2 * h] == x and ((tag & 3) == fields.PATH or (tag & 3) == fields.ESCAPED):
                b = 16 * ((tag >> 2) & 0x3FFFFFFF)
                if b != a and self.paths[b + fields.OUTER] == self.paths[a + fields.OUTER]:
                    if self.paths[b + fields.END] - self.paths[b + fields.OWN] == size:
                        if same_bytes(
                            self.path_names,
                            self.paths[b + fields.OWN],
                            self.path_names,
                            self.paths[a + fields.OWN],
                            size,
                        ):
                            self.paths[a + fields.SAME] = self.paths[b + fields.SAME]
                            return True
            h = (h + 1) & mask
        if not escaped:
            return True
        self.escaped_count += 1
        return self._enter(h, x, fields.ESCAPED, path)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def number_place(self, path: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place of the attribute that has the path's name; -1: it has none, -2: no room."""
        k: cython.Py_ssize_t = 16 * path
        start: cython.Py_ssize_t = self.paths[k + fields.START]
        size: cython.Py_ssize_t = self.paths[k + fields.END] - start
        tail: cython.Py_ssize_t = self.name_ends[self.name_count]
        place: cython.Py_ssize_t
        if size == 0:
            return -1
        if tail + size + 32 > len(self.names):
            return -2
        place = self.place(copy_bytes(self.path_names, start, size, self.names, tail), path)
        if place < self.kept_names or (place >= 0 and self.facts[4 * place + 1] == path):
            self.paths[k + fields.PLACE] = place
        return place

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bin_place(self, number: cython.Py_ssize_t, v: cython.double) -> cython.Py_ssize_t:
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
        return self.place(copy_bytes(self.bin_names, self.bin_ends[k], size, self.names, tail), -1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def text(
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
    def new_pair(
        self,
        buf: cython.const[cython.uchar][::1],
        i: cython.Py_ssize_t,
        j: cython.Py_ssize_t,
        path: cython.Py_ssize_t,
        x: cython.ulonglong,
        h: cython.ulonglong,
    ) -> cython.Py_ssize_t:
        """The place of `path=text` of a value that is written as buf[i:j] for the first time, of the hash x.

        Its cell is h, which is empty.  -1: it is hard, -2: no room, -3: it is missing.
        """
        size: cython.Py_ssize_t = j - i
        k: cython.Py_ssize_t = 16 * path
        at: cython.Py_ssize_t = self.name_ends[self.name_count]
        place: cython.Py_ssize_t = self.paths[k + fields.END] - self.paths[k + fields.START]
        mask: cython.ulonglong
        span: cython.longlong = (cython.cast(cython.longlong, i) << 32) | size
        if at + place + size + 32 > len(self.names):
            return -2
        at = copy_bytes(self.path_names, self.paths[k + fields.START], place, self.names, at)
        self.names[at] = 61
        at += 1
        place = self.text(buf, i, j, at)
        if place < 0:
            return -1
        if place == at or (place == at + 1 and self.names[at] == 63):
            place = -3
        else:
            place = self.place(place, -1)
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
        if not self._enter(h, x, fields.PAIR, k):
            return -2
        return place
