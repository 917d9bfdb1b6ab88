"""Options that several commands have: each is declared once, so that it means the same in all of them.

What is added to a parser itself is on the first page of its help; what is added to a group is on the pages of
--help-all (cli/parser.py).
"""

from __future__ import annotations

from mistakebound.cli.numbers import whole
from mistakebound.core.params import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SEED = 1  # of all that is drawn at random, in every command


def add_label(parser: Any) -> None:
    parser.add_argument("--label", metavar="COLUMN", help="the column of labels; of JSON lines the member")


def add_json(parser: Any) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_quiet(parser: Any) -> None:
    parser.add_argument("--quiet", action="store_true", help="no progress, no remarks, of `learn` no report")


def add_model(parser: Any) -> None:
    parser.add_argument("--model", metavar="OUT", help="write the model here")


def add_plot(parser: Any, what: str, endings: str = ".png or .svg") -> None:
    parser.add_argument("--plot", metavar="OUT", help=f"draw {what}: {endings}")


def add_threads(parser: Any) -> None:
    parser.add_argument("--threads", type=whole, metavar="N", help="threads that read; the result is the same")


def add_on_error(parser: Any) -> None:
    parser.add_argument(
        "--on-error", default="fail", choices=("fail", "skip"), help="what a bad row does (default: fail)"
    )


def add_labels(parser: Any) -> None:
    parser.add_argument("--labels", metavar="NEG,POS", help="the labels (default: those of the first 1,000 rows)")


def add_assume(parser: Any) -> None:
    parser.add_argument(
        "--assume", metavar="NAME=VALUE", action="append", default=[], help="a fact about the target, for bounds: k=10"
    )


def add_window(parser: Any) -> None:
    parser.add_argument(
        "--window", type=whole, metavar="N", help="trials of the recent error (default: a tenth of all)"
    )


def add_seed(parser: Any) -> None:
    parser.add_argument("--seed", type=whole, default=SEED, metavar="N", help=f"random seed (default: {SEED})")


def add_shuffle(parser: Any) -> None:
    parser.add_argument("--shuffle", action="store_true", help="each pass in another order; rows stay in memory")
    add_seed(parser)


def add_holdout(parser: Any) -> None:
    parser.add_argument("--holdout", metavar="1/K", help="measure on every K-th row, not learned; or a FILE")


def add_validation(parser: Any) -> None:
    parser.add_argument("--validation", metavar="1/K", help="prune or stop by every K-th row; or a FILE")


def add_timeout(parser: Any) -> None:
    parser.add_argument("--timeout", type=number, metavar="SECONDS", help="seconds that it may take at most")
