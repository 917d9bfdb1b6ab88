# Open-addressing hash of ids, in C that inlines into the kernels; read by the Cython compiler only.  Twin: _places.py.
cdef extern from * nogil:
    """
    #ifndef MB_PLACES
    #define MB_PLACES
    static CYTHON_INLINE unsigned long long mb_home_of(unsigned long long key, unsigned long long mask) {
      return ((key * 0x9E3779B97F4A7C15ULL) >> 20) & mask;
    }
    static CYTHON_INLINE unsigned long long mb_place_of(
        unsigned long long key, const unsigned long long *places, unsigned long long mask) {
      unsigned long long h = mb_home_of(key, mask);
      while (places[2 * h + 1] != 0 && places[2 * h] != key) h = (h + 1) & mask;
      return h;
    }
    #endif
    """
    unsigned long long home_of "mb_home_of" (unsigned long long key, unsigned long long mask) noexcept
    unsigned long long place_of "mb_place_of" (
        unsigned long long key, const unsigned long long *places, unsigned long long mask) noexcept
