"""One instance at a time for learners whose kernel plays it as a row: AROW, passive-aggressive, balanced Winnow, the
perceptron and its average.  See the kernel `single_row`.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

from array import array

if cython.compiled:
    from cython.cimports.mistakebound.kernels.arow import play_rows as play_arow
    from cython.cimports.mistakebound.kernels.averaging import note_rows
    from cython.cimports.mistakebound.kernels.balanced_winnow import play_rows as play_balanced_winnow
    from cython.cimports.mistakebound.kernels.passive_aggressive import play_rows as play_passive_aggressive
    from cython.cimports.mistakebound.kernels.perceptron import play_rows as play_perceptron
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
    from cython.cimports.mistakebound.kernels.single_row import SingleRow
else:
    from mistakebound.kernels.arow import play_rows as play_arow
    from mistakebound.kernels.averaging import note_rows
    from mistakebound.kernels.balanced_winnow import play_rows as play_balanced_winnow
    from mistakebound.kernels.passive_aggressive import play_rows as play_passive_aggressive
    from mistakebound.kernels.perceptron import play_rows as play_perceptron
    from mistakebound.kernels.row_batch import RowBatch
    from mistakebound.kernels.single_row import SingleRow

_WIDEST = 1024  # see `single_row`
_AROW_WIDTH = 4  # cells of an attribute: see the kernel `arow`
# Places in the scalars of the perceptron, and where whole numbers end: see its kernel.
_BIAS = cython.declare(cython.int, 0)
_RADIUS_SQUARED = cython.declare(cython.int, 1)
_LEAST = cython.declare(cython.int, 2)
_MOST = cython.declare(cython.int, 3)
_REACH = cython.declare(cython.int, 4)
_EXACT = cython.declare(cython.double, 9007199254740992.0)


@cython.cclass
class SingleRowLinear(SingleRow):
    """The buffers of a row for a kernel."""

    batch: RowBatch  # of the one row
    scalars: cython.double[::1]
    biased: cython.bint
    values_of_ones: cython.double[::1]  # none
    indptr: cython.longlong[::1]
    label: cython.schar[::1]
    prediction: cython.schar[::1]
    scratch: cython.double[::1]

    def __init__(self, owner, kept, scalars, biased):
        # type: (tuple[Any, Any, Any, int, bool], list[tuple[Any, int]], tuple[Floats, int], bool) -> None
        """`owner` is (lock, table, labels, limit, learns); `kept` are the learner's arrays by slot, each with how many
        numbers it has for one, and `scalars` its other numbers, with how many there are.
        """
        SingleRow.__init__(self, *owner)
        for numbers, width in kept:
            if len(numbers) < width * self.capacity:
                raise ValueError("expected one weight per slot")
        scalars, count = scalars
        if len(scalars) < count:
            raise ValueError("there are too few numbers beside the weights")
        self.plays = self.numbers = True
        self.own_reals = array("d", bytes(8 * _WIDEST))
        self.reals = self.own_reals
        self.scalars = scalars
        self.biased = biased
        self.values_of_ones = array("d")
        self.scratch = array("d", bytes(8 * _WIDEST))
        indptr, label, prediction, none = array("q", bytes(16)), array("b", bytes(1)), array("b", bytes(1)), array("d")
        self.indptr = indptr
        self.label = label
        self.prediction = prediction
        self.batch = RowBatch(self.room, none, indptr, 1)
        self.batch.teach(label, none)
        self.batch.answer(prediction, none, array("q", bytes(8)))
        keys, places = array("Q", bytes(8 * _WIDEST)), array("I", bytes(4 * _WIDEST))
        self.batch.sort_by(False, self.dense, array("Q"), keys, places)

    @cython.final
    @cython.cfunc
    @cython.exceptval(check=False)
    def _begin(self, code: cython.int, learn: cython.bint) -> cython.void:
        """The row that was read, in the batch."""
        self.table._take()
        self.indptr[1] = self.count
        self.label[0] = cython.cast(cython.schar, code)
        self.batch.learn = learn
        self.batch.extra_keys = self.table.extra_keys_view
        if self.real != self.batch.real:
            self.batch.real = self.real
            self.batch.values = self.reals if self.real else self.values_of_ones


@cython.cclass
class SingleRowAROW(SingleRowLinear):
    cells: cython.double[::1]
    r: cython.double

    def __init__(self, owner, cells, scalars, biased, r):
        # type: (tuple[Any, Any, Any, int, bool], Floats, Floats, bool, float) -> None
        SingleRowLinear.__init__(self, owner, [(cells, _AROW_WIDTH)], (scalars, 6), biased)
        self.cells = cells
        self.r = r

    @cython.cfunc
    @cython.exceptval(check=False)
    def play(self, code: cython.int, learn: cython.bint) -> cython.int:
        status: cython.int
        batch: RowBatch = self.batch
        self._begin(code, learn)
        status = play_arow(
            batch.slots, batch.values, batch.indptr, False, batch.labels, batch.scores, 1, self.cells, self.scalars,
            self.r, self.biased, learn, batch.predictions, batch.scores, batch.dense, batch.extra_keys, batch.keys,
            batch.places, self.scratch, batch.state,
        )  # fmt: skip
        return self.prediction[0] if status == 0 else -1


@cython.cclass
class SingleRowPassiveAggressive(SingleRowLinear):
    weights: cython.double[::1]
    most: cython.double
    slack: cython.double

    def __init__(self, owner, weights, scalars, biased, most, slack):
        # type: (tuple[Any, Any, Any, int, bool], Floats, Floats, bool, float, float) -> None
        SingleRowLinear.__init__(self, owner, [(weights, 1)], (scalars, 4), biased)
        self.weights = weights
        self.most = most
        self.slack = slack

    @cython.cfunc
    @cython.exceptval(check=False)
    def play(self, code: cython.int, learn: cython.bint) -> cython.int:
        status: cython.int
        self._begin(code, learn)
        status = play_passive_aggressive(
            self.batch, self.weights, self.scalars, self.most, self.slack, self.biased, self.scratch
        )
        return self.prediction[0] if status == 0 else -1


@cython.cclass
class SingleRowBalancedWinnow(SingleRowLinear):
    votes: cython.double[::1]
    gaps: cython.double[::1]
    eta: cython.double
    thickness: cython.double

    def __init__(self, owner, votes, gaps, scalars, biased, eta, thickness):
        # type: (tuple[Any, Any, Any, int, bool], Floats, Floats, Floats, bool, float, float) -> None
        SingleRowLinear.__init__(self, owner, [(votes, 1), (gaps, 1)], (scalars, 5), biased)
        self.votes = votes
        self.gaps = gaps
        self.eta = eta
        self.thickness = thickness

    @cython.cfunc
    @cython.exceptval(check=False)
    def play(self, code: cython.int, learn: cython.bint) -> cython.int:
        status: cython.int
        self._begin(code, learn)
        status = play_balanced_winnow(
            self.batch, self.votes, self.gaps, self.scalars, self.eta, self.thickness, self.biased, self.scratch
        )
        return self.prediction[0] if status == 0 else -1


@cython.cclass
class SingleRowAdditive(SingleRowLinear):
    """The perceptron; with `sums` what it adds to the average is noted, and the average predicts, not this."""

    weights: cython.double[::1]
    words: cython.const[cython.ulonglong][::1]
    scale: cython.double
    averages: cython.bint
    sums: cython.double[::1]
    bias_sum: cython.double[::1]
    trials: cython.longlong[::1]

    def __init__(self, owner, weights, words, scalars, biased, scale, average):
        # type: (tuple[Any, Any, Any, int, bool], Floats, Ints, Floats, bool, float, tuple[Floats, Floats, Ints] | None) -> None
        """`average` is None or (sums, sum of the bias, number of trials)."""
        SingleRowLinear.__init__(self, owner, [(weights, 1), (words, 1)], (scalars, 5), biased)
        self.weights = weights
        self.words = words
        self.scale = scale
        self.averages = average is not None
        self.sums, self.bias_sum, self.trials = average or (array("d"), array("d"), array("q"))
        if self.averages and (len(self.sums) < self.capacity or len(self.bias_sum) < 1 or len(self.trials) < 1):
            raise ValueError("expected one weight per slot")

    @cython.cfunc
    @cython.exceptval(check=False)
    def play(self, code: cython.int, learn: cython.bint) -> cython.int:
        status: cython.int
        largest: cython.double = (self.count + 1) * (self.scalars[_REACH] + 1.0)  # no sum and no weight gets larger
        scaled: cython.double = largest * self.scale
        if self.averages and not learn:
            return -1
        if not self.real and largest < _EXACT and scaled - scaled == 0.0:
            self.prediction[0] = self._play_whole(code, learn)
            if self.averages:
                self._begin(code, learn)
        else:
            self._begin(code, learn)
            status = play_perceptron(self.batch, self.weights, self.words, self.scalars, self.scale, self.biased)
            if status != 0:
                return -1
        if self.averages:
            note_rows(self.batch, 1, self.trials[0], self.biased, self.sums, self.bias_sum)
            self.trials[0] += 1
        return self.prediction[0]

    @cython.final
    @cython.cfunc
    @cython.exceptval(check=False)
    def _play_whole(self, code: cython.int, learn: cython.bint) -> cython.schar:
        """An instance of ones and whole weights: no sum is rounded, so its order does not matter."""
        k: cython.Py_ssize_t
        w: cython.double
        norm: cython.double = self.count
        step: cython.double = 1.0 if code == 1 else -1.0
        s: cython.double = self.scalars[_BIAS]
        for k in range(self.count):
            s += self.weights[self.slots[k]]
        if learn and (s > 0.0) != (code == 1):
            for k in range(self.count):
                w = self.weights[self.slots[k]] + step
                self.weights[self.slots[k]] = -0.0 if w == 0.0 else w
            if self.biased:
                norm += 1.0
                self.scalars[_BIAS] += step
            self.scalars[_REACH] += 1.0
            if norm > self.scalars[_RADIUS_SQUARED]:
                self.scalars[_RADIUS_SQUARED] = norm
            if self.scalars[_LEAST] == 0.0 or self.scalars[_LEAST] > 1.0:
                self.scalars[_LEAST] = 1.0
            if self.scalars[_MOST] < 1.0:
                self.scalars[_MOST] = 1.0
        return s > 0.0
