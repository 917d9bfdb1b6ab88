"""The common checks: what every learner must do, run over every declared option.  For your own learner too.

>>> from mistakebound.checks import check_learner
>>> from mistakebound.learners.rules.disjunction_elimination import DisjunctionElimination
>>> check_learner(DisjunctionElimination, only=["predict_is_pure", "weight_is_refused"])
['predict_is_pure', 'weight_is_refused']
"""

from __future__ import annotations

from importlib import import_module

from mistakebound.checks._subject import CHECKS, MOST, Check, Subject, subjects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

__all__ = ["Check", "CheckFailed", "Subject", "all_checks", "check_learner", "checks_for", "subjects"]


def __dir__() -> list[str]:
    return __all__


_MODULES = "agreement capabilities forms instances numbers parameters purity refusals resuming tables"


class CheckFailed(AssertionError):
    """One or more checks failed, or an expected failure did not happen."""


def all_checks() -> dict[str, Check]:
    """Every check by its name; each is a plain function of a Subject with a docstring that says what it asks."""
    for name in _MODULES.split():
        import_module(f"mistakebound.checks.{name}")
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
    """Runs the common checks on a learner, over the grid of its declared parameters.

    Parameters
    ----------
    learner : class or function
        A learner class, or a function that returns a fresh learner.
    expected_failures : mapping or None, default None
        Names of checks that are known to fail, with the reason; one that passes after all is reported.
    only : iterable of str or None, default None
        The names of the checks to run.  None: all that make sense for the learner.
    most : int
        All combinations of options are tried where there are at most so many, else one option after the other.
        With 1, half of the checks, in turn, run with options other than the first.

    Returns
    -------
    list of str
        The names of the checks that ran; CheckFailed tells of those that failed.

    Examples
    --------
    >>> from mistakebound.learners.rules.disjunction_elimination import DisjunctionElimination
    >>> check_learner(DisjunctionElimination, only=["predict_is_pure", "weight_is_refused"])
    ['predict_is_pure', 'weight_is_refused']
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
