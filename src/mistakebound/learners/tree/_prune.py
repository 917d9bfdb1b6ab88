"""The three prunings of a grown tree, by the names that `DecisionTree(prune=...)` has for them."""

from __future__ import annotations

from mistakebound.learners.tree._mdl import mdl
from mistakebound.learners.tree._pessimistic import pessimistic
from mistakebound.learners.tree._reduced_error import reduced_error

__all__ = ["mdl", "pessimistic", "reduced_error"]
