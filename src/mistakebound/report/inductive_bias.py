"""Inductive bias made visible: what four learners answer, and what they refuse, after the same examples.

Rote learning and the unbiased learner assume nothing, candidate elimination that the target is a conjunction, Find-S
that and that everything is negative unless the opposite follows.
"""

from __future__ import annotations

from copy import copy
from itertools import islice
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.counts import Count, Vote, number_as_json
from mistakebound.core.errors import NoConsistentHypothesis
from mistakebound.learners.version_space.candidate_elimination import CandidateElimination
from mistakebound.learners.version_space.find_s import FindS
from mistakebound.learners.version_space.rote_learner import RoteLearner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mistakebound.concepts.attributes import AttributeConjunctions

MOST = 1 << 14  # instances that are all asked
_BITS = 4096  # of a number of functions that is worked out,
_LONG = 10**6  # and of one that is written as a power of two
_LOOKED_AT = 512  # instances that are looked through for telling ones
_STEPS = 1 << 15  # of a count for one of them
_UNCOUNTED = 20  # of them whose votes may turn out not to be countable
LEARNERS = {
    "rote learner": "nothing",
    "unbiased": "nothing: any set of instances may be the target",
    "candidate elimination": "the target is a conjunction",
    "Find-S": "the same, and all is negative that need not be positive",
}


class Answer:
    """What one learner says of an instance: `label` is None where it refuses, `vote` where it counts hypotheses.

    `functions` is the number of instances on whose functions the unbiased learner votes: it has 2^functions of them,
    and half say 1.  Their vote is a `Vote` too, unless these numbers are too long for anyone.
    """

    __slots__ = ("functions", "label", "vote")

    def __init__(self, label: int | None, vote: Vote | None = None, functions: int | None = None) -> None:
        self.label = label
        self.vote = vote
        self.functions = functions
        if functions is not None and functions <= _BITS:
            half, everyone = 1 << functions >> 1, 1 << functions
            self.vote = Vote(Count(half, half), Count(everyone, everyone))

    def __str__(self) -> str:
        if self.label is not None:
            return "positive" if self.label else "negative"
        if self.vote is not None:
            return f"? {self.vote}"
        if self.functions is None:
            return "?"
        return f"? 2^{self.functions - 1} of 2^{self.functions}" if self.functions < _LONG else "? half of them"

    def vote_as_json(self) -> Any:
        if self.vote is not None:
            return [self.vote.positive.as_json(), self.vote.total.as_json()]
        if self.functions is None:
            return None
        return [{"log2": number_as_json(exponent)} for exponent in (self.functions - 1, self.functions)]


class InductiveBias:
    """Inductive bias made visible: four learners, taught the same examples, and what each answers or refuses.

    The learners are the rote learner, the unbiased one (all functions), candidate elimination and Find-S.

    Parameters
    ----------
    space : AttributeConjunctions
        The attributes with their values.
    examples : iterable of (x, label)
        Labels are 0 and 1.

    References
    ----------
    Mitchell 1997, Machine Learning, section 2.7.

    Examples
    --------
    >>> from mistakebound.concepts import AttributeConjunctions
    >>> space = AttributeConjunctions({"sky": ["sunny", "rainy"], "wind": ["strong", "weak"]})
    >>> bias = InductiveBias(space, [(["sunny", "strong"], 1), (["rainy", "strong"], 0)])
    >>> {name: str(answer) for name, answer in bias.answers(["sunny", "weak"]).items()}
    {'rote learner': '?', 'unbiased': '? 2 of 4', 'candidate elimination': '? 1 of 2', 'Find-S': 'negative'}
    >>> bias.answered()
    {'rote learner': 2, 'unbiased': 2, 'candidate elimination': 3, 'Find-S': 4}
    """

    def __init__(self, space: AttributeConjunctions, examples: Iterable[tuple[Any, int]]) -> None:
        self.space = space
        attributes = dict(zip(space.names, space.values, strict=True))
        self._rote, self._find_s = RoteLearner(attributes, labels=(0, 1)), FindS(attributes, labels=(0, 1))
        self._candidates = CandidateElimination(attributes, labels=(0, 1))
        self.contradiction: str | None = None
        self._two_labels = False  # one instance had both labels: no function is left at all
        for x, label in examples:
            self._find_s.learn_one(x, label)
            try:
                if self.contradiction is None:
                    self._candidates.learn_one(x, label)
            except NoConsistentHypothesis as error:
                self.contradiction = str(error)
            try:
                self._rote.learn_one(x, label)
            except NoConsistentHypothesis:
                self._two_labels = True

    @property
    def examples(self) -> int:
        """Different instances among the examples."""
        return self._rote.seen

    def answers(self, x: Any) -> dict[str, Answer]:
        known = self._rote.predict_one(x)
        # Every function on the instances that were not seen is left: half of them say 1, whatever the instance.
        unseen = self.space.domain_size() - self._rote.seen
        found = {"rote learner": Answer(known), "unbiased": Answer(known, functions=unseen if known is None else None)}
        if self._two_labels:
            found["unbiased"] = Answer(None)
        if self.contradiction is None:
            said = self._candidates.version_space.classify(x)
            found["candidate elimination"] = Answer(said.label, said.vote if said.label is None else None)
        else:
            found["candidate elimination"] = Answer(None)
        return found | {"Find-S": Answer(self._find_s.predict_one(x))}

    def answered(self) -> dict[str, int | None]:
        """How many instances each learner answers; None where too many would have to be asked."""
        size = self.space.domain_size()
        certain: int | None = None
        if self.contradiction is not None:
            certain = 0
        elif size <= MOST:
            version_space = self._candidates.version_space
            certain = sum(version_space.label(x) is not None for x in self.space.domain())
        counts = (self._rote.seen, 0 if self._two_labels else self._rote.seen, certain, size)
        return dict(zip(LEARNERS, counts, strict=True))

    def telling(self, most: int = 6) -> list[Sequence[str]]:
        """Instances that were not seen, in their order: the first of each kind, which is its label or its vote."""
        if self.contradiction is not None:
            return []
        kinds: dict[str, Sequence[str]] = {}
        version_space = copy(self._candidates.version_space)
        version_space.steps = _STEPS
        uncounted = 0
        for x in islice(self.space.domain(), _LOOKED_AT):
            if self._rote.predict_one(x) is None:
                said = version_space.classify(x)
                vote = said.vote if said.label is None else None
                kinds.setdefault(str(said if vote is None else vote), x)
                uncounted += vote is not None and not vote.exact
                if len(kinds) == most or uncounted == _UNCOUNTED:
                    break
        return list(kinds.values())
