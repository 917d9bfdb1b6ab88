# One instance at a time: what the single-row paths of the learners share; read by the Cython compiler only.
from mistakebound.kernels.call_lock cimport CallLock
from mistakebound.kernels.texts cimport TextTable

cdef class Held:
    cdef public object table
    cdef public long long generation
    cdef public object found
    cdef public object row
    cdef public long long size
    cdef long long top
    cdef const unsigned int[::1] slots

cdef class Encoded:
    cdef public list names
    cdef public object values
    cdef public Held held

cdef class SingleRow:
    cdef CallLock lock
    cdef bint retired
    cdef TextTable table
    cdef dict known
    cdef const long long[::1] state
    cdef long long layout
    cdef long long capacity
    cdef long long dense
    cdef long long limit
    cdef object labels
    cdef object negative
    cdef object positive
    cdef tuple values
    cdef bint learns
    cdef object room
    cdef unsigned int[::1] slots
    cdef Py_ssize_t count
    cdef Py_ssize_t fresh
    cdef bint plays
    cdef bint numbers
    cdef bint real
    cdef object own_reals
    cdef double[::1] reals
    cdef list new
    cdef public bint done

    cdef object _predict(self, object x)
    cdef object _learn(self, object x, object y)
    cdef tuple _pair(self)
    cdef long long _missing(self, str name, bint enter) except? -3
    cdef Py_ssize_t _look_up(self, dict x, bint enter) except? -3
    cdef Py_ssize_t _look_up_names(self, list names, bint enter) except? -3
    cdef Held _held(self, Encoded x)
    cdef bint _recall(self, Held held)
    cdef object _take_back(self, long long before)
    cdef object _played(self, object x, object y, bint learn)
    cdef int play(self, int code, bint learn) noexcept
    cdef bint _read(self, object x, bint enter)
    cdef int _code(self, object y) except? -2
    cdef object _trial(self, const unsigned int[::1] slots, Py_ssize_t n, Py_ssize_t new, object y)
    cdef int decide(self, const unsigned int[::1] slots, Py_ssize_t n, Py_ssize_t new) noexcept
    cdef bint ready(self, const unsigned int[::1] slots, Py_ssize_t n, Py_ssize_t new, bint promote) noexcept
    cdef void begin(self, const unsigned int[::1] slots, Py_ssize_t n, Py_ssize_t total) noexcept
    cdef void update(self, const unsigned int[::1] slots, Py_ssize_t n, bint promote) noexcept
