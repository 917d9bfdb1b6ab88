"""The rote learner: Ma 2019, section 2, inductive bias; Mitchell 1997, section 2.7.3."""

from __future__ import annotations

from array import array
from operator import setitem
from typing import TYPE_CHECKING, Any

from mistakebound.core.errors import NoConsistentHypothesis
from mistakebound.learners.version_space._learner import never_wrong
from mistakebound.learners.version_space._nominal import NominalLearner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.core.atomic import Change

ROTE = never_wrong(
    "rote learning",
    "CS3244 notes, section 2, inductive bias",
    "what was not seen is not answered",
    "the same instance always has the same label",
)


class RoteLearner(NominalLearner):
    """The rote learner: remembers every example and answers only what it has seen.

    It assumes nothing, and so learns nothing beyond the examples: the learner without an inductive bias.

    Parameters
    ----------
    attributes, missing, labels
        As of `FindS`.

    Notes
    -----
    Algorithm::

        for each trial (x, y):
            predict the label that x was seen with, or None ("don't know")
            remember (x, y)                 (x was seen with the other label: NoConsistentHypothesis)

    Theorem.  If the same instance always has the same label, mistakes <= 0.  A prediction of None is no mistake.

    References
    ----------
    Mitchell 1997, Machine Learning, section 2.7.3.  Ma 2019, CS3244 notes, section 2.

    Examples
    --------
    >>> learner = RoteLearner()
    >>> learner.learn_one({"sky": "sunny"}, 1), learner.predict_one({"sky": "sunny"}), learner.predict_one(["rainy"])
    (None, 1, None)
    >>> learner.learn_one(["sunny"], 0)
    Traceback (most recent call last):
    mistakebound.core.errors.NoConsistentHypothesis: the instance of trial 1 came again with the other label
    """

    name = "rote-learner"
    summary = "remembers examples and answers no others"
    hypothesis_class = "what was seen, by heart"
    search_order = "none"
    inductive_bias = "none"
    noise_effect = "contradicts itself"
    theorems = (ROTE,)

    def _start(self) -> None:
        self._seen: dict[tuple[int, ...], tuple[int, int]] = {}  # instance -> label, trial

    @property
    def seen(self) -> int:
        """How many different instances it remembers."""
        return len(self._seen)

    def _answer(self, codes: Sequence[int]) -> int | None:
        found = self._seen.get(tuple(codes))
        return None if found is None else found[0]

    def _learn(self, codes: tuple[int, ...], label: int) -> list[Change]:
        known = self._seen.get(codes)
        if known is None:
            return [(setitem, self._seen, codes, (label, self.trials + 1))]
        if known[0] != label:
            raise NoConsistentHypothesis(f"the instance of trial {known[1]} came again with the other label")
        return []

    def _arrays(self) -> dict[str, Any]:
        return {
            "instances": array("H", [code for codes in self._seen for code in codes]),
            "labels": array("B", [label for label, _ in self._seen.values()]),
            "trials": array("q", [trial for _, trial in self._seen.values()]),
        }

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        super()._restore_state(arrays, state)
        width, labels, trials = len(self._numbers), arrays["labels"].tolist(), arrays["trials"].tolist()
        flat = arrays["instances"].tolist()
        if len(flat) != width * len(labels) or len(trials) != len(labels) or not {*labels} <= {0, 1}:
            raise ValueError("the examples are not rows with a label each")
        rows = [self._check_codes(flat[start : start + width]) for start in range(0, len(flat), width or 1)]
        self._seen = {codes: (label, trial) for codes, label, trial in zip(rows, labels, trials, strict=True)}
        if len(self._seen) < len(labels):
            raise ValueError("an example appears twice")

    def _reason(self, said: int | None) -> str:
        return "it was seen with that label" if said is not None else "it was not seen"

    def _form(self) -> Any:
        values = [list(known) for known in self._numbers.values()]
        return self.name, frozenset(
            (tuple(values[j][code] for j, code in enumerate(codes)), label) for codes, (label, _) in self._seen.items()
        )

    def _in_words(self, terms: int) -> str:
        positive = sum(label for label, _ in self._seen.values())
        return f"{len(self._seen):,} examples by heart, {positive:,} of them positive"
