"""Cells of a column, as text end to end, to numbers."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels.number import number
else:
    from mistakebound.kernels.number import number

MISSING = 0
NUMBER = 1
OTHER = 2

SLACK = 16  # bytes that scratch must have beyond the longest cell


def numbers(
    text: cython.const[cython.uchar][::1],
    ends: cython.const[cython.int][::1],
    rows: cython.Py_ssize_t,
    scratch: cython.uchar[::1],
    values: cython.double[::1],
    kinds: cython.schar[::1],
) -> cython.Py_ssize_t:
    """kinds[r] of the cell text[ends[r] : ends[r + 1]], and its number in values[r] (1 where it is none).

    Blanks (spaces and tabs) around a cell do not count; an empty one and `?` are missing.  How many are OTHER, or -1
    when the buffers do not fit.

    >>> from array import array
    >>> values, kinds = array("d", bytes(32)), array("b", bytes(4))
    >>> numbers(b"1.5 ?x", array("i", [0, 3, 5, 6, 6]), 4, bytearray(20), values, kinds), kinds.tolist(), values[0]
    (1, [1, 0, 2, 0], 1.5)
    """
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    others: cython.Py_ssize_t = 0
    fits: cython.bint = True
    if rows < 0 or len(ends) < rows + 1 or len(values) < rows or len(kinds) < rows:
        return -1
    with cython.nogil:
        if ends[0] < 0 or ends[rows] > len(text):
            fits = False
        for r in range(rows):
            if not 0 <= ends[r + 1] - ends[r] <= len(scratch) - 16:
                fits = False
                break
        if fits:
            for r in range(rows):
                i = ends[r]
                j = ends[r + 1]
                while i < j and (text[i] == 32 or text[i] == 9):
                    i += 1
                while i < j and (text[j - 1] == 32 or text[j - 1] == 9):
                    j -= 1
                values[r] = 1
                if i == j or (j - i == 1 and text[i] == 63):
                    kinds[r] = 0
                    continue
                for k in range(j - i):
                    scratch[k] = text[i + k]
                scratch[j - i] = 10  # the number ends here at the latest
                if number(scratch, 0, values, r) == j - i:
                    kinds[r] = 1
                else:
                    kinds[r] = 2
                    values[r] = 1
                    others += 1
    return others if fits else -1
