"""Looking for the short rule that agrees most with a hypothesis: on rows of a stream, or by the weights alone.

A rule of the kind "at least r of these, and none of those, then this label" is grown attribute by attribute, for either
label and for a few r: attributes with weights for the label are counted, those with weights against it are excluded.
Each attribute more has to mend a hundredth of what a constant answer gets wrong.  Everything is deterministic: of equal
rules the shortest wins, then the first that was found.
"""

from __future__ import annotations

from array import array
from math import comb

import numpy as np

from mistakebound.core.block import Block, BlockNames
from mistakebound.core.errors import MistakeboundError
from mistakebound.core.protocol import Learner
from mistakebound.core.rule import Rule, RuleList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]

TERMS = 10  # attributes of a short rule, at most
ENOUGH = 0.95  # of the rows on which a short rule agrees with its model
_MENDS = 0.01  # of the disagreements of a constant, an attribute more
_LEAST = 4  # r of k: the largest r that is tried
_TRIED = 10  # attributes whose 2^10 combinations show what the weights alone say
_LOOKED_AT = 64  # weights in which a rule may have forgotten some


class RuleRows:
    """Distinct combinations of a few attributes, with the answers of a model and how often each was seen."""

    def __init__(
        self, pool: Sequence[tuple[str, float]], columns: Sequence[Bools], positive: Bools, counts: Any
    ) -> None:
        self.pool = pool  # name and weight, the most important first
        self.columns = columns  # of each: whether it is on
        self.positive = positive
        self.counts = counts

    def agreement(self, rule: Rule | RuleList) -> Any:
        on = {name: column for (name, _), column in zip(self.pool, self.columns, strict=True)}
        return self.counts[np.broadcast_to(rule.decide(on), self.positive.shape) == self.positive].sum()


def is_short(agreement: float, constant: float, total: float) -> bool:
    """Whether a rule says enough of what its model says: 95 %, and half of what a constant answer leaves open.

    >>> is_short(97, 60, 100), is_short(94, 60, 100), is_short(99, 99, 100), is_short(100, 100, 100)
    (True, False, False, True)
    """
    return agreement >= ENOUGH * total and 2 * (total - agreement) <= total - constant


def best_rule(labels: Any, rows: RuleRows, terms: int = TERMS) -> Rule:
    """The rule of at most so many attributes that agrees most with the model, each attribute more at its price."""
    total, positives = rows.counts.sum(), rows.counts[rows.positive].sum()
    price = _MENDS * min(positives, total - positives)
    best = Rule(labels, (), 0, positive=bool(2 * positives >= total))
    found = [(total - max(positives, total - positives), 0, best)]
    for positive in (True, False):
        for least in range(1, _LEAST + 1):
            for agreed, rule in _grown(labels, rows, positive, least, terms):
                found.append((total - agreed + price * len(rule), len(rule), rule))
    return min(found, key=lambda one: one[:2])[2]


def _grown(labels: Any, rows: RuleRows, positive: bool, least: int, terms: int) -> list[tuple[Any, Rule]]:
    """Rules for one label that count to `least`, each an attribute longer than the one before, with their agreement."""
    gains = np.where(rows.positive == positive, rows.counts, -rows.counts)  # of a row that is given the label
    sure = rows.counts[rows.positive != positive].sum()
    counted, excluded = np.zeros(len(gains), np.int16), np.zeros(len(gains), np.bool_)
    names: list[str] = []
    unless: list[str] = []
    left = list(range(len(rows.pool)))
    found: list[tuple[Any, Rule]] = []
    while len(found) < terms:
        best, place = None, -1
        for k in left:
            if (rows.pool[k][1] > 0) == positive:
                says = (counted + rows.columns[k] >= min(least, len(names) + 1)) & ~excluded
            elif len(names) >= least:
                says = (counted >= least) & ~excluded & ~rows.columns[k]
            else:
                continue
            gain = gains[says].sum()
            if best is None or gain > best:
                best, place = gain, k
        if best is None or (len(names) >= least and sure + best <= found[-1][0]):
            break
        left.remove(place)
        if (rows.pool[place][1] > 0) == positive:
            names.append(rows.pool[place][0])
            counted += rows.columns[place]
        else:
            unless.append(rows.pool[place][0])
            excluded |= rows.columns[place]
        found.append((sure + best, Rule(labels, names, min(least, len(names)), unless, positive=positive)))
    return found


