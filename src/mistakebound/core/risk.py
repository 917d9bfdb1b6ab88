"""What a run says about new rows, if its rows are independent and from one distribution.

Then the probability of an error in trial t, given what came before, is the *risk* of the hypothesis before it: how
often it is wrong on new rows.  Two statements follow without holding rows back.  The hypotheses of the last part of a
run have a small risk on average; which part, the bound chooses.  And where hypotheses change in errors alone, each of
them is tested by the rows up to its first error, so that one of them can be chosen.  docs/theorems.md has the proofs.
"""

from __future__ import annotations

from bisect import bisect_right
from math import ceil, exp, log

from mistakebound.core.certificate import LEVEL, ConfidenceTheorem, certificate
from mistakebound.core.errors import BadParameter
from mistakebound.core.persistence import Constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from mistakebound.core.ledger import Ledger

_ALIKE = "the rows are independent and from one distribution"
_ONCE = "every trial is predicted before its label is used, in one pass"
SUFFIX_RISK = ConfidenceTheorem(
    "average risk of the last hypotheses of a run",
    source="Cesa-Bianchi, Conconi, Gentile 2004, Section II, with a start that is chosen; docs/theorems.md",
    statement="with probability >= level, for all T and all starts s = 0, 1, 2, 4, 8, ... at once: the hypotheses "
    "after trials s, ..., T - 1 have on average a risk of at most high",
    conditions=(_ONCE, _ALIKE),
)
CHOSEN_RISK = ConfidenceTheorem(
    "risk of a chosen hypothesis of a run",
    source="Cesa-Bianchi, Conconi, Gentile 2004, Section III; docs/theorems.md",
    statement="with probability >= level, for all T at once: every hypothesis that came after j errors and has "
    "predicted L rows without one has a risk of at most 1 - (alpha / ((j + 1) (j + 2)))^(1 / L)",
    conditions=(_ONCE, _ALIKE, "the hypothesis changes in trials with an error alone"),
)


class Risk(Constant):
    """Upper bounds for the risk of hypotheses of a run; both hold together with probability >= `level`.

    Attributes
    ----------
    level : float
    average : float
        The hypotheses after trials `start`, ..., T - 1 have at most this risk on average: so has one drawn at random.
    start : int
    chosen : float or None
        At most the risk of the hypothesis after trial `after`, the one with the smallest bound; None where hypotheses
        change in other trials than those with an error.
    after : int or None
    model : float or None
        The same of the last hypothesis, which the model is; 1.0 where it has not been tested yet.
    """

    __slots__ = ("after", "average", "chosen", "level", "model", "start")

    def __init__(
        self, level: float, average: float, start: int, chosen: float | None, after: int | None, model: float | None
    ) -> None:
        self.level = level
        self.average = average
        self.start = start
        self.chosen = chosen
        self.after = after
        self.model = model

    def __repr__(self) -> str:
        return f"Risk(average={self.average:.4g}, chosen={self.chosen}, model={self.model}, level={self.level:g})"

    def in_words(self) -> list[tuple[str, str]]:
        """Lines of a report."""
        level = f"({100 * self.level:g} %, if rows are independent and alike)"
        since = f" after trial {self.start:,}" if self.start else ""
        said = [("risk", f"at most {_percent(self.average)} on average of the hypotheses{since} {level}")]
        if self.chosen is not None and self.chosen < 1:
            of_model = (
                "" if self.chosen == self.model or self.model is None else f"; the model's {_percent(self.model)}"
            )
            said.append(
                ("chosen", f"the hypothesis after trial {self.after:,}: at most {_percent(self.chosen)}{of_model}")
            )
        return said

    def as_json(self) -> dict[str, Any]:
        said: dict[str, Any] = {
            "level": self.level,
            "average": {"high": self.average, "start": self.start, "theorem": SUFFIX_RISK.as_json()},
            "chosen": None,
            "model": self.model,
        }
        if self.chosen is not None:
            said["chosen"] = {"high": self.chosen, "after": self.after, "theorem": CHOSEN_RISK.as_json()}
        return said


def risk_of(ledger: Ledger, conservative: bool, level: float = LEVEL) -> Risk | None:
    """Bounds for the risk after a run; None after several passes, without trials, and where errors are not listed.

    Parameters
    ----------
    ledger : Ledger
        Of one pass over rows that are independent and from one distribution.
    conservative : bool
        Whether the hypothesis changes in trials with an error alone, as `learner.conservative` says.
    level : float, default 0.95
        The probability with which both statements hold, 0 < level < 1.

    Examples
    --------
    >>> import mistakebound as mb
    >>> X, y = [[1, 0], [0, 1]] * 500, [1, 0] * 500
    >>> model = mb.learn((X, y), learner="perceptron")
    >>> found = risk_of(model.ledger, model.learner.conservative)
    >>> model.ledger.mistakes, found.after, round(found.chosen, 4), found.chosen == found.model
    (2, 2, 0.0062, True)
    """
    if not 0 < level < 1:
        raise BadParameter(f"level must be between 0 and 1: {level!r}")
    if ledger.passes > 1 or not ledger.trials or ledger.since:
        return None
    errors = sorted([*ledger.mistake_trials, *ledger.abstention_trials])
    alpha = (1 - level) / 2 if conservative else 1 - level
    average, start = min(
        (certificate(len(errors) - bisect_right(errors, s), ledger.trials - s, 1 - share).high, s)
        for s, share in starts(ledger.trials, alpha)
    )
    if not conservative:
        return Risk(level, average, start, None, None, None)
    tested = survivors(errors, ledger.trials)
    bounds = [(survivor_bound(j, rows, alpha), after) for j, (after, rows) in enumerate(tested)]
    chosen, after = min(bounds)
    return Risk(level, average, start, chosen, after, bounds[-1][0])


def starts(trials: int, alpha: float) -> Iterable[tuple[int, float]]:
    """The trials behind which a part of the run may begin, each with its share of alpha.

    >>> [(s, round(1 / share)) for s, share in starts(5, 1.0)]
    [(0, 2), (1, 6), (2, 12), (4, 20)]
    """
    place, start = 0, 0
    while start < trials:
        yield start, alpha / ((place + 1) * (place + 2))
        place, start = place + 1, max(1, 2 * start)


def survivors(errors: list[int], trials: int) -> list[tuple[int, int]]:
    """Of each hypothesis of a run the trial after which it came, and how many rows it predicted without an error.

    >>> survivors([1, 4], 10)
    [(0, 0), (1, 2), (4, 6)]
    """
    ends = [*(trial - 1 for trial in errors), trials]
    return [(after, end - after) for after, end in zip([0, *errors], ends, strict=True)]


def survivor_bound(j: int, rows: int, alpha: float) -> float:
    """1 - (alpha / ((j + 1) (j + 2)))^(1 / rows)."""
    return 1 - exp(-log((j + 1) * (j + 2) / alpha) / rows) if rows else 1.0


def _percent(share: float) -> str:
    """Rounded upwards: no more is said than was proved."""
    digits = 2 if share < 0.0095 else 1 if share < 0.5 else 0
    return f"{min(100.0, ceil(100 * share * 10**digits) / 10**digits):.{digits}f} %"
