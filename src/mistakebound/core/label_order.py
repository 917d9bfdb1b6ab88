"""Labels that nobody declared: which of two is the positive one, and what is said about them."""

from __future__ import annotations

from mistakebound.core.errors import cut
from mistakebound.core.labels import Labels, meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

ROWS = 1000  # of a stream whose labels are looked at before the first trial
_SIDES = dict.fromkeys(("no", "n", "false", "f", "off"), 0) | dict.fromkeys(("yes", "y", "true", "t", "on"), 1)
_LONG = 40  # characters of a label that are written out


def in_order(labels: Sequence[Any]) -> list[Any]:
    """Two labels, the positive one last: numbers by value, no and false before yes and true, else by alphabet.

    >>> in_order(["Yes", "no"]), in_order(["10", "9"]), in_order(["spam", "Ham"]), in_order(["p", "0"])
    (['no', 'Yes'], ['9', '10'], ['Ham', 'spam'], ['0', 'p'])
    """
    sides = [side(label) for label in labels]
    if None not in sides and len({*sides}) == 2:
        return sorted(labels, key=lambda label: side(label) or 0)
    return sorted(labels, key=_place)


def side(label: Any) -> int | None:
    """1 for yes and true, 0 for no and false, in any case and by their first letter too; None for other labels."""
    return _SIDES.get(str(label).casefold())


def _place(label: Any) -> tuple[bool, float, str, str]:
    value = meaning(label)
    return (True, 0.0, value.casefold(), value) if isinstance(value, str) else (False, value, "", "")


def distinct(labels: Iterable[Any]) -> list[Any]:
    """One label of each meaning, as it was spelled first.

    >>> distinct(["+1", "1", "-1", "1.0"])
    ['+1', '-1']
    """
    found: dict[Any, Any] = {}
    for label in labels:
        found.setdefault(meaning(label), label)
    return list(found.values())


def adopt(labels: Labels, found: Sequence[Any], *, in_file: bool = True) -> None:
    """Tell a pair that is neither declared nor settled which labels its stream begins with: none, one or two.

    Of 0/1, -1/+1 and False/True trials say what the pair is, as always.  Of any other kind one label alone is the
    negative one, but yes the positive one.  From now on a second label may be any.

    >>> pair = Labels()
    >>> adopt(pair, ["spam", "ham"])
    >>> pair.values, pair.code_of_text("spam")
    (('ham', 'spam'), 1)
    >>> alone = Labels()
    >>> adopt(alone, ["yes"])
    >>> alone.code_of_text("maybe"), alone.values
    (0, ('maybe', 'yes'))
    """
    labels.open = True
    meanings = {meaning(label) for label in found}
    if meanings <= {0, 1} or meanings <= {-1, 1} or not labels.untouched:
        return
    if len(found) == 2:
        labels.take_up(dict(enumerate(in_order(found))), in_file=in_file)
    elif len(found) == 1:
        labels.take_up({side(found[0]) or 0: found[0]}, in_file=in_file)


def usual(labels: Any) -> bool:
    """Whether nothing had to be assumed of a pair: it was declared, or is 0/1, -1/+1 or False/True."""
    if labels.declared:
        return True
    named = {meaning(labels.name(code)) for code in (0, 1)} - {None}
    return named <= {0, 1} or named <= {-1, 1}


def pair_in_words(labels: Any) -> str:
    """What is said of a pair that was found.

    >>> pair = Labels()
    >>> adopt(pair, ["yes", "no"])
    >>> pair_in_words(pair)
    'labels: no, yes (positive: yes)'
    """
    if labels.settled:
        negative, positive = (cut(labels.text(code), _LONG) for code in (0, 1))
        return f"labels: {negative}, {positive} (positive: {positive})"
    code = 0 if labels.name(0) is not None else 1
    return f"labels: {cut(labels.text(code), _LONG)} ({'positive' if code else 'negative'}), and no other one so far"
