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
_SIGMOID = cython.declare(cython.int, SIGMOID)
_SIGN = cython.declare(cython.int, SIGN)
_SQUARED = cython.declare(cython.int, SQUARED)
_LIKELIHOOD = cython.declare(cython.int, LIKELIHOOD)
_STEPS = cython.declare(cython.int, STEPS)
_EPOCHS = cython.declare(cython.int, EPOCHS)
_NOT_FINITE = cython.declare(cython.int, NOT_FINITE)


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


@cython.cclass
class Layers:
    """Layers of units and their weights; `work` has room for three numbers a unit."""

    shape: cython.const[cython.longlong][::1]
    output: cython.int
    loss: cython.int
    last: cython.Py_ssize_t  # units of the last layer
    weights: cython.double[::1]
    values: cython.double[::1]  # the inputs, then what the units of each layer say
    deltas: cython.double[::1]  # their errors
    scaled: cython.double[::1]
    steps: cython.double[::1]
    eta: cython.double
    momentum: cython.double
    decay: cython.double
    ends: cython.const[cython.longlong][::1]
    tied: cython.const[cython.longlong][::1]
    gradient: cython.double[::1]

    def __init__(self, shape, output, loss, weights, work):  # type: (Ints, int, int, Floats, Floats) -> None
        units = sum(shape)
        wanted = sum([(shape[k - 1] + 1) * shape[k] for k in range(1, len(shape))])
        if len(shape) < 2 or min(shape) < 1 or len(weights) != wanted or len(work) < 3 * units:
            raise AssertionError("there are not as many weights as the layers have, or too little room")
        self.shape = shape
        self.output = output
        self.loss = loss
        self.last = shape[len(shape) - 1]
        self.weights = weights
        room = memoryview(work)
        self.values = room[:units]
        self.deltas = room[units : 2 * units]
        self.scaled = room[2 * units :]
        self.steps = self.gradient = weights[:0]
        self.ends = self.tied = shape[:0]

    def take_steps(self, steps, settings, ends, tied, gradient):
        # type: (Floats, Floats, Ints, Ints, Floats) -> None
        """How weights move: their last steps, ETA, MOMENTUM and DECAY, which of them are one weight in several places.

        Group k of these are tied[ends[k - 1]:ends[k]]; `gradient`, full of zeros, is as long as the weights if there
        are any.
        """
        if len(steps) != len(self.weights) or len(settings) < 3:
            raise AssertionError("there is not one step for each weight")
        if not _groups(ends, tied, len(steps)) or (len(ends) > 0 and len(gradient) != len(steps)):
            raise AssertionError("weights that are tied are not there")
        self.steps = steps
        self.eta = settings[ETA]
        self.momentum = settings[MOMENTUM]
        self.decay = settings[DECAY]
        self.ends = ends
        self.tied = tied
        self.gradient = gradient if len(ends) > 0 else self.weights[:0]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _forward(net: Layers, X: cython.const[cython.double][::1], row: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """values = the inputs, then what the units of each layer say; where the last layer begins."""
    layers: cython.Py_ssize_t = len(net.shape) - 1
    n: cython.Py_ssize_t = net.shape[0]
    m: cython.Py_ssize_t
    a: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    layer: cython.Py_ssize_t
    for j in range(n):
        net.values[j] = X[row * n + j]
    for layer in range(layers):
        m = net.shape[layer + 1]
        b = a + n
        for j in range(m):
            net.values[b + j] = net.weights[c + j]
        if cython.compiled:
            c_add_rows(
                cython.address(net.weights[c + m]), n, m, cython.address(net.values[a]), cython.address(net.values[b])
            )
        else:
            add_rows(net.weights, c + m, n, m, net.values, a, b)
        if layer < layers - 1 or net.output == _SIGMOID:
            if cython.compiled:
                c_sigmoids(cython.address(net.values[b]), m)
            else:
                sigmoids(net.values, b, m)
        elif net.output == _SIGN:
            for j in range(b, b + m):
                net.values[j] = 1.0 if net.values[j] > 0.0 else -1.0
        c += (n + 1) * m
        a = b
        n = m
    return a


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _errors(
    net: Layers, b: cython.Py_ssize_t, T: cython.const[cython.double][::1], row: cython.Py_ssize_t
) -> cython.double:
    """deltas[b:] = the errors of the units of the last layer (step 2 of the algorithm); the loss of the example."""
    k: cython.Py_ssize_t
    m: cython.Py_ssize_t = net.last
    o: cython.double
    e: cython.double
    t: cython.double
    lost: cython.double = 0.0
    for k in range(m):
        o = net.values[b + k]
        e = T[row * m + k] - o
        lost = lost + 0.5 * e * e
        net.deltas[b + k] = o * (1.0 - o) * e if net.output == _SIGMOID and net.loss == _SQUARED else e
    if net.loss == _LIKELIHOOD:
        lost = 0.0
        for k in range(m):
            o = net.values[b + k]
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
    net: Layers,
    c: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
) -> cython.void:
    """Step 3: deltas[a:a+n], the errors of the units before a layer, from deltas[b:b+m], those of its own."""
    if cython.compiled:
        c_go_back(
            cython.address(net.weights[c]), n, m, cython.address(net.values[a]), cython.address(net.deltas[b]),
            cython.address(net.deltas[a]),
        )  # fmt: skip
    else:
        go_back(net.weights, c, n, m, net.values, a, net.deltas, b)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add(
    net: Layers,
    sums: cython.double[::1],
    c: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
    a: cython.Py_ssize_t,
    deltas: cython.double[::1],
    b: cython.Py_ssize_t,
) -> cython.void:
    """Add delta times input to the numbers of a layer's weights, from sums[c] on."""
    j: cython.Py_ssize_t
    for j in range(m):
        sums[c + j] += deltas[b + j]
    if cython.compiled:
        c_add_outer(
            cython.address(sums[c + m]), n, m, cython.address(net.values[a]), cython.address(deltas[b])
        )  # fmt: skip
    else:
        add_outer(sums, c + m, n, m, net.values, a, deltas, b)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _change(
    net: Layers,
    c: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
) -> cython.void:
    """Steps 4 and 5: the weights of a layer, from weights[c] on, move."""
    j: cython.Py_ssize_t
    step: cython.double
    momentum: cython.double = net.momentum
    shrink: cython.double = 2.0 * net.eta * net.decay
    for j in range(m):
        net.scaled[j] = net.eta * net.deltas[b + j]
    if momentum == 0.0 and shrink == 0.0:
        _add(net, net.weights, c, n, m, a, net.scaled, 0)
        return
    for j in range(m):
        step = (net.scaled[j] - shrink * net.weights[c + j]) + momentum * net.steps[c + j]
        net.steps[c + j] = step
        net.weights[c + j] += step
    if cython.compiled:
        c_add_step(
            cython.address(net.weights[c + m]), cython.address(net.steps[c + m]), n, m,
            cython.address(net.values[a]), cython.address(net.scaled[0]), momentum, shrink,
        )  # fmt: skip
    else:
        for j in range(n):
            add_step(net.weights, net.steps, c + m + j * m, m, net.values[a + j], net.scaled, momentum, shrink)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _backwards(net: Layers, gradient: cython.double[::1]) -> cython.void:
    """Steps 3 to 5, from the last layer to the first: errors go back through weights, then these move.

    With a `gradient` they stay: what each has to do with the error (minus the gradient) is added to it.
    """
    layer: cython.Py_ssize_t = len(net.shape) - 2
    m: cython.Py_ssize_t
    n: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t = 0
    c: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    for j in range(layer + 1):
        b += net.shape[j]
        c += (net.shape[j] + 1) * net.shape[j + 1]
    while layer >= 0:
        n = net.shape[layer]
        m = net.shape[layer + 1]
        a = b - n
        c -= (n + 1) * m
        if layer > 0:
            _back(net, c + m, n, m, a, b)
        if len(gradient) > 0:
            _add(net, gradient, c, n, m, a, net.deltas, b)
        else:
            _change(net, c, n, m, a, b)
        b = a
        layer -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _move(net: Layers, gradient: cython.double[::1]) -> cython.void:
    """Take a step along `gradient` and empty it; weights of a group that is tied are one weight with several places."""
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    total: cython.double
    step: cython.double
    for k in range(len(net.weights)):
        gradient[k] -= 2.0 * net.decay * net.weights[k]
    for k in range(len(net.ends)):
        total = 0.0
        for p in range(first, net.ends[k]):
            total += gradient[net.tied[p]]
        for p in range(first, net.ends[k]):
            gradient[net.tied[p]] = total
        first = net.ends[k]
    for k in range(len(net.weights)):
        step = net.eta * gradient[k] + net.momentum * net.steps[k]
        net.steps[k] = step
        net.weights[k] += step
        gradient[k] = 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _best(net: Layers, b: cython.Py_ssize_t) -> cython.int:
    """The code of the class that the last layer says: the first of its largest values, or which side one unit is on.

    The targets of one unit are 0 and 1, those of a sign unit -1 and 1: the middle is the boundary.
    """
    k: cython.Py_ssize_t
    best: cython.Py_ssize_t = 0
    if net.last == 1:
        return net.values[b] > (0.0 if net.output == _SIGN else 0.5)
    for k in range(1, net.last):
        if net.values[b + k] > net.values[b + best]:
            best = k
    return cython.cast(cython.int, best)


