"""Dimensions beyond opt: randomized learners, more labels, bandit feedback, wrong labels, teaching in order."""
