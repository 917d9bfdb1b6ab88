"""Predictions that a learner made before it heard the labels, written as they are made: a line a row."""

from __future__ import annotations

import os
import sys

from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.core.file_kinds import check_kind
from mistakebound.core.names import one_line
from mistakebound.core.standard_output import standard_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TextIO

    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Ints
    from mistakebound.core.errors import BadData
    from mistakebound.core.ledger import Ledger
    from mistakebound.model.plan import Plan


def check_predictions(plan: Plan) -> None:
    """BadParameter for a plan in which a line a row, in the order of the rows, cannot be had."""
    own = plan.spell("predictions")
    against = ("resume", plan.resume), ("shuffle", plan.seed is not None), ("holdout", isinstance(plan.holdout, int))
    for name, given in against:
        if given:
            what = "1/K" if name == "holdout" else ""
            raise BadParameter(f"{own} cannot be combined with {f'{plan.spell(name)} {what}'.strip()}")


def check_own_threshold(plan: Plan, ledger: Ledger) -> None:
    """BadParameter where `predict` would go by another threshold than the one by which a learner plays its trials."""
    if ledger.threshold is not None:
        own, by = plan.spell("predictions"), "threshold" if plan.maximize is None else "maximize"
        given = plan.threshold is not None or plan.maximize is not None
        other = plan.spell(by) if given else "a model that has a threshold of its own"
        raise BadParameter(f"{own} cannot be combined with {other}")


class PredictionWriter:
    """Writes to a file, or for "-" to standard output; a row that was skipped has no line.

    Where a learner could not say anything yet, because no label has come, the line is empty.
    """

    __slots__ = ("_file", "_name", "_skipped")

    def __init__(self, path: str) -> None:
        self._name = path
        self._skipped: set[int | None] = set()  # lines of the block in hand
        if path == "-":
            self._file: TextIO = standard_output()
            return
        if os.path.isfile(path):
            check_kind(path, "predictions")
        try:
            self._file = open(path, "w", encoding="utf-8", newline="\n", errors="surrogatepass")  # noqa: SIM115
        except (OSError, ValueError) as error:
            raise self._trouble(error) from error

    def skip(self, error: BadData) -> None:
        """Note a row of the current block that is skipped."""
        self._skipped.add(error.line)

    def write(self, learner: Any, block: Block, predictions: Ints, trials: int) -> None:
        """What was said in the first so many trials of a block; it goes out at once."""
        labels = learner.labels
        names = [None if labels.name(code) is None else labels.text(code) for code in range(len(labels.values))]
        texts = ["\n" if name is None else f"{one_line(name)}\n" for name in names]
        said: Sequence[int] = predictions[:trials]
        if self._skipped and block.lines is not None:
            kept = (code for code, line in zip(predictions, block.lines, strict=False) if line not in self._skipped)
            said = [code for code, _ in zip(kept, range(trials), strict=False)]
            self._skipped.clear()
        try:
            self._file.write("".join([texts[code] if code >= 0 else "\n" for code in said]))
            self._file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._trouble(error) from error

    def close(self) -> None:
        if self._file is not sys.stdout:
            self._file.close()

    def _trouble(self, error: Exception) -> MistakeboundError:
        return MistakeboundError(f"cannot write {self._name}: {getattr(error, 'strerror', None) or error}")
