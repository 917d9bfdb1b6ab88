"""The checks of learners of instances notice what they are there to notice."""

from __future__ import annotations

from typing import Any

import pytest

import mistakebound as mb
from mistakebound.checks import CheckFailed, check_learner


class Changing(mb.learners.FindS):
    """Predicting counts as a trial."""

    def predict_one(self, x: Any, names: Any = None) -> Any:
        self.trials += 1
        return super().predict_one(x, names)


class Opposite(mb.learners.RoteLearner):
    """Says the opposite of what it predicted."""

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Any = None) -> Any:
        said = super().learn_one(x, y, weight, names)
        return None if said is None else 1 - said


class Hurried(mb.learners.CandidateElimination):
    """Forgets negative rows of a table that come before the first positive one."""

    def _learn_rows(self, rows: Any, labels: Any, predictions: Any) -> None:
        super()._learn_rows(rows, labels, predictions)
        self._boundaries.deferred = {}


class Careless(mb.learners.FindS):
    """Takes any weight, and any value in place of one that is missing."""

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Any = None) -> Any:
        return super().learn_one(x, y, 1.0, names)


class Alive(mb.learners.CandidateElimination):
    """A hypothesis that goes on learning."""

    @property
    def hypothesis(self) -> Any:
        from mistakebound.core.hypothesis import Hypothesis

        return Hypothesis(self)


class Leaking(mb.learners.RoteLearner):
    """A copy shares its memory."""

    def copy(self) -> Any:
        other = super().copy()
        other._seen = self._seen
        return other


@pytest.mark.parametrize(
    ("learner", "check"),
    [
        (Changing, "answers_are_pure"), (Opposite, "answers_are_pure"), (Hurried, "tables_equal_one_by_one"),
        (Careless, "bad_concept_data_are_refused"), (Alive, "concept_stands_still"),
        (Leaking, "concepts_are_kept_whole"),
    ],
)  # fmt: skip
def test_a_bad_learner_is_found_out(learner: Any, check: str) -> None:
    with pytest.raises(CheckFailed, match=f"^{check}: {learner.__name__}"):
        check_learner(learner, only=[check])


def test_what_does_not_fit_is_not_asked() -> None:
    ran = check_learner(mb.learners.FindS)
    assert "bad_parameters_have_one_error_shape" in ran
    assert not {"forms_agree", "bad_rows_of_arrays_are_refused", "fit_returns_self"} & set(ran)
