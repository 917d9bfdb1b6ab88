"""Linear models, conjunctions, disjunctions and decision lists as forms, with their transforms and labels."""

from __future__ import annotations

from mistakebound.core.calibration import CalibrationTable
from mistakebound.core.errors import BadParameter
from mistakebound.core.protocol import behind_transforms
from mistakebound.model.export.form import Curve, Expand, LinearForm, ListForm, Standardize, Start
from mistakebound.model.export.inputs import inputs_of
from mistakebound.model.probabilities import why_none

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.model.export.form import Key
    from mistakebound.model.model import Model

_WEIGHTS = ("weights", "literals", "disjunction")


def linear_form(model: Model) -> LinearForm:
    """The form of a model of two labels, or of one-vs-all over such."""
    learner = model.learner
    if learner.many_classes:
        labels = learner.learned()
        bases = [learner.base(label) for label in labels]
        codes = tuple(model.labels.index(label) for label in labels)
    else:
        bases, codes = [learner], (1,)
    _check(model, bases)
    parts = [_sum_of(base) for base in bases]
    keys = dict.fromkeys(key for weights, _ in parts for key in weights)
    steps = _steps(bases[0])
    for base in bases[1:]:
        if _steps(base) != steps:
            raise BadParameter("the labels of the model have different transforms, which cannot be exported as one")
    outer = bases[0]
    rule, theta = outer.decision
    if behind_transforms(outer)[0].readable == "literals" and not model.threshold:
        rule = ">=" if rule == ">" else ">"  # a score is the number of literals that fail, below 0
    if model.threshold is not None:
        rule, theta = ">", model.threshold
    inner, complement = behind_transforms(outer)
    names = outer.attributes.names()
    return LinearForm(
        inputs_of(model, names, outer.counts_zeros or any(isinstance(step, Standardize) for step in steps)),
        model.labels, inner.name, outputs=codes, steps=steps,
        weights={key: tuple(weights.get(key, 0.0) for weights, _ in parts) for key in keys},
        biases=tuple(bias for _, bias in parts), start=_start(inner, complement), rule=rule, theta=theta,
        curves=curves_of(model, codes, outer.decision[1]),
    )  # fmt: skip


def _check(model: Model, bases: list[Any]) -> None:
    """BadParameter for a learner whose hypothesis is not a sum over features."""
    if not bases:
        raise BadParameter("the model has not learned any label yet")
    for base in bases:
        learner, _ = behind_transforms(base)
        if learner.ensemble or learner.readable not in _WEIGHTS:
            hint = "; one of --fast can" if learner.readable == "mixture" else ""
            raise BadParameter(f"a model of {learner.name} cannot be exported: it is no sum over features{hint}")


def _sum_of(learner: Any) -> tuple[dict[Key, float], float]:
    """The weight of each feature, and the bias."""
    inner, complement = behind_transforms(learner)
    sign = -1.0 if complement else 1.0
    bias = 0.0
    if inner.readable == "literals":
        plain, negated = inner.literals() if inner.started else ((), ())
        weights = dict.fromkeys(plain, 1.0) | dict.fromkeys(negated, -1.0)
        weights |= {name: 0.0 for name in inner.attributes.names() if name not in weights}
        bias = -float(len(plain)) if inner.started else -1.0
    elif inner.readable == "disjunction":
        weights = dict.fromkeys(inner.attributes.names(), 0.0) | dict.fromkeys(inner.remaining(), 1.0)
    else:
        weights = inner.weights()
        bias = 0.0 if inner.multiplicative else inner.bias
    return {_key(learner, name): sign * weight for name, weight in weights.items()}, sign * bias


def _key(learner: Any, name: str) -> Key:
    """A feature of the innermost learner over attributes: a name, or the literals of a conjunction in order."""
    while learner.inner is not None:
        if learner.name == "expand":
            return tuple(sorted(learner.own_parts(name)))
        learner = learner.inner
    return name


def _steps(learner: Any) -> tuple[Standardize | Expand, ...]:
    found: list[Standardize | Expand] = []
    while learner.inner is not None:
        if learner.name == "standardize":
            found.append(Standardize(learner.tallies()))
        else:
            own = learner.settings
            found.append(Expand(own["cross"], tuple(learner.names.every()) if own["negate"] else ()))
        learner = learner.inner
    if len(found) == 2 and isinstance(found[0], Expand):
        raise BadParameter("standardised conjunctions cannot be exported; standardise first")
    return tuple(found)


def _start(inner: Any, complement: bool) -> Start | None:
    """What features count that have never appeared."""
    sign = -1.0 if complement else 1.0
    if inner.readable == "literals":
        return Start(-sign) if inner.started else None
    if inner.readable == "disjunction":
        return Start(sign)
    if not inner.multiplicative:
        return None
    return Start(sign * inner.first_start, None if inner.n is not None else len(inner.attributes))


def curves_of(model: Model, codes: tuple[int, ...], theta: float) -> tuple[Curve, ...] | None:
    """The calibration of each output; None for a model without probabilities."""
    if why_none(model) is not None:
        return None
    assert model.ledger is not None
    assert model.ledger.calibration is not None
    tables = model.ledger.calibration.tables
    found = [tables.get(code, CalibrationTable()) for code in codes]
    return tuple(Curve(table.means[0], theta, tuple(table.curve)) for table in found)


def list_form(model: Model) -> ListForm:
    """The form of a decision list: its rules by level and order, those left out that cannot fire."""
    learner = model.learner
    rules = sorted(
        (learner.level_of(str(j), on, label), 4 * j + 2 * (not on) + (1 - label), str(j), on)
        for j in range(1, learner.n + 1)
        for on in (True, False)
        for label in (1, 0)
    )
    x: dict[str, float] = {}  # an instance that no rule before fires for
    steps: list[tuple[str, bool, float]] = []
    asked: dict[str, bool] = {}
    for _, _, name, on in rules:
        if name in asked:
            if asked[name] != on:  # one of the two always fires
                break
            continue
        fires = {key: 1.0 for key, value in asked.items() if not value} | ({name: 1.0} if on else {})
        score = learner.score_one(fires)
        steps.append((name, on, score))
        asked[name] = on
        x = {key: 1.0 for key, value in asked.items() if not value}
    default = learner.score_one(x)
    return ListForm(
        inputs_of(model, learner.attributes.names(), False), model.labels, learner.name, steps=tuple(steps),
        default=default, curves=curves_of(model, (1,), learner.decision[1]),
    )  # fmt: skip
