# The random numbers of splitmix64, inlined into the kernels; read by the Cython compiler only.  Twin: _splitmix.py.
cdef extern from * nogil:
    """
    #ifndef MB_SPLITMIX
    #define MB_SPLITMIX
    #define MB_GAMMA 0x9E3779B97F4A7C15ULL
    static CYTHON_INLINE unsigned long long mb_splitmix(unsigned long long z) {
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
      return z ^ (z >> 31);
    }
    #endif
    """
    const unsigned long long GAMMA "MB_GAMMA"
    unsigned long long mixed "mb_splitmix" (unsigned long long z) noexcept
