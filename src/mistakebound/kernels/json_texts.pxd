# For the kernel that reads JSON lines; read by the Cython compiler only.
cdef Py_ssize_t unescape(const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t j, unsigned char[::1] out, Py_ssize_t at) noexcept nogil
cdef Py_ssize_t stripped(unsigned char[::1] text, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef bint is_repr(const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t j) noexcept nogil
