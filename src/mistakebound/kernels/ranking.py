"""The few largest of many numbers, without sorting the many."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _largest(
    values: cython.const[cython.double][::1], count: cython.Py_ssize_t, wanted: cython.Py_ssize_t, out: cython.uint[::1]
) -> cython.Py_ssize_t:
    found: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    j: cython.Py_ssize_t
    size: cython.double
    other: cython.double
    for k in range(count):
        size = values[k] if values[k] >= 0.0 else -values[k]
        if found == wanted:
            other = values[out[found - 1]]
            if size <= (other if other >= 0.0 else -other):
                continue
            found -= 1
        j = found
        while j > 0:
            other = values[out[j - 1]]
            if (other if other >= 0.0 else -other) >= size:
                break
            out[j] = out[j - 1]
            j -= 1
        out[j] = cython.cast(cython.uint, k)
        found += 1
    return found


def largest(
    values: cython.const[cython.double][::1], count: cython.Py_ssize_t, wanted: cython.Py_ssize_t, out: cython.uint[::1]
) -> cython.Py_ssize_t:
    """The places of the largest values by size, largest first, of equal ones the first; how many (-1: misfit).

    Takes `count` steps and a few more for each value that enters the list: meant for a short one.

    >>> from array import array
    >>> out = array("I", bytes(8))
    >>> largest(array("d", [1, -5, 2, 5]), 4, 2, out), out.tolist()
    (2, [1, 3])
    """
    found: cython.Py_ssize_t = -1
    if count < 0 or count > len(values) or wanted < 0 or wanted > len(out):
        return found
    if wanted == 0:
        return 0
    with cython.nogil:
        found = _largest(values, count, wanted, out)
    return found
