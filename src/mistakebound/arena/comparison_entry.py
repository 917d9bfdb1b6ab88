"""One learner of a comparison."""

from __future__ import annotations

from time import thread_time

from mistakebound.arena.play import play
from mistakebound.arena.stream_labels import asks_labels, one_vs_all, play_widening, third_in_words, with_labels
from mistakebound.core.block_labels import no_codes
from mistakebound.core.errors import BadData, BadParameter, NoConsistentHypothesis
from mistakebound.core.ledger import bound_of, new_ledger
from mistakebound.core.protocol import adapted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.block import Block

EACH = "each learner of two"


class Entry:
    """One learner of a comparison: its ledger, its time, and what kept it from the rest of the stream."""

    __slots__ = ("facts", "learner", "ledger", "name", "refused", "seconds", "skipped", "third")

    def __init__(self, name: str, learner: Any, facts: dict[str, Any]) -> None:
        self.name = name
        self.third: str | None = None  # label, which made it one of many labels in the middle of a stream, in words
        self.learner = learner
        self.facts = facts  # assumed about the target, as far as this learner has a use for them
        self.ledger = new_ledger(learner)
        self.seconds = 0.0  # of the processor, for predicting and learning; reading is not in it
        self.skipped = 0  # rows that it cannot take, which were skipped
        self.refused: BadData | None = None  # the row that it could not take, and why

    @property
    def going(self) -> bool:
        return self.refused is None and self.ledger.inconsistency is None

    @property
    def size(self) -> int | None:
        """Bytes of its model file."""
        size: int | None = adapted(self.learner).model_size()
        return size

    def skip(self, error: BadData) -> None:
        self.skipped += 1

    def take(self, part: Callable[[], object], place: Callable[[Any], object] | None = None) -> None:
        """Play a part of the examples, and note what comes of it; `place` says where a row of another order stood."""
        start = thread_time()
        try:
            part()
        except NoConsistentHypothesis as error:
            error.trial = self.ledger.trials
            self.ledger.inconsistency = str(error)
        except BadData as error:
            if place is not None:
                place(error)
            self.refused = error
        finally:
            self.seconds += thread_time() - start

    def play_block(self, block: Block, skip: bool, place: Callable[[Any], object] | None) -> None:
        passing = self.skip if skip else None

        def learn(learner: Any, part: Block) -> bool:
            learner.learn_block(part, self.ledger, no_codes(learner.labels, part.rows), passing)
            return False

        def widen(block: Block, row: int) -> Any:
            try:
                learner = one_vs_all(self.learner, None, self.learner.labels)
            except BadParameter:  # the row will be refused
                return None
            self.ledger.widen(learner.labels, learner.start())
            self.third = third_in_words(EACH, block, row, place)
            return learner

        def play() -> None:
            self.learner, _ = play_widening(self.learner, block, learn, widen)

        self.take(play, place)

    def find_labels(self, found: Sequence[Any], *, in_file: bool, where: str) -> None:
        """Take up the labels of the first examples, unless they are known: with more than two as one-vs-all."""
        if not asks_labels(self.learner):
            return
        try:
            learner = with_labels(self.learner, found, in_file=in_file, where=where)
        except BadParameter as error:
            self.refused = BadData(str(error))
            return
        if learner is not self.learner:
            self.learner, self.ledger = learner, new_ledger(learner)

    def play_examples(self, examples: Any, names: Sequence[str] | None) -> None:
        if isinstance(examples, tuple) and len(examples) == 2:
            X, y = examples
            self.take(lambda: self.learner.learn_many(X, y, names=names, ledger=self.ledger))
        else:
            self.take(lambda: play(self.learner, examples, ledger=self.ledger))

    def finish(self) -> None:
        """The bound is that of the learner as it is now: it may depend on what appeared in the stream."""
        self.ledger.bound = bound_of(self.learner, self.ledger, self.facts)
