"""The command line: one file per command, imported when it is asked for.  Data on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

INTERRUPTED = 130
OUT_OF_MEMORY = 6
_SHORTEST = b"mistakebound: out of memory; no file was left half written\n"
_SHORT_OF_MEMORY = (  # what is said where MemoryError should have been raised; the last two by Python itself
    "can't start new thread", "cannot allocate memory", "failed to map segment",
    "error return without exception set", "returned null without setting an exception",
)  # fmt: skip
_FEW = 1 << 16  # objects that are made before the first garbage collection


def process(parse: Callable[[list[str]], Any] | None = None) -> NoReturn:
    """The process of the command line: `main`, and an end that takes no time.

    Starting up makes tens of thousands of objects that stay; garbage collection would go through them several times and
    take a tenth of the start.  Collecting later costs at most _FEW objects, a few megabytes.
    """
    try:
        import gc

        gc.set_threshold(_FEW)
        # Arrow's own allocator takes large pages that it hardly fills: clearing them took longer than reading a file.
        if parse is None and sys.argv[1:2] != ["hunt"]:  # it runs commands of others, in the environment that it has
            os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
        _write_any_name()
        try:
            code = main(started=_end_at_once_by_ctrl_c(), parse=parse)
        except MemoryError:  # again, while it was being reported: no memory is left to make a message
            os.write(2, _SHORTEST)
            code = OUT_OF_MEMORY
        # All files are closed and the output is flushed, so exit without tearing the interpreter down.  A debugger, a
        # profiler and `python -i` need the normal exit, and so does Python to report an output that it cannot flush.
        if not _watched() and _flushed():
            os._exit(code)
    except KeyboardInterrupt:  # outside of `main`, or a second Ctrl-C while it reports the first
        os._exit(INTERRUPTED)
    sys.exit(code)


def _end_at_once_by_ctrl_c() -> Callable[[], object]:
    """Let Ctrl-C end the process at once, until the returned function is called: there is nothing to save yet.

    KeyboardInterrupt would not do: in some imports Python prints it and goes on.
    """
    import signal

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return lambda: None

    def end(number: int, frame: object) -> NoReturn:
        os.write(2, b"mistakebound: interrupted\n")
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, end)
    return lambda: signal.signal(signal.SIGINT, signal.default_int_handler)


def _write_any_name() -> None:
    """What the output's encoding has no place for is written as \\ud800: half a pair of surrogates in JSON, say."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None and sys.stdout.errors == "strict":
        reconfigure(errors="backslashreplace")


def _watched() -> bool:
    monitoring: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on
    tools = monitoring is not None and any(monitoring.get_tool(number) for number in range(6))
    return bool(tools or sys.gettrace() or sys.getprofile() or sys.flags.inspect)


def _flushed() -> bool:
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # closed by whoever called us
                stream.flush()
    except (OSError, ValueError):
        return False
    return True


def main(
    argv: Sequence[str] | None = None,
    *,
    started: Callable[[], object] | None = None,
    parse: Callable[[list[str]], Any] | None = None,
) -> int:
    """Run one command; its exit code (`mistakebound --help` lists them).

    `started` is called when all that the command needs to begin with is imported; `parse` makes options of words,
    where that is not the list of commands.
    """
    from mistakebound.cli import commands
    from mistakebound.cli.commands import note
    from mistakebound.cli.outputs import check_files
    from mistakebound.core.errors import MistakeboundError

    try:
        _say_once_that_kernels_are_missing()
        options = (parse or commands.parse)(list(sys.argv[1:] if argv is None else argv))
        check_files(options)
        if started is not None:
            started()
        code: int = options.run(options)
        if sys.stdout is not None:  # closed by whoever started us
            sys.stdout.flush()
    except MistakeboundError as error:
        note(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        note("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()  # whoever read us has enough
        return 1
    except (MemoryError, RuntimeError, ImportError, SystemError) as error:
        if not _lacks_memory(error):
            raise
        return _say_that_memory_is_short(error)
    except OSError as error:
        if _lacks_memory(error):
            return _say_that_memory_is_short(error)
        note(f"{error.filename or 'output'}: {error.strerror or error}")
        _close_output()
        return 1
    return code


def _lacks_memory(error: BaseException) -> bool:
    """Whether memory is short: MemoryError, or an error of the system, a thread or a library for that reason."""
    import errno

    if isinstance(error, (MemoryError, OSError)):
        return isinstance(error, MemoryError) or error.errno == errno.ENOMEM
    text = str(error).lower()
    return any(words in text for words in _SHORT_OF_MEMORY)


def _say_that_memory_is_short(error: BaseException) -> int:
    from mistakebound.cli.commands import note

    why = " ".join(str(error).split())[:200]
    error.__traceback__ = error.__context__ = error.__cause__ = None  # what was being made can go
    note(f"out of memory{': ' if why else ''}{why}; no file was left half written")
    return OUT_OF_MEMORY


def _close_output() -> None:
    """Keep Python from a second complaint, when it flushes at exit what cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say_once_that_kernels_are_missing() -> None:
    # Not `from mistakebound import kernels`: that looks among the public names first, and a kernel warns on the way.
    from mistakebound.kernels import missing_message

    message = missing_message()
    if message is not None:
        import warnings

        warnings.simplefilter("ignore", RuntimeWarning)
        print(message, file=sys.stderr)
