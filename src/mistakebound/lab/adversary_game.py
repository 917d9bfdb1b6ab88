"""Arena, "be the adversary": you choose instances and labels; a label that fits no concept of the class is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.core.errors import BadParameter
from mistakebound.core.protocol import Teacher, Trial
from mistakebound.lab.catalogue import class_of, facts_of, listed, make_learner, small_subject_of, width
from mistakebound.lab.frames import Table, instance_list, read_instance, weights_of
from mistakebound.lab.session import Session
from mistakebound.learners.finite.standard_optimal import k_of

if TYPE_CHECKING:
    from mistakebound.lab.request import Request

_MOST = 100  # trials


class Told(Teacher):
    """Shows what it was given last."""

    codes = True

    def __init__(self) -> None:
        self.next: tuple[Any, int] | None = None

    def next_trial(self) -> Trial | None:
        return None if self.next is None else Trial(self.next[0])

    def label(self, trial: Trial, prediction: Any) -> int:
        assert self.next is not None
        return self.next[1]


class AdversaryGame(Session):
    """You against a learner: force as many mistakes as you can without a contradiction."""

    actions: ClassVar[tuple[str, ...]] = ("peek", "say")

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.subject = small_subject_of(request)
        self.finite = listed(self.subject.text)
        learner = make_learner(request.choice("learner", self.subject.learners, self.subject.learners[0]), self.subject)
        concepts = class_of(self.subject.text)
        self.teacher = Told()
        self.table = Table(learner, self.teacher, facts_of(learner, concepts), width(self.subject.text))
        self.alive = self.finite.everyone
        self.said: list[tuple[Any, int]] = []

    def opening(self, request: Request) -> dict[str, Any]:
        moves = [self._play(move) for move in request.listed("moves", _MOST, [])]
        n = self.table.n
        return {
            "n": n,
            "points": None if n is not None else [int(x[0]) for x in self.finite.instances],
            "concepts": [str(concept) for concept in self.finite.concepts],
            "start_weights": weights_of(self.table.learner, n),
            "opt": k_of(self.finite)(self.finite.everyone),
            "frames": moves,
        } | self._standing()

    def _standing(self) -> dict[str, Any]:
        return {
            "alive": [c for c in range(len(self.finite)) if self.alive >> c & 1],
            "still": k_of(self.finite)(self.alive),
        }

    def peek(self, request: Request) -> dict[str, Any]:
        """What the learner would say, and how many concepts either label would leave."""
        x = read_instance(request.value("x"), self.finite.instances)
        place = self.finite.position(x)
        left = [self.finite.consistent(self.alive, place, label) for label in (0, 1)]
        best = k_of(self.finite)
        return {
            "x": instance_list(x, self.table.n),
            "prediction": self.table.learner.predict_one(x),
            "left": [members.bit_count() for members in left],
            "still": [best(members) for members in left],
        }

    def say(self, request: Request) -> dict[str, Any]:
        move = [*(request.value("x") or []), request.whole("label", 0, 1)]
        if len(self.said) >= _MOST:
            raise BadParameter(f"a game has at most {_MOST} trials: start again")
        return {"frame": self._play(move)} | self._standing()

    def _play(self, move: Any) -> dict[str, Any]:
        """A move is the instance and the label in one list."""
        if not isinstance(move, list) or not move or move[-1] not in (0, 1):
            raise BadParameter("a move must be an instance with a label 0 or 1 behind it")
        x, label = read_instance(move[:-1], self.finite.instances), int(move[-1])
        left = self.finite.consistent(self.alive, self.finite.position(x), label)
        if not left:
            so_far = f" and with your {len(self.said)} earlier label{'s' * (len(self.said) != 1)}" if self.said else ""
            raise BadParameter(f"label {label} would be a lie: no concept of the class agrees with it{so_far}")
        self.teacher.next = x, label
        found = self.table.trial()
        assert found is not None
        self.alive = left
        self.said.append((x, label))
        return found
