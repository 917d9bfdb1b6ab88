"""Why naive Bayes can be right where its assumption is wrong: the argmax, not the probability, decides."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from mistakebound.core.errors import BadParameter
from mistakebound.theory.bayes.joint_table import JointTable


@dataclass(frozen=True)
class NaiveBayesCheck:
    """Naive Bayes against the optimum on one distribution, exactly.

    `optimal_error` and `naive_error` are probabilities of a wrong class; `largest_gap` is the largest difference
    between a true posterior and the naive one; `independent` says whether the assumption holds.
    """

    independent: bool
    optimal_error: Fraction
    naive_error: Fraction
    largest_gap: Fraction

    @property
    def optimal(self) -> bool:
        """Whether naive Bayes errs no more often than the optimum."""
        return self.naive_error == self.optimal_error


def naive_bayes_check(table: JointTable, target: str) -> NaiveBayesCheck:
    """Compares naive Bayes, made from a known distribution, with the Bayes-optimal classifier, in fractions.

    Parameters
    ----------
    table : JointTable
        The joint distribution of the attributes and the class.
    target : str
        The variable that is the class.

    Returns
    -------
    NaiveBayesCheck
        `independent`, `optimal_error`, `naive_error`, `largest_gap`, `optimal`.

    Notes
    -----
    Naive Bayes needs the order of the posteriors, not their values: it can be optimal while every probability that it
    states is wrong.

    References
    ----------
    Domingos and Pazzani 1997, On the optimality of the simple Bayesian classifier under zero-one loss.
    Ma 2019, CS3244 notes, section 5.

    Examples
    --------
    >>> T = JointTable(["a", "copy", "y"], {(0, 0, 0): 4, (1, 1, 0): 1, (0, 0, 1): 1, (1, 1, 1): 2})  # a, twice
    >>> found = naive_bayes_check(T, "y")
    >>> found.independent, found.optimal, str(found.naive_error), str(found.largest_gap)
    (False, True, '1/4', '14/69')
    """
    place = table.names.index(target)
    attributes = [name for name in table.names if name != target]
    classes = table.values(target)
    prior = {t: table.probability({target: t}) for t in classes}
    given = {
        (name, value, t): table.probability({name: value}, given={target: t})
        for name in attributes
        for value in table.values(name)
        for t in classes
        if prior[t]
    }
    optimal, naive, gap = Fraction(1), Fraction(1), Fraction(0)
    for x in {tuple(v for k, v in enumerate(row) if k != place) for row, p in table.table.items() if p}:
        joint = [table.table.get((*x[:place], t, *x[place:]), Fraction(0)) for t in classes]
        said = []
        for t in classes:
            share = prior[t]
            for name, value in zip(attributes, x, strict=True):
                share *= given.get((name, value, t), Fraction(0))
            said.append(share)
        optimal -= max(joint)
        naive -= joint[said.index(max(said))]
        if sum(said):
            gap = max(gap, *(abs(a / sum(joint) - b / sum(said)) for a, b in zip(joint, said, strict=True)))
    independent = all(
        table.independent([name], attributes[:k], given=[target]) for k, name in enumerate(attributes) if k
    )
    return NaiveBayesCheck(independent, optimal, naive, gap)


@dataclass(frozen=True)
class NaiveBayesSurvey:
    """Many random distributions: how many have dependent attributes, and on how many it is optimal."""

    checks: tuple[NaiveBayesCheck, ...]

    @property
    def dependent(self) -> int:
        return sum(not check.independent for check in self.checks)

    @property
    def optimal(self) -> int:
        """Dependent ones on which naive Bayes errs no more often than the optimum."""
        return sum(check.optimal for check in self.checks if not check.independent)

    def __str__(self) -> str:
        away = sum(float(c.largest_gap) for c in self.checks) / len(self.checks)
        return (
            f"{self.dependent} of {len(self.checks)} distributions have dependent attributes; naive Bayes is optimal "
            f"on {self.optimal} of them, with posteriors that are off by up to {away:.2f} on average"
        )


def naive_bayes_survey(count: int = 200, attributes: int = 3, seed: int = 0) -> NaiveBayesSurvey:
    """Draws random distributions of 0/1 attributes and two classes, and compares naive Bayes with the optimum on each.

    Parameters
    ----------
    count : int, default 200
        Distributions; >= 1.
    attributes : int, default 3
        Attributes of each; between 1 and 6.
    seed : int, default 0
        Seed of the draws.

    Returns
    -------
    NaiveBayesSurvey
        `checks`, `dependent`, `optimal`.

    Examples
    --------
    >>> found = naive_bayes_survey(40, 2, seed=1)
    >>> found.dependent, found.optimal
    (40, 23)
    """
    if count < 1 or not 1 <= attributes <= 6:
        raise BadParameter(f"count must be >= 1 and attributes between 1 and 6: {count!r}, {attributes!r}")
    draw, names = Random(seed), [f"x{j}" for j in range(1, attributes + 1)]
    cells: list[tuple[Any, ...]] = list(product((0, 1), repeat=attributes + 1))
    tables = (JointTable([*names, "y"], {row: draw.randint(1, 100) for row in cells}) for _ in range(count))
    return NaiveBayesSurvey(tuple(naive_bayes_check(table, "y") for table in tables))