def train(
    net: Layers,
    X: cython.const[cython.double][::1],
    T: cython.const[cython.double][::1],
    order: cython.const[cython.longlong][::1],
    watch: cython.bint,
    losses: cython.double[::1],
    predictions: cython.int[::1],
    done: cython.longlong[::1],
) -> cython.int:
    """One update for each example, in the order given; as many as there are rows are an epoch.

    losses[e] gets the sum of the examples' losses in epoch e, each before its update; predictions[k], if there is room,
    the class that was said at step k.  Sign units stop after an epoch without a mistake.  With `watch` it stops after
    the first step that leaves a weight or the loss that is not a finite number.  done[STEPS] steps were taken.
    """
    lost: cython.double
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    rows: cython.Py_ssize_t = len(X) // net.shape[0]
    b: cython.Py_ssize_t
    place: cython.Py_ssize_t = 0
    epoch: cython.Py_ssize_t = 0
    said: cython.bint = len(predictions) > 0
    status: cython.int = OK
    if rows == 0 or len(X) != rows * net.shape[0] or len(T) != rows * net.last or not _within(order, rows):
        return MISFIT
    if len(losses) * rows < len(order) or (said and len(predictions) < len(order)):
        return MISFIT
    if len(net.steps) != len(net.weights) or len(done) < 2:
        return MISFIT
    with cython.nogil:
        for k in range(len(losses)):
            losses[k] = 0.0
        done[_STEPS] = 0
        for k in range(len(order)):
            row = order[k]
            b = _forward(net, X, row)
            if said:
                predictions[k] = _best(net, b)
            lost = _errors(net, b, T, row)
            losses[epoch] += lost
            if net.output != _SIGN or lost != 0.0:
                _backwards(net, net.gradient)
                if len(net.gradient) > 0:
                    _move(net, net.gradient)
            done[_STEPS] = k + 1
            if watch and not (_finite(net.weights) and losses[epoch] - losses[epoch] == 0.0):
                status = _NOT_FINITE
                break
            place += 1
            if place == rows:
                place = 0
                epoch += 1
                if net.output == _SIGN and losses[epoch - 1] == 0.0:
                    break
        done[_EPOCHS] = epoch
    return status


