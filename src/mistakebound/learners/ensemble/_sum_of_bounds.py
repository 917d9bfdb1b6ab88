"""The bound of one against all: those of its base learners together (docs/theorems.md, One against all)."""

from __future__ import annotations

from mistakebound.core.theorem import Bound, Theorem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.sparse import SparseLearner


def _sum(name: str, what: str, *, expected: bool = False, hindsight: bool = False) -> Theorem:
    return Theorem(
        name,
        source="docs/theorems.md, One against all",
        statement=f"{what} <= the bounds of all base learners together + labels that were not declared",
        assumes=lambda f: f"for each label against all others, {f['_assumption']}",
        needs=("labels", "_bounds"),
        formula=lambda f: f["_bounds"] + f["labels"],
        expected=expected,
        hindsight=hindsight,
    )


SUM_OF_BOUNDS = _sum("the sum of the base learners' bounds", "mistakes")
SUM_IN_HINDSIGHT = _sum(SUM_OF_BOUNDS.name, "mistakes", hindsight=True)
SUM_IN_EXPECTATION = _sum("the sum of the base learners' expected mistakes", "expected mistakes", expected=True)
_LENGTHS = ("radius", "largest")  # facts of the rows on which a learner was wrong, of which a larger one will do too


def sum_of_bounds(bases: Sequence[SparseLearner], rest: SparseLearner, labels: int, told: dict[str, Any]) -> Bound:
    """The bounds of the base learners, each with its own facts and all that is told, and one for each of `labels`.

    Without any base learner the theorem is that of `rest`.
    """
    from mistakebound.core.plain_sum import plain_sum

    bounds = _bounds_of(bases or [rest], told)
    missing = next((bound for bound in bounds if bound.value is None), None)
    if missing is not None:
        return Bound(None, SUM_OF_BOUNDS, {}, failed=f"of a base learner, {missing.failed}")
    theirs = [bound.theorem for bound in bounds if bound.theorem is not None]
    drawn = any(theorem.expected for theorem in theirs)
    each = [bound.value if drawn else bound.mistakes for bound in bounds]
    facts = dict(told) | {
        "labels": labels,
        "_bounds": plain_sum(number or 0 for number in each) if bases else 0,
        "_assumption": max(bounds, key=lambda bound: bound.value or 0).assumption,
    }
    if drawn:
        return SUM_IN_EXPECTATION.bound(facts)
    return (SUM_IN_HINDSIGHT if any(theorem.hindsight for theorem in theirs) else SUM_OF_BOUNDS).bound(facts)


def _bounds_of(bases: Sequence[SparseLearner], told: dict[str, Any]) -> list[Bound]:
    """A base learner that was never wrong knows no length of rows: it takes the largest that another knows."""
    known = [base.facts() for base in bases]
    lengths = {name: max((facts[name] for facts in known if name in facts), default=None) for name in _LENGTHS}
    return [
        base.bound_since({n: length for n, length in lengths.items() if length and n not in facts}, told)
        for base, facts in zip(bases, known, strict=True)
    ]
