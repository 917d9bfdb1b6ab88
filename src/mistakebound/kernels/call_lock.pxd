# One call at a time: read by the Cython compiler only.
cdef class CallLock:
    cdef object refusal
    cdef object gate
    cdef unsigned long owner
    cdef bint held
    cdef bint handed
    cdef Py_ssize_t readers
    cdef Py_ssize_t waiting
    cdef Py_ssize_t starving

    cdef int take(self, bint reading) except -1
    cdef int _wait(self, unsigned long me, bint reading) except -1
    cdef void leave(self) noexcept
