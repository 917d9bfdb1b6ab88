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
    from mistakebound.cli.commands import parse
    from mistakebound.core.errors import MistakeboundError

    try:
        _say_once_that_kernels_are_missing()
        options = parse(list(sys.argv[1:] if argv is None else argv))
        code: int = options.run(options)
        sys.stdout.flush()
    except MistakeboundError as error:
        print(f"mistakebound: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("mistakebound: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has enough; Python must not complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _say_once_that_kernels_are_missing() -> None:
    from mistakebound import kernels

    message = kernels.missing_message()
    if message is not None:
        import warnings

        warnings.simplefilter("ignore", RuntimeWarning)
        print(message, file=sys.stderr)
