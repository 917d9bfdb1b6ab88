"""What came of a hunt."""

from __future__ import annotations

from math import log2, pi

from mistakebound.core.theorem import Condition, Theorem
from mistakebound.theory.group_testing import log2_choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger, Verdict
    from mistakebound.core.theorem import Bound

HALVING_UNDER_A_PRIOR = Theorem(
    "halving under a prior",
    source="Littlestone 1988, Theorem 1, with weights",
    statement="mistakes <= log2 C(n, k) + log2(k^2 pi^2 / 6), or log2 C(n, k) if k was known, and 1 more if the kind"
    " was not: every mistake halves the weight of what is possible, and the target keeps its own",
    assumes="{k} of {n} flags are culprits, and any of them suffices or it takes all",
    needs=("n", "k", "_prior_bits"),
    conditions=(Condition("1 <= k <= n", ("n", "k"), lambda f: 1 <= f["k"] <= f["n"]),),
    formula=lambda f: log2_choose(f["n"], f["k"]) + f["_prior_bits"],
)


def halving_bound(n: int, k: int, k_known: bool, kinds: int) -> Bound:
    """For a hunt in which halving began with these hypotheses."""
    bits = (0.0 if k_known else log2(k**2 * pi**2 / 6)) + log2(kinds)
    return HALVING_UNDER_A_PRIOR.bound({"n": n, "k": k, "_prior_bits": bits})


class Run:
    """One execution: the flags that were on, whether it was bad (None: it cannot tell), and how that is known."""

    __slots__ = ("answer", "exit_status", "number", "on", "output", "seconds")

    def __init__(
        self,
        number: int,
        on: frozenset[str],
        answer: str,
        *,
        seconds: float | None = None,
        exit_status: int | None = None,
        output: str | None = None,
    ) -> None:
        self.number = number
        self.on = on
        self.answer = answer
        self.seconds = seconds
        self.exit_status = exit_status
        self.output = output

    def __repr__(self) -> str:
        return f"<run {self.number}: {self.answer} with {len(self.on)} on>"


class Hunt:
    """The culprits, and what is known about them.

    `kind`: "any" of the culprits suffices, it takes "all", or "neither"; then `sets` are the minimal failing sets that
    were found and `culprits` all flags in them.  `runs` counts every execution, `asked` the answers by their purpose.
    `bits` is log2 C(n, k): no way of asking tells these culprits from all other sets of their size in fewer yes/no
    answers on the average.  `ledger` has the answers as trials, predicted by the weight of what was possible.
    """

    def __init__(
        self,
        *,
        flags: Sequence[str],
        culprits: Sequence[str],
        kind: str,
        sets: Sequence[frozenset[str]],
        complete: bool,
        verdict: Verdict,
        contradiction: Sequence[Run],
        history: Sequence[Run],
        asked: dict[str, int],
        ledger: Ledger,
        undecided: Sequence[str],
        confidence: float | None,
        notes: Sequence[str],
    ) -> None:
        self.flags = tuple(flags)
        self.culprits = tuple(culprits)
        self.kind = kind
        self.sets = tuple(sets)
        self.complete = complete  # whether `sets` are all that there are
        self.verdict = verdict
        self.contradiction = tuple(contradiction)  # runs that cannot all be right if the kind is what was assumed
        self.history = tuple(history)
        self.asked = asked
        self.ledger = ledger
        self.undecided = tuple(undecided)  # flags that may be culprits or not; none, unless the command cannot tell
        self.confidence = confidence
        self.notes = tuple(notes)

    @property
    def runs(self) -> int:
        return len(self.history)

    @property
    def bits(self) -> float:
        return log2_choose(len(self.flags), len(self.culprits))

    def __repr__(self) -> str:
        return f"<Hunt: {self.in_words()}; {self.runs} runs>"

    def in_words(self) -> str:
        """`it takes all of a, b`."""
        if self.undecided:
            return f"undecided; culprits so far: {', '.join(self.culprits) or 'none'}"
        if self.kind == "neither":
            return "it fails with " + ", or with ".join(_together(self._ordered(failing)) for failing in self.sets)
        if len(self.culprits) == 1:
            return f"the culprit is {self.culprits[0]}"
        return ("any of " if self.kind == "any" else "it takes all of ") + ", ".join(self.culprits)

    def _ordered(self, names: frozenset[str]) -> list[str]:
        return [flag for flag in self.flags if flag in names]

    def as_json(self) -> dict[str, Any]:
        return {
            "culprits": list(self.culprits),
            "kind": self.kind,
            "runs": self.runs,
            "bits": self.bits,
            "verdict": {"kind": self.verdict.kind, "text": str(self.verdict)},
            "flags": len(self.flags),
            "sets": [self._ordered(failing) for failing in self.sets],
            "complete": self.complete,
            "asked": self.asked,
            "undecided": list(self.undecided),
            "confidence": self.confidence,
            "contradiction": [
                {"run": run.number, "answer": run.answer, "on": self._ordered(run.on)} for run in self.contradiction
            ],
            "notes": list(self.notes),
            "failed": [{"run": run.number, "output": run.output} for run in self.history if run.output],
        }


def _together(names: Sequence[str]) -> str:
    return " + ".join(names)


def shown(names: Sequence[str], most: int = 4) -> str:
    """
    >>> shown("abcdef"), shown("ab"), shown("")
    ('a, b, c and 3 more', 'a, b', 'no flag')
    """
    if len(names) <= most:
        return ", ".join(names) or "no flag"
    return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
