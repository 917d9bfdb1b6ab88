"""Concept learning as Mitchell has it: hypotheses that agree with the examples so far, one algorithm a file."""
