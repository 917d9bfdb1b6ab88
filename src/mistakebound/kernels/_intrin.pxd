# C helpers that pure-Python mode cannot express.  Read by the Cython compiler only: cimport them inside
# `if cython.compiled:`; each kernel carries an uncompiled twin beside the call.
cdef extern from * nogil:
    """
    #if defined(_MSC_VER)
      #include <xmmintrin.h>
      #include <intrin.h>
      #define mb_prefetch(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
    #else
      #define mb_prefetch(p) __builtin_prefetch(p)
    #endif

    /* the upper half of a 128-bit product */
    static CYTHON_INLINE unsigned long long mb_mulhi64(unsigned long long a, unsigned long long b) {
    #if defined(__SIZEOF_INT128__)
      return (unsigned long long)(((unsigned __int128)a * b) >> 64);
    #elif defined(_MSC_VER) && defined(_M_X64)
      return __umulh(a, b);
    #else
      unsigned long long al = a & 0xffffffffULL, ah = a >> 32, bl = b & 0xffffffffULL, bh = b >> 32;
      unsigned long long m = ah * bl + ((al * bl) >> 32);
      unsigned long long k = al * bh + (m & 0xffffffffULL);
      return ah * bh + (m >> 32) + (k >> 32);
    #endif
    }
    """
    unsigned long long mb_mulhi64(unsigned long long a, unsigned long long b) noexcept
    void mb_prefetch(const void *p) noexcept
