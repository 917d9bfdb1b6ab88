# Doubles kept within a range, inlined into the kernels; read by the Cython compiler only.  Twin: _limits.py.


cdef inline double limited(double s, double most) noexcept nogil:
    if s > most:
        return most
    if s < -most:
        return -most
    return s if s == s else 0.0
