"""Open-addressing hash of ids, as pairs (id, number), number 0 where a place is free; the twin of _places.pxd."""


def home_of(key: int, mask: int) -> int:
    """Where the search for a key begins."""
    return (((key * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF) >> 20) & mask


def place_of(key: int, places: memoryview, mask: int) -> int:
    """Where a key is, or the free place where it would be."""
    h = home_of(key, mask)
    while places[2 * h + 1] != 0 and places[2 * h] != key:
        h = (h + 1) & mask
    return h
