# The columns of the factors of a covariance, in C that runs in lanes; read by the Cython compiler only.  The twin is
# `_refactor` in arow_full.py.  Every number is worked out by itself, so two lanes, four lanes and none give the same bits.
cdef extern from * nogil:
    """
    #include <math.h>
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
    #define MB_FACTOR_OVER(x, most) (-(long long)!(fabs(x) <= (most)))  /* -1 for NaN too */

    /* Whether all entries above the diagonal are at most `most`. */
    MB_FACTOR_LANES static int mb_factors_small(const double *factors, Py_ssize_t width, Py_ssize_t count,
                                                double most) {
      Py_ssize_t i, j;
      long long bad = 0;
      for (j = 0; j < count; j++) {
        const double *column = factors + j * width;
        for (i = 0; i < j; i++) bad |= MB_FACTOR_OVER(column[i], most);
      }
      return bad == 0;
    }

    /* `totals` become -projected / total, `shrink` total / next total.  Whether the former and `gain` are at most `most`,
       the latter at most 1, and the weights so small that a step leaves them finite. */
    MB_FACTOR_LANES static int mb_factor_steps(const double *MB_FACTOR_ALONE gain, const double *MB_FACTOR_ALONE projected,
                                               double *MB_FACTOR_ALONE totals, double *MB_FACTOR_ALONE shrink,
                                               const double *MB_FACTOR_ALONE weights, Py_ssize_t count, double most) {
      Py_ssize_t j;
      long long bad = 0;
      for (j = 0; j < count; j++) shrink[j] = totals[j] / totals[j + 1];
      for (j = 0; j < count; j++) {
        double back = -projected[j] / totals[j];
        totals[j] = back;
        bad |= MB_FACTOR_OVER(back, most) | MB_FACTOR_OVER(gain[j], most);
        bad |= MB_FACTOR_OVER(shrink[j], 1.0) | MB_FACTOR_OVER(weights[j], 1e300);
      }
      return bad == 0;
    }

    /* For every column that is not projected to 0, in order: old = column; column += back * gain; gain += v * old, where v is its own
       gain.  Four columns at once read and write `gain` once. */
    MB_FACTOR_LANES static void mb_next_columns(double *MB_FACTOR_ALONE factors, Py_ssize_t width, Py_ssize_t count,
                                               double *MB_FACTOR_ALONE gain, const double *MB_FACTOR_ALONE projected,
                                               const double *MB_FACTOR_ALONE backs) {
      Py_ssize_t at[4], i, j = 0, k, n, common;
      while (j < count) {
        for (n = 0; j < count && n < 4; j++)
          if (projected[j] != 0.0) at[n++] = j;
        common = 0;
        if (n == 4) {
          double *a = factors + at[0] * width, *b = factors + at[1] * width;
          double *c = factors + at[2] * width, *d = factors + at[3] * width;
          double back_a = backs[at[0]], back_b = backs[at[1]], back_c = backs[at[2]], back_d = backs[at[3]];
          double v_a = gain[at[0]], v_b = gain[at[1]], v_c = gain[at[2]], v_d = gain[at[3]];
          common = at[0];
          #if defined(__GNUC__) && !defined(__clang__)
          #pragma GCC ivdep
          #endif
          for (i = 0; i < common; i++) {
            double g = gain[i], u, t;
            u = a[i]; t = u + back_a * g; a[i] = t; g = g + v_a * u;
            u = b[i]; t = u + back_b * g; b[i] = t; g = g + v_b * u;
            u = c[i]; t = u + back_c * g; c[i] = t; g = g + v_c * u;
            u = d[i]; t = u + back_d * g; d[i] = t; g = g + v_d * u;
            gain[i] = g;
          }
        }
        for (k = n == 4; k < n; k++) {
          double *column = factors + at[k] * width, back = backs[at[k]], v = gain[at[k]];
          for (i = common; i < at[k]; i++) {
            double u = column[i], t = u + back * gain[i];
            column[i] = t;
            gain[i] = gain[i] + v * u;
          }
        }
      }
    }
    """
    int c_factors_small "mb_factors_small"(const double *factors, Py_ssize_t width, Py_ssize_t count, double most) noexcept
    int c_factor_steps "mb_factor_steps"(
        const double *gain, const double *projected, double *totals, double *shrink, const double *weights, Py_ssize_t count,
        double most
    ) noexcept
    void c_next_columns "mb_next_columns"(
        double *factors, Py_ssize_t width, Py_ssize_t count, double *gain, const double *projected, const double *backs
    ) noexcept
