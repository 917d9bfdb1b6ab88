"""What is checked (`Subject`), and the list of all checks (`CHECKS`).

A subject makes fresh learners with one choice of options, and knows what these learners can do.
"""

from __future__ import annotations

from itertools import product
from math import prod

from mistakebound.core.errors import BadParameter
from mistakebound.core.protocol import Learner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from mistakebound.core.params import Parameter

CHECKS: dict[str, Check] = {}
MOST = 1000  # combinations of options that are all tried


class Check:
    """A check: a function of a subject, the capabilities that it needs, and whether to run it once per class."""

    __slots__ = ("function", "name", "needs", "number", "once")

    def __init__(self, function: Callable[[Subject], None], needs: tuple[str, ...], once: bool) -> None:
        self.function = function
        self.number = len(CHECKS)
        self.name = function.__name__.removeprefix("check_")
        self.needs = frozenset(needs)
        self.once = once

    def __call__(self, subject: Subject) -> None:
        self.function(subject)

    def due(self, subject: Subject) -> bool:
        """Whether to run it on this subject; a check with `once` runs only on the first subject of a class.

        With most=1 half of the checks run on each other subject, in turn.
        """
        turn = subject.most > 1 or (subject.number + self.number) % 2 == 0
        return subject.first or (turn and not self.once)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.function.__doc__

    def __repr__(self) -> str:
        return f"<check {self.name}: {self.function.__doc__}>"


def check(*needs: str, once: bool = False) -> Callable[[Callable[[Subject], None]], Callable[[Subject], None]]:
    """Register a function as a check of all learners that have these capabilities."""

    def enter(function: Callable[[Subject], None]) -> Callable[[Subject], None]:
        entry = Check(function, needs, once)
        CHECKS[entry.name] = entry
        return function

    return enter


class Subject:
    """One learner class with one choice of options (or a factory, which has chosen already)."""

    def __init__(self, make: Callable[..., Any], settings: dict[str, Any], number: int = 0, most: int = 1) -> None:
        self._make = make
        self.most = most  # combinations of options of which all are tried
        self.settings = settings
        self.number = number  # of this choice among all, from 0
        self.sample = self.make()
        if not isinstance(self.sample, Learner):
            raise BadParameter(f"a learner must keep the contract of mistakebound.core.protocol: {self.sample!r}")
        self.capabilities = _capabilities(self.sample)

    def make(self, **more: Any) -> Any:
        """A fresh learner."""
        return self._make(**self.settings, **more)

    @property
    def first(self) -> bool:
        return self.number == 0

    @property
    def learner_class(self) -> type[Any]:
        return type(self.sample)

    @property
    def takes_options(self) -> bool:
        """Whether `make` is the class itself, so that labels and bad options can be given to it."""
        return isinstance(self._make, type)

    def __str__(self) -> str:
        return f"{self.learner_class.__name__}({', '.join(f'{k}={v!r}' for k, v in self.settings.items())})"


def _capabilities(learner: Learner) -> frozenset[str]:
    """What the learner takes, and its capabilities, in the words that `check` takes.

    "apart": it predicts trials by another function than its hypothesis (`Learner.trials_by`).  "pair": it has exactly
    two labels.
    """
    declared = {
        "online": learner.online,
        "batch": learner.batch,
        "scores": learner.scores,
        "probabilities": learner.probabilities,
        "binary": learner.binary,
        "named": learner.named,
        "exact": learner.exact,
        "pair": learner.labels is not None and not learner.many_classes,
        "n": learner.settings.get("n") is not None,
        "counts zeros": learner.counts_zeros,
        "apart": learner.trials_by != "predict_one",
    }
    return frozenset({learner.takes, *(word for word, holds in declared.items() if holds)})


def options(parameter: Parameter) -> list[Any]:
    """The values of one parameter that are tried: its grid, its words, its default."""
    values = list(parameter.grid)
    for value in (*parameter.words, parameter.default):
        if not any(value is known or (type(value) is type(known) and value == known) for known in values):
            values.append(value)
    return values


def choices(parameters: tuple[Parameter, ...], most: int) -> Iterator[tuple[Any, ...]]:
    """All combinations of the values to be tried; of more than `most` those that differ from the first in one place."""
    tried = [options(parameter) for parameter in parameters]
    if prod(map(len, tried)) <= most:
        yield from product(*tried)
        return
    usual = tuple(
        parameter.default if not parameter.required else tried[k][0] for k, parameter in enumerate(parameters)
    )
    yield usual
    for k, values in enumerate(tried):
        yield from ((*usual[:k], value, *usual[k + 1 :]) for value in values if value is not usual[k])


def subjects(learner: type[Any] | Callable[[], Any], most: int = MOST) -> Iterator[Subject]:
    """Every choice of declared options that the constructor accepts (see `choices`)."""
    if not (isinstance(learner, type) and issubclass(learner, Learner)):
        yield Subject(learner, {})
        return
    names = [parameter.name for parameter in learner.parameters]
    number = 0
    for values in choices(learner.parameters, most):
        settings = dict(zip(names, values, strict=True))
        try:
            learner(**settings)
        except BadParameter:
            continue  # not every combination makes sense: theta = n, say, without n
        yield Subject(learner, settings, number, most)
        number += 1
    if not number:
        raise BadParameter(f"parameters must have a grid with one valid combination: {learner.__name__}")
