"""What came of a hunt."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2, pi

from mistakebound.core.notebook import NotebookView
from mistakebound.core.theorem import Condition, Theorem
from mistakebound.theory.group_testing import log2_choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger, Verdict
    from mistakebound.core.theorem import Bound

_MOST_LISTED = 40  # flags of a failing set that are all named

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


@dataclass(slots=True, repr=False, eq=False)
class Run:
    """One execution: the flags that were on, whether it was bad (None: it cannot tell), and how that is known."""

    number: int
    on: frozenset[str]
    answer: str
    seconds: float | None = None
    exit_status: int | None = None
    output: str | None = None

    def __repr__(self) -> str:
        return f"<run {self.number}: {self.answer} with {len(self.on)} on>"


@dataclass(kw_only=True, repr=False, eq=False)
class Hunt(NotebookView):
    """The result of `hunt`: the culprits, and what is known about them.

    Parameters
    ----------
    flags : tuple of str
        All flags.
    culprits : tuple of str
        Those that make it bad.
    kind : {"any", "all", "neither", "one"}
        "any" of the culprits suffices, it takes "all", or "neither"; "one": one failing set was looked for, or found.
    sets : tuple of frozenset
        The minimal failing sets that were found; `culprits` are all flags in them.
    complete : bool
        Whether `sets` are all that there are.
    verdict : Verdict
        Whether the result was confirmed by runs.
    contradiction : tuple of Run
        Runs that cannot all be right if the kind is what was assumed.
    history : tuple of Run
        Every execution; `runs` counts them.
    asked : mapping
        The number of answers by their purpose.
    ledger : Ledger
        The answers as trials, predicted by the weight of what was possible.
    confidence : float or None
        As it was asked for.
    notes : tuple of str
        What else is to be said.

    Notes
    -----
    `bits` is log2 C(n, k): no way of asking tells these culprits from all other sets of their size in fewer yes/no
    answers
    on the average.

    Examples
    --------
    >>> import mistakebound as mb
    >>> found = mb.hunt(lambda on: "b" in on, ["a", "b", "c", "d"])
    >>> found.culprits, found.in_words()
    (('b',), 'the culprit is b')
    """

    flags: tuple[str, ...]
    culprits: tuple[str, ...]
    kind: str
    sets: tuple[frozenset[str], ...]
    complete: bool  # whether `sets` are all that there are
    verdict: Verdict
    contradiction: tuple[Run, ...]  # runs that cannot all be right if the kind is what was assumed
    history: tuple[Run, ...]
    asked: dict[str, int]
    ledger: Ledger
    confidence: float | None
    notes: tuple[str, ...]

    @property
    def runs(self) -> int:
        return len(self.history)

    @property
    def smallest(self) -> frozenset[str]:
        """The smallest set that was bad in a run; empty if none was."""
        bad = [run.on for run in self.history if run.answer == "bad"]
        known = [failing for failing in self.sets if failing in bad]
        return min(known or bad, key=len, default=frozenset())

    @property
    def bits(self) -> float:
        return log2_choose(len(self.flags), len(self.culprits))

    def __repr__(self) -> str:
        return f"<Hunt: {self.in_words()}; {self.runs} runs>"

    def in_words(self) -> str:
        """`the culprits are a and b, together`."""
        if not self.sets:
            return "no failing set is known yet"
        if self.kind in ("neither", "one"):
            return "it fails with " + ", or with ".join(self._listed(failing) for failing in self.sets)
        if len(self.culprits) == 1:
            return f"the culprit is {self.culprits[0]}"
        *others, last = self.culprits
        how = "each on its own" if self.kind == "any" else "together"
        return f"the culprits are {', '.join(others)} and {last}, {how}"

    def _listed(self, names: frozenset[str]) -> str:
        ordered = self._ordered(names)
        return " + ".join(ordered) if len(ordered) <= _MOST_LISTED else f"{len(ordered)} flags: {shown(ordered)}"

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
            "confidence": self.confidence,
            "contradiction": [
                {"run": run.number, "answer": run.answer, "on": self._ordered(run.on)} for run in self.contradiction
            ],
            "notes": list(self.notes),
            "failed": [{"run": run.number, "output": run.output} for run in self.history if run.output],
        }


def shown(names: Sequence[str], most: int = 4) -> str:
    """
    >>> shown("abcdef"), shown("ab"), shown("")
    ('a, b, c and 3 more', 'a, b', 'no flag')
    """
    if len(names) <= most:
        return ", ".join(names) or "no flag"
    return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
