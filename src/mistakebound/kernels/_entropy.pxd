# The term of an entropy, inlined into the kernels; read by the Cython compiler only.  Twin: _entropy.py.
from libc.math cimport log2

ctypedef fused Count:
    int
    double


cdef inline double x_log_x(Count x, const double[::1] table) noexcept nogil:
    if x < len(table):
        return table[<Py_ssize_t> x]
    return x * log2(<double> x) if x > 0 else 0.0
