# A coin of coin betting, inlined into the kernels; read by the Cython compiler only.  Twin: _coins.py.
from libc.math cimport exp, fabs


cdef inline double chance_of(double s) noexcept nogil:
    if s >= 0.0:
        return 1.0 / (1.0 + exp(-s))
    return exp(s) / (1.0 + exp(s))


cdef inline double weight_of(const double[::1] coins, Py_ssize_t at) noexcept nogil:
    if not coins[at + 3] > 0.0:
        return 0.0
    return coins[at] / (coins[at + 1] + coins[at + 3]) * (coins[at + 2] / coins[at + 3])


cdef inline double toss(
    double[::1] coins, Py_ssize_t at, double weight, double g, double reach, double wealth
) noexcept nogil:
    cdef double most = coins[at + 3]
    cdef double kept = g
    cdef double put = 0.0
    if most > 0.0:
        kept = min(max(g, -most), most)
        coins[at + 2] += kept * weight
        put = (kept - g) * weight
    coins[at] += kept
    coins[at + 1] += fabs(kept)
    if reach > most:
        g = wealth * (1.0 - most / reach)
        coins[at + 2] += g
        coins[at + 3] = reach
        put += g
    return put


cdef inline void toss_weighed(double[::1] coins, Py_ssize_t at, double g, double x, double c) noexcept nogil:
    if c == 1.0 and x == 1.0 and coins[at + 3] == 1.0:
        coins[at + 2] += g * coins[at + 4]
        coins[at] += g
        coins[at + 1] += fabs(g)
        coins[at + 4] = coins[at] / (coins[at + 1] + 1.0) * coins[at + 2]
    else:
        toss(coins, at, coins[at + 4], g * x, c * fabs(x), 1.0)
        coins[at + 4] = weight_of(coins, at)
