"""Why one instance is predicted as it is: what each of its attributes added, against the threshold."""

from __future__ import annotations

from math import isfinite

from mistakebound.core.errors import MistakeboundError
from mistakebound.core.names import Formula, attribute_order, write_name
from mistakebound.core.plain_sum import plain_sum
from mistakebound.core.protocol import Learner, behind_transforms, counted
from mistakebound.report.table import columns, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

_UNSEEN = "never seen"
_OPPOSITE = {">": "<=", ">=": "<"}


class Term:
    """One attribute's part in a decision: `amount` is what it added to the total."""

    __slots__ = ("amount", "buckets", "name", "note", "value", "weight")

    def __init__(self, name: str, value: float, weight: float, amount: float, note: str = "") -> None:
        self.name = name  # ~name: a literal that wants the attribute off
        self.value = value
        self.weight = weight
        self.amount = amount
        self.note = note
        self.buckets: list[int] | None = None  # where names are hashed: those of the names

    def unhash(self, buckets: Mapping[str, Sequence[str]]) -> None:
        """Call buckets by the names that are in them; one keeps its number where they are not known.

        A conjunction of buckets is one of their names: `x5 & ~x10` may become `free & ~(now + soon)`.
        """
        made = isinstance(self.name, Formula)
        literals = self.name.split(" & ") if made else [self.name]
        names = [_unhashed(literal, buckets, made) for literal in literals]
        self.buckets = [bucket for _, bucket in names if bucket is not None]
        known = [str(bucket) for bucket in self.buckets if str(bucket) in buckets]
        self.name = " & ".join(name for name, _ in names)
        if known:
            word = "bucket" if len(known) == 1 else "buckets"
            self.note = ", ".join(filter(None, [f"{word} {' and '.join(known)}", self.note]))

    def as_json(self) -> dict[str, Any]:
        parts = {"value": self.value, "weight": self.weight, "amount": self.amount}
        found = {"name": self.name} | {key: _finite(part) for key, part in parts.items()} | {"note": self.note or None}
        if self.buckets is None:
            return found
        return found | ({"bucket": self.buckets[0]} if len(self.buckets) == 1 else {"buckets": self.buckets})


def _unhashed(literal: str, buckets: Mapping[str, Sequence[str]], made: bool) -> tuple[str, int | None]:
    """The names of a literal's bucket, as a formula has them where it was `made`, and its number."""
    sign, name = ("~", literal[1:]) if literal.startswith("~") else ("", literal)
    number = name.removeprefix("x") if made else name
    if not number.isdecimal():  # one that no row has had yet
        return literal, None
    names = buckets.get(number) or [f"bucket {number}"]
    if not made or number not in buckets:
        return sign + " + ".join(names), int(number)
    written = " + ".join(map(write_name, names))
    return f"{sign}({written})" if len(names) > 1 else sign + written, int(number)


_NOT_EXPLAINED = "has no weights and no literals by which to explain one instance"


