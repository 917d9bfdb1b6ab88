"""Eight bytes of text as one word: what _words.pxd says in C, for kernels that run uncompiled."""

from __future__ import annotations

_ALL64 = 0xFFFFFFFFFFFFFFFF


def word(text: bytes) -> int:
    """The first byte lowest."""
    return int.from_bytes(text, "little")


def stop(x: int) -> int:
    """How many bytes come before the first that ends a name: a colon, a bar, white space or a control character; or 8.

    >>> stop(word(b"price:1 ")), stop(word(b"|n a b c")), stop(word(b"averylon"))
    (5, 0, 8)
    """
    for k, byte in enumerate(x.to_bytes(8, "little")):
        if byte <= 32 or byte in b":|":
            return k
    return 8


def name_stop(text: bytes) -> int:
    """The same for sixteen bytes, as they are.

    >>> name_stop(b"a name:1 another"), name_stop(b"fourteen_bytes:1"), name_stop(b"averylongname_or")
    (1, 14, 16)
    """
    for k, byte in enumerate(text):
        if byte <= 32 or byte in b":|":
            return k
    return 16


def quote_stop(x: int) -> int:
    """How many bytes come before the first quote, backslash or control character; or 8.

    >>> quote_stop(word(b'free", 7')), quote_stop(word(b"\\\\nabcdef")), quote_stop(word(b"averylon"))
    (4, 0, 8)
    """
    for k, byte in enumerate(x.to_bytes(8, "little")):
        if byte < 32 or byte in b'"\\':
            return k
    return 8


def leading_zeros(x: int) -> int:
    """Of the 64 bits."""
    return 64 - x.bit_length()


def low(x: int, k: int) -> int:
    """The first k bytes, 0 <= k."""
    return x if k >= 8 else x & ((1 << (8 * k)) - 1)


def first_word(x: int, size: int) -> int:
    """Of a name of 1 to 16 bytes that begins with the bytes x."""
    return low(x, size)


def second_word(x: int, size: int) -> int:
    """The same of the eight bytes behind them."""
    return low(x, max(0, size - 8))


def mixed(x: int) -> int:
    """A permutation of the 64-bit numbers in which every bit of x moves the upper half."""
    x ^= x >> 32
    x = (x * 0x9FB21C651E98DF25) & _ALL64
    return x ^ (x >> 28)


def name_hash(first: int, second: int, size: int) -> int:
    """Of a name of `size` bytes by its two words; the lowest bit says that it is longer than sixteen."""
    return mixed(first ^ mixed(second)) >> 1 << 1 | (size > 16)
