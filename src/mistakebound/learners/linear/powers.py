"""Powers of alpha: as a table of doubles that says which of its entries are exact, and as exact integers."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from math import inf, ldexp, nan

from mistakebound.core.buffers import zeros
from mistakebound.kernels import winnow as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTHS = (8, 16, 32)  # bits of a code


def bias_of(shift: int) -> int:
    """The code of the exponent 0, in codes of so many bits."""
    return 1 << (shift - 1)


def odd_part(alpha: float) -> tuple[int, int]:
    """(p, t) with alpha = p * 2**t and p odd: every double is such a number.

    >>> odd_part(10.0), odd_part(1.5)
    ((5, 1), (3, -1))
    """
    numerator, denominator = alpha.as_integer_ratio()
    twos = (numerator & -numerator).bit_length() - 1
    return numerator >> twos, twos - (denominator.bit_length() - 1)


def exact_sum(terms: Mapping[tuple[int, int], int], alpha: float, unit: float = 1.0) -> tuple[int, int]:
    """The sum of count * unit * 2**-start * alpha**exponent over {(exponent, start): count}, as a fraction.

    >>> exact_sum({(-1, 0): 10}, 10.0)
    (10, 10)
    """
    if not terms:
        return 0, 1
    p, t = odd_part(alpha)
    lowest = min(0, *(exponent for exponent, _ in terms))
    shift = min(t * exponent - start for exponent, start in terms)
    numerator = sum(
        count * p ** (exponent - lowest) << (t * exponent - start - shift) for (exponent, start), count in terms.items()
    )
    above, below = unit.as_integer_ratio()
    return above * numerator << max(shift, 0), below * p**-lowest << max(-shift, 0)


class PowerTable:
    """unit * alpha**e for codes e + bias: filled in around e = 0 and extended on demand."""

    __slots__ = ("_odd", "_twos", "alpha", "bias", "bottom", "low", "power", "shift", "top", "unit", "units")

    def __init__(self, alpha: float, shift: int, bottom: int, top: int, unit: float = 1.0) -> None:
        """Powers for the exponents bottom .. top at least (so far as doubles hold them)."""
        self.alpha = alpha
        self.unit = unit
        self._odd, self._twos = odd_part(alpha)
        self.shift = shift  # bits of a code
        self.bias = bias_of(shift)
        # 8- and 16-bit codes index the table as they are, so that no code can be outside it; 32-bit ones from `low` on.
        wide = shift == 32
        self.low = self.bias + bottom if wide else 0
        size = top - bottom + 1 if wide else 2 * self.bias
        self.power = zeros("d", size)
        self.units = zeros("h", size)
        if not wide:
            self.power[0] = nan  # of an attribute that has not appeared: whoever adds it up will notice
        self.bottom = self.top = 0
        self.fill(bottom, top)

    def copy(self) -> PowerTable:
        """The same table, which can be extended without this one."""
        twin = object.__new__(PowerTable)
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.power, twin.units = zeros("d", len(self.power)), zeros("h", len(self.units))
        twin.power[:], twin.units[:] = self.power, self.units
        return twin

    def fill(self, bottom: int, top: int) -> None:
        """Fill in the exponents bottom .. top; below the smallest double 0.0 stands already.

        A unit is UNIT + the exponent of the lowest set bit of the power if a double holds that exactly, else 0.
        """
        odd, twos = odd_part(self.unit)
        exponents = range(bottom, top + 1)
        first = bisect_left(exponents, True, key=lambda exponent: self.value(exponent) > 0.0)
        last = bisect_left(exponents, True, key=lambda exponent: self.value(exponent) == inf)
        end = self.bias - self.low + top + 1
        self.power[end - len(exponents) + last : end] = array("d", [inf]) * (len(exponents) - last)
        self.units[end - len(exponents) + last : end] = array("h", [0]) * (len(exponents) - last)
        for exponent in exponents[first:last]:
            value, unit = self.value(exponent), self._twos * exponent + twos
            exact = self._odd == 1 or (0 <= exponent < 53 and odd * self._odd**exponent < 1 << 53)
            place = exponent + self.bias - self.low
            self.power[place] = value
            self.units[place] = kernel.UNIT + unit if exact and -1000 < unit < 1000 else 0
        self.bottom, self.top = bottom, top

    def value(self, exponent: int) -> float:
        if self._odd == 1:
            return _ldexp(self.unit, self._twos * exponent)
        try:
            return self.unit * self.alpha**exponent
        except OverflowError:
            return inf

    @property
    def frame(self) -> tuple[int, int, int, int, int]:
        """(BIAS, LOW, BOTTOM, TOP, SHIFT) as the kernel wants them."""
        bottom = -1 if self.value(self.bottom) == 0.0 else self.bottom + self.bias
        return self.bias, self.low, bottom, self.top + self.bias, self.shift


def _ldexp(unit: float, exponent: int) -> float:
    try:
        return ldexp(unit, exponent)
    except OverflowError:
        return inf
