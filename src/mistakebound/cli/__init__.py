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
_FEW = 1 << 16  # objects that may be made before somebody looks for garbage among them


def process() -> NoReturn:
    """The process of the command line: `main`, and an end that takes no time.

    Starting up makes ten thousands of objects that stay: to look through them for garbage again and again takes a tenth
    of the start.  What garbage there is can be no more than _FEW objects, a few megabytes.
    """
    try:
        import gc

        gc.set_threshold(_FEW)
        _write_any_name()
        try:
            code = main(started=_end_at_once_by_ctrl_c())
        except MemoryError:  # once more, while it was being said: there is no room for words that are not made yet
            os.write(2, _SHORTEST)
            code = OUT_OF_MEMORY
        # Files are closed, and what was printed is about to be; then there is nothing to take apart.  A debugger, a
        # profiler or `python -i` have something to say still, and Python itself what is wrong with an output at the
        # end.
        if not _watched() and _flushed():
            os._exit(code)
    except KeyboardInterrupt:  # beside `main`, or once more while it said so
        os._exit(INTERRUPTED)
    sys.exit(code)


def _end_at_once_by_ctrl_c() -> Callable[[], object]:
    """Until what comes back is called Ctrl-C ends the process: there is nothing yet that could be saved.

    An exception would do the same, but not out of every corner of an import: Python prints and forgets some.
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


def main(argv: Sequence[str] | None = None, *, started: Callable[[], object] | None = None) -> int:
    """Run one command; its exit code (`mistakebound --help` lists them).

    `started` is called when all that the command needs to begin with is imported.
    """
    from mistakebound.cli.commands import note, parse
    from mistakebound.cli.outputs import check_files
    from mistakebound.core.errors import MistakeboundError

    try:
        _say_once_that_kernels_are_missing()
        options = parse(list(sys.argv[1:] if argv is None else argv))
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
    """MemoryError, and what else says so: the system, a thread that cannot start, a library that cannot be loaded."""
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
    """Python must not complain once more, when it flushes what cannot be written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say_once_that_kernels_are_missing() -> None:
    # Not `from mistakebound import kernels`: that looks among the public names first, and a kernel warns on the way.
    from mistakebound.kernels import missing_message

    message = missing_message()
    if message is not None:
        import warnings

        warnings.simplefilter("ignore", RuntimeWarning)
        print(message, file=sys.stderr)
