"""The files that a command names, checked before it does anything.

A command's module declares them by the names of its options:

    INPUTS   options whose files are read
    OUTPUTS  option -> the kind of file that is written (core/file_kinds.py), or a function of the options that says it
    OF_ONE_FILE  (output, input) that may be one file, because it is read whole before it is replaced by one of its kind

and in `more_outputs(options)` what it writes under names that are not given: (option, path, kind).

No output is an input or another output, no file of another kind is overwritten, and every place can be written.
"""

from __future__ import annotations

import os
import stat
import sys

from mistakebound.core.errors import BadParameter, MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

FOLDER = "folder"  # the kind of an output that is a folder


def check_files(options: Any) -> None:
    """BadParameter or MistakeboundError with one sentence when an output of a command cannot or must not be written."""
    inputs = _inputs(options)
    _check_standard_output(inputs)
    may_be_one = getattr(options.module, "OF_ONE_FILE", ())
    taken: list[tuple[str, str, os.stat_result | None]] = []
    for dest, path, kind in _outputs(options):
        option = option_of(dest)
        if not path:
            raise BadParameter(f"{option} must name a file: {path!r}")
        there = _state(path)
        for read, name, found in inputs:
            if _same(there, found) and (dest, read) not in may_be_one:
                other = "" if name == path else f", {name}" if name != "-" else ", standard input"
                raise BadParameter(f"refusing to overwrite {path}: {option} is an input of this command{other}")
        for other, name, found in taken:
            if _same(there, found) or _place(path) == _place(name):
                raise BadParameter(f"{option} and {option_of(other)} must be different files: {path!r}")
        taken.append((dest, path, there))
        _check_place(path, kind)


def option_of(dest: str) -> str:
    """How the option of a name is written."""
    return _WRITTEN.get(dest) or f"--{dest.replace('_', '-')}"


_WRITTEN = {
    "files": "the files", "settings": "--set", "parameters": "--set", "start": "--from", "costs": "--cost",
    "names": "--columns",
}  # fmt: skip


def _inputs(options: Any) -> list[tuple[str, str, os.stat_result | None]]:
    """Option, name and state of each."""
    inputs = []
    for dest in getattr(options.module, "INPUTS", ()):
        found = getattr(options, dest)
        names = found if isinstance(found, list) else [found]
        inputs += [(dest, name, _state(name)) for name in names if isinstance(name, str)]
    return inputs


def _outputs(options: Any) -> Iterator[tuple[str, str, str | None]]:
    for dest, kind in getattr(options.module, "OUTPUTS", {}).items():
        path = getattr(options, dest)
        if isinstance(path, str) and not (kind == "predictions" and _flows_on(path)):
            yield dest, path, kind if isinstance(kind, str) else kind(options) if path else None
    if hasattr(options.module, "more_outputs"):
        yield from options.module.more_outputs(options)


def _flows_on(path: str) -> bool:
    """Whether what is written there goes to standard output, a pipe or a device, where nothing can be lost."""
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path))


def _state(name: str) -> os.stat_result | None:
    """What stands behind a name, through links; of a pipe or a terminal nothing can be lost."""
    try:
        found = os.fstat(sys.stdin.fileno()) if name == "-" else os.stat(name)
    except (OSError, ValueError, AttributeError):  # no such file, closed, or no input at all
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _same(one: os.stat_result | None, other: os.stat_result | None) -> bool:
    return one is not None and other is not None and os.path.samestat(one, other)


def _place(path: str) -> str:
    """Of a file that need not be there; two names that differ in case are one on some systems."""
    return os.path.realpath(path).casefold()


def _check_standard_output(inputs: list[tuple[str, str, os.stat_result | None]]) -> None:
    """`>> FILE` of an input would be read again as it grows."""
    try:
        out = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return
    for _, name, found in inputs:
        if stat.S_ISREG(out.st_mode) and found is not None and os.path.samestat(out, found):
            raise BadParameter(f"refusing to write to standard output: it is an input of this command, {name}")


def _check_place(path: str, kind: str | None) -> None:
    from mistakebound.core.file_kinds import check_kind
    from mistakebound.core.whole_file import check_place

    if kind == FOLDER:
        if os.path.lexists(path) and not os.path.isdir(path):
            raise MistakeboundError(f"cannot write into {path}: it is not a folder")
        return
    check_place(path)
    if kind == "picture":
        from mistakebound.report.plots import check_picture

        check_picture(path)
    elif kind == "svg":
        from importlib.util import find_spec

        if find_spec("igraph") is None:
            raise MistakeboundError("drawing as SVG needs igraph: pip install 'mistakebound[plot]'")
    if kind is not None:
        check_kind(path, kind)