def ranks(learner: Any) -> bool:
    """Whether a learner is of two classes and says which attributes weigh most; not one of features of its own."""
    if not isinstance(learner, Learner) or not learner.ranked or learner.many_classes or learner.readable == "mixture":
        return False
    return len(learner.labels.values) == 2


def own_rule(learner: Any, terms: int = TERMS) -> Rule | RuleList | None:
    """What a learner of rules has for a hypothesis, where that is short."""
    found: Rule | RuleList | None = None
    if learner.inner is not None:
        return None
    if learner.readable == "literals":
        plain, negated = learner.literals() if learner.started else ([], [])
        found = Rule(learner.labels, plain, len(plain), negated, positive=learner.started)
    elif learner.readable == "disjunction":
        names = learner.remaining()
        found = Rule(learner.labels, names, min(1, len(names)), positive=bool(names))
    elif learner.readable == "list":
        found = RuleList(learner.labels, *learner.as_list())
    return found if found is not None and len(found) <= terms else None


def rule_by_weights(learner: Any, terms: int = TERMS) -> Rule | RuleList | None:
    """The rule that the weights alone allow: it agrees on the combinations of the attributes that weigh most.

    None where no short rule does, where attributes that are left out weigh as much as one that is in it, or where one
    of them alone changes the answer.
    """
    if not ranks(learner) or learner.inner is not None:  # sets of conjunctions are no instances
        return None
    own = own_rule(learner, terms)
    if own is not None:
        return own
    largest = [(name, weight) for name, weight in learner.top(_LOOKED_AT) if weight]
    tried = largest[: min(terms, _TRIED)]
    try:
        rows = _combinations(learner, tried)
        rule = best_rule(learner.labels, rows, terms)
        total, positives = rows.counts.sum(), rows.counts[rows.positive].sum()
        if not is_short(rows.agreement(rule), max(positives, total - positives), total):
            return None
        return rule if _leaves_nothing_out(learner, rule, largest) else None
    except MistakeboundError:  # a learner that does not take every set of its attributes for an instance
        return None


def _combinations(learner: Any, tried: Sequence[tuple[str, float]]) -> RuleRows:
    """All sets of these attributes as instances; sets of each size weigh the same together."""
    many = 1 << len(tried)
    bits = [(np.arange(many) >> k & 1).astype(np.bool_) for k in range(len(tried))]
    sizes = sum((column.astype(np.int64) for column in bits), start=np.zeros(many, np.int64))
    counts = np.array([1.0 / comb(len(tried), size) for size in range(len(tried) + 1)])[sizes]
    sets = [[k for k in range(len(tried)) if number >> k & 1] for number in range(many)]
    return RuleRows(tried, bits, _answers(learner, [name for name, _ in tried], sets), counts)


def _leaves_nothing_out(learner: Any, rule: Rule, largest: Sequence[tuple[str, float]]) -> bool:
    inside = set(rule.attributes)
    others = [(name, weight) for name, weight in largest if name not in inside]
    smallest = min((abs(weight) for name, weight in largest if name in inside), default=float("inf"))
    if any(abs(weight) >= smallest for _, weight in others):
        return False
    answers = _answers(learner, [name for name, _ in others], [[], *([k] for k in range(len(others)))])
    return bool((answers == answers[0]).all())


def _answers(learner: Any, names: list[str], sets: Sequence[Sequence[int]]) -> Bools:
    """Whether each set of these names is given the positive label."""
    ends = array("q", [0])
    keys = array("Q")
    for places in sets:
        keys.extend(places)
        ends.append(len(keys))
    predictions = array("b", bytes(len(sets)))
    learner.predict_block(Block(len(sets), ends, keys, columns=BlockNames.of(names)), predictions)
    said: Bools = np.array(predictions, np.int8) == 1
    return said
