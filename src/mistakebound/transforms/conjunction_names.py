"""The names of conjunctions, worked out from their numbers: `x3 & ~free`, as a formula has it."""

from __future__ import annotations

from bisect import bisect_right

from mistakebound.core.errors import BadParameter
from mistakebound.core.names import Formula, attribute_order, write_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.transforms.expanded import Expanded

_UNSEEN = "unseen "


class ConjunctionNames:
    """Numbers <-> names of the conjunctions of some attributes, which become more and more."""

    def __init__(self, transform: Expanded) -> None:
        self._transform = transform
        self._made = transform.made
        self._known = -1, -1, -1
        self._parents: list[str] = []
        self._levels: list[list[int]] = []

    def _look(self, more: int = 0) -> None:
        """Follow the parents, so many more of which are at the door."""
        table = self._transform.attributes
        attributes = max(len(table) + more, (self._made.n or 0) * self._made.negate)
        now = len(table), attributes, table.generation
        if now != self._known:
            self._parents = table.names()
            self._levels = [self._made.sums(attributes, level) for level in range(self._made.cross + 1)]
            self._known = now  # last: whoever breaks in finds what was there before, or all of this

    def literals(self, key: int) -> list[tuple[int, bool]]:
        """(number of an attribute, whether it is negated) of each literal of a conjunction, the last one first."""
        level, found = self._made.cross, []
        while True:
            number = bisect_right(self._levels[level], key) - 1
            negated, key = divmod(key - self._levels[level][number], 1 + self._levels[level - 1][number])
            found.append((number, bool(negated)))
            if not key:
                return found
            key, level = key - 1, level - 1

    def parts(self, key: int, newcomers: Sequence[str] = ()) -> list[tuple[str, bool]]:
        """(attribute, whether it is negated) for each literal of a conjunction, in the canonical order of attributes.

        The newcomers are the next attributes that will appear.
        """
        self._look(len(newcomers))
        literals = [(self._parent(number, newcomers), negated) for number, negated in self.literals(key)]
        return sorted(literals, key=lambda literal: attribute_order(literal[0]))

    def name(self, key: int, newcomers: Sequence[str] = ()) -> str:
        literals = self.parts(key, newcomers)
        return Formula(" & ".join(("~" if negated else "") + write_name(name) for name, negated in literals))

    def _parent(self, number: int, newcomers: Sequence[str]) -> str:
        """An attribute that is still to come has no name yet."""
        if number < len(self._parents):
            return self._parents[number]
        which = number - len(self._parents)
        return newcomers[which] if which < len(newcomers) else self._unseen(which + 1)

    def every(self) -> list[str]:
        """The attributes whose literals there are, in order; those still to come by made-up names."""
        self._look()
        attributes = max(len(self._parents), (self._made.n or 0) * self._made.negate)
        return [self._parent(number, ()) for number in range(attributes)]

    def _unseen(self, which: int) -> str:
        name = f"{_UNSEEN}{which}"
        while name in self._transform.attributes:  # an attribute is really called that
            name += "'"
        return name

    def key(self, name: str) -> int:
        """The number of a conjunction that is written as a formula, or of one attribute by its name alone; else -1."""
        found = self._read(name)
        if found is None or len(found) > self._made.cross or len({number for number, _ in found}) < len(found):
            alone = self._number(name)
            if alone < 0:
                return -1
            found = [(alone, False)]
        level, key = self._made.cross, 0
        for number, negated in sorted(found, reverse=True):
            if negated and not self._made.negate:
                return -1
            key += self._levels[level][number] + negated * (1 + self._levels[level - 1][number])
            key, level = key + 1, level - 1
        return key - 1

    def _read(self, name: str) -> list[tuple[int, bool]] | None:
        from mistakebound.concepts.tokens import tokens

        try:
            words = tokens(name)
        except BadParameter:
            return None
        found, at = [], 0
        while True:
            negated = words[at].kind == "~"
            at += negated
            number = self._number(words[at].value) if words[at].kind == "name" else -1
            if number < 0:
                return None
            found.append((number, negated))
            at += 1
            if words[at].kind == "end":
                return found
            if words[at].kind != "&":
                return None
            at += 1

    def _number(self, parent: str) -> int:
        self._look()
        slot = self._transform.attributes.slot(parent)
        if slot >= 0:
            return self._transform.numbers()[slot] - 1
        which = parent.removeprefix(_UNSEEN).rstrip("'")
        if self._made.negate and parent.startswith(_UNSEEN) and which.isdecimal() and len(which) < 19:
            number = len(self._parents) + int(which) - 1
            if number < (self._made.n or 0) and parent == self._unseen(int(which)) and int(which):
                return number
        return -1
