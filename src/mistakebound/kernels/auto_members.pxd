# The members of `auto`; read by the Cython compiler only.
from mistakebound.kernels.auto_inputs cimport Inputs
from mistakebound.kernels.auto_mixture cimport Mixture

cdef class Members(Mixture):
    cdef double[::1] singles
    cdef double[::1] pairs
    cdef double[::1] triples
    cdef double[::1] covariances
    cdef double[::1] full_weights

    cdef void arow(
        self, Inputs row, Py_ssize_t first, Py_ssize_t end, int field, double score, double y, double r, int use,
        bint crossed
    ) noexcept nogil
    cdef void forget(self, Inputs row, int field, double rate) noexcept nogil
    cdef void passive_aggressive(self, Inputs row, double score, double y, double most) noexcept nogil
    cdef void bets(
        self, Inputs row, int field, double score, int label, int use, int pair, int triple
    ) noexcept nogil
    cdef void begin_places(self, Inputs row) noexcept nogil
    cdef void _gain(
        self, Inputs row, Py_ssize_t first, Py_ssize_t end, Py_ssize_t base, long long size
    ) noexcept nogil
    cdef void full(self, Inputs row, int member, long long size, double y, double r) noexcept nogil
    cdef void count(self, Inputs row, int label) noexcept nogil
