# Eight bytes of text as one word, in C that inlines into the kernels; read by the Cython compiler only.  Twins: _words.py.
cdef extern from * nogil:
    """
    #ifndef MB_WORDS
    #define MB_WORDS
    #include <string.h>
    #if defined(_MSC_VER)
      #include <intrin.h>
    #endif
    #if defined(__SSE2__)
      #include <emmintrin.h>
    #endif
    static CYTHON_INLINE unsigned long long mb_word(const unsigned char *p) {
      unsigned long long x;
      memcpy(&x, p, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      x = __builtin_bswap64(x);
    #endif
      return x;
    }
    static CYTHON_INLINE void mb_put_word(unsigned char *p, unsigned long long x) {
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      x = __builtin_bswap64(x);
    #endif
      memcpy(p, &x, 8);
    }
    static CYTHON_INLINE long long mb_first_byte(unsigned long long found) {
      /* the first of eight bytes of which a bit is set; 8: there is none */
      if (!found) return 8;
    #if defined(_MSC_VER)
      { unsigned long bit; _BitScanForward64(&bit, found); return bit >> 3; }
    #else
      return __builtin_ctzll(found) >> 3;
    #endif
    }
    static CYTHON_INLINE long long mb_stop(unsigned long long x) {
      /* the lowest bit set is in the first byte that is no part of a name: each of the three is right that far */
      unsigned long long colon = x ^ 0x3A3A3A3A3A3A3A3AULL, bar = x ^ 0x7C7C7C7C7C7C7C7CULL, found;
      found = ((x - 0x2121212121212121ULL) & ~x) | ((colon - 0x0101010101010101ULL) & ~colon)
        | ((bar - 0x0101010101010101ULL) & ~bar);
      return mb_first_byte(found & 0x8080808080808080ULL);
    }
    static CYTHON_INLINE long long mb_name_stop(const unsigned char *p) {
      /* the same for sixteen bytes */
    #if defined(__SSE2__)
      __m128i v = _mm_loadu_si128((const __m128i *)p), found;
      found = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(32)), v);
      found = _mm_or_si128(found, _mm_cmpeq_epi8(v, _mm_set1_epi8(58)));
      found = _mm_or_si128(found, _mm_cmpeq_epi8(v, _mm_set1_epi8(124)));
      return __builtin_ctz((unsigned)_mm_movemask_epi8(found) | 0x10000u);
    #else
      long long k = mb_stop(mb_word(p));
      return k < 8 ? k : 8 + mb_stop(mb_word(p + 8));
    #endif
    }
    static CYTHON_INLINE long long mb_quote_stop(unsigned long long x) {
      /* likewise, of a text of JSON: a quote, a backslash or a control character ends what can be taken as it is */
      unsigned long long quote = x ^ 0x2222222222222222ULL, slash = x ^ 0x5C5C5C5C5C5C5C5CULL, found;
      found = ((x - 0x2020202020202020ULL) & ~x) | ((quote - 0x0101010101010101ULL) & ~quote)
        | ((slash - 0x0101010101010101ULL) & ~slash);
      return mb_first_byte(found & 0x8080808080808080ULL);
    }
    static CYTHON_INLINE long long mb_leading_zeros(unsigned long long x) {
    #if defined(_MSC_VER)
      { unsigned long bit; return _BitScanReverse64(&bit, x) ? 63 - (long long)bit : 64; }
    #else
      return x ? __builtin_clzll(x) : 64;
    #endif
    }
    static CYTHON_INLINE unsigned long long mb_low(unsigned long long x, long long k) {
      return k >= 8 ? x : x & ((1ULL << (8 * k)) - 1);
    }
    /* the first and the second word of a name of 1 to 16 bytes, without a branch that nobody could predict */
    static CYTHON_INLINE unsigned long long mb_first_word(unsigned long long x, long long size) {
      return x & (~0ULL >> (8 * (8 - (size < 8 ? size : 8))));
    }
    static CYTHON_INLINE unsigned long long mb_second_word(unsigned long long x, long long size) {
      return x & (0 - (unsigned long long)(size > 8)) & (~0ULL >> ((8 * (16 - size)) & 63));
    }
    static CYTHON_INLINE unsigned long long mb_mixed(unsigned long long x) {
      x ^= x >> 32;
      x *= 0x9FB21C651E98DF25ULL;
      return x ^ (x >> 28);
    }
    static CYTHON_INLINE unsigned long long mb_name_hash(
        unsigned long long first, unsigned long long second, long long size) {
      return (mb_mixed(first ^ mb_mixed(second)) & ~1ULL) | (size > 16);
    }
    #endif
    """
    unsigned long long word "mb_word" (const unsigned char *p) noexcept
    void put_word "mb_put_word" (unsigned char *p, unsigned long long x) noexcept
    long long stop "mb_stop" (unsigned long long x) noexcept
    long long name_stop "mb_name_stop" (const unsigned char *p) noexcept
    long long quote_stop "mb_quote_stop" (unsigned long long x) noexcept
    long long leading_zeros "mb_leading_zeros" (unsigned long long x) noexcept
    unsigned long long low "mb_low" (unsigned long long x, long long k) noexcept
    unsigned long long first_word "mb_first_word" (unsigned long long x, long long size) noexcept
    unsigned long long second_word "mb_second_word" (unsigned long long x, long long size) noexcept
    unsigned long long mixed "mb_mixed" (unsigned long long x) noexcept
    unsigned long long name_hash "mb_name_hash" (
        unsigned long long first, unsigned long long second, long long size) noexcept
