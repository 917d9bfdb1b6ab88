# What one layer of units does, in C that runs in lanes; read by the Cython compiler only.  Twins: _layers.py.
#
# Every loop runs over neighbours and adds in the order in which the twin adds, so two lanes, four lanes and none give
# the same bits (and -ffp-contract=off, setup.py, keeps a product and a sum apart).  Where the linker can choose at load
# time there is a second version of each function for processors with AVX2.
cdef extern from * nogil:
    """
    #include <math.h>
    #include <string.h>
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
      #define MB_LANES __attribute__((target_clones("avx2", "default")))
    #else
      #define MB_LANES
    #endif
    #if defined(_MSC_VER)
      #define MB_ALONE __restrict
    #else
      #define MB_ALONE __restrict__
    #endif

    /* out[j] += the sum of x[i] * w[i][j]; four rows at a time, none where all four inputs are 0 */
    MB_LANES static void mb_add_rows(const double *MB_ALONE w, Py_ssize_t n, Py_ssize_t m, const double *MB_ALONE x,
                                     double *MB_ALONE out) {
      Py_ssize_t i, j;
      for (i = 0; i + 4 <= n; i += 4, w += 4 * m) {
        double x0 = x[i], x1 = x[i + 1], x2 = x[i + 2], x3 = x[i + 3];
        if (x0 == 0 && x1 == 0 && x2 == 0 && x3 == 0) continue;
        for (j = 0; j < m; j++) {
          double s = out[j] + x0 * w[j];
          s = s + x1 * w[m + j];
          s = s + x2 * w[2 * m + j];
          out[j] = s + x3 * w[3 * m + j];
        }
      }
      for (; i < n; i++, w += m)
        for (j = 0; j < m; j++) out[j] = out[j] + x[i] * w[j];
    }

    /* out[j] = 1 / (1 + exp(-out[j])): the series of exp up to r**12 / 12! after taking powers of 2 out.  Up to three
       numbers after the last are changed too (whole lanes only): what stands there is not yet or never looked at. */
    MB_LANES static void mb_sigmoids(double *MB_ALONE out, Py_ssize_t m) {
      Py_ssize_t j, end = (m + 3) & ~(Py_ssize_t)3;
      for (j = 0; j < end; j++) {
        double y = -out[j], t, n, r, r2, r4, p, power;
        unsigned long long bits;
        y = y < 708.0 ? y : 708.0;
        y = y > -708.0 ? y : -708.0;
        t = y * 1.4426950408889634 + 6755399441055744.0;
        n = t - 6755399441055744.0;
        r = (y - n * 0.6931471803691238) - n * 1.9082149292705877e-10;
        r2 = r * r;
        r4 = r2 * r2;
        p = ((2.7557319223985893e-06 * r + 2.48015873015873e-05)
             + (2.505210838544172e-08 * r + 2.755731922398589e-07) * r2) + 2.08767569878681e-09 * r4;
        p = ((0.008333333333333333 * r + 0.041666666666666664)
             + (0.0001984126984126984 * r + 0.001388888888888889) * r2) + p * r4;
        p = ((r + 1.0) + (0.16666666666666666 * r + 0.5) * r2) + p * r4;
        memcpy(&bits, &t, 8);
        bits = (bits + 1023ULL) << 52;
        memcpy(&power, &bits, 8);
        out[j] = 1.0 / (1.0 + p * power);
      }
    }

    /* the sum of a[j] * b[j], in four sums that do not wait for each other */
    static CYTHON_INLINE double mb_product(const double *MB_ALONE a, const double *MB_ALONE b, Py_ssize_t m) {
      double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
      Py_ssize_t j;
      for (j = 0; j + 4 <= m; j += 4) {
        s0 = s0 + a[j] * b[j];
        s1 = s1 + a[j + 1] * b[j + 1];
        s2 = s2 + a[j + 2] * b[j + 2];
        s3 = s3 + a[j + 3] * b[j + 3];
      }
      for (; j < m; j++) s0 = s0 + a[j] * b[j];
      return (s0 + s1) + (s2 + s3);
    }

    /* back[i] = x[i] (1 - x[i]) times the error that comes back through row i */
    MB_LANES static void mb_go_back(const double *MB_ALONE w, Py_ssize_t n, Py_ssize_t m, const double *MB_ALONE x,
                                    const double *MB_ALONE d, double *MB_ALONE back) {
      Py_ssize_t i;
      for (i = 0; i < n; i++, w += m) back[i] = x[i] * (1.0 - x[i]) * mb_product(w, d, m);
    }

    /* w[i][j] += x[i] * g[j] */
    MB_LANES static void mb_add_outer(double *MB_ALONE w, Py_ssize_t n, Py_ssize_t m, const double *MB_ALONE x,
                                      const double *MB_ALONE g) {
      Py_ssize_t i, j;
      for (i = 0; i < n; i++, w += m) {
        double xi = x[i];
        if (xi == 0) continue;
        for (j = 0; j < m; j++) w[j] = w[j] + g[j] * xi;
      }
    }

    /* the same with what is left of the last step, and less of the weight itself */
    MB_LANES static void mb_add_step(double *MB_ALONE w, double *MB_ALONE last, Py_ssize_t n, Py_ssize_t m,
                                     const double *MB_ALONE x, const double *MB_ALONE g, double momentum, double shrink) {
      Py_ssize_t i, j;
      for (i = 0; i < n; i++, w += m, last += m) {
        double xi = x[i];
        for (j = 0; j < m; j++) {
          double step = (g[j] * xi - shrink * w[j]) + momentum * last[j];
          last[j] = step;
          w[j] = w[j] + step;
        }
      }
    }
    """
    void c_add_rows "mb_add_rows"(const double *w, Py_ssize_t n, Py_ssize_t m, const double *x, double *out) noexcept
    void c_sigmoids "mb_sigmoids"(double *out, Py_ssize_t m) noexcept
    void c_go_back "mb_go_back"(const double *w, Py_ssize_t n, Py_ssize_t m, const double *x, const double *d, double *back) noexcept
    void c_add_outer "mb_add_outer"(double *w, Py_ssize_t n, Py_ssize_t m, const double *x, const double *g) noexcept
    void c_add_step "mb_add_step"(double *w, double *last, Py_ssize_t n, Py_ssize_t m, const double *x, const double *g, double momentum, double shrink) noexcept
    double natural_log "log"(double x) noexcept
