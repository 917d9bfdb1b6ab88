"""Prediction and evaluation on a cluster: the answers of one machine, in file order, to the bit."""

from __future__ import annotations

from mistakebound.cluster.engine import Engine, Shared, places
from mistakebound.cluster.splits import cut_files
from mistakebound.cluster.tasks import measure_ranges, predict_ranges
from mistakebound.core.errors import BadParameter
from mistakebound.model.prediction import PairCounts
from mistakebound.model.sources import files_of, settings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.io.ranges import FileRange
    from mistakebound.model.model import Model

RANGE_BYTES = 1 << 25  # of a range at most, where it can be cut


def _cut(engine: Engine, model: Model, source: Any) -> tuple[list[list[FileRange]], dict[str, Any]]:
    files = files_of(source)
    if files is None or model.schema is None:
        raise BadParameter("client needs files that every worker can read, and a model that was learned from files")
    files = places(files)
    settings = settings_of(model, files)
    paths = list(map(str, files))
    size = sum(part.size or 0 for part in cut_files(engine, paths, settings, 1)[0])
    return cut_files(engine, paths, settings, max(1, -(-size // RANGE_BYTES))), settings


def predict(model: Model, source: Any, client: Any) -> list[Any]:
    """The labels of all rows of files, in their order."""
    engine = Engine(client)
    lists, _ = _cut(engine, model, source)
    shared = Shared(model)
    found = engine.run(predict_ranges, [(parts, shared) for parts in lists])
    return [label for labels in found for label in labels]


def evaluate(model: Model, source: Any, client: Any) -> Any:
    """The measures of a model on labelled files."""
    engine = Engine(client)
    if model.learner.costs if model.learner.takes == "rows" else False:
        raise BadParameter("a model with costs is not measured on a cluster: sums of costs depend on the order of rows")
    lists, settings = _cut(engine, model, source)
    if settings.get("weights"):
        raise BadParameter(
            f"weights are not supported on a cluster, because their sums depend on the order of rows: "
            f"{settings['weights']!r}"
        )
    return measured(engine, model, lists, settings)


def measured(engine: Engine, model: Model, lists: list[list[FileRange]], settings: dict[str, Any]) -> Any:
    """The measures on ranges, added up."""
    shared = Shared(model)
    found = engine.run(measure_ranges, [(parts, settings, shared) for parts in lists])
    total = found[0]
    for other in found[1:]:
        total.merge(other)
    return total.measures(model) if isinstance(total, PairCounts) else total
