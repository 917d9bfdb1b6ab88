# The distinct names of a stream of blocks; read by the Cython compiler only.
cdef class NameTable:
    cdef unsigned char[::1] names
    cdef long long[::1] ends
    cdef unsigned int[::1] cells
    cdef unsigned long long[::1] records
    cdef Py_ssize_t count
    cdef int bits
    cdef unsigned long long first[256]
    cdef unsigned long long second[256]
    cdef unsigned long long hashes[256]
    cdef unsigned int found[256]

    cdef void look_up(self, Py_ssize_t n) noexcept nogil
    cdef Py_ssize_t place_of(
        self, Py_ssize_t k, const unsigned char[::1] buf, Py_ssize_t start, Py_ssize_t size, unsigned long long space
    ) noexcept nogil
    cdef void forget(self, Py_ssize_t first) noexcept nogil
    cdef void _fill(self, int bits) noexcept nogil
    cdef Py_ssize_t _enter(
        self, unsigned long long h, Py_ssize_t k, const unsigned char[::1] buf, Py_ssize_t start, Py_ssize_t size,
        unsigned long long space
    ) noexcept nogil
    cdef bint _same(
        self, Py_ssize_t place, const unsigned char[::1] buf, Py_ssize_t start, Py_ssize_t size,
        unsigned long long space
    ) noexcept nogil
