# The best test at a node, for the kernel that grows trees; read by the Cython compiler only.
from mistakebound.kernels.tree_buffers cimport TreeBuffers

cdef Py_ssize_t plain(TreeBuffers b, Py_ssize_t a, double base, int n) noexcept nogil
cdef double entropy(TreeBuffers b, Py_ssize_t node, int n) noexcept nogil
cdef Py_ssize_t choose(TreeBuffers b, Py_ssize_t at, Py_ssize_t count) noexcept nogil
cdef bint significant(TreeBuffers b, Py_ssize_t node, Py_ssize_t first, Py_ssize_t arity) noexcept nogil
cdef void count_rows(TreeBuffers b, Py_ssize_t lo, Py_ssize_t hi, Py_ssize_t count) noexcept nogil
cdef Py_ssize_t measure(TreeBuffers b, Py_ssize_t a, Py_ssize_t lo, Py_ssize_t hi) noexcept nogil
