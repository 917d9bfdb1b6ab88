"""A ledger told in words and as data: what `learn`, `play` and `demo` have in common."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from mistakebound.core.ledger import Ledger
    from mistakebound.core.theorem import Bound, Theorem


def ledger_facts(learner: Any, ledger: Ledger, window: int | None = None) -> dict[str, Any]:
    """For machines; `window` is that of the recent error."""
    bound = ledger.bound
    said = learner_facts(learner) | {
        "trials": ledger.trials,
        "mistakes": ledger.mistakes,
        "false_positives": ledger.false_positives,
        "false_negatives": ledger.false_negatives,
        "error_rate": ledger.error_rate,
        "recent": recent_as_json(ledger, window),
        "bound": None if bound is None else bound.value,
        "bound_is_empty": ledger.empty_bound,
        "theorem": None if bound is None else bound.as_json(),
        "verdict": {"kind": ledger.verdict.kind, "text": str(ledger.verdict), "trial": ledger.refuted_at},
        "attributes": len(learner.attributes),
        "labels": list(learner.labels.values),
    }
    return said | _many(ledger)


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
    confusion = [[label, guess, count] for (label, guess), count in ledger.confusion.items()]
    of_a_pair = {"false_positives": None, "false_negatives": None}
    return of_a_pair | {"abstentions": ledger.abstentions, "confusion": confusion}


def attributes_in_words(learner: Any) -> str:
    """How many have appeared, and what transforms have made of them."""
    said = f"{len(learner.attributes):,} seen"
    while learner.inner is not None:
        learner = learner.inner
        if learner.unit != "attribute":
            said += f", from which came {len(learner.attributes):,} {learner.unit}s"
    return said


def recent_as_json(ledger: Ledger, window: int | None = None) -> dict[str, Any]:
    trials, mistakes = ledger.recent(window)
    return {"trials": trials, "mistakes": mistakes, "error_rate": mistakes / trials if trials else 0.0}


def recent_in_words(ledger: Ledger, window: int | None = None) -> str:
    trials, mistakes = ledger.recent(window)
    return f"{mistakes:,} in the last {trials:,} trials ({100 * mistakes / max(1, trials):.2f} %)"


def count_of_mistakes(ledger: Ledger) -> str:
    if ledger.labels.many:
        unknown = f" and {ledger.abstentions:,} time{'s' * (ledger.abstentions != 1)} no label to say"
        return (
            f"{ledger.mistakes:,}{unknown if ledger.abstentions else ''} ({100 * ledger.error_rate:.2f} %) "
            f"among {len(ledger.labels.values):,} labels"
        )
    return (
        f"{ledger.mistakes:,} ({100 * ledger.error_rate:.2f} %): {ledger.false_positives:,} false positives, "
        f"{ledger.false_negatives:,} false negatives"
    )


def bound_in_words(bound: Bound | None, ledger: Ledger | None = None) -> str:
    """`419 by Theorem 7 (Littlestone 1988): mistakes <= ...`, or why there is none; also where it says nothing."""
    if bound is None:
        return "none, because nothing is assumed about the target"
    if bound.value is None or bound.theorem is None:
        return f"none: {bound.failed}"
    allowed = bound.allowance if (bound.mistakes or 0) < 0 else f"{bound.mistakes:,}"
    emptiness = "" if ledger is None else ledger.emptiness
    return f"{allowed} by {name_of_theorem(bound.theorem)}{emptiness}: {bound.theorem.statement}"


def name_of_theorem(theorem: Theorem) -> str:
    """With its source, and nothing twice: `Littlestone 1988, Theorem 7`."""
    return theorem.source if theorem.source.endswith(theorem.name) else f"{theorem.name} ({theorem.source})"


def found_among_heaviest(learner: Any, relevant: Iterable[str]) -> list[str]:
    """Those of the relevant attributes that are among as many attributes of largest weight."""
    wanted = list(relevant)
    heaviest = {name for name, weight in learner.top(len(wanted)) if weight}
    return [name for name in wanted if name in heaviest]
