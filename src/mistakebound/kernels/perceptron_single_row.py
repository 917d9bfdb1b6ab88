"""The perceptron on one instance of ones: see the kernels `instances` and `perceptron`."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs, floor
    from cython.cimports.mistakebound.kernels.single_row import SingleRow
else:
    from math import fabs, floor

    from mistakebound.kernels.single_row import SingleRow

_EPS = cython.declare(cython.double, 2.0**-52)
# Places in `scalars`: see the kernel `perceptron`.
_BIAS = cython.declare(cython.int, 0)
_RADIUS_SQUARED = cython.declare(cython.int, 1)
_LEAST = cython.declare(cython.int, 2)
_MOST = cython.declare(cython.int, 3)
_REACH = cython.declare(cython.int, 4)


@cython.cclass
class SingleRowPerceptron(SingleRow):
    weights: cython.double[::1]
    scalars: cython.double[::1]
    scale: cython.double  # as in the kernel `perceptron`
    biased: cython.bint

    def __init__(self, lock, table, labels, limit, learns, weights, scalars, scale, biased):
        SingleRow.__init__(self, lock, table, labels, limit, learns)
        if len(weights) < table.capacity or len(scalars) < 5:
            raise ValueError("there is not one weight a slot")
        self.weights = weights
        self.scalars = scalars
        self.scale = scale
        self.biased = biased

    @cython.cfunc
    @cython.exceptval(check=False)
    def decide(self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, new: cython.Py_ssize_t) -> cython.int:
        """The sign of the sum, where it is the same in whatever order it is taken; new weights are 0."""
        k: cython.Py_ssize_t = 0
        w: cython.double
        v: cython.double
        s: cython.double = self.scalars[_BIAS]
        s1: cython.double = 0.0
        size: cython.double = fabs(s)
        size1: cython.double = 0.0
        while k + 2 <= n:
            w = self.weights[slots[k]]
            v = self.weights[slots[k + 1]]
            s += w
            s1 += v
            size += fabs(w)
            size1 += fabs(v)
            k += 2
        if k < n:
            w = self.weights[slots[k]]
            s += w
            size += fabs(w)
        s += s1
        size += size1
        if size == 0.0:
            return 0
        w = s * self.scale
        if w - w != 0.0:
            return -1
        if fabs(s) > size * ((n + 5) * _EPS):
            return s > 0.0
        # Whole numbers below 2**53 are added without rounding.
        if size >= 9007199254740992.0 or self.scalars[_BIAS] != floor(self.scalars[_BIAS]):
            return -1
        for k in range(n):
            w = self.weights[slots[k]]
            if w != floor(w):
                return -1
        return s > 0.0

    @cython.cfunc
    @cython.exceptval(check=False)
    def ready(
        self,
        slots: cython.const[cython.uint][::1],
        n: cython.Py_ssize_t,
        new: cython.Py_ssize_t,
        promote: cython.bint,
    ) -> cython.bint:
        """Do all weights stay finite?"""
        k: cython.Py_ssize_t
        w: cython.double
        step: cython.double = 1.0 if promote else -1.0
        w = (self.scalars[_BIAS] + step) * self.scale
        if w - w != 0.0:
            return False
        for k in range(n):
            w = (self.weights[slots[k]] + step) * self.scale
            if w - w != 0.0:
                return False
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def begin(
        self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, total: cython.Py_ssize_t
    ) -> cython.void:
        k: cython.Py_ssize_t
        for k in range(n, total):
            self.weights[slots[k]] = 0.0

    @cython.cfunc
    @cython.exceptval(check=False)
    def update(self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, promote: cython.bint) -> cython.void:
        k: cython.Py_ssize_t
        step: cython.double = 1.0 if promote else -1.0
        norm: cython.double = n
        for k in range(n):
            self.weights[slots[k]] += step
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
