"""How good a run was, with a proof: an interval for its error that is valid at all times at once.

Let p_t be the probability, given all that came before trial t, that its label is not predicted.  The certificate is an
interval for the average of p_1, ..., p_T.  It needs no assumption about the rows: they may drift or be chosen by an
adversary.  docs/theorems.md has the proof.
"""

from __future__ import annotations

from math import ceil, exp, expm1, floor, inf, log, log1p

from mistakebound.core.errors import BadParameter
from mistakebound.core.persistence import Constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LEVEL = 0.95
_STEPS = 60  # halvings: as many as a double has digits to tell apart

# The prior over the bets: 2^3 = 8 down to 2^-17 in steps of half an octave, each with both signs; most of it where
# hundreds to millions of trials are decided, with long tails to both sides.
_HIGHEST, _LOWEST, _CENTRE, _SPREAD = 6, -34, -8.6, 4.0  # in half octaves
_PRIOR = [1 / (1 + ((step - _CENTRE) / _SPREAD) ** 2) for step in range(_LOWEST, _HIGHEST + 1)]
_BETS = [
    (sign * 2 ** (step / 2), expm1(sign * 2 ** (step / 2)), log(share / (2 * sum(_PRIOR))))
    for sign in (1, -1)
    for step, share in zip(range(_LOWEST, _HIGHEST + 1), _PRIOR, strict=True)
]


class ConfidenceTheorem(Constant):
    """A statement that holds with a probability of at least the level, with its conditions."""

    __slots__ = ("conditions", "name", "source", "statement")

    def __init__(self, name: str, *, source: str, statement: str, conditions: tuple[str, ...]) -> None:
        self.name = name
        self.source = source
        self.statement = statement
        self.conditions = conditions

    def __repr__(self) -> str:
        return f"ConfidenceTheorem({self.name!r}: {self.statement})"

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name, "source": self.source, "statement": self.statement, "conditions": list(self.conditions),
        }  # fmt: skip


AVERAGE_ERROR = ConfidenceTheorem(
    "time-uniform interval for the average error",
    source="Howard, Ramdas, McAuliffe, Sekhon 2021; docs/theorems.md",
    statement="with probability >= level, for all T at once: low_T <= (p_1 + ... + p_T) / T <= high_T, where p_t is "
    "the probability of an error in trial t given all that came before",
    conditions=("every trial is predicted before its label is used, in one pass",),
)


class Certificate(Constant):
    """An interval for the average probability of an error: `low` and `high`, at the confidence `level`.

    Examples
    --------
    >>> found = certificate(4689, 32561)
    >>> str(found), round(found.low, 4), round(found.high, 4)
    ('14.4 % ± 0.7 % (95 %)', 0.1378, 0.1504)
    >>> str(certificate(0, 100))
    'at most 6.8 % (95 %)'
    """

    __slots__ = ("errors", "high", "level", "low", "trials")

    def __init__(self, errors: int, trials: int, level: float, low: float, high: float) -> None:
        self.errors = errors
        self.trials = trials
        self.level = level
        self.low = low
        self.high = high

    def __str__(self) -> str:
        level = f"({100 * self.level:g} %)"
        if not self.errors:
            return f"at most {_percent(self.high, self.high, ceil)} {level}"
        share = self.errors / self.trials
        width = max(self.high - share, share - self.low)
        if self.errors == self.trials or self.low < 0.5 * share:  # far from symmetric
            return f"{_percent(self.low, width, floor)} to {_percent(self.high, width, ceil)} {level}"
        unit = 100 * 10 ** _digits(width)
        middle = round(share * unit) / unit  # as it is shown: from there both ends must be within reach
        reach = max(self.high - middle, middle - self.low)
        return f"{_percent(middle, width)} ± {_percent(reach, width, ceil)} {level}"

    def __repr__(self) -> str:
        return f"Certificate({self.low:.4g} .. {self.high:.4g}, level={self.level:g})"

    def as_json(self) -> dict[str, Any]:
        return {"low": self.low, "high": self.high, "level": self.level, "theorem": AVERAGE_ERROR.as_json()}


def certificate(errors: int, trials: int, level: float = LEVEL) -> Certificate:
    """The interval after so many errors in so many trials.

    Parameters
    ----------
    errors : trials in which the label was not predicted (mistakes and abstentions)
    trials : all trials
    level : the probability with which the intervals after 1, 2, 3, ... trials are right all together, 0 < level < 1
    """
    if not 0 < level < 1:
        raise BadParameter(f"level must be between 0 and 1: {level!r}")
    if not 0 <= errors <= trials:
        raise BadParameter(f"errors must be between 0 and the number of trials, {trials}: {errors!r}")
    if trials == 0:
        return Certificate(0, 0, level, 0.0, 1.0)
    limit, share = -log(1 - level), errors / trials
    low = 0.0 if errors == 0 else _edge(errors, trials, share, 0.0, limit)
    high = 1.0 if errors == trials else _edge(errors, trials, share, 1.0, limit)
    return Certificate(errors, trials, level, low, high)


def _edge(errors: int, trials: int, inside: float, outside: float, limit: float) -> float:
    """Where the wealth of who bets against an average reaches the limit, on the way from one average to another."""
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        if log_wealth(errors, trials, middle) < limit:
            inside = middle
        else:
            outside = middle
    return outside


def log_wealth(errors: int, trials: int, mean: float) -> float:
    """The logarithm of what is at least won by betting, from 1 on, against an average error of `mean`."""
    terms = []
    for bet, gain, share in _BETS:
        step = mean * gain
        terms.append(share + bet * errors - trials * log1p(step) if step > -1 else inf)
    most = max(terms)
    return most if most == inf else most + log(sum(exp(term - most) for term in terms))


def _percent(share: float, width: float, towards: Callable[[float], float] = round) -> str:
    """With so many digits as an interval of that width deserves; an end of an interval is rounded outwards."""
    digits = _digits(width)
    return f"{towards(100 * share * 10**digits) / 10**digits:.{digits}f} %"


def _digits(width: float) -> int:
    return 0 if width >= 0.095 else 1 if width >= 0.00095 else 2 if width >= 0.000095 else 3
