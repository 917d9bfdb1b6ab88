"""Every learner that there is, one algorithm a file; `find` and `names` look them up by name.

`linear/winnow1.py` holds the learner "winnow1", class Winnow1.  CONTRIBUTING.md says how to add one.
"""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "core.protocol": "BatchLearner Learner OnlineLearner",
        "learners.auto.auto": "Auto",
        "learners.bayes.bayes_optimal": "BayesOptimal",
        "learners.bayes.gaussian_means": "GaussianMeans",
        "learners.bayes.gibbs": "Gibbs",
        "learners.bayes.naive_bayes": "NaiveBayes",
        "learners.em_loop": "em",
        "learners.ensemble.one_vs_all": "OneVsAll",
        "learners.ensemble.randomized_weighted_majority": "RandomizedWeightedMajority",
        "learners.ensemble.weighted_majority": "WeightedMajority",
        "learners.finite.halving": "Halving",
        "learners.finite.standard_optimal": "StandardOptimalAlgorithm",
        "learners.linear.arow": "AROW",
        "learners.linear.averaged_perceptron": "AveragedPerceptron",
        "learners.linear.balanced_winnow": "BalancedWinnow",
        "learners.linear.coin_betting": "CoinBetting",
        "learners.linear.passive_aggressive": "PassiveAggressive",
        "learners.linear.perceptron": "Perceptron",
        "learners.linear.winnow1": "Winnow1",
        "learners.linear.winnow2": "Winnow2",
        "learners.network.approximation": "collapse_linear curve_network grid_network",
        "learners.network.linear_unit": "LinearUnit",
        "learners.network.network": "Network",
        "learners.network.sigmoid_unit": "SigmoidUnit",
        "learners.network.table_network": "TableNetwork",
        "learners.registry": "find names",
        "learners.rules.conjunction_elimination": "ConjunctionElimination",
        "learners.rules.decision_list_learner": "DecisionListLearner",
        "learners.rules.disjunction_elimination": "DisjunctionElimination",
        "learners.tree.criteria": "entropy gain_ratio information_gain split_information",
        "learners.tree.decision_tree": "DecisionTree",
        "learners.tree.shortest": "shortest_tree",
        "learners.version_space.candidate_elimination": "CandidateElimination",
        "learners.version_space.find_s": "FindS",
        "learners.version_space.list_then_eliminate": "ListThenEliminate",
        "learners.version_space.rote_learner": "RoteLearner",
    },
)
