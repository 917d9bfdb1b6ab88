"""Play a learner against a random target or an adversary: mistakes and bound.

  mistakebound play --learner winnow1 --target "x3 | x17" --n 1000
  mistakebound play --set n=100 --target "2 of (x1, x5, x9)" --n 100
  mistakebound play --target "monotone-disjunctions n=1000 k=5" --plot m.png
  mistakebound play --teacher adversary --class "conjunctions n=5"

Learners that do not need n are given it only by --set n=1000.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter

from mistakebound.arena.play import facts_for, play
from mistakebound.cli.commands import say
from mistakebound.cli.options import add, whole
from mistakebound.cli.play_game import ADVERSARIES, check_trace, completed, run_game, write_trace
from mistakebound.cli.settings import FOR_GAMES, assumptions, at_least, make_learner
from mistakebound.cli.terminal import Steps
from mistakebound.core.names import attribute_order, write_name
from mistakebound.core.params import number
from mistakebound.report.ledger_text import bound_in_words, found_among_heaviest, ledger_facts, mistakes_and_error
from mistakebound.report.plots import Curve, draw_mistakes
from mistakebound.report.table import fields, fitted
from mistakebound.teachers.random_target import RandomTarget, is_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.ledger import Ledger
    from mistakebound.core.protocol import Trial

_TARGET = "x3 | x17"
_SHOWN = 6  # active attributes of an instance that the trace writes out


OUTPUTS = {"plot": "picture", "trace_to": "trace"}


def add_options(parser: ArgumentParser) -> None:
    add(parser, "learner", help=f"one of `mistakebound learners` (default: {FOR_GAMES})")
    add(parser, "set", "assume")
    parser.add_argument(
        "--teacher", choices=["random", *ADVERSARIES], metavar="WHO", default="random",
        help="random, adversary or mistake-tree (default: random)",
    )  # fmt: skip
    parser.add_argument("--class", dest="concepts", metavar="CLASS", help="concept class of the adversary's target")
    parser.add_argument("--target", help=f"formula, or class to draw from (default: {_TARGET})")
    parser.add_argument("--trials", type=whole, default=5000, metavar="N", help="number of trials (default: 5000)")
    add(parser, "plot", help="draw mistakes against trials: .png or .svg")
    add(parser, "json")
    group = parser.add_argument_group("games")
    group.add_argument("--n", type=whole, default=1000, metavar="N", help="number of attributes (default: %(default)s)")
    group.add_argument(
        "--density", type=number, default=0.1, help="probability that an attribute is on (default: %(default)s)"
    )
    group.add_argument(
        "--noise", type=number, default=0.0, help="probability that a label is flipped (default: %(default)s)"
    )
    add(group, "seed")
    group.add_argument("--check-lemmas", action="store_true", help="check the lemmas of the proof after every mistake")
    group.add_argument("--trace", action="store_true", help="print one line per trial")
    group.add_argument("--trace-to", metavar="FILE", help="write each trial with its hypothesis: .txt .json .html .tex")


def run(options: Namespace) -> int:
    at_least("--trials", options.trials, 0)
    check_trace(options.trace_to)
    options.learner = options.learner or FOR_GAMES
    if options.teacher != "random":
        return run_game(options)
    target = _TARGET if options.target is None else options.target
    drawn_from = options.concepts or (target if is_class(target) else None)
    learner = make_learner(options.learner, completed(options.learner, options.settings, drawn_from, options.n), None)
    teacher = RandomTarget(target, options.n, options.trials, options.density, options.seed, options.noise)
    start = perf_counter()
    with Watch(options) as watch:
        ledger = play(
            learner, teacher, assume=assumptions(options.assume), lemmas=options.check_lemmas,
            trace=options.trace_to is not None, watch=watch.watcher(),
        )  # fmt: skip
    write_trace(options, ledger)
    seconds = perf_counter() - start
    if options.plot:
        title = f"{learner!r} against {teacher.target}"
        draw_mistakes(options.plot, [Curve(type(learner).__name__, ledger)], title=title)
    if options.json:
        print(json.dumps(as_json(options, learner, teacher, ledger, seconds)))
    else:
        say(*fitted(as_text(options, learner, teacher, ledger, seconds)))
    return 0


class Watch:
    """What is shown while play goes on: the trace, or a bar when somebody looks and it takes long."""

    def __init__(self, options: Namespace) -> None:
        self._out = sys.stderr if options.json else sys.stdout  # with --json, stdout is one object
        self._trace = options.trace
        self._width = len(str(options.trials))
        self._trials = options.trials
        self._steps = Steps("trials", quiet=options.trace)
        self._tell: Callable[[int, int, str], None] | None = None

    def __enter__(self) -> Watch:
        self._tell = self._steps.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._steps.__exit__(*exc)

    def watcher(self) -> Callable[[Trial, Any, Any, Ledger], None] | None:
        if self._trace:
            return self._line
        return None if self._tell is None else self._step

    def _step(self, trial: Trial, label: Any, prediction: Any, ledger: Ledger) -> None:
        if not ledger.trials % 64 and self._tell is not None:
            self._tell(ledger.trials, self._trials, f", {ledger.mistakes:,} mistakes")

    def _line(self, trial: Trial, label: Any, prediction: Any, ledger: Ledger) -> None:
        active = [write_name(name) for name in sorted(trial.x, key=attribute_order)]
        shown = " ".join(active[:_SHOWN]) + (f" and {len(active) - _SHOWN:,} more" if len(active) > _SHOWN else "")
        wrong = f"  mistake {ledger.mistakes}" if prediction != label else ""
        said = f"{ledger.trials:>{self._width}}  {prediction} for {label}{wrong:<14}  {shown}".rstrip()
        say(said, to=self._out)


def relevant(learner: Any, target: Any) -> tuple[list[str], list[str]]:
    """(attributes of the target, those of them that the learner has found)."""
    names = sorted(target.attributes, key=attribute_order)
    if learner.readable == "weights":
        return names, found_among_heaviest(learner, names)
    kept = {name for name, _ in learner.top(2 * len(learner.attributes))}
    return names, [name for name in names if name in kept]


def as_json(options: Namespace, learner: Any, teacher: Any, ledger: Ledger, seconds: float) -> dict[str, Any]:
    names, found = relevant(learner, teacher.target)
    return ledger_facts(learner, ledger) | {
        "target": str(teacher.target),
        "n": teacher.n,
        "density": options.density,
        "noise": options.noise,
        "seed": options.seed,
        "hypothesis": learner.hypothesis.text(),
        "relevant": names,
        "found": found,
        "lemmas": checked_lemmas(options, learner, teacher),
        "lemma_failures": ledger.lemma_failures,
        "seconds": seconds,
        "plot": options.plot,
    }


def as_text(options: Namespace, learner: Any, teacher: Any, ledger: Ledger, seconds: float) -> list[str]:
    names, found = relevant(learner, teacher.target)
    said = [
        ("target", str(teacher.target)),
        (
            "trials",
            f"{ledger.trials:,} over {teacher.n:,} attributes, {options.density:g} of them on, seed {options.seed}",
        ),
        *mistakes_and_error(ledger),
        ("bound", bound_in_words(ledger.bound, ledger)),
        ("verdict", str(ledger.verdict)),
    ]
    if options.check_lemmas:
        said.append(("lemmas", _lemmas(checked_lemmas(options, learner, teacher), ledger)))
    said.append(("learned", learner.hypothesis.text(5)))
    if names:
        where = f"among the {len(names)} of largest weight" if learner.readable == "weights" else "in the hypothesis"
        said.append(("relevant", f"{len(found)} of {len(names)} attributes of the target are {where}"))
    said.append(("time", f"{seconds:.2f} s, {ledger.trials / max(seconds, 1e-9):,.0f} trials a second"))
    if options.plot:
        said.append(("picture", options.plot))
    return [f"{learner!r}", *fields(said)]


def checked_lemmas(options: Namespace, learner: Any, teacher: Any) -> list[str]:
    """The names of those that can be asked for such a learner and such a target."""
    if not options.check_lemmas:
        return []
    facts = learner.all_facts(facts_for(learner, teacher, assumptions(options.assume)))
    return [lemma.name for lemma in learner.lemmas if lemma.applies(facts)]


def _lemmas(names: list[str], ledger: Ledger) -> str:
    if ledger.lemma_failures:
        return "; ".join(ledger.lemma_failures)
    return f"checked after each mistake, none failed: {', '.join(names)}" if names else "none can be checked here"
