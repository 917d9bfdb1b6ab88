"""mistakebound: learning online, one example at a time, with a proven limit on the number of mistakes.

What most people call is here; the rest is in `mb.learners`, `mb.teachers`, `mb.theory` and the other public modules.
Names are looked up when they are first used, so that importing the package costs nothing.

>>> import mistakebound as mb
>>> learner = mb.Winnow1(n=1000)
>>> learner.bound(k=5).mistakes
110
"""

from mistakebound.core.lazy import public as _public

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "arena.compare": "compare",
        "arena.play": "play",
        "core.errors": "BadData BadParameter MistakeboundError NoConsistentHypothesis",
        "core.ledger": "Ledger",
        "hunting.hunt": "hunt",
        "learners.bayes.naive_bayes": "NaiveBayes",
        "learners.ensemble.one_vs_all": "OneVsAll",
        "learners.ensemble.weighted_majority": "WeightedMajority",
        "learners.finite.halving": "Halving",
        "learners.auto.auto": "Auto",
        "learners.linear.arow": "AROW",
        "learners.linear.averaged_perceptron": "AveragedPerceptron",
        "learners.linear.balanced_winnow": "BalancedWinnow",
        "learners.linear.passive_aggressive": "PassiveAggressive",
        "learners.linear.perceptron": "Perceptron",
        "learners.linear.winnow1": "Winnow1",
        "learners.linear.winnow2": "Winnow2",
        "learners.tree.decision_tree": "DecisionTree",
        "model.learning": "learn",
        "model.model": "Model load",
        "theory.littlestone": "littlestone_dimension opt",
        "theory.sample_bounds": "sample_size",
    },
    submodules="arena bayes checks concepts course errors inspection io learners plot teachers theory transforms",
)
