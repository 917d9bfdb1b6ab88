"""M_A(C): the most mistakes that a learner can be made to make on a class, by searching its states (row P2).

A deterministic learner on finitely many instances is a machine: a state and a labelled instance give the next state,
and a mistake or none. For each target the machine is searched from where the learner stands. Mistakes without end
are a cycle with a mistake in it; without one, the most mistakes are the longest way through the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from mistakebound.core.errors import BadParameter, NoConsistentHypothesis
from mistakebound.theory.longest_way import Edge, longest_way

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
        learner = copy_of(self.learner)
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
            mistakes += learner.predict_one(x) != label
            with suppress(NoConsistentHypothesis):  # such a trial counts, and changes nothing
                learner.learn_one(x, label)
        return mistakes


def worst_case(
    learner: Any,
    concept_class: ConceptClass,
    *,
    targets: Iterable[Any] | None = None,
    state: Callable[[Any], Hashable] | None = None,
    limit: int = LIMIT,
) -> WorstCase:
    """The most mistakes over all targets of the class (or those given) and all sequences of its instances.

    The learner has `predict_one(x)` and `learn_one(x, label)`, is deterministic, and is left as it is; copies are made
    by its `copy()`, or else by copy.deepcopy. `state(learner)` must be equal only for learners that will behave alike;
    by default it is what our learners compare their hypotheses by, or the attributes of the object.

    >>> import mistakebound as mb
    >>> found = worst_case(mb.DisjunctionElimination(n=3), mb.concepts.MonotoneDisjunctions(3))
    >>> found.value, found.target, found.sequence
    (3, <Disjunction false>, ((0, 0, 1), (0, 1, 0), (1, 0, 0)))
    """
    finite = concept_class.finite()
    machine = _Machine(learner, finite, state or state_of, limit)
    chosen = range(finite.size) if targets is None else [finite.concepts.index(target) for target in targets]
    best: tuple[float, int, list[int], list[int]] = (-1, -1, [], [])
    values: list[float] = []
    try:
        for c in chosen:
            value, way, cycle = longest_way(machine.edges_for(c))
            values.append(value)
            if value > best[0]:
                best = value, c, way, cycle
    except _TooMany:
        return WorstCase(None, None, (), (), tuple(values), len(machine.learners), learner, finite)
    value, c, way, cycle = best
    return WorstCase(
        value,
        finite.concepts[c] if c >= 0 else None,
        tuple(finite.instances[j] for j in way),
        tuple(finite.instances[j] for j in cycle),
        tuple(values),
        len(machine.learners),
        learner,
        finite,
    )


class _TooMany(Exception):
    """More states than the limit."""


class _Machine:
    """The learner's states, numbered as they are met; what follows a state is worked out once for all targets."""

    def __init__(self, learner: Any, finite: FiniteClass, state: Callable[[Any], Hashable], limit: int) -> None:
        self.finite, self.state, self.limit = finite, state, limit
        self.learners = [copy_of(learner)]
        self.numbers = {state(learner): 0}
        self.steps: list[dict[tuple[int, int], tuple[int, int]]] = [{}]

    def edges_for(self, c: int) -> Callable[[int], list[Edge]]:
        """What instances do in a state when concept c is the target; those that change nothing are left out."""
        labels = self.finite.labels(c)

        def edges(number: int) -> list[Edge]:
            steps = (Edge(j, *self.step(number, j, label)) for j, label in enumerate(labels))
            return [edge for edge in steps if edge.mistake or edge.state != number]

        return edges

    def step(self, number: int, j: int, label: int) -> tuple[int, int]:
        known = self.steps[number].get((j, label))
        if known is None:
            known = self.steps[number][j, label] = self._play(number, self.finite.instances[j], label)
        return known

    def _play(self, number: int, x: Any, label: int) -> tuple[int, int]:
        before = self.learners[number]
        mistake = int(before.predict_one(x) != label)
        if not mistake and getattr(before, "conservative", False):
            return number, 0
        learner = copy_of(before)
        try:
            learner.learn_one(x, label)
        except NoConsistentHypothesis:
            return number, mistake  # the trial counts, and changes nothing
        key = self.state(learner)
        after = self.numbers.setdefault(key, len(self.learners))
        if after == len(self.learners):
            if after >= self.limit:
                raise _TooMany
            self.learners.append(learner)
            self.steps.append({})
        return after, mistake


def copy_of(learner: Any) -> Any:
    """A learner in the same state that goes its own way."""
    return learner.copy() if hasattr(learner, "copy") else deepcopy(learner)


def state_of(learner: Any) -> Hashable:
    """What a learner's further behaviour depends on."""
    form = getattr(learner, "_form", None)
    if callable(form):
        found: Hashable = form()
        return found
    return frozen(vars(learner))


def frozen(value: Any) -> Hashable:
    """A value made of the usual containers as something hashable."""
    if isinstance(value, dict):
        return frozenset((key, frozen(held)) for key, held in value.items())
    if isinstance(value, list | tuple):
        return tuple(frozen(held) for held in value)
    if isinstance(value, set | frozenset):
        return frozenset(frozen(held) for held in value)
    if hasattr(value, "tobytes"):
        return bytes(value.tobytes())
    try:
        hash(value)
    except TypeError:
        raise BadParameter(
            f"state must be given for a learner that holds a {type(value).__name__}: {value!r}"
        ) from None
    found: Hashable = value
    return found
