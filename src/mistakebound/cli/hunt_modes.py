"""What a hunt hunts among: the mode word of `mistakebound hunt`, and what stands after it."""

from __future__ import annotations

import os
import re
import sys

from mistakebound.core.errors import BadData, BadParameter, MistakeboundError
from mistakebound.core.params import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from mistakebound.teachers.command import CommandOracle
    from mistakebound.teachers.run_rules import RunRules

MODES = ("flags", "env", "reduce", "git", "compiler")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def oracle_of(options: Namespace, rules: RunRules, keep: str | None) -> CommandOracle:
    """The command with its flags."""
    settings = {
        "timeout": options.timeout, "setup": options.setup, "rules": rules, "keep": keep, "first": _next_number(keep),
    }  # fmt: skip
    if options.mode == "git":
        from mistakebound.teachers.git_oracle import GitOracle

        return GitOracle(options.command, options.what, **settings)
    from mistakebound.teachers.command import CommandOracle

    if options.mode == "env":
        names = of_environment(options.what)
        env = {name: (name, *_values(name, value)) for name, value in names}
        return CommandOracle(options.command, [name for name, _ in names], env=env, **settings)
    forms = None
    if options.mode == "compiler":
        from mistakebound.teachers.compiler_flags import compiler_flags

        forms = compiler_flags(options.what)
    flags = of_file(options.what) if forms is None else list(forms)
    return CommandOracle(options.command, flags, forms=forms, always=_always(options, flags), **settings)


def hunted_flags(options: Namespace, oracle: CommandOracle) -> list[str]:
    """All flags, or those of a set that is known to be bad, without those of one that is known to be good."""
    flags = oracle.flags
    if options.known_bad is not None:
        chosen = set(_known(options.known_bad, flags))
        flags = [flag for flag in flags if flag in chosen]
    return [flag for flag in flags if flag not in oracle.always]


def _always(options: Namespace, flags: list[str]) -> list[str]:
    return [] if options.known_good is None else _known(options.known_good, flags)


def _known(path: str, flags: list[str]) -> list[str]:
    known, names = set(flags), of_file(path)
    for name in names:
        if name not in known:
            raise BadData(f"there is no flag {name!r}", source=path)
    return names


def file_oracle(options: Namespace, rules: RunRules, keep: str | None, parts: list[bytes]) -> CommandOracle:
    from mistakebound.teachers.file_oracle import FileOracle

    return FileOracle(
        options.command, parts, os.path.basename(options.what), timeout=options.timeout, setup=options.setup,
        rules=rules, keep=keep, first=_next_number(keep),
    )  # fmt: skip


def _next_number(keep: str | None) -> int:
    """What a killed hunt has begun may still be written."""
    if keep is None or not os.path.isdir(keep):
        return 1
    numbers = [name.partition("-")[2].removesuffix(".txt") for name in os.listdir(keep)]
    return 1 + max([0, *(int(number) for number in numbers if number.isdecimal())])


def rules_of(options: Namespace) -> RunRules:
    from mistakebound.teachers.run_rules import CANNOT_TELL, RunRules, exit_codes

    if (options.measure is None) != (options.threshold is None):
        raise BadParameter("--measure needs --threshold, and --threshold needs --measure")
    given = options.threshold
    threshold = 0.0 if given in (None, "auto") else _number(given)
    skip = frozenset() if options.skip_codes is None else exit_codes(options.skip_codes)
    return RunRules(
        match=options.match, bad_codes=None if options.bad_codes is None else exit_codes(options.bad_codes),
        skip_codes=skip | {CANNOT_TELL}, crash_is_bad=options.crash_is_bad,
        timeout_is_bad=options.on_timeout == "bad", invert=options.invert, measure=options.measure,
        threshold=threshold,
    )  # fmt: skip


def _number(text: str) -> float:
    try:
        return number(text)
    except ValueError:
        raise BadParameter(f"--threshold must be a number or auto: {text!r}") from None


def seconds(text: str) -> float:
    """
    >>> seconds("90"), seconds("1.5m"), seconds("2h")
    (90.0, 90.0, 7200.0)
    """
    unit = _UNITS.get(text[-1:], 0.0)
    return float(text[:-1]) * unit if unit else float(text)


seconds.__name__ = "time"


def of_file(path: str) -> list[str]:
    """The lines that are not empty; what stands in one is one argument of the command, blanks and all."""
    names = []
    for at, line in enumerate(_read(path).decode("utf-8", "surrogateescape").split("\n"), 1):
        name = line.removesuffix("\r")
        if "\0" in name:
            raise BadData("a flag has a zero byte in it", source=path, line=at)
        if name.strip():
            names.append(name)
    return names


def read_file(path: str) -> bytes:
    return _read(path)


def _read(path: str) -> bytes:
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise MistakeboundError(f"{path}: {error.strerror or error}") from error


def requires_of(options: Namespace, oracle: CommandOracle) -> dict[str, list[str]] | None:
    """Which flags need which: as said, or, of commits, by the lines that they change; None: no flag needs another."""
    if options.requires is not None:
        return requirements(options.requires)
    if options.mode != "git":
        return None
    from mistakebound.cli.commands import note
    from mistakebound.teachers.git_oracle import GitOracle

    assert isinstance(oracle, GitOracle)
    needs = oracle.needs()
    if needs and not options.quiet:
        note(f"{len(needs)} of {len(oracle.flags)} commits change lines of others, and are applied with these only")
    return needs or None


def requirements(path: str) -> dict[str, list[str]]:
    """A flag a line and, after it, the flags that it needs, with a tabulator before each."""
    found: dict[str, list[str]] = {}
    for line in of_file(path):
        flag, *needed = line.split("\t")
        found.setdefault(flag, []).extend(needed)
    return found


def numbers(path: str | None) -> dict[str, float] | None:
    """A flag a line and, after it and a tabulator, its number."""
    if path is None:
        return None
    found = {}
    for line in of_file(path):
        flag, _, text = line.rpartition("\t")
        try:
            found[flag] = float(text)
        except ValueError:
            flag = ""
        if not flag:
            raise BadData(f"a line must be FLAG<tab>NUMBER: {line!r}", source=path)
    return found


def of_environment(text: str) -> list[tuple[str, str | None]]:
    """
    >>> of_environment("FAST, CACHE,TRACE=2")
    [('FAST', None), ('CACHE', None), ('TRACE', '2')]
    """
    found: list[tuple[str, str | None]] = []
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not part.strip():
            continue
        if not _NAME.fullmatch(name) or "\0" in value:
            raise BadParameter(f"variables must be names or NAME=VALUE, separated by commas: {part!r}")
        found.append((name, value if equals else None))
    return found


def _values(name: str, value: str | None) -> tuple[str | None, str | None]:
    """Of a variable that is on, and off: what was said, else the caller's value; unset, or the caller's value."""
    own = os.environ.get(name)
    return (own or "1", None) if value is None else (value, own)


def head_of(options: Namespace, rules: RunRules) -> dict[str, Any]:
    """What makes another hunt of it."""
    from mistakebound.teachers.run_rules import RunRules

    plain = RunRules()
    said = {name: getattr(rules, name) for name in RunRules.__slots__ if getattr(rules, name) != getattr(plain, name)}
    verdict = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in said.items()}
    return {"mode": options.mode, "command": options.command, "setup": options.setup, **verdict}
