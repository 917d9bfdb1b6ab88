"""New text names get their slots, many in one call: see the kernels `attributes` and `texts`."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels.texts import add_text
else:
    from mistakebound.kernels.texts import add_text

_ANY = "surrogatepass"  # a name may be any str
_TEXT = cython.declare(cython.ulonglong, 0x8000000000000000)
# Places in `state`: see the kernel `attributes`.
_SIZE = cython.declare(cython.int, 0)
_EXTRA = cython.declare(cython.int, 1)
_TEXTS = cython.declare(cython.int, 7)
_BYTES = cython.declare(cython.int, 8)


@cython.cclass
class NewTexts:
    """The buffers of an attribute table that a new text name is written to; made anew when one of them is replaced."""

    known: dict
    dense: cython.longlong
    buffers: tuple
    blob: cython.uchar[::1]
    ends: cython.longlong[::1]
    places: cython.ulonglong[::1]
    text_extras: cython.uint[::1]
    extra_keys: cython.ulonglong[::1]
    order: cython.uint[::1]
    state: cython.longlong[::1]

    def __init__(self, known, dense, state, *buffers):
        self.known = known
        self.dense = dense
        self.state = state
        self.buffers = buffers
        self.blob, self.ends, self.places, self.text_extras, self.extra_keys, self.order = buffers

    def holds(self, *buffers):
        """Whether these very buffers are the table's."""
        k: cython.Py_ssize_t
        for k in range(6):
            if buffers[k] is not self.buffers[k]:
                return False
        return True

    def enter(self, names: list) -> cython.longlong:
        """Enter texts that are not there yet, in the order of code points; the first of their slots, which follow
        each other, or -1, and nothing done, when there is no room for them.
        """
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        data: bytes
        encoded: list
        count: cython.Py_ssize_t = len(names)
        size: cython.Py_ssize_t = self.state[_SIZE]
        extra: cython.Py_ssize_t = self.state[_EXTRA]
        texts: cython.Py_ssize_t = self.state[_TEXTS]
        end: cython.Py_ssize_t = self.state[_BYTES]
        if size + count > len(self.order) or extra + count > len(self.extra_keys):
            return -1
        if texts + count > len(self.text_extras) or texts + count >= len(self.ends):
            return -1
        if 4 * (texts + count) > len(self.places):
            return -1
        names.sort()
        encoded = [cython.cast(str, name).encode("utf-8", _ANY) for name in names]
        for data in encoded:
            end += len(data)
        if end > len(self.blob):
            return -1
        end = self.state[_BYTES]
        for k in range(count):
            data = encoded[k]
            for j in range(len(data)):
                self.blob[end + j] = data[j]
            add_text(self.blob, end, end + len(data), self.blob, self.ends, self.places, texts + k)
            end += len(data)
            self.text_extras[texts + k] = cython.cast(cython.uint, extra + k)
            self.extra_keys[extra + k] = _TEXT + cython.cast(cython.ulonglong, texts + k)
            self.order[size + k] = cython.cast(cython.uint, self.dense + extra + k)
            self.known[names[k]] = self.dense + extra + k
        self.state[_SIZE] = size + count
        self.state[_EXTRA] = extra + count
        self.state[_TEXTS] = texts + count
        self.state[_BYTES] = end
        return self.dense + extra
