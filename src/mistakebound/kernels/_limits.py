"""Doubles kept within a range; the twin of _limits.pxd."""


def limited(s: float, most: float) -> float:
    """s between -most and most; 0 for what is no number.

    >>> limited(2.0, 5.0), limited(float("-inf"), 5.0), limited(float("nan"), 5.0)
    (2.0, -5.0, 0.0)
    """
    if s > most:
        return most
    if s < -most:
        return -most
    return s if s == s else 0.0
