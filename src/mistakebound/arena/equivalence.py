"""Mistake bounds and equivalence queries, each turned into the other (Littlestone 1988, General transformations)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from mistakebound.core.errors import BadData, BadParameter, NoConsistentHypothesis
from mistakebound.core.external import state_of
from mistakebound.core.labels import SureLabels
from mistakebound.core.ledger import new_ledger
from mistakebound.core.params import Parameter
from mistakebound.core.persistence import Independent
from mistakebound.core.protocol import OnlineLearner, adapted, trial_prediction
from mistakebound.core.theorem import Bound, Condition, Theorem
from mistakebound.core.weights import no_meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger


def _transformation(name: str, statement: str, assumes: str, need: str, more: int, *conditions: Condition) -> Theorem:
    """One that turns a number that is promised into another, by adding so many."""
    return Theorem(
        name, source="Littlestone 1988, General transformations", statement=statement, assumes=assumes, needs=(need,),
        conditions=conditions, formula=lambda f: f[need] + more,
    )  # fmt: skip


_MOST_QUESTIONS = "the query learner asks at most {questions} questions about the target"
FROM_MISTAKES = _transformation(
    "mistakes to queries", "questions <= M_A(f) + 1", "the learner makes at most {mistakes} mistakes on the target",
    "mistakes", 1,
)  # fmt: skip
FROM_QUERIES = _transformation(
    "queries to mistakes",
    "mistakes <= q - 1, q the most questions of the query learner, the one answered yes included",
    _MOST_QUESTIONS, "questions", -1,
    Condition("it asks about its last hypothesis too", ("asks_last",), lambda f: f["asks_last"]),
    Condition("q >= 1", ("questions",), lambda f: f["questions"] >= 1),
)  # fmt: skip
FROM_QUERIES_UNSURE = _transformation(
    "queries to mistakes, the last hypothesis not asked about", "mistakes <= q", _MOST_QUESTIONS, "questions", 0
)


class QueryLearner(Independent, ABC):
    """The contract of a learner from equivalence queries alone: it has a question, and is told a counterexample to it.

    A subclass writes `question`, the function that is asked about next, and `refuted(x, label)`, which hears a
    counterexample.  `bound(**facts)` may say how many questions there can be.

    References
    ----------
    Angluin 1988, Queries and concept learning.

    Examples
    --------
    >>> class Guess(QueryLearner):  # one of the functions "x is at least 0, 1, 2, ..."
    ...     least = 0
    ...
    ...     @property
    ...     def question(self):
    ...         return lambda x, least=self.least: int(x >= least)
    ...
    ...     def refuted(self, x, label):
    ...         self.least += 1
    >>> import mistakebound as mb
    >>> found = identify(Guess(), mb.teachers.EquivalenceOracle(lambda x: x >= 2, range(5)))
    >>> found.questions, found.counterexamples
    (3, [(0, 0), (1, 0)])
    """

    @property
    @abstractmethod
    def question(self) -> Callable[[Any], Any]:
        """The function that is asked about next."""

    @abstractmethod
    def refuted(self, x: Any, label: int) -> None:
        """The target is not the question: x has this label."""

    def bound(self, **facts: Any) -> Bound | None:
        """How many questions there can be, the last one answered yes included."""
        return None


class AsQueryLearner(QueryLearner):
    """Turns a mistake-bounded learner into a query learner: it asks about its current hypothesis.

    Parameters
    ----------
    learner : learner
        One of this package, or any object with predict_one and learn_one.  It learns.

    Notes
    -----
    Algorithm::

        repeat: ask "is the target the learner's current hypothesis?"
                yes: stop
                no, by the counterexample (x, y): the learner learns (x, y), which is a mistake of it

    Theorem.  questions <= M_A(f) + 1, M_A(f) the most mistakes of the learner on the target f.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, General transformations.

    Examples
    --------
    >>> import mistakebound as mb
    >>> C, target = mb.concepts.MonotoneDisjunctions(6), mb.concepts.parse("x2 | x5")
    >>> identify(AsQueryLearner(mb.Halving(C)), mb.teachers.EquivalenceOracle(target, C))
    <5 questions: x2 | x5; at most 7 allowed>
    """

    def __init__(self, learner: Any) -> None:
        self.learner = learner
        self._adapted = adapted(learner)
        self.ledger: Ledger = new_ledger(learner)

    @property
    def question(self) -> Callable[[Any], Any]:
        current: Callable[[Any], Any] = self._adapted.current
        return current

    def refuted(self, x: Any, label: int) -> None:
        _, prediction = trial_prediction(self._adapted, x)
        if (prediction == 1) == label:
            raise BadData(f"{x!r} is not a counterexample: its label {label} was predicted")
        try:
            self.learner.learn_one(x, label)
        except NoConsistentHypothesis as error:
            error.trial = self.ledger.trials + 1
            raise
        self.ledger.record(label, prediction)

    def _form(self) -> Any:
        """What the next questions depend on."""
        return state_of(self.learner)

    def bound(self, **facts: Any) -> Bound | None:
        """M_A(f) + 1 questions, by the learner's own bound."""
        bound: Bound | None = self._adapted.bound_since(self.ledger.start, facts)
        if bound is None or bound.value is None:
            return bound
        return Bound(bound.value + 1, FROM_MISTAKES, bound.facts, assumption=bound.assumption)