def gradient_of(
    net: Layers,
    X: cython.const[cython.double][::1],
    T: cython.const[cython.double][::1],
    gradient: cython.double[::1],
    losses: cython.double[::1],
) -> cython.int:
    """Add minus the gradient of the loss of all rows to `gradient`, and the loss to losses[0]."""
    rows: cython.Py_ssize_t = len(X) // net.shape[0]
    row: cython.Py_ssize_t
    b: cython.Py_ssize_t
    if len(X) != rows * net.shape[0] or len(T) != rows * net.last:
        return MISFIT
    if len(gradient) != len(net.weights) or len(losses) < 1:
        return MISFIT
    with cython.nogil:
        for row in range(rows):
            b = _forward(net, X, row)
            losses[0] += _errors(net, b, T, row)
            _backwards(net, gradient)
    return OK


def move(net: Layers, gradient: cython.double[::1]) -> cython.int:
    """One step of size eta along minus a gradient, with momentum, decay and ties; `gradient` is zeros afterwards."""
    if len(net.steps) != len(net.weights) or len(gradient) != len(net.weights):
        return MISFIT
    with cython.nogil:
        _move(net, gradient)
    return OK


def evaluate(
    net: Layers,
    X: cython.const[cython.double][::1],
    outputs: cython.double[::1],
    predictions: cython.int[::1],
) -> cython.int:
    """What the last layer says of every row and, if there is room for it, which class that is."""
    rows: cython.Py_ssize_t = len(X) // net.shape[0]
    row: cython.Py_ssize_t
    b: cython.Py_ssize_t
    m: cython.Py_ssize_t = net.last
    k: cython.Py_ssize_t
    said: cython.bint = len(predictions) > 0
    if len(X) != rows * net.shape[0] or len(outputs) != rows * m or (said and len(predictions) < rows):
        return MISFIT
    with cython.nogil:
        for row in range(rows):
            b = _forward(net, X, row)
            for k in range(m):
                outputs[row * m + k] = net.values[b + k]
            if said:
                predictions[row] = _best(net, b)
    return OK
