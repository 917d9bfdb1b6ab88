# Rows of a block as kernels take and make them; read by the Cython compiler only.
cdef class KeyRows:
    cdef const long long[::1] indptr
    cdef const unsigned long long[::1] keys
    cdef const double[::1] values
    cdef Py_ssize_t rows
    cdef readonly long long widest
    cdef long long end
    cdef bint real

cdef class NewRows:
    cdef long long[::1] indptr
    cdef unsigned int[::1] short_keys
    cdef unsigned long long[::1] keys
    cdef double[::1] values
    cdef bint short

    cdef bint has_room(self, Py_ssize_t rows, long long entries, bint real) noexcept nogil
