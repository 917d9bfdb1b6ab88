"""Flags of a hunt: the lines of a file, or names of variables."""

from __future__ import annotations

import sys

from mistakebound.core.errors import BadData, BadParameter, MistakeboundError


def of_file(path: str) -> list[str]:
    """The lines that are not empty; what stands in one is one argument of the command, blanks and all."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        raise MistakeboundError(f"{path}: {error.strerror or error}") from error
    names = []
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        name = line.removesuffix("\r")
        if "\0" in name:
            raise BadData("a flag has a zero byte in it", source=path, line=number)
        if name.strip():
            names.append(name)
    return names


def of_environment(text: str) -> list[tuple[str, str]]:
    """
    >>> of_environment("FAST, CACHE,TRACE=2")
    [('FAST', '1'), ('CACHE', '1'), ('TRACE', '2')]
    """
    found = []
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not part.strip():
            continue
        if not name or "\0" in part:
            raise BadParameter(f"env must be names, or NAME=VALUE, with commas between them: {part!r}")
        found.append((name, value if equals else "1"))
    return found
