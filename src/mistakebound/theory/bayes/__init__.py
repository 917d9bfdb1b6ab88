"""Bayes' theorem over finitely many hypotheses, exactly (rows Y1 to Y5): M section 5.  `mb.bayes` is this package."""

from mistakebound.theory.bayes.code_lengths import CodeLengths, code_lengths
from mistakebound.theory.bayes.gibbs_error import GibbsErrors, gibbs_against_optimum
from mistakebound.theory.bayes.least_squares import least_squares
from mistakebound.theory.bayes.likelihood import GaussianNoise, LabelNoise, Likelihood, NoiseFree, Probabilities
from mistakebound.theory.bayes.posterior import Posterior, map_hypothesis, ml_hypothesis, posterior

__all__ = [
    "CodeLengths",
    "GaussianNoise",
    "GibbsErrors",
    "LabelNoise",
    "Likelihood",
    "NoiseFree",
    "Posterior",
    "Probabilities",
    "code_lengths",
    "gibbs_against_optimum",
    "least_squares",
    "map_hypothesis",
    "ml_hypothesis",
    "posterior",
]
