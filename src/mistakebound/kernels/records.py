"""Records of a table: where they end, on which line they start, whether they have as many cells as the header.

Cells are parted by a delimiter, records by newlines; in a cell that begins with a quote both are text up to the quote
that closes it, and two quotes there mean one.  A quote inside a cell that does not begin with one is text; but where
it opens in one and closes at the end of another, a delimiter is missing before it.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

# Where in a cell the text stands.
START = 0  # at its beginning
PLAIN = 1  # in a cell without quotes, or behind them
QUOTED = 2
CLOSED = 3  # behind a quote in quotes: it closes them, or is the first of two

# What is wrong with a record, the last thing found; from COUNT on: it has that many cells more than COUNT.
NUL = 1
RETURN = 2  # a carriage return without a newline
BEHIND = 3  # text behind the closing quote
UNCLOSED = 4
TORN = 5  # a quote opens in the middle of one cell and closes at the end of another
COUNT = 16

RECORDS = 0
LINES = 1


def last_end(
    text: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    delimiter: cython.uchar,
    mode: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Where the last record that ends in text[start:stop] ends, 0 when none does; -1: the buffers do not fit.

    mode[0] says where in a cell text[start] stands, and afterwards text[stop].

    >>> mode = bytearray(1)
    >>> last_end(b'a,"b\\nc', 0, 6, 44, mode), mode[0] == QUOTED, last_end(b'a,"b\\nc"\\nd', 6, 9, 44, mode)
    (0, True, 8)
    """
    end: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    c: cython.uchar
    m: cython.int
    if not 0 <= start <= stop <= len(text) or len(mode) < 1:
        return -1
    m = mode[0]
    with cython.nogil:
        for i in range(start, stop):
            c = text[i]
            if m == 2:
                if c == 34:
                    m = 3
            elif c == 10:
                m = 0
                end = i + 1
            elif c == delimiter:
                m = 0
            elif c == 34 and m != 1:
                m = 2
            else:
                m = 1
    mode[0] = m
    return end


def scan(
    text: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    delimiter: cython.uchar,
    width: cython.longlong,
    found: cython.longlong[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """The records of text[start:end], which ends in a newline; empty lines are none.

    `found`, in three parts as long as each other: where each starts, the newlines before it, what is wrong with it.
    state: RECORDS, LINES (newlines).  0, or -1 when the buffers do not fit.

    >>> from array import array
    >>> found, state = array("q", bytes(24 * 8)), array("q", bytes(16))
    >>> scan(b'a,b\\n\\n"c\\n",d\\nx\\n', 0, 14, 44, 2, found, state), state[RECORDS], state[LINES]
    (0, 3, 5)
    >>> found[:3].tolist(), found[8:11].tolist(), found[16:19].tolist()
    ([0, 5, 12], [0, 2, 4], [0, 0, 17])
    """
    i: cython.Py_ssize_t = start
    c: cython.uchar
    m: cython.int = 0
    fault: cython.longlong = 0
    cells: cython.longlong = 1
    odd: cython.bint = False  # quotes in the cell, which does not begin with one
    torn: cython.bint = False  # in a cell before it they were odd, and text followed them
    line: cython.longlong = 0
    first: cython.longlong = 0  # line of the record
    r: cython.Py_ssize_t = 0
    room: cython.Py_ssize_t = len(found) // 3
    if not 0 <= start <= end <= len(text) or (start < end and text[end - 1] != 10) or len(state) < 2:
        return -1
    if len(found) // 3 < (end - start) // 2 + 1:
        return -1
    with cython.nogil:
        while i < end:
            c = text[i]
            i += 1
            if m == 2:
                if c == 34:
                    m = 3
                elif c == 10:
                    line += 1
                elif c == 0:
                    fault = 1
            elif c > 44 and c != delimiter:  # what most text is made of
                if m == 3:
                    fault = 3
                m = 1
                while text[i] > 44 and text[i] != delimiter:  # the newline at the end stops it
                    i += 1
            elif c == delimiter:
                if odd:
                    if text[i - 2] != 34:
                        torn = True
                    elif torn:
                        fault = 5
                    odd = False
                cells += 1
                m = 0
            elif c == 10:
                line += 1
                if odd and torn and (text[i - 2] == 34 or (text[i - 2] == 13 and text[i - 3] == 34)):
                    fault = 5
                odd = torn = False
                if i - start > 2 or (i - start == 2 and text[start] != 13):
                    found[r] = start
                    found[room + r] = first
                    found[2 * room + r] = fault if fault or cells == width else 16 + cells
                    r += 1
                start = i
                first = line
                m = 0
                fault = 0
                cells = 1
            elif c == 34 and m != 1:
                m = 2
            elif c != 13 or text[i] != 10:
                if m == 3:
                    fault = 3
                if c == 13:
                    fault = 2
                if c == 0:
                    fault = 1
                if c == 34:
                    odd = not odd
                m = 1
        if start < end:
            found[r] = start
            found[room + r] = first
            found[2 * room + r] = 4
            r += 1
        state[0] = r
        state[1] = line
    return 0
