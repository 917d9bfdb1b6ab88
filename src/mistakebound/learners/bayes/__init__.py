"""Learners that reckon with probabilities of hypotheses: one algorithm a file."""
