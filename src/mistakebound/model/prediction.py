"""The labels of the rows of a source, block by block, and how good they are; the model stays as it is."""

from __future__ import annotations

import os
from array import array
from warnings import warn

from mistakebound.core.block import locate
from mistakebound.core.block_labels import no_codes, translate
from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.core.labels import Labels, meaning
from mistakebound.core.ledger import Ledger
from mistakebound.core.many_labels import listed
from mistakebound.core.weights import NO_COSTS, costs_by_code, importance_of
from mistakebound.io import open_stream
from mistakebound.io.formats import TABLES
from mistakebound.io.many_rows import batches
from mistakebound.io.reader import run, threads_for
from mistakebound.model.model import of_table, refuse_without_labels, refuse_without_rows
from mistakebound.model.probabilities import (
    block_probabilities,
    of_rows,
    positive_probabilities,
    predict_proba,
    why_none,
)
from mistakebound.model.sources import (
    check_known,
    files_of,
    frame_in_memory,
    is_frame,
    is_matrix,
    labelled_in_memory,
    settings_of,
    texts_for,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.model.model import Model
    from mistakebound.report.confusion import Confusion
    from mistakebound.report.measures import Measures
    from mistakebound.report.reliability import Reliability

    # block, how many of its rows have an answer, their codes, their scores (None: not asked for)
    Taker = Callable[[Block, int, array[int], array[float] | None], object]

_NO_SCORES = array("d")


def predict(model: Model, source: Any, say: Callable[[str], object] = warn) -> Any:
    """The labels of all rows, in their order: of a frame a column of its library, else a list.

    `say` is as in `run_stream`, for files.
    """
    texts = texts_for(model, source)
    files = files_of(source) if texts is None else None
    labels = _labels(model, source if texts is None else texts, files, say)
    if files is not None or not is_frame(source):
        return labels
    from mistakebound.io.frame import column_like

    if model.settings is not None:
        name = model.settings.get("label")
    else:
        name = model.learner.label if model.learner.takes == "table" else None
    return column_like(source, labels, name, model.labels)


def _labels(model: Model, source: Any, files: list[Any] | None, say: Callable[[str], object]) -> list[Any]:
    learner = model.learner
    if learner.takes == "table" or (of_table(learner) and (files or is_frame(source))):
        from mistakebound.model.table_rows import predict_all

        return predict_all(model, source, files, say)
    if files is None and is_frame(source) and model.schema is not None:
        if model.schema.format not in TABLES:
            return [model.predict_one(row) for row in frame_in_memory(source).rows()]
        files = [frame_in_memory(source)]
    if files is not None and learner.takes == "rows":
        _refuse_lines(files)
        labels: list[Any] = []
        predict_blocks(
            model, files, lambda block, rows, codes, scores: labels.extend(map(namer(learner), codes[:rows])), say=say
        )
        return labels
    if model.schema is None and (is_matrix(source) or is_frame(source)):
        check_known(learner, source)
        threshold = model.threshold
        if threshold is not None:
            return [learner.labels.name(int(score > threshold)) for score in learner.score_many(source).tolist()]
        said: list[Any] = learner.predict_many(source).tolist()
        return said
    said = []
    for rows in batches(source, model.settings):
        found = predict_together(model, rows)
        said += [model.predict_one(row) for row in rows] if found is None else found
    return said


def predict_together(model: Model, rows: Sequence[Any]) -> list[Any] | None:
    """The labels of raw rows that are read together; None where they must be read one by one, or one is invalid."""

    def named(block: Block, codes: array[int], scores: array[float]) -> list[Any]:
        decide(model.threshold, codes, scores, block.rows)
        return list(map(namer(model.learner), codes))

    found: list[Any] | None = of_rows(model, rows, named)
    return found


def _refuse_lines(files: list[Any]) -> None:
    """BadParameter for a list of texts none of which is a file: somebody takes it for a list of rows."""
    if len(files) > 1 and all(isinstance(name, str) and name != "-" and not os.path.exists(name) for name in files):
        what = "a list of texts is a list of files; lines that are not in a file go to predict_one, or are bytes"
        raise BadParameter(f"{shown(files[0])} is not a file: {what}")


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
    say: Callable[[str], object] = warn,
) -> None:
    """Call `take` with the codes of every block of rows, in file order.

    A bad row raises BadData after the rows before it were taken.  `settings` say how the files are read, by default as
    those that were learned.  `counted`, `watch` and `say` are as in `run_stream`.
    """
    learner, threshold = model.learner, model.threshold
    refuse_without_rows(learner, str(files[0]))
    refuse_without_labels(learner, str(files[0]))

    def handle(block: Block) -> None:
        codes = array(learner.labels.code_type, [-1]) * block.rows
        found = array("d", bytes(8 * block.rows)) if scores or threshold is not None else None
        try:
            learner.predict_block(block, codes, found)
        except BadData:
            rows = codes.index(-1)
            decide(threshold, codes, found, rows)
            take(block, rows, codes, found if scores else None)
            raise
        decide(threshold, codes, found, block.rows)
        take(block, block.rows, codes, found if scores else None)

    own = settings_of(model, files) if settings is None else settings
    run_stream(files, own, handle, counted=counted, unlabelled_ok=True, threads=threads, watch=watch, say=say)


