"""What a learned tree shows of itself: text, a page, rules, a formula, and why a row gets its class."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.core.atomic import exclusive, reading
from mistakebound.core.errors import BadParameter
from mistakebound.core.schema import NOMINAL, Schema
from mistakebound.core.table import label_codes
from mistakebound.io.frame import split_label
from mistakebound.learners.table_learner import TableLearner
from mistakebound.learners.tree.flat_tree import FlatTree
from mistakebound.learners.tree.table_text import (
    NODES,
    as_data,
    as_html,
    branch_text,
    counts_text,
    listing,
    step_text,
    test_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from mistakebound.concepts.concept import Concept
    from mistakebound.core.table import Table
    from mistakebound.learners.tree._prune import CodeLength, Removal
    from mistakebound.learners.tree.rule_list import TreeRuleList

    Labelled = tuple[Table, NDArray[np.int32]]
    from mistakebound.core.table import Column, Table

_ROWS = 8  # below so many rows, different values everywhere are no sign of anything


class ShownTree(TableLearner):
    """The half of `DecisionTree` that shows; the other half grows the tree and predicts with it."""

    shown = NODES
    _tree: FlatTree | None = None
    unpruned: FlatTree  # right after `fit`; of a model that was loaded what pruning left
    trace: list[Removal] | None = None  # of reduced-error pruning, right after `fit`
    code_length: CodeLength | None = None  # of pruning by description length, likewise
    code_length_before: CodeLength | None = None

    @property
    def tree(self) -> FlatTree:
        """The nodes, as arrays."""
        if self._tree is None:
            raise BadParameter(f"{type(self).__name__} has learned nothing yet: call fit(X, y) first")
        return self._tree

    @tree.setter
    def tree(self, tree: FlatTree) -> None:
        self._tree = tree

    @reading
    def text(self, nodes: int | None = NODES) -> str:
        """One line per branch; what goes beyond so many nodes is folded (None: nothing is)."""
        return "\n".join(listing(self.tree, self.schema, self.classes, nodes))

    @reading
    def lines(self, top: int) -> list[str]:
        """Its size, and one line per branch; what goes beyond so many nodes is folded."""
        return [self.size_text(), "", *listing(self.tree, self.schema, self.classes, max(1, top))]

    @reading
    def size_text(self) -> str:
        """How large the tree is, in words."""
        tree = self.tree
        leaves = f"{tree.leaves:,} {'leaf' if tree.leaves == 1 else 'leaves'}"
        return f"{tree.size:,} node{'s' * (tree.size != 1)}, {leaves}, depth {tree.depth}"

    @reading
    def as_json(self, top: int) -> dict[str, Any]:
        tree = self.tree
        return {
            "nodes": tree.size,
            "leaves": tree.leaves,
            "depth": tree.depth,
            "classes": list(self.classes),
            "tree": as_data(tree, self.schema, self.classes),
        }

    def fit_facts(self) -> list[tuple[str, str]]:
        if self.settings["prune"] is None:
            return []
        said = f"{self.settings['prune']}: {self.unpruned.size:,} nodes before, {self.tree.size:,} after"
        if self.trace is not None:
            said += f", in {len(self.trace):,} steps"
        if self.code_length is None:
            return [("pruned", said)]
        return [("pruned", said), ("before", str(self.code_length_before)), ("after", str(self.code_length))]

    def fit_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if self.settings["prune"] is not None:
            data["nodes_before"] = self.unpruned.size
        if self.trace is not None:
            data["removals"] = [step._asdict() for step in self.trace]
        if self.code_length is not None:
            data["bits"] = {
                name: {"tree": bits.tree, "exceptions": bits.exceptions, "total": bits.total}
                for name, bits in (("before", self.code_length_before), ("after", self.code_length))
                if bits is not None
            }
        return data

    def remarks(self, table: Table) -> list[str]:
        return remarks(table)

    @reading
    def _repr_html_(self) -> str | None:
        return as_html(self.tree, self.schema, self.classes) if self.fitted else None

    @exclusive
    def explain_row(self, table: Table, row: int) -> list[str]:
        """The tests on the way of a row, each with the training rows that went the same way."""
        tree, said = self.tree, []
        path = tree.path(table, row)
        probabilities = self._proba(table.take([row]))[0]
        for node, child in pairwise(path):
            branch = child - int(tree.first[node])
            shared = self.settings["missing"] == "fractions"
            known = table.cell(row, int(tree.column[node])) is not None
            step = step_text(tree, node, branch, self.schema) if known else self._without(table, row, node, branch)
            counts = tree.counts[child if known or not shared else node]
            said.append((step, counts_text(counts.tolist(), self.classes)))
            if not known and shared:
                break
        width = max((len(step) for step, _ in said), default=0)
        label = self.classes[int(self._predict(table.take([row]))[0])]
        shares = sorted(zip(-probabilities, range(len(probabilities)), strict=True))
        worth = ", ".join(f"{self.classes[place]} {-share:.4g}" for share, place in shares[:5] if share < 0)
        return [f"predicted {label}  ({worth})", *(f"  {step:<{width}}  {counts}".rstrip() for step, counts in said)]

    def _without(self, table: Table, row: int, node: int, branch: int) -> str:
        """What happens at a test for which a row has no value."""
        tree = self.tree
        name = test_text(tree, node, self.schema)
        new = table.columns[int(tree.column[node])].nominal and table.columns[int(tree.column[node])].data[row] < -1
        what = "has a value that is new" if new else "is missing"
        if self.settings["missing"] == "fractions":
            return f"{name} {what}: all branches, by their training rows"
        return f"{name} {what}: as most rows, {branch_text(tree, node, branch, self.schema)}"

    def rules(
        self, X: Any, y: Any, validation: tuple[Any, Any] | None = None, *, every_path: bool = False
    ) -> TreeRuleList:
        """The rules of the tree, post-pruned on its training rows (X, y), or by a validation set where one is given.

        Rules are pruned by themselves, so they are made of the whole tree, whatever `prune` is; a model file holds only
        what pruning left.  With `every_path` each path of the tree keeps its rule (the textbook's procedure); without
        it, rules go that are not worth their description.
        """
        held_out = None if validation is None else self.labelled(*validation)
        return self.rules_of(self.labelled(X, y), held_out, every_path=every_path)

    @reading
    def rules_of(
        self,
        training: Labelled,
        validation: Labelled | None = None,
        watch: Callable[[int, int], None] | None = None,
        *,
        every_path: bool = False,
    ) -> TreeRuleList:
        """As `rules`, with coded labels."""
        from mistakebound.learners.tree.rules import post_pruned

        rules = post_pruned(
            self.unpruned, *training, self.classes, confidence=self.settings["confidence"], validation=validation,
            every_path=every_path, watch=watch,
        )  # fmt: skip
        rules.label = self.label
        return rules

    @property
    def asked(self) -> tuple[str, ...]:
        """The columns that the tree tests."""
        tested = {int(column) for column in self.tree.column if column >= 0}
        return tuple(name for place, name in enumerate(self.schema.names) if place in tested)

    @reading
    def labelled(self, X: Any, y: Any) -> tuple[Table, NDArray[np.int32]]:
        """A table with the columns that were learned, and the number of each row's class."""
        table, labels = split_label(X, y, like=self.schema)
        return table, label_codes(labels, self.classes, table)[1]

    @reading
    def description_length(self, X: Any) -> CodeLength:
        """The bits of the tree and of the exceptions to it, by the code in docs/trees.md; X are the training rows."""
        from mistakebound.learners.tree._prune import code_length

        return code_length(self.tree, self.table(X))

    @reading
    def dnf(self, positive: Any = None) -> Concept:
        """The tree as a formula for a class (of two the second): the disjunction of the paths that lead to it."""
        from mistakebound.learners.tree._dnf import formula_of

        if positive is None and len(self.classes) == 2:
            positive = self.classes[1]
        if positive not in self.classes:
            raise BadParameter(f"positive must be one of {', '.join(map(repr, self.classes))}: {positive!r}")
        return formula_of(self.tree, self.schema, self.classes.index(positive))

    @classmethod
    def of_formula(cls, formula: Concept | str) -> Self:
        """A tree that is the same function as a DNF, a disjunction or a conjunction; its classes are 0 and 1.

        Its counts are those of all instances over the attributes of the formula.
        """
        from mistakebound.concepts.formula import parse
        from mistakebound.learners.tree._dnf import column_of, tree_of

        tree, attributes = tree_of(parse(formula) if isinstance(formula, str) else formula)
        schema = Schema([(column_of(name), NOMINAL, ("0", "1")) for name in attributes])
        return cls.of_tree(tree, schema, (0, 1))

    @classmethod
    def of_tree(cls, tree: FlatTree, schema: Schema, classes: tuple[Any, ...]) -> Self:
        """A learner that has this tree."""
        learner = cls()
        learner.tree = learner.unpruned = tree
        learner._schema, learner._classes = schema, classes
        return learner


def remarks(table: Table) -> list[str]:
    """What is to be said of the columns of a training table, in their order."""
    return [remark for column in table.columns if (remark := _remark(column, table.rows))]


def _remark(column: Column, rows: int) -> str:
    data = column.data[~column.missing]
    different = len(np.unique(data))
    if not different:
        return f"column {column.name!r} has no values: no test of it can help"
    if different == 1:
        return f"column {column.name!r} has one value only: no test of it can help"
    if different < rows or rows < _ROWS:
        return ""
    if column.nominal:
        return (
            f"column {column.name!r} has a different value in every row, like an identifier: new rows will have others"
        )
    if np.all(data == np.floor(data)) and data.max() - data.min() == rows - 1:
        return f"column {column.name!r} numbers the rows, like an identifier: new rows will have other numbers"
    return ""
