# What the attributes of `auto` have had; read by the Cython compiler only.
cdef class Numbers:
    cdef double[::1] attributes
    cdef double[::1] samples
    cdef long long[::1] counts
    cdef double[::1] ascending

    cdef long long bin_of(self, long long cuts, double v) noexcept nogil
    cdef void _cuts(self, long long at, long long place, long long bins) noexcept nogil
    cdef void _sample(self, long long at, double v) noexcept nogil
    cdef void note(self, long long a, double v) noexcept nogil
