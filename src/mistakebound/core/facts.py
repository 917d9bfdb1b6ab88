"""Facts that may be told to a theorem: what each can be at all, and how they must fit together.

Whoever is told facts (`bound`, `mb.play`, `mb.compare`, `--assume`, a model file) has them checked here.
"""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.core.params import Parameter, number_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

_NAMES = "relevant"  # the one fact that is a list of names
_TRUTHS = ("bool", "bool_")  # Python's and NumPy's: no numbers here
_NEAR = 1 + 1e-9  # lengths and margins are rounded

_COUNTS = {"k": 0, "m": 0, "n": 0, "r": 1, "literals": 0, "rules": 0, "questions": 0, "noisy": 0}  # with the least
FACTS = {name: Parameter(name, "integer", at_least=least) for name, least in _COUNTS.items()} | {
    "delta": Parameter("delta", "number", above=0, at_most=1),
    "weight_ratio": Parameter("weight_ratio", "number", at_least=1),
}  # every other fact is a number >= 0


class Relation:
    """Something that must hold between facts for them to be possible at all: in words, and as a test.

    It is tested where all of `needs` were told or declared and one of them was told; `more` may have been told too.
    """

    __slots__ = ("more", "needs", "test", "text")

    def __init__(
        self,
        text: str,
        needs: tuple[str, ...],
        test: Callable[[Mapping[str, Any]], bool],
        more: tuple[str, ...] = (),
    ) -> None:
        self.text = text
        self.needs = needs
        self.test = test
        self.more = more

    def check(self, told: Mapping[str, Any], declared: Mapping[str, Any]) -> None:
        known = {**declared, **told}
        if any(known.get(need) is None for need in self.needs) or not any(need in told for need in self.needs):
            return
        if not self.test(known):
            shown = [name for name in (*self.needs, *self.more) if name in told or name in FACTS]
            values = ", ".join(f"{name} = {brief(known[name])}" for name in shown if name in known)
            raise BadParameter(f"{self.text}: {values}")


def at_most(name: str, other: str) -> Relation:
    return Relation(f"{name} must be at most {other}", (name, other), lambda f: f[name] <= f[other] * _NEAR)


MARGIN_AND_RADIUS = at_most("margin", "radius")  # |u.x| <= |u||x|, and u is a unit vector
RADIUS_AND_BIAS = Relation(
    "radius must be at least 1, because the bias extends every instance by a 1",
    ("radius", "bias"),
    lambda f: f["radius"] * _NEAR >= float(bool(f["bias"])),
)
SHORTEST_AND_RADIUS = at_most("shortest", "radius")
K_AND_N = at_most("k", "n")
R_AND_K = at_most("r", "k")
LITERALS_AND_N = at_most("literals", "n")  # more would contradict each other
RULES_AND_N = Relation("rules must be at most n + 1", ("rules", "n"), lambda f: f["rules"] <= f["n"] + 1)
SOME_RULE = Relation("rules must be at least 1, for the default", ("rules",), lambda f: f["rules"] >= 1)
RELEVANT_AND_K = Relation("relevant must be at most k names", ("relevant", "k"), lambda f: len(f["relevant"]) <= f["k"])
RELEVANT_AND_N = Relation("relevant must be at most n names", ("relevant", "n"), lambda f: len(f["relevant"]) <= f["n"])


def check_fact(name: str, value: Any) -> Any:
    """A fact about the target or the stream, by itself: a finite number in its range (or a text of one), or names.

    >>> check_fact("k", 3.0), check_fact("relevant", ["b", "a"])
    (3, ('a', 'b'))
    >>> check_fact("delta", 2)
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: delta must be a number > 0 and <= 1: 2
    """
    if name == _NAMES:
        if isinstance(value, (list, tuple, set, frozenset)) and all(isinstance(entry, str) for entry in value):
            return tuple(sorted(set(value)))
        raise BadParameter(f"{name} must be a list of attribute names: {value!r}")
    declared = FACTS.get(name) or Parameter(name, "number", at_least=0)
    given = number_in(value) if isinstance(value, str) else value
    try:
        number = declared.check(None if hasattr(given, "__len__") or type(given).__name__ in _TRUTHS else given)
    except BadParameter:
        raise BadParameter(f"{name} must be {declared.rule}: {value!r}") from None
    return int(number) if float(number).is_integer() else number


def check_facts(
    who: str,
    told: Mapping[str, Any],
    known: Iterable[str],
    relations: Iterable[Relation],
    declared: Mapping[str, Any],
) -> dict[str, Any]:
    """What was told to a learner, checked; `known` are the facts that it can use, `declared` what it was made with."""
    names = list(known)
    facts = {}
    for name, value in told.items():
        if name not in names:
            raise BadParameter(f"{name} is not a fact that {who} can use; known facts: {', '.join(names) or 'none'}")
        facts[name] = check_fact(name, value)
    n = declared.get("n")
    if n is not None and facts.get("n", n) != n:
        raise BadParameter(f"n must be {n}, as this learner declares: {facts['n']!r}")
    for relation in relations:
        relation.check(facts, declared)
    return facts


def brief(value: Any) -> str:
    """A fact in a message."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value[:5])) + (", ..." if len(value) > 5 else "")
    return f"{value:g}" if isinstance(value, float) else str(value)
