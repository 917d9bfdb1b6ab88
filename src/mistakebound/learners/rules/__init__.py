"""Learners of rules: one algorithm a file."""
