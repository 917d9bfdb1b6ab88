"""mistakebound: learning online, one example at a time, with a proven limit on the number of mistakes.

Names are looked up when they are first used, so that importing the package costs nothing.

>>> import mistakebound as mb
>>> learner = mb.Winnow1(n=1000)
>>> learner.bound(k=5).mistakes
110
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.arena.passes import play_passes as play_passes
    from mistakebound.arena.play import play as play
    from mistakebound.learners import load as load
    from mistakebound.learners.linear.perceptron import Perceptron as Perceptron
    from mistakebound.learners.linear.winnow1 import Winnow1 as Winnow1
    from mistakebound.learners.linear.winnow2 import Winnow2 as Winnow2
    from mistakebound.learners.rules.conjunction_elimination import ConjunctionElimination as ConjunctionElimination
    from mistakebound.learners.rules.disjunction_elimination import DisjunctionElimination as DisjunctionElimination
    from mistakebound.report.drawing import draw_game as draw_game
    from mistakebound.report.drawing import draw_tree as draw_tree
    from mistakebound.report.explanation import explain_one as explain_one
    from mistakebound.theory.halving_worst_case import halving_worst_case as halving_worst_case
    from mistakebound.theory.lower_bounds import lower_bounds as lower_bounds
    from mistakebound.theory.opt import opt as opt
    from mistakebound.theory.queries import query_depth as query_depth
    from mistakebound.theory.teaching import teaching_dimension as teaching_dimension
    from mistakebound.theory.vc import dichotomies as dichotomies
    from mistakebound.theory.vc import shatters as shatters
    from mistakebound.theory.vc import vc_dimension as vc_dimension
    from mistakebound.theory.worst_case import worst_case as worst_case

__version__ = "0.1.0"

_HOMES = {
    "play": "mistakebound.arena.play",
    "play_passes": "mistakebound.arena.passes",
    "load": "mistakebound.learners",
    "load_model": "mistakebound.learners",
    "explain_one": "mistakebound.report.explanation",
    "Ledger": "mistakebound.core.ledger",
    "Theorem": "mistakebound.core.theorem",
    "Bound": "mistakebound.core.theorem",
    "Trial": "mistakebound.core.trial",
    "Teacher": "mistakebound.core.protocol",
    "MistakeboundError": "mistakebound.core.errors",
    "BadData": "mistakebound.core.errors",
    "BadModel": "mistakebound.core.errors",
    "BadParameter": "mistakebound.core.errors",
    "NoConsistentHypothesis": "mistakebound.core.errors",
    "Replay": "mistakebound.teachers.replay",
    "FileTeacher": "mistakebound.arena.file_teacher",
    "RandomTarget": "mistakebound.teachers.random_target",
    "dichotomies": "mistakebound.theory.vc",
    "draw_game": "mistakebound.report.drawing",
    "draw_tree": "mistakebound.report.drawing",
    "halving_worst_case": "mistakebound.theory.halving_worst_case",
    "lower_bounds": "mistakebound.theory.lower_bounds",
    "opt": "mistakebound.theory.opt",
    "query_depth": "mistakebound.theory.queries",
    "shatters": "mistakebound.theory.vc",
    "teaching_dimension": "mistakebound.theory.teaching",
    "vc_dimension": "mistakebound.theory.vc",
    "worst_case": "mistakebound.theory.worst_case",
}
_PACKAGES = ("concepts", "checks", "learners", "streams", "teachers", "theory")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name in _PACKAGES:
        value = import_module(f"mistakebound.{name}")
    else:
        value = _learner(name)
    globals()[name] = value
    return value


def _learner(name: str) -> Any:
    from mistakebound import learners

    for known in learners.names():
        if learners.class_name(known) == name:
            return learners.find(known)
    raise AttributeError(f"module 'mistakebound' has no attribute {name!r}")


def __dir__() -> list[str]:
    from mistakebound import learners

    return sorted([*globals(), *_HOMES, *_PACKAGES, *(learners.class_name(name) for name in learners.names())])
