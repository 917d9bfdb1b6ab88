"""Peers of hunt that find one minimal failing set: ddmin, ProbDD, and picire where it is installed.

Each takes the number of flags and a function of a tuple of flags (True: bad), and gives a failing set and its runs; a
set that was run before is not counted again.
"""

from __future__ import annotations

import importlib
import logging
import sys
import types
from collections.abc import Callable
from itertools import pairwise
from math import prod

Bad = Callable[[tuple[int, ...]], bool | None]
Found = tuple[list[int], int]


class Counted:
    """The answers of a command, each set run once."""

    def __init__(self, bad: Bad) -> None:
        self.known: dict[tuple[int, ...], bool] = {}
        self._bad = bad

    def __call__(self, flags: list[int]) -> bool:
        key = tuple(flags)
        if key not in self.known:
            self.known[key] = bool(self._bad(key))
        return self.known[key]


def ddmin(flags: list[int], bad: Bad) -> Found:
    """Zeller and Hildebrandt 2002, Figure 3."""
    counted, parts = Counted(bad), 2
    while len(flags) > 1:
        size = len(flags)
        cuts = [number * size // parts for number in range(parts + 1)]
        chunks = [flags[start:end] for start, end in pairwise(cuts)]
        rests = [flags[:start] + flags[end:] for start, end in pairwise(cuts)]
        part = next((chunk for chunk in chunks if counted(chunk)), None)
        if part is not None:
            flags, parts = part, 2
            continue
        rest = next((rest for rest in rests if counted(rest)), None) if parts > 2 else None
        if rest is not None:
            flags, parts = rest, max(parts - 1, 2)
        elif parts < size:
            parts = min(2 * parts, size)
        else:
            break
    return flags, len(counted.known)


def probdd(flags: list[int], bad: Bad, first: float = 0.1) -> Found:
    """Wang et al. 2021, Probabilistic delta debugging, Algorithm 2: each flag has a probability to be needed.

    The flags with the lowest ones are taken away, so many that the expected gain is highest; if it is then not bad,
    each of them is the likelier needed.  It ends when all that are left are needed for certain: a result that need not
    be minimal.
    """
    counted = Counted(bad)
    needed = dict.fromkeys(flags, first)
    while True:
        chosen: list[int] = []
        most, gain, kept = 0.0, 1.0, 0
        for number, flag in enumerate(sorted((flag for flag in flags if needed[flag] < 1), key=needed.__getitem__), 1):
            chosen.append(flag)
            gain *= 1 - needed[flag]
            if gain * number > most:
                most, kept = gain * number, number
        if not kept:
            return flags, len(counted.known)
        away = set(chosen[:kept])
        rest = [flag for flag in flags if flag not in away]
        if rest and counted(rest):
            flags = rest
            continue
        surely = 1 - prod(1 - needed[flag] for flag in away)
        for flag in away:
            needed[flag] = 1.0 if len(away) == 1 else min(1.0, needed[flag] / surely)


def picire(flags: list[int], bad: Bad) -> Found:
    """As its command line has it: checks that only repeat a run are not counted."""
    module = importlib.import_module("picire")
    count = 0

    def test(config: list[int], config_id: tuple[str, ...]) -> object:
        nonlocal count
        count += "assert" not in config_id
        return module.Outcome.FAIL if bad(tuple(config)) else module.Outcome.PASS

    return list(module.DD(test, cache=module.ConfigCache())(flags)), count


def have_picire() -> bool:
    """picire asks pkg_resources for its own version, and setuptools has that no longer."""
    logging.getLogger("picire").setLevel(logging.ERROR)
    try:
        importlib.import_module("pkg_resources")
    except ImportError:
        stand_in = types.ModuleType("pkg_resources")
        stand_in.get_distribution = lambda name: types.SimpleNamespace(version="21.8")  # type: ignore[attr-defined]
        sys.modules["pkg_resources"] = stand_in
    try:
        importlib.import_module("picire")
    except ImportError:
        return False
    return True
