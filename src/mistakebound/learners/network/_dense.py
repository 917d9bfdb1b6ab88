"""The common half of units and networks: examples in, labels or numbers out, online or in epochs, model files."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from mistakebound.core import model_file
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.importance import no_meaning
from mistakebound.core.labels import Labels
from mistakebound.core.protocol import OnlineLearner
from mistakebound.core.table import label_codes
from mistakebound.learners.network._chance import Chance
from mistakebound.learners.network._examples import check_rows, matrix_of, numbers_of, one_hot, row_of
from mistakebound.learners.network._hypothesis import DenseHypothesis
from mistakebound.learners.network._training import Epoch, Examples, Plan, Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from array import array
    from collections.abc import Callable, Sequence
    from typing import Any, Self

    import numpy.typing as npt

    from mistakebound.core.ledger import Ledger
    from mistakebound.learners.network._engine import Engine

    Floats = npt.NDArray[np.float64]


class DenseLearner(OnlineLearner):
    """A learner whose instances are rows of numbers, all of the same length."""

    takes = "instances"
    command = "network"

    def __init__(self, classes: Sequence[Any] | None = None, **given: Any) -> None:
        super().__init__(**given)
        self._declared = None if classes is None else _check_classes(classes, least=2)
        self._classes: tuple[Any, ...] = self._declared or ()
        self._engine: Engine | None = None
        self._numbers = self._always_numbers  # whether targets are numbers; for networks the first y decides
        self.curve: list[Epoch] = []
        self.starts: list[float] = []
        self.stopped = ""

    # What one algorithm's file provides.

    @property
    def _always_numbers(self) -> bool:
        return False

    @abstractmethod
    def _shape_for(self, inputs: int, outputs: int | None) -> tuple[int, ...]:
        """The sizes of the layers for so many inputs and (if known) outputs; BadParameter where they do not fit."""

    @abstractmethod
    def _new_engine(self, shape: tuple[int, ...], chance: Chance) -> Engine:
        """Fresh weights."""

    def _coded(self, codes: npt.NDArray[Any], outputs: int) -> Floats:
        """Targets that mean classes."""
        return one_hot(codes, outputs)

    def _plan(self, epochs: int, **how: Any) -> Plan:
        return Plan(epochs, **how)

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
    def weights(self) -> list[Floats]:
        """A matrix a layer, a row a unit: the weight of the constant 1, then that of every input."""
        engine = self._ready()
        return [matrix.copy() for matrix in engine.matrices()]

    def _ready(self) -> Engine:
        if self._engine is None:
            raise BadParameter(
                f"{type(self).__name__} has learned nothing yet: fit(X, y) or learn_one(x, y) comes first"
            )
        return self._engine

    @property
    def fitted(self) -> bool:
        return self._engine is not None

    # Whole tables.

    def fit(
        self,
        X: Any,
        y: Any,
        epochs: int = 100,
        *,
        validation: tuple[Any, Any] | float | None = None,
        patience: int = 10,
        progress: Callable[[Epoch], None] | None = None,
        **more: Any,
    ) -> Self:
        """Learn from fresh weights.  y in one dimension: classes; in two: outputs.

        `validation`, a pair (X, y) or the share of rows to put aside, ends training when its loss has not become less
        for `patience` epochs; the weights with the least are kept.  `progress` hears of every epoch.
        """
        counts: tuple[tuple[str, Any], ...] = (("epochs", epochs), ("patience", patience))
        for name, value in counts:
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise BadParameter(f"{name} must be a whole number >= 1: {value!r}")
        X = matrix_of(X)
        examples, classes, numbers = self._examples(X, y)
        examples.slopes = self._check_slopes(examples, more)
        shape = self._shape_for(X.shape[1], examples.T.shape[1])
        chance = Chance(self.settings.get("random_state", 0))
        examples, held = self._hold_out(examples, validation, classes, numbers, chance)
        plan = self._plan(int(epochs), validation=held, patience=int(patience), progress=progress)
        runs = [
            Run(self._new_engine(shape, chance), examples, plan, chance)
            for _ in range(self.settings.get("restarts", 1))
        ]
        good = [run for run in runs if run.failure is None] or runs
        best = min(good, key=lambda run: run.score)
        self._engine, self._classes, self._numbers = best.engine, classes, numbers
        self.curve, self.stopped, self.starts = best.curve, best.stopped, [run.score for run in runs]
        if best.failure is not None:
            raise best.failure
        return self

    def _check_slopes(self, examples: Examples, more: dict[str, Any]) -> Floats | None:
        for name in more:
            raise BadParameter(f"{name} is no option of fit: epochs, validation, patience, slopes and progress are")
        return None

    def _examples(self, X: Floats, y: Any) -> tuple[Examples, tuple[Any, ...], bool]:
        """X with its targets; the classes; whether the targets are numbers."""
        if self._always_numbers:
            return Examples(X, numbers_of(y, len(X))), (), True
        if np.ndim(y) == 2:
            T = matrix_of(y, "y")
            check_rows(len(X), len(T))
            self._check_targets(T)
            return Examples(X, T), (), True
        classes, codes = label_codes(y, self._declared)
        check_rows(len(X), len(codes))
        if len(classes) < 2:
            raise BadData(f"there must be at least two classes: {', '.join(map(repr, classes))}")
        outputs = self._shape_for(X.shape[1], None)[-1] or self._outputs_for(len(classes))
        self._check_room(len(classes), outputs)
        return Examples(X, self._coded(codes, outputs), codes), classes, False

    def _check_room(self, classes: int, outputs: int) -> None:
        if outputs != classes and not (outputs == 1 and classes == 2):
            wanted = "1 unit or 2" if classes == 2 else f"{classes} units, one a class"
            raise BadParameter(f"layers must end in {wanted}, for {classes} classes: {outputs}")

    def _check_targets(self, T: Floats) -> None:
        if self.settings.get("loss") == "likelihood" and not ((T >= 0) & (T <= 1)).all():
            row = int(np.argwhere((T < 0) | (T > 1))[0][0])
            raise BadData(f"y must be between 0 and 1 where the loss is likelihood: {T[row].tolist()}", row=row)

    def _hold_out(
        self, examples: Examples, validation: Any, classes: tuple[Any, ...], numbers: bool, chance: Chance
    ) -> tuple[Examples, Examples | None]:
        if validation is None:
            return examples, None
        if isinstance(validation, (int, float)):
            rows = len(examples.X)
            held = round(rows * validation) if 0 < validation < 1 else 0
            if not 0 < held < rows:
                raise BadParameter(
                    f"validation must be (X, y), or a share between 0 and 1 that leaves rows to both: {validation!r}"
                )
            order = chance.orders(1, rows)[0]
            return examples.take(np.sort(order[held:])), examples.take(np.sort(order[:held]))
        try:
            X, y = validation
        except (TypeError, ValueError):
            raise BadParameter("validation must be (X, y), or a share between 0 and 1") from None
        X = matrix_of(X, "the validation set's X", examples.X.shape[1])
        if numbers:
            T = matrix_of(np.asarray(y).reshape(len(X), -1), "the validation set's y", examples.T.shape[1])
            return examples, Examples(X, T)
        _, codes = label_codes(y, classes)
        check_rows(len(X), len(codes))
        return examples, Examples(X, self._coded(codes, examples.T.shape[1]), codes)

    def outputs(self, X: Any) -> Floats:
        """What the last layer says: a row a row of X, a column an output."""
        engine = self._ready()
        return engine.evaluate(matrix_of(X, width=engine.shape[0]))[0]

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """A label a row; the outputs themselves where targets are numbers."""
        engine = self._ready()
        outputs, codes = engine.evaluate(matrix_of(X, width=engine.shape[0]))
        if self._numbers:
            return outputs[:, 0] if self._always_numbers else outputs
        return np.array([self._said(code) for code in codes.tolist()])

    def _said(self, code: int, known: int | None = None) -> Any:
        """The label that a code stands for; None when no example of that class has been seen."""
        return self._classes[code] if code < (len(self._classes) if known is None else known) else None

    # One instance at a time.

    def predict_one(self, x: Any, names: Any = None) -> Any:
        engine = self._engine or self._untaught(np.size(x))
        outputs, codes = engine.evaluate(row_of(x, engine.shape[0]))
        if self._numbers:
            return float(outputs[0, 0]) if self._always_numbers else outputs[0].tolist()
        return self._said(int(codes[0]))

    def score_one(self, x: Any, names: Any = None) -> float:
        """The output of a single unit; of several, the largest."""
        engine = self._engine or self._untaught(np.size(x))
        return float(engine.evaluate(row_of(x, engine.shape[0]))[0].max())

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Any = None) -> Any:
        if weight != 1.0:
            raise BadParameter(no_meaning(self.name, weight))
        return self._learn_rows([x], [y])[0]

    def learn_many(self, X: Any, y: Any, *, ledger: Ledger | None = None) -> list[Any]:
        """Play the rows as trials in order; what was predicted before each update."""
        X = matrix_of(X)
        check_rows(len(X), len(y))
        said = self._learn_rows(X, list(y))
        if ledger is not None:
            for label, prediction in zip(y, said, strict=True):
                ledger.record(label, prediction)
        return said

    def _learn_rows(self, X: Any, y: list[Any]) -> list[Any]:
        engine, classes = self._engine, list(self._classes)
        numbers = self._numbers or (engine is None and not classes and _several(y[0]))
        if engine is None:
            width = X.shape[1] if hasattr(X, "shape") else np.size(X[0])
            engine = self._untaught(int(width), len(y[0]) if numbers and _several(y[0]) else None)
        if not isinstance(X, np.ndarray):
            X = row_of(X[0], engine.shape[0])
        elif X.shape[1] != engine.shape[0]:
            raise BadData(f"X must have {engine.shape[0]} columns: it has {X.shape[1]}")
        known: list[int] = []
        if numbers:
            T = matrix_of(np.asarray(y, np.float64).reshape(len(X), -1), "y", engine.shape[-1])
            self._check_targets(T)
        else:
            T = self._coded(np.array([self._code(label, classes, engine, known) for label in y]), engine.shape[-1])
        codes = np.zeros(len(X), np.int32)
        outputs = engine.evaluate(X)[0] if numbers and len(X) == 1 else None
        engine.train(X, T, np.arange(len(X), dtype=np.int64), codes=codes)
        self._engine, self._numbers, self._classes = engine, bool(numbers), tuple(classes)
        if numbers:
            return [None] * len(X) if outputs is None else self._as_said(outputs)
        return [self._said(code, before) for code, before in zip(codes.tolist(), known, strict=True)]

    def _as_said(self, outputs: Floats) -> list[Any]:
        said: list[Any] = outputs[:, 0].tolist() if self._always_numbers else outputs.tolist()
        return said

    def _code(self, label: Any, classes: list[Any], engine: Engine, known: list[int]) -> int:
        """The code of a label; a new one takes the next output, unless the classes were declared."""
        value = label.item() if isinstance(label, np.generic) else label
        known.append(len(classes))
        if value in classes:
            return classes.index(value)
        room = max(2, engine.shape[-1])
        if value is None or value != value or _several(value):
            raise BadData(f"a label must be a text, a number or a truth value: {label!r}")
        if self._declared is not None or len(classes) == room:
            listed = ", ".join(map(repr, classes))
            raise BadData(f"label {value!r} is not one of {listed}")
        classes.append(value)
        return len(classes) - 1

    def _untaught(self, width: int, outputs: int | None = None) -> Engine:
        """A network that has learned nothing yet, for the first instance."""
        if outputs is None and self._classes:
            outputs = self._shape_for(width, None)[-1] or self._outputs_for(len(self._classes))
        shape = self._shape_for(width, outputs)
        if not shape[-1]:
            raise BadParameter("layers must end in a number of units, or classes must be given, to learn one by one")
        return self._new_engine(shape, Chance(self.settings.get("random_state", 0)))

    # The hypothesis, and model files.

    @property
    def hypothesis(self) -> DenseHypothesis:
        return DenseHypothesis(self.copy())

    def copy(self) -> Self:
        """A learner in the same state that goes its own way from here."""
        arrays = {name: model_file.as_array(values) for name, values in self._arrays().items()}
        return self.restore(self._header(), arrays)

    def _form(self) -> Any:
        engine = self._engine
        if engine is None:
            return (self.name, tuple(sorted((k, repr(v)) for k, v in self.settings.items())))
        return (engine.shape, engine.output, self.classes, (engine.weights + 0.0).tobytes())

    def _in_words(self) -> str:
        if self._engine is None:
            return "nothing yet"
        engine = self._engine
        return f"a {'-'.join(map(str, engine.shape))} network with {len(engine.weights):,} weights"

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        ledger: Ledger | None = None,
        reader: dict[str, Any] | None = None,
        position: dict[str, Any] | None = None,
        assumptions: dict[str, Any] | None = None,
    ) -> int:
        """Write a model file; its size in bytes."""
        header = self._header() | {
            "ledger": None if ledger is None else ledger.state(),
            "reader": reader,
            "position": position,
            "assumptions": assumptions or {},
        }
        return model_file.write(path, header, self._arrays())

    def _header(self) -> dict[str, Any]:
        engine = self._engine
        return {
            "learner": self.name,
            "parameters": dict(self.settings),
            "classes": list(self._classes),
            "declared": self._declared is not None,
            "state": {
                "shape": None if engine is None else list(engine.shape),
                "numbers": self._numbers,
                "stopped": self.stopped,
            },
        }

    def _arrays(self) -> dict[str, Any]:
        engine = self._engine
        none = np.zeros(0)
        return {
            "weights": none if engine is None else engine.weights,
            "steps": none if engine is None else engine.steps,
            "curve": np.array([epoch.loss for epoch in self.curve]),
        }

    @classmethod
    def restore(cls, header: dict[str, Any], arrays: dict[str, array[Any]]) -> Self:
        """The learner of a model file; ValueError, KeyError or TypeError when its parts contradict each other."""
        classes = _check_classes(header["classes"]) if header["classes"] else ()
        learner = cls(**header["parameters"], classes=classes if header["declared"] else None)
        state = header["state"]
        learner._classes, learner._numbers = classes, bool(state["numbers"])
        learner.stopped = str(state["stopped"])
        learner.curve = [Epoch(number, loss) for number, loss in enumerate(arrays["curve"], 1)]
        if state["shape"] is None:
            return learner
        shape = tuple(state["shape"])
        if any(type(size) is not int or size < 1 for size in shape) or len(shape) < 2:
            raise ValueError("the layers have no sizes")
        if learner._shape_for(shape[0], shape[-1]) != shape:
            raise ValueError("the layers are not those of the parameters")
        engine = learner._new_engine(shape, Chance(0))
        for name, numbers in (("weights", engine.weights), ("steps", engine.steps)):
            saved = np.array(arrays[name], np.float64)
            if saved.shape != numbers.shape or not np.isfinite(saved).all():
                raise ValueError(f"the {name} are not one finite number a connection")
            numbers[:] = saved
        if not learner._numbers:
            learner._check_room(max(2, len(classes), shape[-1]), shape[-1])
        learner._engine = engine
        return learner


def _several(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes))


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
