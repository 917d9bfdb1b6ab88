"""Learn a stream, one example at a time: predict, hear the label, update, count.

mistakebound learn events.svm --model events.mb
mistakebound learn events.svm --learner winnow1 --set n=1000000 --assume k=10
zcat more.svm.gz | mistakebound learn - --from events.mb --model events.mb
"""

from __future__ import annotations

import os
import sys
from time import perf_counter

from mistakebound import learners
from mistakebound.arena.learn_stream import learn_stream
from mistakebound.arena.play import bound_of, new_ledger
from mistakebound.cli.commands import note
from mistakebound.cli.reader_options import add_reader_options, settings_from
from mistakebound.cli.settings import DEFAULT_LEARNER, add_learner_options, assumptions, make_learner
from mistakebound.core.errors import AssumptionRefuted, BadData, BadParameter, MistakeboundError
from mistakebound.core.interrupt import Interrupt
from mistakebound.core.model_file import check_place
from mistakebound.streams import open_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

_LISTED = 10  # bad rows that are written out; all are counted
_LARGE = 1 << 22  # bytes from which a second thread pays for its start


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a stream, plain or gzip; - is standard input")
    add_learner_options(parser, default=None)
    parser.add_argument("--model", metavar="OUT", help="write the model here")
    parser.add_argument("--from", metavar="MODEL", dest="start", help="go on from this model")
    parser.add_argument("--threads", type=int, metavar="N", help="threads that read and parse; the result is the same")
    parser.add_argument("--strict", action="store_true", help="exit 5 when an assumption is refuted")
    parser.add_argument("--on-error", default="fail", choices=("fail", "skip"), help="what a bad line does")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no report, no progress")
    add_reader_options(parser)


class Work:
    """What one `learn` holds: the learner, its ledger, what is assumed, the rows that were passed over."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.facts = assumptions(options.assume)
        remembered: dict[str, Any] | None = None
        if options.start is None:
            self.learner = make_learner(options.learner or DEFAULT_LEARNER, options.settings, options.labels)
            self.ledger = new_ledger(self.learner)
        else:
            remembered = self._go_on(options)
        self.reader_settings = settings_from(options, remembered)
        self.learner.bound(**self.facts)  # a fact that no theorem can use is said now, not after the stream
        self.skipped = 0
        self.position: dict[str, Any] | None = None
        self.first_trial = self.ledger.trials

    def _go_on(self, options: Namespace) -> dict[str, Any] | None:
        for name, given in (("--learner", options.learner), ("--set", options.settings), ("--labels", options.labels)):
            if given:
                raise BadParameter(f"{name} must be left out with --from, the model has its own: {given!r}")
        model = learners.load_model(options.start)
        self.learner = model.learner
        self.ledger = model.ledger if model.ledger is not None else new_ledger(self.learner)
        if self.ledger.inconsistency is not None:
            raise MistakeboundError(f"there is no going on from {options.start}: {self.ledger.inconsistency}")
        self.facts = model.assumptions | self.facts
        return model.reader

    def skip(self, error: BadData) -> None:
        self.skipped += 1
        if self.skipped <= _LISTED and not self.options.quiet:
            note(f"skipped: {error}")

    def learn(self) -> None:
        options, stopped = self.options, None
        with open_stream(options.files, self.reader_settings, on_error=options.on_error) as reader:
            show = None if options.quiet else progress_for(reader, self.ledger)
            try:
                stopped = learn_stream(
                    self.learner, reader, self.ledger, threads=threads_for(reader, options.threads),
                    skip=self.skip if options.on_error == "skip" else None, progress=show and show.update,
                )  # fmt: skip
            finally:
                if show is not None:
                    show.close()
                self.reader_settings = reader.settings
                self.position = reader.position()
                if stopped is not None:
                    self.position = {"source": reader.name, "line": stopped}
                self._count_skipped(reader, stopped)

    def _count_skipped(self, reader: Any, stopped: int | None) -> None:
        """Lines that the reader passed over; what it had read ahead of the row at which learning stopped is no news."""
        count, lines = reader.skipped_before(stopped)
        for source, line, message in lines[: max(0, _LISTED - self.skipped)]:
            if not self.options.quiet:
                note(f"skipped: {source}:{line}: {message}")
        self.skipped += count

    def save(self) -> int | None:
        if self.options.model is None:
            return None
        size: int = self.learner.save(
            self.options.model,
            ledger=self.ledger,
            reader=self.reader_settings,
            position=self.position,
            assumptions=self.facts,
        )
        return size


def run(options: Namespace) -> int:
    if options.threads is not None and options.threads < 1:
        raise BadParameter(f"--threads must be >= 1: {options.threads}")
    if options.model is not None:
        check_place(options.model)
    work = Work(options)
    start = perf_counter()
    interrupted = False
    try:
        work.learn()
    except KeyboardInterrupt:
        interrupted = True
    except BadData:
        if options.model is not None:
            note(f"{options.model} was not written; --on-error skip passes bad lines over")
        raise
    seconds = perf_counter() - start
    work.ledger.bound = bound_of(work.learner, work.ledger, work.facts)
    with Interrupt(later=True, patient=True) as interrupt:
        size = work.save()
    interrupted = interrupted or interrupt.pending
    if interrupted:
        kept = f"; {options.model} holds what was learned so far" if options.model else ""
        note(f"interrupted after {work.ledger.trials} trials{kept}")
    if not options.quiet or options.json:
        from mistakebound.cli.learn_report import print_report

        print_report(work, seconds, size)
    if interrupted:
        return 130
    if options.strict and work.ledger.verdict.kind in ("refuted", "inconsistent"):
        raise AssumptionRefuted(work.ledger.verdict)
    return 0


def threads_for(reader: Any, wanted: int | None) -> int:
    """As many as asked for; by default one for a small file, and the cores that we may use for a large one."""
    if wanted is not None:
        return wanted
    _, total = reader.progress()
    if total is not None and total < _LARGE:
        return 1
    return min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def progress_for(reader: Any, ledger: Any) -> Any:
    """A live bar on the terminal; nothing where nobody looks."""
    if not sys.stderr.isatty():
        return None
    from mistakebound.cli.progress import Progress

    return Progress(reader, ledger)
