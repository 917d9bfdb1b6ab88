"""Labels that nobody declared: which of two is positive, and the learner for those that a stream begins with."""

from __future__ import annotations

from itertools import islice
from math import isfinite

from mistakebound.core.block import locate
from mistakebound.core.block_labels import ROWS, label_of, next_third, part_of
from mistakebound.core.errors import BadData, BadParameter, cut, shown
from mistakebound.core.fields import plain_value
from mistakebound.core.labels import Labels, meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from mistakebound.core.block import Block

_SIDES = dict.fromkeys(("no", "n", "false", "f", "off"), 0) | dict.fromkeys(("yes", "y", "true", "t", "on"), 1)
_LONG = 40  # characters of a label that are written out
_CLASSES = 20  # so many different decimal numbers are measurements
_NUMBERS = 100  # so many different whole numbers may be


def asks_labels(learner: Any) -> bool:
    """Whether a learner is one of two labels that nobody has named yet."""
    labels = learner.labels
    return labels is not None and not learner.many_classes and not labels.declared and not labels.settled


def first_labels(y: Any) -> list[Any]:
    """Those of the first rows; who learns y says what is wrong with it."""
    if not hasattr(y, "__len__") or isinstance(y, (str, bytes)):
        return []
    found = map(plain_value, islice(iter(y), ROWS))
    return [y for y in found if isinstance(y, (str, int)) or (isinstance(y, float) and isfinite(y))]


def refuse_measurements(labels: Sequence[Any], where: str) -> None:
    """BadData for labels that are real numbers rather than classes."""
    if len(labels) > _CLASSES and any(isinstance(meaning(label), float) for label in labels):
        raise BadData(
            f"regression is not supported: the label has more than {_CLASSES} different values, decimal numbers among "
            f"them ({shown(labels[0])}, {shown(labels[1])}, ...); cut it into classes, or --label names another column",
            source=where or None,
        )


def with_labels(
    learner: Any,
    found: Sequence[Any],
    *,
    in_file: bool = True,
    where: str = "",
    keep: bool = False,
    lighter: tuple[int, Callable[[], Any]] | None = None,
) -> Any:
    """The learner for the labels that were found: itself, which is told of them, or one-vs-all over it.

    Parameters
    ----------
    found : the labels of the first rows, in the order of their appearance
    in_file : whether the labels are the texts of a file
    where : the file, for an error
    keep : whether no other learner may take the place of this one
    lighter : above so many labels one-vs-all is over the learner that the function makes
    """
    labels = distinct(found)
    refuse_measurements(labels, where)
    if len(labels) > 2:
        if keep:
            raise BadParameter(f"{learner!r} does not support more than two labels; use mb.OneVsAll(base)")
        return one_vs_all(lighter[1]() if lighter is not None and len(labels) > lighter[0] else learner)
    adopt(learner.labels, labels, in_file=in_file)
    return learner


def play_widening(
    learner: Any, block: Block, play: Callable[[Any, Block], bool], widen: Callable[[Block, int], Any]
) -> tuple[Any, bool]:
    """Play a block of a file, and from a third label that nobody declared on with the learner that `widen` gives.

    `widen` is called with the block and the row of that label; None is no other learner.  What comes back is the
    learner to go on with, and whether `play` said that the play is over.
    """
    third = next_third(block, learner.labels)
    if third and play(learner, part_of(block, 0, third)):
        return learner, True
    if third == block.rows:
        return learner, False
    rest, wider = part_of(block, third, block.rows), widen(block, third)
    if wider is not None:
        learner, rest.known = wider, None  # attributes were looked up in the table of another learner
    return learner, play(learner, rest)


def one_vs_all(base: Any, labels: Sequence[Any] | None = None, pair: Labels | None = None) -> Any:
    """The learner of any number of labels that has one like `base`, a new one of two, for each.

    Parameters
    ----------
    base : a learner of two labels, whose settings are taken (of one of many labels: itself is what comes back)
    labels : all that there are, where they are declared
    pair : the labels that have appeared so far, where others may follow

    >>> import mistakebound as mb
    >>> one_vs_all(mb.Perceptron(eta=0.5))
    OneVsAll(base='perceptron(eta=0.5)')
    """
    if base.many_classes:
        return base
    from mistakebound.learners.ensemble.one_vs_all import OneVsAll

    costs = base.costs
    if costs:
        base = base.like()
        base.costs = {}
    if pair is None or not pair.settled:
        return OneVsAll(base, labels, costs)
    learner = OneVsAll(base, pair.values, costs)
    learner.labels.reopen(pair.spelling)
    return learner


def third_in_words(base: str, block: Block, row: int, find: Callable[[Any], object] | None) -> str:
    """What is said of a third label in the middle of a stream; `find` says where a row of another order stood."""
    place = BadData("")
    locate(place, block, row)
    if find is not None:
        find(place)
    at, label = f"{place.source}:{place.line}", shown(label_of(block, row))
    return f"labels: {label} in {at} is a third label, so one-vs-all over {base} from there on"


def many_in_words(base: str, found: Sequence[Any]) -> str:
    """What is said of more than two labels."""
    several = distinct(found)
    alike = len({str(label).casefold() for label in several}) < len(several)
    said = f"labels: {len(several):,}{' (some differ only in case)' * alike}, so one-vs-all over {base}"
    if len(several) > _NUMBERS and all(isinstance(meaning(label), int) for label in several):
        said += "; regression is not supported: cut measurements into classes"
    return said


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
    return f"labels: only {cut(labels.text(code), _LONG)} so far ({'positive' if code else 'negative'})"
