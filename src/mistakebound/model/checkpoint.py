"""Checkpoints: when one is due, what it holds beside the model, and going on from one."""

from __future__ import annotations

import os
from time import monotonic

from mistakebound.core.errors import BadParameter, MistakeboundError, cut, named, shown
from mistakebound.core.fields import Fields
from mistakebound.core.model_file import senseless
from mistakebound.io.fingerprint import difference, fingerprint, window_crc
from mistakebound.model.model import load
from mistakebound.model.plan import stands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.model.model import Model
    from mistakebound.model.plan import Plan


class Clock:
    """Says when the next checkpoint is due."""

    def __init__(self, rows: int | None, seconds: float | None, trials: int) -> None:
        self._rows, self._seconds = rows, seconds
        self._trials = trials
        self._time = monotonic()

    def due(self, trials: int) -> bool:
        if self._rows is not None:
            return trials - self._trials >= self._rows
        return monotonic() - self._time >= (self._seconds or 0.0)

    def done(self, trials: int) -> None:
        self._trials, self._time = trials, monotonic()


def _said(value: Any) -> str:
    if not stands(value) or value is True:
        return "given" if value is True else "not given"
    return shown(" ".join(map(str, value)) if isinstance(value, list) else value)


class Record:
    """What a model says of the run that made it: its options, the files, and how far it is.

    It depends on neither the time nor the checkpoints, so that a run that was killed and resumed ends in the same file.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._files = [name for name in plan.files if isinstance(name, str)]  # the others lie in memory
        self._sources = [_plain(fingerprint(name)) for name in self._files]

    def position(self, state: dict[str, Any], over: bool, skipped: int) -> dict[str, Any]:
        """For the header: where the stream is, as readers say it, and under "run" the rest."""
        at = state.pop("position") or {}
        run = {"of": self._plan.record, "sources": self._sources, "skipped": skipped, "over": over, **state}
        if not over:
            run["window"] = self._window(at)
        return at | {"run": run}

    def _window(self, at: dict[str, Any]) -> int | None:
        """Of what stands before the position, where that is a place in a plain text."""
        if "file" not in at or not at.get("offset") or at["file"] >= len(self._files):
            return None
        return window_crc(self._files[at["file"]], at["offset"])

    def check(self, run: dict[str, Any], at: dict[str, Any]) -> None:
        """BadParameter when the run has other options; an error when a file has changed."""
        of, own = run["of"], self._plan.record
        for name in sorted({*of, *own}):
            then, now = of.get(name), own.get(name)
            if then != now and (stands(then) or stands(now)):
                option = cut(self._plan.spell(name), 60)  # a model file may hold anything
                raise BadParameter(f"{option} must be the same as in the run to resume, {_said(then)}: {_said(now)}")
        for then, now in zip(run["sources"], self._sources, strict=True):
            if (found := difference(then, now, times=False)) is not None:
                raise MistakeboundError(f"{now['name']} is not the file that was being learned: {found}")
        if not run["over"] and run["window"] != self._window(at):
            name = named(at.get("source") or self._files[0])
            raise MistakeboundError(f"{name} is not the file that was being learned: its text has changed")


def _plain(found: dict[str, Any]) -> dict[str, Any]:
    """Without the time of change: a copy of the file will do."""
    return {name: value for name, value in found.items() if name != "mtime_ns"}


def learned_before(model: Model, files: list[Any]) -> str | None:
    """The first of these files that the model's last run has learned, by size, head and tail; None if there is none."""
    run = model.position.get("run") if isinstance(model.position, dict) else None
    known = run.get("sources") if isinstance(run, dict) else None
    sources = [source for source in known if isinstance(source, dict)] if isinstance(known, list) else []
    for name in files if sources else ():
        found = fingerprint(name) if isinstance(name, str) else {}
        for source in sources if found.get("size") else ():
            if source.get("size") == found["size"] and source.get("crc") == found["crc"]:
                return str(name)
    return None


def load_checkpoint(path: str) -> tuple[Model, dict[str, Any], dict[str, Any]] | None:
    """The model at a place with the record of its run and the position; or None before the first one."""
    if not os.path.exists(path):
        return None
    model = load(path)
    at = model.position
    if not isinstance(at, dict) or not isinstance(at.get("run"), dict) or model.ledger is None:
        raise MistakeboundError(f"{path} holds no position to resume from")
    at = dict(at)
    run = at.pop("run")
    try:
        _check_run(Fields(run, "the record of the run"))
        _check_position(Fields(at, "the position"))
    except ValueError as error:
        raise senseless(path, error) from error
    return model, run, at


def _check_run(run: Fields) -> None:
    """ValueError unless every field is of its kind; what the numbers mean is checked by who takes them up."""
    run.record("of")
    for source in run.values("sources"):
        found = Fields(source, "a file of the run")
        found.text("name")
        found.whole("size", none=True), found.whole("crc", none=True)
    run.whole("skipped")
    if not run.flag("over"):
        run.whole("window", none=True)
    run.record("holdout", none=True)


def _check_position(at: Fields) -> None:
    for name in ("file", "line", "offset", "rows", "skipped", "cache"):
        if name in at:
            at.whole(name)
    if "source" in at:
        at.text("source")
