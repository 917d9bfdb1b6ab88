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
    from cython.cimports.mistakebound.kernels.single_row import SingleRow
else:
    from mistakebound.kernels.arow import play_rows as play_arow
    from mistakebound.kernels.averaging import note_rows
    from mistakebound.kernels.balanced_winnow import play_rows as play_balanced_winnow
    from mistakebound.kernels.passive_aggressive import play_rows as play_passive_aggressive
    from mistakebound.kernels.perceptron import play_rows as play_perceptron
    from mistakebound.kernels.single_row import SingleRow

_WIDEST = 1024  # see `single_row`
_AROW_WIDTH = 4  # cells of an attribute: see the kernel `arow`


@cython.cclass
class SingleRowLinear(SingleRow):
    """The buffers of a row for a kernel."""

    scalars: cython.double[::1]
    biased: cython.bint
    values_of_ones: cython.double[::1]  # none
    scores: cython.double[::1]  # none
    indptr: cython.longlong[::1]
    label: cython.schar[::1]
    prediction: cython.schar[::1]
    keys: cython.ulonglong[::1]
    places: cython.uint[::1]
    scratch: cython.double[::1]
    row: cython.longlong[::1]

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
        self.scores = array("d")
        self.indptr = array("q", bytes(16))
        self.label = array("b", bytes(1))
        self.prediction = array("b", bytes(1))
        self.keys = array("Q", bytes(8 * _WIDEST))
        self.places = array("I", bytes(4 * _WIDEST))
        self.scratch = array("d", bytes(8 * _WIDEST))
        self.row = array("q", bytes(8))

    @cython.final
    @cython.cfunc
    @cython.exceptval(check=False)
    def _begin(self, code: cython.int) -> cython.void:
        self.table._take()
        self.indptr[1] = self.count
        self.label[0] = cython.cast(cython.schar, code)


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
        self._begin(code)
        status = play_arow(
            self.slots, self.reals if self.real else self.values_of_ones, self.indptr, False, self.label, self.scores,
            1, self.cells, self.scalars, self.r, self.biased, learn, self.prediction, self.scores, self.dense,
            self.table.extra_keys_view, self.keys, self.places, self.scratch, self.row,
        )  # fmt: skip
        return self.prediction[0] if status == 0 else -1


@cython.cclass
class SingleRowPassiveAggressive(SingleRowLinear):
    weights: cython.double[::1]
    learned: cython.double[::1]
    most: cython.double
    slack: cython.double

    def __init__(self, owner, weights, scalars, biased, most, slack):
        # type: (tuple[Any, Any, Any, int, bool], Floats, Floats, bool, float, float) -> None
        SingleRowLinear.__init__(self, owner, [(weights, 1)], (scalars, 4), biased)
        self.weights = weights
        self.learned = array("d", bytes(16))
        self.most = most
        self.slack = slack

    @cython.cfunc
    @cython.exceptval(check=False)
    def play(self, code: cython.int, learn: cython.bint) -> cython.int:
        status: cython.int
        self._begin(code)
        status = play_passive_aggressive(
            self.slots, self.reals if self.real else self.values_of_ones, self.indptr, self.label, self.scores, 0, 1,
            self.weights, self.scalars, self.most, self.slack, self.biased, learn, self.prediction, self.scores,
            self.dense, self.table.extra_keys_view, self.keys, self.places, self.learned, self.row,
        )  # fmt: skip
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
        self._begin(code)
        status = play_balanced_winnow(
            self.slots, self.reals if self.real else self.values_of_ones, self.indptr, False, self.label, self.scores,
            1, self.votes, self.gaps, self.scalars, self.eta, self.thickness, self.biased, learn, self.prediction,
            self.scores, self.dense, self.table.extra_keys_view, self.keys, self.places, self.scratch, self.row,
        )  # fmt: skip
        return self.prediction[0] if status == 0 else -1


@cython.cclass
class SingleRowAdditive(SingleRowLinear):
    """The perceptron; with `sums` what it adds to the average is noted, and the average predicts, not this."""

    weights: cython.double[::1]
    words: cython.const[cython.ulonglong][::1]
    scale: cython.double
    bits: cython.ulonglong[::1]  # none
    order: cython.uint[::1]  # none
    entering: cython.longlong[::1]  # none
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
        self.bits = array("Q")
        self.order = array("I")
        self.entering = array("q")
        self.averages = average is not None
        self.sums, self.bias_sum, self.trials = average or (array("d"), array("d"), array("q"))
        if self.averages and (len(self.sums) < self.capacity or len(self.bias_sum) < 1 or len(self.trials) < 1):
            raise ValueError("expected one weight per slot")

    @cython.cfunc
    @cython.exceptval(check=False)
    def play(self, code: cython.int, learn: cython.bint) -> cython.int:
        status: cython.int
        if self.averages and not learn:
            return -1
        self._begin(code)
        status = play_perceptron(
            self.slots, self.reals if self.real else self.values_of_ones, self.indptr, self.label, self.scores, 0, 1,
            self.weights, self.words, self.scalars, self.scale, self.biased, learn, self.prediction, self.scores,
            self.dense, self.table.extra_keys_view, self.keys, self.places, self.row, 0, self.bits, self.order,
            self.entering,
        )  # fmt: skip
        if status != 0:
            return -1
        if self.averages:
            note_rows(
                self.slots, self.reals if self.real else self.values_of_ones, self.indptr, self.label,
                self.prediction, self.scores, 1, self.trials[0], self.biased, self.sums, self.bias_sum,
            )  # fmt: skip
            self.trials[0] += 1
        return self.prediction[0]
