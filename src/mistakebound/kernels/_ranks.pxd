# The order of a row by counting, in C that runs in lanes; read by the Cython compiler only.  Uncompiled, `sorting` sorts its other way.
cdef extern from * nogil:
    """
    #include <string.h>
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
      #define MB_RANKS __attribute__((target_clones("avx2", "default")))
    #else
      #define MB_RANKS
    #endif

    /* Sort 1 to 256 distinct numbers in place, and values (if any) with them: of each, count those that are smaller.
       No branch depends on the numbers.  0 and nothing done when two are the same. */
    MB_RANKS static int mb_sort_row(unsigned int *slots, double *values, Py_ssize_t n) {
      int near[256 + 8], ranks[256];
      unsigned int old[256];
      double numbers[256];
      Py_ssize_t i, j, wide = (n + 7) & ~(Py_ssize_t)7, total = 0;
      for (i = 0; i < n; i++) near[i] = (int)(slots[i] ^ 0x80000000u);
      for (i = n; i < wide; i++) near[i] = 0x7FFFFFFF;
      for (i = 0; i < n; i++) {
        int one = near[i], smaller = 0;
        for (j = 0; j < wide; j++) smaller += near[j] < one;
        ranks[i] = smaller;
        total += smaller;
      }
      if (2 * total != n * (n - 1)) return 0;
      memcpy(old, slots, n * sizeof(*slots));
      for (i = 0; i < n; i++) slots[ranks[i]] = old[i];
      if (values) {
        memcpy(numbers, values, n * sizeof(*values));
        for (i = 0; i < n; i++) values[ranks[i]] = numbers[i];
      }
      return 1;
    }
    """
    int sort_row "mb_sort_row" (unsigned int *slots, double *values, Py_ssize_t n) noexcept
