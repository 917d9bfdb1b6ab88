"""M_A(C): the most mistakes that a learner can be made to make on a class, by searching its states.

A deterministic learner on finitely many instances is a machine: a state and a labelled instance give the next state,
and a mistake or none. For each target the machine is searched from where the learner stands. Mistakes without end
are a cycle with a mistake in it; without one, the most mistakes are the longest way through the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.bits import ones as each_one
from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.formula import parse
from mistakebound.core.errors import BadParameter, NoConsistentHypothesis
from mistakebound.core.external import given_learner, state_of
from mistakebound.core.protocol import adapted, trial_prediction
from mistakebound.theory.longest_path import Edge, longest_path

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

LIMIT = 100_000  # states of a learner that are gone through


@dataclass(frozen=True)
class WorstCase:
    """M_A(C) with a target and a sequence of instances that force it.

    `value` is -1 for the empty class, math.inf where mistakes never end (then `cycle` holds instances that, after the
    sequence, can be shown again and again, with a mistake each time round), and None past the limit on states.
    `by_target` has the value of each concept of the class, in its order; `states` says how many states were met.
    """

    value: float | None
    target: Any
    sequence: tuple[Any, ...]
    cycle: tuple[Any, ...]
    by_target: tuple[float, ...]
    states: int
    learner: Any = field(repr=False, compare=False)
    finite: FiniteClass = field(repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether the worst case is known."""
        return self.value is not None

    def verify(self, rounds: int = 3) -> bool:
        """Play the sequence (and the cycle, so many rounds) against a copy of the learner, and count."""
        if self.value is None or self.value < 0:
            return not self.sequence
        learner = adapted(self.learner).copy()
        c = self.finite.concepts.index(self.target)
        mistakes = self._play(learner, self.sequence, c)
        if self.value != inf:
            return mistakes == self.value
        each = [self._play(learner, self.cycle, c) for _ in range(rounds)]
        return all(each)

    def _play(self, learner: Any, instances: Iterable[Any], c: int) -> int:
        mistakes = 0
        for x in instances:
            label = self.finite.label(c, self.finite.position(x))
            mistakes += trial_prediction(learner, x)[1] != label
            with suppress(NoConsistentHypothesis):  # such a trial counts, and changes nothing
                learner.learn_one(x, label)
        return mistakes


def worst_case(
    learner: Any,
    concept_class: ConceptClass | str,
    *,
    targets: Iterable[Any] | None = None,
    state: Callable[[Any], Hashable] | None = None,
    limit: int = LIMIT,
) -> WorstCase:
    """M_A(C): the most mistakes that a learner can be made to make on a finite class, by going through all its states.

    Parameters
    ----------
    learner : object
        With `predict_one(x)` and `learn_one(x, label)`; deterministic.  It is left as it is: copies are made by its
        `copy()`, or else by copy.deepcopy.
    concept_class : ConceptClass or str
        A finite class, or its text.
    targets : iterable or None, default None
        The targets that are tried.  None: all concepts of the class.
    state : function of (learner) or None, default None
        Gives equal values only for learners that will behave alike.  None: what the learners of this package compare
        their hypotheses by, or the attributes of the object.
    limit : int, default 100,000
        The most states of the learner that are gone through.

    Returns
    -------
    WorstCase
        `value`, `target`, `sequence` (instances that force it), `by_target` and `states`.  `value` is -1 for the empty
        class, math.inf where mistakes never end (then `cycle` can be shown again and again), None past the limit.

    Notes
    -----
    The states of the learner are the nodes of a graph, instances its edges, a mistake weighs 1: the worst case is the
    longest path, over all targets.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, section 3 (M_A(C)).

    Examples
    --------
    >>> import mistakebound as mb
    >>> found = worst_case(mb.learners.DisjunctionElimination(n=3), mb.concepts.MonotoneDisjunctions(3))
    >>> found.value, found.target, found.sequence
    (3, <Disjunction false>, ((0, 0, 1), (0, 1, 0), (1, 0, 0)))
    """
    finite = class_given(concept_class).finite()
    chosen = range(finite.size) if targets is None else [_place(finite, target) for target in targets]
    machine = LearnerStates(adapted(learner), finite, state, limit)
    best: tuple[float, int, list[int], list[int]] = (-1, -1, [], [])
    values: list[float] = []
    try:
        for c in chosen:
            value, way, cycle = longest_path(machine.edges_for(c))
            values.append(value)
            if value > best[0]:
                best = value, c, way, cycle
    except TooManyStates:
        return WorstCase(None, None, (), (), tuple(values), len(machine), learner, finite)
    value, c, way, cycle = best
    return WorstCase(
        value,
        finite.concepts[c] if c >= 0 else None,
        tuple(finite.instances[j] for j in way),
        tuple(finite.instances[j] for j in cycle),
        tuple(values),
        len(machine),
        learner,
        finite,
    )


