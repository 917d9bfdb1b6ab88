# The features of a row for `auto`; read by the Cython compiler only.
cimport cython
from mistakebound.kernels.auto_numbers cimport Numbers
from mistakebound.kernels.row_batch cimport RowBatch


@cython.final
cdef class Inputs(Numbers):
    cdef double[::1] features
    cdef unsigned int[::1] pair_of
    cdef unsigned int[::1] triple_of
    cdef unsigned int[::1] product_of
    cdef long long[::1] ids
    cdef unsigned int[::1] uses
    cdef double[::1] values
    cdef unsigned long long[::1] keys
    cdef unsigned int[::1] places
    cdef long long[::1] pair_ids
    cdef long long[::1] triple_ids
    cdef long long[::1] placed
    cdef long long[::1] places_of
    cdef double[::1] values_of
    cdef double[::1] products
    cdef double[::1] pair_products
    cdef double[::1] triple_products
    cdef double[::1] gains
    cdef double[::1] dense
    cdef const double[::1] waves
    cdef long long[::1] records
    cdef Py_ssize_t stride
    cdef Py_ssize_t first
    cdef Py_ssize_t end
    cdef Py_ssize_t units_end
    cdef Py_ssize_t pairs_first
    cdef Py_ssize_t pairs_end
    cdef Py_ssize_t triples_first
    cdef Py_ssize_t triples_end
    cdef Py_ssize_t places_first
    cdef Py_ssize_t batch
    cdef Py_ssize_t width
    cdef double known
    cdef long long trials
    cdef long long places_before
    cdef long long places_now
    cdef long long fulls_before
    cdef long long fulls_now
    cdef long long events
    cdef long long past
    cdef long long asleep
    cdef object held

    cdef void _emit(self, long long feature, double value, int use) noexcept nogil
    cdef bint _single(self, long long a, double v, bint learn) noexcept nogil
    cdef void _pair(self, bint learn) noexcept nogil
    cdef void _triple(self, bint learn) noexcept nogil
    cdef void _put(self, int member, long long place, double value) noexcept nogil
    cdef long long _new_place(self, int count) noexcept nogil
    cdef void _place(self, bint learn) noexcept nogil
    cdef void _multiply(self, bint learn) noexcept nogil
    cdef void _wave(self, long long many, bint learn) noexcept nogil
    cdef bint fits(self, long long width, long long reach, bint learn) noexcept nogil
    cdef void read(
        self, RowBatch batch, Py_ssize_t r, const unsigned int[::1] numbers, unsigned long long base, Py_ssize_t place
    ) noexcept nogil
    cdef void count(self, RowBatch batch, Py_ssize_t r) noexcept nogil
    cdef void _begin(self, Py_ssize_t place) noexcept nogil
    cdef bint keep(self, Py_ssize_t place) noexcept nogil
    cdef void take(self, Py_ssize_t place) noexcept nogil
