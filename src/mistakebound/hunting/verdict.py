"""What the runs of a hunt say about its result and about what was assumed, in words."""

from __future__ import annotations

from mistakebound.core.ledger import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ASSUMED = {
    "any": "any culprit suffices",
    "all": "it takes all culprits together",
    "monotone": "more flags can only make it worse",
}


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
    "runs 1, 9 and 10 contradict each other if any culprit suffices: it is not 'any'; it is 'all'"
    >>> refuted("auto", "all", "any", [1, 9], debugged=False, untold=1).kind
    'unverified'
    """
    listed = f"{', '.join(map(str, runs[:-1]))} and {runs[-1]}"
    what = f"it is not {assumed!r}"
    if assumed == "monotone":
        what = "turning flags on makes a bad run good, or it is flaky"
    way = "so delta debugging was used" if debugged else f"it is {kind!r}"
    known = "confirmed" if untold == 0 else "unverified"
    word = "refuted" if asked != "auto" else "neither" if kind == "neither" else known
    but = "" if untold == 0 else f"; {_unproven(untold)}"
    return Verdict(word, f"runs {listed} contradict each other if {_ASSUMED[assumed]}: {what}; {way}{but}")


def not_refuted(undecided: int, untold: int | None) -> Verdict:
    """`untold` runs of the verification could not be told; None where there was none.

    >>> not_refuted(0, 0).kind, not_refuted(0, 1).kind, not_refuted(0, None).kind, not_refuted(5, None).kind
    ('confirmed', 'unverified', 'unverified', 'cannot tell')
    """
    if undecided:
        left = "1 flag is" if undecided == 1 else f"{undecided} flags are"
        return Verdict("cannot tell", f"the command cannot tell; {left} left undecided")
    if untold == 0:
        return Verdict("confirmed", "every claim was seen in a run")
    return Verdict("unverified", f"consistent with all runs; {_unproven(untold)}")


def _unproven(untold: int | None) -> str:
    return "not verified" if untold is None else f"{untold} of the runs that would prove it could not be told"
