"""The PAC promise over many targets and over distributions that are hard: for all c in C, for all distributions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from mistakebound.arena.experiments import PacExperiment, pac_experiment
from mistakebound.concepts.class_text import class_given
from mistakebound.core.errors import BadParameter
from mistakebound.theory.sample_bounds import exact_share
from mistakebound.theory.vc import vc_dimension

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.theory.sample_bounds import Real


class PacCase(NamedTuple):
    """One target and one distribution, with the experiment on them."""

    target: Any
    distribution: str
    found: PacExperiment


@dataclass(frozen=True)
class PacSweep:
    """All cases; `worst` is the one with most failures, `refuted` those that break the promise."""

    cases: tuple[PacCase, ...]

    @property
    def worst(self) -> PacCase:
        return max(self.cases, key=lambda case: (case.found.failures, max(case.found.errors)))

    @property
    def refuted(self) -> tuple[PacCase, ...]:
        return tuple(case for case in self.cases if case.found.refuted)

    def __str__(self) -> str:
        worst = self.worst
        return (
            f"{len(self.cases)} cases, {len(self.refuted)} refute the promise; most failures: {worst.found.failures} "
            f"of {len(worst.found.errors)}, target {worst.target}, {worst.distribution}"
        )


def hard_distributions(
    concept_class: ConceptClass | str, epsilon: Real, *, random: int = 2, seed: int = 0
) -> dict[str, dict[Any, Fraction]]:
    """Distributions on which a class is hard to learn from few examples.

    Parameters
    ----------
    concept_class : ConceptClass or str
        A finite class, or its text.
    epsilon : number
        The error that is promised; > 0 and < 1.
    random : int, default 2
        Random distributions to add, with a few heavy instances each.
    seed : int, default 0
        Seed of these.

    Returns
    -------
    dict
        Name to distribution: "uniform", "shattered" (the lower bound's: one instance of a shattered set has nearly all
        weight, the others share 4*epsilon), and random ones.

    References
    ----------
    Ehrenfeucht, Haussler, Kearns and Valiant 1989, A general lower bound on the number of examples needed for learning.

    Examples
    --------
    >>> found = hard_distributions("monotone-disjunctions n=3", 0.1, random=0)
    >>> [str(weight) for weight in found["shattered"].values()]
    ['3/5', '1/5', '1/5']
    """
    given, share = class_given(concept_class), exact_share("epsilon", epsilon)
    finite = given.finite()
    found = {"uniform": dict.fromkeys(finite.instances, Fraction(1, len(finite.instances)))}
    shattered = vc_dimension(finite).shattered
    if len(shattered) > 1:
        rest = min(4 * share, Fraction(1, 2))
        found["shattered"] = {x: rest / (len(shattered) - 1) for x in shattered} | {shattered[0]: 1 - rest}
    draw = Random(seed)
    for number in range(1, random + 1):
        weights = {x: Fraction(1, draw.randint(1, 1000)) for x in finite.instances}
        total = sum(weights.values())
        found[f"random {number}"] = {x: weight / total for x, weight in weights.items()}
    return found


def pac_sweep(
    make: Callable[[], Any],
    concept_class: ConceptClass | str,
    *,
    m: int,
    epsilon: Real,
    delta: Real,
    targets: int | None = None,
    runs: int = 20,
    seed: int = 0,
) -> PacSweep:
    """Tests the promise of a sample size for many targets of a class and for distributions that are hard.

    Parameters
    ----------
    make : function
        Returns a new learner.
    concept_class : ConceptClass or str
        A finite class, or its text.
    m : int
        Examples of a run; >= 0.
    epsilon, delta : number
        The promise: an error below epsilon in all but a share delta of the runs; > 0 and < 1.
    targets : int or None, default None
        How many targets are drawn from the class.  None: all its concepts.
    runs : int, default 20
        Runs for each target and distribution; >= 1.
    seed : int, default 0
        Seed of targets, distributions and samples.

    Returns
    -------
    PacSweep
        `cases`, `worst`, `refuted`.

    Notes
    -----
    Definition.  C is PAC-learnable by L if for all c in C, all distributions, and all epsilon and delta L gives with
    probability at least 1 - delta a hypothesis with an error of at most epsilon, in polynomial time.

    References
    ----------
    Ma 2019, CS3244 notes, section 6.  Mitchell 1997, Machine Learning, section 7.2.

    Examples
    --------
    >>> import mistakebound as mb
    >>> C = mb.concepts.MonotoneDisjunctions(3)
    >>> m = mb.sample_size(C.count(), 0.2, 0.1)
    >>> make = lambda: mb.learners.DisjunctionElimination(3)
    >>> found = pac_sweep(make, C, m=m, epsilon=0.2, delta=0.1, runs=5)
    >>> len(found.cases), found.refuted
    (32, ())
    """
    given = class_given(concept_class)
    chosen = list(given) if targets is None else [given.sample(seed + place) for place in range(targets)]
    if not chosen:
        raise BadParameter("a class must have a concept to be the target")
    cases = []
    for name, distribution in hard_distributions(given, epsilon, seed=seed).items():
        for target in chosen:
            found = pac_experiment(make, target, distribution, m=m, epsilon=epsilon, delta=delta, runs=runs, seed=seed)
            cases.append(PacCase(target, name, found))
    return PacSweep(tuple(cases))
