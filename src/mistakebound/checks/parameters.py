"""Parameters: declared once, checked by one rule, refused in one shape."""

from __future__ import annotations

import re
from functools import partial

from mistakebound.checks._games import refused, require
from mistakebound.checks._subject import check
from mistakebound.core.errors import BadParameter, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.checks._subject import Subject
    from mistakebound.core.params import Parameter


def bad_values(parameter: Parameter) -> list[Any]:
    """Values that a parameter must refuse, going by its declaration."""
    values: list[Any] = ["no such word", b"1", [1], float("nan"), float("inf"), -float("inf"), 1j, object]
    if not parameter.optional and parameter.default is not None:
        values.append(...)
    if parameter.kind != "flag":
        values += [True, False]
    if parameter.kind == "integer":
        values += [1.5, 10**400]
    if parameter.kind in ("flag", "word"):
        values += [1, 0, 0.5]
    if parameter.above is not None:
        values += [parameter.above, parameter.above - 1]
    if parameter.at_least is not None:
        values += [parameter.at_least - 1, parameter.at_least - 0.5]
    if parameter.below is not None:
        values += [parameter.below, parameter.below + 1]
    if parameter.kind == "layers":  # [1] may be one layer of one unit
        values[values.index([1])] = [0]
    if parameter.at_most is not None:
        values += [parameter.at_most + 1, parameter.at_most + 0.5]
    return values


@check(once=True)
def check_bad_parameters_have_one_error_shape(subject: Subject) -> None:
    """A value outside its range: BadParameter, "name must be <rule>: <value>"."""
    if not subject.takes_options:
        return
    learner_class: Any = subject.learner_class
    declared = learner_class.parameters
    required = {p.name: subject.settings[p.name] for p in declared if p.required}
    for parameter in declared:
        for value in bad_values(parameter):
            given = required | {parameter.name: value}
            error = refused(partial(learner_class, **given), f"{parameter.name} = {value!r}", BadParameter)
            shape = rf"{re.escape(parameter.name)} must be .+: {re.escape(shown(value))}"
            require(re.fullmatch(shape, str(error), re.DOTALL) is not None, f"another shape: {error}")


@check()
def check_parameters_are_declared(subject: Subject) -> None:
    """Every option is kept in `settings` under its declared name; defaults, help and a repr that rebuilds it exist."""
    learner = subject.make()
    declared = [parameter.name for parameter in learner.parameters]
    require(list(learner.settings) == declared, f"settings {list(learner.settings)} are not as declared {declared}")
    for parameter in learner.parameters:
        require(bool(parameter.help), f"{parameter.name} has no help")
        require(parameter.check(learner.settings[parameter.name]) == learner.settings[parameter.name], parameter.name)
    if subject.takes_options:
        again = subject.learner_class(**learner.settings)
        require(again.settings == learner.settings, "settings do not rebuild the learner")
        require(repr(again) == repr(learner), "equal settings, different repr")


@check()
def check_theorems_say_what_they_need(subject: Subject) -> None:
    """Each theorem has a source and a statement; a bound without facts says which are missing or fails by name."""
    learner = subject.make()
    for theorem in learner.theorems:
        require(bool(theorem.source and theorem.statement and theorem.assumes), f"{theorem.name} is incomplete")
    bound = learner.bound()
    require(bound.value is not None or bool(bound.failed), "no bound, and no reason")
    refused(lambda: learner.bound(no_such_fact=1), "an unknown fact", BadParameter)
