"""libsvm text -> compressed sparse rows over raw ids, in 32 bits while they suffice.  A status, never an exception.

What makes it safe is checked once a block (`LibsvmRows`): the text ends with a newline, so every scan stops;
SLACK bytes lie behind it, so eight bytes may be loaded from any place; the outputs have room for the shortest
possible rows ("1\\n") and entries (" 1:1").  A line is taken whole or not at all: at a bad one `state` stands
at its start.  A call to another module copies 200 bytes for each memoryview: `number`, `whole_number` and
`place_label` are for what is rare.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._bytes import digits_at, digits_end, eight_at
    from cython.cimports.mistakebound.kernels._digits import eight, leading, power_of_ten, scaled, strangers
    from cython.cimports.mistakebound.kernels.labels import place_label
    from cython.cimports.mistakebound.kernels.number import number, whole_number
else:
    from mistakebound.kernels._bytes import digits_at, digits_end, eight_at
    from mistakebound.kernels._digits import eight, leading, power_of_ten, scaled, strangers
    from mistakebound.kernels.labels import place_label
    from mistakebound.kernels.number import number, whole_number

OK = 0
BAD_BYTE = 1  # a control character
BAD_LABEL = 2  # not UTF-8
NO_LABEL = 3
BAD_ID = 4
ID_RANGE = 5
BAD_VALUE = 6
BAD_QID = 7
LABELS_FULL = 8  # no room for one more distinct label: hand on the rows so far, then go on with ROWS, ... = 0
CAPACITY = 9  # the caller's buffers do not fit together
WIDE = 10  # an id of more than 32 bits: go on with keys of 64

# Places in `state`.
POS = 0  # where the next line starts in the text
LINE = 1  # lines before it, rows or not
ROWS = 2
ENTRIES = 3
LABELS = 4  # distinct label texts in the table
REAL = 5  # 1 when some value is not 1, so that `values` counts
ASCENDING = 6  # 1 as long as the ids of every row are strictly ascending; set to 1 before the first call
OFFSET = 7  # of the trouble, from the start of its line

SLACK = 32

_LAST_ID = cython.declare(cython.ulonglong, 0x7FFFFFFFFFFFFFFF)
_LAST_SHORT = cython.declare(cython.ulonglong, 0xFFFFFFFF)  # where the keys have 32 bits

Key = cython.fused_type(cython.uint, cython.ulonglong)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _line_end(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    while buf[i] != 10:
        i += 1
    return i


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
    """The number at buf[i:] into values[p]; where it ends, or 0: a longer one, for `number`."""
    minus: cython.Py_ssize_t = buf[i] == 45
    whole: cython.ulonglong = digits_at(buf, i + minus)
    part: cython.ulonglong
    j: cython.Py_ssize_t = i + minus + (whole & 15)
    v: cython.double
    if 0 < (whole & 15) < 8:
        if buf[j] == 46:
            part = digits_at(buf, j + 1)
            j += 1 + (part & 15)
            if (part & 15) < 8 and buf[j] <= 32:
                v = scaled(
                    (whole >> 4) * power_of_ten(part & 15) + (part >> 4),
                    -cython.cast(cython.longlong, part & 15),
                )
                values[p] = -v if minus else v
                return j
        elif buf[j] <= 32:
            v = whole >> 4
            values[p] = -v if minus else v
            return j
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _id(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, width: cython.Py_ssize_t) -> cython.ulonglong:
    """The id of `width` digits (1 .. 19) at buf[i:]; 2**63 or more when it is, or when not all are digits."""
    first: cython.ulonglong = eight_at(buf, i)
    mid: cython.ulonglong
    last: cython.ulonglong
    if width <= 8:
        return _LAST_ID + 1 if strangers(first << (64 - 8 * width)) else leading(first, width)
    last = eight_at(buf, i + width - 8)
    if strangers(first) | strangers(last):
        return _LAST_ID + 1
    if width <= 16:
        return leading(first, width - 8) * 100000000 + eight(last)
    mid = eight_at(buf, i + width - 16)
    if strangers(mid):
        return _LAST_ID + 1
    first = (leading(first, width - 16) * 100000000 + eight(mid)) * 100000000 + eight(last)
    return first


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _parse(
    buf: cython.const[cython.uchar][::1],
    end: cython.Py_ssize_t,
    keys: Key[::1],
    last_id: cython.ulonglong,
    values: cython.double[::1],
    indptr: cython.longlong[::1],
    tokens: cython.int[::1],
    lines: cython.longlong[::1],
    texts: cython.uchar[::1],
    ends: cython.longlong[::1],
    slots: cython.int[::1],
    unlabelled_ok: cython.bint,
    state: cython.longlong[::1],
) -> cython.int:
    i: cython.Py_ssize_t = state[0]
    number_of_line: cython.longlong = state[1]
    r: cython.Py_ssize_t = state[2]
    p: cython.Py_ssize_t = state[3]
    labels: cython.Py_ssize_t = state[4]
    real: cython.bint = state[5]
    ascending: cython.bint = state[6]
    start: cython.Py_ssize_t
    was_real: cython.bint
    was_ascending: cython.bint
    status: cython.int
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    first: cython.Py_ssize_t
    first_end: cython.Py_ssize_t
    label: cython.Py_ssize_t
    recent: cython.ulonglong = 0
    older: cython.ulonglong = 0
    recent_label: cython.Py_ssize_t = 0
    older_label: cython.Py_ssize_t = 0
    all64: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    width: cython.Py_ssize_t = 1
    places: cython.Py_ssize_t = 1
    x: cython.ulonglong
    before: cython.longlong
    c: cython.uchar
    while i < end:
        start = i
        was_real = real
        was_ascending = ascending
        before = -1
        status = 0
        while buf[i] == 32 or buf[i] == 9:
            i += 1
        c = buf[i]
        if c == 10 or c == 35 or (c == 13 and buf[i + 1] == 10):
            i = _line_end(buf, i) + 1
            number_of_line += 1
            continue
        # The first word is the label, unless it has a colon.
        first = i
        j = i
        while buf[j] > 32 and buf[j] != 35 and buf[j] != 58:
            j += 1
        if buf[j] != 58:
            i = j
            if j == first:
                status = 1
        elif not unlabelled_ok:
            status = 3
        first_end = i
        while status == 0:
            c = buf[i]
            if c <= 32:
                if c == 10:
                    break
                if c == 13 and buf[i + 1] == 10:
                    i += 1
                    break
                if c != 32 and c != 9:
                    status = 1
                    break
                i += 1
            # Guess that the next id has as many digits as the last one (ids are mostly sorted) and the value
            # 1.  Where the next entry starts then hangs on a predicted branch, not on a load: entries overlap.
            if width <= 8:
                while (eight_at(buf, i + width) & 0xFFFFFF) == 0x10010A:  # ":1 ", each byte xor "0"
                    x = eight_at(buf, i)
                    if strangers(x << (64 - 8 * width)):
                        break
                    x = leading(x, width)
                    ascending &= before < cython.cast(cython.longlong, x)
                    before = x
                    keys[p] = x
                    if real:
                        values[p] = 1.0
                    p += 1
                    i += width + 3
            else:
                while (eight_at(buf, i + width) & 0xFFFFFF) == 0x10010A:
                    x = _id(buf, i, width)
                    if x > last_id:
                        break
                    ascending &= before < cython.cast(cython.longlong, x)
                    before = x
                    keys[p] = x
                    if real:
                        values[p] = 1.0
                    p += 1
                    i += width + 3
            c = buf[i]
            if c <= 32:
                continue
            if c == 35:
                i = _line_end(buf, i)
                break
            # Any entry.
            k = i
            j = i + width
            x = _id(buf, i, width) if buf[j] == 58 else last_id + 1
            if x > last_id:
                x = digits_at(buf, i)
                j = i + (x & 15)
                if buf[j] == 58 and j > i:
                    width = j - i
                    x >>= 4
                else:
                    j = digits_end(buf, j)
                    if buf[j] != 58 or j == i:
                        status = 4
                        if c == 113 and buf[i + 1] == 105 and buf[i + 2] == 100 and buf[i + 3] == 58:
                            j = digits_end(buf, i + 4)
                            if j > i + 4 and (buf[j] <= 32 or buf[j] == 35):
                                i = j
                                status = 0
                                continue
                            status = 7
                        break
                    x = whole_number(buf, i, j)
                    if x > last_id:
                        status = 5 if x > _LAST_ID else 10
                        break
                    if j - i <= 19:
                        width = j - i
            ascending &= before < cython.cast(cython.longlong, x)
            before = x
            keys[p] = x
            if buf[j + 1] == 49 and buf[j + 2] <= 32:
                i = j + 2
                if real:
                    values[p] = 1.0
            else:
                j += 1
                x = eight_at(buf, j + 2)
                if (
                    buf[j + 1] == 46
                    and buf[j + 2 + places] <= 32
                    and not (strangers(x << (64 - 8 * places)) or buf[j] < 48 or buf[j] > 57)
                ):
                    values[p] = scaled((buf[j] - 48) * power_of_ten(places) + leading(x, places), -places)
                    i = j + 2 + places
                else:
                    i = _value(buf, j, values, p)
                    if i == 0:
                        i = number(buf, j, values, p)
                        if i < 0:
                            i = k
                            status = 6
                            break
                    elif buf[j + 1] == 46 and 2 < i - j <= 10:
                        places = i - j - 2
                if not real and values[p] != 1.0:
                    real = True
                    for j in range(p):
                        values[j] = 1.0
            p += 1
        # Now that the row is good its label counts.  The last two labels are known by their bytes: eight hold
        # a label of up to seven, and its length.
        label = -1
        if status == 0 and first < first_end:
            x = 0
            k = first_end - first
            if k < 8:
                x = (((eight_at(buf, first) << (64 - 8 * k)) & all64) >> 8) | (cython.cast(cython.ulonglong, k) << 60)
            if x == recent and x != 0:
                label = recent_label
            elif x == older and x != 0:
                label = older_label
            else:
                label = place_label(buf, first, first_end, texts, ends, slots, labels)
                labels += label == labels
                older = recent
                older_label = recent_label
                recent = x
                recent_label = label
            if label < 0:
                status = cython.cast(cython.int, -label)
                i = first
        if status != 0:
            state[7] = i - start
            i = start
            p = indptr[r]
            real = was_real
            ascending = was_ascending
            break
        i += 1
        number_of_line += 1
        tokens[r] = cython.cast(cython.int, label)
        lines[r] = number_of_line
        r += 1
        indptr[r] = p
    else:
        status = 0
    state[0] = i
    state[1] = number_of_line
    state[2] = r
    state[3] = p
    state[4] = labels
    state[5] = real
    state[6] = ascending
    return status


@cython.final
@cython.cclass
class LibsvmRows:
    """The rows of a block of libsvm text, written into buffers that are given once.

    `state` has LINE, ROWS, ... of the block so far.  Keys are 64 or 32 bits wide, as their buffer is.

    >>> from array import array
    >>> text = b"+1 3:1 7:0.5 # note\\n-1 qid:4 9:1\\n"
    >>> keys, values, indptr = array("I", bytes(40)), array("d", bytes(80)), array("q", bytes(200))
    >>> tokens, lines, state = array("i", bytes(100)), array("q", bytes(200)), array("q", bytes(64))
    >>> texts, ends, slots = bytearray(len(text)), array("q", bytes(24)), array("i", bytes(16))
    >>> state[ASCENDING] = 1
    >>> rows = LibsvmRows((keys, values, indptr, tokens, lines), (texts, ends, slots), state)
    >>> rows.parse(text + bytes(SLACK), len(text), False)
    0
    >>> keys[:3].tolist(), values[:3].tolist(), indptr[:3].tolist()
    ([3, 7, 9], [1.0, 0.5, 1.0], [0, 2, 3])
    >>> tokens[:2].tolist(), bytes(texts[: ends[2]])
    ([0, 1], b'+1-1')
    """

    short_keys: cython.uint[::1]
    wide_keys: cython.ulonglong[::1]
    values: cython.double[::1]
    indptr: cython.longlong[::1]
    tokens: cython.int[::1]
    lines: cython.longlong[::1]
    label_texts: cython.uchar[::1]
    label_ends: cython.longlong[::1]
    label_slots: cython.int[::1]
    state: cython.longlong[::1]
    wide: cython.bint

    def __init__(self, entries, labels, state):  # type: (tuple[Any, ...], tuple[Any, ...], Ints) -> None
        """`entries` are keys, values, indptr, tokens and lines, `labels` their texts, ends and slots."""
        keys, self.values, self.indptr, self.tokens, self.lines = entries
        self.label_texts, self.label_ends, self.label_slots = labels
        self.state = state
        self.wide = memoryview(keys).itemsize == 8
        if self.wide:
            self.wide_keys = keys
        else:
            self.short_keys = keys
        if not self._fits_labels():
            raise AssertionError("the buffers of a block do not fit together")

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits_labels(self) -> cython.bint:
        n: cython.Py_ssize_t = len(self.label_slots)
        return (
            len(self.state) >= 8 and len(self.label_ends) >= 2 and n >= 2 * len(self.label_ends) - 2 and not n & (n - 1)
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits(self, size: cython.Py_ssize_t) -> cython.bint:
        """Whether so many bytes of text have room: a row takes 2 of them, an entry 4."""
        r: cython.Py_ssize_t = self.state[ROWS] + size // 2
        p: cython.Py_ssize_t = self.state[ENTRIES] + size // 4
        if self.state[ROWS] < 0 or self.state[ENTRIES] < 0 or not 0 <= self.state[LABELS] < len(self.label_ends):
            return False
        if self.state[LABELS] > 0 and self.label_ends[self.state[LABELS]] < 0:
            return False
        if r > len(self.tokens) or r > len(self.lines) or r >= len(self.indptr):
            return False
        return p < (len(self.wide_keys) if self.wide else len(self.short_keys)) and p < len(self.values)

    def parse(self, text: cython.const[cython.uchar][::1], end: cython.Py_ssize_t, unlabelled_ok: cython.bint):
        # type: (Buffer, int, bool) -> int
        """Parse the lines text[state[POS]:end] into rows state[ROWS], ...; OK, or why it stopped at state[POS]."""
        status: cython.int
        k: cython.Py_ssize_t
        if not self._fits_labels():  # it was made over others that did not fit
            return CAPACITY
        if end < 0 or self.state[POS] < 0 or self.state[POS] > end or len(text) < end + SLACK:
            return CAPACITY
        if (end > 0 and text[end - 1] != 10) or not self._fits(end - self.state[POS]):
            return CAPACITY
        if self.state[ROWS] == 0:
            self.indptr[0] = 0
        if self.state[LABELS] == 0:
            self.label_ends[0] = 0
            for k in range(len(self.label_slots)):
                self.label_slots[k] = 0
        if len(self.label_texts) < self.label_ends[self.state[LABELS]] + end - self.state[POS]:
            return CAPACITY
        with cython.nogil:
            if self.wide:
                status = _parse(
                    text, end, self.wide_keys, _LAST_ID, self.values, self.indptr, self.tokens, self.lines,
                    self.label_texts, self.label_ends, self.label_slots, unlabelled_ok, self.state,
                )  # fmt: skip
            else:
                status = _parse(
                    text, end, self.short_keys, _LAST_SHORT, self.values, self.indptr, self.tokens, self.lines,
                    self.label_texts, self.label_ends, self.label_slots, unlabelled_ok, self.state,
                )  # fmt: skip
        return status


def number_lines(lines: cython.longlong[::1], rows: cython.Py_ssize_t, first: cython.longlong) -> None:
    """Add `first` to lines[:rows]: the lines of a block become lines of its file."""
    r: cython.Py_ssize_t
    if rows <= len(lines):
        for r in range(rows):
            lines[r] += first