def decide(threshold: float | None, codes: array[int], scores: array[float] | None, rows: int) -> None:
    """The codes of the first rows become those that another threshold than the learner's own gives."""
    if threshold is not None and scores is not None:
        codes[:rows] = array(codes.typecode, [score > threshold for score in scores[:rows]])


def namer(learner: Any) -> Callable[[int], Any]:
    """A function from codes to labels; None for a class that has no name yet."""
    name: Callable[[int], Any] = learner.labels.name
    return name


def run_stream(
    files: list[Any],
    settings: dict[str, Any],
    handle: Callable[[Block], object],
    *,
    counted: Any = None,
    unlabelled_ok: bool = False,
    threads: int | None = None,
    watch: Callable[[Any, Any], Any] | None = None,
    say: Callable[[str], object] = warn,
) -> None:
    """Call `handle` for every block of the files, in their order.

    `say` takes a line about columns that are not those which were learned.  `watch` is given the reader and what
    counts the rows (`counted`); what it gives back, unless that is None, has `update`, called after every block, and
    `close`.
    """
    with open_stream(files, settings, unlabelled_ok=unlabelled_ok) as reader:
        show = None if watch is None else watch(reader, counted)

        said = 0

        def handle_and_show(block: Block) -> None:
            nonlocal said
            for line in reader.assumed[said:]:
                said += 1
                say(line)
            handle(block)
            if show is not None:
                show.update()

        try:
            run(reader, handle_and_show, threads_for(reader, threads))
        finally:
            if show is not None:
                show.close()


def evaluate(
    model: Model,
    source: Any,
    *,
    settings: dict[str, Any] | None = None,
    threads: int | None = None,
    watch: Callable[[Any, Any], Any] | None = None,
    say: Callable[[str], object] = warn,
) -> Measures | Confusion:
    """The measures of a model on a source of labelled rows; parameters as of `predict_blocks`."""
    learner = model.learner
    if isinstance(source, tuple) and len(source) == 2 and model.schema is None and learner.takes == "rows":
        return _of_arrays(model, *source)
    if isinstance(source, tuple) and len(source) == 2 and learner.takes == "table" and is_matrix(source[0]):
        from mistakebound.model.table_rows import evaluate_arrays

        return evaluate_arrays(model, *source)
    files, own = labelled_in_memory(model, source)
    settings = own if settings is None else settings
    if of_table(learner):
        from mistakebound.model.table_rows import evaluate_table

        return evaluate_table(model, files, settings, say=say)
    found = count_stream(model, files, settings, threads=threads, watch=watch, say=say)
    return found.measures(model) if isinstance(found, PairCounts) else found


def count_stream(
    model: Model,
    files: list[Any],
    settings: dict[str, Any],
    *,
    threads: int | None = None,
    watch: Callable[[Any, Any], Any] | None = None,
    say: Callable[[str], object] = warn,
) -> PairCounts | Confusion:
    """What a model of rows says to the rows of files, counted; what is counted of other files can be added."""
    learner = model.learner
    refuse_without_rows(learner, str(files[0]))
    if learner.labels.many:
        refuse_without_labels(learner, str(files[0]))
        return _of_many(model, files, settings, threads, watch, say)
    found = PairCounts(model)
    costs = costs_by_code(learner.costs, learner.labels) if learner.costs else NO_COSTS
    threshold = model.threshold

    def handle(block: Block) -> None:
        codes = known_codes(learner, block)
        predictions, scores = no_codes(learner.labels, block.rows), array("d", bytes(8 * block.rows))
        learner.predict_block(block, predictions, scores)
        decide(threshold, predictions, scores, block.rows)
        found.ledger.record_codes(
            codes, predictions, 0, block.rows, importance_of(block.weights, codes, 0, block.rows, costs)
        )
        found.ranks.add(codes, scores)
        _add_probabilities(found.reliability, model, block, codes, scores)

    run_stream(files, settings, handle, counted=found.ledger, threads=threads, watch=watch, say=say)
    return found


