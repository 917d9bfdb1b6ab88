# Numbers of 1, 2, 4 or 8 bytes in a buffer, in the byte order of the machine; read by the Cython compiler only.
# Twins: _columns.py.
cdef extern from * nogil:
    """
    #ifndef MB_COLUMNS
    #define MB_COLUMNS
    #include <string.h>
    static CYTHON_INLINE unsigned long long mb_get_whole(const unsigned char *p, Py_ssize_t k, int width) {
      unsigned short two; unsigned int four; unsigned long long eight;
      switch (width) {
        case 1: return p[k];
        case 2: memcpy(&two, p + 2 * k, 2); return two;
        case 4: memcpy(&four, p + 4 * k, 4); return four;
        default: memcpy(&eight, p + 8 * k, 8); return eight;
      }
    }
    static CYTHON_INLINE void mb_put_whole(unsigned char *p, Py_ssize_t k, int width, unsigned long long v) {
      unsigned short two = (unsigned short)v; unsigned int four = (unsigned int)v;
      switch (width) {
        case 1: p[k] = (unsigned char)v; break;
        case 2: memcpy(p + 2 * k, &two, 2); break;
        case 4: memcpy(p + 4 * k, &four, 4); break;
        default: memcpy(p + 8 * k, &v, 8);
      }
    }
    static CYTHON_INLINE double mb_get_real(const unsigned char *p, Py_ssize_t k, int width) {
      float four; double eight;
      switch (width) {
        case 1: return (double)(signed char)p[k];
        case 4: memcpy(&four, p + 4 * k, 4); return four;
        default: memcpy(&eight, p + 8 * k, 8); return eight;
      }
    }
    static CYTHON_INLINE void mb_put_real(unsigned char *p, Py_ssize_t k, int width, double v) {
      float four = (float)v;
      switch (width) {
        case 1: p[k] = (unsigned char)(signed char)v; break;
        case 4: memcpy(p + 4 * k, &four, 4); break;
        default: memcpy(p + 8 * k, &v, 8);
      }
    }
    #endif
    """
    unsigned long long get_whole "mb_get_whole" (const unsigned char *p, Py_ssize_t k, int width) noexcept
    void put_whole "mb_put_whole" (unsigned char *p, Py_ssize_t k, int width, unsigned long long v) noexcept
    double get_real "mb_get_real" (const unsigned char *p, Py_ssize_t k, int width) noexcept
    void put_real "mb_put_real" (unsigned char *p, Py_ssize_t k, int width, double v) noexcept