class Explanation:
    """The terms, largest first, their total as the learner has it, and what it is compared with.

    `total rule threshold` is true exactly when the prediction is the positive label.
    """

    def __init__(
        self, learner: Any, x: Any, terms: Iterable[Term], rule: str, bias: float | None = None, remark: str = ""
    ) -> None:
        self.learner: str = learner.name
        self.terms = sorted(terms, key=lambda term: (-abs(term.amount), attribute_order(term.name)))
        self.bias = bias
        self.total: float = learner.score_one(x)
        self.rule, self.threshold = rule, learner.theta
        self.prediction: Any = counted(learner, x, learner.predict_one(x))
        self.positive = bool(self.prediction == learner.labels.values[1])
        self.label: str = learner.labels.text(int(self.positive))
        self.remark = remark

    def add_remark(self, text: str) -> None:
        self.remark = f"{self.remark}; {text}" if self.remark else text

    def decide(self, threshold: float, labels: Any) -> None:
        """Another threshold than the learner's own decides."""
        self.rule, self.threshold, self.positive = ">", threshold, self.total > threshold
        self.prediction, self.label = labels.name(int(self.positive)), labels.text(int(self.positive))

    def decision(self) -> str:
        """`1.5 > 1: predicts spam`, the numbers with as many digits as show on which side the total is."""
        total, threshold = apart(self.total, self.threshold)
        return f"{total} {self.rule if self.positive else _OPPOSITE[self.rule]} {threshold}: predicts {self.label}"

    def as_json(self, top: int | None = None) -> dict[str, Any]:
        return {
            "prediction": self.prediction,
            "total": _finite(self.total),
            "rule": self.rule,
            "threshold": self.threshold,
            "bias": self.bias,
            "terms": [term.as_json() for term in self.terms[:top]],
            "remark": self.remark or None,
            "more": len(self.terms[top:]) if top is not None else 0,
        }

    def draw(self, path: str, top: int = 20) -> None:
        """One bar per attribute, a .png or .svg."""
        from mistakebound.report.bars import draw_explanation

        draw_explanation(path, self, top)

    def lines(self, top: int | None = None) -> list[str]:
        """A table of at most so many terms, what the others come to, the sum and the decision."""
        rows = [("attribute", "value", "weight", "adds", "")]
        rows += [
            (term.name, _text(term.value), _text(term.weight), _signed(term.amount), term.note)
            for term in self.terms[:top]
        ]
        rest = self.terms[top:] if top is not None else []
        if rest:
            count = f"{len(rest):,} more" if len(rest) > 1 else "1 more"
            rows.append((count, "", "", _signed(plain_sum(term.amount for term in rest)), ""))
        if self.bias is not None:
            rows.append(("the bias", "", "", _signed(self.bias), ""))
        rows.append(("total", "", "", apart(self.total, self.threshold)[0], ""))
        remark = wrap(self.remark, "  ", "  ") if self.remark else []
        return [*wrap(self.decision(), rest="  "), *remark, *columns(rows, "<>>><")]

    def __str__(self) -> str:
        return "\n".join(self.lines(20))


def explain_one(
    learner: Any,
    x: Any,
    names: Sequence[str] | None = None,
    *,
    buckets: Mapping[str, Sequence[str]] | None = None,
) -> Explanation:
    """Explains one prediction: what each attribute adds to the total that the learner compares with its threshold.

    Parameters
    ----------
    learner : learner
        It is not changed.
    x : instance
        A row, a mapping or a set of names.
    names : sequence of str or None, default None
        Names of the values of a row.
    buckets : mapping or None, default None
        Where the attributes of x are numbers of hash buckets: bucket to the names in it.

    Returns
    -------
    Explanation
        Prints itself as a table.

    Examples
    --------
    >>> from mistakebound.learners.linear.perceptron import Perceptron
    >>> learner = Perceptron(labels=("ham", "spam"))
    >>> for words, label in (({"free", "now"}, "spam"), ({"now", "lunch"}, "ham")):
    ...     _ = learner.learn_one(words, label)
    >>> print(explain_one(learner, {"free": 2, "lunch": 1, "soon": 1}))
    1 > 0: predicts spam
      attribute  value  weight  adds
      free           2       1    +2
      lunch          1      -1    -1
      soon           1       0     0  never seen
      the bias                     0
      total                        1
    """
    if not isinstance(learner, Learner):
        raise MistakeboundError(f"{type(learner).__name__} {_NOT_EXPLAINED}")
    given = learner.encode(x, names)
    with learner._lock.around():
        found = _explain(learner, given) if learner.inner is None else _through_transforms(learner, given)
    if buckets is not None:
        for term in found.terms:
            term.unhash(buckets)
        found.add_remark("names are hashed: a weight is that of all names in its bucket")
    return found


def _explain(learner: Any, given: Any) -> Explanation:
    values = dict(zip(given.names, given.values if given.values is not None else [1.0] * len(given.names), strict=True))
    if learner.readable == "literals":
        remark = "" if learner.started else "before the first positive example h holds every literal and its negation"
        return Explanation(learner, given, _literals(learner, values), ">=", remark=remark)
    if learner.readable == "disjunction":
        return Explanation(learner, given, _alternatives(learner, values), ">")
    if learner.readable == "mixture":
        parts, rest = learner.contributions(given)
        terms = [Term(name, value, amount / value, amount) for name, value, amount in parts]
        remark = "adds: to the logit, each member's part by its share; the bias has what naive Bayes adds"
        return Explanation(learner, given, terms, ">", rest, remark)
    if learner.readable != "weights":
        raise MistakeboundError(f"{learner.name} {_NOT_EXPLAINED}")
    if learner.multiplicative:
        return Explanation(learner, given, _weighed(learner, values), learner.settings["rule"])
    bias = learner.bias if learner.settings.get("bias") else None  # not every additive learner has one
    return Explanation(learner, given, _weighed(learner, values), ">", bias)


