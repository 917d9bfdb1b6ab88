"""An adapter that gives learners of other packages the attributes of the contract.  Only here are they looked for.

Such a learner has `predict_one(x)` and `learn_one(x, y)`; what else of the contract it has is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from types import BuiltinFunctionType, EllipsisType, FunctionType, ModuleType, NoneType

from mistakebound.core.errors import BadParameter
from mistakebound.core.protocol import Learner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Any

    from mistakebound.core.theorem import Bound

_BY_IDENTITY: Any = object.__hash__
_WHOLE = (NoneType, EllipsisType, type, FunctionType, BuiltinFunctionType, ModuleType)  # never copied


def plays_trials(thing: Any) -> bool:
    """Whether an object of any class can be a learner here."""
    return callable(getattr(thing, "learn_one", None)) and callable(getattr(thing, "predict_one", None))


def hears_one(thing: Any) -> bool:
    """Whether an object of any class can learn from being told only whether its prediction was right."""
    return callable(getattr(thing, "hear_one", None)) and callable(getattr(thing, "predict_one", None))


class ExternalLearner:
    """An object of another class with all that `Learner` promises: its own where it has it, else the defaults."""

    online = True
    ranked = False
    many_classes = False
    scores_trials = calibrated = False
    inner = None
    trials_by = "predict_one"
    costs = None

    def __init__(self, given: Any) -> None:
        if not plays_trials(given):
            raise BadParameter(f"learner must have learn_one and predict_one: {given!r}")
        self.given = given
        self.predict_one, self.learn_one = given.predict_one, given.learn_one

    def _its(self, name: str, default: Any) -> Any:
        return getattr(self.given, name, default)

    @property
    def name(self) -> str:
        return str(self._its("name", type(self.given).__name__))

    @property
    def labels(self) -> Any:
        return self._its("labels", None)

    @property
    def settings(self) -> dict[str, Any]:
        found: dict[str, Any] = self._its("settings", {})
        return found

    @property
    def assumable(self) -> dict[str, str]:
        found: dict[str, str] = self._its("assumable", {})
        return found

    @property
    def lemmas(self) -> Any:
        return self._its("lemmas", ())

    @property
    def conservative(self) -> bool:
        return bool(self._its("conservative", False))

    @property
    def hypothesis(self) -> Any:
        """None where the object has none."""
        return self._its("hypothesis", None)

    @property
    def current(self) -> Any:
        return self._its("current", None) or self.given.hypothesis

    def encode(self, x: Any, names: Sequence[str] | None = None) -> Any:
        encode = self._its("encode", None)
        return x if encode is None else encode(x)

    def start(self) -> dict[str, Any]:
        start = self._its("start", None)
        return {} if start is None else start()

    def bound_since(self, start: dict[str, Any], told: dict[str, Any]) -> Bound | None:
        """None where the object knows no bound."""
        bound = self._its("bound_since", None)
        found: Bound | None = None if bound is None else bound(start, told)
        return found

    def model_size(self) -> int | None:
        """None where the object has no model file."""
        size = self._its("model_size", None)
        found: int | None = None if size is None else size()
        return found

    def copy(self) -> ExternalLearner:
        own = self._its("copy", None)
        return ExternalLearner(deepcopy(self.given) if own is None else own())

    def code_said(self, x: Any, names: Sequence[str] | None = None) -> int | None:
        """None: it is not known what such a learner means by a prediction of None."""
        return None

    def trial_begins(self) -> None:
        """Nothing to do: after an exception the state of such a learner is not known."""

    def trial_taken(self) -> bool:
        return False

    def _form(self) -> Any:
        form = self._its("_form", None)
        return form() if callable(form) else repr(self.given)

    def state_form(self) -> Hashable:
        """What its further behaviour depends on: what it says itself, or all that it holds."""
        found: Hashable
        form = self._its("_form", None)
        if callable(form):
            found = form()
            return found
        try:
            return frozen(vars(self.given))
        except RecursionError:
            raise BadParameter(
                f"state must be given for a learner whose parts hold each other: {self.given!r}"
            ) from None

    def take_form(self, form: Any) -> bool:
        return False


def given_learner(learner: Any) -> Any:
    """The learner that `adapted` was given."""
    return learner.given if isinstance(learner, ExternalLearner) else learner


def state_of(thing: Any) -> Hashable:
    """What the further behaviour of a learner, online or by queries, depends on."""
    found: Hashable
    if isinstance(thing, (Learner, ExternalLearner)):
        found = thing.state_form() if thing.trials_by == "predict_one" else thing.current.form
    elif callable(getattr(thing, "_form", None)):
        found = thing._form()
    else:
        found = frozen(vars(thing))
    return found


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
