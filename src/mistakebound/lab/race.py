"""Arena, the race: several learners on the same examples, and who makes the fewest mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.arena.play import play
from mistakebound.core.errors import BadParameter, shown
from mistakebound.lab.catalogue import class_of, facts_of, make_learner, subject_of
from mistakebound.lab.session import Session
from mistakebound.lab.watch import make_teacher

if TYPE_CHECKING:
    from mistakebound.core.ledger import Ledger
    from mistakebound.lab.request import Request

_ENTRANTS = 6


class Race(Session):
    """Learners that hear the same labels of the same instances."""

    actions: ClassVar[tuple[str, ...]] = ("run",)

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.subject = subject_of(request)
        names = request.listed("learners", _ENTRANTS, list(self.subject.learners[:3]))
        if len(names) < 2 or len({*map(str, names)}) < len(names):
            raise BadParameter(f"learners must be two or more different ones: {shown(names)}")
        self.names = [str(name) for name in names]
        self.trials = request.whole("trials", 10, 500, 150)
        self.seed, self.noise = request.whole("seed", 0, 999_999, 1), request.number("noise", 0, 0.5, 0.0)
        self.learners = [make_learner(name, self.subject) for name in self.names]

    def opening(self, request: Request) -> dict[str, Any]:
        """The bounds are known before the first trial."""
        concepts = class_of(self.subject.text)
        bounds = []
        for learner in self.learners:
            facts = facts_of(learner, concepts)
            found = learner.bound(**facts) if facts or not learner.assumable else None
            bounds.append(None if found is None else found.mistakes)
        return {"learners": self.names, "bounds": bounds, "trials": self.trials}

    def run(self, request: Request) -> dict[str, Any]:
        concepts = class_of(self.subject.text)
        lanes = []
        for name in self.names:
            learner = make_learner(name, self.subject)
            teacher = make_teacher(self.subject, "random", self.seed, self.noise)
            curve: list[int] = []

            def watch(trial: Any, label: Any, prediction: Any, ledger: Ledger, curve: list[int] = curve) -> None:
                request.check_time()
                curve.append(ledger.mistakes)

            ledger = play(learner, teacher, self.trials, assume=facts_of(learner, concepts), watch=watch)
            lanes.append(
                {
                    "learner": name,
                    "curve": curve,
                    "mistakes": ledger.mistakes,
                    "bound": None if ledger.bound is None else ledger.bound.mistakes,
                    "verdict": ledger.verdict.kind,
                    "verdict_words": str(ledger.verdict),
                }
            )
        target = make_teacher(self.subject, "random", self.seed, self.noise).target
        return {"lanes": lanes, "target": str(target)}
