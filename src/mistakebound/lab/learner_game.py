"""Arena, "be the learner": you predict, and an adversary who plays as well as can be answers.

Of the concepts that are left it shows an instance at the root of a largest mistake tree, and its label is never yours.
K of what is left (Littlestone's dimension) says how many mistakes it can still force.  Who predicts the label with the
larger K, as the standard optimal algorithm does, makes opt(C) mistakes in all; every other answer may cost one more.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.core.errors import BadParameter
from mistakebound.lab.catalogue import listed, small_subject_of, width
from mistakebound.lab.frames import instance_list
from mistakebound.lab.session import Session
from mistakebound.learners.finite.standard_optimal import k_of

if TYPE_CHECKING:
    from mistakebound.lab.request import Request

_MOST = 64  # predictions


class LearnerGame(Session):
    """You against the optimal adversary; `moves` are your predictions."""

    actions: ClassVar[tuple[str, ...]] = ("predict",)

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.subject = small_subject_of(request)
        self.finite = listed(self.subject.text)
        self.n = width(self.subject.text)
        self._k = k_of(self.finite)
        self._random = random.Random(request.whole("seed", 0, 999_999, 1))
        self.alive = self.finite.everyone
        self.opt = self._k(self.alive)
        self.path: list[dict[str, Any]] = []
        self.question = self._choose()

    def opening(self, request: Request) -> dict[str, Any]:
        for prediction in request.listed("moves", _MOST, []):
            request.check_time()
            if self.question is None:
                break
            self._answer(prediction)
        return {
            "n": self.n,
            "points": None if self.n is not None else [int(x[0]) for x in self.finite.instances],
            "concepts": [str(concept) for concept in self.finite.concepts],
            "opt": self.opt,
        } | self._standing()

    def _after(self, place: int) -> tuple[int, int]:
        return (
            self._k(self.finite.consistent(self.alive, place, 0)),
            self._k(self.finite.consistent(self.alive, place, 1)),
        )

    def _choose(self) -> int | None:
        """An instance after which one mistake less can be forced whatever is said; best one where an answer is bad."""
        still = self._k(self.alive)
        if still <= 0:
            return None
        forcing = []
        for place in range(len(self.finite.instances)):
            after = self._after(place)
            if min(after) == still - 1:
                forcing.append((max(after) > still - 1, place))
        tempting = [place for bad, place in forcing if bad] or [place for _, place in forcing]
        return tempting[self._random.randrange(len(tempting))]

    def predict(self, request: Request) -> dict[str, Any]:
        if self.question is None:
            raise BadParameter("the game is over: only one concept is left")
        if len(self.path) >= _MOST:
            raise BadParameter(f"a game has at most {_MOST} predictions: start again")
        self._answer(request.whole("prediction", 0, 1))
        return self._standing()

    def _answer(self, prediction: Any) -> None:
        if prediction not in (0, 1) or self.question is None:
            raise BadParameter(f"prediction must be 0 or 1: {prediction!r}")
        place, after, before = self.question, self._after(self.question), self._k(self.alive)
        label = 1 - int(prediction)
        best = int(after[1] > after[0])  # as the standard optimal algorithm predicts
        self.alive = self.finite.consistent(self.alive, place, label)
        self.path.append(
            {
                "x": instance_list(self.finite.instances[place], self.n),
                "prediction": int(prediction),
                "label": label,
                "after": list(after),  # K of what either label leaves
                "best": best,
                "cost": after[label] - (before - 1),  # mistakes that a better prediction would have saved
                "left": self.alive.bit_count(),
            }
        )
        self.question = self._choose()

    def _standing(self) -> dict[str, Any]:
        question = None
        if self.question is not None:
            split = [self.finite.consistent(self.alive, self.question, label).bit_count() for label in (0, 1)]
            question = {"x": instance_list(self.finite.instances[self.question], self.n), "left": split}
        alive = [c for c in range(len(self.finite)) if self.alive >> c & 1]
        return {
            "path": self.path,
            "question": question,
            "mistakes": len(self.path),
            "still": self._k(self.alive),
            "alive": alive,
            "target": str(self.finite.concepts[alive[0]]) if self.question is None else None,
        }
