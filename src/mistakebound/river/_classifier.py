"""River's verbs on top of a learner."""

from __future__ import annotations

from array import array
from math import fsum
from typing import Any

from river import base

from mistakebound.core.errors import BadData
from mistakebound.learners.ensemble.one_vs_all import OneVsAll


class RiverClassifier(base.Classifier):  # type: ignore[misc]
    """A classifier made of a learner; `mistakebound.river` makes one class of it for each.

    True and False are told apart by the learner itself, labels of any other kind by one-vs-all over it.
    """

    _kind: Any  # the class of the learner
    learner: Any = None  # from the first label on
    _base: Any = None  # one like that of each label, which learns nothing

    @property
    def _multiclass(self) -> bool:
        return True

    @classmethod
    def _unit_test_params(cls) -> Any:
        yield {}

    def _parameters(self) -> dict[str, Any]:
        return {parameter.name: getattr(self, parameter.name) for parameter in self._kind.parameters}

    def _begin(self, y: Any) -> None:
        self._base = self._kind(**self._parameters())
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
        self.learner.learn_one(self._instance(x), y, **weight)

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


class ProbabilityClassifier(RiverClassifier):
    """The same where the learner has probabilities."""

    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, float]:
        """The probability of each label; of more than two what each base learner says of its own, over their sum.

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
        if not learner.ensemble:
            return dict(learner.predict_proba_one(instance))
        labels, scores, _ = zip(*learner.scores_of_labels(instance), strict=True)
        shares = self._base.score_probabilities(array("d", scores))
        whole = fsum(shares)
        return {label: share / whole for label, share in zip(labels, shares, strict=True)}


def _is_bool(y: Any) -> bool:
    return isinstance(y, bool) or type(y).__name__ == "bool_"
