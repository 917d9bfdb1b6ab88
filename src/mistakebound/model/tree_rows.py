"""A decision tree on the rows of files: its rules, post-pruned and measured there, and the shortest tree beside it."""

from __future__ import annotations

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.io.table_file import read_table_file
from mistakebound.model.table_rows import labelled_rows, set_aside
from mistakebound.report.confusion import Confusion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.io.table_file import TableFile
    from mistakebound.learners.tree.rules import RuleList
    from mistakebound.learners.tree.shortest import ShortestTree
    from mistakebound.model.model import Model
    from mistakebound.model.table_rows import Labelled


class TreeOnRows:
    """What a tree makes of labelled rows: those that its rules are pruned on, and those to validate them by.

    Parameters
    ----------
    model : a model of a decision tree; its rules are made of the tree in its file, as pruning left it
    files, settings, read : as of `read_table`
    validation : every so many rows, or a path (None: the rules are pruned by the pessimistic estimate)
    """

    def __init__(
        self,
        model: Model,
        files: Any,
        settings: dict[str, Any] | None = None,
        *,
        validation: int | str | None = None,
        read: Callable[..., TableFile] = read_table_file,
    ) -> None:
        if model.learner.name != "decision-tree":
            raise BadParameter(f"rules are made of a decision tree, not of {model.learner.name}")
        self.learner: Any = model.learner
        self.parts: dict[str, Labelled] = {"training": labelled_rows(model, files, settings, read)}
        if validation is not None:
            set_aside(self.parts, "validation", validation, lambda path: labelled_rows(model, [path], settings, read))

    def rules(self, watch: Callable[[int, int, str], None] | None = None) -> RuleList:
        """The rules of the tree; `watch(done, of, text)` hears how far they are."""
        told = None if watch is None else lambda done, of: watch(done, of, "")
        found: RuleList = self.learner.rules_of(self.parts["training"], self.parts.get("validation"), told)
        return found

    def measure(self, name: str, rules: RuleList) -> Confusion | None:
        """How good rules are on one of the parts; None where there is none."""
        if name not in self.parts:
            return None
        table, codes = self.parts[name]
        return Confusion(self.learner.classes, codes, np.asarray(rules.codes(table)))

    def shortest(self, timeout: float | None = None) -> ShortestTree:
        """The shortest tree that is consistent with all the rows."""
        from mistakebound.learners.tree.shortest import shortest_of
        from mistakebound.theory.interval import Deadline

        return shortest_of(*self.parts["training"], self.learner.classes, Deadline(timeout))
