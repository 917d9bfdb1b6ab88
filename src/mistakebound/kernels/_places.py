"""Open-addressing hash of ids, 0 where a place is free; the twin of _places.pxd.

Where the search for a key begins are the *upper* bits of its hash: in a table twice as large every key is about twice
as far down, so that a table is moved into a larger one from end to end, not to and fro.
"""

_ALL64 = 0xFFFFFFFFFFFFFFFF


def hash_of(key: int) -> int:
    """64 bits that depend on all bits of a key, the upper ones more than the lower ones."""
    key = key * 0x9E3779B97F4A7C15 & _ALL64
    return (key ^ key >> 32) * 0xD6E8FEB86659FD93 & _ALL64


def shift_of(places: int) -> int:
    """By how many bits a hash is shifted to be one of so many places, a power of two from 2 on."""
    return 65 - places.bit_length()


def place_of(key: int, table: memoryview, mask: int, shift: int) -> int:
    """Where a key is, or the free place where it would be; mask + 1 places, of which one at least is free."""
    h = hash_of(key) >> shift
    while table[h] != key and table[h] != 0:
        h = (h + 1) & mask
    return h
