"""A learner as a text, so that it can be a parameter of another: `perceptron` or `perceptron(eta=0.5,bias=false)`."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.core.external import plays_trials
from mistakebound.core.params import Parameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.learners import registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.protocol import Learner

EXTERNAL = "object "  # stands before the class of an expert that is no learner of ours, or has learned already


def split(text: str) -> list[str]:
    """At the commas outside all brackets.

    >>> split("winnow2,perceptron(eta=0.5,bias=false)")
    ['winnow2', 'perceptron(eta=0.5,bias=false)']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def make(text: str) -> SparseLearner:
    """A new learner as the text describes it; BadParameter when it describes none.

    >>> make("perceptron(eta=0.5)")
    Perceptron(eta=0.5)
    """
    name, bracket, inner = text.strip().partition("(")
    if bracket and not inner.endswith(")"):
        raise BadParameter(f"a learner must be written NAME or NAME(SETTING=VALUE,...): {text!r}")
    if name.strip() in registry.TRANSFORMS:
        return _make_transform(name.strip(), inner[:-1])
    found = registry.find(name.strip())
    if not issubclass(found, SparseLearner) or found.many_classes:
        raise BadParameter(f"a member must be an online learner of two classes, on rows of a stream: {name.strip()!r}")
    return found(**_parsed(found, _given(inner[:-1]) if bracket else {}))


def _make_transform(name: str, inner: str) -> SparseLearner:
    """expand(learner=winnow2(theta=2),cross=2)"""
    given = _given(inner) if inner else {}
    if "learner" not in given:
        raise BadParameter(f"learner must be an online learner for {name}: not given")
    behind = make(given.pop("learner"))
    found = registry.find_transform(name)
    settings = _parsed(found, given)
    return behind.behind(lambda plain: found(plain, **settings))


def _given(inner: str) -> dict[str, str]:
    """The settings in brackets behind a name."""
    given: dict[str, str] = {}
    for part in split(inner):
        key, equals, value = part.partition("=")
        if (not equals or "(" in key) and given:  # a list, whose commas are its own
            key = list(given)[-1]
            value = f"{given[key]},{part}"
        elif not equals:
            raise BadParameter(f"a setting must be written NAME=VALUE: {part!r}")
        elif key.strip() in given:
            raise BadParameter(f"{key.strip()} appears twice: {inner!r}")
        given[key.strip()] = value
    return given


def _parsed(found: type[Learner], given: dict[str, str]) -> dict[str, Any]:
    """The settings of a class, from texts."""
    declared = {parameter.name: parameter for parameter in found.parameters}
    for key in given:
        if key not in declared:
            raise BadParameter(f"{key} is not a parameter of {found.name}: {', '.join(declared) or 'it has none'}")
    for parameter in found.parameters:
        if parameter.required and parameter.name not in given:
            raise BadParameter(f"{parameter.name} must be {parameter.rule} for {found.name}: not given")
    return {key: declared[key].parse(value) for key, value in given.items()}


def write(learner: SparseLearner) -> str:
    """The text that `make` reads as a new learner with the same settings.

    >>> write(make("winnow2( theta = 2, n=7 )"))
    'winnow2(theta=2.0,n=7)'
    >>> write(make("expand(learner=winnow2(n=7), cross=2)"))
    'expand(learner=winnow2(n=28),cross=2,n=7)'
    """
    if learner.brings_weights:
        raise BadParameter("start must be a number in an ensemble, whose members share their attributes")
    changed = [] if learner.inner is None else [f"learner={write(learner.inner)}"]
    changed += [
        f"{parameter.name}={_word(learner.settings[parameter.name])}"
        for parameter in learner.parameters
        if learner.settings[parameter.name] != parameter.default
    ]
    return f"{learner.name}({','.join(changed)})" if changed else learner.name


