"""Play for the tests: random rows, rows that are chosen because the learner errs on them, and the ledger of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from mistakebound.core.ledger import Ledger


def rows(draw: Random, n: int, count: int) -> Iterator[set[str]]:
    """Sets of active attributes among '1' .. 'n', from nearly empty to nearly full."""
    for _ in range(count):
        density = draw.choice([0.05, 0.2, 0.5, 0.9])
        yield {str(j) for j in range(1, n + 1) if draw.random() < density}


def provoke(
    learner: Any,
    target: Callable[[set[str]], bool],
    shown: Iterator[set[str]],
    k: dict[str, Any],
    lemmas: bool = True,
) -> Ledger:
    """Show only rows on which the learner errs; after every mistake the lemmas of its proof must hold."""
    ledger = Ledger(learner.labels)
    for active in shown:
        label = int(target(active))
        if learner.predict_one(active) == label:
            continue
        ledger.record(label, learner.learn_one(active, label))
        if lemmas:
            facts = learner.all_facts(dict(k))
            for lemma in learner.lemmas:
                if lemma.applies(facts):
                    held = lemma.holds(learner, ledger.false_negatives, ledger.false_positives, facts)
                    assert held, f"{lemma!r} fails: {facts}"
    ledger.bound = learner.bound(**k)
    return ledger
