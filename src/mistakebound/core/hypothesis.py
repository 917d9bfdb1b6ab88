"""A learner's current hypothesis as a value: the function that it would predict with at the next trial."""

from __future__ import annotations

from mistakebound.core.notebook import NotebookView
from mistakebound.core.protocol import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from mistakebound.core.rule import Rule, RuleList
    from mistakebound.kernels.call_lock import CallLock

    class Frozen(Protocol):
        """A learner that nobody teaches any more."""

        _lock: CallLock

        def predict_one(self, x: Any, names: Sequence[str] | None = None) -> Any: ...
        def score_one(self, x: Any, names: Sequence[str] | None = None) -> float: ...
        def _form(self) -> Any: ...
        def _in_words(self, terms: int) -> str: ...


class Hypothesis(NotebookView):
    """Call it on an instance, compare it, print it.  It does not change when the learner goes on learning.

    Where the learner says None because the negative class has no name yet, its value is 0 (False beside True).

    Two hypotheses are equal when they are the same function by their form: same threshold, same weights, whatever the
    names of the learners and the order in which they met their attributes.
    """

    __slots__ = ("_form", "_frozen")

    def __init__(self, frozen: Frozen) -> None:
        self._frozen = frozen
        self._form: Any = None

    def __call__(self, x: Any, names: Sequence[str] | None = None) -> Any:
        return counted(self._frozen, x, self._frozen.predict_one(x, names), names)

    def score(self, x: Any, names: Sequence[str] | None = None) -> float:
        return self._frozen.score_one(x, names)

    @property
    def form(self) -> Any:
        """What is compared: a value that is equal for equal functions."""
        if self._form is None:
            with self._frozen._lock.reading():
                self._form = self._frozen._form()
        return self._form

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hypothesis):
            return NotImplemented
        return bool(self.form == other.form)

    def __hash__(self) -> int:
        return hash(self.form)

    def text(self, terms: int = 10) -> str:
        """In words, with at most so many terms written out."""
        with self._frozen._lock.reading():
            return self._frozen._in_words(terms)

    def rule(self, terms: int = 10) -> Rule | RuleList | None:
        """A short rule of at most so many attributes that says what the weights say; None where they allow none.

        `mb.inspection.find_rule` looks for one on the rows of a stream and measures how often it agrees.
        """
        from mistakebound.core.rule_search import rule_by_weights  # with numpy

        return rule_by_weights(self._frozen, terms)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<hypothesis: {self.text()}>"
