# For the kernel that reads JSON lines; read by the Cython compiler only.
cdef bint matches(const unsigned char[::1] text, Py_ssize_t i, Py_ssize_t j, const int[::1] program) noexcept nogil
cdef bint is_program(const int[::1] program) noexcept nogil
