"""Online linear learners on a cluster: passes of shards that are played side by side, and mixed."""

from __future__ import annotations

from dataclasses import dataclass

from mistakebound.arena.stream_labels import distinct, one_vs_all
from mistakebound.cluster.engine import Engine, Shared, with_lines
from mistakebound.cluster.mixing import Shards, mix_shards, refuse_unmixed, step_length
from mistakebound.cluster.splits import cut_files
from mistakebound.cluster.state import Delta, State, applied, difference
from mistakebound.core.block_labels import ROWS
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.labels import value_of_text
from mistakebound.core.ledger import Ledger, new_ledger
from mistakebound.core.weights import importance_of_one
from mistakebound.io import open_stream
from mistakebound.io.pass_source import LISTED
from mistakebound.learners.ensemble.one_vs_all import OneVsAll
from mistakebound.model.trainer import learn_stream
from mistakebound.model.training import Training

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.io.ranges import FileRange
    from mistakebound.model.plan import Plan

MOST_SHARDS = 8  # where their number is not given
_SHARD_BYTES = 1 << 24  # so many at least then: mixed shards of few rows learn less than one stream of them
# Not supported, by their names in a plan.
_REFUSED = {
    "seed": "shuffle", "holdout": "holdout", "cache": "cache", "predictions": "predictions", "threshold": "threshold",
    "maximize": "maximize", "every": "checkpoint",
}  # fmt: skip
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
        for name, option in _REFUSED.items():
            if getattr(plan, name) is not None:
                why = ": a model is saved after every pass" if name == "every" else ""
                raise BadParameter(f"{plan.spell(option)} is not supported on a cluster{why}")
        self._engine = engine
        self._asked = shards
        super().__init__(plan)
        self._about: dict[str, Any] = engine.facts() | {"shards": None, "bytes_sent": []}
        self.cluster = self._about
        plan.say_labels(engine.in_words())

    def _find_labels(self) -> tuple[list[str], str]:
        """As on one machine, from the first rows; but these labels are all, because shards must agree about them."""
        plain = self.learner
        found, where = super()._find_labels()
        if self.learner is not plain:
            self.learner = one_vs_all(plain, [value_of_text(text) for text in distinct(found)])
        for text in found:
            self.learner.labels.code_of_text(text)
        if not self.learner.labels.settled:
            self._complete_settings()  # where a row is bad, that is what is wrong
            if not found:
                raise BadData("there are no rows to learn from", source=where)
            raise self._only_one(found[0], where)
        self.ledger = self._new_ledger()
        self.passes = self._passes()
        return found, where

    def _only_one(self, label: str, where: str) -> BadData:
        how = f"on a cluster {self.plan.spell('labels')} must say what there is"
        return BadData(f"the first {ROWS:,} rows have only the label {label!r}: {how}", source=where)

    def _declare_labels(self) -> None:
        """Those of the first rows, to a learner of many labels that was told none: shards must agree about them."""
        found, reader = self.pass_source.first_labels(ROWS)
        self._say_assumed(reader)
        if not found:
            self._complete_settings()  # where a row is bad, that is what is wrong
            raise BadData("there are no rows to learn from", source=reader.name)
        labels = [value_of_text(text) for text in distinct(found)]
        if len(labels) < 2:
            raise self._only_one(found[0], reader.name)
        self.learner = OneVsAll(self.learner.base_learner, labels, self.learner.costs)
        for text in found:
            self.learner.labels.code_of_text(text)
        self.ledger = self._new_ledger()
        self.passes = self._passes()

    def _play_passes(self, written: Any) -> None:
        if self.passes.over:
            return
        refuse_unmixed(self.learner)
        if self.learner.many_classes and not self.learner.learned():
            self._declare_labels()
        settings = self._complete_settings()
        shards = self._cut(settings)
        plan, current = self.plan, _Current(State.of(self.learner))
        while not self.passes.over:
            number = self.passes.pass_number
            self.ledger.passes = max(self.ledger.passes, number)
            self._engine.check_versions()
            step = 1 if plan.start is not None else step_length(self.learner, len(shards), number, plan.passes)
            job = Job(settings, plan.on_error, self.ledger.passes, step, plan.keeps_model)
            shown = _Progress(shards[0][0].name, self.ledger, sum(map(bytes_of, shards)))
            if plan.watch is not None:
                self._show = plan.watch(shown, shown.ledger, holdout=None, pass_number=number, passes=plan.passes)
            shown.show = self._show
            played = self._engine.run(play, [(job, parts, *current.sent) for parts in shards], shown.done)
            self._close_pass()
            self._about |= self._engine.facts()
            size = current.become(self._mixed(current.state, played, step)) * self._about["workers"]
            self._about["bytes_sent"].append(size + sum(shard.delta.nbytes for shard in played))
            self.learner = self.passes.learner = current.state.learner()
            self.ledger.labels = self.learner.labels
            self.passes.end_pass()
            if plan.model is not None and not self.passes.over:
                self.save()
                self.checkpoints += 1

    def _complete_settings(self) -> dict[str, Any]:
        """How all ranges are read: the first rows have said what the columns, names and bins are."""
        if self.reader_settings is None:
            with self.pass_source.open_pass(1) as reader:
                rows = 0
                for block in reader:
                    rows += block.rows
                    if rows >= ROWS:
                        break
                self._say_assumed(reader)
                self.reader_settings = reader.settings
        return self.reader_settings | self._unstated()

    def _cut(self, settings: dict[str, Any]) -> list[list[FileRange]]:
        """The ranges of every shard.  The theorem of mixed perceptrons is another one; no other learner has one."""

        def asked(size: int) -> int:
            return max(1, min(MOST_SHARDS, size // _SHARD_BYTES)) if self._asked is None else self._asked

        shards = cut_files(self._engine, self.plan.files, settings, asked)
        count = self._about["shards"] = len(shards)
        if count > 1 and self.learner.name not in _WITH_BOUND:
            if self.facts:
                raise BadParameter(
                    f"{self.plan.spell('assume')} is not supported for {self.learner.name} on a cluster: "
                    "there is a theorem only for perceptron and averaged-perceptron"
                )
            self.ledger.start |= {"used": True}
        if count > 1:
            self.ledger.start |= {"shards": count}
        return shards

    def _mixed(self, state: State, played: list[Played], step: int) -> State:
        """The state behind a pass; what its shards have counted is added to the ledger, in their order."""
        mistakes = [shard.ledger.mistakes for shard in played]
        shards = Shards(state, [shard.delta for shard in played], mistakes, step)
        first = self.passes.pass_number == 1
        for shard, places in zip(played, shards.places, strict=True):
            if self.ledger.spread is not None and shard.ledger.spread is not None and self.ledger.passes == 1:
                new = places[len(shard.delta.places) :].tolist()  # the others stand where they stood
                own = [*range(len(state.keys)), *new]
                self.ledger.spread.merge(shard.ledger.spread, own, len(shards.known.keys))
            self.ledger.merge(shard.ledger)
            for trouble in shard.troubles[: max(0, LISTED - self.skipped)] if first else ():
                self.plan.say_skipped(f"skipped: {trouble}")
            self.skipped += shard.skipped if first else 0
        if first:
            self._say_unmatched(
                [each for each in played[0].unmatched if all(each in other.unmatched for other in played)]
            )
        return mix_shards(shards) if len(played) > 1 else applied(state, shards.deltas)


class _Current:
    """The mixed state, as workers get it: one that all have, and what has changed since."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.sent = [Shared(state)]

    def become(self, state: State) -> int:
        """The state after a pass; how many bytes each worker gets for it."""
        self.sent.append(Shared(difference(self.state, state)))
        self.state = state
        if sum(each.value.nbytes for each in self.sent[1:]) > 2 * state.nbytes:  # who comes later would get too much
            self.sent = [Shared(state)]
        size: int = self.sent[-1].value.nbytes
        return size


class _Progress:
    """How far the shards of a pass are, as a reader would say it, and the counts so far."""

    def __init__(self, name: str, ledger: Ledger, total: int) -> None:
        self.name = name
        self._done, self._total = 0, total
        self.ledger = Ledger(ledger.labels)
        self.ledger.merge(ledger)
        self.show: Any = None

    def progress(self) -> tuple[int, int | None]:
        return self._done, self._total

    def done(self, number: int, played: Played) -> None:
        self._done += played.size
        self.ledger.merge(played.ledger)
        if self.show is not None:
            self.show.update()


# What workers do.


@dataclass
class Job:
    """How shards are played."""

    settings: dict[str, Any]  # of the reader, complete
    on_error: str
    pass_number: int
    step: int  # how often the step of a mistake is taken
    for_model: bool


@dataclass
class Played:
    """What comes back from a shard."""

    delta: Delta
    ledger: Ledger
    skipped: int
    troubles: list[str]  # of the first rows that were skipped
    unmatched: list[str]  # patterns of attributes to ignore that fit nothing
    size: int  # bytes of text that were read


def play(job: Job, parts: list[FileRange], base: State, *deltas: Delta) -> Played:
    """Play the rows of some ranges, in their order, from the state that the base and the deltas make."""
    state = base.latest(deltas)
    learner = state.learner()
    ledger = new_ledger(learner, for_model=job.for_model)
    ledger.passes = job.pass_number
    costs, unlimited = learner.costs, learner.labels.many and not learner.labels.declared
    if unlimited:
        learner.labels.declared = True  # shards must agree about them
    if job.step > 1:
        learner.costs = {label: importance_of_one(learner, label, job.step) for label in learner.labels.values}
    troubles: list[str] = []

    def skip(error: BadData) -> None:
        troubles.append(str(error))

    with open_stream(parts, job.settings, on_error=job.on_error) as stream:
        learn_stream(learner, stream, ledger, threads=1, skip=skip if job.on_error == "skip" else None)
        count, lines = stream.skipped_before(None)
        unmatched = stream.unmatched()
    if (troubles or lines) and any(part.line is None for part in parts):  # the troubles name lines
        return play(job, with_lines(parts), base, *deltas)
    count += len(troubles)
    troubles += [f"{source}:{line}: {message}" for source, line, message in lines]
    learner.costs = costs
    if unlimited:
        learner.labels.declared = False
    ledger.divide_weights(job.step)
    found = difference(state, State.of(learner))
    del ledger.mistake_trials[:], ledger.abstention_trials[:]
    return Played(found, ledger, count, troubles[:LISTED], unmatched, bytes_of(parts))


def bytes_of(parts: list[FileRange]) -> int:
    return sum((part.end or part.size or 0) - part.start for part in parts)
