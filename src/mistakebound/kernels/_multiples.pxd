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

    /* A row of a symmetric matrix, left of the diagonal, times x, and added to the sums of the columns; eight sums. */
    MB_MULTIPLE_LANES static double mb_add_symmetric(double *MB_MULTIPLE_ALONE to, const double *MB_MULTIPLE_ALONE row,
                                                     const double *MB_MULTIPLE_ALONE x, Py_ssize_t n, double factor) {
      double sums[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
      Py_ssize_t i, k;
      for (i = 0; i + 8 <= n; i += 8) {
        for (k = 0; k < 8; k++) {
          to[i + k] += factor * row[i + k];
          sums[k] += row[i + k] * x[i + k];
        }
      }
      for (k = 0; i + k < n; k++) {
        to[i + k] += factor * row[i + k];
        sums[k] += row[i + k] * x[i + k];
      }
      return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    }
    """
    void c_add_multiple "mb_add_multiple"(double *to, const double *source, Py_ssize_t n, double factor) noexcept
    double c_add_symmetric "mb_add_symmetric"(
        double *to, const double *row, const double *x, Py_ssize_t n, double factor) noexcept
