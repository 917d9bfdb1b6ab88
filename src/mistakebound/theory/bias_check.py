"""Inductive bias as the assertions from which every answer of a learner follows (Mitchell 1997, section 2.7)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.concept import ConceptClass
from mistakebound.core.errors import BadParameter

Examples: TypeAlias = Mapping[Any, int]
Assertion: TypeAlias = Callable[[Mapping[Any, int], Examples], Any]
MOST = 6  # instances: 3^6 sets of examples, 2^6 functions


@dataclass(frozen=True)
class Counterexample:
    """A target that agrees with the assertions and the examples, and not with the learner's answer."""

    examples: dict[Any, int]
    instance: Any
    answer: int
    target: dict[Any, int]


@dataclass(frozen=True)
class BiasCheck:
    """Whether every answer follows from the assertions, and whether each of them is needed.

    `counterexample` shows an answer that does not follow.  `without` has, for each assertion, an answer that does not
    follow once it is left out, or None: then it is superfluous.
    """

    counterexample: Counterexample | None
    without: dict[str, Counterexample | None]
    answers: int  # how many were checked

    @property
    def entailed(self) -> bool:
        """Whether every answer follows."""
        return self.counterexample is None

    @property
    def minimal(self) -> bool:
        """Whether every answer follows from these assertions, and not from fewer of them."""
        return self.entailed and all(found is not None for found in self.without.values())

    def __str__(self) -> str:
        if self.counterexample is not None:
            return f"not entailed: {self.counterexample}"
        spare = [name for name, found in self.without.items() if found is None]
        kind = f"not minimal, superfluous: {', '.join(spare)}" if spare else "minimal"
        return f"entailed ({self.answers:,} answers), {kind}"


def check_inductive_bias(
    answer: Callable[[Examples, Any], int | None], assertions: Mapping[str, Any], instances: Sequence[Hashable]
) -> BiasCheck:
    """Checks that assertions are the inductive bias of a learner: all its answers follow, and none is superfluous.

    Parameters
    ----------
    answer : function of (examples, x)
        The label that the learner gives x after examples (instance to label), or None where it refuses.
    assertions : mapping
        Name to an assertion: a class ("the target is in it") or its text, or a function of (target, examples) that says
        whether a target is possible.
    instances : sequence
        All instances; at most 6.

    Returns
    -------
    BiasCheck
        `entailed`, `minimal`, `counterexample`, `without`.

    Notes
    -----
    Definition.  The inductive bias of a learner L is a minimal set B of assertions such that for all targets c,
    examples D of c and instances x, B and D and x entail c(x) = L(x, D).  Here entailment is what it is by
    definition: all functions on the instances are gone through, for all sets of examples.

    References
    ----------
    Mitchell 1997, Machine Learning, section 2.7.3.  Ma 2019, CS3244 notes, Definition 2.9.

    Examples
    --------
    >>> from mistakebound.concepts import Conjunctions
    >>> C = Conjunctions(2).finite()
    >>> def candidate_elimination(examples, x):
    ...     left = [c for c in C if all(c(z) == label for z, label in examples.items())]
    ...     said = {c(x) for c in left}
    ...     return said.pop() if len(said) == 1 else None
    >>> print(check_inductive_bias(candidate_elimination, {"c is in H": C}, list(C.domain())))
    entailed (208 answers), minimal
    """
    points = list(instances)
    if len(points) > MOST:
        raise BadParameter(f"instances must be at most {MOST}: {len(points)}")
    tests = {name: _assertion(assertion, points) for name, assertion in assertions.items()}
    functions = [dict(zip(points, labels, strict=True)) for labels in product((0, 1), repeat=len(points))]
    found: Counterexample | None = None
    without: dict[str, Counterexample | None] = dict.fromkeys(tests)
    answers = 0
    for labels in product((None, 0, 1), repeat=len(points)):
        examples = {x: label for x, label in zip(points, labels, strict=True) if label is not None}
        agreeing = [f for f in functions if all(f[x] == label for x, label in examples.items())]
        broken = [(f, [name for name, test in tests.items() if not test(f, examples)]) for f in agreeing]
        if not any(not names for _, names in broken):
            continue  # no target has these examples
        for x in points:
            said = answer(examples, x)
            if said is None:
                continue
            answers += 1
            for f, names in broken:
                if f[x] != said and len(names) <= 1:
                    case = Counterexample(examples, x, said, f)
                    if not names:
                        found = found or case
                    elif without[names[0]] is None:
                        without[names[0]] = case
    return BiasCheck(found, without, answers)


def negative_unless_entailed(concept_class: ConceptClass | str) -> Assertion:
    """Find-S's second assertion: an instance is negative unless the examples, and the class, entail the opposite.

    Parameters
    ----------
    concept_class : ConceptClass or str
        A finite class, or its text.

    Returns
    -------
    function of (target, examples)

    Examples
    --------
    >>> holds = negative_unless_entailed("conjunctions n=1 contradiction")
    >>> holds({(0,): 0, (1,): 1}, {(1,): 1}), holds({(0,): 1, (1,): 1}, {(1,): 1})
    (True, False)
    """
    concepts = list(class_given(concept_class))

    def holds(target: Mapping[Any, int], examples: Examples) -> bool:
        left = [c for c in concepts if all(c(x) == label for x, label in examples.items())]
        return all(not label or x in examples or all(c(x) for c in left) for x, label in target.items())

    return holds


def _assertion(assertion: Any, points: Sequence[Any]) -> Assertion:
    if callable(assertion) and not isinstance(assertion, ConceptClass):
        return assertion  # type: ignore[no-any-return]
    finite = class_given(assertion).finite(points)
    lines = {finite.labels(c) for c in range(finite.size)}
    return lambda target, examples: tuple(target[x] for x in points) in lines
