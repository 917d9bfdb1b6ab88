"""Learners made of learners: one a label, or experts who vote."""
