"""`version-space --ask`: the program asks, the person answers, until one hypothesis is left."""

from __future__ import annotations

import sys

from mistakebound.arena.questions import InteractiveLearner, fewest_questions
from mistakebound.cli.version_space_report import boundaries
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import visible
from mistakebound.report.table import fields
from mistakebound.teachers.human_teacher import BACK, END, HELP, NO, UNKNOWN, YES, HumanTeacher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from mistakebound.cli.version_space_report import Report

_LABELS = {YES: 1, NO: 0, UNKNOWN: None}


def ask(options: Namespace, learner: Any, report: Report) -> Any:
    """The session; the learner with what it was told."""
    if not learner.version_space:
        raise BadParameter(
            f"--ask has nothing to ask, no hypothesis agrees with the rows: {learner.version_space.collapsed_by}"
        )
    out = sys.stderr if options.json else sys.stdout  # with --json, stdout is one object
    session = InteractiveLearner(learner)

    def write(text: str) -> None:
        out.write(visible(text, keep="\n"))
        out.flush()

    start = session.started.size
    write(
        f"{start.text()} {'hypothesis' if start == 1 else 'hypotheses'} about {learner.space.n} attributes.  {HELP}.\n"
    )
    person = HumanTeacher(write=write)
    taken_back = 0
    while True:
        if session.question is None:
            left = "no other question tells them apart" if session.found is None else f"it is {session.found}"
            if session.asked and person.takes_back(f"     {left}"):
                session.take_back()
                taken_back += 1
                continue
            break
        number = len(session.asked) + 1
        answer = person.ask(f"{number:>3}. {_written(learner.space.names, session.question)}?")
        if answer == END:
            break
        if answer == BACK:
            if session.take_back():
                taken_back += 1
            else:
                write("     there is nothing to take back\n")
            continue
        session.answer(_LABELS[answer])
        write(f"     {session.space.size.text()} left\n" if answer != UNKNOWN else "     then another one\n")
    _report(options, session, taken_back, report, write)
    return session.learner


def _written(names: tuple[str, ...], x: Any) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(names, x, strict=True))


def _report(options: Namespace, session: InteractiveLearner, taken_back: int, report: Report, write: Any) -> None:
    best = fewest_questions(session.started, options.timeout)
    refused = len(session.asked) - session.answered
    report.data |= boundaries(session.space) | {
        "found": None if session.found is None else str(session.found),
        "questions": session.answered,
        "refused": refused,
        "taken_back": taken_back,
        "at_least": session.at_least,
        "fewest": None if best is None else {"lower": best.lower, "upper": best.upper},
        "asked": [{"instance": list(x), "answer": answer} for x, answer in session.asked],
    }
    found = str(session.found) if session.found is not None else f"not yet: {session.space.size.text()} are left"
    notes = [f"{refused} not answered"] if refused else []
    notes += [f"{taken_back} taken back"] if taken_back else []
    asked = f"{session.answered} question{'s' * (session.answered != 1)} answered" + (
        f" ({', '.join(notes)})" if notes else ""
    )
    fewest = (
        "too many hypotheses to compute it" if best is None else f"{best}" + ("" if best.exact else " (out of time)")
    )
    size = session.started.size
    said = [
        ("found", found),
        ("asked", asked),
        ("at least", f"{session.at_least} = log2 of {size.text()}, rounded up, in the worst case"),
        ("fewest", f"{fewest}: questions that the best strategy needs in the worst case"),
    ]
    write("\n" + "\n".join(fields(said)) + "\n")
