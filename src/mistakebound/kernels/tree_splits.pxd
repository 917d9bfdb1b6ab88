# How good a test is, for the kernel that grows trees; read by the Cython compiler only.
cdef void fill_groups(
    double[::1] gc, Py_ssize_t groups, Py_ssize_t classes, const double[::1] miss, bint in_class, int[::1] fill
) noexcept nogil
cdef void many_ways(
    const double[::1] gc, Py_ssize_t groups, Py_ssize_t classes, const double[::1] miss, int mode, double least,
    const double[::1] table, double[::1] out
) noexcept nogil
cdef void threshold(
    const double[::1] gc, Py_ssize_t groups, Py_ssize_t classes, const double[::1] miss, int mode, bint c45,
    double least, const double[::1] table, double[::1] work, double[::1] out
) noexcept nogil
cdef void one_value(
    const double[::1] gc, Py_ssize_t groups, Py_ssize_t classes, const double[::1] miss, int mode, double least,
    const double[::1] table, double[::1] work, unsigned char[::1] side, double[::1] out
) noexcept nogil
