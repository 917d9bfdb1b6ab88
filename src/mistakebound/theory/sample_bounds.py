"""How many examples are enough: Mitchell 1997, chapter 7; Ma 2019, section 6.

Three forms of one promise, "with probability 1 - delta the error is below epsilon":

  consistent  m >= (1/epsilon) (ln |H| + ln 1/delta)                        any consistent hypothesis of H
  agnostic    m >= (1/(2 epsilon^2)) (ln |H| + ln 1/delta)                  error above training error, any of H
  vc          m >= (1/epsilon) (8 VC log2(13/epsilon) + 4 log2(2/delta))    any consistent hypothesis of H

Each is solved for the one quantity that is not given.  A float stands for the decimal number that it prints as (0.1 is
1/10), and every comparison is made with as many digits as it takes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, TypeAlias

from mistakebound.concepts.class_text import parse_class
from mistakebound.concepts.concept import ConceptClass
from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.exact import fraction_of

Real: TypeAlias = int | float | str | Decimal | Fraction

FORMS = ("consistent", "agnostic", "vc")
_DIGITS = 40  # to begin with; doubled as long as two numbers cannot be told apart
_MOST_BITS = 14_000  # of a number that is written
_MOST_ATTRIBUTES = 100_000  # of a class that is counted
_LARGEST_POWER = 9_900  # of e: Python writes no whole number of more than 4,300 digits


def sample_size(
    hypotheses: int | ConceptClass | str | None = None,
    epsilon: Real | None = None,
    delta: Real | None = None,
    m: int | None = None,
    *,
    vc: int | None = None,
    form: str | None = None,
) -> int | float:
    """How many examples are enough for PAC learning; or, with m given, what m examples are enough for.

    Give all but one of the four quantities |H| (or the VC dimension), epsilon, delta and m; the fourth comes back.

    Parameters
    ----------
    hypotheses : int, ConceptClass, str or None, default None
        |H|, the number of hypotheses; or a class of concepts or its text, which is counted.
    epsilon : number or None, default None
        The error that is allowed; > 0 and < 1.
    delta : number or None, default None
        The probability that the promise may fail; > 0 and < 1.
    m : int or None, default None
        The number of examples; >= 0.
    vc : int or None, default None
        The VC dimension, in place of |H|, with form="vc".
    form : {"consistent", "agnostic", "vc"} or None, default None
        Which inequality.  None: "vc" where vc is given, else "consistent".

    Returns
    -------
    int or float
        The quantity that was not given: the smallest whole m, the smallest double epsilon or delta, the largest |H| or
        VC dimension.

    Notes
    -----
    With probability at least 1 - delta over m independent examples::

        consistent:  every consistent hypothesis has a true error < epsilon
                     if m >= (1/epsilon) * (ln|H| + ln(1/delta))
        agnostic:    every hypothesis has a true error <= its training error + epsilon
                     if m >= (1/(2*epsilon^2)) * (ln|H| + ln(1/delta))
        vc:          as consistent, if m >= (1/epsilon) * (8*VC*log2(13/epsilon) + 4*log2(2/delta))

    A float stands for the decimal number that it prints as, and comparisons are exact.

    References
    ----------
    Mitchell 1997, Machine Learning, sections 7.3 and 7.4.3.  Haussler 1988, Quantifying inductive bias.
    Blumer, Ehrenfeucht, Haussler and Warmuth 1989, Learnability and the Vapnik-Chervonenkis dimension.

    Examples
    --------
    >>> sample_size(3**10, 0.1, 0.05), sample_size(3**10, 0.1, 0.05, form="agnostic")
    (140, 700)
    >>> sample_size(vc=10, epsilon=0.1, delta=0.05)
    5831
    >>> sample_size(epsilon=0.1, delta=0.05, m=140), sample_size(epsilon=0.1, delta=0.05, m=5831, form="vc")
    (60130, 10)
    >>> round(sample_size(3**10, delta=0.05, m=140), 6), round(sample_size(3**10, epsilon=0.1, m=140), 6)
    (0.09987, 0.049101)
    """
    sample = Sample.checked(hypotheses, epsilon, delta, m, vc, form)
    return sample.solved()


def exhaustion_bound(hypotheses: int | ConceptClass | str, epsilon: Real, m: int) -> float:
    """A bound on the probability that m examples do not epsilon-exhaust the version space: min(1, |H| e^(-epsilon m)).

    Parameters
    ----------
    hypotheses : int, ConceptClass or str
        |H|, or a class of concepts or its text, which is counted.
    epsilon : number
        The error that is allowed; > 0 and < 1.
    m : int
        The number of independent examples; >= 0.

    Returns
    -------
    float

    References
    ----------
    Haussler 1988, Quantifying inductive bias.  Mitchell 1997, Machine Learning, section 7.3.1, Theorem 7.1.

    Examples
    --------
    >>> exhaustion_bound(3**10, 0.1, 10), round(exhaustion_bound(3**10, 0.1, 140), 6)
    (1.0, 0.049101)
    """
    known = Sample.checked(hypotheses, epsilon, None, m, None, "consistent").known
    with localcontext(_context(_DIGITS)):
        return float(min(Decimal(1), known["hypotheses"] * (-_decimal(known["epsilon"] * known["m"])).exp()))


@dataclass(repr=False, eq=False)
class Sample:
    """Three known quantities of one form, and which is wanted."""

    form: str
    known: dict[str, Any]
    wanted: str

    @classmethod
    def checked(cls, hypotheses: Any, epsilon: Any, delta: Any, m: Any, vc: Any, form: str | None) -> Sample:
        if form is None:
            form = "consistent" if vc is None else "vc"
        if form not in FORMS:
            raise BadParameter(f"form must be {', '.join(map(repr, FORMS[:-1]))} or {FORMS[-1]!r}: {form!r}")
        size, unused = ("vc", "hypotheses") if form == "vc" else ("hypotheses", "vc")
        given = {"hypotheses": hypotheses, "vc": vc, "epsilon": epsilon, "delta": delta, "m": m}
        superfluous = given.pop(unused)
        if superfluous is not None:
            raise BadParameter(f"the {form} form does not use {unused}: {superfluous!r}")
        missing = [name for name in (size, "epsilon", "delta", "m") if given[name] is None]
        if len(missing) != 1:
            lacking = f"missing: {', '.join(missing)}" if missing else "all four are given"
            raise BadParameter(f"give three of {size}, epsilon, delta and m, to compute the fourth: {lacking}")
        known = {name: _CHECKS[name](name, value) for name, value in given.items() if value is not None}
        return cls(form, known, missing[0])

    def solved(self) -> int | float:
        if self.wanted == "m":
            return self._examples()
        if self.wanted == "hypotheses":
            return self._hypotheses()
        if self.wanted == "vc":
            return self._dimension()
        return self._smallest_double()

    def needed(self, known: dict[str, Any]) -> Decimal:
        """The right side of the inequality, rounded to the digits of the context."""
        epsilon, delta = _decimal(known["epsilon"]), _decimal(known["delta"])
        if self.form == "vc":
            two = Decimal(2).ln()
            return (8 * Decimal(known["vc"]) * (13 / epsilon).ln() / two + 4 * (2 / delta).ln() / two) / epsilon
        both: Decimal = (Decimal(known["hypotheses"]) / delta).ln()
        return both / epsilon if self.form == "consistent" else both / (2 * epsilon * epsilon)

    def enough(self, known: dict[str, Any]) -> bool:
        """Whether m examples satisfy the inequality: decided with as many digits as that takes."""
        digits = _DIGITS
        while True:
            with localcontext(_context(digits)):
                needed, m = self.needed(known), Decimal(known["m"])
                margin = abs(needed).scaleb(10 - digits)
                if abs(needed - m) > margin:
                    return needed < m
            if self._equal(known):
                return True
            digits *= 2

    def _equal(self, known: dict[str, Any]) -> bool:
        """Whether both sides are the same number.  Logarithms of rationals are rational only where they are whole."""
        if self.form != "vc":
            return False  # ln of a rational number above 1 is transcendental, and m epsilon rational
        inside: Fraction = (13 / known["epsilon"]) ** (2 * known["vc"]) * (2 / known["delta"])
        power = inside.numerator.bit_length() - inside.denominator.bit_length()
        return inside == Fraction(2) ** power and Fraction(4 * power) == known["m"] * known["epsilon"]

    def _examples(self) -> int:
        with localcontext(_context(_DIGITS)):
            needed = self.needed(self.known)
        if needed.adjusted() >= 30:
            power = f"more than 10^{needed.adjusted()}"
            raise BadParameter(f"epsilon must be larger, or more examples are needed than can be counted: {power}")
        m = max(0, int(needed) - 1)
        while not self.enough(self.known | {"m": m}):
            m += 1
        return m

    def _hypotheses(self) -> int:
        """The largest |H| <= delta e^(epsilon m), or e^(2 epsilon^2 m)."""
        epsilon, m = self.known["epsilon"], self.known["m"]
        power = epsilon * m if self.form == "consistent" else 2 * epsilon * epsilon * m
        if power > _LARGEST_POWER:
            raise BadParameter(f"epsilon m must be at most {_LARGEST_POWER} to write |H| out: {float(power):g}")
        digits = _DIGITS + int(power / 2) - int(power / 16)
        while True:
            with localcontext(_context(digits)):
                largest = _decimal(self.known["delta"]) * _decimal(power).exp()
                margin = largest.scaleb(10 - digits)
                low, high = int(largest - margin), int(largest + margin)
            if low == high:  # e to a rational power is no whole number, so that this comes
                return self._some("hypotheses", low)
            digits *= 2

    def _dimension(self) -> int:
        def too_many(dimension: int) -> bool:
            return not self.enough(self.known | {"vc": dimension})

        if too_many(0):
            return self._some("vc", 0)
        high = 1
        while not too_many(high):
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if too_many(middle) else (middle, high)
        return low

    def _some(self, name: str, value: int) -> int:
        if value == 0:
            least = self.__class__(self.form, {**self.known, name: 1 if name == "hypotheses" else 0}, "m")
            del least.known["m"]
            raise BadParameter(f"m must be at least {least.solved()} to promise anything: {self.known['m']}")
        return value

    def _smallest_double(self) -> float:
        """The smallest double below 1 with which m is enough: more error or more risk needs fewer examples."""

        def satisfied(number: float) -> bool:
            return self.enough(self.known | {self.wanted: Fraction(repr(number))})

        low, high = _place(0.0), _place(1.0)
        if not satisfied(_double(high - 1)):
            raise BadParameter(f"m must be larger for any {self.wanted} < 1: {self.known['m']}")
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if satisfied(_double(middle)) else (middle, high)
        return _double(high)


def _place(number: float) -> int:
    """Doubles that are not negative, numbered in their order."""
    return int(struct.unpack("<q", struct.pack("<d", number))[0])


def _double(place: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", place))[0])


def _context(digits: int) -> Context:
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def exact_share(name: str, value: Any) -> Fraction:
    """A number strictly between 0 and 1, such as epsilon or delta, as a fraction."""
    share = fraction_of(value)
    if share is None or not 0 < share < 1:
        raise BadParameter(f"{name} must be a number > 0 and < 1: {value!r}")
    return share


def whole_number(name: str, value: Any, least: int = 0) -> int:
    """A count, as an int."""
    if isinstance(value, str):
        value = whole_of_text(name, value)
    try:
        whole = least - 1 if isinstance(value, bool) or int(value) != value else int(value)
    except (TypeError, ValueError, OverflowError):
        whole = least - 1
    if whole < least:
        raise BadParameter(f"{name} must be a whole number >= {least}: {value!r}")
    return whole


def _whole(least: int) -> Callable[[str, Any], int]:
    def check(name: str, value: Any) -> int:
        counted = value.count() if name == "hypotheses" and isinstance(value, ConceptClass) else value
        return whole_number(name, counted, least)

    return check


def whole_of_text(name: str, text: str) -> int:
    """A number, a power, or where hypotheses are counted the number of concepts of a class.

    >>> whole_of_text("m", "1e3"), whole_of_text("m", "3^4"), whole_of_text("hypotheses", "conjunctions n=4")
    (1000, 81, 81)
    """
    base, power, exponent = text.replace("**", "^").replace(",", "").replace("_", "").partition("^")
    number = fraction_of(base)
    if number is not None and number >= 0 and number.denominator == 1 and (not power or exponent.strip().isdecimal()):
        if (power and len(exponent) > 9) or int(exponent or 1) * number.numerator.bit_length() > _MOST_BITS:
            raise BadParameter(f"{name} must have at most 4,000 digits: {shown(text)}")
        return number.numerator ** int(exponent) if power else number.numerator
    if number is not None or "hypotheses" not in name:
        raise BadParameter(f"{name} must be a whole number: {text!r}")
    counted = parse_class(text)
    if counted.n > _MOST_ATTRIBUTES:
        raise BadParameter(f"a class must have n <= {_MOST_ATTRIBUTES:,} to be counted here: {text!r}")
    return counted.count()


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "hypotheses": _whole(1), "vc": _whole(0), "epsilon": exact_share, "delta": exact_share, "m": _whole(0)
}  # fmt: skip
