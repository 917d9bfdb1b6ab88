# Shared by the kernels that read text; read by the Cython compiler only.
cdef Py_ssize_t decimal(const unsigned char[::1] buf, Py_ssize_t i, double[::1] values, Py_ssize_t p) noexcept nogil
cdef Py_ssize_t number(const unsigned char[::1] buf, Py_ssize_t i, double[::1] values, Py_ssize_t p) noexcept nogil
cdef unsigned long long whole_number(const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t j) noexcept nogil
