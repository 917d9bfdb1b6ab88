"""An interactive learner: it asks about the instance that splits what is left, until one concept is left."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.attribute_versions import AttributeVersionSpace
from mistakebound.concepts.finite import FiniteClass
from mistakebound.concepts.version_space import VersionSpace
from mistakebound.core.errors import BadParameter
from mistakebound.core.persistence import Independent
from mistakebound.theory.queries import query_depth

if TYPE_CHECKING:
    from mistakebound.concepts.version_space import Query
    from mistakebound.theory.queries import QueryDepth

_MEMBERS, _INSTANCES = 1024, 1024  # of a version space whose fewest questions are worked out


class InteractiveLearner(Independent):
    """A learner that asks: about the instance that splits the version space best, until one hypothesis is left.

    Parameters
    ----------
    learner : learner
        One that keeps a version space (CandidateElimination, ListThenEliminate).  A copy of it learns.

    Notes
    -----
    Algorithm::

        while `question` is not None:        (the instance on which the votes are nearest to a half)
            call `answer(1)`, `answer(0)`, or `answer(None)` for "I don't know"
        `found` is the hypothesis that is left, if it is only one

    `take_back` forgets the last answer.  `at_least` is ceil(log2) of the number of hypotheses at the start: no way of
    asking finds every target with fewer questions in the worst case.

    References
    ----------
    Mitchell 1997, Machine Learning, section 2.6.2.

    Examples
    --------
    >>> import mistakebound as mb
    >>> H = mb.concepts.AttributeConjunctions({"sky": ["sunny", "rainy"], "wind": ["strong", "weak"]})
    >>> target, session = H.parse("<sunny, ?>"), InteractiveLearner(mb.learners.ListThenEliminate(H))
    >>> while (x := session.question) is not None:
    ...     session.answer(target(x))
    >>> print(*session.space, len(session.asked), session.at_least)
    <sunny, ?> 3 4
    """

    def __init__(self, learner: Any) -> None:
        self.learner = learner.copy()
        self.started: VersionSpace = self.learner.version_space
        self.asked: list[tuple[Query, int | None]] = []
        self._before: list[tuple[Any, Query | None]] = []
        self.question: Query | None = self._next()

    @property
    def space(self) -> VersionSpace:
        """What is left."""
        space: VersionSpace = self.learner.version_space
        return space

    @property
    def at_least(self) -> int:
        """No way of asking finds every target with fewer questions: the log2 of the hypotheses at the start."""
        return (self.started.size.lower - 1).bit_length()

    @property
    def found(self) -> Any:
        """The one hypothesis that is left, or None."""
        return next(iter(self.space)) if self.space.size == 1 else None

    @property
    def answered(self) -> int:
        """Questions that were answered yes or no."""
        return sum(answer is not None for _, answer in self.asked)

    def _next(self) -> Query | None:
        return self.space.best_query([query for query, answer in self.asked if answer is None])

    def answer(self, label: int | None) -> None:
        """1 or 0; None for "I don't know": then another question is looked for."""
        if self.question is None:
            raise BadParameter("no question is left to answer")
        self._before.append((self.learner, self.question))
        if label is not None:
            self.learner = self.learner.copy()
            self.learner.learn_one(_instance(self.question), self.learner.labels.values[label])
        self.asked.append((self.question, label))
        self.question = self._next()

    def take_back(self) -> bool:
        """Forget the last answer, and ask again; False if there was no answer yet."""
        if not self._before:
            return False
        self.learner, self.question = self._before.pop()
        self.asked.pop()
        return True


def _instance(query: Query) -> Any:
    return tuple(query)


def fewest_questions(space: VersionSpace, timeout: float | None = None) -> QueryDepth | None:
    """The exact number of questions that the best way of asking needs, in the worst case, to leave one hypothesis.

    Parameters
    ----------
    space : VersionSpace
        What the hypotheses are; at most 1,024.
    timeout : float or None, default None
        Seconds, >= 0.  None: as long as it takes.

    Returns
    -------
    QueryDepth or None
        As of `query_depth`; None where the space is too large for that.

    References
    ----------
    Angluin 1988, Queries and concept learning (membership queries).

    Examples
    --------
    >>> import mistakebound as mb
    >>> H = mb.concepts.AttributeConjunctions({"sky": ["sunny", "rainy"], "wind": ["strong", "weak"]})
    >>> fewest_questions(mb.learners.ListThenEliminate(H).version_space).value
    4
    """
    if not isinstance(space, VersionSpace):
        raise BadParameter(f"space must be a version space (query_depth takes a class): {space!r}")
    if not space.size.exact or not 0 < int(space.size) <= _MEMBERS:
        return None
    instances = list(islice(_telling_instances(space), _INSTANCES + 1))
    if len(instances) > _INSTANCES:
        return None
    return query_depth(FiniteClass(list(space), instances), timeout)


def _telling_instances(space: Any) -> Any:
    """Instances of every kind that the members can tell apart."""
    if not isinstance(space, AttributeVersionSpace):
        return space.space.domain() if hasattr(space, "space") else space.domain()
    attributes, own = space.space, space.specific.codes or ()
    choices = [
        (values[:1] if code < 0 else (values[code], values[int(code == 0)]))
        for values, code in zip(attributes.values, own, strict=True)
    ]
    return product(*choices)
