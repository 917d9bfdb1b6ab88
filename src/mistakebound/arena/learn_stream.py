"""A whole stream played in blocks: the same ledger as `play`, by way of the kernels."""

from __future__ import annotations

from array import array

from mistakebound.core.errors import NoConsistentHypothesis
from mistakebound.streams.pipeline import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.errors import BadData
    from mistakebound.core.ledger import Ledger


def learn_stream(
    learner: Any,
    reader: Any,
    ledger: Ledger,
    *,
    threads: int = 1,
    skip: Callable[[BadData], None] | None = None,
    progress: Callable[[], None] | None = None,
) -> int | None:
    """Play every row of a reader's blocks as a trial.

    Rows that the learner cannot take raise BadData after those before them were learned, or go to `skip`.  Labels that
    no hypothesis fits end the play and stand in the ledger's verdict: the line of that row comes back.  `progress` is
    called after every block.
    """

    stopped: list[int | None] = []

    def handle(block: Block) -> bool:
        predictions = array("b", bytes(block.rows))
        try:
            learner.learn_block(block, ledger, predictions, skip)
        except NoConsistentHypothesis as error:
            error.trial = ledger.trials
            ledger.inconsistency = str(error)
            stopped.append(error.line)
            return True
        if progress is not None:
            progress()
        return False

    run(reader, handle, threads)
    return stopped[0] if stopped else None
