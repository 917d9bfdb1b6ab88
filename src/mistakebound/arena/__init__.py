"""Where learners and teachers meet: games, comparisons, queries, experiments (`mb.play` is at the top)."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "arena.bandit": "Banditron",
        "arena.compare": "Comparison",
        "arena.equivalence": "AsOnlineLearner AsQueryLearner QueryLearner identify",
        "arena.experiments": "pac_experiment",
        "arena.growth": "measure_growth",
        "arena.overfitting": "overfitting_experiment",
        "arena.pac_cases": "hard_distributions pac_sweep",
        "arena.play": "play_passes",
        "arena.questions": "InteractiveLearner fewest_questions",
        "arena.trace": "Trace",
    },
)
