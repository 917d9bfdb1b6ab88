"""Linear-threshold learners: one algorithm a file."""
