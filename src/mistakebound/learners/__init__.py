"""Every learner that there is, one algorithm a file.

`linear/winnow1.py` holds the learner "winnow1", class Winnow1.  A line in the table below adds a learner to the command
line, the common checks and the benchmarks alike.
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

_LEARNERS = {  # name: (module, class)
    "arow": ("linear.arow", "AROW"),
    "averaged-perceptron": ("linear.averaged_perceptron", "AveragedPerceptron"),
    "balanced-winnow": ("linear.balanced_winnow", "BalancedWinnow"),
    "bayes-optimal": ("bayes.bayes_optimal", "BayesOptimal"),
    "candidate-elimination": ("version_space.candidate_elimination", "CandidateElimination"),
    "conjunction-elimination": ("rules.conjunction_elimination", "ConjunctionElimination"),
    "decision-list-learner": ("rules.decision_list_learner", "DecisionListLearner"),
    "decision-tree": ("tree.decision_tree", "DecisionTree"),
    "disjunction-elimination": ("rules.disjunction_elimination", "DisjunctionElimination"),
    "find-s": ("version_space.find_s", "FindS"),
    "gaussian-means": ("bayes.gaussian_means", "GaussianMeans"),
    "gibbs": ("bayes.gibbs", "Gibbs"),
    "halving": ("finite.halving", "Halving"),
    "linear-unit": ("network.linear_unit", "LinearUnit"),
    "list-then-eliminate": ("version_space.list_then_eliminate", "ListThenEliminate"),
    "naive-bayes": ("bayes.naive_bayes", "NaiveBayes"),
    "network": ("network.network", "Network"),
    "one-vs-all": ("ensemble.one_vs_all", "OneVsAll"),
    "passive-aggressive": ("linear.passive_aggressive", "PassiveAggressive"),
    "perceptron": ("linear.perceptron", "Perceptron"),
    "randomized-weighted-majority": ("ensemble.randomized_weighted_majority", "RandomizedWeightedMajority"),
    "rote-learner": ("version_space.rote_learner", "RoteLearner"),
    "sigmoid-unit": ("network.sigmoid_unit", "SigmoidUnit"),
    "standard-optimal": ("finite.standard_optimal", "StandardOptimalAlgorithm"),
    "table-network": ("network.table_network", "TableNetwork"),
    "weighted-majority": ("ensemble.weighted_majority", "WeightedMajority"),
    "winnow1": ("linear.winnow1", "Winnow1"),
    "winnow2": ("linear.winnow2", "Winnow2"),
}
TRANSFORMS = {  # name: (module, class); they stand before learners
    "expand": ("mistakebound.transforms.expand", "Expanded"),
    "standardize": ("mistakebound.transforms.standardize", "Standardized"),
}


def names() -> list[str]:
    """The names of all learners, in alphabetical order."""
    return list(_LEARNERS)


def find(name: str) -> type[Learner]:
    """The class of a learner by its name.

    >>> find("winnow1").__name__
    'Winnow1'
    >>> find("winow1")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: learner must be ... 'winow1' (did you mean winnow1?)
    """
    if name not in _LEARNERS:
        from difflib import get_close_matches

        near = get_close_matches(name, names(), 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise BadParameter(f"learner must be one of {', '.join(names())}: {name!r}{hint}")
    module, kind = _LEARNERS[name]
    found: type[Learner] = getattr(import_module(f"{__name__}.{module}"), kind)
    return found


def class_name(name: str) -> str:
    """'conjunction-elimination' -> 'ConjunctionElimination'."""
    return _LEARNERS[name][1]


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
    found: type[Transform] = getattr(import_module(module), kind)
    return found
