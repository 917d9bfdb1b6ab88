# A multiple of one row of numbers added to another, in C that runs in lanes; read by the Cython compiler only.  The twin
# stands in auto.py.  Every number is worked out by itself, so two lanes, four lanes and none give the same bits.
cdef extern from * nogil:
    """
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
      #define MB_MULTIPLE_LANES __attribute__((target_clones("avx2", "default")))
    #else
      #define MB_MULTIPLE_LANES
    #endif
    #if defined(_MSC_VER)
      #define MB_MULTIPLE_ALONE __restrict
    #else
      #define MB_MULTIPLE_ALONE __restrict__
    #endif

    MB_MULTIPLE_LANES static void mb_add_multiple(double *MB_MULTIPLE_ALONE to, const double *MB_MULTIPLE_ALONE from,
                                                  Py_ssize_t n, double factor) {
      Py_ssize_t i;
      for (i = 0; i < n; i++) {
        to[i] += factor * from[i];
      }
    }
    """
    void c_add_multiple "mb_add_multiple"(double *to, const double *source, Py_ssize_t n, double factor) noexcept
