"""Why a model predicts what it predicts: one instance, a short rule, what a learner assumes; anything as LaTeX."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "model.find_rule": "find_rule",
        "report.explanation": "explain_one",
        "report.inductive_bias": "InductiveBias",
        "report.latex": "to_latex",
        "report.learner_table": "compare_methods",
    },
)
