"""A model in memory with its place in the journal: writes are applied in order, and answered.

What is applied depends on the model and on the writes alone, so that a replay gives the same bits.
"""

from __future__ import annotations

import time

import orjson

from mistakebound.core.ledger import bound_of
from mistakebound.model.live import Outcome, learn_late, learn_rows, ledger_of
from mistakebound.model.model import from_bytes
from mistakebound.service.journal import LABEL, LEARN, Write
from mistakebound.service.problems import problem_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from mistakebound.model.model import Model

_SHARE = 10  # of the time goes to certificates, one part in so many; each says of how many trials it is
_LATE = "the prediction made in time is counted, the update is that of the model now, and no theorem covers the delay"
_REPLAYED = 1000  # writes that are replayed at once


class HostedModel:
    """A model, the sequence number of its creation, that of its last write, and the answers since its snapshot."""

    def __init__(self, name: str, model: Model, created: int, sequence: int) -> None:
        self.name = name
        self.model = model
        self.created = created
        self.sequence = sequence
        self.key = ""  # of its creation
        self.saved = sequence  # that of the last snapshot
        self.updates = 0  # since then
        self.recent: dict[str, Write] = {}  # by key: answers that the journal does not have yet
        self.snapshot_time = time.monotonic()
        self._proof: dict[str, Any] = {}
        self._proven = -1  # trials
        self._proof_due = 0.0
        self._as_lines = model.schema is not None and model.schema.format == "jsonl"

    @classmethod
    def from_file(cls, name: str, data: bytes, created: int, source: str = "") -> HostedModel:
        """From a model file; that of a snapshot says where it stands in the journal."""
        model = from_bytes(data, source or f"the file of the model {name}")
        place = (model.position or {}).get("service", {})
        model.position = None
        return cls(name, model, place.get("created", created), place.get("sequence", created))

    def raw(self, row: Any) -> Any:
        """A row of a request as the model takes it: an object of JSON as a line."""
        return orjson.dumps(row) if self._as_lines and isinstance(row, dict) else row

    def apply(self, writes: Sequence[Write]) -> None:
        """Learn what the journal has; each write gets its status and its answer."""
        at = 0
        while at < len(writes):
            end = at + 1
            if writes[at].kind == LEARN:
                while end < len(writes) and writes[end].kind == LEARN:
                    end += 1
                self._learn(writes[at:end])
            elif writes[at].kind == LABEL:
                self._label(writes[at])
            at = end
        self.sequence = writes[-1].sequence
        self.updates += len(writes)
        for write in writes:
            write.data = None  # its body is enough to know it again
            if write.key is not None:
                self.recent[write.key] = write

    def replay(self, writes: Iterable[Write]) -> None:
        """Apply many writes, some at a time."""
        part: list[Write] = []
        for write in writes:
            part.append(write)
            if len(part) == _REPLAYED:
                self.apply(part)
                part = []
        if part:
            self.apply(part)

    def _learn(self, writes: Sequence[Write]) -> None:
        asked = [_data(write) for write in writes]
        found = learn_rows(
            self.model,
            [self.raw(data["row"]) for data in asked],
            [data["label"] for data in asked],
            [data.get("weight", 1.0) for data in asked],
        )
        proof = self.proof()
        for write, outcome in zip(writes, found, strict=True):
            self._answer(write, outcome, proof)

    def _label(self, write: Write) -> None:
        data = _data(write)
        row, label, weight = self.raw(data["row"]), data["label"], data.get("weight", 1.0)
        outcome = learn_late(self.model, row, label, data["prediction"], weight)
        first = ledger_of(self.model).start.get("late") == 1  # from now on the verdict is another
        self._answer(write, outcome, self.proof(now_due=first), late=_LATE)

    def _answer(self, write: Write, outcome: Outcome, proof: dict[str, Any], **more: Any) -> None:
        if outcome.error is not None:
            problem = problem_of(outcome.error)
            write.status, write.answer = problem.status, problem.body()
            return
        counts = {"trials": outcome.trials, "mistakes": outcome.mistakes}
        about = {"sequence": write.sequence, "prediction": outcome.prediction, "ledger": counts, **proof, **more}
        write.status, write.answer = 200, orjson.dumps(about)

    def proof(self, *, now_due: bool = False) -> dict[str, Any]:
        """Certificate and verdict, each with its trials: under load not for each write anew, but of half and more."""
        ledger, now = ledger_of(self.model), time.monotonic()
        early = now < self._proof_due and ledger.trials < 2 * self._proven
        if self._proven == ledger.trials or (early and not now_due):
            return self._proof
        ledger.bound = bound_of(self.model.learner, ledger, self.model.assumptions)
        verdict, certificate, interval = ledger.verdict, ledger.certificate(), None
        if certificate is not None:
            interval = {name: getattr(certificate, name) for name in ("trials", "errors", "low", "high", "level")}
        said = {"trials": ledger.trials, "kind": verdict.kind, "text": str(verdict)}
        parts = {"certificate": interval, "verdict": said}
        self._proof = {name: orjson.Fragment(orjson.dumps(part)) for name, part in parts.items()}
        self._proven, self._proof_due = ledger.trials, now + _SHARE * (time.monotonic() - now)
        return self._proof

    def state(self) -> bytes:
        """The model file, with its place in the journal: what a snapshot holds."""
        self.model.position = {"service": {"created": self.created, "sequence": self.sequence}}
        try:
            return self.model.to_bytes()
        finally:
            self.model.position = None


def without_place(data: bytes, source: str) -> bytes:
    """A model file that was read and checked, without its place in a stream or in a journal."""
    model = from_bytes(data, source)
    model.position = None
    return model.to_bytes()


def _data(write: Write) -> dict[str, Any]:
    data: dict[str, Any] = orjson.loads(write.body) if write.data is None else write.data
    return data
