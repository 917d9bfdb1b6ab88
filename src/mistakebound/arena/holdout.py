"""Rows that are predicted and never learned: what they say of the error is not flattered by having learned them."""

from __future__ import annotations

from array import array

from mistakebound.core.block_labels import label_codes
from mistakebound.core.complaints import label_complaint, locate
from mistakebound.core.errors import BadData
from mistakebound.core.ledger import Ledger
from mistakebound.streams.part import Parts
from mistakebound.streams.pipeline import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.kernels._buffers import Ints


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
        self.passes = [list(counts) for counts in state["passes"]]
        self.ledger = Ledger.restore(state["ledger"], learner.labels)

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
            parts = Parts(block)
            for row in range(block.rows):
                self.predict(learner, parts.part(row, row + 1), skip)

    def _count(self, learner: Any, block: Block) -> None:
        predictions = array("b", bytes(block.rows))
        codes = label_codes(block, 0, learner.labels)
        learner.predict_block(block, predictions)
        bad = bytes(codes).find(b"\xff")
        if bad >= 0:
            error = label_complaint(block, bad, learner.labels)
            locate(error, block, bad)
            raise error
        self.ledger.record_codes(codes, predictions, 0, block.rows)


class EveryKth(Holdout):
    """Row k, 2k, 3k, ... of the stream is held out, in every pass and in any order the same ones.

    Each is predicted when its turn comes, by the learner as it is then.
    """

    __slots__ = ("every",)

    in_stream = True

    def __init__(self, learner: Any, every: int) -> None:
        super().__init__(learner)
        self.every = every

    def play(
        self,
        learner: Any,
        block: Block,
        numbers: int | Ints,
        ledger: Ledger,
        skip: Callable[[BadData], None] | None,
    ) -> None:
        """Play a block; `numbers` are those of its rows in the stream, from 0, or that of the first one."""
        parts, start = Parts(block), 0
        for row in self._held(numbers, block.rows):
            self._learn(learner, parts, start, row, ledger, skip)
            self.predict(learner, parts.part(row, row + 1), skip)
            start = row + 1
        self._learn(learner, parts, start, block.rows, ledger, skip)

    def _held(self, numbers: int | Ints, rows: int) -> list[int]:
        if isinstance(numbers, int):
            return list(range(self.every - 1 - numbers % self.every, rows, self.every))
        return [row for row, number in enumerate(numbers) if (number + 1) % self.every == 0]

    def _learn(
        self, learner: Any, parts: Parts, first: int, last: int, ledger: Ledger, skip: Callable[[BadData], None] | None
    ) -> None:
        if first < last:
            learner.learn_block(parts.part(first, last), ledger, array("b", bytes(last - first)), skip)


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
