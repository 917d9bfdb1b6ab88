"""Texts and numbers of JSON, where more than their bytes counts: escapes, white space around them, spelling."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hex(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.longlong:
    """Four hexadecimal digits, or -1."""
    k: cython.Py_ssize_t
    x: cython.longlong = 0
    c: cython.longlong
    for k in range(i, i + 4):
        c = buf[k]
        if 48 <= c <= 57:
            c -= 48
        elif 97 <= c <= 102:
            c -= 87
        elif 65 <= c <= 70:
            c -= 55
        else:
            return -1
        x = 16 * x + c
    return x


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def unescape(
    buf: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    out: cython.uchar[::1],
    at: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The text buf[i:j] to out[at:]; where it ends, or -1: an escape is invalid, or half of a character."""
    c: cython.uchar
    x: cython.longlong
    low_half: cython.longlong
    while i < j:
        c = buf[i]
        i += 1
        if c != 92:
            out[at] = c
            at += 1
            continue
        c = buf[i]
        i += 1
        if c == 117:
            x = _hex(buf, i)
            i += 4
            if x < 0 or i > j or 0xDC00 <= x < 0xE000:
                return -1
            if 0xD800 <= x < 0xDC00:
                low_half = _hex(buf, i + 2) if i + 6 <= j and buf[i] == 92 and buf[i + 1] == 117 else -1
                if low_half < 0xDC00 or low_half > 0xDFFF:
                    return -1
                i += 6
                x = 0x10000 + ((x - 0xD800) << 10) + (low_half - 0xDC00)
            if x < 0x80:
                out[at] = cython.cast(cython.uchar, x)
                at += 1
                continue
            if x < 0x800:
                out[at] = cython.cast(cython.uchar, 0xC0 | (x >> 6))
            else:
                if x < 0x10000:
                    out[at] = cython.cast(cython.uchar, 0xE0 | (x >> 12))
                else:
                    out[at] = cython.cast(cython.uchar, 0xF0 | (x >> 18))
                    at += 1
                    out[at] = cython.cast(cython.uchar, 0x80 | ((x >> 12) & 63))
                at += 1
                out[at] = cython.cast(cython.uchar, 0x80 | ((x >> 6) & 63))
            at += 1
            out[at] = cython.cast(cython.uchar, 0x80 | (x & 63))
        elif c == 34 or c == 92 or c == 47:
            out[at] = c
        elif c == 98:
            out[at] = 8
        elif c == 102:
            out[at] = 12
        elif c == 110:
            out[at] = 10
        elif c == 114:
            out[at] = 13
        elif c == 116:
            out[at] = 9
        else:
            return -1
        at += 1
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_space(x: cython.longlong) -> cython.bint:
    """Whether str.strip() takes the character away."""
    if x < 128:
        return x == 32 or 9 <= x <= 13 or 28 <= x <= 31
    if x == 0x85 or x == 0xA0 or x == 0x1680 or 0x2000 <= x <= 0x200A:
        return True
    return x == 0x2028 or x == 0x2029 or x == 0x202F or x == 0x205F or x == 0x3000


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _space(text: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The length of the white space character at text[i], valid UTF-8 that ends at j; 0 when it is another one."""
    c: cython.longlong = text[i]
    d: cython.longlong
    if c < 128:
        return 1 if _is_space(c) else 0
    if c == 0xC2 and i + 2 <= j:
        d = text[i + 1]
        return 2 if _is_space(((c & 31) << 6) | (d & 63)) else 0
    if 0xE1 <= c <= 0xE3 and i + 3 <= j:
        d = text[i + 1]
        c = ((c & 15) << 12) | ((d & 63) << 6)
        d = text[i + 2]
        return 3 if _is_space(c | (d & 63)) else 0
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def stripped(text: cython.uchar[::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Take the white space around the valid UTF-8 text[i:j] away; where it ends then."""
    k: cython.Py_ssize_t
    start: cython.Py_ssize_t = i
    while start < j:
        k = _space(text, start, j)
        if k == 0:
            break
        start += k
    while start < j:
        k = j - 1
        while k > start and (text[k] & 0xC0) == 0x80:
            k -= 1
        if _space(text, k, j) == 0:
            break
        j = k
    if start > i:
        for k in range(start, j):
            text[i + k - start] = text[k]
    return i + j - start


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_repr(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
    """Whether Python writes the number as it is written here (of some for which it does this says no)."""
    point: cython.Py_ssize_t = -1
    k: cython.Py_ssize_t
    if buf[i] == 45:
        i += 1
    for k in range(i, j):
        if buf[k] == 46:
            point = k
        elif buf[k] < 48 or buf[k] > 57:
            return False  # an exponent
    if point < 0:
        return j - i < 400
    if j - i > 16 or (buf[j - 1] == 48 and j - point > 2):
        return False
    if buf[i] != 48 or j - point == 2:
        return True
    for k in range(point + 1, j if j < point + 5 else point + 5):
        if buf[k] != 48:
            return True
    return False
