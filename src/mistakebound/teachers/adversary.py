"""Adversaries (row A1): teachers who choose instances and labels so that every prediction is a mistake.

What they say fits some concept of their class all the same; at the end they name it, and the game's ledger checks it.
"""

from __future__ import annotations

from abc import abstractmethod

from mistakebound.core.protocol import Teacher
from mistakebound.core.trial import Trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.concepts.concept import ConceptClass


class Adversary(Teacher):
    """Every label contradicts the prediction, for as long as `forces` trials."""

    codes = True
    concepts: ConceptClass
    forces: int  # mistakes of any deterministic learner

    def __init__(self) -> None:
        self.said: list[tuple[Any, int]] = []

    @abstractmethod
    def _choose(self) -> Any:
        """The next instance, or None when nothing more can be forced."""

    @abstractmethod
    def _commit(self, label: int) -> None:
        """The label that the instance just chosen has from now on."""

    @property
    @abstractmethod
    def target(self) -> Any:
        """A concept of the class that agrees with everything said so far."""

    def target_label(self, x: Any) -> int:
        """The label that the target gives an instance."""
        return int(self.target(x))

    def next_trial(self) -> Trial | None:
        x = self._choose()
        return None if x is None else Trial(x)

    def label(self, trial: Trial, prediction: Any) -> int:
        label = 0 if prediction == 1 else 1
        self._commit(label)
        self.said.append((trial.x, label))
        return label

    def facts(self) -> dict[str, Any]:
        """What is true of the target whatever it turns out to be, for the theorems."""
        n = getattr(self.concepts, "n", None)
        return {} if n is None else {"n": n}

    def in_class(self) -> bool:
        """Whether the target is a concept of the class."""
        return self.target in self.concepts

    def broken_word(self) -> str | None:
        """What of the things said the target does not agree with, in words; None: all is well."""
        if not self.in_class():
            return f"the adversary's target is not in its class {self.concepts}: {self.target}"
        for number, (x, label) in enumerate(self.said, 1):
            if self.target_label(x) != label:
                return f"the adversary said {label} in trial {number}, but its target {self.target} says otherwise"
        return None
