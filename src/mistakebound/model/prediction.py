"""The labels of the rows of a source, block by block."""

from __future__ import annotations

from array import array

from mistakebound.core.errors import BadData
from mistakebound.io import open_stream
from mistakebound.io.formats import TABLES
from mistakebound.io.pipeline import run, threads_for
from mistakebound.model.model import of_table, refuse_without_labels, refuse_without_rows
from mistakebound.model.sources import files_of, frame_in_memory, is_frame, is_matrix, settings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.model.model import Model

    # block, how many of its rows have an answer, their codes, their scores (None: not asked for)
    Taker = Callable[[Block, int, array[int], array[float] | None], object]


def predict(model: Model, source: Any) -> list[Any]:
    """The labels of all rows, in their order."""
    learner, files = model.learner, files_of(source)
    if learner.takes == "table" or (of_table(learner) and (files or is_frame(source))):
        from mistakebound.model.table_rows import predict_all

        return predict_all(model, source, files)
    if files is None and is_frame(source) and model.schema is not None:
        if model.schema.format not in TABLES:
            return [model.predict_one(row) for row in frame_in_memory(source).rows()]
        files = [frame_in_memory(source)]
    if files is not None and learner.takes == "rows":
        labels: list[Any] = []
        predict_blocks(
            model, files, lambda block, rows, codes, scores: labels.extend(map(namer(learner), codes[:rows]))
        )
        return labels
    if model.schema is None and (is_matrix(source) or is_frame(source)):
        said: list[Any] = learner.predict_many(source).tolist()
        return said
    return [model.predict_one(row) for row in source]


def predict_blocks(
    model: Model,
    files: list[Any],
    take: Taker,
    *,
    settings: dict[str, Any] | None = None,
    scores: bool = False,
    threads: int | None = None,
    counted: Any = None,
    watch: Callable[[Any, Any], Any] | None = None,
) -> None:
    """Call `take` with the codes of every block of rows, in file order.

    A bad row raises BadData after the rows before it were taken.  `settings` say how the files are read, by default as
    those that were learned.  `counted` and `watch` are as in `run_stream`.
    """
    learner = model.learner
    refuse_without_rows(learner, str(files[0]))
    refuse_without_labels(learner, str(files[0]))

    def handle(block: Block) -> None:
        codes = array("b", b"\xff" * block.rows)
        found = array("d", bytes(8 * block.rows)) if scores else None
        try:
            learner.predict_block(block, codes, found)
        except BadData:
            take(block, codes.index(-1), codes, found)
            raise
        take(block, block.rows, codes, found)

    own = settings_of(model, files) if settings is None else settings
    run_stream(files, own, handle, counted=counted, unlabelled_ok=True, threads=threads, watch=watch)


def namer(learner: Any) -> Callable[[int], Any]:
    """A function from codes to labels; None for a class that has no name yet."""
    labels = learner.labels
    if not labels.many:
        name: Callable[[int], Any] = labels.name
        return name
    values = labels.values
    return lambda code: None if code < 0 else values[code]


def run_stream(
    files: list[Any],
    settings: dict[str, Any],
    handle: Callable[[Block], object],
    *,
    counted: Any = None,
    unlabelled_ok: bool = False,
    threads: int | None = None,
    watch: Callable[[Any, Any], Any] | None = None,
) -> None:
    """Call `handle` for every block of the files, in their order.

    `watch` is given the reader and what counts the rows (`counted`); what it gives back, unless that is None, has
    `update`, called after every block, and `close`.
    """
    with open_stream(files, settings, unlabelled_ok=unlabelled_ok) as reader:
        show = None if watch is None else watch(reader, counted)

        def handle_and_show(block: Block) -> None:
            handle(block)
            if show is not None:
                show.update()

        try:
            run(reader, handle_and_show, threads_for(reader, threads))
        finally:
            if show is not None:
                show.close()