def with_settings(base: Any, settings: dict[str, Any]) -> SparseLearner:
    """A learner, given as a text or as one of its kind, with some settings of its class changed."""
    learner = make(base) if isinstance(base, str) else base
    if not isinstance(learner, SparseLearner):
        raise BadParameter(f"settings must be those of a learner that is named: {', '.join(settings)}")
    if learner.inner is not None:
        raise BadParameter(f"settings must be given to the learner behind {learner.name}: {', '.join(settings)}")
    return type(learner)(**{**learner.settings, **settings})


def _word(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def canonical(value: Any) -> str:
    """The text of a learner that is given as a text or as one of its kind."""
    if isinstance(value, str):
        return write(make(value))
    if isinstance(value, SparseLearner) and not value.many_classes:
        for what, own in (("costs", value.costs), ("labels", value.labels.declared)):
            if own:
                raise BadParameter(f"{what} must be declared for the ensemble, not for a member")
        return write(make(write(value)))
    raise BadParameter("neither a text nor a learner")


class LearnerParameter(Parameter):
    """The value is the text of a learner; one of its kind stands for its settings.

    >>> base = LearnerParameter("base", "perceptron", help="the learner")
    >>> base.check("perceptron(eta=1)"), base.check("perceptron(eta=3)")
    ('perceptron', 'perceptron(eta=3.0)')
    """

    __slots__ = ()

    def __init__(self, name: str, default: str, *, grid: tuple[str, ...] = (), help: str) -> None:
        super().__init__(name, "learner", default, grid=grid, help=help)

    @property
    def rule(self) -> str:
        return "an online learner such as perceptron or perceptron(eta=0.5)"

    def check(self, value: Any) -> str:
        try:
            return canonical(value)
        except BadParameter as error:
            raise BadParameter(f"{self.name} must be {self.rule} ({error}): {value!r}") from None

    def parse(self, text: str) -> str:
        return self.check(text)

    def extended(self, text: str, words: dict[str, str]) -> str:
        """The text of the learner with some of its settings changed, which are given as on the command line.

        >>> LearnerParameter("base", "perceptron", help="the learner").extended("perceptron", {"eta": "2"})
        'perceptron(eta=2.0)'
        """
        learner = make(text)
        declared = {parameter.name: parameter for parameter in learner.parameters}
        for name in words:
            if name not in declared:
                known = ", ".join(f"{self.name}.{other}" for other in declared) or "it has none"
                raise BadParameter(f"{self.name}.{name} is not a parameter of {learner.name}: {known}")
        return write(with_settings(learner, {name: declared[name].parse(word) for name, word in words.items()}))


class ExpertsParameter(LearnerParameter):
    """The value is the texts of some learners, with commas between them.

    >>> ExpertsParameter("experts", "perceptron", help="learners that vote").check(["winnow2", make("perceptron")])
    'winnow2,perceptron'
    """

    __slots__ = ()

    @property
    def rule(self) -> str:
        return "online learners separated by commas, such as winnow2,perceptron(eta=0.5)"

    def check(self, value: Any) -> str:
        try:
            experts = split(value) if isinstance(value, str) else list(value)
            if not experts:
                raise BadParameter("no learner is given")
            return ",".join(text_of_expert(expert) for expert in experts)
        except (BadParameter, TypeError) as error:
            raise BadParameter(f"{self.name} must be {self.rule} ({error}): {value!r}") from None


def text_of_expert(expert: Any) -> str:
    """Of an external expert the name of its class."""
    if isinstance(expert, str) and expert.startswith(EXTERNAL):
        return expert
    return EXTERNAL + type(expert).__name__ if is_external(expert) else canonical(expert)


def is_external(expert: Any) -> bool:
    """Whether an expert plays as the object that it is: one that is not ours, has learned already, or has no text."""
    if isinstance(expert, (str, type)):
        return False
    if not isinstance(expert, SparseLearner):
        return plays_trials(expert)
    if expert.many_classes:
        return True
    try:
        fresh = make(write(expert))
    except BadParameter:
        return True
    used = len(expert.attributes) > len(fresh.attributes) or (expert.labels.settled and not expert.labels.declared)
    return used or type(fresh) is not type(expert) or fresh._form() != expert._form()
