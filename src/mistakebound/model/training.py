"""What one training does: the learner, its ledger, the passes over the stream, the model that comes of it."""

from __future__ import annotations

import os

from mistakebound import learners
from mistakebound.arena.play import bound_of, new_ledger
from mistakebound.core.errors import BadParameter, MistakeboundError, shown
from mistakebound.core.model_file import SENSELESS, senseless
from mistakebound.core.params import number_in
from mistakebound.io import open_stream
from mistakebound.io.fingerprint import SameFiles
from mistakebound.io.pass_source import PassSource, cache_name
from mistakebound.io.pipeline import threads_for
from mistakebound.model.model import Model, load, refuse_without_rows
from mistakebound.model.new_learner import FOR_STREAMS, TRANSFORMS
from mistakebound.model.schema import RowSchema
from mistakebound.model.trainer import Trainer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.errors import BadData
    from mistakebound.model.checkpoint import Clock, Record

LARGEST = (1 << 63) - 1
_RECORDED = (
    "learner", "parameters", "labels", "cost", "assume", "passes", "shuffle", "seed", "holdout", "on_error", "start",
    "cache", *TRANSFORMS,
)  # fmt: skip
_LISTED = 10  # bad rows that are written out; all are counted


def no_bar(reader: Any, ledger: Any, **more: Any) -> Any:
    return None


def say_nothing(line: str) -> None:
    pass


class Plan:
    """What is to be learned, from where, how, and who is told of it.

    Parameters
    ----------
    files : paths, "-" for standard input, or what lies in memory in their place
    new_learner : function that makes the learner, unless training goes on from `start`
    read_as : function from what a model remembers of its reader (None: nothing) to the settings of the stream
    facts : what is assumed of the target
    record : the options that must be the same when training is resumed, as JSON
    passes, seed : how often the stream is learned, and of its order (None: as it is)
    holdout : every so many rows, or a path (None: no rows are held out)
    cache : a path, or True for one beside the first file
    stated : whether the format was given, not found
    every : rows or seconds between two checkpoints
    say, say_skipped, watch : take a line, a line about a bad row, and a reader with its ledger to show progress
    spell : how the name of an option is written in an error
    """

    def __init__(
        self,
        files: list[Any],
        new_learner: Callable[[], Any],
        read_as: Callable[[dict[str, Any] | None], dict[str, Any]],
        *,
        facts: dict[str, Any] | None = None,
        record: dict[str, Any] | None = None,
        passes: int = 1,
        seed: int | None = None,
        holdout: int | str | None = None,
        cache: str | bool | None = None,
        on_error: str = "fail",
        threads: int | None = None,
        stated: bool = False,
        model: str | None = None,
        start: str | None = None,
        every: tuple[int | None, float | None] | None = None,
        resume: bool = False,
        say: Callable[[str], None] = say_nothing,
        say_skipped: Callable[[str], None] = say_nothing,
        watch: Callable[..., Any] = no_bar,
        spell: Callable[[str], str] = str,
    ) -> None:
        self.files = files
        self.new_learner = new_learner
        self.read_as = read_as
        self.facts = facts or {}
        self.record = record or {}
        self.passes = passes
        self.seed = seed
        self.holdout = holdout
        self.cache = cache
        self.on_error = on_error
        self.threads = threads
        self.stated = stated
        self.model = model
        self.start = start
        self.every = every
        self.resume = resume
        self.say = say
        self.say_skipped = say_skipped
        self.watch = watch
        self.spell = spell


def run_record(files: list[Any], options: dict[str, Any], reading: dict[str, Any]) -> dict[str, Any]:
    """What must be the same when training is resumed, as JSON; one text for a command and for `mb.learn`.

    Parameters
    ----------
    options : by their names in `mb.learn`; parameters may be texts of the command line
    reading : the settings of the reader that were given
    """
    import json

    kept = {name: options[name] for name in _RECORDED}
    kept |= reading | {f"keep_{name}": name in reading for name in ("case", "punctuation")}
    kept |= {"files": [name for name in files if isinstance(name, str)], "cache": bool(options["cache"])}
    kept["parameters"] = _plain_parameters(options["learner"], options["parameters"] or {})
    kept["labels"] = None if options["labels"] is None else [str(label) for label in options["labels"]]
    kept["cost"] = {str(label): number_in(str(cost)) for label, cost in (options["cost"] or {}).items()}
    kept["ignore"] = sorted(set(reading.get("ignore", ())))
    given = {name: kept[name] for name in sorted(kept) if stands(kept[name]) and name not in ("case", "punctuation")}
    record: dict[str, Any] = json.loads(json.dumps(given, default=str))
    return record


