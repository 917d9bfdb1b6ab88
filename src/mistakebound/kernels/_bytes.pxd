# Bytes of a buffer, eight at a time, inlined into the kernels; read by the Cython compiler only.  Twins: _bytes.py.
from mistakebound.kernels._digits cimport load8, run
from mistakebound.kernels._words cimport low, put_word, word


cdef inline unsigned long long word_at(const unsigned char[::1] buf, Py_ssize_t i) noexcept nogil:
    return word(&buf[i])


cdef inline unsigned long long digits_at(const unsigned char[::1] buf, Py_ssize_t i) noexcept nogil:
    return run(load8(&buf[i]))


cdef inline bint same_bytes(
    const unsigned char[::1] one, Py_ssize_t i, const unsigned char[::1] other, Py_ssize_t j, Py_ssize_t size
) noexcept nogil:
    while size > 8:
        if word_at(one, i) != word_at(other, j):
            return False
        i += 8
        j += 8
        size -= 8
    return low(word_at(one, i) ^ word_at(other, j), size) == 0


cdef inline Py_ssize_t copy_bytes(
    const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t size, unsigned char[::1] out, Py_ssize_t at
) noexcept nogil:
    cdef Py_ssize_t last = at + size
    while at < last:
        put_word(&out[at], word_at(buf, i))
        at += 8
        i += 8
    return last