@dataclass(repr=False, eq=False)
class Identified:
    """What came of asking: the function that was confirmed, the questions it took, and how many there could be."""

    hypothesis: Any  # None where it was given up
    questions: int
    counterexamples: list[tuple[Any, int]]
    bound: Bound | None

    @property
    def within_bound(self) -> bool | None:
        """Whether there were as few questions as the theorem allows, or None without a theorem."""
        return None if self.bound is None or self.bound.value is None else self.bound.allows(self.questions)

    def __repr__(self) -> str:
        allowed = "" if self.bound is None or self.bound.value is None else f"; at most {self.bound.mistakes} allowed"
        questions = "1 question" if self.questions == 1 else f"{self.questions} questions"
        return f"<{questions}: {'given up' if self.hypothesis is None else self.hypothesis}{allowed}>"


def identify(learner: QueryLearner, oracle: Any, *, most: int = 1_000_000, **facts: Any) -> Identified:
    """Asks equivalence queries until the oracle says yes.

    Parameters
    ----------
    learner : QueryLearner
        Who asks.
    oracle : Oracle
        Who answers: `ask(function)` returns None, or a counterexample (x, label).
    most : int, default 1,000,000
        The most questions; >= 1.
    **facts
        Facts about the target, for the learner's bound.

    Returns
    -------
    Identified
        `hypothesis` (None: given up), `questions`, `counterexamples`, `bound` and `within_bound`.

    References
    ----------
    Angluin 1988, Queries and concept learning.

    Examples
    --------
    >>> import mistakebound as mb
    >>> C, target = mb.concepts.MonotoneDisjunctions(4), mb.concepts.parse("x1 | x3")
    >>> identify(AsQueryLearner(mb.Winnow1(n=4)), mb.teachers.EquivalenceOracle(target, C), k=2).within_bound
    True
    """
    if most < 1:
        raise BadParameter(f"most must be >= 1: {most}")
    bound = learner.bound(**facts)
    counterexamples: list[tuple[Any, int]] = []
    for asked in range(1, most + 1):
        question = learner.question
        answer = oracle.ask(question)
        if answer is None:
            return Identified(question, asked, counterexamples, bound)
        counterexamples.append(answer)
        learner.refuted(*answer)
    return Identified(None, most, counterexamples, bound)


class AsOnlineLearner(OnlineLearner):
    """Turns a query learner into an online learner: it predicts with the question, and a mistake is a counterexample.

    Parameters
    ----------
    learner : QueryLearner
        Who asks.
    questions : int or None, default None
        The most questions that the query learner asks; >= 0.  None: its own bound.
    asks_last : bool, default True
        Whether it asks about its last hypothesis too.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.

    Notes
    -----
    Algorithm::

        for each trial (x, y):
            predict question(x)
            if the prediction was wrong: the query learner hears the counterexample (x, y)

    Theorem.  If the query learner asks at most q questions, the one that is answered yes included, mistakes <= q - 1.
    Where it may halt without asking about its last hypothesis, mistakes <= q.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, General transformations.

    Examples
    --------
    >>> import mistakebound as mb
    >>> online = AsOnlineLearner(AsQueryLearner(mb.learners.DisjunctionElimination(6)))
    >>> online.bound().mistakes, online.learn_one([1, 1, 0, 0, 0, 0], 0), online.predict_one([1, 0, 0, 0, 0, 0])
    (6, 1, 0)
    """

    name = "as-online-learner"
    summary = "a learner from equivalence queries, playing trials"
    parameters = (
        Parameter("questions", "integer", None, at_least=0, optional=True, help="the most that the query learner asks"),
        Parameter("asks_last", "flag", True, help="whether it asks about its last hypothesis too"),
    )
    theorems = (FROM_QUERIES, FROM_QUERIES_UNSURE)
    assumable = {"questions": "maximum questions of the query learner"}  # noqa: RUF012 - a constant of the class

    def __init__(
        self, learner: QueryLearner, questions: int | None = None, asks_last: bool = True, labels: Any = None
    ) -> None:
        super().__init__(questions=questions, asks_last=asks_last)
        self.query_learner = learner
        self.labels = SureLabels(labels)
        self._question = learner.question

    @property
    def hypothesis(self) -> Callable[[Any], Any]:
        return self._question

    def facts(self) -> dict[str, Any]:
        known = super().facts()
        if "questions" not in known:
            bound = self.query_learner.bound()
            if bound is not None and bound.mistakes is not None:
                known["questions"] = bound.mistakes
        return known

    def _form(self) -> Any:
        return state_of(self.query_learner)

    def _code(self, x: Any) -> int:
        return int(self._question(x) == 1)

    def predict_one(self, x: Any, names: Sequence[str] | None = None) -> Any:
        return self.labels.name(self._code(x))

    def score_one(self, x: Any, names: Sequence[str] | None = None) -> float:
        return float(2 * self._code(x) - 1)

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Sequence[str] | None = None) -> Any:
        if weight != 1:
            raise BadParameter(no_meaning(self, weight))
        said, label = self._code(x), self.labels.code(y)
        if said != label:
            self.query_learner.refuted(x, label)
            self._question = self.query_learner.question
        return self.labels.name(said)
