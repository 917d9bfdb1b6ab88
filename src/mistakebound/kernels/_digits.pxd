# Digits eight at a time, in C that inlines into the kernels; read by the Cython compiler only.  Twins: _digits.py.
cdef extern from * nogil:
    """
    #ifndef MB_DIGITS
    #define MB_DIGITS
    #include <math.h>
    #include <string.h>
    #if defined(_MSC_VER)
      #include <intrin.h>
    #endif
    static const unsigned long long mb_ten[20] = {
      1ULL, 10ULL, 100ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL, 10000000ULL, 100000000ULL, 1000000000ULL,
      10000000000ULL, 100000000000ULL, 1000000000000ULL, 10000000000000ULL, 100000000000000ULL,
      1000000000000000ULL, 10000000000000000ULL, 100000000000000000ULL, 1000000000000000000ULL,
      10000000000000000000ULL};
    static const double mb_power[23] = {
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
      1e19, 1e20, 1e21, 1e22};
    static CYTHON_INLINE unsigned long long mb_load8(const unsigned char *p) {
      unsigned long long x;
      memcpy(&x, p, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      x = __builtin_bswap64(x);
    #endif
      return x ^ 0x3030303030303030ULL;
    }
    static CYTHON_INLINE unsigned long long mb_strangers(unsigned long long x) {
      return ((x + 0x7676767676767676ULL) | x) & 0x8080808080808080ULL;
    }
    static CYTHON_INLINE unsigned long long mb_eight(unsigned long long x) {
      x = ((x * 2561ULL) >> 8) & 0x00FF00FF00FF00FFULL;
      x = ((x * 6553601ULL) >> 16) & 0x0000FFFF0000FFFFULL;
      return (x * 42949672960001ULL) >> 32;
    }
    static CYTHON_INLINE unsigned long long mb_leading(unsigned long long x, unsigned long long k) {
      return mb_eight(x << (64 - 8 * k));
    }
    static CYTHON_INLINE unsigned long long mb_run(unsigned long long x) {
      unsigned long long bad = mb_strangers(x), k = 8;
      if (bad) {
    #if defined(_MSC_VER)
        unsigned long bit;
        _BitScanForward64(&bit, bad);
        k = bit >> 3;
    #else
        k = (unsigned long long)__builtin_ctzll(bad) >> 3;
    #endif
        if (!k) return 0;
        x <<= 64 - 8 * k;
      }
      return mb_eight(x) << 4 | k;
    }
    static CYTHON_INLINE unsigned long long mb_power_of_ten(unsigned long long k) { return mb_ten[k]; }
    static CYTHON_INLINE double mb_scaled(double m, long long e) {
      return e < 0 ? m / mb_power[-e] : m * mb_power[e];
    }
    static CYTHON_INLINE double mb_ratio(unsigned long long m, unsigned long long d) {
    #if defined(__SIZEOF_INT128__)
      unsigned __int128 n = (unsigned __int128)m << 64, q = n / d, rest = n - q * d, low, half;
      unsigned long long top = (unsigned long long)(q >> 64), word;
      int bits = top ? 128 - __builtin_clzll(top) : 64 - __builtin_clzll((unsigned long long)q);
      int shift = bits - 53; /* at least 1, because q >= 2**53 */
      word = (unsigned long long)(q >> shift);
      low = q - ((unsigned __int128)word << shift);
      half = (unsigned __int128)1 << (shift - 1);
      if (low > half || (low == half && (rest != 0 || (word & 1)))) word++;
      return ldexp((double)word, shift - 64);
    #else
      (void)m; (void)d;
      return -1.0;
    #endif
    }
    #endif
    """
    unsigned long long load8 "mb_load8" (const unsigned char *p) noexcept
    unsigned long long strangers "mb_strangers" (unsigned long long x) noexcept
    unsigned long long eight "mb_eight" (unsigned long long x) noexcept
    unsigned long long leading "mb_leading" (unsigned long long x, unsigned long long k) noexcept
    unsigned long long run "mb_run" (unsigned long long x) noexcept
    unsigned long long power_of_ten "mb_power_of_ten" (unsigned long long k) noexcept
    double scaled "mb_scaled" (double m, long long e) noexcept
    double ratio "mb_ratio" (unsigned long long m, unsigned long long d) noexcept
