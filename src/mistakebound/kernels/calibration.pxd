# The place of a score in a table of 33 cells; read by the Cython compiler only.
cdef double place_of(double s, double mean) noexcept nogil
