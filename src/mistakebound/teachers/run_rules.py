"""What a run of a command means: bad, good, cannot tell, or that there is no going on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite

from mistakebound.core.errors import BadParameter

CANNOT_TELL = 125
TIMED_OUT = 124  # as timeout(1) says it
_SIGNALS = 128  # a shell's exit status for signal n is 128 + n
_LAST_CODE = 255
_READ = 1 << 24  # bytes at the end of an output in which a text is looked for
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class Stop(Exception):
    """The run ends the hunt."""


@dataclass(frozen=True, slots=True)
class RunRules:
    """How an exit status, an output and a time become an answer.

    Unless told otherwise exit status 0 is good, 1-124 bad, 125 cannot tell; 126 and above, or a signal, ends the hunt.

    Parameters
    ----------
    match : str or None, default None
        A run is bad if its output matches this regular expression; another failure cannot be told.
    bad_codes : frozenset of int or None, default None
        The exit statuses that are bad; other failures cannot be told.
    skip_codes : frozenset of int, default {125}
        The exit statuses that cannot be told.
    crash_is_bad : bool, default False
        A run that a signal ended (exit status 128 and above, from a shell) is bad.
    timeout_is_bad : bool, default True
        A run that took too long is bad; else it cannot be told.
    invert : bool, default False
        Bad is good and good is bad.
    measure : {"seconds", "output"} or None, default None
        A run is bad if its time, or the last number that it prints, is more than `threshold`; a failure cannot be told.
    threshold : float, default 0.0
        See `measure`.

    Examples
    --------
    >>> rules = RunRules(bad_codes=frozenset({3}))
    >>> rules.answer(3), rules.answer(0), rules.answer(1)
    (True, False, None)
    >>> RunRules(match="out of [a-z]+").answer(1, printed=b"out of paper")
    True
    """

    match: str | None = None
    bad_codes: frozenset[int] | None = None
    skip_codes: frozenset[int] = frozenset({CANNOT_TELL})
    crash_is_bad: bool = False
    timeout_is_bad: bool = True
    invert: bool = False
    measure: str | None = None
    threshold: float = 0.0

    def __post_init__(self) -> None:
        if self.match is not None:
            try:
                re.compile(self.match.encode("utf-8", "surrogateescape"))
            except re.error as error:
                raise BadParameter(f"match must be a regular expression: {error}") from error
        if sum(given is not None for given in (self.match, self.bad_codes, self.measure)) > 1:
            raise BadParameter("give one of match, bad_codes and measure")
        if self.measure not in (None, "seconds", "output"):
            raise BadParameter(f"measure must be seconds or output: {self.measure!r}")
        if not isfinite(self.threshold):
            raise BadParameter(f"threshold must be a number: {self.threshold!r}")

    def answer(
        self, status: int, *, printed: bytes = b"", seconds: float = 0.0, timed_out: bool = False
    ) -> bool | None:
        """Bad, good, or None: cannot tell.  Stop: the hunt ends."""
        if timed_out:
            return True if self.timeout_is_bad else None
        code = _SIGNALS - status if status < 0 else status
        if code in self.skip_codes:
            return None
        bad = self._bad(code, printed, seconds)
        return bad if bad is None else bad != self.invert

    def _bad(self, code: int, printed: bytes, seconds: float) -> bool | None:
        if self.match is not None and re.search(self.match.encode("utf-8", "surrogateescape"), printed, re.MULTILINE):
            return True
        if self.bad_codes is not None and code in self.bad_codes:
            return True
        if code >= _SIGNALS and self.crash_is_bad:
            return True
        if code > CANNOT_TELL:
            raise Stop
        if self.measure is not None:
            value = None if code else self.value(printed, seconds)
            return None if value is None else value > self.threshold
        if self.match is None and self.bad_codes is None:
            return code != 0
        return None if code else False

    def value(self, printed: bytes, seconds: float) -> float | None:
        """What is measured; None: there is no number."""
        if self.measure == "seconds":
            return seconds
        numbers = _NUMBER.findall(printed)
        return float(numbers[-1]) if numbers else None

    @property
    def reads_output(self) -> bool:
        return self.match is not None or self.measure == "output"


def read_end(path: str, most: int = _READ) -> bytes:
    """The end of a file."""
    with open(path, "rb") as file:
        file.seek(0, 2)
        file.seek(max(0, file.tell() - most))
        return file.read()


def exit_codes(text: str) -> frozenset[int]:
    """
    >>> sorted(exit_codes("1,3-5"))
    [1, 3, 4, 5]
    """
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        last = last if dash else first
        if not first.isdecimal() or not last.isdecimal() or not int(first) <= int(last) <= _LAST_CODE:
            raise BadParameter(f"exit codes must be numbers from 0 to {_LAST_CODE}, such as 1,3-5: {text!r}")
        found.update(range(int(first), int(last) + 1))
    return frozenset(found)
