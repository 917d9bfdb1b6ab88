# One call at a time: read by the Cython compiler only.
cdef class CallLock:
    cdef object refusal
    cdef object gate
    cdef unsigned long owner
    cdef bint held
    cdef bint handed
    cdef bint alone
    cdef Py_ssize_t reads
    cdef Py_ssize_t around_calls
    cdef Py_ssize_t waiting
    cdef Py_ssize_t starving

    cdef int take(self, int mode) except -1
    cdef int _wait(self, unsigned long me) except -1
    cdef void leave(self) noexcept
