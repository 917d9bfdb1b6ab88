"""Version space: examples one at a time, S and G, the lattice between them, and the best next question."""

from __future__ import annotations

from contextlib import suppress
from math import ceil, log2
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.core.errors import BadParameter, NoConsistentHypothesis, shown
from mistakebound.lab.session import Session
from mistakebound.learners.version_space.candidate_elimination import CandidateElimination
from mistakebound.report.lattice import Lattice

if TYPE_CHECKING:
    from mistakebound.lab.request import Request

SPACES: dict[str, dict[str, list[str]]] = {
    "day": {"sky": ["sunny", "rainy"], "wind": ["strong", "weak"], "water": ["warm", "cool"]},
    "dish": {"taste": ["sweet", "salty", "sour"], "heat": ["hot", "cold"]},
    "sport": {
        "Sky": ["Sunny", "Cloudy", "Rainy"], "AirTemp": ["Warm", "Cold"], "Humidity": ["Normal", "High"],
        "Wind": ["Strong", "Weak"], "Water": ["Warm", "Cool"], "Forecast": ["Same", "Change"],
    },
}  # fmt: skip
_MITCHELL = [
    ["Sunny", "Warm", "Normal", "Strong", "Warm", "Same", 1],
    ["Sunny", "Warm", "High", "Strong", "Warm", "Same", 1],
    ["Rainy", "Cold", "High", "Strong", "Warm", "Change", 0],
    ["Sunny", "Warm", "High", "Strong", "Cool", "Change", 1],
]
EXAMPLES: dict[str, list[list[Any]]] = {
    "day": [["sunny", "strong", "warm", 1], ["rainy", "strong", "warm", 0], ["sunny", "weak", "warm", 1]],
    "dish": [["sweet", "hot", 1], ["salty", "cold", 0]],
    "sport": _MITCHELL,
}
_MOST = 60  # examples
_LISTED = 40  # members of G


class Versions(Session):
    """Candidate elimination, example by example; `moves` are the values of an instance with its label behind them."""

    actions: ClassVar[tuple[str, ...]] = ("teach", "vote")

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.name = request.choice("space", SPACES, "day")
        self.attributes = SPACES[self.name]
        self.learner = CandidateElimination(self.attributes, labels=(0, 1))
        self.heard: list[tuple[str, ...]] = []

    def opening(self, request: Request) -> dict[str, Any]:
        first = self._now()
        steps = []
        for move in request.listed("moves", _MOST, []):
            request.check_time()
            steps.append(self._teach(move))
        return {
            "attributes": self.attributes,
            "examples": EXAMPLES[self.name],
            "start": first,
            "steps": steps,
            "questions": ceil(log2(int(first["size"]))),  # for the hardest target, at least
        }

    def _now(self) -> dict[str, Any]:
        """Boundaries, lattice and best question as they are."""
        space = self.learner.version_space
        if not space:
            return {"size": 0, "S": [], "G": [], "lattice": None, "question": None, "clash": str(space.collapsed_by)}
        lattice, asked = Lattice(space), space.best_query()
        general = [str(member) for member in space.G]
        return {
            "size": int(space.size),
            "S": [str(member) for member in space.S],
            "G": general[:_LISTED],
            "lattice": {
                "texts": lattice.texts,
                "kinds": lattice.kinds,
                "levels": lattice.levels,
                "edges": [list(edge) for edge in lattice.edges],
            },
            "question": None
            if asked is None
            else {"x": list(asked), "positive": int(asked.vote.positive), "total": int(asked.vote.total)},
            "clash": None,
        }

    def teach(self, request: Request) -> dict[str, Any]:
        if len(self.heard) >= _MOST:
            raise BadParameter(f"a version space is taught at most {_MOST} examples here: start again")
        return self._teach([*request.listed("x", 12), request.whole("label", 0, 1)])

    def _instance(self, values: list[Any]) -> tuple[str, ...]:
        if len(values) != len(self.attributes) or not all(
            value in known for value, known in zip(values, self.attributes.values(), strict=True)
        ):
            raise BadParameter(f"x must have a value of each of {', '.join(self.attributes)}: {shown(values)}")
        return tuple(values)

    def _teach(self, move: Any) -> dict[str, Any]:
        if not isinstance(move, list) or not move or move[-1] not in (0, 1):
            raise BadParameter("a move must be the values of an instance with a label 0 or 1 behind them")
        x, label = self._instance(move[:-1]), int(move[-1])
        if not self.learner.version_space:
            raise BadParameter("the version space is empty: take the last example back")
        vote = self._counted(x)
        with suppress(NoConsistentHypothesis):  # `clash` says which examples contradict each other
            self.learner.learn_one(x, label)
        self.heard.append(x)
        return {"x": list(x), "label": label, "vote": vote} | self._now()

    def vote(self, request: Request) -> dict[str, Any]:
        """What is said of an instance before its label is known."""
        x = self._instance(request.listed("x", 12))
        return {"x": list(x)} | self._counted(x)

    def _counted(self, x: tuple[str, ...]) -> dict[str, Any]:
        space = self.learner.version_space
        if not space:
            raise BadParameter("the version space is empty: take the last example back")
        found = space.vote(x)
        return {"positive": int(found.positive), "total": int(found.total), "answer": space.label(x)}
