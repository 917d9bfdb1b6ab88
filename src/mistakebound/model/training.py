"""What one training does: the learner, its ledger, the passes over the stream, the model that comes of it."""

from __future__ import annotations

from mistakebound.arena.stream_labels import (
    asks_labels,
    many_in_words,
    one_vs_all,
    pair_in_words,
    third_in_words,
    usual,
    with_labels,
)
from mistakebound.core.block_labels import ROWS
from mistakebound.core.errors import BadData, BadParameter, MistakeboundError
from mistakebound.core.ledger import bound_of, new_ledger
from mistakebound.io import open_stream
from mistakebound.io.fingerprint import SameFiles
from mistakebound.io.pass_source import LISTED, PassSource, cache_name, read_again
from mistakebound.model.model import Model, RowSchema, load, reader_settings, refuse_without_rows
from mistakebound.model.trainer import Trainer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.ledger import Ledger
    from mistakebound.model.checkpoint import Clock, Record
    from mistakebound.model.plan import Plan
    from mistakebound.model.progressive import PredictionWriter


class Training:
    """The learner, its ledger, what is assumed, the skipped rows, and how far all this is."""

    cluster: dict[str, Any] | None = None  # who learns, where that is not this process

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        if plan.predictions is not None:
            from mistakebound.model.progressive import check_predictions

            check_predictions(plan)
        if plan.resume and not all(map(read_again, plan.files)):
            raise BadParameter(f"{plan.spell('resume')} needs files that can be read again, and a pipe cannot")
        pipe = any(isinstance(file, str) and not read_again(file) for file in plan.files)
        if pipe and plan.passes > 1 and plan.cache is None and plan.seed is None:
            over = "standard input" if "-" in plan.files else "a pipe"
            instead = f"{plan.spell('cache')}=NAME or {plan.spell('shuffle')}"
            raise BadParameter(f"{plan.spell('passes')} over {over} needs {instead}: {plan.passes}")
        self.facts = plan.facts
        self.skipped = 0
        self.checkpoints = 0  # written so far
        self.collisions: dict[str, Any] | None = None
        self.resumed = False
        self.reader_settings: dict[str, Any] | None = None
        self._again: str | None = None  # a file that the model to go on from has learned
        self._record: Record | None = None
        self._clock: Clock | None = None
        self._show: Any = None
        self._held_out: SameFiles | None = None  # the file of --holdout
        self.assumed: list[str] = []  # about the files, in words
        self.labels_found: str | None = None  # what had to be assumed of them, in words
        self._reader: Any = None  # of the pass in hand,
        self._counted = False  # whose bad lines have been counted
        if not (plan.resume and self._resume()):
            remembered = self._begin()
            self.pass_source = self._pass_source(reader_settings(plan.reading, remembered, plan.spell))
            self.passes = self._passes()
        if self.facts:
            self.learner.bound(**self.facts)  # a fact that no theorem can use is said now, not after the stream
        self._labels_open = asks_labels(self.learner)  # they are not both known
        if not self.learner.many_classes:
            self.learner.labels.open = True
        self.first_trial = self.ledger.trials
        if plan.every is not None:
            from mistakebound.model.checkpoint import Clock

            self._clock = Clock(*plan.every, self.ledger.trials)

    def _begin(self) -> dict[str, Any] | None:
        """A new learner, or that of the model to go on from; what it remembers of its reader."""
        path = self.plan.start
        if path is None:
            self.learner = self.plan.new_learner()
            self.ledger = self._new_ledger()
            return None
        model = load(path)
        refuse_without_rows(model.learner, path)
        self.learner = model.learner
        self.ledger = model.ledger if model.ledger is not None else self._new_ledger()
        if self.ledger.inconsistency is not None:
            raise MistakeboundError(f"cannot continue from {path}: {self.ledger.inconsistency}")
        self.facts = model.assumptions | self.facts
        from mistakebound.model.checkpoint import learned_before

        if (file := learned_before(model, self.plan.files)) is not None:
            self.ledger.passes += 1  # as in a second pass, nothing follows from these rows about new ones
            self._again = file
        return model.settings

    def _new_ledger(self) -> Ledger:
        plan, ledger = self.plan, new_ledger(self.learner, for_model=self.plan.keeps_model)
        if plan.threshold is not None or plan.maximize is not None:
            from mistakebound.core.threshold import new_threshold

            ledger.threshold = new_threshold(self.learner, plan.threshold, plan.maximize, plan.spell)
        return ledger

    def _resume(self) -> bool:
        """Go on from the checkpoint, if there is one."""
        from mistakebound.core.model_file import SENSELESS, senseless
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
            threads=plan.threads, watch=self._watch, say=plan.say,
        )  # fmt: skip

    def _passes(self) -> Trainer:
        held: Any = self.plan.holdout
        if held is not None:
            from mistakebound.model.holdout import EveryKth, OwnFile

            own = not isinstance(held, int)
            held = OwnFile(self.learner, self._open_holdout) if own else EveryKth(self.learner, held)
        return Trainer(self.learner, self.ledger, self.plan.passes, held)

    def _open_holdout(self) -> Any:
        """The file of --holdout, read as the stream is."""
        path = str(self.plan.holdout)
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
        return None if self.plan.watch is None else self.plan.watch(reader, None, title=doing)

    def skip(self, error: BadData) -> None:
        if self.passes.pass_number > 1:
            return  # it was said in the first pass
        self.skipped += 1
        if self.skipped <= LISTED:
            self.plan.say_skipped(f"skipped: {error}")

    def learn(self) -> None:
        if self.plan.model is not None:
            _ = self.record  # what the files look like now, before they are read
        if self._again is not None:
            self.plan.say_labels(f"{self._again} is in the model: this is another pass over it, without a certificate")
        written = None
        if self.plan.predictions is not None:
            from mistakebound.model.progressive import PredictionWriter, check_own_threshold

            check_own_threshold(self.plan, self.ledger)
            written = PredictionWriter(self.plan.predictions)
        try:
            if not self.resumed and self.plan.start is None and asks_labels(self.learner):
                self._find_labels()
            self._play_passes(written)
            self.pass_source.check_same()
        finally:
            self._close_pass()
            self.pass_source.close()
            if written is not None:
                written.close()

    def _play_passes(self, written: PredictionWriter | None) -> None:
        self.passes.go(
            self._open_pass,
            threads=self.plan.threads,
            skip=self.skip if self.plan.on_error == "skip" else None,
            after_block=self._after_block,
            widen=self._widen,
            predictions=written,
        )

    def check_rows(self) -> None:
        """BadData when the stream had no rows, or none that was well: what learned nothing is not worth a file."""
        held = self.passes.holdout
        known = self.resumed or self.ledger.trials > self.first_trial
        if not known and (self.skipped or held is None or not (held.ledger.trials or held.passes)):
            bad = f"; all {self.skipped:,} were skipped" if self.skipped else ""
            source = str(getattr(self.plan.files[0], "name", self.plan.files[0]))
            raise BadData(f"there are no rows to learn from{bad}", source=source)

    def _find_labels(self) -> tuple[list[str], str]:
        """Look at the labels of the first rows: they say what the pair is, or that there are more than two.

        The labels and their file come back.
        """
        found, reader = self.pass_source.first_labels(ROWS)
        self._say_assumed(reader)
        learner = with_labels(
            self.learner, found, where=reader.name, keep=self.plan.keep_learner, lighter=self.plan.lighter
        )
        if learner is not self.learner:
            if self.facts:
                learner.bound(**self.facts)
            self.learner = learner
            self.ledger = self._new_ledger()
            self.passes = self._passes()
            self._say_labels(many_in_words(learner.settings["base"], found))
        elif found and not usual(learner.labels):
            self._say_labels(pair_in_words(learner.labels))
        self._labels_open = asks_labels(learner)
        return found, reader.name

    def _widen(self, block: Block, row: int) -> Any:
        """A learner of many labels to go on with, where a third one appears; None where there can be none."""
        # What is assumed, and may be refuted, is about two labels, and so is another threshold.
        if self.plan.keep_learner or self.facts or self.ledger.threshold is not None:
            return None
        try:
            learner = one_vs_all(self.learner, None, self.learner.labels)
        except BadParameter:  # the row will be refused
            return None
        self.ledger.widen(learner.labels, learner.start(), calibrate=learner.calibrated)
        self.learner = learner
        find = self._reader.locate if self._reader.shuffled else None
        self._say_labels(third_in_words(learner.settings["base"], block, row, find))
        return learner

    def _say_assumed(self, reader: Any) -> None:
        """What was guessed about the files, each line once."""
        for line in reader.assumed[len(self.assumed) :]:
            self.assumed.append(line)
            self.plan.say_labels(line)

    def _say_labels(self, line: str) -> None:
        self.labels_found = line.removeprefix("labels: ")
        self.plan.say_labels(line)

    def _open_pass(self, pass_number: int) -> Any:
        self._close_pass()
        self._reader = reader = self.pass_source.open_pass(pass_number, self.learner.slow)
        self._counted = pass_number > 1
        at = self.passes.position
        if at is not None:
            self._check_position(reader, at)
        if self.plan.watch is not None:
            self._show = self.plan.watch(
                reader, self.ledger, holdout=self.passes.holdout, pass_number=pass_number, passes=self.passes.passes
            )
        return reader

    def _check_position(self, reader: Any, at: dict[str, Any]) -> None:
        """An error unless the reader can go on there: the position is one of its own kind."""
        from mistakebound.core.model_file import senseless

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
        self._say_assumed(reader)
        if self._labels_open and not asks_labels(self.learner):
            self._labels_open = False
            if not self.learner.many_classes and not usual(self.learner.labels):
                self._say_labels(pair_in_words(self.learner.labels))
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
        self.reader_settings = self.pass_source.settings = reader.settings  # further passes read as this one did
        self.collisions = reader.collisions()
        if self._counted:
            return
        # Lines that the reader skipped; what it had read ahead of the row at which learning stopped is no news.
        count, lines = reader.skipped_before(self.passes.stopped and self.passes.stopped["line"])
        for source, line, message in lines[: max(0, LISTED - self.skipped)]:
            self.plan.say_skipped(f"skipped: {source}:{line}: {message}")
        self.skipped += count
        if self.passes.stopped is None:
            self._say_unmatched(reader.unmatched())

    def _say_unmatched(self, patterns: list[str]) -> None:
        for pattern in patterns:
            self.assumed.append(f"ignore: nothing is called {pattern!r}")
            self.plan.say_labels(self.assumed[-1])

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
