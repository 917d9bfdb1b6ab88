"""The learner `auto`: fourteen members over shared features, mixed by their logits, in a lane for each label.

A row becomes features once (`auto_inputs`).  Every lane then says what it thinks of it, and with a label learns it:
`auto_lane`.  One row at a time, without Python.  Nothing here allocates: `run` stops with GROW
before a row that may not fit.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels import _auto_fields as fields
    from cython.cimports.mistakebound.kernels.auto_inputs import Inputs
    from cython.cimports.mistakebound.kernels.auto_lane import Lane
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from mistakebound.kernels import _auto_fields as fields
    from mistakebound.kernels.auto_inputs import Inputs
    from mistakebound.kernels.auto_lane import Lane
    from mistakebound.kernels.row_batch import RowBatch

OK = 0
GROW = 1  # before row counts[ROW]: an array may be too short for it
CAPACITY = 2
_OK = cython.declare(cython.int, OK)
_GROW = cython.declare(cython.int, GROW)
_CAPACITY = cython.declare(cython.int, CAPACITY)


@cython.final
@cython.cclass
class Engine:
    """Rows through the inputs and every lane."""

    row: Inputs
    lanes: tuple
    count: cython.Py_ssize_t
    addresses: cython.const[cython.longlong][::1]

    def __init__(self, row: Inputs, lanes: tuple, addresses: cython.const[cython.longlong][::1]) -> None:
        """`addresses` are the lanes' ids: where they lie, while `lanes` holds them."""
        k: cython.Py_ssize_t
        if len(addresses) != len(lanes):
            raise AssertionError("buffers do not fit together")
        for k in range(len(lanes)):
            if not isinstance(lanes[k], Lane) or id(lanes[k]) != addresses[k]:
                raise AssertionError("not the address of a lane")
        self.row = row
        self.lanes = lanes
        self.count = len(lanes)
        self.addresses = addresses

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fits(self, row: Inputs, width: cython.longlong, reach: cython.longlong, learn: cython.bint) -> cython.bint:
        k: cython.Py_ssize_t
        fit: cython.bint = row.fits(width, reach, learn)
        if learn:
            for k in range(self.count):
                if cython.compiled:
                    fit &= cython.cast(Lane, cython.cast(cython.p_void, self.addresses[k])).fits(row, width)
                else:
                    fit &= self.lanes[k].fits(row, width)
        return fit

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, row: Inputs, batch: RowBatch, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
        """The rows first .. last - 1, which were read last, on every lane."""
        k: cython.Py_ssize_t
        r: cython.Py_ssize_t
        for k in range(self.count):
            for r in range(first, last):
                row.take(r - first)
                if cython.compiled:
                    cython.cast(Lane, cython.cast(cython.p_void, self.addresses[k])).play(
                        row, batch, k * batch.rows + r, r
                    )
                else:
                    self.lanes[k].play(row, batch, k * batch.rows + r, r)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_round(self, row: Inputs) -> cython.void:
        """The members that sleep in every lane."""
        k: cython.Py_ssize_t
        row.asleep = fields.EVERYBODY
        for k in range(self.count):
            if cython.compiled:
                row.asleep &= cython.cast(Lane, cython.cast(cython.p_void, self.addresses[k])).own[fields.ASLEEP]
            else:
                row.asleep &= self.lanes[k].own[fields.ASLEEP]

    def run(
        self,
        batch: RowBatch,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        numbers: cython.const[cython.uint][::1],
        base: cython.ulonglong,
    ) -> cython.int:
        """Predict rows first .. last-1 and learn each after it, if there are labels; counts[ROW] is how far it came.

        Labels, predictions and scores have as many entries a lane as there are rows, one lane after the other.
        """
        r: cython.Py_ssize_t
        k: cython.Py_ssize_t
        reach: cython.longlong
        begun: cython.Py_ssize_t
        full: cython.bint
        row: Inputs = self.row
        played: cython.Py_ssize_t = self.count * batch.rows
        far: cython.bint = self.count == 1 and len(cython.cast(Lane, self.lanes[0]).singles) > 65536
        bad: cython.bint = False
        status: cython.int = _OK
        if first < 0 or last < first or batch.rows < last or len(batch.predictions) < played:
            return _CAPACITY
        if len(batch.indptr) <= last or batch.indptr[last] > len(batch.slots):
            return _CAPACITY
        if (batch.learn and len(batch.labels) < played) or 0 < len(batch.scores) < played:
            return _CAPACITY
        with cython.nogil:
            for k in range(batch.indptr[first], batch.indptr[last]):
                bad |= batch.slots[k] + base >= cython.cast(cython.ulonglong, len(numbers))
            if bad:
                status = _CAPACITY
            else:
                self._look_round(row)
                begun = first
                row.counts[fields.ROW] = first
                for r in range(first, last):
                    reach = 0
                    for k in range(batch.indptr[r], batch.indptr[r + 1]):
                        reach = max(reach, cython.cast(cython.longlong, numbers[batch.slots[k] + base]))
                    if not self._fits(row, batch.indptr[r + 1] - batch.indptr[r], reach, batch.learn):
                        status = _GROW
                        last = r
                        break
                    if cython.compiled:
                        if far and r + 1 < last:
                            cython.cast(Lane, cython.cast(cython.p_void, self.addresses[0])).ask_for(
                                row, batch, r + 1, numbers, base
                            )
                    row.read(batch, r, numbers, base, r - begun)
                    full = row.keep(r - begun)
                    if batch.learn:
                        row.count(batch, r)
                    if (full and batch.learn) or r + 1 - begun == row.batch or self.count == 1:
                        self._play(row, batch, begun, r + 1)
                        self._look_round(row)
                        begun = r + 1
                        row.counts[fields.ROW] = begun
                if begun < last:
                    self._play(row, batch, begun, last)
                    self._look_round(row)
                    row.counts[fields.ROW] = last
        return status
