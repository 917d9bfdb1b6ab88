"""Who answers queries about a target: is this it?  What is the label of that?  (Angluin 1988)

An oracle has one method, `ask`.  `CountingOracle` and `CachingOracle` wrap any of them.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mistakebound.concepts.concept import ConceptClass
from mistakebound.core.errors import BadParameter
from mistakebound.core.fields import plain_values
from mistakebound.core.persistence import Independent

_MOST = 1 << 20  # instances that are looked through for a counterexample
CHOICES = ("first", "last", "random")


def _parsed(target: Any) -> Any:
    """A target that is a text as the function it means; hunts, which have none, do not wait for the import."""
    if not isinstance(target, str):
        return target
    from mistakebound.concepts.formula import parse

    return parse(target)


class Oracle(Independent, ABC):
    """Answers one kind of question."""

    @abstractmethod
    def ask(self, question: Any) -> Any:
        """The answer."""


class EquivalenceOracle(Oracle):
    """Answers equivalence queries: is the target this function?

    `ask(function)` returns None for yes, otherwise a counterexample (x, label), with the target's label.

    Parameters
    ----------
    target : function or str
        The target, a function of an instance to 0 and 1, or the text of a concept.
    instances : ConceptClass or iterable
        The instances on which functions are compared: those of a class (at most 2^20), or those given.
    choose : {"first", "last", "random"}, default "first"
        Which counterexample is told.
    seed : int, default 0
        Seed of the draws, with choose="random".

    References
    ----------
    Angluin 1988, Queries and concept learning.  Littlestone 1988, General transformations.

    Examples
    --------
    >>> from mistakebound.concepts import MonotoneDisjunctions, parse
    >>> oracle = EquivalenceOracle(parse("x1 | x3"), MonotoneDisjunctions(3))
    >>> oracle.ask(parse("x1")), oracle.ask(parse("x3 | x1"))
    (((0, 0, 1), 1), None)
    """

    def __init__(
        self,
        target: Callable[[Any], Any] | str,
        instances: ConceptClass | Iterable[Any],
        *,
        choose: str = "first",
        seed: int = 0,
    ) -> None:
        if choose not in CHOICES:
            raise BadParameter(f"choose must be {', '.join(map(repr, CHOICES[:-1]))} or {CHOICES[-1]!r}: {choose!r}")
        if isinstance(instances, ConceptClass):
            if instances.domain_size() > _MOST:
                raise BadParameter(f"the class must have at most {_MOST} instances: {instances.domain_size()}")
            instances = instances.domain()
        function = _parsed(target)
        self._truth = [(x, int(function(x))) for x in instances]
        if choose == "last":
            self._truth.reverse()
        self.target = function
        self._choose = choose
        self._random = random.Random(seed)

    def ask(self, question: Callable[[Any], Any]) -> tuple[Any, int] | None:
        wrong = ((x, label) for x, label in self._truth if (question(x) == 1) != label)
        if self._choose == "random":
            found = list(wrong)
            return self._random.choice(found) if found else None
        return next(wrong, None)


class MembershipOracle(Oracle):
    """Answers membership queries: `ask(x)` returns the label of an instance.

    Parameters
    ----------
    target : function or str
        The target, a function of an instance to 0 and 1, or the text of a concept.

    References
    ----------
    Angluin 1988, Queries and concept learning.

    Examples
    --------
    >>> from mistakebound.concepts import parse
    >>> MembershipOracle(parse("x1 | x3")).ask((0, 0, 1))
    1
    """

    def __init__(self, target: Callable[[Any], Any] | str) -> None:
        self.target = _parsed(target)

    def ask(self, question: Any) -> int:
        return int(self.target(question))


class CountingOracle(Oracle):
    """Counts the questions that reach an oracle, as `questions`.

    Parameters
    ----------
    oracle : Oracle
        Who answers.

    Examples
    --------
    >>> from mistakebound.concepts import parse
    >>> counting = CountingOracle(MembershipOracle(parse("x1")))
    >>> cached = CachingOracle(counting)
    >>> [cached.ask(x) for x in ((1, 0), (0, 1), (1, 0))], counting.questions, cached.saved
    ([1, 0, 1], 2, 1)
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.questions = 0

    def ask(self, question: Any) -> Any:
        self.questions += 1
        return self.oracle.ask(question)


class CachingOracle(Oracle):
    """Answers from memory what was asked before; `saved` counts these questions.

    Two questions are the same if they are the same function by its form, or the same instance by its values.

    Parameters
    ----------
    oracle : Oracle
        Who answers what was not asked before.

    Examples
    --------
    >>> from mistakebound.concepts import parse
    >>> cached = CachingOracle(MembershipOracle(parse("x1")))
    >>> [cached.ask(x) for x in ((1, 0), [1, 0], (0, 1))], cached.saved
    ([1, 1, 0], 1)
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.saved = 0  # questions that did not reach the oracle
        self._known: dict[Any, Any] = {}

    def ask(self, question: Any) -> Any:
        key = _key(question)
        if key in self._known:
            self.saved += 1
        else:
            self._known[key] = self.oracle.ask(question)
        return self._known[key]


def _key(question: Any) -> Any:
    """A question as something that can be remembered."""
    if isinstance(question, Mapping):
        return frozenset(question.items())
    question = plain_values(question)
    if isinstance(question, (list, set)):
        return tuple(question) if isinstance(question, list) else frozenset(question)
    return question
