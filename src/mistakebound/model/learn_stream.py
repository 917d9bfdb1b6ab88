"""A whole stream played in blocks: the same ledger as `play`, by way of the kernels."""

from __future__ import annotations

from mistakebound.arena.stream_labels import play_widening
from mistakebound.core.block_labels import no_codes
from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.io.pipeline import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.ledger import Ledger
    from mistakebound.model.holdout import EveryKth


def learn_stream(
    learner: Any,
    reader: Any,
    ledger: Ledger,
    *,
    threads: int = 1,
    skip: Callable[[BadData], None] | None = None,
    begin: Callable[[], None] | None = None,
    progress: Callable[[], None] | None = None,
    holdout: EveryKth | None = None,
    widen: Callable[[Block, int], Any] | None = None,
) -> dict[str, Any] | None:
    """Play every row of a reader's blocks as a trial, apart from those that are held out.

    Rows that the learner cannot take raise BadData after those before them were learned, or go to `skip`.  Labels that
    no hypothesis fits end the play and stand in the ledger's verdict: source and line of that row come back.
    `begin` is called before every block and `progress` after it.  Where the label of a row is a third one that nobody
    declared, `widen` is called with the block and the row, and may give a learner of more labels to go on with.
    """
    stopped: list[dict[str, Any]] = []
    locate = reader.locate if reader.shuffled else None
    row = reader.rows if holdout is not None else 0

    def pass_over(error: BadData) -> None:
        if locate is not None:
            locate(error)
        if skip is not None:
            skip(error)

    passing = skip if locate is None or skip is None else pass_over
    first = learner

    def handle(block: Block) -> bool:
        nonlocal learner
        if begin is not None:
            begin()
        if learner is not first:
            block.known = None  # attributes were looked up in the table of another learner
        if widen is None:
            over = play(learner, block)
        else:
            learner, over = play_widening(learner, block, play, widen)
        if not over and progress is not None:
            progress()
        return over

    def play(learner: Any, block: Block) -> bool:
        nonlocal row
        try:
            if holdout is None:
                learner.learn_block(block, ledger, no_codes(learner.labels, block.rows), passing)
            else:
                holdout.play(learner, block, row, locate is not None, ledger, passing)
                row += block.rows
        except NoConsistentHypothesis as error:
            error.trial = ledger.trials
            ledger.inconsistency = str(error)
            source = block.source if locate is None else locate(error)
            stopped.append({"source": source, "line": error.line})
            return True
        except BadData as error:
            if locate is not None:
                locate(error)
            raise
        return False

    run(reader, handle, threads, learner.attributes)
    return stopped[0] if stopped else None
