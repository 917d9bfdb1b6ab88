"""Hunting by membership queries: which set is run next.  Pure states: a question, and the state after its answer.

The files begin with an underscore: these learners ask their own questions, so they play no trials of a stream.
"""
