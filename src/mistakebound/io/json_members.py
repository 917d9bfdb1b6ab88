"""What the members of JSON objects are by the first rows: the label, ids, dates, and numbers that are written as texts.

The evidence is that of tables (table_window.py), as far as JSON does not say it by itself.
"""

from __future__ import annotations

from itertools import pairwise

from mistakebound.core.errors import BadParameter, shown
from mistakebound.io.json_chunk import LEFT_OUT, NUMERIC, number_of
from mistakebound.io.moments import MOMENT, ORDERS, order_of, parts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import Any

ROWS = 1000  # that are looked at
_ENOUGH = 50  # values, from which on ids are told from values
_NEW = 0.9  # of them are new
_FIRST = 20  # that may all be dates
_MOST_LABELS = 20  # of a member that is not called as labels are
_MISSING = ("", "?")
_KINDS = (LEFT_OUT, NUMERIC, *(f"{MOMENT}:{order}" for order in ORDERS))


class MemberEvidence:
    """Takes objects in their order, and says what their members are.  Those in lists say nothing."""

    __slots__ = ("_is_dropped", "_values", "rows")

    def __init__(self, is_dropped: Callable[[str], bool]) -> None:
        self._is_dropped = is_dropped
        self._values: dict[str, list[Any]] = {}
        self.rows = 0

    def add(self, row: dict[str, Any]) -> None:
        self._add(row, "")
        self.rows += 1

    def _add(self, row: dict[str, Any], outer: str) -> None:
        for key, value in row.items():
            name = outer + key
            if self._is_dropped(name):
                continue
            if isinstance(value, dict):
                self._add(value, f"{name}.")
                continue
            text = value.strip() if isinstance(value, str) else value
            if text is not None and text not in _MISSING:
                self._values.setdefault(name, []).append(text)

    def names(self) -> list[str]:
        return [*self._values]

    def label(self, name: str | None) -> str | None:
        """The member, if it may be a label: texts, truth values or whole numbers in every row, and few different."""
        values = self._values.get(name or "", [])
        if len(values) < self.rows or not all(isinstance(value, (str, bool, int)) for value in values):
            return None
        different = len({str(value) for value in values})
        return name if different <= 2 or different <= min(_MOST_LABELS, len(values) // 2) else None

    def kinds(self, decided: Container[str | None]) -> tuple[dict[str, str], list[str]]:
        """What members are that are not what they look like, and a sentence about each."""
        untyped = all(isinstance(value, str) for values in self._values.values() for value in values)
        found, said = {}, []
        for name, values in self._values.items():
            if name in decided:
                continue
            kind, why = _kind(values, untyped)
            if kind is not None:
                found[name] = kind
                said.append(_said(name, kind, why))
        return found, said


def _kind(values: list[Any], untyped: bool) -> tuple[str | None, str]:
    """What values are if not what they look like, and why."""
    if all(type(value) in (int, float) for value in values):
        up = all(one < two for one, two in pairwise(values))
        whole = len(values) >= _ENOUGH and up and all(value == int(value) for value in values)
        return (LEFT_OUT, "it counts up") if whole else (None, "")
    if not all(isinstance(value, str) for value in values):
        return None, ""
    if order_of(values[:_FIRST]) and (order := order_of(values)) is not None:
        return f"{MOMENT}:{order}", ""
    numbers = [number_of(value) for value in values] if untyped else [None]
    if None not in numbers and not any(_is_code(value) for value in values):
        return _kind(numbers, untyped) if _kind(numbers, untyped)[0] else (NUMERIC, values[0])
    if len(values) >= _ENOUGH and len(set(values)) > _NEW * len(values):
        return LEFT_OUT, "nearly every value is new"
    return None, ""


def _is_code(text: str) -> bool:
    """Digits with a leading zero."""
    return text.lstrip("+-")[:1] == "0" and text.lstrip("+-")[1:2].isdigit()


def _said(name: str, kind: str, why: str) -> str:
    if kind == LEFT_OUT:
        return f"left out: {name!r}: {why} (--keep takes it)"
    if kind == NUMERIC:
        return f"numbers: {name!r}, as in {why!r} (--nominal takes texts)"
    return f"dates: {name!r} makes {', '.join(parts_of(kind.partition(':')[2]))} (--nominal takes the text)"


def check_members(members: Any) -> dict[str, str]:
    """BadParameter for kinds of members that there are not: they may come from a model file."""
    if not isinstance(members, dict) or not all(kind in _KINDS for kind in members.values()):
        raise BadParameter(f"members must say what each member is: {shown(members)}")
    return members
