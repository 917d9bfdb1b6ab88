# Shared by the kernels that need rows in a fixed order; read by the Cython compiler only.
cdef void sort_keys(unsigned long long[::1] keys, unsigned int[::1] payload, Py_ssize_t n) noexcept nogil
cdef void radix_sort(
    unsigned long long[::1] keys, Py_ssize_t first, Py_ssize_t last, int low, int high, unsigned long long[::1] spare
) noexcept nogil
cdef void key_order(
    const unsigned int[::1] slots, Py_ssize_t a, Py_ssize_t b, unsigned long long dense,
    const unsigned long long[::1] extra_keys, unsigned long long[::1] keys, unsigned int[::1] places
) noexcept nogil
cdef void order_entries(
    unsigned int[::1] slots, double[::1] values, bint real, Py_ssize_t a, Py_ssize_t b, unsigned long long dense,
    unsigned long long texts, const unsigned long long[::1] extra_keys, unsigned long long[::1] keys,
    unsigned int[::1] places
) noexcept nogil
