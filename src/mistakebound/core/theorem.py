"""Theorems as data: a source, conditions, a formula; and the bound that one gives for the facts at hand."""

from __future__ import annotations

from math import floor, inf, isfinite

from mistakebound.core.facts import brief
from mistakebound.core.notebook import NotebookView
from mistakebound.core.persistence import Constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    Assumption: TypeAlias = str | Callable[[Mapping[str, Any]], str]


_TARGET = "the target is a "
_SLACK = 1e-9  # relative; formulas are a few roundings of logarithms and powers


class Condition(Constant):
    """Something that must hold for a theorem to say anything: in words, and as a test of the facts."""

    __slots__ = ("needs", "test", "text")

    def __init__(self, text: str, needs: tuple[str, ...], test: Callable[[Mapping[str, Any]], bool]) -> None:
        self.text = text
        self.needs = needs
        self.test = test


class Theorem(NotebookView, Constant):
    """A mistake bound with its conditions, as data.

    Parameters
    ----------
    name : str
        What it is called.
    source : str
        Author, year, theorem.
    statement : str
        The inequality in words.
    assumes : str or function of (facts)
        What is supposed about the target, a text with places for the facts: what more mistakes than the bound refute.
    needs : tuple of str
        The facts that the formula uses.  Those that the learner does not know must be told (`learner.bound(k=5)`);
        those with an underscore are worked out from the others.
    formula : function of (facts)
        The bound.
    conditions : tuple of Condition, default ()
        What must hold for the theorem to say anything.
    expected : bool, default False
        The formula bounds the expected number of mistakes, over the learner's own draws.
    hindsight : bool, default False
        The formula uses what was learned up to now: it may fall as play goes on, below 0 too, where what was learned
        refutes by itself.
    refutes : str or function of (facts), default ""
        What is known once the assumption is refuted ("no disjunction of ... explains these labels").

    Examples
    --------
    >>> import mistakebound as mb
    >>> mb.Winnow1.theorems[0]
    Theorem('Theorem 7': mistakes <= alpha*k*(log_alpha(theta) + 1) + n/theta)
    """

    __slots__ = (
        "assumes", "conditions", "expected", "formula", "hindsight", "name", "needs", "refutes", "source", "statement",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        *,
        source: str,
        statement: str,
        assumes: Assumption,
        needs: tuple[str, ...],
        formula: Callable[[Mapping[str, Any]], float],
        conditions: tuple[Condition, ...] = (),
        expected: bool = False,
        hindsight: bool = False,
        refutes: Assumption = "",
    ) -> None:
        self.name = name
        self.source = source
        self.statement = statement
        self.assumes = assumes
        self.needs = needs
        self.conditions = conditions
        self.formula = formula
        self.expected = expected
        self.hindsight = hindsight
        self.refutes = refutes

    def __repr__(self) -> str:
        return f"Theorem({self.name!r}: {self.statement})"

    def failing(self, facts: Mapping[str, Any]) -> str | None:
        """The first thing that keeps the theorem from applying, in words; None when nothing does."""
        missing = [need for need in self.needs if facts.get(need) is None]
        if missing and self.hindsight and not _open(missing):
            return "it depends on the updates, and no update was made yet"
        if missing:
            return f"{' and '.join(_open(missing)) or 'more'} must be given"
        for condition in self.conditions:
            absent = [need for need in condition.needs if facts.get(need) is None]
            if absent:
                return f"{' and '.join(_open(absent)) or 'more'} must be given for: {condition.text}"
            if not condition.test(facts):
                values = ", ".join(f"{need} = {brief(facts[need])}" for need in _open(condition.needs))
                return f"{condition.text} fails" + (f" ({values})" if values else "")
        return None

    def bound(self, facts: Mapping[str, Any]) -> Bound:
        failed = self.failing(facts)
        if failed is not None:
            return Bound(None, self, {}, failed=f"{self.name}: {failed}")
        used = {need: facts[need] for need in self.needs}
        assumption = self.assumption(facts)
        refutation = _fill(self.refutes, facts)
        try:
            value = float(self.formula(facts))
        except (ArithmeticError, ValueError):  # such as 1/margin for a margin of 0
            value = inf
        if not isfinite(value):
            return Bound(None, self, used, failed=f"{self.name}: the formula gives no finite number here")
        return Bound(value, self, used, assumption=assumption, refutation=refutation)

    def assumption(self, facts: Mapping[str, Any]) -> str:
        """What is supposed about the target, with the numbers filled in."""
        return _fill(self.assumes, facts)


