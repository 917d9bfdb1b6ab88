"""A new learner, as it is asked for: by name or as an object, with parameters, labels, costs and transforms."""

from __future__ import annotations

from mistakebound import learners
from mistakebound.arena.stream_labels import one_vs_all
from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from mistakebound.core.protocol import Learner

FOR_STREAMS = "arow"  # of our learners the one with the best record on real ones: docs/progressive.md
FOR_GAMES = "winnow2"
TRANSFORMS = ("cross", "negate", "attributes", "cross_limit", "reduce", "standardize")


def new_learner(
    learner: str | Learner | None,
    parameters: Mapping[str, Any] | None,
    labels: Any,
    cost: Mapping[Any, float] | None,
    reduce: str | None,
) -> Any:
    """A learner of this name (None: the usual one for streams), or the object that is given.

    Where more than two labels are given it is the base of one-vs-all.
    """
    if learner is not None and not isinstance(learner, str):
        from mistakebound.core.protocol import Learner

        if not isinstance(learner, Learner):
            raise BadParameter(f"learner must be a name or a learner: {learner!r}")
        for name, value in (("parameters", parameters), ("labels", labels), ("cost", cost)):
            if value is not None:
                raise BadParameter(f"{name} must be left out, the learner has its own: {value!r}")
        return learner
    name = learner or (FOR_STREAMS if reduce is None else FOR_GAMES)  # the reductions are to a disjunction
    kind = learners.find(name)
    more = {} if labels is None else {"labels": labels}
    if cost is not None:
        if not kind.weighted or kind.takes != "rows":
            raise BadParameter(f"cost must be left out, {name} gives costs no meaning: {cost!r}")
        more["costs"] = cost
    if labels is not None and kind.takes == "table":
        raise BadParameter(f"labels must be left out, {name} finds them in its table: {labels!r}")
    own = split_parameters(kind, parameters)[0]
    if is_many(labels) and not kind.many_classes:
        more.pop("labels", None)
        return one_vs_all(kind(**more, **own), labels)
    return kind(**more, **own)


def split_parameters(
    kind: type[Learner] | Learner, parameters: Mapping[str, Any] | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters of a learner, and those that are of its `fit`, checked."""
    given = dict(parameters or {})
    return given, {p.name: p.check(given.pop(p.name)) for p in kind.fit_parameters if p.name in given}


def named_for_files(learner: Any) -> Any:
    """The name of the learner that learns from files what this one learns from arrays; any other stays as it is."""
    return (learners.find(learner).for_files or learner) if isinstance(learner, str) else learner


def is_many(labels: Any) -> bool:
    """Whether more than two labels are given."""
    return isinstance(labels, (list, tuple)) and len(labels) > 2


def asked_for(value: Any) -> bool:
    """Whether an option was given: 0 is a number, if a wrong one."""
    return value is not None and value is not False


def transformed(learner: Any, facts: dict[str, Any], asked: dict[str, Any], spell: Callable[[str], str] = str) -> Any:
    """The learner with the transforms that are asked for (each of TRANSFORMS has a value) before it."""
    found = [name for name in TRANSFORMS if asked_for(asked[name])]
    if not found:
        return learner
    if found != ["standardize"]:
        learner = _expanded(learner, facts, asked, found, spell)
    if asked["standardize"]:  # the values of an instance come first
        from mistakebound.transforms.standardize import standardize

        return standardize(learner)
    return learner


def _expanded(
    learner: Any, facts: dict[str, Any], asked: dict[str, Any], found: list[str], spell: Callable[[str], str]
) -> Any:
    if not {"cross", "negate", "reduce"} & set(found):
        ways = f"{spell('cross')}, {spell('negate')} or {spell('reduce')}"
        raise BadParameter(f"{spell(found[0])} must stand beside {ways}")
    from mistakebound.transforms.expand import expand

    limit = {} if asked["cross_limit"] is None else {"limit": asked["cross_limit"]}
    return expand(
        learner,
        1 if asked["cross"] is None else asked["cross"],
        negate=asked["negate"],
        n=asked["attributes"],
        reduce=asked["reduce"],
        rules=facts.get("rules") if asked["reduce"] == "decision-list" else None,
        **limit,
    )
