"""Prediction and evaluation on a cluster: the answers of one machine, in file order, to the bit."""

from __future__ import annotations

from warnings import warn

from mistakebound.cluster.engine import Engine, Shared, places
from mistakebound.cluster.splits import cut_files
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io.ranges import FileRange
from mistakebound.model.model import of_table
from mistakebound.model.prediction import PairCounts, count_stream
from mistakebound.model.prediction import predict as predict_files
from mistakebound.model.sources import files_of, settings_of
from mistakebound.model.table_rows import evaluate_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from mistakebound.model.model import Model

_BATCH = 4  # ranges for each worker whose text is kept at once


def _cut(
    engine: Engine, model: Model, source: Any, settings: dict[str, Any] | None, say: Callable[[str], object]
) -> tuple[list[list[FileRange]], dict[str, Any]]:
    files = files_of(source)
    if files is None or model.schema is None:
        raise BadParameter("client needs files that every worker can read, and a model that was learned from files")
    files = places(files)
    settings = settings or settings_of(model, files)
    return cut_files(engine, files, settings, say=say), settings


def predict(model: Model, source: Any, client: Any) -> list[Any]:
    """The labels of all rows of files, in their order."""
    engine = Engine(client)
    lists, _ = _cut(engine, model, source, None, warn)
    shared = Shared(model)
    found = engine.run(predict_ranges, [(parts, shared) for parts in lists])
    return [label for labels in found for label in labels]


def predicted_text(
    model: Model,
    source: Any,
    client: Any,
    settings: dict[str, Any],
    write: Callable[..., object],
    *,
    lines: bool,
    say: Callable[[str], object],
) -> Iterator[str]:
    """What `write(model, files, settings, say)` says of the rows of files, in their order.

    A bad row raises its error after what is said of the rows before it.  With `lines` it is told every row's line.
    `say` takes what is assumed about the columns of each file, as everywhere here.
    """
    engine = Engine(client)
    lists, settings = _cut(engine, model, source, settings, say)
    if lines:
        lists = _numbered(engine, lists)
    shared, together = Shared(model), _BATCH * engine.facts()["workers"]
    for first in range(0, len(lists), together):
        for text, error in engine.run(
            text_of_ranges, [(parts, settings, shared, write) for parts in lists[first : first + together]]
        ):
            yield text
            if error is not None:
                raise error


def _numbered(engine: Engine, lists: list[list[FileRange]]) -> list[list[FileRange]]:
    """Ranges with their lines counted, all at once."""
    parts = [part for ranges in lists for part in ranges]
    asked = [number for number, part in enumerate(parts[1:]) if part.line is None]
    newlines = dict(zip(asked, engine.run(FileRange.newlines, [(parts[number],) for number in asked]), strict=True))
    for number in asked:  # the part before is of the same file, and has its line by now
        parts[number + 1] = parts[number + 1].at_line((parts[number].line or 0) + newlines[number])
    rest = iter(parts)
    return [[next(rest) for _ in ranges] for ranges in lists]


def evaluate(
    model: Model,
    source: Any,
    client: Any,
    settings: dict[str, Any] | None = None,
    say: Callable[[str], object] = warn,
) -> Any:
    """The measures of a model on labelled files."""
    engine = Engine(client)
    if model.learner.takes == "rows" and model.learner.costs:
        raise BadParameter("a model with costs is not measured on a cluster: sums of costs depend on the order of rows")
    lists, settings = _cut(engine, model, source, settings, say)
    refuse_weights(settings)
    return measured(engine, model, lists, settings)


def refuse_weights(settings: dict[str, Any]) -> None:
    if settings.get("weights"):
        raise BadParameter(
            f"weights are not supported on a cluster, because their sums depend on the order of rows: "
            f"{settings['weights']!r}"
        )


def measured(engine: Engine, model: Model, lists: list[list[FileRange]], settings: dict[str, Any]) -> Any:
    """The measures on ranges, added up."""
    shared = Shared(model)
    found = engine.run(measure_ranges, [(parts, settings, shared) for parts in lists])
    total = found[0]
    for other in found[1:]:
        total.merge(other)
    if isinstance(total, PairCounts) and total.ledger.weighted:
        raise BadParameter(
            "rows with importance weights are not measured on a cluster: their sums depend on the order of rows"
        )
    return total.measures(model) if isinstance(total, PairCounts) else total


# What workers do.


def predict_ranges(parts: list[FileRange], model: Model) -> list[Any]:
    """The labels of the rows of some ranges; what is assumed about these the client has said, here as below."""
    return [label for part in parts for label in predict_files(model, part, _hush)]


def text_of_ranges(
    parts: list[FileRange], settings: dict[str, Any], model: Model, write: Callable[..., object]
) -> tuple[str, BadData | None]:
    """What is written of the rows of some ranges, up to a bad one, and its error."""
    said: list[str] = []
    try:
        write(model, parts, settings, said.append)
    except BadData as error:
        if any(part.line is None for part in parts):
            raise
        return "".join(said), error.with_traceback(None)
    return "".join(said), None


def measure_ranges(parts: list[FileRange], settings: dict[str, Any], model: Model) -> Any:
    """What is counted of a model on the rows of some ranges."""
    if of_table(model.learner):
        return evaluate_table(model, parts, settings, say=_hush)
    return count_stream(model, list(parts), settings, threads=1, say=_hush)


def _hush(line: str) -> None:
    pass
