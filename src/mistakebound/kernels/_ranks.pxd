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
      int near[256 + 16], ranks[256 + 16];
      unsigned int old[256];
      double numbers[256];
      Py_ssize_t i, j, wide = (n + 15) & ~(Py_ssize_t)15, total = 0;
      for (i = 0; i < n; i++) near[i] = (int)(slots[i] ^ 0x80000000u);
      for (i = n; i < wide; i++) near[i] = 0x7FFFFFFF;
      for (j = 0; j < wide; j += 16) {  /* the counts of sixteen stay at hand while all are compared with them */
    #if defined(__GNUC__)
        typedef int lanes __attribute__((vector_size(32)));
        lanes a, b, below_a = {0}, below_b = {0};
        memcpy(&a, near + j, sizeof(a));
        memcpy(&b, near + j + 8, sizeof(b));
        for (i = 0; i < n; i++) {
          lanes one = {0};
          one += near[i];
          below_a -= one < a;
          below_b -= one < b;
        }
        memcpy(ranks + j, &below_a, sizeof(a));
        memcpy(ranks + j + 8, &below_b, sizeof(b));
    #else
        Py_ssize_t k;
        memset(ranks + j, 0, 16 * sizeof(*ranks));
        for (i = 0; i < n; i++)
          for (k = j; k < j + 16; k++) ranks[k] += near[i] < near[k];
    #endif
      }
      for (i = 0; i < n; i++) total += ranks[i];
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
