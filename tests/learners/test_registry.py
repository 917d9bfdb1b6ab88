"""The table of learners has every class that is one."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

from mistakebound import learners
from mistakebound.core.protocol import Learner


def test_every_learner_is_a_line_of_the_table() -> None:
    found = set()
    for module in walk_packages(learners.__path__, f"{learners.__name__}."):
        for kind in vars(import_module(module.name)).values():
            if isinstance(kind, type) and issubclass(kind, Learner) and "name" in vars(kind):
                found.add(vars(kind)["name"])
    assert sorted(found) == learners.names() == sorted(learners.names())


def test_names_and_classes_agree() -> None:
    for name in learners.names():
        assert learners.find(name).name == name
        assert getattr(learners, learners.find(name).__name__) is learners.find(name)
