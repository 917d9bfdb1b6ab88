"""Backpropagation one example at a time, for layers of units (CS3244 notes, definition 4.5).

The weights of a layer, from n units to m, are n + 1 rows of m numbers: row 0 from the constant 1, row i from unit i.
So every inner loop runs over neighbours in memory, and no sum has to be taken in another order to run in several lanes.
The steps of the last update (momentum) and the sums of a gradient lie in the same way.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._layers import (
        c_add_outer,
        c_add_rows,
        c_add_step,
        c_go_back,
        c_sigmoids,
        natural_log,
    )
else:
    from mistakebound.kernels._layers import add_outer, add_rows, add_step, go_back, natural_log, sigmoids

# What the units of the last layer do with their sum; all others are sigmoid units.
SIGMOID, LINEAR, SIGN = 0, 1, 2
# What is minimised: half the squared error, or minus the log of the likelihood.
SQUARED, LIKELIHOOD = 0, 1
# Places in `settings`, and in `done`.
ETA, MOMENTUM, DECAY = 0, 1, 2
STEPS, EPOCHS = 0, 1
OK, MISFIT, NOT_FINITE = 0, -1, 1

# In a nogil function a name of the module is an object; these are the same numbers for C.
_SIGMOID = cython.declare(cython.int, 0)
_SIGN = cython.declare(cython.int, 2)
_SQUARED = cython.declare(cython.int, 0)
_LIKELIHOOD = cython.declare(cython.int, 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _forward(
    shape: cython.const[cython.longlong][::1],
    output: cython.int,
    weights: cython.const[cython.double][::1],
    X: cython.const[cython.double][::1],
    row: cython.Py_ssize_t,
    values: cython.double[::1],
) -> cython.Py_ssize_t:
    """values = the inputs, then what the units of each layer say; where the last layer begins."""
    layers: cython.Py_ssize_t = len(shape) - 1
    n: cython.Py_ssize_t = shape[0]
    m: cython.Py_ssize_t
    a: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    layer: cython.Py_ssize_t
    for j in range(n):
        values[j] = X[row * n + j]
    for layer in range(layers):
        m = shape[layer + 1]
        b = a + n
        for j in range(m):
            values[b + j] = weights[c + j]
        if cython.compiled:
            c_add_rows(cython.address(weights[c + m]), n, m, cython.address(values[a]), cython.address(values[b]))
        else:
            add_rows(weights, c + m, n, m, values, a, b)
        if layer < layers - 1 or output == _SIGMOID:
            if cython.compiled:
                c_sigmoids(cython.address(values[b]), m)
            else:
                sigmoids(values, b, m)
        elif output == _SIGN:
            for j in range(b, b + m):
                values[j] = 1.0 if values[j] > 0.0 else -1.0
        c += (n + 1) * m
        a = b
        n = m
    return a


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _errors(
    output: cython.int,
    loss: cython.int,
    values: cython.const[cython.double][::1],
    b: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
    T: cython.const[cython.double][::1],
    row: cython.Py_ssize_t,
    deltas: cython.double[::1],
) -> cython.double:
    """deltas[b:b+m] = the errors of the units of the last layer (step 2 of the algorithm); the loss of the example."""
    k: cython.Py_ssize_t
    o: cython.double
    e: cython.double
    t: cython.double
    lost: cython.double = 0.0
    for k in range(m):
        o = values[b + k]
        e = T[row * m + k] - o
        lost = lost + 0.5 * e * e
        deltas[b + k] = o * (1.0 - o) * e if output == _SIGMOID and loss == _SQUARED else e
    if loss == _LIKELIHOOD:
        lost = 0.0
        for k in range(m):
            o = values[b + k]
            t = T[row * m + k]
            if t > 0.0:
                lost = lost - t * natural_log(o if o > 1e-300 else 1e-300)
            if t < 1.0:
                o = 1.0 - o
                lost = lost - (1.0 - t) * natural_log(o if o > 1e-16 else 1e-16)
    return lost


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _back(
    weights: cython.const[cython.double][::1],
    c: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    deltas: cython.double[::1],
    b: cython.Py_ssize_t,
) -> cython.void:
    """Step 3: deltas[a:a+n], the errors of the units before a layer, from deltas[b:b+m], those of its own."""
    if cython.compiled:
        c_go_back(
            cython.address(weights[c]), n, m, cython.address(values[a]), cython.address(deltas[b]),
            cython.address(deltas[a]),
        )  # fmt: skip
    else:
        go_back(weights, c, n, m, values, a, deltas, b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    shape: cython.const[cython.longlong][::1],
    weights: cython.double[::1],
    steps: cython.double[::1],
    eta: cython.double,
    momentum: cython.double,
    shrink: cython.double,
    values: cython.const[cython.double][::1],
    deltas: cython.double[::1],
    scaled: cython.double[::1],
) -> cython.void:
    """Steps 3 to 5, from the last layer to the first: errors go back through weights, then these move."""
    layer: cython.Py_ssize_t = len(shape) - 2
    m: cython.Py_ssize_t
    n: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t = 0
    c: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    step: cython.double
    plain: cython.bint = momentum == 0.0 and shrink == 0.0
    for j in range(layer + 1):
        b += shape[j]
        c += (shape[j] + 1) * shape[j + 1]
    while layer >= 0:
        n = shape[layer]
        m = shape[layer + 1]
        a = b - n
        c -= (n + 1) * m
        for j in range(m):
            scaled[j] = eta * deltas[b + j]
        if layer > 0:
            _back(weights, c + m, n, m, values, a, deltas, b)
        if plain:
            for j in range(m):
                weights[c + j] += scaled[j]
            if cython.compiled:
                c_add_outer(cython.address(weights[c + m]), n, m, cython.address(values[a]), cython.address(scaled[0]))
            else:
                add_outer(weights, c + m, n, m, values, a, scaled, 0)
        else:
            for j in range(m):
                step = (scaled[j] - shrink * weights[c + j]) + momentum * steps[c + j]
                steps[c + j] = step
                weights[c + j] += step
            if cython.compiled:
                c_add_step(
                    cython.address(weights[c + m]), cython.address(steps[c + m]), n, m, cython.address(values[a]),
                    cython.address(scaled[0]), momentum, shrink,
                )  # fmt: skip
            else:
                add_step(weights, steps, c + m, n, m, values, a, scaled, momentum, shrink)
        b = a
        layer -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _collect(
    shape: cython.const[cython.longlong][::1],
    weights: cython.const[cython.double][::1],
    values: cython.const[cython.double][::1],
    deltas: cython.double[::1],
    gradient: cython.double[::1],
) -> cython.void:
    """Add what each weight has to do with the error (delta times input: minus the gradient) to `gradient`."""
    layer: cython.Py_ssize_t = len(shape) - 2
    m: cython.Py_ssize_t
    n: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t = 0
    c: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    for j in range(layer + 1):
        b += shape[j]
        c += (shape[j] + 1) * shape[j + 1]
    while layer >= 0:
        n = shape[layer]
        m = shape[layer + 1]
        a = b - n
        c -= (n + 1) * m
        if layer > 0:
            _back(weights, c + m, n, m, values, a, deltas, b)
        for j in range(m):
            gradient[c + j] += deltas[b + j]
        if cython.compiled:
            c_add_outer(cython.address(gradient[c + m]), n, m, cython.address(values[a]), cython.address(deltas[b]))
        else:
            add_outer(gradient, c + m, n, m, values, a, deltas, b)
        b = a
        layer -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _move(
    weights: cython.double[::1],
    steps: cython.double[::1],
    gradient: cython.double[::1],
    eta: cython.double,
    momentum: cython.double,
    decay: cython.double,
    ends: cython.const[cython.longlong][::1],
    tied: cython.const[cython.longlong][::1],
) -> cython.void:
    """Take a step along `gradient` and empty it; weights of a group that is tied are one weight with several places."""
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    total: cython.double
    step: cython.double
    for k in range(len(weights)):
        gradient[k] -= 2.0 * decay * weights[k]
    for k in range(len(ends)):
        total = 0.0
        for p in range(first, ends[k]):
            total += gradient[tied[p]]
        for p in range(first, ends[k]):
            gradient[tied[p]] = total
        first = ends[k]
    for k in range(len(weights)):
        step = eta * gradient[k] + momentum * steps[k]
        steps[k] = step
        weights[k] += step
        gradient[k] = 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _best(
    output: cython.int, values: cython.const[cython.double][::1], b: cython.Py_ssize_t, m: cython.Py_ssize_t
) -> cython.int:
    """The code of the class that the last layer says: the first of its largest values, or which side one unit is on.

    The targets of one unit are 0 and 1, those of a sign unit -1 and 1: the middle is the boundary.
    """
    k: cython.Py_ssize_t
    best: cython.Py_ssize_t = 0
    if m == 1:
        return values[b] > (0.0 if output == _SIGN else 0.5)
    for k in range(1, m):
        if values[b + k] > values[b + best]:
            best = k
    return cython.cast(cython.int, best)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _finite(weights: cython.const[cython.double][::1]) -> cython.bint:
    k: cython.Py_ssize_t
    total: cython.double = 0.0
    for k in range(len(weights)):
        total += weights[k] - weights[k]
    return total == 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fits(
    shape: cython.const[cython.longlong][::1],
    weights: cython.Py_ssize_t,
    X: cython.Py_ssize_t,
    T: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    work: cython.Py_ssize_t,
) -> cython.bint:
    """Whether so many numbers are what a network of this shape and so many rows have (T: -1 without targets)."""
    k: cython.Py_ssize_t
    units: cython.Py_ssize_t = 0
    wanted: cython.Py_ssize_t = 0
    if len(shape) < 2 or rows < 0:
        return False
    for k in range(len(shape)):
        if shape[k] < 1:
            return False
        units += shape[k]
        if k > 0:
            wanted += (shape[k - 1] + 1) * shape[k]
    if T >= 0 and T != rows * shape[len(shape) - 1]:
        return False
    return weights == wanted and X == rows * shape[0] and work >= 3 * units


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _within(places: cython.const[cython.longlong][::1], end: cython.Py_ssize_t) -> cython.bint:
    k: cython.Py_ssize_t
    for k in range(len(places)):
        if places[k] < 0 or places[k] >= end:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _groups(
    ends: cython.const[cython.longlong][::1], tied: cython.const[cython.longlong][::1], end: cython.Py_ssize_t
) -> cython.bint:
    k: cython.Py_ssize_t
    last: cython.longlong = 0
    for k in range(len(ends)):
        if ends[k] < last:
            return False
        last = ends[k]
    return last == len(tied) and _within(tied, end)


def train(
    shape: cython.const[cython.longlong][::1],
    output: cython.int,
    loss: cython.int,
    weights: cython.double[::1],
    steps: cython.double[::1],
    settings: cython.const[cython.double][::1],
    ends: cython.const[cython.longlong][::1],
    tied: cython.const[cython.longlong][::1],
    gradient: cython.double[::1],
    X: cython.const[cython.double][::1],
    T: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    order: cython.const[cython.longlong][::1],
    watch: cython.bint,
    losses: cython.double[::1],
    predictions: cython.int[::1],
    work: cython.double[::1],
    done: cython.longlong[::1],
) -> cython.int:
    """One update for each example, in the order given, `rows` of them being an epoch.

    losses[e] gets the sum of the examples' losses in epoch e, each before its update; predictions[k], if there is room,
    the class that was said at step k.  Sign units stop after an epoch without a mistake.  With `watch` it stops after
    the first step that leaves a weight or the loss that is not a finite number.  done[STEPS] steps were taken.
    """
    eta: cython.double
    momentum: cython.double
    decay: cython.double
    lost: cython.double
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    b: cython.Py_ssize_t
    m: cython.Py_ssize_t
    place: cython.Py_ssize_t = 0
    epoch: cython.Py_ssize_t = 0
    units: cython.Py_ssize_t = len(work) // 3
    said: cython.bint = len(predictions) > 0
    status: cython.int = 0
    if not _fits(shape, len(weights), len(X), len(T), rows, len(work)) or len(settings) < 3 or len(done) < 2:
        return -1
    if len(steps) != len(weights) or (len(ends) > 0 and len(gradient) != len(weights)):
        return -1
    if rows == 0 or len(losses) * rows < len(order) or (said and len(predictions) < len(order)):
        return -1
    if not _within(order, rows) or not _groups(ends, tied, len(weights)):
        return -1
    eta, momentum, decay = settings[0], settings[1], settings[2]
    m = shape[len(shape) - 1]
    values: cython.double[::1] = work[:units]
    deltas: cython.double[::1] = work[units : 2 * units]
    scaled: cython.double[::1] = work[2 * units :]
    with cython.nogil:
        for k in range(len(losses)):
            losses[k] = 0.0
        done[0] = 0
        for k in range(len(order)):
            row = order[k]
            b = _forward(shape, output, weights, X, row, values)
            if said:
                predictions[k] = _best(output, values, b, m)
            lost = _errors(output, loss, values, b, m, T, row, deltas)
            losses[epoch] += lost
            if output != _SIGN or lost != 0.0:
                if len(ends) > 0:
                    _collect(shape, weights, values, deltas, gradient)
                    _move(weights, steps, gradient, eta, momentum, decay, ends, tied)
                else:
                    _update(shape, weights, steps, eta, momentum, 2.0 * eta * decay, values, deltas, scaled)
            done[0] = k + 1
            if watch and not (_finite(weights) and losses[epoch] - losses[epoch] == 0.0):
                status = 1
                break
            place += 1
            if place == rows:
                place = 0
                epoch += 1
                if output == _SIGN and losses[epoch - 1] == 0.0:
                    break
        done[1] = epoch
    return status


def gradient_of(
    shape: cython.const[cython.longlong][::1],
    output: cython.int,
    loss: cython.int,
    weights: cython.const[cython.double][::1],
    X: cython.const[cython.double][::1],
    T: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    gradient: cython.double[::1],
    work: cython.double[::1],
    losses: cython.double[::1],
) -> cython.int:
    """Add minus the gradient of the loss of all rows to `gradient`, and the loss to losses[0]."""
    units: cython.Py_ssize_t = len(work) // 3
    row: cython.Py_ssize_t
    b: cython.Py_ssize_t
    m: cython.Py_ssize_t
    if not _fits(shape, len(weights), len(X), len(T), rows, len(work)) or len(gradient) != len(weights):
        return -1
    if len(losses) < 1:
        return -1
    m = shape[len(shape) - 1]
    values: cython.double[::1] = work[:units]
    deltas: cython.double[::1] = work[units : 2 * units]
    with cython.nogil:
        for row in range(rows):
            b = _forward(shape, output, weights, X, row, values)
            losses[0] += _errors(output, loss, values, b, m, T, row, deltas)
            _collect(shape, weights, values, deltas, gradient)
    return 0


def move(
    weights: cython.double[::1],
    steps: cython.double[::1],
    gradient: cython.double[::1],
    settings: cython.const[cython.double][::1],
    ends: cython.const[cython.longlong][::1],
    tied: cython.const[cython.longlong][::1],
) -> cython.int:
    """One step of size eta along minus a gradient, with momentum, decay and ties; `gradient` is zeros afterwards."""
    if len(steps) != len(weights) or len(gradient) != len(weights) or len(settings) < 3:
        return -1
    if not _groups(ends, tied, len(weights)):
        return -1
    with cython.nogil:
        _move(weights, steps, gradient, settings[0], settings[1], settings[2], ends, tied)
    return 0


def evaluate(
    shape: cython.const[cython.longlong][::1],
    output: cython.int,
    weights: cython.const[cython.double][::1],
    X: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    outputs: cython.double[::1],
    predictions: cython.int[::1],
    work: cython.double[::1],
) -> cython.int:
    """What the last layer says of every row and, if there is room for it, which class that is."""
    row: cython.Py_ssize_t
    b: cython.Py_ssize_t
    m: cython.Py_ssize_t
    k: cython.Py_ssize_t
    said: cython.bint = len(predictions) > 0
    if not _fits(shape, len(weights), len(X), len(outputs), rows, len(work)) or (said and len(predictions) < rows):
        return -1
    m = shape[len(shape) - 1]
    with cython.nogil:
        for row in range(rows):
            b = _forward(shape, output, weights, X, row, work)
            for k in range(m):
                outputs[row * m + k] = work[b + k]
            if said:
                predictions[row] = _best(output, work, b, m)
    return 0
