# Rows for the learning kernels; read by the Cython compiler only.
cdef class RowBatch:
    cdef const unsigned int[::1] slots
    cdef const double[::1] values
    cdef const long long[::1] indptr
    cdef Py_ssize_t rows
    cdef Py_ssize_t widest
    cdef bint real
    cdef bint learn
    cdef const signed char[::1] labels
    cdef const double[::1] importance
    cdef signed char[::1] predictions
    cdef double[::1] scores
    cdef long long[::1] state
    cdef bint ordered
    cdef unsigned long long dense
    cdef const unsigned long long[::1] extra_keys
    cdef unsigned long long[::1] keys
    cdef unsigned int[::1] places
    cdef unsigned int base
    cdef unsigned long long[::1] bits
    cdef unsigned int[::1] order
    cdef long long[::1] table

    cdef int check(self, unsigned long long size, bint sorts) noexcept nogil
    cdef void sort_row(self, Py_ssize_t r) noexcept nogil
    cdef double ordered_sum(self, Py_ssize_t r, const double[::1] weights) noexcept nogil
    cdef void ask_for(self, Py_ssize_t r, const double[::1] weights) noexcept nogil
