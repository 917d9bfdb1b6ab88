# For the single-row path; read by the Cython compiler only.
from mistakebound.kernels.row_batch cimport RowBatch

cdef int play_rows(
    RowBatch batch, double[::1] weights, double[::1] scalars, double most, double slack, bint biased, double[::1] learned
) noexcept nogil
