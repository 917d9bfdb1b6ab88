"""The common checks: what every learner must do, run over every declared option.  For your own learner too.

>>> from mistakebound.checks import check_learner
>>> from mistakebound.learners.rules.disjunction_elimination import DisjunctionElimination
>>> check_learner(DisjunctionElimination, only=["predict_is_pure", "weight_is_refused"])
['predict_is_pure', 'weight_is_refused']
"""

from __future__ import annotations

from mistakebound.checks._registry import CHECKS, Check
from mistakebound.checks._subject import MOST, Subject, subjects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

__all__ = ["Check", "CheckFailed", "Subject", "all_checks", "check_learner", "checks_for", "subjects"]


class CheckFailed(AssertionError):
    """One or more checks failed, or an expected failure did not happen."""


def all_checks() -> dict[str, Check]:
    """Every check by its name; each is a plain function of a Subject with a docstring that says what it asks."""
    from mistakebound.checks import (
        agreement,
        batch,
        capabilities,
        forms,
        instances,
        labels,
        numbers,
        parameters,
        points,
        purity,
        refusals,
        resuming,
        seeds,
        tables,
    )

    rows = purity, agreement, forms, resuming, labels, refusals, parameters, seeds
    for module in (*rows, batch, tables, instances, points, numbers, capabilities):
        assert module.__doc__
    return dict(CHECKS)


def checks_for(subject: Subject) -> dict[str, Check]:
    """The checks that make sense for this learner: chosen by what it can do."""
    return {name: check for name, check in all_checks().items() if check.needs <= subject.capabilities}


def check_learner(
    learner: type[Any] | Callable[[], Any],
    *,
    expected_failures: Mapping[str, str] | None = None,
    only: Iterable[str] | None = None,
    most: int = MOST,
) -> list[str]:
    """Run the checks on a learner class, over the grid of its declared parameters, or on a factory of fresh learners.

    All combinations of options are tried where there are at most `most`, else one option after the other.
    `expected_failures` maps the names of checks that are known to fail to the reason; one that passes after all is
    reported, so that the list stays true.  The names of the checks that ran come back; CheckFailed tells of all others.
    """
    expected = dict(expected_failures or {})
    wanted = None if only is None else set(only)
    unknown = (set(expected) | (wanted or set())) - set(all_checks())
    if unknown:
        raise ValueError(f"no check has the name {', '.join(sorted(unknown))}")
    ran: dict[str, None] = {}
    failures: dict[str, str] = {}
    for subject in subjects(learner, most):
        for name, check in checks_for(subject).items():
            if (wanted is not None and name not in wanted) or name in failures or not check.due(subject):
                continue
            ran[name] = None
            try:
                check(subject)
            except Exception as error:  # whatever a learner does wrong is a failure of the check
                failures[name] = f"{subject}: {type(error).__name__}: {error}"
    report = [f"{name}: {text}" for name, text in failures.items() if name not in expected]
    report += [
        f"{name} was expected to fail ({expected[name]}) and passed"
        for name in ran
        if name in expected - failures.keys()
    ]
    if report:
        raise CheckFailed("\n".join(report))
    return list(ran)
