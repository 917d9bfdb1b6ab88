# One label of `auto` against the rest; read by the Cython compiler only.
cimport cython
from mistakebound.kernels.auto_inputs cimport Inputs
from mistakebound.kernels.auto_members cimport Members
from mistakebound.kernels.row_batch cimport RowBatch


@cython.final
cdef class Lane(Members):
    cdef object held

    cdef bint fits(self, Inputs row, long long width) noexcept nogil
    cdef void ask_for(
        self, Inputs row, RowBatch batch, Py_ssize_t r, const unsigned int[::1] numbers, unsigned long long base
    ) noexcept nogil
    cdef void say(self, Inputs row) noexcept nogil
    cdef void hear(self, Inputs row, int label, double weight) noexcept nogil
    cdef void play(self, Inputs row, RowBatch batch, Py_ssize_t at, Py_ssize_t r) noexcept nogil
