"""Rows that are predicted and never learned: what they say of the error is not flattered by having learned them."""

from __future__ import annotations

from array import array
from binascii import a2b_base64, b2a_base64

from mistakebound.core.block import label_complaint, locate
from mistakebound.core.block_labels import label_codes, marks, no_codes, settle_labels
from mistakebound.core.errors import BadData
from mistakebound.core.fields import Fields
from mistakebound.core.ledger import Ledger
from mistakebound.io.cache_block import Damaged, Packer, Unpacker
from mistakebound.io.reader import run
from mistakebound.io.take import Taker
from mistakebound.kernels import shuffle as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block

ROUND = 4096  # rows
_NO_LINES = array("q")


class Holdout:
    """Counts of the rows that are held out, pass by pass."""

    __slots__ = ("ledger", "passes")

    in_stream = False  # whether the rows stand among those that are learned

    def __init__(self, learner: Any) -> None:
        self.ledger = Ledger(learner.labels)  # of the pass in hand
        self.passes: list[list[int]] = []  # rows and mistakes of those before

    def measure(self, learner: Any, threads: int, skip: Callable[[BadData], None] | None) -> None:
        """What is to be done when the rows of a pass have been learned."""

    def end_pass(self, learner: Any) -> None:
        self.passes.append([self.ledger.trials, self.ledger.mistakes])
        self.ledger = Ledger(learner.labels)

    @property
    def error_rate(self) -> float | None:
        """Of the pass in hand, else of the last one; None before the first row."""
        rows, mistakes = self.ledger.trials, self.ledger.mistakes
        if not rows and self.passes:
            rows, mistakes = self.passes[-1]
        return mistakes / rows if rows else None

    def state(self) -> dict[str, Any]:
        return {"passes": self.passes, "ledger": self.ledger.state()}

    def restore(self, state: dict[str, Any], learner: Any) -> None:
        saved = Fields(state, "the record of the held-out rows")
        self.passes = []
        for counts in saved.values("passes"):
            rows, mistakes = Fields({"counts": counts}, "a pass over the held-out rows").wholes("counts", 2)
            if mistakes > rows:
                raise ValueError(f"there are {mistakes} mistakes in {rows} rows that were held out")
            self.passes.append([rows, mistakes])
        self.ledger = Ledger.restore(saved.record("ledger"), learner.labels)

    def predict(self, learner: Any, block: Block, skip: Callable[[BadData], None] | None) -> None:
        """Count what the learner says to every row of a block; a bad row raises BadData or goes to `skip`."""
        try:
            self._count(learner, block)
        except BadData as error:
            if skip is None:
                raise
            if block.rows == 1:
                skip(error)
                return
            taker = Taker()
            for row in range(block.rows):
                self.predict(learner, taker.take(block, array("I", [row]), 1, names=False), skip)

    def _count(self, learner: Any, block: Block) -> None:
        predictions = no_codes(learner.labels, block.rows)
        codes = label_codes(block, 0, learner.labels)
        if learner.labels.many:  # one that has not been learned is known by name, and every answer to it is wrong
            settle_labels(block, 0, block.rows, learner.labels)
        learner.predict_block(block, predictions)
        bad = bytes(marks(codes)).find(b"\xff")
        if bad >= 0:
            error = label_complaint(block, bad, learner.labels)
            locate(error, block, bad)
            raise error
        self.ledger.record_codes(codes, predictions, 0, block.rows)


class EveryKth(Holdout):
    """Row k, 2k, 3k, ... of the stream is held out, in every pass and in any order the same ones.

    They are predicted at the end of each round of 4,096 rows of the pass, by the learner as it is then: so the counts
    do not depend on how the stream is cut into blocks.
    """

    __slots__ = ("_lists", "_pending", "_taker", "every")

    in_stream = True

    def __init__(self, learner: Any, every: int) -> None:
        super().__init__(learner)
        self.every = every
        self._taker = Taker()
        self._pending: list[Block] = []  # held-out rows of the round in hand
        self._lists = array("I", bytes(4 * ROUND)), array("I", bytes(4 * ROUND))

    def play(
        self,
        learner: Any,
        block: Block,
        row: int,
        numbered: bool,
        ledger: Ledger,
        skip: Callable[[BadData], None] | None,
    ) -> None:
        """Play a block before which the pass had `row` rows; `numbered`: the lines are the numbers of the rows."""
        lines = block.lines if numbered and block.lines is not None else _NO_LINES
        held, others = self._lists
        first = 0
        while first < block.rows:
            last = min(block.rows, first + ROUND - (row + first) % ROUND)
            count = kernel.split(first, last, row + 1, lines, self.every, held, others)
            if count < 0:
                raise AssertionError("the rows of a block do not fit together")
            left = last - first - count
            if left:
                part = self._taker.take(block, others, left, names=False)
                learner.learn_block(part, ledger, no_codes(learner.labels, left), skip)
            if count:
                self._pending.append(Taker().take(block, held, count, names=True))
            if (row + last) % ROUND == 0:
                self._end_round(learner, skip)
            first = last

    def _end_round(self, learner: Any, skip: Callable[[BadData], None] | None) -> None:
        for block in self._pending:
            self.predict(learner, block, skip)
        self._pending.clear()

    def measure(self, learner: Any, threads: int, skip: Callable[[BadData], None] | None) -> None:
        self._end_round(learner, skip)

    def state(self) -> dict[str, Any]:
        pack = Packer().pack
        rows = [[block.source, b2a_base64(pack(block, 0, 0), newline=False).decode()] for block in self._pending]
        return super().state() | {"pending": rows}

    def restore(self, state: dict[str, Any], learner: Any) -> None:
        super().restore(state, learner)
        for source, text in state["pending"]:
            packed = bytearray(a2b_base64(text, strict_mode=True))
            try:
                self._pending.append(Unpacker().unpack(memoryview(packed), [str(source)]))
            except Damaged:
                raise ValueError("held-out rows of the checkpoint are damaged") from None


class OwnFile(Holdout):
    """The rows of other files, predicted after every pass."""

    __slots__ = ("_open",)

    def __init__(self, learner: Any, open_stream: Callable[[], Any]) -> None:
        super().__init__(learner)
        self._open = open_stream

    def measure(self, learner: Any, threads: int, skip: Callable[[BadData], None] | None) -> None:
        self.ledger = Ledger(learner.labels)  # an earlier try may have been interrupted
        with self._open() as reader:
            run(reader, lambda block: self.predict(learner, block, skip), threads)
