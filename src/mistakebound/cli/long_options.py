"""The options of long work: passes, another order, a cache, rows held out, checkpoints."""

from __future__ import annotations

import os

from mistakebound.cli import common
from mistakebound.cli.numbers import whole
from mistakebound.cli.settings import at_least
from mistakebound.core.errors import BadParameter
from mistakebound.io import cached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_long_options(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("long work")
    group.add_argument(
        "--passes", type=whole, default=1, metavar="N", help="learn the stream N times, or until a pass has no mistake"
    )
    common.add_shuffle(group)
    group.add_argument(
        "--cache", nargs="?", const=True, type=_cache_place, metavar="NAME",
        help="keep the parsed rows, beside the first FILE or in NAME; behind the FILEs, or --cache=NAME",
    )  # fmt: skip
    common.add_on_error(group)
    group.add_argument("--checkpoint", metavar="EVERY", help="write the model every so many rows, or seconds: 30s")
    group.add_argument("--resume", action="store_true", help="go on from the checkpoint in --model, if there is one")


def _cache_place(name: str) -> str:
    """As `--cache events.svm` would take the stream for the cache, a file that is none of ours is refused at once."""
    if os.path.exists(name) and not cached(name) and not (os.path.isfile(name) and not os.path.getsize(name)):
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(
            f"refusing to overwrite {name}: it is not a cache of parsed rows; if it is the stream, put --cache behind "
            "it or write --cache=NAME"
        )
    return name


def check_long_options(options: Namespace) -> None:
    at_least("--passes", options.passes, 1)
    check_seed(options)
    if "-" in options.files and options.passes > 1 and options.cache is None and not options.shuffle:
        raise BadParameter(f"--passes over standard input must have --cache=NAME or --shuffle: {options.passes}")
    for name in ("checkpoint", "resume"):
        if getattr(options, name) and options.model is None:
            raise BadParameter(f"--{name} must have --model, the file that it is about")


def check_seed(options: Namespace) -> None:
    if options.seed != common.SEED and not options.shuffle:
        raise BadParameter(f"--seed must be left out without --shuffle: {options.seed}")


def seed_of(options: Namespace) -> int | None:
    """Of the order of the rows; None: as they come."""
    return int(options.seed) if options.shuffle else None
