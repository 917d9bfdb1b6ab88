"""The optimisations that a compiler turns on at one level and not at -O0, each with how it is turned off."""

from __future__ import annotations

import os
import shlex
import subprocess

from mistakebound.core.errors import BadParameter, CommandMissing

_ENABLED, _DISABLED = "[enabled]", "[disabled]"

Forms = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]


def compiler_flags(line: str) -> Forms:
    """Flag to (arguments if it is on, arguments if it is off), of `gcc -O2` or what else knows --help=optimizers."""
    words = shlex.split(line)
    if not words:
        raise BadParameter(f"a compiler with its level must be given, such as 'gcc -O2': {line!r}")
    on, off = _states(words), _states([*words, "-O0"])
    found: Forms = {}
    for name, state in on.items():
        before = off.get(name, state)
        if state != before:
            arguments, without = _argument(name, state), _argument(name, before)
            if arguments and all("=" not in each or _takes(words, each) for each in (*arguments, *without)):
                found[arguments[0]] = arguments, without
    return found


def _states(words: list[str]) -> dict[str, str]:
    """Option to its state: [enabled], [disabled], or a value."""
    try:
        done = subprocess.run([*words, "-Q", "--help=optimizers"], capture_output=True, text=True)
    except OSError as error:
        raise CommandMissing(f"cannot run {words[0]!r}: {error.strerror or error}") from error
    if done.returncode:
        raise BadParameter(f"{words[0]} does not list its optimisations (-Q --help=optimizers)")
    return states(done.stdout)


def _takes(words: list[str], argument: str) -> bool:
    """Whether the compiler takes a value that it lists: some stand for "not said"."""
    trial = [*words, argument, "-fsyntax-only", "-x", "c", os.devnull]
    return subprocess.run(trial, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def states(listing: str) -> dict[str, str]:
    """
    >>> states("  -fgcse   \\t[enabled]\\n  -fvect-cost-model=[a|b] \\tb\\n  -O<n>   \\n")
    {'-fgcse': '[enabled]', '-fvect-cost-model=': 'b'}
    """
    found = {}
    for line in listing.splitlines():
        name, _, state = line.strip().partition("\t")
        name, state = name.strip(), state.strip()
        if name.startswith("-f") and state:
            found[name.partition("=")[0] + ("=" if "=" in name else "")] = state
    return found


def _argument(name: str, state: str) -> tuple[str, ...]:
    """What brings an option into a state; nothing, if nothing does.

    >>> _argument("-fgcse", "[enabled]"), _argument("-fgcse", "[disabled]"), _argument("-flive=", "b")
    (('-fgcse',), ('-fno-gcse',), ('-flive=b',))
    """
    if name.endswith("="):
        return () if state in (_ENABLED, _DISABLED) else (f"{name}{state}",)
    if state == _ENABLED:
        return (name,)
    return (f"-fno-{name.removeprefix('-f')}",) if state == _DISABLED else ()
