"""What a network would say, as a value."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.learners.network._dense_model import DenseModel


class DenseHypothesis:
    """Call it on an instance, compare it, print it.  It does not change when the learner goes on learning."""

    __slots__ = ("_frozen",)

    def __init__(self, frozen: DenseModel) -> None:
        self._frozen = frozen

    def __call__(self, x: Any) -> Any:
        return self._frozen.predict_one(x)

    def score(self, x: Any) -> float:
        return self._frozen.score_one(x)

    @property
    def form(self) -> Any:
        """Equal for the same weights between the same units."""
        return self._frozen._form()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DenseHypothesis):
            return NotImplemented
        return bool(self.form == other.form)

    def __hash__(self) -> int:
        return hash(self.form)

    def __str__(self) -> str:
        return self._frozen._in_words()

    def __repr__(self) -> str:
        return f"<hypothesis: {self}>"
