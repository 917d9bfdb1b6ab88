"""Counts and times in the text format of Prometheus."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from mistakebound.service.service import Service

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """What requests there were."""

    def __init__(self) -> None:
        self._started = time.time()
        self._requests: dict[tuple[str, int], int] = {}
        self._seconds: dict[str, float] = {}

    def count(self, operation: str, status: int, seconds: float) -> None:
        key = operation, status
        self._requests[key] = self._requests.get(key, 0) + 1
        self._seconds[operation] = self._seconds.get(operation, 0.0) + seconds

    def text(self, service: Service) -> str:
        """All of it.

        Names of models match a pattern and operations are ours, so that no label needs an escape.
        """
        models = list(service.models.values())
        ledgers = [(hosted.name, hosted.model.ledger) for hosted in models if hosted.model.ledger is not None]
        requests = ((f'operation="{name}",status="{status}"', n) for (name, status), n in self._requests.items())
        seconds = ((f'operation="{name}"', value) for name, value in self._seconds.items())
        parts = [
            _metric("start_time_seconds", "gauge", "when the process began", [("", self._started)]),
            _metric("requests_total", "counter", "requests that were answered", requests),
            _metric("request_seconds_total", "counter", "time from request to answer", seconds),
            _metric("ready", "gauge", "whether all models are in memory", [("", int(service.ready))]),
            _metric("models", "gauge", "models", [("", len(models))]),
            _metric("writes_total", "counter", "writes in the journal since the start", [("", service.writes)]),
            _metric("commits_total", "counter", "transactions of the journal", [("", service.commits)]),
            _metric("commit_seconds_total", "counter", "time of these", [("", service.commit_seconds)]),
            _metric("waiting_writes", "gauge", "writes that wait", [("", service.waiting)]),
            _metric("disk_full", "gauge", "whether the last commit found no room", [("", int(service.full))]),
            _metric("waiting_predictions", "gauge", "to be written", [("", service.predictions.waiting)]),
            _metric("dropped_predictions_total", "counter", "not kept", [("", service.predictions.dropped)]),
            _metric("trials_total", "counter", "trials", ((_of(name), ledger.trials) for name, ledger in ledgers)),
            _metric("mistakes_total", "counter", "mistakes", ((_of(n), ledger.mistakes) for n, ledger in ledgers)),
            _metric("sequence", "gauge", "last write", ((_of(h.name), h.sequence) for h in models)),
            _metric("snapshot_sequence", "gauge", "last snapshot", ((_of(h.name), h.saved) for h in models)),
        ]
        return "".join(parts)


def _of(name: str) -> str:
    return f'model="{name}"'


def _metric(name: str, kind: str, help: str, values: Iterable[tuple[str, float]]) -> str:
    whole = f"mistakebound_{name}"
    lines = [f"# HELP {whole} {help}", f"# TYPE {whole} {kind}"]
    lines += [f"{whole}{{{labels}}} {value!r}" if labels else f"{whole} {value!r}" for labels, value in values]
    return "\n".join(lines) + "\n"
