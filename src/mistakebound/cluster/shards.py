"""One shard of one pass: its rows are played from the current weights; what changed and what was counted come back."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

from mistakebound.cluster.state import Delta, State, applied, difference
from mistakebound.cluster.tasks import with_lines
from mistakebound.core.ledger import new_ledger
from mistakebound.core.weights import importance_of_one
from mistakebound.io import open_stream
from mistakebound.model.trainer import learn_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.ledger import Ledger
    from mistakebound.io.ranges import FileRange

LISTED = 10  # bad rows of a shard whose trouble comes back; all are counted


@dataclass
class Job:
    """How shards are played."""

    run: str  # names the base state: a worker that has played a shard of the run before keeps the state that it got to
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
    troubles: list[str]
    size: int  # bytes of text that were read


_kept: dict[str, tuple[int, State]] = {}  # by run: how many deltas are in the state
_lock = Lock()


def _current(run: str, base: State, deltas: tuple[Delta, ...]) -> State:
    with _lock:
        count, state = _kept.get(run, (0, base))
        if count > len(deltas):
            count, state = 0, base
        state = applied(state, deltas[count:])
        _kept.clear()  # of one run at a time: a cluster may serve for months
        _kept[run] = len(deltas), state
    return state


def play(job: Job, parts: list[FileRange], base: State, *deltas: Delta) -> Played:
    """Play the rows of some ranges, in their order, from the state that the base and the deltas make."""
    state = _current(job.run, base, deltas)
    learner = state.learner()
    ledger = new_ledger(learner, for_model=job.for_model)
    ledger.passes = job.pass_number
    costs = learner.costs
    if job.step > 1:
        learner.costs = {label: importance_of_one(learner, label, job.step) for label in learner.labels.values}
    skipped, troubles = 0, []

    def skip(error: Any) -> None:
        nonlocal skipped
        skipped += 1
        troubles.append(str(error))

    with open_stream(parts, job.settings, on_error=job.on_error) as stream:
        learn_stream(learner, stream, ledger, threads=1, skip=skip if job.on_error == "skip" else None)
        count, lines = stream.skipped_before(None)
    if (troubles or lines) and any(part.line is None for part in parts):  # the troubles name lines
        return play(job, with_lines(parts), base, *deltas)
    skipped += count
    troubles += [f"{source}:{line}: {message}" for source, line, message in lines]
    learner.costs = costs
    ledger.divide_weights(job.step)
    found = difference(state, State.of(learner))
    del ledger.mistake_trials[:], ledger.abstention_trials[:]
    return Played(found, ledger, skipped, troubles[:LISTED], bytes_of(parts))


def bytes_of(parts: list[FileRange]) -> int:
    return sum((part.end or part.size or 0) - part.start for part in parts)
