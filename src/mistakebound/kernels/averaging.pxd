# For the single-row path; read by the Cython compiler only.
cdef void note_rows(
    const unsigned int[::1] slots, const double[::1] values, const long long[::1] indptr,
    const signed char[::1] labels, const signed char[::1] predictions, const double[::1] importance,
    Py_ssize_t rows, long long trials, bint biased, double[::1] sums, double[::1] bias
) noexcept nogil
