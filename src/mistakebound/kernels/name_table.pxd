# The distinct names of a stream of blocks; read by the Cython compiler only.
cdef class NameBatch:
    cdef unsigned long long first[256]
    cdef unsigned long long second[256]
    cdef unsigned long long hashes[256]
    cdef unsigned int found[256]

cdef class NameTable:
    cdef unsigned char[::1] names
    cdef long long[::1] ends
    cdef unsigned long long[::1] cells
    cdef Py_ssize_t count
    cdef int bits

    cdef bint _take(
        self, NameBatch asked, Py_ssize_t k, const unsigned char[::1] names, Py_ssize_t at, Py_ssize_t end,
        unsigned long long key
    ) noexcept nogil
    cdef void _ask(
        self, NameBatch asked, const unsigned char[::1] names, const long long[::1] ends, Py_ssize_t place,
        Py_ssize_t last
    ) noexcept nogil
    cdef bint _is_full(self) noexcept nogil
    cdef Py_ssize_t _free(self, unsigned long long hash) noexcept nogil
    cdef void _put(
        self, Py_ssize_t at, unsigned long long first, unsigned long long second, unsigned long long place,
        unsigned long long key
    ) noexcept nogil
    cdef void look_up(self, NameBatch asked, Py_ssize_t n) noexcept nogil
    cdef Py_ssize_t find(
        self, NameBatch asked, Py_ssize_t k, const unsigned char[::1] buf, Py_ssize_t start, Py_ssize_t size,
        unsigned long long space
    ) noexcept nogil
    cdef Py_ssize_t place(self, Py_ssize_t cell) noexcept nogil
    cdef Py_ssize_t enter(
        self, NameBatch asked, Py_ssize_t k, const unsigned char[::1] buf, Py_ssize_t start, Py_ssize_t size,
        unsigned long long space, unsigned long long key
    ) noexcept nogil
    cdef void forget(self, Py_ssize_t first) noexcept nogil
    cdef void _fill(self, int bits) noexcept nogil
    cdef bint _same(
        self, Py_ssize_t place, const unsigned char[::1] buf, Py_ssize_t start, Py_ssize_t size,
        unsigned long long space
    ) noexcept nogil
