"""The lab's engine: JSON messages in, JSON messages out.  It knows nothing of the web."""

from __future__ import annotations

from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any

from mistakebound.core.errors import MistakeboundError, shown
from mistakebound.lab.request import Late, Request
from mistakebound.lab.session import Session, SessionTable
from mistakebound.theory.interval import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable

_SESSIONS = {  # view: module and class
    "watch": ("watch", "Watch"),
    "adversary": ("adversary_game", "AdversaryGame"),
    "learner": ("learner_game", "LearnerGame"),
    "race": ("race", "Race"),
    "versions": ("versions", "Versions"),
    "plane": ("plane", "Plane"),
    "net": ("net", "Net"),
    "tree": ("tree_game", "TreeGame"),
    "data": ("own_data", "OwnData"),
}
_SINGLE = {  # (view, message) that needs no session: module and function
    ("arena", "catalogue"): ("catalogue", "catalogue"),
    ("plane", "shatter"): ("shatter", "shatter"),
    ("tree", "prune"): ("pruning", "pruning"),
    ("bayes", "believe"): ("beliefs", "believe"),
    ("bayes", "mixture"): ("beliefs", "mixture"),
    ("exercises", "list"): ("exercises", "listed"),
    ("exercises", "check"): ("exercises", "check"),
}


class Engine:
    """Plays the games of the lab: `handle` takes a message and gives the answer, both plain JSON values.

    A message has `view` and `do`.  `start` opens a game and answers with `session`, which the next messages name.  An
    answer that has `error` says in one sentence why nothing was done; with `expired` the game has to be started again.

    Parameters
    ----------
    capacity : int, default 64
        Most games that are open at once; the one used longest ago goes.
    idle : float, default 3600.0
        Seconds after which a game that nobody asks for goes.
    seconds : float, default 10.0
        Seconds that one message may take.
    clock : function, default time.monotonic
        Gives the time in seconds.

    Examples
    --------
    >>> engine = Engine()
    >>> game = engine.handle({"view": "watch", "do": "start", "class": "monotone-disjunctions n=8 k=2", "seed": 1})
    >>> frame = engine.handle({"view": "watch", "do": "step", "session": game["session"], "steps": 1})["frames"][0]
    >>> frame["trial"], frame["label"], frame["bound"]
    (1, 0, 17)
    >>> engine.handle({"view": "watch", "do": "start", "class": "cows"})["error"][:15]
    'class must be o'
    """

    def __init__(
        self,
        capacity: int = 64,
        idle: float = 3600.0,
        seconds: float = 10.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._sessions = SessionTable(capacity, idle, clock)
        self._seconds = seconds

    def __len__(self) -> int:
        """How many games are open."""
        return len(self._sessions)

    def prepare(self) -> None:
        """Import what all views need, so that the first message of none has to wait for it."""
        for module, name in [*_SESSIONS.values(), *_SINGLE.values()]:
            _loaded(module, name)

    def handle(self, message: Any) -> dict[str, Any]:
        """Answer one message.

        Parameters
        ----------
        message : mapping
            `view`, `do`, for a game that is open `session`, and the fields of the message.

        Returns
        -------
        dict
            The answer; `error` where the message could not be answered.
        """
        if not isinstance(message, dict):
            return {"error": f"a message must be an object: {shown(message)}"}
        try:
            return self._answer(message)
        except (Late, OutOfTime):
            return {"error": f"this took longer than {self._seconds:g} seconds: choose something smaller", "late": True}
        except ModuleNotFoundError as error:  # in a browser's Python, say
            return {
                "error": f"this needs {error.name}, which is not here: the lab with a server (mistakebound lab) has it"
            }
        except MistakeboundError as error:
            return {"error": str(error)}

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        view, action = message.get("view"), message.get("do")
        if not isinstance(view, str) or not isinstance(action, str):
            return {"error": f"view and do must be texts: {shown(view)}, {shown(action)}"}
        if (view, action) in _SINGLE:
            answer_to = _loaded(*_SINGLE[view, action])
            return dict(answer_to(Request(message, self._seconds)))
        if view not in _SESSIONS:
            return {"error": f"there is no view {shown(view)} with a message {shown(action)}"}
        kind: type[Session] = _loaded(*_SESSIONS[view])  # what is imported now is not in the time of the message
        request = Request(message, self._seconds)
        if action == "start":
            session = kind(request)
            answer = session.opening(request)
            return answer | {"session": self._sessions.add(session)}
        found = self._sessions.find(message.get("session"))
        if not isinstance(found, kind):
            return {"error": "this game is no longer open: start it again", "expired": True}
        if action not in found.actions:
            return {"error": f"{view} has no message {shown(action)}"}
        with found.lock:
            return found.act(action, request)


def _loaded(module: str, name: str) -> Any:
    return getattr(import_module(f"mistakebound.lab.{module}"), name)