class Bound(NotebookView):
    """What a theorem allows: a number and the theorem, or why no theorem applies.

    Parameters
    ----------
    value : float or None
        The bound; `mistakes` is its whole part.  None: no theorem applies.
    theorem : Theorem or None
        Which one.
    facts : mapping
        What the formula was given.
    failed : str or None, default None
        Why there is no bound.
    assumption, refutation : str, default ""
        What is supposed about the target, and what more mistakes would show.

    Examples
    --------
    >>> Bound(None, None, {}, failed="k must be given")
    Bound(none: k must be given)
    >>> import mistakebound as mb
    >>> mb.Winnow1(n=1000).bound(k=5).mistakes
    110
    """

    __slots__ = ("_assumption", "facts", "failed", "refutation", "theorem", "value")

    def __init__(
        self,
        value: float | None,
        theorem: Theorem | None,
        facts: dict[str, Any],
        failed: str | None = None,
        assumption: str = "",
        refutation: str = "",
    ) -> None:
        self.value = value
        self.theorem = theorem
        self.facts = facts
        self.failed = failed
        self._assumption = assumption
        self.refutation = (
            refutation or f"this refutes the assumption that {assumption}"
        )  # what more mistakes than this have shown

    @property
    def assumption(self) -> str:
        """What is supposed about the target, in words; in other words, other things are refuted."""
        return self._assumption

    @assumption.setter
    def assumption(self, text: str) -> None:
        self._assumption = text
        named = text.removeprefix(_TARGET)
        none = f"no {named.replace('k = ', '')} explains these labels"
        self.refutation = none if named != text else f"this refutes the assumption that {text}"

    @property
    def mistakes(self) -> int | None:
        """The largest whole number of mistakes that the bound allows.

        The value is a rounded one: 3 ** 2 may come out as 8.999999999999998, and the ninth mistake refutes nothing.
        """
        return None if self.value is None else floor(self.value + _SLACK * max(1.0, self.value))

    @property
    def allowance(self) -> str:
        """`mistakes` in words."""
        if self.mistakes is None or self.mistakes >= 0:
            return f"{self.mistakes}"
        return "none with so many updates"

    def allows(self, mistakes: int) -> bool:
        return self.mistakes is not None and mistakes <= self.mistakes

    def __float__(self) -> float:
        if self.value is None:
            raise ValueError(self.failed)
        return self.value

    def __ge__(self, mistakes: float) -> bool:
        """mistakes <= bound, written as it is read."""
        return float(self) >= mistakes

    def __gt__(self, mistakes: float) -> bool:
        return float(self) > mistakes

    def __le__(self, mistakes: float) -> bool:
        return float(self) <= mistakes

    def __lt__(self, mistakes: float) -> bool:
        return float(self) < mistakes

    def __repr__(self) -> str:
        if self.value is None or self.theorem is None:
            return f"Bound(none: {self.failed})"
        facts = ", ".join(f"{name} = {brief(self.facts[name])}" for name in _open(self.facts))
        return f"Bound({self.value:g} by {self.theorem.name}; {facts})"

    def as_json(self) -> dict[str, Any] | None:
        """The theorem behind the number, for machines."""
        if self.theorem is None or self.value is None:
            return None
        facts = {name: self.facts[name] for name in _open(self.facts)}
        return {
            "name": self.theorem.name, "source": self.theorem.source, "statement": self.theorem.statement,
            "facts": facts, "assumes": self.assumption,
        }  # fmt: skip


class Lemma(Constant):
    """A step of a proof, as a check that can run after every mistake.

    `holds(learner, u, v, facts)` sees the learner, the promotions u and the demotions or eliminations v so far.  It
    is asked only where `when(facts)`.  `sides` of the same gives the two numbers that it compares, the smaller one
    first, where it is such a comparison.  A lemma with `assumes` needs facts about the target, and refutes them when it
    fails; one without can only fail by an error in the program.
    """

    __slots__ = ("assumes", "holds", "name", "needs", "sides", "source", "statement", "when")

    def __init__(
        self,
        name: str,
        *,
        source: str,
        statement: str,
        holds: Callable[[Any, int, int, Mapping[str, Any]], bool],
        when: Callable[[Mapping[str, Any]], bool] = lambda facts: True,
        needs: tuple[str, ...] = (),
        assumes: Assumption = "",
        sides: Callable[[Any, int, int, Mapping[str, Any]], tuple[float, float]] | None = None,
    ) -> None:
        self.name = name
        self.source = source
        self.statement = statement
        self.holds = holds
        self.sides = sides
        self.when = when
        self.needs = needs
        self.assumes = assumes

    def assumption(self, facts: Mapping[str, Any]) -> str:
        """What is refuted when the lemma fails; empty where nothing is assumed."""
        return _fill(self.assumes, facts)

    def applies(self, facts: Mapping[str, Any]) -> bool:
        return all(facts.get(need) is not None for need in self.needs) and self.when(facts)

    def __repr__(self) -> str:
        return f"Lemma({self.name!r}: {self.statement})"


def best_bound(theorems: tuple[Theorem, ...], facts: Mapping[str, Any]) -> Bound:
    """The smallest bound that applies; if none does, what keeps each theorem from applying."""
    best: Bound | None = None
    reasons: dict[str, list[str]] = {}
    for theorem in theorems:
        reason = theorem.failing(facts)
        bound = None if reason is not None else theorem.bound(facts)
        if bound is None or bound.value is None:
            reasons.setdefault(reason or "no finite number", []).append(theorem.name)
        elif best is None or bound.value < float(best):
            best = bound
    if best is not None:
        return best
    failed = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in reasons.items())
    return Bound(None, None, {}, failed=failed or "no theorem is known for this learner")


def _open(names: Iterable[str]) -> list[str]:
    """Facts that a person told or can tell; those with an underscore are worked out from them."""
    return [name for name in names if not name.startswith("_")]


def _fill(assumes: Assumption, facts: Mapping[str, Any]) -> str:
    if callable(assumes):
        return assumes(facts)
    return assumes.format(**{name: brief(value) for name, value in facts.items()})
