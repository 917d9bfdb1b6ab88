"""Instances drawn at random and labelled by a target: a concept, or one drawn from a class."""

from __future__ import annotations

import random
from math import log1p
from operator import index

from mistakebound.core.errors import BadParameter
from mistakebound.core.exact import fraction_of
from mistakebound.core.protocol import Teacher, Trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction
    from typing import Any, TypeAlias

    from mistakebound.concepts.concept import Concept, ConceptClass

    Real: TypeAlias = int | float | str | Decimal | Fraction


class RandomTarget(Teacher):
    """A teacher with random instances and a known target; the same seed gives the same trials.

    Every attribute is on with probability `density`, independently.

    Parameters
    ----------
    target : Concept, ConceptClass or str
        A concept or its text ("x3 | x17"), or a class to draw one from or its text ("monotone-disjunctions n=1000
        k=3").
    n : int
        Number of attributes; >= 1.
    trials : int or None, default None
        Number of trials; >= 0.  None: without end.
    density : number, default 0.1
        Probability that an attribute is on; > 0 and <= 1.  A text such as "1/10" is a number too.
    seed : int, default 0
        Seed of target, instances and noise.
    noise : number, default 0.0
        Probability that a label is flipped; between 0 and 1.

    Notes
    -----
    What is true of the target (n, k, r, ...) is handed to the learner's theorems by `facts()`, unless labels are noisy.

    Examples
    --------
    >>> teacher = RandomTarget("x3 | x17", n=20, trials=2, density=0.2, seed=1)
    >>> trial = teacher.next_trial()
    >>> teacher.label(trial, 0) == int("3" in trial.x or "17" in trial.x)
    True
    >>> teacher.facts()["k"]
    2
    """

    codes = True

    def __init__(
        self,
        target: Concept | ConceptClass | str,
        n: int,
        trials: int | None = None,
        density: Real = 0.1,
        seed: int = 0,
        noise: Real = 0.0,
    ) -> None:
        chance, flips = fraction_of(density), fraction_of(noise)
        if chance is None or not 0 < chance <= 1:
            raise BadParameter(f"density must be > 0 and <= 1: {density!r}")
        if flips is None or not 0 <= flips <= 1:
            raise BadParameter(f"noise must be >= 0 and <= 1: {noise!r}")
        self.seed = _whole("seed", seed)
        self.n = _whole("n", n, 1)
        self.target = _target(target, self.seed)
        self._trials = None if trials is None else _whole("trials", trials, 0)
        self._density = float(chance)
        self._noise = float(flips)
        self._random = random.Random(self.seed)
        self._check_target()

    def _check_target(self) -> None:
        from mistakebound.core.names import id_of

        for name in sorted(self.target.attributes):
            if not 1 <= id_of(name) <= self.n:
                raise BadParameter(f"target may use the attributes x1 to x{self.n} only: {name!r} is not one of them")

    def next_trial(self) -> Trial | None:
        if self._trials is not None:
            if self._trials == 0:
                return None
            self._trials -= 1
        return Trial(frozenset(self._draw()))

    def _draw(self) -> list[str]:
        """The active attributes: the gaps between them are geometric, so only they are drawn."""
        if self._density == 1:
            return [str(name) for name in range(1, self.n + 1)]
        names: list[str] = []
        scale, at = 1 / log1p(-self._density), 0
        while True:
            gap = log1p(-self._random.random()) * scale
            if gap > self.n:
                return names
            at += 1 + int(gap)
            if at > self.n:
                return names
            names.append(str(at))

    def label(self, trial: Trial, prediction: Any) -> int:
        label = self.target(trial.x)
        return 1 - label if self._noise and self._random.random() < self._noise else label

    def facts(self) -> dict[str, Any]:
        """What is true of the target, for the theorems; nothing when labels are noisy."""
        if self._noise:
            return {}
        from mistakebound.concepts.decision_lists import DecisionList
        from mistakebound.concepts.literal_sets import Conjunction, Disjunction
        from mistakebound.concepts.thresholds import RofKThreshold

        facts: dict[str, Any] = {"n": self.n}
        if isinstance(self.target, Disjunction) and all(literal.positive for literal in self.target.literals):
            facts |= {"k": len(self.target.literals), "r": 1}
        elif isinstance(self.target, RofKThreshold):
            facts |= {"k": len(self.target.attributes), "r": self.target.r}
        if isinstance(self.target, Conjunction):
            facts["literals"] = len(self.target.literals)
        if isinstance(self.target, DecisionList):
            facts["rules"] = len(self.target.rules) + 1
        return facts


def _whole(name: str, value: Any, least: int | None = None) -> int:
    whole = index(value) if hasattr(value, "__index__") and not isinstance(value, bool) else None
    if whole is None or (least is not None and whole < least):
        raise BadParameter(f"{name} must be a whole number{'' if least is None else f' >= {least}'}: {value!r}")
    return whole


def is_class(text: str) -> bool:
    """Whether a text is that of a class, not of a concept."""
    return "=" in text and not {*"<>"} & {*text}


def _target(target: Concept | ConceptClass | str, seed: int) -> Concept:
    from mistakebound.concepts import ConceptClass, parse, parse_class

    if isinstance(target, str):
        target = parse_class(target) if is_class(target) else parse(target)
    return target.sample(seed) if isinstance(target, ConceptClass) else target
