"""Online linear learners on a cluster: passes of shards that are played side by side, and mixed."""

from __future__ import annotations

from mistakebound.arena.stream_labels import asks_labels, many_in_words, one_vs_all, with_labels
from mistakebound.cluster.engine import Engine, Shared
from mistakebound.cluster.mixing import Shards, mix_shards, refuse_unmixed, step_length
from mistakebound.cluster.shards import LISTED, Job, bytes_of, play
from mistakebound.cluster.splits import cut_files
from mistakebound.cluster.state import State, applied, difference
from mistakebound.core.block_labels import ROWS
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.ledger import Ledger
from mistakebound.model.training import Training

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.cluster.shards import Played
    from mistakebound.io.ranges import FileRange
    from mistakebound.model.plan import Plan

MOST_SHARDS = 8  # where their number is not given
_SHARD_BYTES = 1 << 24  # so many at least then: mixed shards of few rows learn less than one stream of them
_REFUSED = ("seed", "holdout", "cache", "predictions", "threshold", "maximize")
_WITH_BOUND = ("perceptron", "averaged-perceptron")


class MixedTraining(Training):
    """A training whose passes are played by the workers of a cluster.

    Parameters
    ----------
    plan : Plan
        As of `Training`.
    engine : Engine
    shards : int or None
        Into how many shards the files are cut.  None: one for every 16 MB, but 8 at most.  The result depends on
        their number, and not on that of the workers.
    """

    def __init__(self, plan: Plan, engine: Engine, shards: int | None) -> None:
        for name in _REFUSED:
            if getattr(plan, name) is not None:
                option = plan.spell("shuffle" if name == "seed" else name)
                raise BadParameter(f"{option} is not supported on a cluster")
        self._engine = engine
        self._asked = shards
        self._about: dict[str, Any] = {}
        super().__init__(plan)
        self._about = {
            "workers": engine.workers, "dashboard": engine.dashboard, "shards": None, "bytes_sent": [], "repeated": 0,
        }  # fmt: skip
        self.cluster = self._about
        plan.say_labels(f"cluster: {engine.workers} workers, dashboard {engine.dashboard}")

    def learn(self) -> None:
        if self.plan.model is not None:
            _ = self.record
        if self.passes.over:
            return
        try:
            if not self.resumed and self.plan.start is None and asks_labels(self.learner):
                self._find_labels()
            refuse_unmixed(self.learner)
            settings = self._complete_settings()
            self._play_passes(self._cut(settings), settings)
        finally:
            self.pass_source.close()

    def _find_labels(self) -> None:
        """As on one machine, from the first rows; but these labels are all, because shards must agree about them."""
        found, reader = self.pass_source.first_labels(ROWS)
        self._say_assumed(reader)
        learner = with_labels(self.learner, found, where=reader.name, keep=self.plan.keep_learner)
        if learner is not self.learner:
            learner = one_vs_all(self.learner, found)
            self._say_labels(many_in_words(learner.settings["base"], found))
        labels = learner.labels
        for text in found:
            labels.code_of_text(text)
        if not found:
            raise BadData("there are no rows to learn from", source=reader.name)
        if not labels.settled:
            raise BadData(
                f"the first {ROWS:,} rows have only the label {found[0]!r}: "
                f"on a cluster {self.plan.spell('labels')} must say both",
                source=reader.name,
            )
        self.learner = learner
        self.ledger = self._new_ledger()
        self.passes = self._passes()

    def _complete_settings(self) -> dict[str, Any]:
        """How all ranges are read: the first rows have said what the columns, names and bins are."""
        if self.reader_settings is None:
            with self.pass_source.open_pass(1) as reader:
                for _ in reader:
                    break
                self._say_assumed(reader)
                self.reader_settings = reader.settings
        return self.reader_settings | self._unstated()

    def _cut(self, settings: dict[str, Any]) -> list[list[FileRange]]:
        """The ranges of every shard."""
        paths = [str(getattr(file, "name", file)) for file in self.plan.files]

        def asked(size: int) -> int:
            return max(1, min(MOST_SHARDS, size // _SHARD_BYTES)) if self._asked is None else self._asked

        shards = cut_files(self._engine, paths, settings, asked)
        self._about["shards"] = len(shards)
        if len(shards) > 1:
            self._count_from_shards(len(shards))
        return shards

    def _count_from_shards(self, shards: int) -> None:
        """The theorem of mixed perceptrons is another one; no other learner has one."""
        if self.learner.name in _WITH_BOUND:
            self.ledger.start |= {"shards": shards}
        elif self.facts:
            raise BadParameter(
                f"{self.plan.spell('assume')} is not supported for {self.learner.name} on a cluster: "
                "there is a theorem only for perceptron and averaged-perceptron"
            )
        else:
            self.ledger.start |= {"used": True, "shards": shards}

    def _play_passes(self, shards: list[list[FileRange]], settings: dict[str, Any]) -> None:
        plan, current = self.plan, _Current(self._engine, State.of(self.learner))
        while not self.passes.over:
            self.ledger.passes = max(self.ledger.passes, self.passes.pass_number)
            self._engine.check_versions()
            step = step_length(self.learner, len(shards), self.passes.pass_number)
            job = Job(current.run, settings, plan.on_error, self.ledger.passes, step, plan.keeps_model)
            shown = _Progress(self, shards)
            try:
                played = self._engine.run(play, [(job, parts, *current.sent) for parts in shards], shown.done)
            finally:
                shown.close()
            back = sum(shard.delta.nbytes for shard in played)
            self._about["bytes_sent"].append(back + current.become(self._mix(current.state, played, step)))
            self._about["repeated"] = self._engine.repeated
            self.learner = self.passes.learner = current.state.learner()
            self.ledger.labels = self.learner.labels
            self.passes.end_pass()
            if plan.model is not None and not self.passes.over:
                self.save()
                self.checkpoints += 1

    def _mix(self, state: State, played: list[Played], step: int) -> State:
        mistakes = [shard.ledger.mistakes for shard in played]
        shards = Shards(state, [shard.delta for shard in played], mistakes, step)
        for shard, places in zip(played, shards.places, strict=True):
            if self.ledger.spread is not None and shard.ledger.spread is not None and self.ledger.passes == 1:
                new = places[len(shard.delta.places) :].tolist()  # the others stand where they stood
                own = [*range(len(state.keys)), *new]
                self.ledger.spread.merge(shard.ledger.spread, own, len(shards.known.keys))
            self.ledger.merge(shard.ledger)
            if self.passes.pass_number == 1:
                for trouble in shard.troubles[: max(0, LISTED - self.skipped)]:
                    self.plan.say_skipped(f"skipped: {trouble}")
                self.skipped += shard.skipped
        return mix_shards(shards) if len(played) > 1 else applied(state, shards.deltas)


class _Current:
    """The mixed state, as workers get it: one that all have, and what has changed since."""

    def __init__(self, engine: Engine, state: State) -> None:
        self._engine = engine
        self.state = state
        self._base, self._number = Shared(state), 0
        self._deltas: list[Shared] = []

    @property
    def run(self) -> str:
        """A name for the base."""
        return f"{self._engine.client.id}-{id(self)}-{self._number}"

    @property
    def sent(self) -> tuple[Shared, ...]:
        return self._base, *self._deltas

    def become(self, state: State) -> int:
        """The state after a round; how many bytes the workers get for it."""
        delta = difference(self.state, state)
        self.state = state
        self._deltas.append(Shared(delta))
        size = delta.nbytes
        if sum(each.value.nbytes for each in self._deltas) > 2 * state.nbytes:  # who comes later would get too much
            self._base, self._deltas, self._number = Shared(state), [], self._number + 1
            size = state.nbytes
        return size * self._engine.workers


class _Progress:
    """How far the shards of a pass are, as a reader would say it, and the counts so far."""

    def __init__(self, training: MixedTraining, shards: list[list[FileRange]]) -> None:
        self._done = 0
        self._total = sum(map(bytes_of, shards))
        self._shown = Ledger(training.ledger.labels)
        self._shown.merge(training.ledger)
        passes, watch = training.passes, training.plan.watch
        self._show: Any = None
        if watch is not None:
            self._show = watch(self, self._shown, holdout=None, pass_number=passes.pass_number, passes=passes.passes)

    def progress(self) -> tuple[int, int | None]:
        return self._done, self._total

    def done(self, number: int, played: Played) -> None:
        self._done += played.size
        self._shown.merge(played.ledger)
        if self._show is not None:
            self._show.update()

    def close(self) -> None:
        if self._show is not None:
            self._show.close()
