"""Rows of a block as kernels take and make them: keys, and values where not all are 1."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if not cython.compiled:
    from array import array


@cython.cclass
class KeyRows:
    """Row r has the entries indptr[r] .. indptr[r + 1] - 1 of `keys` and `values` (empty: every value is 1).

    `widest` is how many entries a row has at most.

    >>> from array import array
    >>> rows = KeyRows(array("q", [0, 2, 3]), array("Q", [5, 7, 5]), array("d"), 2)
    >>> rows = KeyRows(array("q", [0, 2, 3]), array("Q", [5, 7]), array("d"), 2)
    Traceback (most recent call last):
    AssertionError: a row has entries outside its buffers
    """

    # seen: widest: int

    def __init__(self, indptr, keys, values, rows):  # type: (Buffer, Buffer, Buffer, int) -> None
        r: cython.Py_ssize_t
        self.indptr = indptr
        self.values = values
        self.keys = keys
        if rows < 0 or len(indptr) <= rows:
            raise AssertionError("there are fewer rows than announced")
        self.rows = rows
        self.widest = 0
        for r in range(self.rows):
            if self.indptr[r] > self.indptr[r + 1]:
                raise AssertionError("a row ends before it begins")
            self.widest = max(self.widest, self.indptr[r + 1] - self.indptr[r])
        self.end = self.indptr[self.rows]
        if self.indptr[0] < 0 or self.end > len(keys) or 0 < len(values) < self.end:
            raise AssertionError("a row has entries outside its buffers")
        self.real = len(values) > 0


@cython.final
@cython.cclass
class NewRows:
    """Where a kernel puts the rows that it makes: keys of four or eight bytes; `values` empty where none are wanted."""

    def __init__(self, indptr, keys, values):  # type: (Buffer, Buffer, Buffer) -> None
        self.indptr = indptr
        self.values = values
        self.short = memoryview(keys).format == "I"
        if not cython.compiled:  # compiled, a view that was not given has no items
            self.keys, self.short_keys = array("Q"), array("I")
        if self.short:
            self.short_keys = keys
        else:
            self.keys = keys

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has_room(self, rows: cython.Py_ssize_t, entries: cython.longlong, real: cython.bint) -> cython.bint:
        """Whether so many rows and entries can be put there, and values with them if they are `real`."""
        room: cython.Py_ssize_t = len(self.short_keys) if self.short else len(self.keys)
        return len(self.indptr) > rows and room >= entries and (not real or len(self.values) >= entries)
