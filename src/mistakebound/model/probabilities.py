"""The probability of every label for rows: a learner's own, or by the calibration that was counted in its run."""

from __future__ import annotations

from array import array

from mistakebound.core.block_labels import no_codes
from mistakebound.core.calibration import MOST_LABELS
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io.formats import TABLES
from mistakebound.io.many_rows import batches, read_rows
from mistakebound.model.model import of_table
from mistakebound.model.sources import check_known, files_of, frame_in_memory, is_frame, is_matrix, texts_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.model.model import Model


def why_none(model: Model) -> str | None:
    """Why a model has no probabilities, in one sentence; None where it has."""
    learner = model.learner
    if learner.probabilities:
        return None
    if of_table(learner):
        return f"{learner.name} does not support probabilities"
    if not learner.calibrated:
        return f"{learner.name} does not support probabilities: it plays its trials by another function"
    if model.ledger is None or model.ledger.calibration is None:
        return "the model has no probabilities, because its run did not count scores; learn it again"
    if len(learner.labels.values) > MOST_LABELS:
        return f"there are no probabilities of more than {MOST_LABELS:,} labels: {len(learner.labels.values):,}"
    return None


def check_probabilities(model: Model) -> None:
    """BadParameter for a model that has no probabilities."""
    why = why_none(model)
    if why is not None:
        raise BadParameter(why)


def block_probabilities(model: Model, block: Block, rows: int, scores: array[float]) -> array[float]:
    """Of the first rows of a block, whose scores these are: a number for every label, row after row."""
    learner, many = model.learner, model.learner.many_classes
    if not many:
        return _of_pair(model, scores[:rows])
    by_label = learner.label_scores(block, rows)
    return _of_many(model, by_label, rows)


def positive_probabilities(model: Model, scores: array[float]) -> array[float]:
    """Of a model of two labels: the probability of the second for each of these scores."""
    learner = model.learner
    if learner.probabilities:
        return learner.score_probabilities(scores)  # type: ignore[no-any-return]
    return _calibration(model).of_pair(scores, learner.decision[1])  # type: ignore[no-any-return]


def _of_pair(model: Model, scores: array[float]) -> array[float]:
    positive = positive_probabilities(model, scores)
    both = array("d", bytes(16 * len(positive)))
    both[::2], both[1::2] = array("d", [1.0 - p for p in positive]), positive
    return both


def _of_many(model: Model, by_label: dict[int, array[float]], rows: int) -> array[float]:
    """A label that has no learner yet has probability 0."""
    count = len(model.labels)
    shares = array("d", bytes(8 * rows * count))
    found = _calibration(model).of_many(by_label, model.learner.base_threshold)
    for code, values in found.items():
        shares[code::count] = values
    return shares


def _calibration(model: Model) -> Any:
    """That of a model which `check_probabilities` lets pass."""
    return model.ledger.calibration  # type: ignore[union-attr]


def predict_proba_one(model: Model, row: Any) -> dict[Any, float]:
    """Label to probability, for one raw row."""
    check_probabilities(model)
    learner = model.learner
    if of_table(learner):
        from mistakebound.model.table_rows import one_row

        if learner.takes == "points" and model.schema is None:
            return learner.predict_proba_one(row)  # type: ignore[no-any-return]
        return dict(zip(model.labels, learner.proba_table(one_row(model, row))[0].tolist(), strict=True))
    instance = row if model.schema is None else model.schema.instance(row)
    if learner.probabilities:
        return learner.predict_proba_one(instance)  # type: ignore[no-any-return]
    if not learner.many_classes:
        shares = _of_pair(model, array("d", (learner.score_one(instance),)))
    else:
        codes = {label: code for code, label in enumerate(model.labels)}
        scored = learner.scores_of_labels(instance)
        shares = _of_many(model, {codes[label]: array("d", (score,)) for label, score, _ in scored}, 1)
    return dict(zip(model.labels, shares, strict=True))


def predict_proba(model: Model, source: Any) -> Any:
    """An array of one row per row of the source and one column per label."""
    import numpy as np

    check_probabilities(model)
    texts = texts_for(model, source)
    source, files = (source, files_of(source)) if texts is None else (texts, None)
    learner, columns = model.learner, len(model.labels)
    if learner.takes == "table" or (of_table(learner) and (files or is_frame(source))):
        from mistakebound.model.table_rows import proba_all

        return proba_all(model, source, files)
    if files is None and is_frame(source) and model.schema is not None:
        if model.schema.format not in TABLES:
            return predict_proba(model, frame_in_memory(source).rows())
        files = [frame_in_memory(source)]
    if files is not None and learner.takes == "rows":
        from mistakebound.model.prediction import predict_blocks

        parts = [np.empty((0, columns))]

        def take(block: Block, rows: int, codes: array[int], scores: array[float] | None) -> None:
            assert scores is not None
            parts.append(np.array(block_probabilities(model, block, rows, scores)).reshape(rows, columns))

        predict_blocks(model, files, take, scores=True)
        return np.concatenate(parts)
    if model.schema is None and not learner.many_classes and (is_matrix(source) or is_frame(source)):
        check_known(learner, source)
        scores = array("d", learner.score_many(source).tolist())
        return np.array(_of_pair(model, scores)).reshape(len(scores), columns)
    found = array("d")
    for rows in batches(source.toarray() if hasattr(source, "toarray") else source, model.settings):
        shares = of_rows(
            model, rows, lambda block, codes, scores: block_probabilities(model, block, block.rows, scores)
        )
        if shares is None:
            shares = array("d", (p for row in rows for p in predict_proba_one(model, row).values()))
        found += shares
    return np.array(found).reshape(-1, columns)


def of_rows(model: Model, rows: Sequence[Any], take: Callable[[Block, array[int], array[float]], Any]) -> Any:
    """What `take` makes of raw rows that are read together: of their block, the codes of their labels and their scores.

    None where the rows must be read one by one, or one of them is invalid.
    """
    learner = model.learner
    if model.schema is None or learner.takes != "rows" or of_table(learner):
        return None
    try:
        with read_rows(rows, model.schema.settings, model.schema.readers) as block:
            if block is None:
                return None
            codes, scores = no_codes(learner.labels, block.rows), array("d", bytes(8 * block.rows))
            learner.predict_block(block, codes, scores)
            return take(block, codes, scores)
    except BadData:  # which of them it is, the row alone tells
        return None
