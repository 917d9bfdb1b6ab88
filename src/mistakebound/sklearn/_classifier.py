"""What all estimators share: scikit-learn's verbs on top of a learner."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from mistakebound.core.errors import BadParameter
from mistakebound.learners.ensemble.one_vs_all import OneVsAll
from mistakebound.sklearn._binarize import Flags


def _is_online(self: Any) -> bool:
    return bool(self._kind.online)


def _has_scores(self: Any) -> bool:
    return bool(self._kind.scores)


def _has_probabilities(self: Any) -> bool:
    return bool(self._kind.probabilities)


class SklearnClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator made of a learner; `mistakebound.sklearn` makes one class of it for each."""

    _kind: Any  # the class of the learner
    _fixed: dict[str, Any] = {}  # noqa: RUF012 - parameters of the learner that the estimator sets
    _own: frozenset[str] = frozenset()  # parameters of the estimator that are not the learner's

    # Learning.

    def fit(self, X: Any, y: Any) -> Any:
        """Learn rows from the beginning.

        Parameters
        ----------
        X : array, sparse matrix or data frame, of shape (rows, columns)
        y : array of labels

        Returns
        -------
        self
        """
        return self._fit(X, y, None)

    @available_if(_is_online)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Any:
        """Learn more rows, once, in the order in which they come.

        Parameters
        ----------
        X, y
            As of `fit`.
        classes : array of labels, optional
            All labels, those to come too; needed in the first call.

        Returns
        -------
        self
        """
        return self._fit_more(X, y, classes, None)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Any:
        X, y, weights = self._checked(X, y, sample_weight, first=True)
        self.classes_ = unique_labels(y)
        self._begin()
        if not self._kind.online or self._kind.takes == "table":
            self._look_at(X, weights)
            rows = self._rows(X)
            self.learner_.fit(rows, self._named(y), **({} if weights is None else {"weights": weights}))
            return self
        order = np.arange(len(y))
        draw = check_random_state(self.random_state)
        self._look_at(X, weights)
        rows = self._rows(X)
        for _ in range(self._passes()):
            if self.shuffle:
                draw.shuffle(order)
            self._learn(rows[order], y[order], None if weights is None else weights[order])
        return self

    def _fit_more(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Any:
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        X, y, weights = self._checked(X, y, sample_weight, first=first)
        if classes is not None:
            known = unique_labels(classes)
            if not first and not np.array_equal(known, self.classes_):
                raise ValueError(f"classes must be those of the first call, {self.classes_}: {known}")
            self.classes_ = known
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(f"y has labels that are not in classes: {unknown}")
        if first:
            self._begin()
        self._look_at(X, weights)
        self._learn(self._rows(X), y, weights)
        return self

    def _checked(self, X: Any, y: Any, sample_weight: Any, first: bool) -> tuple[Any, Any, Any]:
        X, y = validate_data(self, X, y, reset=first, **self._matrix())
        check_classification_targets(y)
        if sample_weight is None:
            return X, y, None
        weights = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        kept = weights > 0
        if not kept.any():
            raise ValueError("sample_weight must have a weight above 0")
        return X[kept], y[kept], weights[kept]

    def _matrix(self) -> dict[str, Any]:
        return {"accept_sparse": "csr" if self._takes_sparse() else False, "dtype": np.float64}

    def _takes_sparse(self) -> bool:
        """The median of a column needs its zeros too."""
        return self._kind.takes == "rows" and not ("binarize" in self._own and self.binarize == "median")

    def _begin(self) -> None:
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs 2 classes at least, and y has one class: {self.classes_[0]!r}"
            )
        given = {name: value for name, value in self.get_params(deep=False).items() if name not in self._own}
        self._flags = Flags(self.binarize) if "binarize" in self._own else None
        labels = self.classes_.tolist()
        kind = self._kind
        if kind.takes != "rows":
            self.learner_ = kind(**given, **self._fixed)
        elif kind is OneVsAll:
            self.learner_ = OneVsAll(given["base"], labels=labels)
        elif len(labels) == 2:
            self.learner_ = kind(**given, labels=tuple(labels))
        else:
            self.learner_ = OneVsAll(kind(**given), labels=labels)

    def _look_at(self, X: Any, weights: Any) -> None:
        if self._flags is not None:
            self._flags.look_at(X, weights)

    def _rows(self, X: Any) -> Any:
        return X if self._flags is None else self._flags.transform(X)

    def _names(self) -> dict[str, Any]:
        """Names of columns, where the data have them."""
        names = getattr(self, "feature_names_in_", None)
        columns = None if names is None else [str(name) for name in names]
        if self._flags is not None:
            columns = self._flags.names(columns)
        return {} if columns is None else {"names": columns}

    def _named(self, y: Any) -> Any:
        return y.tolist()

    def _learn(self, rows: Any, y: Any, weights: Any) -> None:
        more = {} if weights is None else {"weights": weights}
        self.learner_.learn_many(rows, y, **self._names(), **more)

    def _passes(self) -> int:
        if isinstance(self.passes, bool) or int(self.passes) != self.passes or self.passes < 1:
            raise BadParameter(f"passes must be a whole number >= 1: {self.passes!r}")
        return int(self.passes)

    # Asking.

    def _asked(self, X: Any) -> tuple[Any, dict[str, Any]]:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **self._matrix())
        return self._rows(X), self._names() if self._kind.takes == "rows" else {}

    def predict(self, X: Any) -> Any:
        """The label of each row: where there are probabilities the most probable, of equal ones the first.

        Parameters
        ----------
        X : array, sparse matrix or data frame

        Returns
        -------
        array of labels
        """
        if self._kind.probabilities:
            most_probable = np.argmax(self.predict_proba(X), axis=1)
            return self.classes_[most_probable]
        rows, names = self._asked(X)
        return np.asarray(self.learner_.predict_many(rows, **names), dtype=self.classes_.dtype)

    @available_if(_has_scores)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """The score of each row: above 0 for the second of two labels; of more labels a column each.

        Parameters
        ----------
        X : array, sparse matrix or data frame

        Returns
        -------
        array of shape (rows,), or (rows, labels)
        """
        rows, names = self._asked(X)
        if not self.learner_.ensemble:
            return np.asarray(self.learner_.score_many(rows, **names)) - self.learner_.theta
        bases = [self.learner_.base(label) for label in self.classes_.tolist()]
        scores = np.column_stack([np.asarray(base.score_many(rows, **names)) - base.theta for base in bases])
        return scores[:, 1] - scores[:, 0] if len(bases) == 2 else scores

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """The probability of each label, in the order of `classes_`.

        Parameters
        ----------
        X : array or data frame

        Returns
        -------
        array of shape (rows, labels)
        """
        rows, names = self._asked(X)
        if self._kind.takes == "rows":
            return self._proba_of_rows(rows, names)
        found = np.asarray(self.learner_.predict_proba_many(rows, **names))
        order = {label: place for place, label in enumerate(self.learner_.classes)}
        every = np.zeros((len(found), len(self.classes_)))
        for place, label in enumerate(self.classes_.tolist()):
            if label in order:
                every[:, place] = found[:, order[label]]
        return every

    def _proba_of_rows(self, rows: Any, names: dict[str, Any]) -> Any:
        """Of more than two labels what each base learner says of its own, divided by their sum."""
        if not self.learner_.ensemble:
            return np.asarray(self.learner_.predict_proba_many(rows, **names))
        bases = [self.learner_.base(label) for label in self.classes_.tolist()]
        every = np.column_stack([base.predict_proba_many(rows, **names)[:, 1] for base in bases])
        sums = every.sum(axis=1, keepdims=True)
        return np.where(sums > 0, every / np.where(sums > 0, sums, 1.0), 1.0 / len(bases))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse()
        tags.classifier_tags.poor_score = "binarize" in self._own  # two flags a column say little of a number
        return tags


class WeightedClassifier(SklearnClassifier):
    """The same where examples may have weights."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn rows from the beginning.

        Parameters
        ----------
        X : array, sparse matrix or data frame, of shape (rows, columns)
        y : array of labels
        sample_weight : array of floats, optional
            Weights of the rows, >= 0; rows of weight 0 are left out.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    @available_if(_is_online)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Any:
        """Learn more rows, once, in the order in which they come.

        Parameters
        ----------
        X, y, sample_weight
            As of `fit`.
        classes : array of labels, optional
            All labels, those to come too; needed in the first call.

        Returns
        -------
        self
        """
        return self._fit_more(X, y, classes, sample_weight)
