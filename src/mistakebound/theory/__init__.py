"""Exact numbers of finite classes, each with a witness that can be checked; sample sizes and errors."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "core.theorem": "Bound Theorem",
        "theory.bias_check": "check_inductive_bias negative_unless_entailed",
        "theory.class_survey": "survey_classes",
        "theory.dimensions.multiclass": "multiclass_opt",
        "theory.dimensions.randomized": "randomized_opt",
        "theory.dimensions.recursive_teaching": "recursive_teaching_dimension",
        "theory.dimensions.regret": "agnostic_regret",
        "theory.halving_mistakes": "halving_worst_case",
        "theory.learner_mistakes": "worst_case",
        "theory.littlestone": "littlestone_dimension lower_bounds opt",
        "theory.pac": "error_interval is_epsilon_exhausted least_training_error overfits training_error true_error",
        "theory.proper_learning": "properness",
        "theory.queries": "query_depth",
        "theory.sample_bounds": "exhaustion_bound sample_size",
        "theory.separability": "linearly_separable",
        "theory.teaching": "teaching_dimension",
        "theory.vc": "dichotomies shatters vc_dimension",
    },
)
