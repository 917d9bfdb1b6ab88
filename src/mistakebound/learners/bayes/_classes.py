"""The classes of naive Bayes: their order, how many examples each has had, and P(class)."""

from __future__ import annotations

from math import inf, isfinite, log

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.core.foreign import plain_value
from mistakebound.core.plain_sum import plain_sum
from mistakebound.learners.bayes._cells import Cells
from mistakebound.learners.bayes._class_prior import UNIFORM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.learners.bayes._cells import Floats


def label_key(label: Any) -> tuple[bool, Any]:
    """The order of classes: numbers by value, then texts."""
    return isinstance(label, str), label


class Classes:
    """Numbers by value, then texts; new ones take their place among the others, unless `prior` has given them all."""

    def __init__(self, how: str, prior: dict[Any, float] | None) -> None:
        self._how = how
        self._prior = prior
        self._name(tuple(sorted(prior or (), key=label_key)))
        self.counts: Floats = np.zeros(len(self.labels))

    def _name(self, labels: tuple[Any, ...]) -> None:
        self.labels = labels
        self.codes = {label: code for code, label in enumerate(labels)}

    def code(self, label: Any) -> int | None:
        """The number of a class, None for a new one; BadData for what can be no label."""
        try:
            code = self.codes.get(label)
        except TypeError:
            raise BadData(f"a label must be a single value: {type(label).__name__}") from None
        if code is None:
            plain = plain_value(label)
            if not isinstance(plain, (str, bool, int, float)) or (isinstance(plain, float) and not isfinite(plain)):
                raise BadData(f"a label must be a text, a number or a truth value: {plain!r}")
            if self._prior is not None:
                known = ", ".join(map(repr, self.labels))
                raise BadData(f"label {plain!r} has no probability in class_prior: {known} have")
        return code

    def add(self, label: Any) -> int:
        """Enter a class that `code` has found to be new; its number."""
        plain = plain_value(label)
        place = sum(label_key(known) < label_key(plain) for known in self.labels)
        self.counts = np.insert(self.counts, place, 0.0)
        self._name((*self.labels[:place], plain, *self.labels[place:]))
        return place

    def detached(self) -> Classes:
        """The same classes, which can be changed without these."""
        twin = object.__new__(Classes)
        twin.__dict__ |= self.__dict__
        twin.counts = self.counts.copy()
        return twin

    def log_priors(self) -> list[float]:
        """The log of P(class), by class."""
        if not self.labels:
            return []
        if self._prior is not None:
            priors = [self._prior[label] for label in self.labels]
        elif self._how == UNIFORM:
            priors = [1 / len(self.labels)] * len(self.labels)
        else:
            counts = self.counts.tolist()
            total = plain_sum(counts)
            priors = [count / total for count in counts]
        return [log(prior) if prior > 0 else -inf for prior in priors]

    def restore(self, labels: Sequence[Any], counts: Any) -> None:
        """From a model file; ValueError when they are not in order, or not those of the prior."""
        if list(labels) != sorted(labels, key=label_key) or (self._prior is not None and {*self._prior} != {*labels}):
            raise ValueError("the classes are not in order, or not those of class_prior")
        self._name(tuple(labels))
        self.counts = Cells.restore(counts, 1, len(self.labels)).counts[0].copy()
        if self.labels and not 0 < sum(self.counts.tolist()) < inf:
            raise ValueError("the examples of the classes are none, or too many to be added up")
