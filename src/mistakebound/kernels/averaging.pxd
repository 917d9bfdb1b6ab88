# For the single-row path; read by the Cython compiler only.
from mistakebound.kernels.row_batch cimport RowBatch

cdef void note_rows(
    RowBatch batch, Py_ssize_t rows, long long trials, bint biased, double[::1] sums, double[::1] bias
) noexcept nogil
