# The table of text names, shared with the kernel that enters new ones; read by the Cython compiler only.
cdef void append_text(
    const unsigned char[::1] data, Py_ssize_t a, Py_ssize_t b, unsigned char[::1] blob, long long[::1] ends,
    Py_ssize_t number
) noexcept nogil
cdef void place_texts(
    Py_ssize_t first, Py_ssize_t last, const unsigned char[::1] blob, const long long[::1] ends,
    unsigned long long[::1] places
) noexcept nogil
cdef void sort_texts(
    const unsigned char[::1] names, const long long[::1] ends, unsigned long long[::1] keys, unsigned int[::1] payload,
    Py_ssize_t first, Py_ssize_t last
) noexcept nogil
cdef void drop_texts(
    Py_ssize_t count, Py_ssize_t kept, const unsigned char[::1] blob, const long long[::1] ends,
    unsigned long long[::1] places
) noexcept nogil

cdef class TextTable:
    cdef public long long layout
    cdef public long long generation
    cdef public dict known
    cdef public object _state
    cdef public object _blob
    cdef public object _ends
    cdef public object _text_places
    cdef public object _extra_keys
    cdef public object _order
    cdef object taken_state
    cdef object taken_blob
    cdef object taken_ends
    cdef object taken_text_places
    cdef object taken_extra_keys
    cdef object taken_order
    cdef long long[::1] state_view
    cdef unsigned char[::1] blob_view
    cdef long long[::1] ends_view
    cdef unsigned long long[::1] text_places_view
    cdef unsigned long long[::1] extra_keys_view
    cdef unsigned int[::1] order_view

    cdef void _take(self)
    cpdef long long enter_names(self, list names, long long dense) except? -2
