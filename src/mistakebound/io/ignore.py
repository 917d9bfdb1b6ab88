"""Shell-style patterns of attribute names, as the program that a kernel runs."""

from __future__ import annotations

from array import array

from mistakebound.kernels import patterns as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def program_of(patterns: Iterable[str]) -> array[int]:
    """The patterns as the steps of kernels/patterns.py.

    `*` is any text, `?` any character, `[a-z_]` one of them and `[!a-z]` any other one; `[` without a `]` is
    itself, and upper case differs from lower case: as in Python's fnmatch.fnmatchcase.

    >>> program_of(["a*"]).tolist(), program_of(["[!0-9]"]).tolist()
    ([2, 97, -2], [5, -3, 1, 1, 48, 57])
    """
    program = array("i")
    for pattern in patterns:
        steps = _steps(pattern)
        program.append(len(steps))
        program.extend(steps)
    return program


def _steps(pattern: str) -> list[int]:
    steps: list[int] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        end = pattern.find("]", at + 1 + pattern.startswith("!", at)) if character == "[" else -1
        if end >= 0:
            turned = pattern[at] == "!"
            ranges = _ranges(pattern[at + turned : end])
            steps += [kernel.SET, int(turned), len(ranges) // 2, *ranges]
            at = end + 1
        elif character == "*":
            if steps[-1:] != [kernel.STAR]:
                steps.append(kernel.STAR)
        else:
            steps.append(kernel.ANY if character == "?" else ord(character))
    return steps


def _ranges(inside: str) -> list[int]:
    """First and last code points of what stands between the brackets; a range that runs backwards is empty."""
    ranges: list[int] = []
    at = 0
    while at < len(inside):
        if at + 2 < len(inside) and inside[at + 1] == "-":
            first, last = ord(inside[at]), ord(inside[at + 2])
            at += 3
        else:
            first = last = ord(inside[at])
            at += 1
        if first <= last:
            ranges += [first, last]
    return ranges
