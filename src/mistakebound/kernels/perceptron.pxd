# For the single-row path; read by the Cython compiler only.
from mistakebound.kernels.row_batch cimport RowBatch

cdef int play_rows(
    RowBatch batch, double[::1] weights, const unsigned long long[::1] words, double[::1] scalars, double scale,
    bint biased
) noexcept nogil
