"""What a unit or a network is between two examples: classes, weights, the hypothesis, its model file."""

from __future__ import annotations

from abc import abstractmethod
from math import nan
from sys import maxsize

import numpy as np

from mistakebound.core.atomic import reading
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.hypothesis import Hypothesis
from mistakebound.core.labels import Labels
from mistakebound.core.protocol import OnlineLearner
from mistakebound.learners.network._engine import size_of
from mistakebound.learners.network._examples import one_hot
from mistakebound.learners.network.training import Chance, Epoch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence
    from typing import Any, ClassVar, Self

    import numpy.typing as npt

    from mistakebound.learners.network._engine import Engine

    Floats = npt.NDArray[np.float64]


class DenseModel(OnlineLearner):
    """A learner whose instances are rows of numbers, all of the same length."""

    takes = "numbers"
    saves = True
    batch = True
    command = ""
    _pair: ClassVar[tuple[Any, Any]] = (0, 1)  # what a single output tells apart, where nothing else was said

    def __init__(self, classes: Sequence[Any] | None = None, **given: Any) -> None:
        super().__init__(**given)
        self._declared = None if classes is None else _check_classes(classes, least=2)
        self._classes: tuple[Any, ...] = self._declared or ()
        self._engine: Engine | None = None
        self._numbers = self.predicts_numbers  # whether targets are numbers; for networks the first y decides
        self.curve: list[Epoch] = []
        self.starts: list[float] = []
        self.stopped = ""
        self.held = 0  # rows that were put aside for validation

    # What one algorithm's file provides.

    @property
    def predicts_numbers(self) -> bool:
        return False

    @abstractmethod
    def _shape_for(self, inputs: int, outputs: int | None) -> tuple[int, ...]:
        """The sizes of the layers for so many inputs and (if known) outputs; BadParameter where they do not fit."""

    def _fresh_engine(self, shape: tuple[int, ...], chance: Chance) -> Engine:
        try:
            if 8 * size_of(shape) > maxsize:
                raise MemoryError
            return self._new_engine(shape, chance)
        except MemoryError:
            sizes = "-".join(map(str, shape))
            raise BadParameter(f"layers must fit into memory: {sizes}, {size_of(shape):,} weights") from None

    @abstractmethod
    def _new_engine(self, shape: tuple[int, ...], chance: Chance) -> Engine:
        """Fresh weights."""

    def _coded(self, codes: npt.NDArray[Any], outputs: int) -> Floats:
        """Targets that mean classes."""
        return one_hot(codes, outputs)

    def _outputs_for(self, classes: int) -> int:
        return 1 if classes == 2 else classes

    # What is known of it.

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels, in the order of the outputs; () where targets are numbers."""
        return () if self._numbers else self._classes

    @property
    def labels(self) -> Labels:
        return Labels(self.classes if len(self.classes) == 2 else None)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._ready().shape

    @property
    @reading
    def weights(self) -> list[Floats]:
        """One matrix per layer, one row per unit: the weight of the constant 1, then that of every input."""
        engine = self._ready()
        return [matrix.copy() for matrix in engine.matrices(self._weights_shown(engine.weights))]

    def _weights_shown(self, weights: Floats) -> Floats:
        """The weights of the engine as people see them: the same, for most learners."""
        return weights

    def _ready(self) -> Engine:
        if self._engine is None:
            raise BadParameter(
                f"{type(self).__name__} has learned nothing yet: call fit(X, y) or learn_one(x, y) first"
            )
        return self._engine

    @property
    def fitted(self) -> bool:
        return self._engine is not None

    def _check_room(self, classes: int, outputs: int) -> None:
        if classes > 2 and "layers" not in self.settings:
            raise BadData(f"a single unit tells two classes apart: there are {classes}")
        if outputs != classes and not (outputs == 1 and classes == 2):
            wanted = "1 unit or 2" if classes == 2 else f"{classes} units, one per class"
            raise BadParameter(f"layers must end in {wanted}, for {classes} classes: {outputs}")

    def _check_targets(self, T: Floats) -> None:
        if self.settings.get("loss") == "likelihood" and not ((T >= 0) & (T <= 1)).all():
            row = int(np.argwhere((T < 0) | (T > 1))[0][0])
            raise BadData(f"y must be between 0 and 1 where the loss is likelihood: {T[row].tolist()}", row=row)

    # The hypothesis, and model files.

    @property
    def hypothesis(self) -> DenseHypothesis:
        return DenseHypothesis(self.copy())

    def _form(self) -> Any:
        engine = self._engine
        if engine is None:
            return (self.name, tuple(sorted((k, repr(v)) for k, v in self.settings.items())))
        return (engine.shape, engine.output, self.classes, (self._weights_shown(engine.weights) + 0.0).tobytes())

    def _in_words(self, terms: int) -> str:
        if self._engine is None:
            return "nothing yet"
        engine = self._engine
        return f"a {'-'.join(map(str, engine.shape))} network with {len(engine.weights):,} weights"

    def _about(self) -> dict[str, Any]:
        return {"classes": list(self._classes), "declared": self._declared is not None}

    def _state(self) -> dict[str, Any]:
        engine = self._engine
        return {
            "shape": None if engine is None else list(engine.shape),
            "numbers": self._numbers,
            "stopped": self.stopped,
            "held": self.held,
        }

    def _arrays(self) -> dict[str, Any]:
        engine = self._engine
        none = np.zeros(0)
        return {
            "weights": none if engine is None else engine.weights,
            "steps": none if engine is None else engine.steps,
            "curve": np.array([epoch.loss for epoch in self.curve]),
            "validation": _numbers([epoch.validation for epoch in self.curve]),
            "errors": _numbers([epoch.error for epoch in self.curve]),
            "starts": np.array(self.starts, np.float64),
        }

    @classmethod
    def _from_header(cls, header: dict[str, Any]) -> Self:
        classes = _check_classes(header["classes"]) if header["classes"] else ()
        learner = cls(**header["parameters"], classes=classes if header["declared"] else None)
        learner._classes = classes
        return learner

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        classes = self._classes
        self._numbers = bool(state["numbers"])
        self.stopped = str(state["stopped"])
        self.held = int(state["held"])
        self.curve, self.starts = _curve_of(arrays), list(arrays["starts"])
        if state["shape"] is None:
            return
        shape = tuple(state["shape"])
        if any(type(size) is not int or size < 1 for size in shape) or len(shape) < 2:
            raise ValueError("the layers have no sizes")
        if self._shape_for(shape[0], shape[-1]) != shape:
            raise ValueError("the layers are not those of the parameters")
        if len(arrays["weights"]) != size_of(shape):  # before as many are made
            raise ValueError("the weights are not one finite number per connection")
        engine = self._new_engine(shape, Chance(0))
        for name, numbers in (("weights", engine.weights), ("steps", engine.steps)):
            saved = np.array(arrays[name], np.float64)
            if saved.shape != numbers.shape or not np.isfinite(saved).all():
                raise ValueError(f"the {name} are not one finite number per connection")
            numbers[:] = saved
        if not self._numbers:
            self._check_room(max(2, len(classes), shape[-1]), shape[-1])
        self._engine = engine


def _numbers(found: Sequence[float | None]) -> Floats:
    """NaN for a missing one; nothing at all if all are missing."""
    return np.array([] if set(found) == {None} else [nan if one is None else one for one in found], np.float64)


def _curve_of(arrays: dict[str, array[Any]]) -> list[Epoch]:
    losses = arrays["curve"]
    parts = [arrays[name] or [nan] * len(losses) for name in ("validation", "errors")]
    rows = zip(losses, *parts, strict=True)
    return [
        Epoch(number, loss, *(None if one != one else one for one in more))
        for number, (loss, *more) in enumerate(rows, 1)
    ]


def _check_classes(classes: Sequence[Any], least: int = 0) -> tuple[Any, ...]:
    rule = "classes must be at least two different labels"
    if isinstance(classes, (str, bytes)) or not hasattr(classes, "__iter__"):
        raise BadParameter(f"{rule}: {classes!r}")
    found = tuple(label.item() if isinstance(label, np.generic) else label for label in classes)
    if not all(isinstance(label, (str, int, float)) and label == label for label in found):
        raise BadParameter(f"{rule}: {classes!r}")
    if len({(isinstance(label, str), label) for label in found}) < max(least, len(found)):
        raise BadParameter(f"{rule}: {classes!r}")
    return found


class DenseHypothesis(Hypothesis):
    """Call it on an instance, compare it, print it.  It does not change when the learner goes on learning."""

    __slots__ = ()

    def __call__(self, x: Any, names: Any = None) -> Any:
        return self._frozen.predict_one(x)
