"""How good a model is on labelled rows; the model stays as it is."""

from __future__ import annotations

from array import array

from mistakebound.core.complaints import locate
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.labels import Labels, meaning
from mistakebound.core.ledger import Ledger
from mistakebound.kernels import tally
from mistakebound.model.model import of_table, refuse_without_labels, refuse_without_rows
from mistakebound.model.prediction import run_stream
from mistakebound.model.sources import labelled_in_memory
from mistakebound.report.measures import Measures, RankSums

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.model.model import Model
    from mistakebound.report.confusion import Confusion


def evaluate(
    model: Model,
    source: Any,
    *,
    settings: dict[str, Any] | None = None,
    threads: int | None = None,
    watch: Callable[[Any, Any], Any] | None = None,
) -> Measures | Confusion:
    """The measures of a model on a source of labelled rows; parameters as of `predict_blocks`."""
    learner = model.learner
    if isinstance(source, tuple) and len(source) == 2 and model.schema is None and learner.takes == "rows":
        return _of_arrays(learner, *source)
    files, own = labelled_in_memory(model, source)
    settings = own if settings is None else settings
    if of_table(learner):
        from mistakebound.model.table_rows import evaluate_table

        return evaluate_table(model, files, settings)
    refuse_without_rows(learner, str(files[0]))
    if learner.labels.many:
        refuse_without_labels(learner, str(files[0]))
        return _of_many(learner, files, settings, threads, watch)
    ledger, ranks = Ledger(Labels.restore(learner.labels.state())), RankSums()

    def handle(block: Block) -> None:
        codes = known_codes(learner, block)
        predictions, scores = array("b", bytes(block.rows)), array("d", bytes(8 * block.rows))
        learner.predict_block(block, predictions, scores)
        ledger.record_codes(codes, predictions, 0, block.rows)
        ranks.add(codes, scores)

    run_stream(files, settings, handle, counted=ledger, threads=threads, watch=watch)
    return Measures(ledger.counts(), ranks.area(), [learner.labels.text(code) for code in (0, 1)])


def _of_many(learner: Any, files: list[Any], settings: dict[str, Any], threads: int | None, watch: Any) -> Confusion:
    import numpy as np

    from mistakebound.report.confusion import Confusion

    none = np.empty(0, np.int64)
    found = Confusion([learner.labels.text(code) for code in range(len(learner.labels.values))], none, none)

    def handle(block: Block) -> None:
        codes, predictions = known_codes(learner, block), array("b", bytes(block.rows))
        learner.predict_block(block, predictions)
        found.add(np.frombuffer(codes, np.int8), np.frombuffer(predictions, np.int8))

    run_stream(files, settings, handle, counted=found, threads=threads, watch=watch)
    return found


def _of_arrays(learner: Any, X: Any, y: Any) -> Measures | Confusion:
    """The measures on arrays, as the learner takes them."""
    import numpy as np

    codes = np.array([learner.labels.known(label) for label in y], np.int64)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise BadData(f"label {y[row]!r} is not one of the model's", row=row)
    said = np.array([learner.labels.known(label) for label in learner.predict_many(X).tolist()], np.int64)
    if len(said) != len(codes):
        raise BadParameter(f"X has {len(said)} rows and y {len(codes)} labels")
    names = [learner.labels.text(code) for code in range(len(learner.labels.values))]
    if learner.labels.many:
        from mistakebound.report.confusion import Confusion

        return Confusion(names, codes, said)
    ranks = RankSums()
    ranks.add(codes, learner.score_many(X))
    counts = np.bincount(2 * codes + said, minlength=4).tolist()
    return Measures(counts, ranks.area(), names)


def known_codes(learner: Any, block: Block) -> array[int]:
    """The code of each row's label; one that the model does not know is bad data, and never becomes known here."""
    known = {meaning(value): code for code, value in enumerate(learner.labels.values)}
    table = array("b", [known.get(meaning(token.decode()), -1) for token in block.label_tokens])
    codes = array("b", bytes(block.rows))
    if block.tokens is None or tally.translate(block.tokens, table, block.rows, codes) < 0:
        raise BadData("the rows have no labels", source=block.source)
    if -1 in codes:
        row = codes.index(-1)
        error = BadData("the row has no label")
        if block.tokens[row] >= 0:
            label = block.label_tokens[block.tokens[row]].decode(errors="backslashreplace")
            names = [learner.labels.text(code) for code in range(len(learner.labels.values))]
            listed = f"{', '.join(names[:-1])} and {names[-1]}"
            error = BadData(f"label {label!r} is not one of the model's, {listed}")
        locate(error, block, row)
        raise error
    return codes
