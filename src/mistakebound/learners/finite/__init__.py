"""Learners over any finite class, which keep the set of concepts that are left: one algorithm a file."""
