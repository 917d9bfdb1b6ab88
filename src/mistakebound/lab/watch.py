"""Arena, watching: a learner against a random teacher or an adversary."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.core.protocol import Teacher, Trial
from mistakebound.lab.catalogue import TEACHERS, class_of, facts_of, listed, make_learner, subject_of, width
from mistakebound.lab.frames import Table, weights_of
from mistakebound.lab.session import Session
from mistakebound.teachers import RandomTarget, adversary_for
from mistakebound.teachers.adversary import Adversary, MistakeTreeAdversary

if TYPE_CHECKING:
    from mistakebound.lab.catalogue import Subject
    from mistakebound.lab.request import Request

MOST = 240  # trials of a game


class RandomPoints(Teacher):
    """Points of a finite class, drawn alike, with a target drawn from the class; some labels may be flipped."""

    codes = True

    def __init__(self, text: str, seed: int, noise: float) -> None:
        self.seed = seed
        self._class, self._random, self._noise = listed(text), random.Random(seed), noise
        self.number = self._random.randrange(len(self._class))
        self.target = self._class.concepts[self.number]

    def next_trial(self) -> Trial | None:
        return Trial(self._class.instances[self._random.randrange(len(self._class.instances))])

    def label(self, trial: Trial, prediction: Any) -> int:
        label = self._class.label(self.number, self._class.position(trial.x))
        return 1 - label if self._noise and self._random.random() < self._noise else label


def make_teacher(subject: Subject, kind: str, seed: int, noise: float) -> Any:
    concepts, n = class_of(subject.text), width(subject.text)
    if kind == "adversary":
        return MistakeTreeAdversary(concepts) if subject.small else adversary_for(concepts)
    if n is None:
        return RandomPoints(subject.text, seed, noise)
    return RandomTarget(concepts, n, None, subject.density, seed, noise)


class Watch(Session):
    """A learner against a teacher; the page asks for so many trials at a time."""

    actions: ClassVar[tuple[str, ...]] = ("step",)

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.subject = subject_of(request)
        learner = make_learner(request.choice("learner", self.subject.learners, self.subject.learners[0]), self.subject)
        seed, noise = request.whole("seed", 0, 999_999, 1), request.number("noise", 0, 0.5, 0.0)
        self.kind = request.choice("teacher", TEACHERS, "random")
        self.teacher = make_teacher(self.subject, self.kind, seed, noise)
        concepts = class_of(self.subject.text)
        self.table = Table(learner, self.teacher, facts_of(learner, concepts), width(self.subject.text))
        self.noise = noise

    def opening(self, request: Request) -> dict[str, Any]:
        learner, n = self.table.learner, self.table.n
        return {
            "n": n,
            "points": None if n is not None else [int(x[0]) for x in listed(self.subject.text).instances],
            "start_weights": weights_of(learner, n),
            "forces": self.teacher.forces if isinstance(self.teacher, Adversary) else None,
            "target": None if isinstance(self.teacher, Adversary) else str(self.teacher.target),
            "relevant": self._relevant(),
            "command": self._command(),
            "python": self._python(),
        }

    def _relevant(self) -> list[int]:
        """The attributes of the target, from 1; nothing before an adversary has made up its mind."""
        if isinstance(self.teacher, Adversary) or self.table.n is None:
            return []
        return sorted(int(name) for name in self.teacher.target.attributes)

    def step(self, request: Request) -> dict[str, Any]:
        frames: list[dict[str, Any]] = []
        over = False
        for _ in range(request.whole("steps", 1, 100, 1)):
            if frames and not request.seconds_left:
                break  # what is there is an answer; the page asks for the rest
            played = self.table.ledger.trials if self.table.ledger else 0
            found = None if played >= MOST else self.table.trial()
            if found is None:
                over = True
                break
            frames.append(found)
        answer: dict[str, Any] = {"frames": frames, "over": over}
        if over and isinstance(self.teacher, Adversary):
            answer["target"] = str(self.teacher.target)
        return answer

    def _command(self) -> str:
        """The same game on the command line, where it has it."""
        learner, text = self.table.learner, self.subject.text
        more = f" --set n={learner.settings['n']}" if learner.settings.get("n") is not None else ""
        more += "".join(f" --assume {name}={value}" for name, value in self.table.facts.items())
        if self.kind == "adversary":
            who = "mistake-tree" if self.subject.small else "adversary"
            return f'mistakebound play --learner {learner.name}{more} --teacher {who} --class "{text}"'
        if self.table.n is None:
            return ""
        noise = f" --noise {self.noise:g}" if self.noise else ""
        return (
            f'mistakebound play --learner {learner.name}{more} --class "{text}" --target "{text}" --n {self.table.n} '
            f"--density {self.subject.density:g} --seed {self.teacher.seed} --trials {MOST}{noise}"
        )

    def _python(self) -> str:
        learner, text = self.table.learner, self.subject.text
        if self.kind == "adversary":
            who = "MistakeTreeAdversary" if self.subject.small else "adversary_for"
            teacher = f'mb.teachers.{who}("{text}")'
        elif self.table.n is None:
            return ""
        else:
            noise = f", noise={self.noise:g}" if self.noise else ""
            teacher = (
                f'mb.teachers.RandomTarget("{text}", n={self.table.n}, trials={MOST}, '
                f"density={self.subject.density:g}, seed={self.teacher.seed}{noise})"
            )
        facts = f", assume={self.table.facts!r}" if self.table.facts else ""
        return f"import mistakebound as mb\n\nprint(mb.play(mb.{_made(learner)}, {teacher}{facts}))\n"


def _made(learner: Any) -> str:
    """The expression that makes the learner anew."""
    return f"learners.{learner!r}"
