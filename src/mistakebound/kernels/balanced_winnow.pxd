# For the single-row path; read by the Cython compiler only.
from mistakebound.kernels.row_batch cimport RowBatch

cdef int play_rows(
    RowBatch batch, double[::1] votes, double[::1] gaps, double[::1] scalars, double eta, double thickness, bint biased,
    double[::1] sums
) noexcept nogil
