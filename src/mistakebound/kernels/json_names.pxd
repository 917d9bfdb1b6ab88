# What is known of the members and names of JSON lines; read by the Cython compiler only.
cdef class JsonNames:
    cdef unsigned char[::1] names
    cdef long long[::1] name_ends
    cdef unsigned char[::1] path_names
    cdef unsigned long long[::1] cells
    cdef long long[::1] paths
    cdef long long[::1] pairs
    cdef long long[::1] facts
    cdef const unsigned char[::1] role_names
    cdef const long long[::1] role_ends
    cdef const long long[::1] roles
    cdef const double[::1] cuts
    cdef const long long[::1] cut_ends
    cdef const unsigned char[::1] bin_names
    cdef const long long[::1] bin_ends
    cdef long long[::1] binned
    cdef const int[::1] ignored
    cdef bint weights_wanted
    cdef int bits
    cdef unsigned long long generation
    cdef long long serial
    cdef Py_ssize_t path_count
    cdef Py_ssize_t pair_count
    cdef Py_ssize_t name_count
    cdef Py_ssize_t path_tail
    cdef Py_ssize_t escaped_count
    cdef Py_ssize_t kept_paths
    cdef Py_ssize_t kept_pairs
    cdef Py_ssize_t kept_names

    cdef bint begin(self) noexcept
    cdef bint _roles_fit(self) noexcept
    cdef bint _enter(
        self, unsigned long long h, unsigned long long x, unsigned long long kind, Py_ssize_t number
    ) noexcept nogil
    cdef bint _grow(self) noexcept nogil
    cdef bint _is_first_escaped(self, Py_ssize_t path) noexcept nogil
    cdef Py_ssize_t _fill(
        self, Py_ssize_t path, Py_ssize_t last_path, Py_ssize_t pair, Py_ssize_t last_pair, Py_ssize_t name,
        Py_ssize_t last_name
    ) noexcept nogil
    cdef Py_ssize_t _put(self, long long written, unsigned long long kind, Py_ssize_t number) noexcept nogil
    cdef Py_ssize_t _take_out(self, long long written, unsigned long long kind, Py_ssize_t number) noexcept nogil
    cdef Py_ssize_t keep(self) noexcept nogil
    cdef Py_ssize_t forget(self) noexcept nogil
    cdef Py_ssize_t place(self, Py_ssize_t tail, Py_ssize_t path) noexcept nogil
    cdef long long _role(self, Py_ssize_t start, Py_ssize_t end, long long outer, bint dotted) noexcept nogil
    cdef Py_ssize_t new_path(
        self, const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t j, Py_ssize_t outer, unsigned long long x,
        unsigned long long h
    ) noexcept nogil
    cdef Py_ssize_t _name_path(
        self, const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t j, Py_ssize_t outer
    ) noexcept nogil
    cdef bint _unify(self, Py_ssize_t path) noexcept nogil
    cdef Py_ssize_t number_place(self, Py_ssize_t path) noexcept nogil
    cdef Py_ssize_t bin_place(self, Py_ssize_t number, double v) noexcept nogil
    cdef Py_ssize_t text(
        self, const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t j, Py_ssize_t at
    ) noexcept nogil
    cdef Py_ssize_t new_pair(
        self, const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t j, Py_ssize_t path, unsigned long long x,
        unsigned long long h
    ) noexcept nogil
