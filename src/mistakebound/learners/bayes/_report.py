"""What naive Bayes has learned, in words: the strongest evidence, and why a row gets its class."""

from __future__ import annotations

from array import array
from math import exp, inf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.learners.bayes._evidence import Evidence
    from mistakebound.learners.bayes.naive_bayes import NaiveBayes

_WHAT = {"nominal": "nominal attributes", "flags": "flags", "words": "words", None: "attributes"}
_WIDEST = 40


def lines(learner: NaiveBayes, top: int) -> list[str]:
    """The classes, and the values that speak most clearly for one of them."""
    count = len(learner.schema.columns) if learner.fitted else 0
    said = [f"{learner!r}: {len(learner.classes)} classes, {count:,} {_WHAT[learner.form]}"]
    said += [f"  {text}" for text in aligned(_class_rows(learner), "<>>")]
    found = learner.evidence(top)
    if found:
        said += ["", "strongest evidence: how much likelier a value is in its class than in all others"]
        rows = [("value", "speaks for", "times", "in it", "elsewhere", "count")]
        said += [f"  {text}" for text in aligned([*rows, *map(_row, found)], "<<>>>>")]
    zeros = learner.zero_estimates()
    if zeros:
        said += [f"m = 0: {zeros:,} estimates are 0, each of which rules its class out alone; take m > 0"]
    return said


def _class_rows(learner: NaiveBayes) -> list[tuple[str, ...]]:
    shares = [exp(share) for share in learner.log_priors()] if learner.classes else []
    counts = learner.class_counts.tolist()
    rows = [(str(c), f"{n:,.7g}", f"{p:.4f}") for c, n, p in zip(learner.classes, counts, shares, strict=True)]
    return [("class", "examples", "P(class)"), *rows]


def _row(one: Evidence) -> tuple[str, ...]:
    times = f"{one.times:,.2f}" if one.times < inf else "only here"
    return short(one.what), short(str(one.label)), times, f"{one.inside:.4f}", f"{one.outside:.4f}", f"{one.count:,.7g}"


def as_json(learner: NaiveBayes, top: int) -> dict[str, Any]:
    shares = [exp(share) for share in learner.log_priors()]
    return {
        "attributes": learner.form,
        "class_counts": learner.class_counts.tolist(),
        "class_probabilities": shares,
        "evidence": [one.as_json() for one in learner.evidence(top)],
        "zero_estimates": learner.zero_estimates(),
    }


def explain_row(learner: NaiveBayes, x: dict[str, Any]) -> list[str]:
    """The probabilities, and by how much each value speaks for the likeliest class against the next."""
    shares = learner.predict_proba_one(x)
    order = sorted(learner.classes, key=lambda label: -shares[label])
    said = [f"{order[0]} with probability {shares[order[0]]:.6f}"]
    said += [f"  {text}" for text in aligned([("class", "probability"), *((str(c), f"{shares[c]:.6f}") for c in order)], "<>")]
    if len(order) < 2:
        return said
    best, other = order[:2]
    said += ["", f"what speaks for {best} (times) against {other}; below 1 it speaks for {other}"]
    priors = dict(zip(learner.classes, learner.log_priors(), strict=True))
    rows = [("P(class)", _times(priors[best] - priors[other]), f"{exp(priors[best]):.4f}", f"{exp(priors[other]):.4f}")]
    terms = sorted(_terms(learner, x, best, other), key=lambda term: -abs(term[1]))
    for name, difference, inside, outside in terms:
        rows.append((short(name), _times(difference), f"{inside:.4f}", f"{outside:.4f}"))
    said += [f"  {text}" for text in aligned([("", "times", f"in {best}", f"in {other}"), *rows], "<>>>")]
    skipped = [name for name in x if x[name] is None or not _alone(learner, name, x[name])]
    if learner.form == "nominal" and skipped:
        said += [f"missing or never seen, and skipped: {', '.join(map(short, skipped))}"]
    return said


def _alone(learner: NaiveBayes, name: str, value: Any) -> array[float]:
    """The logs that one value adds, by class; empty when it says nothing."""
    scores = array("d", bytes(8 * len(learner.classes)))
    learner.add_logs({name: value}, scores)
    return scores if any(scores) else array("d")


def _terms(learner: NaiveBayes, x: dict[str, Any], best: Any, other: Any) -> list[tuple[str, float, float, float]]:
    """(value, log of how much likelier it is in the best class, its probability there, in the other)."""
    places = learner.classes.index(best), learner.classes.index(other)
    found = []
    for name, value in x.items():
        logs = _alone(learner, name, value) if value is not None else ()
        if logs:
            a, b = logs[places[0]], logs[places[1]]
            found.append((f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}", a - b, exp(a), exp(b)))
    return found


def _times(difference: float) -> str:
    return f"{exp(difference):,.4g}" if difference < 700 else "only here"


def short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."


def aligned(rows: list[tuple[str, ...]], sides: str) -> list[str]:
    """Columns as wide as their cells."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(sides))]
    return [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
        for row in rows
    ]
