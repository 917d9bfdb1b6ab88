# The mixture of `auto`; read by the Cython compiler only.
cdef class Mixture:
    cdef double[::1] tables
    cdef double[::1] mixture
    cdef double[::1] history
    cdef long long[::1] own
    cdef double[::1] scores
    cdef double[::1] logits
    cdef double mixed
    cdef double weight

    cdef void mix(self) noexcept nogil
    cdef void fit(self, long long table) noexcept nogil
    cdef void calibrate(self, int label) noexcept nogil
    cdef void share(self, int label) noexcept nogil
    cdef void sleep(self, long long members, long long cause) noexcept nogil
    cdef void judge(self) noexcept nogil
    cdef void remember(self, long long trials) noexcept nogil
