"""River's verbs on top of a learner."""

from __future__ import annotations

from typing import Any

from river import base

from mistakebound.core.errors import BadData
from mistakebound.learners.ensemble.one_vs_all import OneVsAll


class LearnerClassifier(base.Classifier):  # type: ignore[misc]
    """A classifier made of a learner; `mistakebound.river` makes one class of it for each.

    True and False are told apart by the learner itself, labels of any other kind by one-vs-all over it.
    """

    _kind: Any  # the class of the learner
    learner: Any = None  # from the first label on

    @property
    def _multiclass(self) -> bool:
        return True

    @classmethod
    def _unit_test_params(cls) -> Any:
        yield {}

    def _parameters(self) -> dict[str, Any]:
        return {parameter.name: getattr(self, parameter.name) for parameter in self._kind.parameters}

    def _begin(self, y: Any) -> None:
        learner = self._kind(**self._parameters())
        self.learner = self._kind(**self._parameters(), labels=(False, True)) if _is_bool(y) else OneVsAll(learner)

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
                elif number:
                    found[f"{name}"] = number
        return found


def _is_bool(y: Any) -> bool:
    return isinstance(y, bool) or type(y).__name__ == "bool_"
