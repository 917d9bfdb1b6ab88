"""What one `learn` does: the learner, its ledger, the passes over the stream, the model that comes of it."""

from __future__ import annotations

from mistakebound.arena.play import new_ledger
from mistakebound.cli.commands import note
from mistakebound.cli.expand_options import expanded
from mistakebound.cli.expand_options import given as expand_options_given
from mistakebound.cli.long_options import holdout_of, seed_of
from mistakebound.cli.reader_options import settings_from
from mistakebound.cli.settings import FOR_GAMES, FOR_STREAMS, assumptions, make_learner, refuse_without_file
from mistakebound.cli.terminal import progress_for
from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.core.model_file import SENSELESS, senseless
from mistakebound.io import open_stream
from mistakebound.io.fingerprint import SameFiles
from mistakebound.io.pass_source import PassSource, cache_name
from mistakebound.io.pipeline import threads_for
from mistakebound.model.model import load
from mistakebound.model.trainer import Trainer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from mistakebound.cli.checkpoint import Clock, Record
    from mistakebound.core.errors import BadData

_LISTED = 10  # bad rows that are written out; all are counted


class Work:
    """The learner, its ledger, what is assumed, the rows that were passed over, and how far all this is."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.facts = assumptions(options.assume)
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
        if not (options.resume and self._resume()):
            remembered = self._begin()
            self.source_of_passes = self._supply(settings_from(options, remembered))
            self.passes = self._passes()
        self.learner.bound(**self.facts)  # a fact that no theorem can use is said now, not after the stream
        self.first_trial = self.ledger.trials
        if options.checkpoint is not None:
            from mistakebound.cli.checkpoint import Clock

            self._clock = Clock(options.checkpoint, self.ledger.trials)

    def _begin(self) -> dict[str, Any] | None:
        """A new learner, or that of --from; what it remembers of its reader."""
        options = self.options
        if options.start is None:
            usual = FOR_STREAMS if options.reduce is None else FOR_GAMES  # the reductions are to a disjunction
            plain = make_learner(options.learner or usual, options.settings, options.labels, options.costs)
            self.learner = expanded(plain, options, self.facts)
            self.ledger = new_ledger(self.learner)
            return None
        own = ("--learner", options.learner), ("--set", options.settings), ("--labels", options.labels)
        for name, given in (*own, ("--cost", options.costs)):
            if given:
                raise BadParameter(f"{name} must be left out with --from, the model has its own: {given!r}")
        if words := expand_options_given(options):
            raise BadParameter(f"{words[0]} must be left out with --from, the model has its own attributes")
        model = load(options.start)
        refuse_without_file(model.learner, options.start)
        self.learner = model.learner
        self.ledger = model.ledger if model.ledger is not None else new_ledger(self.learner)
        if self.ledger.inconsistency is not None:
            raise MistakeboundError(f"there is no going on from {options.start}: {self.ledger.inconsistency}")
        self.facts = model.assumptions | self.facts
        return model.settings

    def _resume(self) -> bool:
        """Go on from the checkpoint, if there is one."""
        from mistakebound.cli.checkpoint import load_checkpoint

        found = load_checkpoint(self.options.model)
        if found is None:
            return False
        model, run, at = found
        assert model.ledger is not None
        self.learner, self.ledger, self.facts = model.learner, model.ledger, model.assumptions
        try:
            self.record.check(run, at)
            self.source_of_passes = self._supply((model.settings or {"format": "auto"}) | self._unstated())
            self.reader_settings = model.settings
            self.passes = self._passes()
            self.passes.restore(run | {"position": at or None})
            self.skipped = run["skipped"]
        except SENSELESS as error:
            if isinstance(error, MistakeboundError):
                raise
            raise senseless(self.options.model, error) from error
        self.resumed = True
        return True

    def _supply(self, settings: dict[str, Any]) -> PassSource:
        options = self.options
        return PassSource(
            options.files, settings, options.on_error,
            cache=cache_name(options.cache, options.files, settings), seed=seed_of(options),
            threads=lambda reader: threads_for(reader, options.threads), watch=self._watch, say=note,
        )  # fmt: skip

    def _passes(self) -> Trainer:
        holdout = holdout_of(self.options, self.learner, self._open_holdout)
        return Trainer(self.learner, self.ledger, self.options.passes, holdout)

    def _open_holdout(self, path: str) -> Any:
        """Read as the stream is."""
        if self._held_out is None:
            self._held_out = SameFiles([path])
        self._held_out.check()
        return open_stream(path, self._reader.settings | self._unstated(), on_error=self.options.on_error)

    def _unstated(self) -> dict[str, Any]:
        """Of settings that are complete: whether the format was not given but found."""
        return {"remembered": True} if self.options.format == "auto" else {}

    @property
    def record(self) -> Record:
        if self._record is None:
            from mistakebound.cli.checkpoint import Record

            self._record = Record(self.options)
        return self._record

    def _watch(self, reader: Any, doing: str) -> Any:
        """The bar of a stream that is read before the passes."""
        return None if self.options.quiet else progress_for(reader, None, title=doing)

    def skip(self, error: BadData) -> None:
        if self.passes.pass_number > 1:
            return  # it was said in the first pass
        self.skipped += 1
        if self.skipped <= _LISTED and not self.options.quiet:
            note(f"skipped: {error}")

    def learn(self) -> None:
        if self.options.model is not None:
            _ = self.record  # what the files look like now, before they are read
        try:
            self.passes.go(
                self._open_pass,
                threads=lambda reader: threads_for(reader, self.options.threads),
                skip=self.skip if self.options.on_error == "skip" else None,
                after_block=self._after_block,
            )
            self.source_of_passes.check_same()
        finally:
            self._close_pass()

    def _open_pass(self, pass_number: int) -> Any:
        self._close_pass()
        self._reader = reader = self.source_of_passes.open_pass(pass_number)
        self._counted = pass_number > 1
        at = self.passes.position
        if at is not None:
            self._check_position(reader, at)
        if not self.options.quiet:
            self._show = progress_for(
                reader, self.ledger, holdout=self.passes.holdout, pass_number=pass_number, turns=self.passes.passes
            )
        return reader

    def _check_position(self, reader: Any, at: dict[str, Any]) -> None:
        """An error unless the reader can go on there: the position is one of its own kind."""
        try:
            if at.get("cache") != getattr(reader, "identity", None):
                raise MistakeboundError(f"{reader.path} does not hold the rows that were being learned")
            if missing := sorted(reader.position().keys() - at.keys()):
                raise senseless(self.options.model, ValueError(f"its position in the stream has no {missing[0]}"))
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
        self.source_of_passes.reads_as(reader)
        self.collisions = reader.collisions()
        if not self._counted:
            self._count_skipped(reader)

    def _count_skipped(self, reader: Any) -> None:
        """Lines that the reader passed over; what it had read ahead of the row at which learning stopped is no news."""
        count, lines = reader.skipped_before(self.passes.stopped and self.passes.stopped["line"])
        for source, line, message in lines[: max(0, _LISTED - self.skipped)]:
            if not self.options.quiet:
                note(f"skipped: {source}:{line}: {message}")
        self.skipped += count

    def save(self) -> int | None:
        if self.options.model is None:
            return None
        passes = self.passes
        position = passes.stopped or (
            None if passes.torn else self.record.position(passes.state(), passes.over, self.skipped)
        )
        size: int = self.learner.save(
            self.options.model,
            ledger=self.ledger,
            reader=self.reader_settings if self._reader is None else self._reader.settings,
            position=position,
            assumptions=self.facts,
        )
        return size
