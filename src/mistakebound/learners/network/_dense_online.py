"""Units and networks one example at a time: predict, hear the target, take one step."""

from __future__ import annotations

import numpy as np

from mistakebound.core.atomic import exclusive
from mistakebound.core.errors import BadData, BadParameter, Diverged
from mistakebound.core.weights import no_meaning
from mistakebound.learners.network._dense_model import DenseModel
from mistakebound.learners.network._examples import check_rows, matrix_of, row_of
from mistakebound.learners.network.training import Chance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.ledger import Ledger
    from mistakebound.learners.network._engine import Engine

    Floats = npt.NDArray[np.float64]


class DenseOnline(DenseModel):
    """The online form of a learner of rows of numbers."""

    @exclusive
    def predict_one(self, x: Any, names: Any = None) -> Any:
        engine = self._engine or self._untaught(self._width(x))
        outputs, codes = engine.evaluate(row_of(x, engine.shape[0]))
        if self._numbers:
            return float(outputs[0, 0]) if self.predicts_numbers else outputs[0].tolist()
        return self._said(int(codes[0]), classes=self._classes or self._usual(engine))

    @exclusive
    def score_one(self, x: Any, names: Any = None) -> float:
        """The output of a single unit; of several, the largest."""
        engine = self._engine or self._untaught(self._width(x))
        return float(engine.evaluate(row_of(x, engine.shape[0]))[0].max())

    @exclusive
    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Any = None) -> Any:
        if weight != 1.0:
            raise BadParameter(no_meaning(self, weight))
        return self._learn_rows([x], [y])[0]

    @exclusive
    def learn_many(self, X: Any, y: Any, *, ledger: Ledger | None = None) -> list[Any]:
        """Play the rows as trials in order; what was predicted before each update."""
        if not hasattr(y, "__iter__") or isinstance(y, (str, bytes)):
            raise BadParameter(f"y must be one target per row: {y!r}")
        X, targets = matrix_of(X), list(y)
        check_rows(len(X), len(targets))
        if self._numbers or _several(targets[0]):
            return [self._learn_rows(X[row : row + 1], targets[row : row + 1], ledger)[0] for row in range(len(X))]
        return self._learn_rows(X, targets, ledger)

    def _learn_rows(self, X: Any, y: list[Any], ledger: Ledger | None = None) -> list[Any]:
        """Play rows as trials; what is learned is counted in the ledger, whatever exception arrives."""
        self._row[0] = 0
        engine = self._engine
        classes = list(self._classes)
        numbers = self._numbers or (engine is None and not classes and _several(y[0]))
        if engine is None:
            engine = self._untaught(self._width(X[0]), len(y[0]) if numbers and _several(y[0]) else None)
        if not isinstance(X, np.ndarray):
            X = row_of(X[0], engine.shape[0])
        elif X.shape[1] != engine.shape[0]:
            raise BadData(f"X must have {engine.shape[0]} columns: it has {X.shape[1]}")
        known: list[int] = []
        if numbers:
            T = matrix_of([target if _several(target) else [target] for target in y], "y", engine.shape[-1])
            self._check_targets(T)
        else:
            classes = classes or list(self._usual(engine))
            T = self._coded(np.array([self._code(label, classes, engine, known) for label in y]), engine.shape[-1])
        codes = np.zeros(len(X), np.int32)
        said = self._as_said(engine.evaluate(X)[0]) if numbers else []
        trained, done, failure = engine.detached(), len(X), None
        try:
            trained.train(X, T, np.arange(len(X), dtype=np.int64), codes, (engine.weights, engine.steps))
        except Diverged as error:
            failure, done = error, trained.taken - engine.taken
            classes = classes[: known[done]] if known else classes
        if not numbers:
            said = [
                self._said(code, before, tuple(classes))
                for code, before in zip(codes[:done].tolist(), known[:done], strict=True)
            ]
        if done:
            self._take(trained, bool(numbers), tuple(classes), y[:done], said[:done], ledger)
        if failure is not None:
            raise failure
        return said

    def _take(
        self,
        engine: Engine,
        numbers: bool,
        classes: tuple[Any, ...],
        y: list[Any],
        said: list[Any],
        ledger: Ledger | None,
    ) -> None:
        """These trials took place, and led to these weights."""
        counted, rows = 0 if ledger is None else ledger.trials, len(y)
        try:
            self._engine = engine
            self._numbers = numbers
            self._classes = classes
            self._row[0] = rows
            if ledger is not None:
                ledger.record_all(y, said)
        except BaseException:
            if ledger is not None and ledger.trials == counted:
                try:
                    ledger.record_all(y, said)
                except BaseException:
                    ledger.record_all(y, said)
                    raise
            raise

    def _as_said(self, outputs: Floats) -> list[Any]:
        said: list[Any] = outputs[:, 0].tolist() if self.predicts_numbers else outputs.tolist()
        return said

    def _code(self, label: Any, classes: list[Any], engine: Engine, known: list[int]) -> int:
        """The code of a label; a new one takes the next output, unless the classes were declared."""
        value = label.item() if isinstance(label, np.generic) else label
        known.append(len(classes))
        if value is None or value != value or _several(value):
            raise BadData(f"a label must be a text, a number or a truth value: {label!r}")
        if value in classes:
            return classes.index(value)
        if self._declared is not None or len(classes) >= max(2, engine.shape[-1]):
            hint = "" if self._declared is not None else "; classes=... declares others"
            raise BadData(f"label {value!r} is not one of {', '.join(map(repr, classes))}{hint}")
        classes.append(value)
        return len(classes) - 1

    def _width(self, x: Any) -> int:
        """How many inputs an instance has that comes before all others."""
        if not hasattr(x, "items"):
            try:
                return int(np.size(x))
            except ValueError:
                raise BadData("an instance must be a row of numbers: it has rows of different lengths") from None
        declared = (self.settings.get("layers") or [None])[0]
        if declared is None:
            raise BadData("the first instance must be a row of numbers: a mapping does not say how many there are")
        return int(declared)

    def _untaught(self, width: int, outputs: int | None = None) -> Engine:
        """A network that has learned nothing yet, for the first instance."""
        if outputs is None and self._classes:
            outputs = self._shape_for(width, None)[-1] or self._outputs_for(len(self._classes))
        shape = self._shape_for(width, outputs)
        if not shape[-1]:
            raise BadParameter("layers must end in a number of units, or classes must be given, to learn one by one")
        return self._fresh_engine(shape, Chance(self.settings.get("random_state", 0)))

    def _usual(self, engine: Engine) -> tuple[Any, ...]:
        """The two classes of a single output before any is declared or fitted; several take labels as they appear."""
        return self._pair if engine.shape[-1] == 1 else ()

    def _said(self, code: int, known: int | None = None, classes: tuple[Any, ...] | None = None) -> Any:
        """The label that a code stands for; None when no example of that class has been seen."""
        classes = self._classes if classes is None else classes
        return classes[code] if code < (len(classes) if known is None else known) else None


def _several(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes))
