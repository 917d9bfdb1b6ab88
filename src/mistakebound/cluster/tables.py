"""Learners of whole tables on a cluster: what ranges have counted is added up, to the bits of one machine."""

from __future__ import annotations

from types import SimpleNamespace

from mistakebound.arena.stream_labels import refuse_measurements
from mistakebound.cluster.answers import measured, refuse_weights
from mistakebound.cluster.engine import Shared
from mistakebound.cluster.mixture import ClusterPoints
from mistakebound.cluster.splits import cut_files
from mistakebound.cluster.trees import ClusterRows, labelled_range
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io.formats import unmatched_by_columns
from mistakebound.io.table_file import first_settings
from mistakebound.model.model import Model, RowSchema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.cluster.engine import Engine
    from mistakebound.io.ranges import FileRange
    from mistakebound.report.confusion import Confusion

_COUNTED = ("naive-bayes", "decision-tree", "gaussian-means")


class CountedTraining:
    """What is learned from one table that nobody holds whole; it has the face of `TableTraining`.

    Options of that which are not named here are refused.
    """

    def __init__(
        self,
        engine: Engine,
        learner: Any,
        files: list[Any],
        settings: dict[str, Any],
        *,
        label: str | None = None,
        options: dict[str, Any] | None = None,
        spell: Callable[[str], str] = str,
        **refused: Any,
    ) -> None:
        if learner.name not in _COUNTED:
            raise BadParameter(f"{learner.name} cannot be learned on a cluster; of tables {', '.join(_COUNTED)} can")
        for name, value in refused.items():
            if value:
                raise BadParameter(f"{spell(name)} is not supported for {learner.name} on a cluster")
        self._engine = engine
        self.learner = learner
        self.label = label
        self.options = options or {}
        points = learner.takes == "points"
        self.settings, said = first_settings(files[0], settings, unlabelled_ok=points)
        refuse_weights(self.settings)
        self.remarks = [engine.in_words(), *said]
        self.remarks += [f"ignore: nothing is called {name!r}" for name in unmatched_by_columns(self.settings)]
        lists = cut_files(engine, files, self._reading)
        self.ranges: list[FileRange] = [part for ranges in lists for part in ranges]
        self.rows = 0
        self.columns: tuple[str, ...] = ()
        self.parts: dict[str, Any] = {}
        self.classes: tuple[Any, ...] = ()

    @property
    def _reading(self) -> dict[str, Any]:
        return self.settings | {"remembered": True}

    def learn(self, watch: Callable[[int, int, str], None] | None = None) -> None:
        """Learn; `watch(done, of, text)` hears how many ranges are counted."""
        if self.learner.name == "decision-tree":
            rows = ClusterRows(self._engine, self.ranges, self._reading)
            refuse_measurements(rows.classes, self.ranges[0].name)
            self.learner.label = self.label
            self.learner.fit_elsewhere(rows.table, rows.classes, lambda how: rows.grow(how, watch), **self.options)
            self.rows, self.columns, self.classes = rows.rows, rows.table.names, rows.classes
            self.parts["training"] = None
            return
        if self.learner.takes == "points":
            self.rows, self.columns = ClusterPoints(self._engine, self.ranges, self._reading).fit(
                self.learner, self.options
            )
            return
        done = 0

        def counted(number: int, found: Any) -> None:
            nonlocal done
            done += 1
            if watch is not None:
                watch(done, len(self.ranges), " ranges")

        fresh = Shared(self.learner)
        tasks = [(part, self._reading, fresh) for part in self.ranges]
        total: Any = None
        for found, rows, columns in self._engine.run(count_range, tasks, counted):
            self.rows += rows
            self.columns = self.columns or columns
            if found is not None:
                total = found if total is None else total.merge(found)
        if total is None:
            raise BadData("there are no rows to learn from", source=str(self.ranges[0].name))
        refuse_measurements(total.classes, self.ranges[0].name)
        total.label = self.label
        self.learner, self.classes = total, total.classes
        self.parts["training"] = None

    @property
    def cluster(self) -> dict[str, Any]:
        """Who has learned."""
        return self._engine.facts() | {"ranges": len(self.ranges)}

    def measure(self, name: str) -> Confusion | None:
        """How good the learner is on the rows that it has learned; None for any other part."""
        if name not in self.parts:
            return None
        found: Confusion = measured(self._engine, self.model(), [[part] for part in self.ranges], self._reading)
        return found

    @property
    def table(self) -> SimpleNamespace:
        """What a report says of the table."""
        return SimpleNamespace(rows=self.rows, columns=self.columns, names=self.columns)

    def model(self) -> Model:
        return Model(self.learner, RowSchema(self.settings))


def table_learning(engine: Engine) -> Callable[..., Model]:
    """What learns a table on a cluster, in the place of `learn_table`."""

    def learn(learner: Any, source: Any, files: list[Any], label: str | None, reading: Any, **how: Any) -> Model:
        training = CountedTraining(engine, learner, files, reading, label=label, **how)
        training.learn()
        return training.model()

    return learn


def count_range(part: FileRange, settings: dict[str, Any], fresh: Any) -> tuple[Any, int, tuple[str, ...]]:
    """A learner that has counted the rows of a range (None: it has no rows), their number, and the columns."""
    table, classes, codes = labelled_range(part, settings)
    if not table.rows:
        return None, 0, table.names
    learner = fresh.copy()
    learner.fit_codes(table, codes, classes)
    return learner, table.rows, table.names
