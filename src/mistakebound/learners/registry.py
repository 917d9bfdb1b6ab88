"""Learners and transforms by their names.

A line in the table below adds a learner to the command line, the common checks and the benchmarks alike; where its
class lives is said in `learners/__init__.py`.
"""

from __future__ import annotations

from importlib import import_module

from mistakebound.core.errors import BadParameter
from mistakebound.core.fields import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.protocol import Learner
    from mistakebound.transforms.transform import Transform

_LEARNERS = {  # name: class
    "arow": "AROW",
    "auto": "Auto",
    "averaged-perceptron": "AveragedPerceptron",
    "balanced-winnow": "BalancedWinnow",
    "bayes-optimal": "BayesOptimal",
    "candidate-elimination": "CandidateElimination",
    "coin-betting": "CoinBetting",
    "conjunction-elimination": "ConjunctionElimination",
    "decision-list-learner": "DecisionListLearner",
    "decision-tree": "DecisionTree",
    "disjunction-elimination": "DisjunctionElimination",
    "find-s": "FindS",
    "gaussian-means": "GaussianMeans",
    "gibbs": "Gibbs",
    "halving": "Halving",
    "linear-unit": "LinearUnit",
    "list-then-eliminate": "ListThenEliminate",
    "naive-bayes": "NaiveBayes",
    "network": "Network",
    "one-vs-all": "OneVsAll",
    "passive-aggressive": "PassiveAggressive",
    "perceptron": "Perceptron",
    "randomized-weighted-majority": "RandomizedWeightedMajority",
    "rote-learner": "RoteLearner",
    "sigmoid-unit": "SigmoidUnit",
    "standard-optimal": "StandardOptimalAlgorithm",
    "table-network": "TableNetwork",
    "weighted-majority": "WeightedMajority",
    "winnow1": "Winnow1",
    "winnow2": "Winnow2",
}
TRANSFORMS = {  # name: (module, class); they stand before learners
    "expand": ("mistakebound.transforms.expanded", "Expanded"),
    "standardize": ("mistakebound.transforms.standardized", "Standardized"),
    "bins": ("mistakebound.transforms.binned", "Binned"),
}


def names() -> list[str]:
    """The names of all learners, in alphabetical order.

    Returns
    -------
    list of str

    Examples
    --------
    >>> names()[:3]
    ['arow', 'auto', 'averaged-perceptron']
    """
    return list(_LEARNERS)


def of_streams() -> list[str]:
    """The names of the learners that take any stream of rows: they need no preparation and never stop at a label.

    Examples
    --------
    >>> of_streams()[:3]
    ['arow', 'auto', 'averaged-perceptron']
    """
    found = {name: find(name) for name in names()}
    return [
        name
        for name, kind in found.items()
        if kind.online and kind.takes == "rows" and kind.named and not kind.ensemble and not kind.inconsistent
    ]


def find(name: str) -> type[Learner]:
    """The class of a learner by its name.

    Parameters
    ----------
    name : str
        One of `names()`.

    Returns
    -------
    type of Learner

    Examples
    --------
    >>> find("winnow1").__name__
    'Winnow1'
    >>> find("winow1")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: there is no learner 'winow1' (did you mean winnow1?); ...
    """
    if name not in _LEARNERS:
        from difflib import get_close_matches

        near = get_close_matches(name, names(), 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise BadParameter(f"there is no learner {name!r}{hint}; the learners are {', '.join(names())}")
    found: type[Learner] = _class_of("mistakebound.learners", _LEARNERS[name])
    return found


def restore(header: dict[str, Any], arrays: dict[str, Any]) -> Any:
    """The learner that the header and the arrays of a model file hold."""
    fields = Fields(header, "the header")
    fields.record("parameters"), fields.record("state")
    name = fields.text("learner")
    if name not in TRANSFORMS:
        return find(name).restore(header, arrays)
    from mistakebound.transforms.transform import take_inner

    inner = fields.fields("state").record("inner")
    return find_transform(name).around(restore(inner, take_inner(arrays)), header, arrays)


def find_transform(name: str) -> type[Transform]:
    """The class of a transform by its name."""
    module, kind = TRANSFORMS[name]
    found: type[Transform] = _class_of(module, kind)
    return found


def _class_of(module: str, name: str) -> Any:
    return getattr(import_module(module), name)
