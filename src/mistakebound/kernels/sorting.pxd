# Shared by the kernels that need rows in a fixed order; read by the Cython compiler only.
cdef void sort_keys(unsigned long long[::1] keys, unsigned int[::1] payload, Py_ssize_t n) noexcept nogil
