"""Passes over a stream, played in blocks: the same ledger as `play`, from its start or from where they stopped."""

from __future__ import annotations

from mistakebound.arena.stream_labels import play_widening
from mistakebound.core.block_labels import no_codes
from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.core.fields import Fields
from mistakebound.io.reader import run, threads_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.ledger import Ledger
    from mistakebound.model.holdout import EveryKth, OwnFile
    from mistakebound.model.progressive import PredictionWriter


class Trainer:
    """So many passes over a stream; one without a mistake is the last, for nothing would change in another one.

    The ledger counts the trials of all passes: the bounds are for any sequence of examples, repeated ones too.
    `after_block` is called when a block is done; what `state` says then is enough to go on from there.
    """

    __slots__ = (
        "_before",
        "_mistakes",
        "holdout",
        "learner",
        "ledger",
        "pass_number",
        "passes",
        "position",
        "stopped",
        "torn",
    )

    def __init__(
        self, learner: Any, ledger: Ledger, passes: int = 1, holdout: EveryKth | OwnFile | None = None
    ) -> None:
        self.learner = learner
        self.ledger = ledger
        self.passes = passes
        self.holdout = holdout
        self.pass_number = 1  # number of the pass in hand
        self.position: dict[str, Any] | None = None  # behind its last block; None: it has not begun
        self.stopped: dict[str, Any] | None = None  # the row whose label no hypothesis fits
        self.torn = False  # in the middle of a block: a second Ctrl-C may have stopped the learner there
        self._before = ledger.mistakes
        self._mistakes: list[int] = []  # of the passes that are over

    @property
    def mistakes_by_pass(self) -> list[int]:
        """Of the passes that are over."""
        return list(self._mistakes)

    @property
    def converged(self) -> bool:
        """Whether a pass had no mistake, so that there was no need of another."""
        return bool(self._mistakes) and self._mistakes[-1] == 0 and len(self._mistakes) < self.passes

    @property
    def over(self) -> bool:
        done = len(self._mistakes)
        return self.stopped is not None or done == self.passes or (done > 0 and self._mistakes[-1] == 0)

    def go(
        self,
        open_pass: Callable[[int], Any],
        *,
        threads: int | None = 1,
        skip: Callable[[BadData], None] | None = None,
        after_block: Callable[[Any], None] | None = None,
        widen: Callable[[Block, int], Any] | None = None,
        predictions: PredictionWriter | None = None,
    ) -> None:
        """Play what is left of the passes; `open_pass` gives the reader of a pass.

        `widen` is called with a block and the row of it that has a third label, and gives a learner of more, or None.
        `predictions` are those of the first pass.
        """

        def wider(block: Block, row: int) -> Any:
            learner = None if widen is None else widen(block, row)
            if learner is not None:
                self.learner = learner
                if self.holdout is not None:
                    self.holdout.ledger.widen(learner.labels, {})
            return learner

        within: Any = self.holdout if self.holdout is not None and self.holdout.in_stream else None
        while not self.over:
            self.ledger.passes = max(self.ledger.passes, self.pass_number)
            with open_pass(self.pass_number) as reader:
                if self.position is not None:
                    reader.seek(self.position)
                count = threads_for(reader, threads)

                def begin() -> None:
                    self.torn = True

                def done(reader: Any = reader) -> None:
                    self.position = reader.position()
                    self.torn = False
                    if after_block is not None:
                        after_block(reader)

                self.stopped = learn_stream(
                    self.learner, reader, self.ledger, threads=count, skip=skip,
                    begin=begin, progress=done, holdout=within, widen=wider,
                    predictions=predictions if self.pass_number == 1 else None,
                )  # fmt: skip
                self.position = reader.position()
                if self.holdout is not None and self.stopped is None:
                    self.holdout.measure(self.learner, count, skip)
            self.end_pass()

    def end_pass(self) -> None:
        """The pass in hand is over: its mistakes are counted, and the next one is in hand."""
        if self.holdout is not None:
            self.holdout.end_pass(self.learner)
        self._mistakes.append(self.ledger.mistakes - self._before)
        self._before = self.ledger.mistakes
        if not self.over:
            self.pass_number += 1
            self.position = None

    def state(self) -> dict[str, Any]:
        """As JSON: enough to go on, together with the learner and its ledger."""
        return {
            "pass": self.pass_number, "mistakes": self._mistakes, "before": self._before, "position": self.position,
            "holdout": None if self.holdout is None else self.holdout.state(),
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Take up a state; ValueError, KeyError or TypeError when it makes no sense."""
        saved = Fields(state, "the record of the run")
        pass_number, before, mistakes = saved.whole("pass", 1), saved.whole("before"), saved.wholes("mistakes")
        held = saved.record("holdout", none=True)
        if (held is None) != (self.holdout is None):
            raise ValueError("the record of the run and the command disagree about held-out rows")
        self.pass_number, self._before, self._mistakes = pass_number, before, list(mistakes)
        if pass_number > self.passes or len(mistakes) != pass_number - (not self.over):
            raise ValueError(f"there are {len(mistakes)} counts of mistakes in pass {pass_number} of {self.passes}")
        if not sum(mistakes) <= before <= self.ledger.mistakes:
            raise ValueError("the mistakes of the passes are not those of the ledger")
        self.position = saved.record("position", none=True)
        if self.holdout is not None:
            self.holdout.restore(held, self.learner)


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
    predictions: PredictionWriter | None = None,
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

    def skip_row(error: BadData) -> None:
        if locate is not None:
            locate(error)
        if predictions is not None:
            predictions.skip(error)
        if skip is not None:
            skip(error)

    passing = skip if skip is None or (locate is None and predictions is None) else skip_row
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
        said, counted = no_codes(learner.labels, block.rows), ledger.trials
        try:
            if holdout is None:
                learner.learn_block(block, ledger, said, passing)
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
        finally:
            if predictions is not None:
                predictions.write(learner, block, said, ledger.trials - counted)
        return False

    run(reader, handle, threads, learner.attributes)
    return stopped[0] if stopped else None
