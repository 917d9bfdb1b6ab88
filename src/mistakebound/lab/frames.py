"""One trial of a game as the page shows it: instance, answer, weights, ledger, bound, certificate and verdict."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mistakebound.arena.play import play
from mistakebound.core.certificate import certificate
from mistakebound.core.errors import BadParameter, shown
from mistakebound.lab.request import finite
from mistakebound.learners.finite.version_space_learner import VersionSpaceLearner
from mistakebound.report.ledger_text import bound_in_words

if TYPE_CHECKING:
    from mistakebound.core.ledger import Ledger
    from mistakebound.core.protocol import Teacher

_WORDS = 240  # characters of a hypothesis
_interval = lru_cache(maxsize=1 << 14)(certificate)  # of so many mistakes in so many trials: many games have the same


class Table:
    """A learner, a teacher and their ledger, one trial at a time; every number is the library's."""

    def __init__(self, learner: Any, teacher: Teacher, facts: dict[str, Any], n: int | None) -> None:
        self.learner, self.teacher, self.facts, self.n = learner, teacher, facts, n
        self.ledger: Ledger | None = None

    def trial(self) -> dict[str, Any] | None:
        """Play one; None when the teacher has no more, or the labels fit no concept."""
        before = 0 if self.ledger is None else self.ledger.trials
        if self.ledger is not None and self.ledger.inconsistency is not None:
            return None
        shown_x: list[Any] = []
        self.ledger = play(
            self.learner, self.teacher, 1, assume=self.facts, lemmas=False, trace=True, ledger=self.ledger,
            watch=lambda trial, label, prediction, ledger: shown_x.append(trial.x),
        )  # fmt: skip
        if not shown_x or (self.ledger.trials == before and self.ledger.inconsistency is None):
            return None
        return frame(self.learner, self.ledger, shown_x[0], self.n)


def frame(learner: Any, ledger: Ledger, x: Any, n: int | None) -> dict[str, Any]:
    """The last trial of a ledger that keeps a trace."""
    traced = ledger.trace.trials[-1]
    bound, found = ledger.bound, _interval(ledger.mistakes + ledger.abstentions, ledger.trials)
    return {
        "trial": ledger.trials,
        "x": instance_list(x, n),
        "prediction": traced.prediction,
        "label": traced.label,
        "mistake": traced.mistake,
        "mistakes": ledger.mistakes,
        "weights": weights_of(learner, n),
        "theta": finite(learner.theta) if weighs(learner) else None,
        "hypothesis": _cut(traced.after),
        "changed": traced.after != traced.before,
        "lemmas": [
            {"name": lemma.name, "left": finite(lemma.left), "right": finite(lemma.right)} for lemma in traced.lemmas
        ],
        "left": learner.size if isinstance(learner, VersionSpaceLearner) else None,
        "bound": None if bound is None else bound.mistakes,
        "bound_words": bound_in_words(bound, ledger),
        "verdict": ledger.verdict.kind,
        "verdict_words": str(ledger.verdict),
        "refuted_at": ledger.refuted_at,
        "certificate": [found.low, found.high],
    }


def weighs(learner: Any) -> bool:
    return bool(learner.readable == "weights")


def weights_of(learner: Any, n: int | None) -> list[float | None] | None:
    """The weight of each of n attributes, or None where there are no weights to show."""
    if n is None or not weighs(learner):
        return None
    return [finite(learner.weight(str(j))) for j in range(1, n + 1)]


def instance_list(x: Any, n: int | None) -> list[int]:
    """An instance as a row: the bits of n attributes, or the point alone."""
    if isinstance(x, (set, frozenset)):
        return [int(str(j) in x) for j in range(1, (n or 0) + 1)]
    return [int(value) for value in x] if isinstance(x, (tuple, list)) else [int(x)]


def read_instance(given: Any, domain: Any) -> Any:
    """The instance of a finite class that a message names."""
    if not isinstance(given, list) or not all(type(value) is int for value in given):
        raise BadParameter(f"x must be a list of whole numbers: {shown(given)}")
    x = tuple(given)
    if x not in domain:
        raise BadParameter(f"x must be an instance of the class: {shown(given)}")
    return x


def _cut(text: str) -> str:
    return text if len(text) <= _WORDS else text[: _WORDS - 1] + "…"
