# The table of text names, shared with the kernel that enters new ones; read by the Cython compiler only.
cdef void add_text(
    const unsigned char[::1] data, Py_ssize_t a, Py_ssize_t b, unsigned char[::1] blob, long long[::1] ends,
    unsigned long long[::1] places, Py_ssize_t number
) noexcept nogil
