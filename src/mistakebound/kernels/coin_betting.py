"""Coin betting on sparse rows, a coin for each attribute (Orabona and Pál 2016; docs/theorems.md has the form).

A trial says the logistic gradient g of every attribute of its row.  An attribute keeps the sum of its g, the sum of
their sizes, its wealth and the largest size that a g may have had; its weight is the part of the wealth that the sum
speaks for.  A g larger than all before it is cut off there, and the attribute given the money that the theorem asks
for.  Scores are sums of weight * value in ascending order of keys, the bias last.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs
    from cython.cimports.mistakebound.kernels._coins import chance_of, toss, weight_of
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from math import fabs

    from mistakebound.kernels._coins import chance_of, toss, weight_of
    from mistakebound.kernels.row_batch import RowBatch

OK = 0
OVERFLOW = 1  # row state[ROW]: a sum or what is kept would leave the finite doubles
CAPACITY = 2
_OK = cython.declare(cython.int, OK)
_OVERFLOW = cython.declare(cython.int, OVERFLOW)
_CAPACITY = cython.declare(cython.int, CAPACITY)
ROW = 0
_ROW = cython.declare(cython.int, ROW)

# What is kept for an attribute beside its weight.
TOTAL, SIZE, WEALTH, MOST = 0, 1, 2, 3
WIDTH = 4
_WIDTH = cython.declare(cython.int, WIDTH)

# Places in `scalars`; from COIN on WIDTH numbers for the bias.
BIAS = 0
COIN = 1
PUT = 5  # money that was given, and what cutting off has cost
LEAST = 6  # the smallest importance of a row that was a mistake; 0 before the first
SCALARS = 7
_BIAS = cython.declare(cython.int, BIAS)
_COIN = cython.declare(cython.int, COIN)
_PUT = cython.declare(cython.int, PUT)
_LEAST = cython.declare(cython.int, LEAST)
_SCALARS = cython.declare(cython.int, SCALARS)
DRAFT = 5  # of a row that is being learned: a weight, and the four of its coin
_DRAFT = cython.declare(cython.int, DRAFT)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _learn(
    batch: RowBatch,
    r: cython.Py_ssize_t,
    g: cython.double,
    c: cython.double,
    wealth: cython.double,
    biased: cython.bint,
    weights: cython.double[::1],
    coins: cython.double[::1],
    scalars: cython.double[::1],
    drafts: cython.double[::1],
) -> cython.bint:
    """The row, whose `places` are in order, with g the weighted residual; false, and nothing changed: not finite."""
    a: cython.Py_ssize_t = batch.indptr[r]
    n: cython.Py_ssize_t = batch.indptr[r + 1] - a
    k: cython.Py_ssize_t
    j: cython.Py_ssize_t
    p: cython.Py_ssize_t
    d: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    x: cython.double
    put: cython.double = scalars[_PUT]
    bad: cython.bint = False
    for k in range(n + biased):
        d = k * _DRAFT
        x = 1.0
        if k < n:
            p = a + batch.places[k]
            slot = batch.slots[p]
            x = batch.values[p] if batch.real else 1.0
            drafts[d] = weights[slot]
            for j in range(_WIDTH):
                drafts[d + 1 + j] = coins[_WIDTH * slot + j]
        else:
            drafts[d] = scalars[_BIAS]
            for j in range(_WIDTH):
                drafts[d + 1 + j] = scalars[_COIN + j]
        if c * fabs(x) > 0.0:
            put += toss(drafts, d + 1, drafts[d], g * x, c * fabs(x), wealth)
            drafts[d] = weight_of(drafts, d + 1)
        for j in range(_DRAFT):
            bad |= drafts[d + j] - drafts[d + j] != 0.0
        x = drafts[d + 2] + drafts[d + 4]  # what the weight is divided by
        bad |= x - x != 0.0
    if bad or put - put != 0.0:
        return False
    scalars[_PUT] = put
    for k in range(n + biased):
        d = k * _DRAFT
        if k < n:
            slot = batch.slots[a + batch.places[k]]
            weights[slot] = drafts[d]
            for j in range(_WIDTH):
                coins[_WIDTH * slot + j] = drafts[d + 1 + j]
        else:
            scalars[_BIAS] = drafts[d]
            for j in range(_WIDTH):
                scalars[_COIN + j] = drafts[d + 1 + j]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _play(
    batch: RowBatch,
    weights: cython.double[::1],
    coins: cython.double[::1],
    scalars: cython.double[::1],
    wealth: cython.double,
    biased: cython.bint,
    drafts: cython.double[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    s: cython.double
    c: cython.double
    far: cython.bint = len(weights) > 65536
    for r in range(batch.rows):
        if far:
            batch.ask_for(r + 1, weights)
        s = batch.ordered_sum(r, weights)
        if biased:
            s += scalars[_BIAS]
        if s - s != 0.0:
            batch.state[_ROW] = r
            return _OVERFLOW
        if batch.learn:
            c = batch.importance[r] if len(batch.importance) > 0 else 1.0
            if not _learn(
                batch, r, c * ((batch.labels[r] == 1) - chance_of(s)), c, wealth, biased, weights, coins, scalars,
                drafts,
            ):  # fmt: skip
                batch.state[_ROW] = r
                return _OVERFLOW
            if (s > 0.0) != (batch.labels[r] == 1) and (scalars[_LEAST] == 0.0 or c < scalars[_LEAST]):
                scalars[_LEAST] = c
        if len(batch.scores) > 0:
            batch.scores[r] = s
        batch.predictions[r] = s > 0.0
    batch.state[_ROW] = batch.rows
    return _OK


def run(
    batch: RowBatch,
    weights: cython.double[::1],
    coins: cython.double[::1],
    scalars: cython.double[::1],
    wealth: cython.double,
    biased: cython.bint,
    drafts: cython.double[::1],
) -> cython.int:
    """Predict the rows and, if they have labels, play them as trials.

    For each attribute there are a weight and WIDTH `coins`; `wealth` is what a new one begins with.  The importance of
    a row is a factor of its gradient.  `drafts` is scratch for the widest row and the bias.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> weights, coins, scalars, out = array("d", [0]), array("d", bytes(32)), array("d", bytes(56)), array("b", b"00")
    >>> batch = RowBatch(array("I", [0, 0]), array("d"), array("q", [0, 1, 2]), 2)
    >>> batch.teach(array("b", [1, 1]), array("d"))
    >>> batch.answer(out, array("d"), array("q", [0]))
    >>> batch.sort_by(True, 1, array("Q"), array("Q", bytes(8)), array("I", bytes(4)))
    >>> run(batch, weights, coins, scalars, 1.0, False, array("d", bytes(80)))
    0
    >>> out.tolist(), [round(number, 3) for number in (weights[0], *coins)]
    ([0, 1], [0.545, 0.917, 0.917, 1.139, 1.0])
    """
    status: cython.int = _CAPACITY
    if len(scalars) < _SCALARS or len(coins) != _WIDTH * len(weights) or len(drafts) < _DRAFT * (batch.widest + 1):
        return status
    with cython.nogil:
        status = batch.check(len(weights), True)
        if status == 0:
            status = _play(batch, weights, coins, scalars, wealth, biased, drafts)
    return status


def weigh(coins: cython.const[cython.double][::1], weights: cython.double[::1]) -> cython.int:
    """The weights that coins make; 0, or -1 when there are not as many.

    >>> from array import array
    >>> weights = array("d", [0.0])
    >>> weigh(array("d", [1.0, 1.0, 3.0, 0.5]), weights), weights.tolist()
    (0, [4.0])
    """
    k: cython.Py_ssize_t
    if len(coins) != _WIDTH * len(weights):
        return -1
    with cython.nogil:
        for k in range(len(weights)):
            weights[k] = weight_of(coins, 4 * k)
    return 0


def longest(coins: cython.const[cython.double][::1], most: cython.double) -> cython.double:
    """The largest of `most` and, over the coins, 1 + (sum of sizes)/(largest size).

    >>> from array import array
    >>> longest(array("d", [1.0, 3.0, 1.0, 0.5]), 1.0)
    7.0
    """
    k: cython.Py_ssize_t
    t: cython.double
    for k in range(len(coins) // _WIDTH):
        if coins[4 * k + 3] > 0.0:
            t = 1.0 + coins[4 * k + 1] / coins[4 * k + 3]
            most = max(most, t)
    return most
