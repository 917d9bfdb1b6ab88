"""M_A(C): the most mistakes that a learner can be made to make on a class, by searching its states (row P2).

A deterministic learner on finitely many instances is a machine: a state and a labelled instance give the next state,
and a mistake or none. For each target the machine is searched from where the learner stands. Mistakes without end
are a cycle with a mistake in it; without one, the most mistakes are the longest way through the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from math import inf
from types import BuiltinFunctionType, EllipsisType, FunctionType, ModuleType, NoneType
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.bits import ones as each_one
from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.formula import parse
from mistakebound.core.errors import BadParameter, NoConsistentHypothesis
from mistakebound.core.protocol import trial_prediction
from mistakebound.theory.longest_path import Edge, longest_path

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

LIMIT = 100_000  # states of a learner that are gone through
_BY_IDENTITY: Any = object.__hash__
_WHOLE = (NoneType, EllipsisType, type, FunctionType, BuiltinFunctionType, ModuleType)  # never copied: they stay


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
    """The most mistakes over all targets of the class (or those given) and all sequences of its instances.

    The learner has `predict_one(x)` and `learn_one(x, label)`, is deterministic, and is left as it is; copies are made
    by its `copy()`, or else by copy.deepcopy. `state(learner)` must be equal only for learners that will behave alike;
    by default it is what our learners compare their hypotheses by, or the attributes of the object.

    >>> import mistakebound as mb
    >>> found = worst_case(mb.DisjunctionElimination(n=3), mb.concepts.MonotoneDisjunctions(3))
    >>> found.value, found.target, found.sequence
    (3, <Disjunction false>, ((0, 0, 1), (0, 1, 0), (1, 0, 0)))
    """
    finite = class_given(concept_class).finite()
    if not hasattr(learner, "learn_one") or not hasattr(learner, "predict_one"):
        raise BadParameter(f"learner must have learn_one and predict_one: {learner!r}")
    chosen = range(finite.size) if targets is None else [_place(finite, target) for target in targets]
    machine = _Machine(learner, finite, state, limit)
    best: tuple[float, int, list[int], list[int]] = (-1, -1, [], [])
    values: list[float] = []
    try:
        for c in chosen:
            value, way, cycle = longest_path(machine.edges_for(c))
            values.append(value)
            if value > best[0]:
                best = value, c, way, cycle
    except _TooMany:
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


class _TooMany(Exception):
    """More states than the limit."""


class _Machine:
    """The learner's states, numbered as they are met; what follows a state is worked out once for all targets."""

    def __init__(self, learner: Any, finite: FiniteClass, state: Callable[[Any], Hashable] | None, limit: int) -> None:
        self.limit = limit
        self.rows = finite.rows
        self.every = (1 << len(finite.instances)) - 1
        self.state = state or state_of
        self.conservative = getattr(learner, "conservative", False)
        one = state is None and hasattr(learner, "take_form") and copy_of(learner).take_form(state_of(learner))
        self.kept: _OneLearner | _Copies = (_OneLearner if one else _Copies)(learner)
        read = getattr(learner, "encode", lambda x: x)
        self.instances = [read(x) for x in finite.instances]
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
                raise _TooMany
            self.kept.keep(learner, key)
            self.wrong.append(None)
            self.steps.append({})
        return after


class _Copies:
    """A learner for each state."""

    def __init__(self, learner: Any) -> None:
        self._learners = [copy_of(learner)]

    def at(self, number: int) -> Any:
        """A learner in a state, only to be asked."""
        return self._learners[number]

    def leaving(self, number: int) -> Any:
        """A learner in a state, which may go on from there."""
        return copy_of(self._learners[number])

    def keep(self, learner: Any, key: Hashable) -> None:
        """The next number is that of the state in which this learner is."""
        self._learners.append(learner)


class _OneLearner:
    """One learner for all states, which takes up the form of each: many times faster than copies, and smaller."""

    def __init__(self, learner: Any) -> None:
        self._learner = copy_of(learner)
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


def copy_of(learner: Any) -> Any:
    """A learner in the same state that goes its own way."""
    return learner.copy() if hasattr(learner, "copy") else deepcopy(learner)


def state_of(learner: Any) -> Hashable:
    """What a learner's further behaviour depends on."""
    found: Hashable
    if getattr(learner, "trials_by", "predict_one") != "predict_one":
        found = learner.current.form
        return found
    form = getattr(learner, "state_form", None) or getattr(learner, "_form", None)
    if callable(form):
        found = form()
        return found
    try:
        return frozen(vars(learner))
    except RecursionError:
        raise BadParameter(f"state must be given for a learner whose parts hold each other: {learner!r}") from None


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
    if callable(getattr(value, "_form", None)):
        return state_of(value)
    if type(value).__hash__ is _BY_IDENTITY and not isinstance(value, _WHOLE):
        return _parts(value)
    try:
        hash(value)
    except TypeError:
        raise BadParameter(
            f"state must be given for a learner that holds a {type(value).__name__}: {value!r}"
        ) from None
    found: Hashable = value
    return found


def _parts(value: Any) -> Hashable:
    """What copy.deepcopy makes an object of that compares by identity; the object where it cannot be taken apart."""
    try:
        made, given, *rest = value.__reduce_ex__(4)
    except (TypeError, ValueError):
        found: Hashable = value
        return found
    return made, frozen(given), tuple(frozen(tuple(part) if isinstance(part, Iterator) else part) for part in rest)
