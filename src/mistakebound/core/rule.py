"""Short rules: a few attributes that are counted, or a list that is gone down; what a person remembers of a model."""

from __future__ import annotations

from abc import ABC, abstractmethod

from mistakebound.core.instance import read_instance
from mistakebound.core.names import is_id, quote_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mistakebound.core.labels import Labels

_AND = " & "  # between the parts of a crossed attribute
_MARKS = frozenset("=<>")  # of an attribute that a column and a value make
_NOT_BARE = frozenset("'\"(),&|~ ")


class _Answers(ABC):
    """What both kinds of rule share: labels, and the answer for one instance."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels.values  # (negative, positive)
        self._texts = labels.text(0), labels.text(1)
        self.parts: Mapping[str, Sequence[tuple[str, bool]]] = {}  # of a conjunction: transforms/expanded.py

    @property
    @abstractmethod
    def attributes(self) -> tuple[str, ...]:
        """The names that the rule asks for, each once."""

    @abstractmethod
    def decide(self, on: Mapping[str, Any]) -> Any:
        """Whether the answer is the positive label; on[name] says whether an attribute is on, or an array of that."""

    def __call__(self, x: Any, names: Sequence[str] | None = None) -> Any:
        """The label that the rule gives an instance: a mapping, active names, a row of numbers."""
        active = set(read_instance(x, names).names)  # type: ignore[arg-type]
        on = {name: all((part in active) != off for part, off in self.parts_of(name)) for name in self.attributes}
        return self.labels[bool(self.decide(on))]

    def parts_of(self, name: str) -> Sequence[tuple[str, bool]]:
        """The attributes of an instance that a name asks for, and whether each is to be off."""
        return self.parts.get(name) or ((name, False),)

    @property
    def asked(self) -> tuple[str, ...]:
        """The attributes of an instance that the rule asks for, each once."""
        return tuple(dict.fromkeys(part for name in self.attributes for part, _ in self.parts_of(name)))

    def _name_text(self, name: str, called: Mapping[str, str] | None) -> str:
        """`called` says what to write for some of the attributes that a name asks for."""
        told = called or {}
        parts = [("NOT " if off else "") + (told.get(part) or show_name(part)) for part, off in self.parts_of(name)]
        return parts[0] if len(parts) == 1 else f"({_AND.join(parts)})"


class Rule(_Answers):
    """One label where at least `least` of `names` are on and none of `unless`, the other label elsewhere.

    >>> from mistakebound.core.labels import Labels
    >>> rule = Rule(Labels(("ham", "spam")), ("free", "txt"), 1, ("ok",))
    >>> print(rule)
    IF ('free' OR 'txt') AND NOT 'ok' THEN spam ELSE ham
    >>> rule({"free": 1}), rule({"free", "ok"})
    ('spam', 'ham')
    >>> print(Rule(Labels(), ("3", "5", "8"), 2, positive=False))
    IF at least 2 of x3, x5, x8 THEN 0 ELSE 1
    """

    def __init__(
        self,
        labels: Labels,
        names: Sequence[str],
        least: int,
        unless: Sequence[str] = (),
        *,
        positive: bool = True,
    ) -> None:
        super().__init__(labels)
        self.names = tuple(names)
        self.least = least
        self.unless = tuple(unless)
        self.positive = positive  # whether the first label that it names is the positive one

    def __len__(self) -> int:
        return len(self.names) + len(self.unless)

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.names + self.unless

    def decide(self, on: Mapping[str, Any]) -> Any:
        enough = sum((on[name] for name in self.names), start=0) >= self.least
        none = sum((on[name] for name in self.unless), start=0) == 0
        return (enough & none) == self.positive

    def text(self, called: Mapping[str, str] | None = None) -> str:
        """The rule in words; `called` says what to write for some of the attributes."""
        then, other = self._texts[self.positive], self._texts[not self.positive]
        condition = " AND ".join(filter(None, [self._counted(called), self._excluded(called)]))
        return (
            f"IF {condition} THEN {then} ELSE {other}" if condition else f"ALWAYS {then if not self.least else other}"
        )

    def _counted(self, called: Mapping[str, str] | None) -> str:
        names = [self._name_text(name, called) for name in self.names]
        if self.least in (1, len(names)) and names:
            said = (" OR " if self.least == 1 else " AND ").join(names)
            return f"({said})" if self.least == 1 < len(names) and self.unless else said
        return f"at least {self.least} of {', '.join(names)}" if names else ""

    def _excluded(self, called: Mapping[str, str] | None) -> str:
        names = [self._name_text(name, called) for name in self.unless]
        return "" if not names else f"NOT {names[0]}" if len(names) == 1 else f"NOT ({' OR '.join(names)})"

    def __str__(self) -> str:
        return self.text()

    def as_json(self, called: Mapping[str, str] | None = None) -> dict[str, Any]:
        return {
            "text": self.text(called),
            "at_least": self.least,
            "of": list(self.names),
            "unless": list(self.unless),
            "then": self.labels[self.positive],
            "else": self.labels[not self.positive],
        }


class RuleList(_Answers):
    """Literals in order, each with a label: the first that holds answers; where none does, the default.

    >>> from mistakebound.core.labels import Labels
    >>> rules = RuleList(Labels(), [("2", True, True), ("5", False, False)], True)
    >>> print(rules)
    IF x2 THEN 1 ELSE IF NOT x5 THEN 0 ELSE 1
    >>> rules({"2"}), rules(()), rules({"5"})
    (1, 0, 1)
    """

    def __init__(self, labels: Labels, steps: Sequence[tuple[str, bool, bool]], default: bool) -> None:
        super().__init__(labels)
        self.steps = tuple(steps)  # name, whether it must be on, whether the label is the positive one
        self.default = default

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def attributes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name, _, _ in self.steps))

    def decide(self, on: Mapping[str, Any]) -> Any:
        answer: Any = int(self.default)
        for name, wanted, positive in reversed(self.steps):
            holds = on[name] == wanted
            answer = holds * int(positive) + (1 - holds) * answer
        return answer == 1

    def text(self, called: Mapping[str, str] | None = None) -> str:
        parts = [
            f"IF {'' if wanted else 'NOT '}{self._name_text(name, called)} THEN {self._texts[positive]} ELSE "
            for name, wanted, positive in self.steps
        ]
        return "".join(parts) + self._texts[self.default] if parts else f"ALWAYS {self._texts[self.default]}"

    def __str__(self) -> str:
        return self.text()

    def as_json(self, called: Mapping[str, str] | None = None) -> dict[str, Any]:
        return {
            "text": self.text(called),
            "steps": [
                {"name": name, "on": wanted, "then": self.labels[positive]} for name, wanted, positive in self.steps
            ],
            "else": self.labels[self.default],
        }


def show_name(name: str) -> str:
    """A name as a rule has it: `x7` for an id, `colour=red` as it is, a word in quotes, a crossed one in brackets.

    >>> print(show_name("7"), show_name("colour=red"), show_name("free"), show_name("free & odor=n"))
    x7 colour=red 'free' ('free' & odor=n)
    """
    if is_id(name):
        return "x" + name
    parts = name.split(_AND)
    if len(parts) > 1 and all(parts):
        return f"({_AND.join(map(show_name, parts))})"
    bare = not _MARKS.isdisjoint(name) and name.isprintable() and _NOT_BARE.isdisjoint(name)
    return name if bare else quote_name(name)
