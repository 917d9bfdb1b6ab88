"""Bayes' theorem over finitely many hypotheses, exactly: posteriors, likelihoods, Gibbs against the optimum."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "theory.bayes.gibbs_error": "GibbsErrors gibbs_against_optimum",
        "theory.bayes.joint_table": "JointTable",
        "theory.bayes.likelihood": "GaussianNoise LabelNoise Likelihood NoiseFree Probabilities least_squares",
        "theory.bayes.posterior": "CodeLengths Posterior code_lengths map_hypothesis ml_hypothesis posterior",
    },
)
