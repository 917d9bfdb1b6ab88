# The look-up of an id, shared by the kernels that give rows their slots; read by the Cython compiler only.
cdef long long find_id(
    unsigned long long key, unsigned long long[::1] bits, unsigned long long[::1] places
) noexcept nogil
cdef Py_ssize_t twice(
    const unsigned long long[::1] keys, Py_ssize_t a, Py_ssize_t b, unsigned int[::1] stamps,
    unsigned long long[::1] scratch, unsigned int[::1] payload, long long[::1] state
) noexcept nogil
