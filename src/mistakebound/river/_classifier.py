"""River's verbs on top of a learner."""

from __future__ import annotations

from array import array
from math import fsum
from typing import Any

from river import base

from mistakebound.core.calibration import CalibrationTable
from mistakebound.core.errors import BadData
from mistakebound.learners.ensemble.one_vs_all import OneVsAll


class RiverClassifier(base.Classifier):  # type: ignore[misc]
    """A classifier made of a learner; `mistakebound.river` makes one class of it for each.

    True and False are told apart by the learner itself, labels of any other kind by one-vs-all over it.
    """

    _kind: Any  # the class of the learner
    learner: Any = None  # from the first label on
    _base: Any = None  # one like that of each label, which learns nothing
    _tables: Any = None  # of each label: how often it was right, by the score that it had before

    @property
    def _multiclass(self) -> bool:
        return True

    @classmethod
    def _unit_test_params(cls) -> Any:
        yield {}

    def _parameters(self) -> dict[str, Any]:
        return {parameter.name: getattr(self, parameter.name) for parameter in self._kind.parameters}

    def _begin(self, y: Any) -> None:
        self._base, self._tables = self._kind(**self._parameters()), {}
        self.learner = self._kind(**self._parameters(), labels=(False, True)) if _is_bool(y) else OneVsAll(self._base)

    def learn_one(self, x: dict[Any, Any], y: Any, **kwargs: Any) -> None:
        """Learn one example.

        Parameters
        ----------
        x : dict
            Features by name: numbers, truth values, or texts, each of which is a feature of its own.
        y : label
        w : float, optional
            The weight of the example, where the learner supports weights.
        """
        if self.learner is None:
            self._begin(y)
        if _is_bool(y):
            y = bool(y)
        elif not self.learner.ensemble:
            raise BadData(f"label {y!r} after True and False: labels must be of one kind")
        weight = {"weight": float(kwargs["w"])} if "w" in kwargs else {}
        instance = self._instance(x)
        scores = {} if self._kind.probabilities else self._scores(instance)
        self.learner.learn_one(instance, y, **weight)
        for label, score in scores.items():
            table = self._tables.setdefault(label, CalibrationTable())
            table.count(array("d", (score,)), array("b", (bool(label == y),)), 0, 1, self._theta())

    def predict_one(self, x: dict[Any, Any], **kwargs: Any) -> Any:
        """The label predicted for one example; None before the first was learned.

        Parameters
        ----------
        x : dict

        Returns
        -------
        label or None
        """
        return None if self.learner is None else self.learner.predict_one(self._instance(x))

    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, float]:
        """The probability of each label; of more than two what is said of each, divided by the sum.

        Where the learner has scores alone, it is the share of the label among the examples so far that had such a
        score before their label was learned, so the most probable label need not be that of `predict_one`.

        Parameters
        ----------
        x : dict

        Returns
        -------
        dict
            Empty before the first example was learned.
        """
        learner, instance = self.learner, self._instance(x)
        if learner is None:
            return {}
        if not learner.ensemble and self._kind.probabilities:
            return dict(learner.predict_proba_one(instance))
        shares = {label: self._share(label, score) for label, score in self._scores(instance).items()}
        if not learner.ensemble:
            return {False: 1.0 - shares[True], True: shares[True]}
        whole = fsum(shares.values())
        return {label: share / whole for label, share in shares.items()}

    def _scores(self, instance: dict[str, float]) -> dict[Any, float]:
        """The score of each label; of True and False that of True alone."""
        if not self.learner.ensemble:
            return {True: self.learner.score_one(instance)}
        return {label: score for label, score, _ in self.learner.scores_of_labels(instance)}

    def _share(self, label: Any, score: float) -> float:
        if self._kind.probabilities:
            return float(self._base.score_probabilities(array("d", (score,)))[0])
        table = self._tables.get(label) or CalibrationTable()
        return float(table.probabilities((score,), self._theta())[0])

    def _theta(self) -> float:
        """The score above which a label is predicted."""
        return float(self.learner.base_threshold if self.learner.ensemble else self.learner.decision[1])

    def _instance(self, x: dict[Any, Any]) -> dict[str, float]:
        found = {}
        for name, value in x.items():
            if isinstance(value, str):
                found[f"{name}={value}"] = 1.0
            elif value is not None:
                number = float(value)
                if self._kind.binary:
                    if number > 0:
                        found[f"{name}"] = 1.0
                elif number or self._kind.counts_zeros:
                    found[f"{name}"] = number
        return found


def _is_bool(y: Any) -> bool:
    return isinstance(y, bool) or type(y).__name__ == "bool_"
