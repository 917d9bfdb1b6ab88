"""The hypothesis of a learner of disjunctions that is told the complement of the label: a conjunction, in words."""

from __future__ import annotations

from mistakebound.core.names import is_numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OTHERWISE = {">": "<=", ">=": "<"}


def negated(name: str) -> str:
    """The negation of a literal or of a conjunction of literals.

    >>> negated("~x3"), negated("free"), negated("x1 & ~'a & b'")
    ('x3', '~free', "(~x1 | 'a & b')")
    """
    literals = _literals(name)
    turned = [literal[1:] if literal.startswith("~") else "~" + literal for literal in literals]
    return turned[0] if len(turned) == 1 else f"({' | '.join(turned)})"


def _literals(name: str) -> list[str]:
    """Of a conjunction as `ConjunctionNames` writes it; there may be anything within quotes."""
    found, quoted, at = [""], False, 0
    while at < len(name):
        if not quoted and name.startswith(" & ", at):
            found.append("")
            at += 3
            continue
        if name[at] == "\\" and quoted:
            found[-1] += name[at]
            at += 1
        elif name[at] == "'":
            quoted = not quoted
        found[-1] += name[at]
        at += 1
    return found


def conjunction_in_words(learner: Any, terms: int) -> str:
    """Positive when no literal of the disjunction inside holds; or, for weights, when not enough of them do."""
    if not learner.multiplicative:
        left = sorted([negated(name) for name in learner.remaining()], key=_order)
        unseen = learner.settings["n"] is None or len(learner.attributes) < learner.settings["n"]
        shown = left[:terms] + ([f"{len(left) - terms:,} more"] if len(left) > terms else [])
        return " & ".join([*shown, *([f"no {learner.unit} not seen yet"] if unseen else [])]) or "true"
    rule, theta = learner.settings["rule"], learner.theta
    weights = learner.weights()
    enough = {name for name, weight in weights.items() if weight > theta or (weight == theta and rule == ">=")}
    others = {name: weight for name, weight in weights.items() if name not in enough and weight}
    unseen = 0 if learner.n is None else learner.n - len(learner.attributes)
    most = _largest_sum(others) + unseen * learner.first_start
    decisive = sorted([negated(name) for name in enough], key=_order)
    shown = decisive[:terms] + ([f"{len(decisive) - terms:,} more literals"] if len(decisive) > terms else [])
    if most < theta or (most == theta and rule == ">") or not (others or unseen):
        return " & ".join(shown) or "true"
    return " & ".join(
        [*shown, f"({_sum(others, terms, _unseen_words(learner) if unseen else '')} {_OTHERWISE[rule]} {theta:g})"]
    )


def _order(literal: str) -> tuple[int, int, str]:
    """The canonical order of the attributes, of which an id is written x3."""
    name = literal.lstrip("(~")
    return (0, int(name[1:]), "") if is_numbered(name) else (1, 0, name)


def _largest_sum(weights: dict[str, float]) -> float:
    """What these can add up to: of a literal and its negation only one holds."""
    total = 0.0
    for name, weight in weights.items():
        other = weights.get(negated(name), 0.0)
        total += max(weight, other) / (1 if not other else 2)
    return total


def _unseen_words(learner: Any) -> str:
    factor = "" if learner.first_start == 1.0 else f"{learner.first_start:.7g} for "
    return f"{factor}each {learner.unit} not seen yet"


def _sum(weights: dict[str, float], terms: int, unseen: str) -> str:
    largest = sorted(weights.items(), key=lambda pair: -pair[1])
    parts = [name if weight == 1.0 else f"{weight:.7g}*{name}" for name, weight in largest[:terms] if " & " not in name]
    parts += [f"{weight:.7g}*({name})" for name, weight in largest[:terms] if " & " in name]
    if len(largest) > terms:
        parts.append(f"{len(largest) - terms:,} smaller terms")
    if unseen:
        parts.append(unseen)
    return " + ".join(parts)
