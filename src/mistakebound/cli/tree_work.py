"""The work of `mistakebound tree`: read, hold rows out, grow and prune, draw and save."""

from __future__ import annotations

import sys

import numpy as np

from mistakebound.arena.tree_curves import held_out, learning_curve, size_curve
from mistakebound.cli.commands import note
from mistakebound.cli.reader_options import settings_from
from mistakebound.cli.settings import pairs
from mistakebound.cli.table_reading import read_with_progress
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.table import label_codes
from mistakebound.io.frame import table_of
from mistakebound.learners.tree.decision_tree import DecisionTree
from mistakebound.learners.tree.fold_branches import NODES
from mistakebound.learners.tree.remarks import remarks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree.rules import RuleList
    from mistakebound.learners.tree.shortest import ShortestTree

    Labelled = tuple[Table, NDArray[np.int32]]

_HELD = 1 / 3  # of the rows, where a validation set is needed and none is given (M: the rest is for training)


class Work:
    """What the command has at the end: the learner, its training and validation rows, and what was asked for."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.parameters = _parameters(options)
        self.costs = _costs(options, self.parameters)
        DecisionTree(**self.parameters)  # what is wrong with them is said before the table is read
        read = read_with_progress(options.files, settings_from(options, None), options)
        if read.labels is None:
            raise BadData("there are no rows to learn from", source=read.table.source)
        self.table: Table = read.table
        self.reader = read.settings
        self.classes, self.codes = label_codes(read.labels, table=read.table)
        self.remarks = remarks(read.table)
        self.training: Labelled = (self.table, self.codes)
        self.validation: Labelled | None = None
        self._set_aside()
        self.rules: RuleList | None = None
        self.shortest: ShortestTree | None = None
        self.learner = DecisionTree(**self.parameters)

    def _set_aside(self) -> None:
        """The validation rows: of a file of their own, or held out."""
        options = self.options
        if options.validation is not None:
            own = settings_from(options, None) | self.reader | {"remembered": True}
            read = read_with_progress([options.validation], own, options)
            if read.labels is None:
                raise BadData("there are no validation rows", source=options.validation)
            table = table_of(read.table, like=self.table.schema)
            self.validation = table, label_codes(read.labels, self.classes, table)[1]
            return
        share = options.holdout
        if share is None and self.parameters.get("prune") == "reduced_error":
            share = _HELD
            note(f"a third of the rows is held out for validation (--holdout, --seed {options.seed})")
        if share is not None:
            self.training, self.validation = self._parted(share)

    def _parted(self, share: float) -> tuple[Labelled, Labelled]:
        """Training and validation rows, drawn."""
        kept, held = held_out(self.table.rows, share, self.options.seed)
        return (self.table.take(kept), self.codes[kept]), (self.table.take(held), self.codes[held])

    def grown(self, table: Table, codes: NDArray[np.int32], **changed: Any) -> DecisionTree:
        """A tree of these rows; of `changed` parameters where they are given."""
        learner = DecisionTree(**self.parameters | changed)
        validation = self.validation if learner.settings["prune"] == "reduced_error" else None
        learner.fit_codes(table, codes, self.classes, validation, self.costs)
        learner.label = self.options.label
        return learner

    def learn(self) -> None:
        options = self.options
        self.learner = self.grown(*self.training)
        if options.row is not None and options.row > self.table.rows:
            raise BadParameter(f"--row must be at most {self.table.rows:,}, the rows of the table: {options.row:,}")
        if options.rules is not None:
            with _Watch("rules") as watch:
                self.rules = self.learner.rules_of(self.training, self.validation, watch.update)
        if options.shortest:
            from mistakebound.learners.tree.shortest import shortest_of
            from mistakebound.theory.interval import Deadline

            self.shortest = shortest_of(self.table, self.codes, self.classes, Deadline(options.timeout))

    def errors(self, held: Labelled | None, by: Any = None) -> dict[str, int] | None:
        """The mistakes of the tree, or of the rules, on some rows."""
        if held is None:
            return None
        table, codes = held
        said = self.learner.predict_table(table) if by is None else by.codes(table)
        return {"rows": table.rows, "mistakes": int(np.count_nonzero(said != codes))}

    @property
    def nodes(self) -> int | None:
        """How many are shown."""
        asked = self.options.nodes
        return NODES if asked is None else asked or None

    def write(self) -> None:
        """The files that were asked for."""
        options, learner = self.options, self.learner
        for form, path in (("svg", options.svg), ("dot", options.dot)):
            if path is not None:
                _write(path, form, self.drawn(form))
        if options.model is not None:
            learner.save(options.model, reader=self.reader)
        if options.plot is not None:
            self._plot()

    def drawn(self, form: str) -> str:
        from mistakebound.report.decision_tree import sketch_decision_tree
        from mistakebound.report.drawing import draw

        tree = self.learner.tree
        path = [] if self.options.row is None else tree.path(self.table, self.options.row - 1)
        sketch = sketch_decision_tree(tree, self.learner.schema, self.classes, nodes=self.nodes, path=path)
        return draw(sketch, form)

    def _plot(self) -> None:
        from mistakebound.report.tree_curves import draw_tree_curves

        training, validation = self.training, self.validation
        learner = self.learner
        if validation is None:  # for the curves alone: the tree that is shown and saved has seen all rows
            training, validation = self._parted(_HELD)
            learner = self.grown(*training)
        whole = self.grown(*training, prune=None)
        fractions = learner.settings["missing"] == "fractions"
        growing = size_curve(whole.tree, training, validation, fractions=fractions)
        with _Watch("learning curve") as watch:
            learning = learning_curve(self.grown, training, validation, seed=self.options.seed, watch=watch.update)
        pruned = None
        if learner.settings["prune"] is not None:
            right = float(np.mean(learner.predict_table(validation[0]) == validation[1]))
            pruned = learner.settings["prune"], learner.tree.size, right
        title = f"{', '.join(self.options.files)}: {self.learner!r}"
        draw_tree_curves(self.options.plot, learning, growing, title=title, pruned=pruned)


class _Watch:
    """A bar for long work, where somebody looks."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._bar: Any = None

    def __enter__(self) -> _Watch:
        return self

    def update(self, done: int, of: int) -> None:
        if self._bar is None and sys.stderr is not None and sys.stderr.isatty():
            from mistakebound.cli.progress import Count

            self._bar = Count(self._title, of)
        if self._bar is not None:
            self._bar.update(done)

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _parameters(options: Namespace) -> dict[str, Any]:
    declared = {parameter.name: parameter for parameter in DecisionTree.parameters}
    given: dict[str, Any] = {}
    for name, text in pairs("--set", options.settings):
        if name not in declared:
            raise BadParameter(f"{name} is not a parameter of decision-tree: {', '.join(declared)}")
        given[name] = declared[name].parse(text)
    if options.prune is not None:
        if given.setdefault("prune", options.prune) != options.prune:
            raise BadParameter(f"--prune must agree with --set prune={given['prune']}: {options.prune!r}")
        given["prune"] = None if options.prune == "none" else options.prune
    return given


def _costs(options: Namespace, parameters: dict[str, Any]) -> dict[str, float] | None:
    if not options.costs:
        return None
    if parameters.get("cost") is None:
        words = ", ".join(options.costs)
        raise BadParameter(f"--cost must come with --set cost=tan_schlimmer or --set cost=nunez: {words}")
    costs = {}
    for column, text in pairs("--cost", options.costs):
        try:
            costs[column] = float(text)
        except ValueError:
            raise BadParameter(f"the cost of {column!r} must be a number > 0: {text!r}") from None
    return costs


def _write(path: str, form: str, text: str) -> None:
    from mistakebound.core.whole_file import WholeFile

    with WholeFile(path, sync=False, kind=form) as file:
        file.write(text.encode() + b"\n")
