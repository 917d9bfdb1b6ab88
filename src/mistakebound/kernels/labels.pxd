# Shared by the kernels that read text; read by the Cython compiler only.
cdef Py_ssize_t place_label(const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t j, unsigned char[::1] texts, long long[::1] ends, int[::1] slots, Py_ssize_t used) noexcept nogil
cdef bint is_utf8(const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t j) noexcept nogil
