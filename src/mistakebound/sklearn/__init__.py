"""Estimators for scikit-learn, one for each learner that takes arrays; needs the extra `sklearn`.

Each has the parameters that its learner declares, and `fit`, `predict`, `get_params` and the rest of scikit-learn's
verbs, so that Pipeline, GridSearchCV and cross_val_score take it.  The learner behind it is `estimator.learner_`.

>>> from sklearn.datasets import load_iris
>>> from sklearn.model_selection import cross_val_score
>>> from mistakebound.sklearn import AROWClassifier
>>> X, y = load_iris(return_X_y=True)
>>> bool(cross_val_score(AROWClassifier(), X, y).mean() > 0.8)
True
"""

from __future__ import annotations

from typing import Any

from mistakebound.core.params import constructor, parameter_lines
from mistakebound.learners import registry

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as _missing:
    raise ModuleNotFoundError(
        "mistakebound.sklearn needs scikit-learn: pip install 'mistakebound[sklearn]'"
    ) from _missing

from mistakebound.sklearn._classifier import SklearnClassifier, WeightedClassifier

_OF_TABLES = {  # class: learner
    "DecisionTreeClassifier": "decision-tree",
    "NaiveBayesClassifier": "naive-bayes",
    "NetworkClassifier": "table-network",
    "OneVsAllClassifier": "one-vs-all",
}
_OF_STREAMS = {f"{registry.find(name).__name__}Classifier": name for name in registry.of_streams()}
_ESTIMATORS = dict(sorted((_OF_STREAMS | _OF_TABLES).items()))
__all__ = list(_ESTIMATORS)

_PASSES = {"passes": 5, "shuffle": True, "random_state": 0}
_OWN_HELP = {
    "passes": ("int", "Passes of `fit` over the rows."),
    "shuffle": ("bool", "Whether `fit` shuffles the rows before every pass."),
    "random_state": ("int or None", "Seed of the shuffling."),
    "binarize": (
        '"median", float or None',
        "How numbers become the flags that the learner takes: two for each column, above its running median (of the "
        "first 1,000 rows) and not; one for each column, above a number; None: X has the values 0 and 1 only.",
    ),
}


def _make(name: str, kind: Any) -> type[SklearnClassifier]:
    """The estimator of a learner: signature and docstring come from the parameters that it declares."""
    online = kind.online and kind.takes == "rows"
    flags = kind.binary or kind.name == "naive-bayes"
    own = (_PASSES if online else {}) | ({"binarize": "median"} if flags else {})
    declared = {p.name: p for p in kind.parameters if not (flags and p.name == "attributes")}
    defaults = {p.name: tuple(p.default) if isinstance(p.default, list) else p.default for p in declared.values()} | own

    lines = parameter_lines(tuple(declared.values()))
    for word, value in own.items():
        lines += [f"{word} : {_OWN_HELP[word][0]}, default {value!r}", f"    {_OWN_HELP[word][1]}"]
    text = "\n".join(
        [
            f"scikit-learn's estimator of `mb.learners.{kind.__name__}`: {kind.summary}.",
            "",
            "Parameters",
            "----------",
            *lines,
            "",
            "Attributes",
            "----------",
            "learner_ : the learner",
            "    Of more than two labels one-vs-all over it.",
            "classes_ : array of labels",
            "n_features_in_ : int",
            "feature_names_in_ : array of str",
            "    Where X has names.",
        ]
    )
    space = {
        "__init__": constructor(name, defaults), "__doc__": text, "__module__": __name__, "_kind": kind,
        "_own": frozenset(own), "_fixed": {"attributes": "flags"} if flags and not online else {},
    }  # fmt: skip
    return type(name, (WeightedClassifier if kind.weighted else SklearnClassifier,), space)


for _name, _learner in _ESTIMATORS.items():
    globals()[_name] = _make(_name, registry.find(_learner))
