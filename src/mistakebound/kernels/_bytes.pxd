# Bytes of a buffer, eight at a time, inlined into the kernels; read by the Cython compiler only.  Twins: _bytes.py.
from mistakebound.kernels._digits cimport load8, power_of_ten, run, scaled
from mistakebound.kernels._words cimport low, mixed, put_word, word


cdef inline unsigned long long word_at(const unsigned char[::1] buf, Py_ssize_t i) noexcept nogil:
    return word(&buf[i])


cdef inline unsigned long long eight_at(const unsigned char[::1] buf, Py_ssize_t i) noexcept nogil:
    return load8(&buf[i])


cdef inline Py_ssize_t digits_end(const unsigned char[::1] buf, Py_ssize_t i) noexcept nogil:
    while 48 <= buf[i] <= 57:
        i += 1
    return i


cdef inline unsigned long long digits_at(const unsigned char[::1] buf, Py_ssize_t i) noexcept nogil:
    return run(load8(&buf[i]))


cdef inline Py_ssize_t short_decimal(
    const unsigned char[::1] buf, Py_ssize_t i, double[::1] values, Py_ssize_t p
) noexcept nogil:
    cdef bint minus = buf[i] == 45
    cdef unsigned long long whole = digits_at(buf, i + minus)
    cdef unsigned long long part
    cdef Py_ssize_t j = i + minus + (whole & 15)
    cdef double v
    if whole & 15 == 0:
        return 0
    v = whole >> 4
    if buf[j] == 46:
        part = digits_at(buf, j + 1)
        if part & 15 == 8:
            return 0
        j += 1 + (part & 15)
        v = scaled((whole >> 4) * power_of_ten(part & 15) + (part >> 4), -<long long>(part & 15))
    values[p] = -v if minus else v
    return j


cdef inline unsigned long long hash_of(
    const unsigned char[::1] buf, Py_ssize_t i, Py_ssize_t size, unsigned long long seed
) noexcept nogil:
    while size > 8:
        seed = mixed(seed ^ word_at(buf, i))
        i += 8
        size -= 8
    return mixed(seed ^ low(word_at(buf, i), size))


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


cdef inline bint spans_fit(const long long[::1] ends, Py_ssize_t count, long long size) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(count):
        if ends[k] < 0 or ends[k] > ends[k + 1] or ends[k + 1] > size:
            return False
    return True
