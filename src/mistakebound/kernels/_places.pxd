# Open-addressing hash of ids, inlined into the kernels; read by the Cython compiler only.  Twin: _places.py.
cdef extern from * nogil:
    """
    #ifndef MB_PLACES
    #define MB_PLACES
    static CYTHON_INLINE unsigned long long mb_hash_of(unsigned long long key) {
      key *= 0x9E3779B97F4A7C15ULL;
      key ^= key >> 32;
      return key * 0xD6E8FEB86659FD93ULL;
    }
    #endif
    """
    unsigned long long hash_of "mb_hash_of" (unsigned long long key) noexcept


cdef inline int shift_of(Py_ssize_t places) noexcept nogil:
    cdef int bits = 1
    while (places >> bits) > 1:
        bits += 1
    return 64 - bits


cdef inline unsigned long long place_of(
    unsigned long long key, const unsigned long long[::1] table, unsigned long long mask, int shift
) noexcept nogil:
    cdef unsigned long long h = hash_of(key) >> shift
    while table[h] != key and table[h] != 0:
        h = (h + 1) & mask
    return h
