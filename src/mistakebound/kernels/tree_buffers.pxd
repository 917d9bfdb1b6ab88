# What a decision tree is grown in; read by the Cython compiler only.
cdef class TreeBuffers:
    cdef unsigned char[::1] narrow
    cdef unsigned int[::1] wide
    cdef int[::1] y
    cdef double[::1] w
    cdef const int[::1] columns
    cdef const double[::1] divisor
    cdef const double[::1] table
    cdef const double[::1] critical
    cdef const long long[::1] options
    cdef double least
    cdef int[::1] hist
    cdef double[::1] weights
    cdef int[::1] gv
    cdef double[::1] gc
    cdef unsigned char[::1] side
    cdef unsigned long long[::1] keys
    cdef unsigned long long[::1] spare
    cdef double[::1] miss
    cdef double[::1] work
    cdef double[::1] found
    cdef double[::1] out
    cdef int[::1] fill
    cdef int[::1] slots
    cdef double[::1] part
    cdef long long[::1] begin
    cdef long long[::1] sizes
    cdef int[::1] active
    cdef long long[::1] stack
    cdef long long[::1] state
    cdef int[::1] nodes
    cdef int[::1] otherwise
    cdef unsigned char[::1] masks
    cdef double[::1] counts
    cdef Py_ssize_t classes
    cdef Py_ssize_t small
    cdef Py_ssize_t large
    cdef bint ratio
    cdef bint guard
    cdef int cost
    cdef int mode
    cdef Py_ssize_t max_depth
    cdef long long budget
    cdef bint counted
    cdef Py_ssize_t room
    cdef Py_ssize_t fills
    cdef Py_ssize_t groups

cdef bint fits(TreeBuffers b) noexcept nogil