class PairCounts:
    """What is counted of a model of two labels: rows by label and prediction, scores by label, probabilities."""

    __slots__ = ("ledger", "ranks", "reliability")

    def __init__(self, model: Model) -> None:
        from mistakebound.report.measures import RankSums

        self.ledger = Ledger(Labels.restore(model.learner.labels.state()))
        self.ranks = RankSums()
        self.reliability = _reliability(model)

    def merge(self, other: PairCounts) -> None:
        """Add the counts of other rows."""
        self.ledger.merge(other.ledger)
        self.ranks.merge(other.ranks)
        if self.reliability is not None and other.reliability is not None:
            self.reliability.merge(other.reliability)

    def measures(self, model: Model) -> Measures:
        from mistakebound.report.measures import Measures

        ledger, labels = self.ledger, model.learner.labels
        names = [labels.text(code) for code in (0, 1)]
        found = Measures(ledger.counts(), self.ranks.area(), names, self.reliability if ledger.trials else None)
        found.threshold = model.threshold
        if ledger.weighted:
            found.cost, found.weight = ledger.weighted_mistakes, ledger.weighted_trials
        return found


def _reliability(model: Model) -> Reliability | None:
    """To count how far probabilities can be trusted, of a model that has them."""
    if why_none(model) is not None:
        return None
    from mistakebound.report.reliability import Reliability

    return Reliability(len(model.labels))


def _add_probabilities(
    found: Reliability | None, model: Model, block: Block, codes: array[int], scores: array[float]
) -> None:
    if found is None:
        return
    if model.learner.many_classes:
        found.add(block_probabilities(model, block, block.rows, scores), codes)
    else:
        found.add_pair(positive_probabilities(model, scores), codes)


def _of_many(
    model: Model, files: list[Any], settings: dict[str, Any], threads: int | None, watch: Any, say: Any
) -> Confusion:
    import numpy as np

    from mistakebound.report.confusion import Confusion

    learner, none, reliability = model.learner, np.empty(0, np.int64), _reliability(model)
    found = Confusion([learner.labels.text(code) for code in range(len(learner.labels.values))], none, none)

    def handle(block: Block) -> None:
        codes, predictions = known_codes(learner, block), no_codes(learner.labels, block.rows)
        learner.predict_block(block, predictions)
        found.add(np.frombuffer(codes, codes.typecode), np.frombuffer(predictions, codes.typecode))
        _add_probabilities(reliability, model, block, codes, _NO_SCORES)

    run_stream(files, settings, handle, counted=found, threads=threads, watch=watch, say=say)
    found.reliability = reliability if found.trials else None
    return found


def _of_arrays(model: Model, X: Any, y: Any) -> Measures | Confusion:
    """The measures on arrays, as the learner takes them."""
    import numpy as np

    learner, reliability = model.learner, _reliability(model)
    codes = np.array([learner.labels.known(label) for label in y], np.int64)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise BadData(f"label {y[row]!r} is not one of the model's", row=row)
    threshold = model.threshold
    if threshold is None:
        said = np.array([learner.labels.known(label) for label in learner.predict_many(X).tolist()], np.int64)
    else:
        said = (learner.score_many(X) > threshold).astype(np.int64)
    if len(said) != len(codes):
        raise BadParameter(f"X has {len(said)} rows and y {len(codes)} labels")
    names = [learner.labels.text(code) for code in range(len(learner.labels.values))]
    if reliability is not None and len(codes):
        reliability.add(predict_proba(model, X).ravel(), codes.astype(np.int32))
    if learner.labels.many:
        from mistakebound.report.confusion import Confusion

        return Confusion(names, codes, said, reliability=reliability if len(codes) else None)
    from mistakebound.report.measures import Measures, RankSums

    ranks = RankSums()
    ranks.add(codes.astype(np.int8), np.ascontiguousarray(learner.score_many(X), np.float64))
    counts = np.bincount(2 * codes + said, minlength=4).tolist()
    found = Measures(counts, ranks.area(), names, reliability if len(codes) else None)
    found.threshold = threshold
    if learner.costs:
        costs = costs_by_code(learner.costs, learner.labels)
        found.cost = counts[1] * costs[0] + counts[2] * costs[1]
        found.weight = (counts[0] + counts[1]) * costs[0] + (counts[2] + counts[3]) * costs[1]
    return found


def known_codes(learner: Any, block: Block) -> array[int]:
    """The code of each row's label; one that the model does not know is bad data, and never becomes known here."""
    known = {meaning(value): code for code, value in enumerate(learner.labels.values)}
    kind = learner.labels.code_type
    table = array(kind, [known.get(meaning(token.decode()), -1) for token in block.label_tokens])
    codes = no_codes(learner.labels, block.rows)
    if block.tokens is None or translate(block.tokens, table, block.rows, codes) < 0:
        raise BadData("the rows have no labels", source=block.source)
    if -1 in codes:
        row = codes.index(-1)
        error = BadData("the row has no label")
        if block.tokens[row] >= 0:
            label = block.label_tokens[block.tokens[row]].decode(errors="backslashreplace")
            error = BadData(f"label {label!r} is not one of the model's, {listed(learner.labels)}")
        locate(error, block, row)
        raise error
    return codes
