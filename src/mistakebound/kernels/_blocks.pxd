# A block of 128 points against the means, in C that runs in lanes; read by the Cython compiler only.  Twins: _blocks.py.
#
# Every sum is taken in the order in which the twin takes it, so two lanes, four lanes and none give the same bits (and
# -ffp-contract=off, setup.py, keeps a product and a sum apart).  Where the linker can choose at load time there is a
# second version of each function for processors with AVX2.
cdef extern from * nogil:
    """
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

    MB_LANES static void mb_distances(const double *MB_ALONE x, const double *MB_ALONE mean, Py_ssize_t d,
                                      double *MB_ALONE z) {
      Py_ssize_t i, j;
      for (i = 0; i < 128; i++) {
        double a = x[i] - mean[0];
        z[i] = a * a;
      }
      for (j = 1; j + 1 < d; j += 2)
        for (i = 0; i < 128; i++) {
          double a = x[j * 128 + i] - mean[j], b = x[(j + 1) * 128 + i] - mean[j + 1];
          z[i] = z[i] + (a * a + b * b);
        }
      if (j < d)
        for (i = 0; i < 128; i++) {
          double a = x[j * 128 + i] - mean[j];
          z[i] = z[i] + a * a;
        }
    }

    /* e^x: x = e ln 2 + r (ln 2 in two parts, the first so short that its product with e is exact), e^r by a polynomial,
       2^e from the lowest bits of `shifted` */
    static CYTHON_INLINE double mb_exp(double x) {
      double shifted = x * 1.4426950408889634 + 6755399441056767.0, e = shifted - 6755399441056767.0;
      double r = (x - e * 6.93147180369123816490e-01) - e * 1.90821492927058770002e-10;
      double p = 2.4994293345730463e-08, power;
      unsigned long long bits;
      p = p * r + 2.7632308224452543e-07;
      p = p * r + 2.7557622652024487e-06;
      p = p * r + 2.48014864812835e-05;
      p = p * r + 0.00019841269432434438;
      p = p * r + 0.0013888888951261204;
      p = p * r + 0.008333333333559451;
      p = p * r + 0.04166666666649263;
      p = p * r + 0.1666666666666617;
      p = p * r + 0.5000000000000018;
      p = p * r + 1.0;
      p = p * r + 1.0;
      memcpy(&bits, &shifted, 8);
      bits <<= 52;
      memcpy(&power, &bits, 8);
      return p * power;
    }

    MB_LANES static void mb_weigh(Py_ssize_t k, double scale, double *MB_ALONE z, double *MB_ALONE least,
                                  double *MB_ALONE total) {
      Py_ssize_t i, m;
      for (i = 0; i < 128; i++) {
        least[i] = z[i];
        total[i] = 0.0;
      }
      for (m = 1; m < k; m++)
        for (i = 0; i < 128; i++) least[i] = z[m * 128 + i] < least[i] ? z[m * 128 + i] : least[i];
      for (m = 0; m < k; m++) {
        /* a loop of its own: with this choice in the next one, the compiler makes no vectors of it */
        for (i = 0; i < 128; i++) {
          double e = (least[i] - z[m * 128 + i]) * scale;
          z[m * 128 + i] = e > -708.0 ? e : -708.0;
        }
        for (i = 0; i < 128; i++) {
          double e = mb_exp(z[m * 128 + i]);
          z[m * 128 + i] = e;
          total[i] = total[i] + e;
        }
      }
    }

    MB_LANES static void mb_divide(double *MB_ALONE x, Py_ssize_t d, const double *MB_ALONE total, Py_ssize_t count) {
      double *one = x + d * 128;
      Py_ssize_t i, j;
      for (i = 0; i < 128; i++) one[i] = 1.0 / total[i];
      for (i = count; i < 128; i++) one[i] = 0.0;
      for (j = 0; j < d; j++)
        for (i = 0; i < 128; i++) x[j * 128 + i] = x[j * 128 + i] * one[i];
    }

    MB_LANES static void mb_add_sums(const double *MB_ALONE z, Py_ssize_t k, const double *MB_ALONE x, Py_ssize_t d,
                                     double *MB_ALONE sums) {
      Py_ssize_t i, j, m;
      int lane;
      for (m = 0; m < k; m++)
        for (j = 0; j <= d; j++) {
          const double *a = z + m * 128, *b = x + j * 128;
          double s[8] = {0, 0, 0, 0, 0, 0, 0, 0};
          for (i = 0; i < 128; i += 8)
            for (lane = 0; lane < 8; lane++) s[lane] = s[lane] + a[i + lane] * b[i + lane];
          sums[m * (d + 1) + j] += ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
        }
    }
    """
    void c_distances "mb_distances"(const double *x, const double *mean, Py_ssize_t d, double *z) noexcept
    void c_weigh "mb_weigh"(Py_ssize_t k, double scale, double *z, double *least, double *total) noexcept
    void c_divide "mb_divide"(double *x, Py_ssize_t d, const double *total, Py_ssize_t count) noexcept
    void c_add_sums "mb_add_sums"(const double *z, Py_ssize_t k, const double *x, Py_ssize_t d, double *sums) noexcept