def _place(finite: FiniteClass, target: Any) -> int:
    """The number of a target, which may be given by its text."""
    concept = parse(target) if isinstance(target, str) and target not in finite.concepts else target
    if concept not in finite.concepts:
        raise BadParameter(f"targets must be concepts of the class: {target}")
    return finite.concepts.index(concept)


class TooManyStates(Exception):
    """More states than the limit."""


class LearnerStates:
    """The learner's states, numbered as they are met; what follows a state is worked out once for all targets."""

    def __init__(self, learner: Any, finite: FiniteClass, state: Callable[[Any], Hashable] | None, limit: int) -> None:
        self.limit = limit
        self.rows = finite.rows
        self.every = (1 << len(finite.instances)) - 1
        self.state = state_of if state is None else lambda learner: state(given_learner(learner))
        self.conservative = learner.conservative
        one = state is None and learner.copy().take_form(state_of(learner))
        self.kept: _OneLearner | _Copies = (_OneLearner if one else _Copies)(learner)
        self.instances = [learner.encode(x) for x in finite.instances]
        self.numbers = {self.state(learner): 0}
        self.wrong: list[tuple[int, int] | None] = [None]  # of a state: the instances that are no 0 to it, and no 1
        self.steps: list[dict[int, int]] = [{}]  # of a state: where an instance and its label lead

    def __len__(self) -> int:
        return len(self.steps)

    def edges_for(self, c: int) -> Callable[[int], list[Edge]]:
        """What instances do in a state when concept c is the target; those that change nothing are left out."""
        ones, zeros = self.rows[c], self.every ^ self.rows[c]

        def edges(number: int) -> list[Edge]:
            no_zeros, no_ones = self.mistaken(number)
            mistakes = no_zeros & zeros | no_ones & ones
            changing = mistakes if self.conservative else self.every
            found = []
            for j in each_one(changing):
                after, mistake = self.after(number, j, ones >> j & 1), mistakes >> j & 1
                if mistake or after != number:
                    found.append(Edge(j, after, mistake))
            return found

        return edges

    def mistaken(self, number: int) -> tuple[int, int]:
        """The instances, as bits, that are not predicted to be 0 in a state, and those not predicted to be 1."""
        known = self.wrong[number]
        if known is None:
            learner = self.kept.at(number)
            said = [trial_prediction(learner, x)[1] for x in self.instances]
            no_zeros = sum(1 << j for j, prediction in enumerate(said) if prediction != 0)
            known = self.wrong[number] = no_zeros, sum(1 << j for j, prediction in enumerate(said) if prediction != 1)
        return known

    def after(self, number: int, j: int, label: int) -> int:
        """The state after a trial with an instance and its label."""
        known = self.steps[number].get(2 * j + label)
        if known is None:
            known = self.steps[number][2 * j + label] = self._play(number, self.instances[j], label)
        return known

    def _play(self, number: int, x: Any, label: int) -> int:
        learner = self.kept.leaving(number)
        try:
            learner.learn_one(x, label)
        except NoConsistentHypothesis:
            return number  # the trial counts, and changes nothing
        key = self.state(learner)
        after = self.numbers.setdefault(key, len(self))
        if after == len(self):
            if after >= self.limit:
                raise TooManyStates
            self.kept.keep(learner, key)
            self.wrong.append(None)
            self.steps.append({})
        return after


class _Copies:
    """A learner for each state."""

    def __init__(self, learner: Any) -> None:
        self._learners = [learner.copy()]

    def at(self, number: int) -> Any:
        """A learner in a state, only to be asked."""
        return self._learners[number]

    def leaving(self, number: int) -> Any:
        """A learner in a state, which may go on from there."""
        return self._learners[number].copy()

    def keep(self, learner: Any, key: Hashable) -> None:
        """The next number is that of the state in which this learner is."""
        self._learners.append(learner)


class _OneLearner:
    """One learner for all states, which takes up the form of each: many times faster than copies, and smaller."""

    def __init__(self, learner: Any) -> None:
        self._learner = learner.copy()
        self._forms: list[Hashable] = [state_of(learner)]
        self._now = 0  # the state in which it is

    def at(self, number: int) -> Any:
        if self._now != number:
            self._learner.take_form(self._forms[number])
            self._now = number
        return self._learner

    def leaving(self, number: int) -> Any:
        learner = self.at(number)
        self._now = -1
        return learner

    def keep(self, learner: Any, key: Hashable) -> None:
        self._now = len(self._forms)
        self._forms.append(key)
