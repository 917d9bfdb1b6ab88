"""Dates and times of JSON lines, as 2024-01-28 or 2024-01-28T10:30:00Z."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython


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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def date_at(buf: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.longlong:
    """The date that begins at buf[i] and that a quote ends, in four numbers; -1: it is written in another way.

    The month, 16 times the day of the week from 0 for Sunday, 256 times 1 + the hour (0: it has none), and 2**16 times
    the number of bytes.
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
    return ((at - i) << 16) | ((hour + 1) << 8) | (_weekday(year, month, day) << 4) | month
