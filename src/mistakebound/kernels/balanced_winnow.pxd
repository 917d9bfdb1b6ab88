# For the single-row path; read by the Cython compiler only.
cdef int play_rows(
    const unsigned int[::1] slots, const double[::1] values, const long long[::1] indptr, bint ordered,
    const signed char[::1] labels, const double[::1] importance, Py_ssize_t rows, double[::1] votes,
    double[::1] gaps, double[::1] scalars, double eta, double thickness, bint biased, bint learn,
    signed char[::1] predictions, double[::1] scores, unsigned long long dense,
    const unsigned long long[::1] extra_keys, unsigned long long[::1] keys, unsigned int[::1] places,
    double[::1] sums, long long[::1] state
) noexcept nogil
