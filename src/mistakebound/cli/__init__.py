"""The command line: one file a command, imported when it is asked for.  Data on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code (`mistakebound --help` lists them)."""
    from mistakebound.cli.commands import note, parse
    from mistakebound.core.errors import MistakeboundError

    try:
        _say_once_that_kernels_are_missing()
        options = parse(list(sys.argv[1:] if argv is None else argv))
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
    except OSError as error:
        note(f"{error.filename or 'output'}: {error.strerror or error}")
        _close_output()
        return 1
    return code


def _close_output() -> None:
    """Python must not complain once more, when it flushes what cannot be written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say_once_that_kernels_are_missing() -> None:
    from mistakebound import kernels

    message = kernels.missing_message()
    if message is not None:
        import warnings

        warnings.simplefilter("ignore", RuntimeWarning)
        print(message, file=sys.stderr)
