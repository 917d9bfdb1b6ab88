"""Whether the answers so far can all be right, for a kind of command; if not, a few that cannot.

"any": a bad set holds a culprit, and good sets hold none, so no bad set lies within the union of good ones.  "all": the
same of the flags that are off, with good and bad exchanged.  "monotone": no bad set lies within one good set.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def contradiction(kind: str, answers: Sequence[tuple[int, bool]], n: int) -> list[tuple[int, bool]]:
    """Answers (flags on, bad) that contradict each other, none of which can be spared; empty if there are none.

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
    union = 0
    for on, bad in answers:
        if not bad:
            union |= on
    covered = next((on for on, bad in answers if bad and on & union == on), None)
    if covered is None:
        return []
    cover = [on for on, bad in answers if not bad and on & covered]
    for spared in sorted(cover, key=lambda on: (on & covered).bit_count()):
        others = [on for on in cover if on != spared]
        if _union(others) & covered == covered:
            cover = others
    return [(covered, True), *((on, False) for on in cover)]


def _union(sets: Sequence[int]) -> int:
    union = 0
    for on in sets:
        union |= on
    return union
