"""Any number of labels: each gets the next code, 0, 1, 2, ..., when it first appears or is declared."""

from __future__ import annotations

from math import isfinite

from mistakebound.core.atomic import commit
from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.core.fields import Fields, is_label, plain_value
from mistakebound.core.labels import meaning, spelling_of, value_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 65_535  # two bytes; each label has a learner of its own
_LISTED = 10  # labels in a message


class ManyLabels:
    """The labels of a learner of any number of classes; `Labels` are those of two.  Declared labels are all there are.

    >>> labels = ManyLabels()
    >>> [labels.code_of_text(text) for text in ("cat", "3", "cat", "+3")], labels.values
    ([0, 1, 0, 1], ('cat', 3))
    >>> ManyLabels(("a", "b", "c")).code("d")
    Traceback (most recent call last):
    mistakebound.core.errors.BadData: label 'd' is not one of those that were declared: a, b and c
    """

    __slots__ = ("_codes", "_spelling", "_values", "declared")
    sure = False  # as of `Labels`

    many = True
    code_type = "i"

    def __init__(self, declared: Any = None) -> None:
        self.declared = False
        self._values: list[Any] = []
        self._codes: dict[Any, int] = {}
        self._spelling: dict[int, str] = {}
        if declared is not None:
            self._declare(declared)

    def _declare(self, declared: Any) -> None:
        try:
            given = [] if isinstance(declared, str) else list(declared)
            if len(given) > MOST:
                raise BadParameter(f"labels must be at most {MOST:,}: {len(given):,}")
            for label in given:
                self.code(label)
        except (TypeError, BadData):
            given = []
        if len(given) < 2 or len(self._values) < len(given):
            raise BadParameter(f"labels must be a list of at least two different labels: {shown(declared)}")
        self.declared = True

    def reopen(self, spelling: dict[int, str]) -> None:
        """Let other labels follow those that were declared, which are spelled like this."""
        self.declared = False
        self._spelling = spelling

    @property
    def values(self) -> tuple[Any, ...]:
        """The labels as predictions come back, by their codes."""
        return tuple(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def settled(self) -> bool:
        return self.declared

    @property
    def spelled(self) -> bool:
        return self.declared and len(self._spelling) == len(self._values)

    def known(self, label: Any) -> int:
        """The code of a label that has appeared; -1 for any other value."""
        try:
            return self._codes.get(meaning(label), -1)
        except TypeError:
            return -1

    def code(self, label: Any) -> int:
        """The code of a label; a new one gets the next."""
        code = self.known(label)
        if code < 0:
            code, value = self._next(label)
            key = meaning(value)
            try:
                commit([(self._codes.__setitem__, key, code), (self._values.append, value)])
            except MemoryError:
                self._codes.pop(key, None)
                raise
        return code

    def code_ahead(self, label: Any) -> int:
        """As `code`, of a trial that has not taken place yet: enters nothing."""
        code = self.known(label)
        return self._next(label)[0] if code < 0 else code

    def _next(self, label: Any) -> tuple[int, Any]:
        """The code and the value of a new label."""
        value = plain_value(label)
        if not isinstance(value, (str, int)) and not (isinstance(value, float) and isfinite(value)):
            raise BadData(f"a label must be a text or a finite number: {value!r}")
        if self.declared:
            raise BadData(f"label {value!r} is not one of those that were declared: {listed(self)}")
        if len(self) == MOST:
            raise BadData(f"label {value!r} is one too many: at most {MOST:,} labels are supported")
        return len(self), value

    def code_of_text(self, text: str) -> int:
        """As `code`, for a label in a file: a number stays a number in predictions, and its spelling is kept."""
        code = self.code(value_of_text(text))
        self._spelling.setdefault(code, text)
        return code

    def codes_of(self, label: Any, prediction: Any) -> tuple[int, int]:
        """The codes of a label and of the prediction made for it; -1 for one that has not appeared."""
        return self.known(label), self.known(prediction)

    def name(self, code: int) -> Any:
        """The label that a code stands for; None for "don't know"."""
        return None if code < 0 else self._values[code]

    def text(self, code: int) -> str:
        """How the label is written in a file: as it first stood in one."""
        return self._spelling.get(code) or str(self._values[code])

    def forget(self, count: int) -> None:
        """Keep the first `count` labels only: the trials of the others were undone."""
        commit([
            (setattr, self, "_values", self._values[:count]),
            (setattr, self, "_codes", {key: code for key, code in self._codes.items() if code < count}),
            (setattr, self, "_spelling", {code: text for code, text in self._spelling.items() if code < count}),
        ])  # fmt: skip

    def copy(self) -> ManyLabels:
        labels = ManyLabels()
        labels.declared = self.declared
        labels._values, labels._codes, labels._spelling = [*self._values], {**self._codes}, {**self._spelling}
        return labels

    def state(self) -> dict[str, Any]:
        spelling = [self._spelling.get(code) for code in range(len(self))]
        return {"declared": self.declared, "values": list(self._values), "spelling": spelling}

    @classmethod
    def restore(cls, state: dict[str, Any]) -> ManyLabels:
        """ValueError for what `state` never gave."""
        labels, saved = cls(), Fields(state, "the labels")
        values = saved.values("values")
        if len(values) > MOST:
            raise ValueError(f"there are {len(values):,} labels, more than {MOST:,}")
        for value in values:
            if not is_label(value):
                raise ValueError(f"this is not a label: {shown(value)}")
            labels.code(value)
        if len(labels) < len(values):
            raise ValueError("a label appears twice")
        labels._spelling = spelling_of(saved, len(values))
        labels.declared = saved.flag("declared")
        return labels


def listed(labels: Any) -> str:
    """The labels in words, of many only the first.

    >>> listed(ManyLabels(("a", "b", "c")))
    'a, b and c'
    >>> listed(ManyLabels(range(300)))
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 290 more'
    """
    if not labels.many and not labels.settled:
        return "".join(labels.text(code) for code in (0, 1) if labels.named(code))  # the other one is a guess
    count = len(labels.values)
    texts = [labels.text(code) for code in range(min(count, _LISTED + 1))]
    if count > _LISTED + 1:
        texts[-1] = f"{count - _LISTED:,} more"
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if count > 1 else "".join(texts)
