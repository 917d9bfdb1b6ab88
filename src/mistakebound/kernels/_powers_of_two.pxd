# 2^e from the bits of a double, in C that inlines and vectorises; read by the Cython compiler only.  Twin: _powers_of_two.py.
cdef extern from * nogil:
    """
    #ifndef MB_POWERS_OF_TWO
    #define MB_POWERS_OF_TWO
    #include <string.h>
    static CYTHON_INLINE double mb_power_of_two(double shifted) {
      unsigned long long bits;
      memcpy(&bits, &shifted, 8);
      bits <<= 52;
      memcpy(&shifted, &bits, 8);
      return shifted;
    }
    #endif
    """
    double power_of_two "mb_power_of_two" (double shifted) noexcept
