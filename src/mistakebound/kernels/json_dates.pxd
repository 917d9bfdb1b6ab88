# For the kernel that reads JSON lines; read by the Cython compiler only.
cdef long long date_at(const unsigned char[::1] buf, Py_ssize_t i) noexcept nogil