def _plain_parameters(learner: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Parameters as the learner's declarations understand them; what they do not stays as it is."""
    if not isinstance(learner, str | None):
        return given
    declared = {p.name: p for p in learners.find(learner or FOR_STREAMS).parameters} if given else {}
    plain = {}
    for name, value in given.items():
        try:
            parameter = declared[name]
            plain[name] = parameter.parse(value) if isinstance(value, str) else parameter.check(value)
        except (KeyError, BadParameter):
            plain[name] = value
    return plain


def stands(value: Any) -> bool:
    """Whether an option was given: without it there is no value, or an empty list."""
    return value is not None and value is not False and value != [] and value != {}


def interval(text: str, option: str = "checkpoint") -> tuple[int | None, float | None]:
    """Between two checkpoints: rows, or with an s behind the number seconds."""
    number = text.removesuffix("s")
    try:
        every = float(number) if text != number else int(number)
    except ValueError:
        every = 0
    if not 0 < every < float("inf"):
        raise BadParameter(f"{option} must be a number of rows or, with an s behind it, of seconds: {text!r}")
    return (None, float(every)) if text != number else (int(every), None)


def every_kth(what: Any, option: str = "holdout") -> int | str | None:
    """Rows that are set aside: every so many (K, or the text 1/K), or those of a file (its path); None: none are."""
    if isinstance(what, str) and what.startswith("1/") and what[2:].isdecimal():
        what = int(what[2:]) if len(what) < 20 else LARGEST + 1
    if isinstance(what, int):
        if not 2 <= what <= LARGEST:
            rule = ">= 2" if what < 2 else f"at most {LARGEST}"
            raise BadParameter(f"{option} 1/K: K must be {rule}: {what}")
        return what
    if what is not None and not os.path.exists(what):
        raise BadParameter(f"{option} must be 1/K or a file of rows: {shown(what)}")
    return None if what is None else os.fspath(what)


class Training:
    """The learner, its ledger, what is assumed, the rows that were passed over, and how far all this is."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.facts = plan.facts
        self.skipped = 0
        self.checkpoints = 0  # written so far
        self.collisions: dict[str, Any] | None = None
        self.resumed = False
        self.reader_settings: dict[str, Any] | None = None
        self._record: Record | None = None
        self._clock: Clock | None = None
        self._show: Any = None
        self._held_out: SameFiles | None = None  # the file of --holdout
        self._reader: Any = None  # of the pass in hand,
        self._counted = False  # whose bad lines have been counted
        if not (plan.resume and self._resume()):
            remembered = self._begin()
            self.pass_source = self._pass_source(plan.read_as(remembered))
            self.passes = self._passes()
        self.learner.bound(**self.facts)  # a fact that no theorem can use is said now, not after the stream
        self.first_trial = self.ledger.trials
        if plan.every is not None:
            from mistakebound.model.checkpoint import Clock

            self._clock = Clock(*plan.every, self.ledger.trials)

    def _begin(self) -> dict[str, Any] | None:
        """A new learner, or that of the model to go on from; what it remembers of its reader."""
        path = self.plan.start
        if path is None:
            self.learner = self.plan.new_learner()
            self.ledger = new_ledger(self.learner)
            return None
        model = load(path)
        refuse_without_rows(model.learner, path)
        self.learner = model.learner
        self.ledger = model.ledger if model.ledger is not None else new_ledger(self.learner)
        if self.ledger.inconsistency is not None:
            raise MistakeboundError(f"there is no going on from {path}: {self.ledger.inconsistency}")
        self.facts = model.assumptions | self.facts
        return model.settings

    def _resume(self) -> bool:
        """Go on from the checkpoint, if there is one."""
        from mistakebound.model.checkpoint import load_checkpoint

        assert self.plan.model is not None
        found = load_checkpoint(self.plan.model)
        if found is None:
            return False
        model, run, at = found
        assert model.ledger is not None
        self.learner, self.ledger, self.facts = model.learner, model.ledger, model.assumptions
        try:
            self.record.check(run, at)
            self.pass_source = self._pass_source((model.settings or {"format": "auto"}) | self._unstated())
            self.reader_settings = model.settings
            self.passes = self._passes()
            self.passes.restore(run | {"position": at or None})
            self.skipped = run["skipped"]
        except SENSELESS as error:
            if isinstance(error, MistakeboundError):
                raise
            raise senseless(self.plan.model, error) from error
        self.resumed = True
        return True

    def _pass_source(self, settings: dict[str, Any]) -> PassSource:
        plan = self.plan
        return PassSource(
            plan.files, settings, plan.on_error, cache=cache_name(plan.cache, plan.files, settings), seed=plan.seed,
            threads=lambda reader: threads_for(reader, plan.threads), watch=self._watch, say=plan.say,
        )  # fmt: skip

    def _passes(self) -> Trainer:
        return Trainer(self.learner, self.ledger, self.plan.passes, self._holdout(self.plan.holdout))

    def _holdout(self, what: int | str | None) -> Any:
        """What is held out, or None."""
        if what is None:
            return None
        from mistakebound.model.holdout import EveryKth, OwnFile

        if isinstance(what, int):
            return EveryKth(self.learner, what)
        return OwnFile(self.learner, lambda: self._open_holdout(what))

    def _open_holdout(self, path: str) -> Any:
        """Read as the stream is."""
        if self._held_out is None:
            self._held_out = SameFiles([path])
        self._held_out.check()
        return open_stream(path, self._reader.settings | self._unstated(), on_error=self.plan.on_error)

    def _unstated(self) -> dict[str, Any]:
        """Of settings that are complete: whether the format was not given but found."""
        return {} if self.plan.stated else {"remembered": True}

    @property
    def record(self) -> Record:
        if self._record is None:
            from mistakebound.model.checkpoint import Record

            self._record = Record(self.plan)
        return self._record

    def _watch(self, reader: Any, doing: str) -> Any:
        """The bar of a stream that is read before the passes."""
        return self.plan.watch(reader, None, title=doing)

    def skip(self, error: BadData) -> None:
        if self.passes.pass_number > 1:
            return  # it was said in the first pass
        self.skipped += 1
        if self.skipped <= _LISTED:
            self.plan.say_skipped(f"skipped: {error}")

    def learn(self) -> None:
        if self.plan.model is not None:
            _ = self.record  # what the files look like now, before they are read
        try:
            self.passes.go(
                self._open_pass,
                threads=lambda reader: threads_for(reader, self.plan.threads),
                skip=self.skip if self.plan.on_error == "skip" else None,
                after_block=self._after_block,
            )
            self.pass_source.check_same()
        finally:
            self._close_pass()

    def _open_pass(self, pass_number: int) -> Any:
        self._close_pass()
        self._reader = reader = self.pass_source.open_pass(pass_number)
        self._counted = pass_number > 1
        at = self.passes.position
        if at is not None:
            self._check_position(reader, at)
        self._show = self.plan.watch(
            reader, self.ledger, holdout=self.passes.holdout, pass_number=pass_number, turns=self.passes.passes
        )
        return reader

    def _check_position(self, reader: Any, at: dict[str, Any]) -> None:
        """An error unless the reader can go on there: the position is one of its own kind."""
        try:
            if at.get("cache") != reader.identity:
                raise MistakeboundError(f"{reader.path} does not hold the rows that were being learned")
            if missing := sorted(reader.position().keys() - at.keys()):
                raise senseless(self.plan.model or "", ValueError(f"its position in the stream has no {missing[0]}"))
        except MistakeboundError:
            reader.close()
            raise

    def _after_block(self, reader: Any) -> None:
        if self._show is not None:
            self._show.update()
        if self._clock is not None and self._clock.due(self.ledger.trials):
            self.save()
            self.checkpoints += 1
            self._clock.done(self.ledger.trials)

    def _close_pass(self) -> None:
        if self._show is not None:
            self._show.close()
            self._show = None
        reader, self._reader = self._reader, None
        if reader is None:
            return
        self.reader_settings = reader.settings
        self.pass_source.reads_as(reader)
        self.collisions = reader.collisions()
        if not self._counted:
            self._count_skipped(reader)

    def _count_skipped(self, reader: Any) -> None:
        """Lines that the reader passed over; what it had read ahead of the row at which learning stopped is no news."""
        count, lines = reader.skipped_before(self.passes.stopped and self.passes.stopped["line"])
        for source, line, message in lines[: max(0, _LISTED - self.skipped)]:
            self.plan.say_skipped(f"skipped: {source}:{line}: {message}")
        self.skipped += count

    def model(self) -> Model:
        """What has been learned so far."""
        passes, settings = self.passes, self.reader_settings if self._reader is None else self._reader.settings
        position = passes.stopped
        if position is None and not passes.torn and self.plan.model is not None:
            position = self.record.position(passes.state(), passes.over, self.skipped)
        return Model(self.learner, None if settings is None else RowSchema(settings), self.ledger, self.facts, position)

    def save(self) -> int | None:
        """Write the model where the plan says; its size in bytes."""
        return None if self.plan.model is None else self.model().save(self.plan.model)

    def judge(self) -> None:
        """Give the ledger the bound that the assumptions make."""
        self.ledger.bound = bound_of(self.learner, self.ledger, self.facts)