def _through_transforms(learner: Any, given: Any) -> Explanation:
    """The terms are what transforms make of an instance; where one complements the label they count against it."""
    inside, turned = behind_transforms(learner)
    sign = -1.0 if turned else 1.0
    if inside.readable != "weights":
        raise MistakeboundError(f"{learner!r} has no weights by which to explain one instance")
    entries = learner.entries(given)
    new = sum(1 for name, _ in entries if not _seen(inside, name))
    start = inside.start_weight(len(inside.attributes) + new) if inside.multiplicative else 0.0
    raw = dict(zip(given.names, given.values or [1.0] * len(given.names), strict=True))
    terms = []
    for name, value in entries:
        seen = _seen(inside, name)
        weight = sign * (inside.weight(name) if seen else start)
        own = raw.get(name, 0.0 if _seen(learner, name) else value)  # a 0 of a dense row is not among the names
        note = f"raw value {_text(own)}" if own != value else ""
        terms.append(Term(name, value, weight, weight * value, note if seen else _UNSEEN))
    bias = sign * inside.bias if inside.settings.get("bias") else None
    rule, _ = learner.decision
    return Explanation(learner, given, terms, rule, bias)


def _seen(learner: Any, name: str) -> bool:
    return bool(learner.attributes.slot(name) >= 0)


def _weighed(learner: Any, values: dict[str, float]) -> Iterator[Term]:
    """Weight times value.  What new attributes weigh in Winnow depends on their number: they are asked for together."""
    new = {name for name in values if not _seen(learner, name)}
    start = learner.score_one(new) / len(new) if new and learner.multiplicative else 0.0
    for name, value in values.items():
        if name in new:
            yield Term(name, value, start, start * value, _UNSEEN)
        else:
            weight = learner.weight(name)
            yield Term(name, value, weight, weight * value)


def _alternatives(learner: Any, values: dict[str, float]) -> Iterator[Term]:
    """Of a disjunction: each of its attributes that is on makes it true."""
    for name, value in values.items():
        left = learner.score_one({name})
        note = _UNSEEN if not _seen(learner, name) else "" if left else "dropped by a negative example"
        yield Term(name, value, left, left, note)


def _literals(learner: Any, values: dict[str, float]) -> Iterator[Term]:
    """Of a conjunction: each of its literals that is false takes 1 away.  Negated ones that are true are left out."""
    if not learner.started:
        return
    plain, negated = (set(names) for names in learner.literals())
    for name in plain:
        on = name in values
        yield Term(name, float(on), 1.0, 0.0 if on else -1.0, "" if on else "must be on")
    for name in values:
        if name in negated or not _seen(learner, name):
            note = "must be off" if name in negated else f"{_UNSEEN}: must be off"
            yield Term("~" + name, 1.0, 1.0, -1.0, note)
        elif name not in plain:
            yield Term(name, 1.0, 0.0, 0.0, "free")


def apart(total: float, threshold: float) -> tuple[str, str]:
    """Both as text, with as many digits as show which one is larger.

    >>> apart(0.75, 0.5), apart(1.0000000001, 1.0)
    (('0.75', '0.5'), ('1.0000000001', '1'))
    """
    for digits in range(7, 18):
        texts = f"{total:.{digits}g}", f"{threshold:.{digits}g}"
        shown = float(texts[0]), float(texts[1])
        if (shown[0] > shown[1], shown[0] == shown[1]) == (total > threshold, total == threshold):
            break
    return texts


def _text(number: float) -> str:
    return f"{number + 0.0:.7g}"  # no -0


def _signed(number: float) -> str:
    return f"{number:+.7g}" if number else "0"


def _finite(number: float) -> float | None:
    """For JSON, which has no word for a number beyond the doubles."""
    return number if isfinite(number) else None
