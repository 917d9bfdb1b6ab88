"""Bayes' theorem over finitely many hypotheses, exactly: posteriors, likelihoods, Gibbs against the optimum."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "learners.bayes.joint_em": "fit_joint q_value",
        "theory.bayes.gibbs_error": "GibbsErrors gibbs_against_optimum",
        "theory.bayes.joint_table": "JointTable",
        "theory.bayes.likelihood": "GaussianNoise LabelNoise Likelihood NoiseFree Probabilities least_squares",
        "theory.bayes.naive_check": "naive_bayes_check naive_bayes_survey",
        "theory.bayes.posterior": "CodeLengths Posterior code_lengths map_hypothesis ml_hypothesis posterior",
    },
)
