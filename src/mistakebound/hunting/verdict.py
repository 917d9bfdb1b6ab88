"""Whether the answers of a hunt can all be right, and what its runs say about its result and its assumptions.

For a kind of command some answers cannot all be right.  "any": a bad set holds a culprit, and good sets hold none, so
no bad set lies within the union of good ones.  "all": the same of the flags that are off, with good and bad exchanged.
"monotone": no bad set lies within one good set.
"""

from __future__ import annotations

from mistakebound.concepts.bits import union_of
from mistakebound.core.ledger import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ASSUMED = {
    "any": "any culprit suffices",
    "all": "it takes all culprits together",
    "monotone": "more flags can only make it worse",
}


def contradiction(kind: str, answers: Sequence[tuple[int, bool]], n: int) -> list[tuple[int, bool]]:
    """Answers (flags on, bad) that contradict each other, none of which can be spared; empty without a contradiction.

    >>> contradiction("any", [(0b11, True), (0b01, False), (0b10, False)], 2)
    [(3, True), (1, False), (2, False)]
    >>> contradiction("all", [(0b11, True), (0b01, False), (0b10, False)], 2)
    []
    >>> contradiction("monotone", [(0b11, False), (0b01, True)], 2)
    [(1, True), (3, False)]
    """
    full = (1 << n) - 1
    if kind == "all":
        mirrored = _within([(full ^ on, not bad) for on, bad in answers])
        return [(full ^ on, not bad) for on, bad in mirrored]
    if kind == "any":
        return _within(answers)
    for on, bad in answers:
        if bad:
            over = next((other for other, worse in answers if not worse and other & on == on), None)
            if over is not None:
                return [(on, True), (over, False)]
    return []


def _within(answers: Sequence[tuple[int, bool]]) -> list[tuple[int, bool]]:
    """A bad set within the union of good ones, with as few of these as taking them away one by one leaves."""
    union = union_of(on for on, bad in answers if not bad)
    covered = next((on for on, bad in answers if bad and on & union == on), None)
    if covered is None:
        return []
    cover = [on for on, bad in answers if not bad and on & covered]
    for spared in sorted(cover, key=lambda on: (on & covered).bit_count()):
        others = [on for on in cover if on != spared]
        if union_of(others) & covered == covered:
            cover = others
    return [(covered, True), *((on, False) for on in cover)]


def kind_of(sets: Sequence[int]) -> str:
    """What all minimal failing sets (bits of an integer) make of it.

    >>> kind_of([0b1, 0b10]), kind_of([0b11]), kind_of([0b1, 0b110])
    ('any', 'all', 'neither')
    """
    if all(failing.bit_count() == 1 for failing in sets):
        return "any"
    return "all" if len(sets) == 1 else "neither"


def refuted(
    asked: str, kind: str, assumed: str, runs: Sequence[int], debugged: bool, untold: int | None = 0
) -> Verdict:
    """Runs contradict each other: "refuted" is a class that was said, "neither" what turned out to be neither.

    `untold` is as for `not_refuted`.

    >>> str(refuted("any", "all", "any", [1, 9, 10], debugged=False))
    "runs 1, 9 and 10 contradict each other if any culprit suffices: the kind is not 'any'; the kind is 'all'"
    >>> refuted("auto", "all", "any", [1, 9], debugged=False, untold=1).kind
    'unverified'
    """
    listed = f"{', '.join(map(str, runs[:-1]))} and {runs[-1]}"
    what = f"the kind is not {assumed!r}"
    if assumed == "monotone":
        what = "turning flags on makes a bad run good, or the command is flaky"
    way = "so delta debugging was used" if debugged else f"the kind is {kind!r}"
    known = "confirmed" if untold == 0 else "unverified"
    word = "refuted" if asked != "auto" else "neither" if kind == "neither" else known
    but = "" if untold == 0 else f"; {_unproven(untold)}"
    return Verdict(word, f"runs {listed} contradict each other if {_ASSUMED[assumed]}: {what}; {way}{but}")


def not_refuted(untold: int | None) -> Verdict:
    """`untold` runs of the verification could not be told; None where there was none.

    >>> not_refuted(0).kind, not_refuted(1).kind, not_refuted(None).kind
    ('confirmed', 'unverified', 'unverified')
    """
    if untold == 0:
        return Verdict("confirmed", "every claim was seen in a run")
    return Verdict("unverified", f"consistent with all runs; {_unproven(untold)}")


def minimal(size: int, n: int, untold: int) -> Verdict:
    """One failing set, without each flag of which there was a run that was not bad.

    >>> minimal(2, 40, 0).kind, minimal(40, 40, 40).kind
    ('minimal', 'cannot tell')
    >>> print(minimal(3, 40, 2))
    bad in a run, and not bad with any one of them taken away (of these runs 2 cannot tell)
    """
    if untold and size == n:
        return Verdict(
            "cannot tell", f"no smaller set was bad, and {untold} of the {n} next smaller ones cannot be told"
        )
    but = f" (of these runs {untold} cannot tell)" if untold else ""
    if size == 1:
        return Verdict("minimal", "bad in a run, and not bad with no flag on")
    return Verdict("minimal", f"bad in a run, and not bad with any one of them taken away{but}")


def ended(by: str, size: int, needed: int) -> Verdict:
    """A hunt that was ended before its time, with the smallest failing set so far and how many of its flags it needs.

    >>> print(ended("20 runs", 12, 3))
    ended after 20 runs; the smallest set that was bad has 12 flags, 3 of them seen to be needed
    """
    if not size:
        return Verdict("ended", f"ended after {by}; no run was bad yet")
    flags = "1 flag" if size == 1 else f"{size} flags"
    return Verdict(
        "ended", f"ended after {by}; the smallest set that was bad has {flags}, {needed} of them seen to be needed"
    )


def _unproven(untold: int | None) -> str:
    return "not verified" if untold is None else f"{untold} verification runs had no clear answer"
