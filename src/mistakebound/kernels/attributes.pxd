# Looking for an attribute that stands twice in a row; read by the Cython compiler only.
cdef Py_ssize_t twice(
    const unsigned long long[::1] keys, Py_ssize_t a, Py_ssize_t b, unsigned int[::1] stamps,
    unsigned long long[::1] scratch, unsigned int[::1] payload, long long[::1] state
) noexcept nogil
