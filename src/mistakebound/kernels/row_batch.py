"""Rows as every learning kernel takes them: their entries, labels, room for predictions, the order of their sums.

A batch is made once for a block, and its buffers are checked as they are given: nobody changes where its rows end from
then on.  A kernel then only asks whether the slots are within its own arrays (`check`).
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels.sorting import key_order
else:
    from array import array

    from mistakebound.kernels.sorting import key_order

OK = 0
OVERFLOW = 1  # row state[ROW]: a sum, a length or a weight would leave the finite doubles
CAPACITY = 2  # the batch and the buffers of the learner do not fit together: nothing was done
OTHER = 3  # rows that are still to enter their table have an attribute that is not its own slot: nothing was done
_CAPACITY = cython.declare(cython.int, CAPACITY)
_OTHER = cython.declare(cython.int, OTHER)
ROW = 0  # in `state`: how many rows were done, and the place of the first that was not


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _widest(indptr: cython.const[cython.longlong][::1], rows: cython.Py_ssize_t) -> cython.longlong:
    """The entries of the widest row; -1 when a row ends before it begins."""
    r: cython.Py_ssize_t
    bad: cython.bint = False
    widest: cython.longlong = 0
    for r in range(rows):
        bad |= indptr[r] > indptr[r + 1]
        widest = max(widest, indptr[r + 1] - indptr[r])
    return -1 if bad else widest


@cython.final
@cython.cclass
class RowBatch:
    """Row r has the entries indptr[r] .. indptr[r + 1] - 1 of `slots` and `values` (empty: every value is 1).

    >>> from array import array
    >>> batch = RowBatch(array("I", [0, 2, 1]), array("d"), array("q", [0, 2, 3]), 2)
    >>> batch.teach(array("b", [1, 0]), array("d"))
    >>> batch.teach(array("b", [1]), array("d"))
    Traceback (most recent call last):
    AssertionError: there are fewer labels than rows
    """

    def __init__(self, slots, values, indptr, rows):  # type: (Buffer, Buffer, Buffer, int) -> None
        self.rows = 0  # until all fits: a buffer that is refused leaves no rows over others
        self.slots = slots
        self.values = values
        self.indptr = indptr
        if rows < 0 or len(self.indptr) <= rows:
            raise AssertionError("there are fewer rows than announced")
        self.widest = _widest(self.indptr, rows)
        end = self.indptr[rows]
        if self.widest < 0 or self.indptr[0] < 0 or end > len(self.slots) or 0 < len(self.values) < end:
            raise AssertionError("a row has entries outside its buffers")
        self.rows = rows
        self.real = len(self.values) > 0
        self.ordered = self.learn = False
        self.dense = self.base = 0
        if not cython.compiled:  # compiled, a view that was not given has no items
            self.labels = self.predictions = array("b")
            self.importance = self.scores = array("d")
            self.extra_keys = self.keys = self.bits = array("Q")
            self.places = self.order = array("I")
            self.state = self.table = array("q")

    def teach(self, labels, importance):  # type: (Buffer, Buffer) -> None
        """The rows are to be played as trials: their codes, 0 or 1, and how much each counts (empty: 1)."""
        self.labels = labels
        self.importance = importance
        self.learn = len(self.labels) >= self.rows and not 0 < len(self.importance) < self.rows
        if not self.learn:
            raise AssertionError("there are fewer labels than rows")

    def answer(self, predictions, scores, state):  # type: (Buffer, Buffer, Buffer) -> None
        """Where the codes predicted, the scores (empty: they are not wanted) and the number of rows done go."""
        self.predictions = predictions
        self.scores = scores
        self.state = state
        if len(self.predictions) < self.rows or 0 < len(self.scores) < self.rows or len(self.state) < 1:
            raise AssertionError("there is no room for the predictions")

    def sort_by(self, ordered, dense, extra_keys, keys, places):  # type: (bool, int, Buffer, Buffer, Buffer) -> None
        """Sums are taken in ascending order of keys, in which all rows are if `ordered`.

        The key of a slot from `dense` on is in `extra_keys`; `keys` and `places` are scratch, as wide as a row.
        """
        self.ordered = ordered
        self.dense = dense
        self.extra_keys = extra_keys
        self.keys = keys
        self.places = places
        if len(self.keys) < self.widest or len(self.places) < self.widest:
            raise AssertionError("there is no room to sort a row in")

    def enter(self, base, bits, order, table):  # type: (int, Buffer, Buffer, Buffer) -> None
        """With `order` not empty the slots are small ids less `base`, ascending, that may have to enter their table."""
        self.base = base
        self.bits = bits
        self.order = order
        self.table = table
        new = self.indptr[self.rows] - self.indptr[0]
        if len(self.order) > 0 and (len(self.table) < 1 or self.table[0] < 0 or self.table[0] + new > len(self.order)):
            raise AssertionError("the table has no room for the ids")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def check(self, size: cython.ulonglong, sorts: cython.bint) -> cython.int:
        """0 when every slot is below `size`, and there is room for what is found; else CAPACITY or OTHER.

        A kernel that `sorts` rows also needs keys for all slots, and scratch.
        """
        k: cython.Py_ssize_t
        all_bits: cython.uint = 0
        slots: cython.const[cython.uint][::1] = self.slots
        top: cython.ulonglong = size
        top32: cython.uint
        most: cython.ulonglong
        other: cython.bint = False
        bad: cython.bint = False
        if len(self.state) < 1 or len(self.predictions) < self.rows or self.indptr[self.rows] > len(slots):
            return _CAPACITY
        if 0 < len(self.scores) < self.rows:
            return _CAPACITY
        if sorts and (
            len(self.places) < self.widest
            or len(self.keys) < self.widest
            or size > self.dense + cython.cast(cython.ulonglong, len(self.extra_keys))
        ):
            return _CAPACITY
        if len(self.order) > 0:
            if len(self.table) < 1 or self.table[0] < 0:
                return _CAPACITY
            if self.table[0] + self.indptr[self.rows] - self.indptr[0] > len(self.order):
                return _CAPACITY
            most = 64 * cython.cast(cython.ulonglong, len(self.bits))
            most = most - self.base if most > self.base else 0
            other = most <= size
            top = min(most, size)
        for k in range(self.indptr[0], self.indptr[self.rows]):
            all_bits |= slots[k]  # as large as the largest slot at least, and faster
        if all_bits >= top:
            top32 = cython.cast(cython.uint, top)  # numbers of one width are compared several at a time
            for k in range(self.indptr[0], self.indptr[self.rows]):
                bad |= slots[k] >= top32
        if bad:
            return _OTHER if other else _CAPACITY
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sort_row(self, r: cython.Py_ssize_t) -> cython.void:
        """places[:width of the row]: its entries, counted from its first one, in ascending order of keys."""
        key_order(self.slots, self.indptr[r], self.indptr[r + 1], self.dense, self.extra_keys, self.keys, self.places)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ordered_sum(self, r: cython.Py_ssize_t, weights: cython.const[cython.double][::1]) -> cython.double:
        """The sum of weight * value of a row in ascending order of keys, in which its `places` are then."""
        a: cython.Py_ssize_t = self.indptr[r]
        k: cython.Py_ssize_t
        p: cython.Py_ssize_t
        s: cython.double = 0.0
        self.sort_row(r)
        for k in range(self.indptr[r + 1] - a):
            p = a + self.places[k]
            s += weights[self.slots[p]] * self.values[p] if self.real else weights[self.slots[p]]
        return s

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ask_for(self, r: cython.Py_ssize_t, weights: cython.const[cython.double][::1]) -> cython.void:
        """Have the weights of a row, if there is such a one, brought from memory while another one is worked on."""
        k: cython.Py_ssize_t
        if cython.compiled:
            if r < self.rows:
                for k in range(self.indptr[r], self.indptr[r + 1]):
                    mb_prefetch(cython.address(weights[self.slots[k]]))
