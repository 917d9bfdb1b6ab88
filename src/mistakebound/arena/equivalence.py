"""Mistake bounds and equivalence queries, each turned into the other (L, General transformations; rows Q1 and Q2)."""

from __future__ import annotations

from abc import ABC, abstractmethod

from mistakebound.arena.play import new_ledger
from mistakebound.core.copying import Independent
from mistakebound.core.errors import BadData, BadParameter, NoConsistentHypothesis
from mistakebound.core.external import adapted, state_of
from mistakebound.core.importance import no_meaning
from mistakebound.core.labels import SureLabels
from mistakebound.core.params import Parameter
from mistakebound.core.protocol import OnlineLearner, trial_prediction
from mistakebound.core.theorem import Bound, Condition, Theorem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger


FROM_MISTAKES = Theorem(
    "mistakes to queries",
    source="Littlestone 1988, General transformations",
    statement="questions <= M_A(f) + 1",
    assumes="the learner makes at most {mistakes} mistakes on the target",
    needs=("mistakes",),
    formula=lambda f: f["mistakes"] + 1,
)


class QueryLearner(Independent, ABC):
    """Learns from equivalence queries alone: it has a question, and is told a counterexample to it."""

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
    """Q1: a mistake-bounded learner asks about its current hypothesis; each counterexample is a mistake of it.

    >>> import mistakebound as mb
    >>> C, target = mb.concepts.MonotoneDisjunctions(6), mb.concepts.parse("x2 | x5")
    >>> identify(AsQueryLearner(mb.Halving(C)), mb.EquivalenceOracle(target, C))
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
            raise BadData(f"a counterexample must be one: {x!r} was predicted to have the label {label}")
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


class Identified:
    """What came of asking: the function that was confirmed, the questions it took, and how many there could be."""

    def __init__(
        self, hypothesis: Any, questions: int, counterexamples: list[tuple[Any, int]], bound: Bound | None
    ) -> None:
        self.hypothesis = hypothesis  # None where it was given up
        self.questions = questions
        self.counterexamples = counterexamples
        self.bound = bound

    @property
    def within_bound(self) -> bool | None:
        """Whether there were as few questions as the theorem allows; None where there is none."""
        return None if self.bound is None or self.bound.value is None else self.bound.allows(self.questions)

    def __repr__(self) -> str:
        allowed = "" if self.bound is None or self.bound.value is None else f"; at most {self.bound.mistakes} allowed"
        questions = "1 question" if self.questions == 1 else f"{self.questions} questions"
        return f"<{questions}: {'given up' if self.hypothesis is None else self.hypothesis}{allowed}>"


def identify(learner: QueryLearner, oracle: Any, *, most: int = 1_000_000, **facts: Any) -> Identified:
    """Ask until the oracle says yes, `most` questions at most; `facts` about the target are for the bound."""
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


FROM_QUERIES = Theorem(
    "queries to mistakes",
    source="Littlestone 1988, General transformations",
    statement="mistakes <= q - 1, q the most questions of the query learner, the one answered yes included",
    assumes="the query learner asks at most {questions} questions about the target",
    needs=("questions",),
    conditions=(
        Condition("it asks about its last hypothesis too", ("asks_last",), lambda f: f["asks_last"]),
        Condition("q >= 1", ("questions",), lambda f: f["questions"] >= 1),
    ),
    formula=lambda f: f["questions"] - 1,
)
FROM_QUERIES_UNSURE = Theorem(
    "queries to mistakes, the last hypothesis not asked about",
    source="Littlestone 1988, General transformations",
    statement="mistakes <= q",
    assumes="the query learner asks at most {questions} questions about the target",
    needs=("questions",),
    formula=lambda f: f["questions"],
)


class AsOnlineLearner(OnlineLearner):
    """Q2: predicts with the query learner's question; a mistake is a counterexample to it.

    `questions` is the most that the query learner can ask (its own bound, unless told); asks_last=False where it may
    halt without asking about its last hypothesis.

    >>> import mistakebound as mb
    >>> online = AsOnlineLearner(AsQueryLearner(mb.DisjunctionElimination(6)))
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
    assumable = {"questions": "questions of the query learner, at most"}  # noqa: RUF012 - a constant of the class

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
            raise BadParameter(no_meaning(self.name, weight))
        said, label = self._code(x), self.labels.code(y)
        if said != label:
            self.query_learner.refuted(x, label)
            self._question = self.query_learner.question
        return self.labels.name(said)
