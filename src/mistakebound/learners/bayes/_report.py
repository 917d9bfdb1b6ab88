"""What naive Bayes has learned, in words: the strongest evidence, and why a row gets its class."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf

import numpy as np

from mistakebound.core.text_table import WIDTH, aligned
from mistakebound.learners.bayes._nominal import spelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.learners.bayes._cells import Floats, Smoothing
    from mistakebound.learners.bayes.naive_bayes import NaiveBayes

_WHAT = {"nominal": "nominal attributes", "flags": "flags", "words": "words", None: "attributes"}
_WIDEST = 40


@dataclass(slots=True, repr=False, eq=False)
class Evidence:
    """`what` is `times` as likely in class `label` (`inside`) as in the others together (`outside`)."""

    what: str
    label: Any
    inside: float
    outside: float
    count: float  # examples of the class with it

    @property
    def times(self) -> float:
        """With m = 0 it may be infinite: the value never came with another class."""
        return self.inside / self.outside if self.outside > 0 else inf

    def as_json(self) -> dict[str, Any]:
        times = self.times
        return {
            "value": self.what, "class": self.label, "times": times if times < inf else None,
            "probability": self.inside, "elsewhere": self.outside, "count": self.count,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<{self.what}: {self.times:.4g} times as likely in {self.label!r}>"


def strongest(
    cells: tuple[list[str], Floats, Floats, Floats], classes: tuple[Any, ...], smoothing: Smoothing, top: int | None
) -> list[Evidence]:
    """For every value the class that it points to most; the clearest first, of equal ones the more frequent."""
    names, counts, totals, sizes = cells
    if len(classes) < 2 or not names:
        return []
    inside = smoothing.plain(counts, totals, sizes)
    outside = smoothing.plain(
        counts.sum(axis=1, keepdims=True) - counts, totals.sum(axis=1, keepdims=True) - totals, sizes
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(inside > 0, inside / outside, 0.0)
    best = times.argmax(axis=1)
    rows = np.arange(len(names))
    order = np.lexsort((rows, -counts[rows, best], -times[rows, best]))
    order = order[times[order, best[order]] > 1][:top]
    return [
        Evidence(names[row], classes[best[row]], *(float(part[row, best[row]]) for part in (inside, outside, counts)))
        for row in order.tolist()
    ]


def lines(learner: NaiveBayes, top: int) -> list[str]:
    """The classes, and the values that point most clearly to one of them."""
    count = len(learner.schema.columns) if learner.fitted else 0
    said = [f"{learner!r}: {len(learner.classes)} classes, {count:,} {_WHAT[learner.form]}"]
    said += [f"  {text}".rstrip() for text in aligned(_class_rows(learner), "<>>", WIDTH - 2)]
    found = learner.evidence(top)
    if found:
        said += ["", "strongest evidence: how much likelier a value is in its class than elsewhere"]
        rows = [("value", "points to", "times", "in it", "elsewhere", "count")]
        said += [f"  {text}".rstrip() for text in aligned([*rows, *map(_row, found)], "<<>>>>", WIDTH - 2)]
    zeros = learner.zero_estimates()
    if zeros:
        said += [f"m = 0: {zeros:,} {_are(zeros)} 0: a row with such a value rules the class out; use m > 0"]
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


def explain_row(learner: NaiveBayes, x: dict[str, Any], top: int = 20) -> list[str]:
    """The probabilities, and by how much each value favours the likeliest class over the next."""
    shares = learner.predict_proba_one(x)
    order = sorted(learner.classes, key=lambda label: -shares[label])
    said = [f"{order[0]} with probability {shares[order[0]]:.6f}"]
    rows = [("class", "probability"), *((short(str(label)), f"{shares[label]:.6f}") for label in order)]
    said += [f"  {text}".rstrip() for text in aligned(rows, "<>", WIDTH - 2)]
    if len(order) < 2:
        return said
    best, other = order[:2]
    places = learner.classes.index(best), learner.classes.index(other)
    said += ["", f"times as likely in {best} as in {other}, the next; below 1 it points to {other}"]
    terms = [("P(class)", np.array(learner.log_priors()))]
    terms += sorted(learner.terms_one(x), key=lambda term: -abs(term[1][places[0]] - term[1][places[1]]))
    table = [("", "times", f"in {best}", f"in {other}")]
    for what, logs in terms[: top + 1]:
        inside, outside = float(logs[places[0]]), float(logs[places[1]])
        table.append((short(what), _times(inside - outside), f"{exp(inside):.4g}", f"{exp(outside):.4g}"))
    said += [f"  {text}".rstrip() for text in aligned(table, "<>>>", WIDTH - 2)]
    if len(terms) > top + 1:
        said += [f"  and {len(terms) - top - 1:,} more"]
    if learner.form == "nominal":
        told = {what for what, _ in terms}
        skipped = [name for name, value in x.items() if value is None or spelled(name, str(value)) not in told]
        if skipped:
            said += [f"missing or never seen, and skipped: {', '.join(map(short, skipped))}"]
    return said


def _times(difference: float) -> str:
    return f"{exp(difference):,.4g}" if difference < 700 else "only here"


def _are(count: int) -> str:
    return "estimate is" if count == 1 else "estimates are"


def short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."
