"""Numbers as people give them, at their exact value: 3, 0.25, 2e-3, 1/3, in Python and on the command line."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Rational

_RUN = r"[0-9]+(?:_[0-9]+)*"
_DECIMAL = rf"[+-]?(?:{_RUN}(?:\.(?:{_RUN})?)?|\.{_RUN})(?:[eE][+-]?[0-9]+)?"
_NUMBER = re.compile(rf"\s*({_DECIMAL})(?:\s*/\s*({_DECIMAL}))?\s*")
_LONGEST = 4000  # text: Python refuses to read much longer numbers
POWER = 100_000  # of ten: larger ones would only fill the memory


def fraction_of_text(text: str) -> Fraction | None:
    """The number that a text says; None for one that says none, and for powers of ten beyond all sense.

    >>> [str(fraction_of_text(text)) for text in ("3", "0.25", "2e-3", "1/3", "-1 / 0.5", "1/0", "x", "1e-999999")]
    ['3', '1/4', '1/500', '1/3', '-2', 'None', 'None', 'None']
    """
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > _LONGEST:
        return None
    try:
        above, below = _of_decimal(Decimal(match[1])), _of_decimal(Decimal(match[2] or 1))
    except InvalidOperation:  # an exponent that is no machine word
        return None
    return above / below if above is not None and below else None


def fraction_of(value: object, *, printed: bool = True) -> Fraction | None:
    """The number that a value or a text is; None for what is not a finite number, truth values among it.

    A float stands for the decimal number that it prints as (0.1 is 1/10), or with printed=False for its exact value.

    >>> fraction_of(0.1), fraction_of("1/3"), fraction_of(float("nan")), fraction_of(True)
    (Fraction(1, 10), Fraction(1, 3), None, None)
    """
    if getattr(value, "ndim", None) == 0 and hasattr(
        value, "item"
    ):  # a NumPy scalar, whose 32 bits print as few digits
        value = float(str(value)) if printed and type(value).__name__ in ("float16", "float32") else value.item()
    if isinstance(value, str):
        return fraction_of_text(value)
    try:
        if isinstance(value, bool):
            return None
        if isinstance(value, Rational):
            return Fraction(int(value.numerator), int(value.denominator))
        if isinstance(value, Decimal):
            return _of_decimal(value)
        if not hasattr(value, "__float__") or hasattr(value, "ndim"):
            return None
        number = float(value)
        return Fraction(repr(number)) if printed else Fraction(number)
    except (TypeError, ValueError, OverflowError):
        return None


def _of_decimal(number: Decimal) -> Fraction | None:
    """Not where that would write out powers of ten by the million."""
    short = number.is_finite() and abs(number.adjusted()) <= POWER
    return Fraction(number) if short else None
