"""Counting for the ledger: label tokens to codes, and the two-class confusion of a block with its mistakes."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

PAIR = 1 << 17  # more than the codes of labels and "don't know" together
_PAIR = cython.declare(cython.longlong, PAIR)

Code = cython.fused_type(cython.schar, cython.int)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _translate(
    tokens: cython.const[cython.int][::1], codes: cython.const[Code][::1], rows: cython.Py_ssize_t, out: Code[::1]
) -> cython.int:
    r: cython.Py_ssize_t
    t: cython.int
    if rows < 0 or len(tokens) < rows or len(out) < rows:
        return -1
    for r in range(rows):
        t = tokens[r]
        if t >= len(codes):
            return -1
        out[r] = codes[t] if t >= 0 else -1
    return 0


def translate(
    tokens: cython.const[cython.int][::1],
    codes: cython.const[cython.schar][::1],
    rows: cython.Py_ssize_t,
    out: cython.schar[::1],
) -> cython.int:
    """out[r] = codes[tokens[r]], -1 for a row without a label; 0, or -1 when the buffers do not fit.

    >>> from array import array
    >>> out = array("b", bytes(3))
    >>> translate(array("i", [0, 1, -1]), array("b", [1, 0]), 3, out), out.tolist()
    (0, [1, 0, -1])
    """
    status: cython.int
    with cython.nogil:
        status = _translate(tokens, codes, rows, out)
    return status


def tally(
    labels: cython.const[cython.schar][::1],
    predictions: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    trial: cython.longlong,
    counts: cython.longlong[::1],
    mistakes: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Count rows first .. last-1 (codes 0 and 1) into counts[2*label + prediction]; the number of mistakes.

    The trial number of each mistake goes to `mistakes`; row `first` is trial number `trial`.

    >>> from array import array
    >>> counts, mistakes = array("q", bytes(32)), array("q", bytes(24))
    >>> tally(array("b", [1, 0, 1]), array("b", [0, 0, 1]), 0, 3, 11, counts, mistakes)
    1
    >>> counts.tolist(), mistakes[0]
    ([1, 0, 1, 1], 11)
    """
    r: cython.Py_ssize_t
    wrong: cython.Py_ssize_t = 0
    label: cython.int
    prediction: cython.int
    if first < 0 or last < first or len(labels) < last or len(predictions) < last:
        return -1
    if len(counts) < 4 or len(mistakes) < last - first:
        return -1
    with cython.nogil:
        for r in range(first, last):
            label = labels[r] == 1
            prediction = predictions[r] == 1
            counts[2 * label + prediction] += 1
            if label != prediction:
                mistakes[wrong] = trial + r - first
                wrong += 1
    return wrong


def translate_many(
    tokens: cython.const[cython.int][::1],
    codes: cython.const[cython.int][::1],
    rows: cython.Py_ssize_t,
    out: cython.int[::1],
) -> cython.int:
    """As `translate`, for the codes of more labels than two.

    >>> from array import array
    >>> out = array("i", bytes(12))
    >>> translate_many(array("i", [0, 1, -1]), array("i", [65534, 0]), 3, out), out.tolist()
    (0, [65534, 0, -1])
    """
    status: cython.int
    with cython.nogil:
        status = _translate(tokens, codes, rows, out)
    return status


def tally_many(
    labels: cython.const[cython.int][::1],
    predictions: cython.const[cython.int][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    trial: cython.longlong,
    right: cython.longlong[::1],
    mistakes: cython.longlong[::1],
    pairs: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """As `tally` for many codes: right[label] grows with every right prediction, and the others go to `pairs`.

    A pair is PAIR * label + prediction + 1, in the order of the rows; a prediction below 0 is "don't know", written 0.

    >>> from array import array
    >>> right, mistakes, pairs = array("q", bytes(24)), array("q", bytes(24)), array("q", bytes(24))
    >>> tally_many(array("i", [1, 0, 2]), array("i", [0, -2, 2]), 0, 3, 11, right, mistakes, pairs), mistakes[0]
    (1, 11)
    >>> right.tolist(), [divmod(pair, PAIR) for pair in pairs[:2]]
    ([0, 0, 1], [(1, 1), (0, 0)])
    """
    r: cython.Py_ssize_t
    label: cython.longlong
    prediction: cython.longlong
    wrong: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    if first < 0 or last < first or len(labels) < last or len(predictions) < last:
        return -1
    if len(mistakes) < last - first or len(pairs) < last - first:
        return -1
    with cython.nogil:
        for r in range(first, last):
            label = labels[r]
            prediction = predictions[r] if predictions[r] >= 0 else -1
            if label < 0 or label >= len(right) or prediction + 1 >= _PAIR:
                wrong = -1
                break
            if label == prediction:
                right[label] += 1
                continue
            pairs[count] = _PAIR * label + prediction + 1
            count += 1
            if prediction >= 0:
                mistakes[wrong] = trial + r - first
                wrong += 1
    return wrong


def importance(
    weights: cython.const[cython.double][::1],
    codes: cython.const[cython.int][::1],
    costs: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.int:
    """out[r] = the weight of row r (empty: 1) times the cost of its label; 0, or -1 when the buffers do not fit.

    >>> from array import array
    >>> out = array("d", bytes(16))
    >>> importance(array("d", [2, 3]), array("i", [0, 1]), array("d", [1, 5]), out), out.tolist()
    (0, [2.0, 15.0])
    """
    r: cython.Py_ssize_t
    if len(codes) < len(out) or (len(weights) > 0 and len(weights) < len(out)):
        return -1
    for r in range(len(out)):
        if codes[r] < 0 or codes[r] >= len(costs):
            return -1
        out[r] = costs[codes[r]] * (weights[r] if len(weights) > 0 else 1.0)
    return 0


def weigh(
    labels: cython.const[cython.int][::1],
    predictions: cython.const[cython.int][::1],
    importance: cython.const[cython.double][::1],
    sums: cython.double[::1],
) -> cython.int:
    """Add the importance of each row (empty: 1) to sums[0], of a mistake to sums[1], of a "don't know" to sums[2].

    One after the other, so that the sums do not depend on how the rows are cut into blocks.  0, or -1 when the buffers
    do not fit.

    >>> from array import array
    >>> sums = array("d", bytes(24))
    >>> weigh(array("i", [1, 0, 2]), array("i", [1, 1, -2]), array("d", [2, 0.5, 4]), sums), sums.tolist()
    (0, [6.5, 0.5, 4.0])
    """
    r: cython.Py_ssize_t
    c: cython.double
    if len(predictions) < len(labels) or len(sums) < 3 or (len(importance) > 0 and len(importance) < len(labels)):
        return -1
    with cython.nogil:
        for r in range(len(labels)):
            c = importance[r] if len(importance) > 0 else 1.0
            sums[0] += c
            if predictions[r] < 0:
                sums[2] += c
            elif predictions[r] != labels[r]:
                sums[1] += c
    return 0
