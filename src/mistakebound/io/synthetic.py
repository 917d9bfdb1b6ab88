"""A stream file made from a seed: many attributes, few of them relevant (the target is their disjunction)."""

from __future__ import annotations

from array import array

from mistakebound.core.errors import BadParameter
from mistakebound.core.whole_file import WholeFile
from mistakebound.kernels import synthetic as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable

_MASK = 0xFFFFFFFFFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15
_BUFFER = 1 << 20


def _mix(z: int) -> int:
    """The output function of splitmix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def draw_relevant(n: int, relevant: int, seed: int) -> list[int]:
    """Distinct ids from 1 .. n, each as likely, ascending.

    >>> draw_relevant(1_000_000, 3, seed=1) == draw_relevant(1_000_000, 3, seed=1)
    True
    """
    chosen: set[int] = set()
    state = _mix(seed & _MASK)  # another sequence than the one of the rows
    # Floyd's way: as many draws as ids, whatever their share of n.
    for last in range(n - relevant + 1, n + 1):
        state = (state + _GAMMA) & _MASK
        drawn = 1 + _mix(state) % last
        chosen.add(last if drawn in chosen else drawn)
    return sorted(chosen)


def _check(n: int, active: int, relevant: int, rows: int, labels: tuple[str, str]) -> None:
    if not 1 <= n < 1 << 63:
        raise BadParameter(f"n must be >= 1 and < 2^63: {n}")
    if not 0 <= active <= 1 << 24:
        raise BadParameter(f"active must be >= 0 and <= 2^24: {active}")
    if not 1 <= relevant <= n:
        raise BadParameter(f"relevant must be >= 1 and <= n: {relevant}")
    if rows < 0:
        raise BadParameter(f"rows must be >= 0: {rows}")
    for label in labels:
        if not label or any(c in ":#" or c.isspace() or c < " " for c in label):
            raise BadParameter(f"labels must be words without ':' and '#': {label!r}")
    if labels[0] == labels[1]:
        raise BadParameter(f"labels must differ: {labels[0]!r}")


def write_stream(
    path: str | os.PathLike[str],
    *,
    n: int,
    active: int,
    relevant: int,
    rows: int,
    seed: int,
    progress: Callable[[int], object] | None = None,
    labels: tuple[str, str] = ("-1", "+1"),
) -> list[int]:
    """Write the stream and return its relevant ids.  The file appears under its name when it is complete.

    progress(rows) is called now and then with the number of rows written so far.
    """
    _check(n, active, relevant, rows, labels)
    ids = draw_relevant(n, relevant, seed)
    negative, positive = labels[0].encode(), labels[1].encode()
    widest = max(len(negative), len(positive)) + 22 * (active + 1) + 1
    at_once = max(1, _BUFFER // widest)
    out = bytearray(at_once * widest)
    source = kernel.RowSource(n, active, array("Q", ids), negative, positive, array("Q", [seed & _MASK]))
    with WholeFile(path, sync=False, kind="stream") as file:
        done = 0
        while done < rows:
            many = min(at_once, rows - done)
            file.write(memoryview(out)[: kernel.write_rows(source, many, out)])
            done += many
            if progress is not None:
                progress(done)
    return ids
