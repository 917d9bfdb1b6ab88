# One column of the factors of a covariance, in C that runs in lanes; read by the Cython compiler only.  The twin stands
# in arow_full.py.  Every number is worked out by itself, so two lanes, four lanes and none give the same bits.
cdef extern from * nogil:
    """
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
      #define MB_FACTOR_LANES __attribute__((target_clones("avx2", "default")))
    #else
      #define MB_FACTOR_LANES
    #endif
    #if defined(_MSC_VER)
      #define MB_FACTOR_ALONE __restrict
    #else
      #define MB_FACTOR_ALONE __restrict__
    #endif

    /* kept = column; column += back * gain; gain += v * kept.  Whether all of the column is still finite. */
    MB_FACTOR_LANES static int mb_next_column(double *MB_FACTOR_ALONE column, double *MB_FACTOR_ALONE gain,
                                              double *MB_FACTOR_ALONE kept, Py_ssize_t n, double back, double v) {
      Py_ssize_t i;
      long long bad = 0;
      for (i = 0; i < n; i++) {
        double u = column[i], t = u + back * gain[i];
        bad |= -(long long)(t - t != 0.0);
        gain[i] = gain[i] + v * u;
        kept[i] = u;
        column[i] = t;
      }
      return bad == 0;
    }
    """
    int c_next_column "mb_next_column"(double *column, double *gain, double *kept, Py_ssize_t n, double back, double v) noexcept
