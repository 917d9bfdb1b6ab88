"""`auto` as its share-weighted linear part: an approximation, whose agreement with the model is measured on rows."""

from __future__ import annotations

from array import array
from math import fsum

from mistakebound.core.calibration import CELLS, monotone
from mistakebound.core.errors import BadParameter
from mistakebound.learners.auto.linear_part import linear_part
from mistakebound.model.export.form import Curve, Cut, Expand, LinearForm, Scale
from mistakebound.model.export.inputs import inputs_of
from mistakebound.model.export.python_source import python_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.model.model import Model


def approximate_form(model: Model, rows: Any) -> LinearForm:
    """The linear part of `auto`, with the threshold and the curve that fit every other of these rows best.

    The agreement of the note is that on the other half of the rows.
    """
    if rows is None:
        raise BadParameter(
            "auto is exported as an approximation: give rows on which to measure how often it agrees, or learn "
            "with --fast, whose model is exported exactly"
        )
    learner = model.learner
    part = linear_part(learner)
    form = LinearForm(
        inputs_of(model, learner.attributes.names(), True), model.labels, "auto, its linear part", outputs=(1,),
        steps=(Cut(part.cuts), Scale(part.scales), Expand(2)),
        weights={tuple((name, False) for name in key): (weight,) for key, weight in part.weights.items()},
        biases=(part.bias,),
    )  # fmt: skip
    scores, shares = _on_rows(model, form, rows)
    if len(scores) < 2:
        raise BadParameter("there must be two rows at least on which to measure how often the export agrees")
    form.theta = _best_threshold(scores[::2], shares[::2])
    form.curves = (_curve(scores[::2], shares[::2], form.theta),)
    right = sum((score > form.theta) == (share > 0.5) for score, share in zip(scores[1::2], shares[1::2], strict=True))
    many = len(scores[1::2])
    form.note = (
        f"An approximation: the share-weighted linear part of auto. Its label is that of the model in {right:,} of "
        f"{many:,} rows ({100 * right / many:.1f} %), which were not used to choose its threshold."
    )
    return form


def _on_rows(model: Model, form: LinearForm, rows: Any) -> tuple[list[float], list[float]]:
    """Of each row the sum of the form, and the model's own probability of the second label."""
    from mistakebound.io.one_row import row_of
    from mistakebound.model.prediction import predict_blocks
    from mistakebound.model.sources import files_of, frame_in_memory, is_frame

    space: dict[str, Any] = {}
    exec(compile(python_source(form), "<export>", "exec"), space)  # the source is our own
    scores: list[float] = []
    shares: list[float] = []
    files = [frame_in_memory(rows)] if is_frame(rows) else files_of(rows)
    if files is None:
        rows = list(rows)
        for row in rows:
            instance = row if model.schema is None else model.schema.instance(row)
            scores.append(space["scores"](_mapping(model.learner, instance))[0])
            shares.append(model.predict_proba_one(row)[model.labels[1]])
        return scores, shares

    def take(block: Block, count: int, codes: array[int], found: array[float] | None) -> None:
        assert found is not None
        shares.extend(model.learner.score_probabilities(found[:count]))
        scores.extend(space["scores"](row_of(block, row))[0] for row in range(count))

    predict_blocks(model, files, take, scores=True)
    return scores, shares


def _mapping(learner: Any, instance: Any) -> dict[str, float]:
    read = learner.encode(instance).with_zeros()
    values = [1.0] * len(read.names) if read.values is None else list(read.values)
    return dict(zip(read.names, values, strict=True))


def _best_threshold(scores: list[float], shares: list[float]) -> float:
    """Where most rows are on the side that the model says; of equally good places the lowest."""
    order = sorted(zip(scores, shares, strict=True))
    right = sum(share > 0.5 for _, share in order)  # all are above
    best, theta = right, order[0][0] - 1.0
    for place, (score, share) in enumerate(order):
        right += 1 if share <= 0.5 else -1
        following = order[place + 1][0] if place + 1 < len(order) else score + 1.0
        if right > best and following > score:
            best, theta = right, (score + following) / 2
    return theta


def _curve(scores: list[float], shares: list[float], theta: float) -> Curve:
    """The mean probability of the model in each of 33 cells of scores, ascending."""
    mean = fsum(abs(score - theta) for score in scores) / len(scores)
    told, rows = [0.0] * CELLS, [0.0] * CELLS
    for score, share in zip(scores, shares, strict=True):
        far = score - theta
        cell = int(16 + 16 * (far / (mean + abs(far))) + 0.5) if mean > 0 else 16
        told[cell] += share
        rows[cell] += 1
    before = [0.02 + 0.96 * cell / (CELLS - 1) for cell in range(CELLS)]  # where there are no rows
    cells = monotone([t + 0.1 * b for t, b in zip(told, before, strict=True)], [count + 0.1 for count in rows])
    return Curve(mean, theta, tuple(cells))
