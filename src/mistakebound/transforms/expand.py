"""More attributes from the same ones: negated literals, conjunctions, and the reductions of row W4."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.core.front import check_new
from mistakebound.transforms.conjunctions import LIMIT, Conjunctions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def expand(
    learner: Any,
    cross: int = 1,
    *,
    negate: bool = False,
    n: int | None = None,
    limit: int = LIMIT,
    reduce: str | None = None,
    rules: int | None = None,
) -> Any:
    """A new learner like this one, on conjunctions of up to `cross` of the attributes that an instance has.

    With `negate` they are conjunctions of literals: an attribute that is absent makes its negation true.  That needs
    the number of attributes, n, which is the learner's own where it has one.  An instance that would make more than
    `limit` conjunctions true is bad data.  Where n is known the learner's own n becomes that of the conjunctions.

    reduce="conjunction": the learner, one of disjunctions, is told the complement of the label and so learns
    conjunctions of literals.  reduce="decision-list": Winnow2 on all literals with the separation that decision lists
    of at most `rules` rules have.

    >>> import mistakebound as mb
    >>> learner = mb.expand(mb.Winnow1(n=100, labels=(0, 1)), cross=2)
    >>> learner
    Winnow1(n=5050) over the 5,050 conjunctions of up to 2 of 100 attributes
    >>> [learner.learn_one({"free", "money"}, 1) for _ in range(13)][-1]
    1
    >>> learner.weight("free & money"), learner.predict_one({"free", "lunch"})
    (2048.0, 0)
    """
    check_new(learner)
    names = [parameter.name for parameter in learner.parameters]
    settings = dict(learner.settings)
    declared = settings.get("n")
    if n is not None and declared not in (None, n):
        raise BadParameter(f"n is declared as {declared} for this learner: {n!r}")
    n = n if declared is None else declared
    if reduce is not None:
        negate = True
        _check_reduction(learner, names, reduce, cross)
    elif rules is not None:
        raise BadParameter(f"rules must be left out without a reduction to decision lists: {rules!r}")
    if n is None and negate:
        how = "the learner's n (--set n=N)" if "n" in names else "n (--attributes N)"
        raise BadParameter(f"{how} must be given where attributes are negated, for those that have not appeared: None")
    if cross == 1 and not negate:
        raise BadParameter(f"cross must be at least 2 where nothing is negated, or all stays as it is: {cross!r}")
    front = Conjunctions(cross, negate, n, limit, reduce, rules)
    if "n" in names and n is not None:
        settings["n"] = front.total(n)
    if reduce == "decision-list" and settings["delta"] is None:
        settings |= {"delta": _delta(rules), "alpha": None if settings["alpha"] == 1.5 else settings["alpha"]}
    return front.stand_before(learner, **settings)


def _check_reduction(learner: Any, names: list[str], reduce: str, cross: int) -> None:
    if reduce == "conjunction" and not learner.disjunctive:
        raise BadParameter(
            f"conjunctions must be learned by a learner of disjunctions (winnow1, winnow2, disjunction-elimination): "
            f"{learner.name!r}"
        )
    if reduce == "decision-list" and not {"delta", "n"} <= set(names):
        raise BadParameter(f"decision lists must be learned by winnow2: {learner.name!r}")
    if reduce == "decision-list" and cross != 1:
        raise BadParameter(f"cross must be left out for decision lists, whose rules have one literal: {cross!r}")


def _delta(rules: int | None) -> float:
    if rules is None:
        raise BadParameter(
            "rules, the most that the decision list has, must be given (--assume rules=M), or the learner's delta: None"
        )
    from mistakebound.concepts.separated_lists import any_list

    return float(any_list(rules)[0])
