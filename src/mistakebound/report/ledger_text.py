"""A ledger told in words and as data: what `learn`, `play` and `demo` have in common."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from mistakebound.core.ledger import Ledger
    from mistakebound.core.theorem import Bound, Theorem

LISTED = 1000  # labels, and pairs of them, in JSON


def ledger_facts(learner: Any, ledger: Ledger, window: int | None = None) -> dict[str, Any]:
    """For machines; `window` is that of the recent error."""
    bound = ledger.bound
    said = learner_facts(learner) | {
        "trials": ledger.trials,
        "mistakes": ledger.mistakes,
        "false_positives": ledger.false_positives,
        "false_negatives": ledger.false_negatives,
        "error_rate": ledger.error_rate,
        "weighted": weights_as_json(ledger),
        "certificate": None if (found := ledger.certificate()) is None else found.as_json(),
        "recent": recent_as_json(ledger, window),
        "bound": None if bound is None else bound.value,
        "vacuous": ledger.vacuous,
        "theorem": None if bound is None else bound.as_json(),
        "verdict": {"kind": ledger.verdict.kind, "text": str(ledger.verdict), "trial": ledger.refuted_at},
        "attributes": len(learner.attributes),
    }
    return said | labels_facts(learner) | _many(ledger)


def labels_facts(learner: Any) -> dict[str, Any]:
    """The labels, of very many the first; then how many others there are."""
    values = list(learner.labels.values)
    more = {"labels_left_out": len(values) - LISTED} if len(values) > LISTED else {}
    return {"labels": values[:LISTED]} | more


def learner_facts(learner: Any) -> dict[str, Any]:
    """The learner with its parameters, and the transforms before it, the first one first."""
    transforms = []
    while learner.inner is not None:
        transforms.append({"name": learner.name, **learner.settings, "features": len(learner.inner.attributes)})
        learner = learner.inner
    facts = {"learner": learner.name, "parameters": learner.settings}
    return facts | {"transforms": transforms} if transforms else facts


def _many(ledger: Ledger) -> dict[str, Any]:
    """What there is to say of more than two labels."""
    if not ledger.labels.many:
        return {}
    found = ledger.confusion
    if len(found) > LISTED:  # the most frequent mistakes
        wrong = [pair for pair in found if pair[0] != pair[1]]
        shown = sorted(wrong, key=lambda pair: -found[pair])[:LISTED]
    else:
        shown = [*found]
    more = {"confusion_left_out": len(found) - len(shown)} if len(found) > len(shown) else {}
    confusion = [[*pair, found[pair]] for pair in shown]
    of_a_pair = {"false_positives": None, "false_negatives": None}
    return of_a_pair | {"abstentions": ledger.abstentions, "confusion": confusion} | more


def attributes_in_words(learner: Any) -> str:
    """How many have appeared, and what transforms have made of them."""
    said = f"{len(learner.attributes):,} seen" + (
        "" if len(learner.attributes) else ": to the learner all rows are alike"
    )
    while learner.inner is not None:
        learner = learner.inner
        if learner.unit != "attribute":
            said += f", from which came {len(learner.attributes):,} {learner.unit}s"
    return said


def recent_as_json(ledger: Ledger, window: int | None = None) -> dict[str, Any]:
    trials, errors = ledger.recent(window)
    return {"trials": trials, "errors": errors, "error_rate": errors / trials if trials else 0.0}


def recent_in_words(ledger: Ledger, window: int | None = None) -> str:
    trials, errors = ledger.recent(window)
    counted = f"{errors:,} error{'s' * (errors != 1)} in the last {trials:,} trial{'s' * (trials != 1)}"
    return f"{counted} ({100 * errors / max(1, trials):.2f} %)"


def mistakes_and_error(ledger: Ledger) -> list[tuple[str, str]]:
    """The lines of a report that say how many mistakes there were, and what that proves."""
    found = ledger.certificate()
    proved = [] if found is None or not ledger.trials else [("error", f"{found}, valid at all times")]
    return [("mistakes", count_of_mistakes(ledger)), *weights_in_words(ledger), *proved]


def weights_in_words(ledger: Ledger) -> list[tuple[str, str]]:
    """The line that counts mistakes by their weights, where these are not all 1."""
    if not ledger.weighted:
        return []
    share = f"{100 * ledger.weighted_error_rate:.2f} %"
    return [("by weight", f"{ledger.weighted_mistakes:.8g} of {ledger.weighted_trials:.8g} ({share})")]


def threshold_in_words(ledger: Ledger) -> list[tuple[str, str]]:
    """Which score says "positive", and what that came to, each row by the threshold of the rows before it."""
    found = ledger.threshold
    if found is None:
        return []
    value, positive = found.value, ledger.labels.text(1)
    where = "the learner's own" if value is None else f"{positive} where the score is above {value:.6g}"
    said = [("threshold", where + ("" if found.aim is None else f", for the best {_AIMS[found.aim]}"))]
    if any(found.counts):
        by = [_quality(found.aim, counts) for counts in (found.counts, found.own_counts)]
        said.append(("before each label", f"{by[0]}; by the learner's own threshold {by[1]}"))
    return said


_AIMS = {"f1": "F1", "cost": "cost", "accuracy": "accuracy"}


def _quality(aim: str | None, counts: list[float]) -> str:
    """F1 with precision and recall, the cost of all mistakes, or the share of right answers."""
    nn, np, pn, pp = counts
    if aim == "cost":
        return f"a cost of {np + pn:.6g}"
    if aim == "accuracy":
        return f"{100 * (nn + pp) / (nn + np + pn + pp):.2f} % right"
    f1, precision, recall = (
        part / whole if whole else 0.0 for part, whole in ((2 * pp, 2 * pp + np + pn), (pp, pp + np), (pp, pp + pn))
    )
    return f"F1 {f1:.4f} (precision {precision:.4f}, recall {recall:.4f})"


def threshold_as_json(ledger: Ledger) -> dict[str, Any] | None:
    found = ledger.threshold
    if found is None:
        return None
    names = "true_negatives", "false_positives", "false_negatives", "true_positives"
    return {
        "value": found.value,
        "maximize": found.aim,
        "before_each_label": dict(zip(names, found.counts, strict=True)),
        "by_own_threshold": dict(zip(names, found.own_counts, strict=True)),
    }


def weights_as_json(ledger: Ledger) -> dict[str, float] | None:
    if not ledger.weighted:
        return None
    return {
        "trials": ledger.weighted_trials,
        "mistakes": ledger.weighted_mistakes,
        "error_rate": ledger.weighted_error_rate,
    }


def count_of_mistakes(ledger: Ledger) -> str:
    if ledger.labels.many:
        unknown = f", and {ledger.abstentions:,} row{'s' * (ledger.abstentions != 1)} before any label was known"
        return (
            f"{ledger.mistakes:,}{unknown if ledger.abstentions else ''} ({100 * ledger.error_rate:.2f} %) "
            f"among {len(ledger.labels.values):,} labels"
        )
    return (
        f"{ledger.mistakes:,} ({100 * ledger.error_rate:.2f} %): "
        f"{false_in_words(ledger.false_positives, ledger.false_negatives)}"
    )


def false_in_words(positives: int, negatives: int) -> str:
    """Both kinds of mistakes on two labels.

    >>> false_in_words(1, 0)
    '1 false positive, 0 false negatives'
    """
    return f"{positives:,} false positive{'s' * (positives != 1)}, {negatives:,} false negative{'s' * (negatives != 1)}"


def bound_in_words(bound: Bound | None, ledger: Ledger | None = None) -> str:
    """`419 by Theorem 7 (Littlestone 1988): mistakes <= ...`, or why there is no bound; also where it says nothing."""
    if bound is None:
        return "none, because nothing is assumed about the target"
    if bound.value is None or bound.theorem is None:
        return f"none: {bound.failed}"
    allowed = bound.allowance if (bound.mistakes or 0) < 0 else f"{bound.mistakes:,}"
    vacuity = "" if ledger is None else ledger.vacuity
    return f"{allowed} by {name_of_theorem(bound.theorem)}{vacuity}: {bound.theorem.statement}"


def name_of_theorem(theorem: Theorem) -> str:
    """With its source, and nothing twice: `Littlestone 1988, Theorem 7`."""
    return theorem.source if theorem.source.endswith(theorem.name) else f"{theorem.name} ({theorem.source})"


def found_among_heaviest(learner: Any, relevant: Iterable[str]) -> list[str]:
    """Those of the relevant attributes that are among as many attributes of largest weight."""
    wanted = list(relevant)
    heaviest = {name for name, weight in learner.top(len(wanted)) if weight}
    return [name for name in wanted if name in heaviest]
