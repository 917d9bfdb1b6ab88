"""Units and networks on whole tables: epochs, a validation set, several starts."""

from __future__ import annotations

import numpy as np

from mistakebound.core.atomic import exclusive
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.table import label_codes
from mistakebound.learners.network._dense_online import DenseOnline
from mistakebound.learners.network._examples import check_rows, dimensions, matrix_of, numbers_of
from mistakebound.learners.network.training import Chance, Epoch, Examples, TrainingPlan, TrainingRun

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]


class DenseLearner(DenseOnline):
    """The common half of units and networks."""

    def _plan(self, epochs: int, **how: Any) -> TrainingPlan:
        return TrainingPlan(epochs, **how)

    def fit(
        self,
        X: Any,
        y: Any,
        epochs: int = 100,
        *,
        validation: tuple[Any, Any] | float | None = None,
        patience: int = 10,
        batch_size: int | None = None,
        progress: Callable[[Epoch], None] | None = None,
        **more: Any,
    ) -> Self:
        """Learn from fresh weights.  y in one dimension: classes; in two: outputs.

        `validation`, a pair (X, y) or the share of rows to put aside, ends training when its loss has not become less
        for `patience` epochs; the weights with the least are kept.  With `batch_size` a step is made along the gradient
        of so many examples together: 1 is incremental gradient descent, all rows are the true gradient.  None: as the
        learner's rule says.  `progress` hears of every epoch.
        """
        counts: list[tuple[str, Any]] = [("epochs", epochs), ("patience", patience)]
        if batch_size is not None:
            counts.append(("batch_size", batch_size))
            if self.settings.get("rule") == "perceptron" or "slopes" in more:
                raise BadParameter("batch_size needs gradients: it goes with neither rule='perceptron' nor slopes")
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
        plan.batch_size = None if batch_size is None else int(batch_size)
        runs = [
            TrainingRun(self._fresh_engine(shape, chance), examples, plan, chance)
            for _ in range(self.settings.get("restarts", 1))
        ]
        good = [run for run in runs if run.failure is None] or runs
        best = min(good, key=lambda run: run.score)
        starts, aside = [run.score for run in runs], 0 if held is None or not _is_share(validation) else len(held.X)
        with self._lock:
            # In a straight line: whole or not at all (core/atomic.py).
            self._engine, self._classes, self._numbers = best.engine, classes, numbers
            self.curve, self.stopped, self.starts, self.held = best.curve, best.stopped, starts, aside
        if best.failure is not None:
            raise best.failure
        return self

    def _check_slopes(self, examples: Examples, more: dict[str, Any]) -> Floats | None:
        for name in more:
            raise BadParameter(
                f"fit has no option {name}; it has epochs, validation, patience, batch_size, slopes and progress"
            )
        return None

    def _examples(self, X: Floats, y: Any) -> tuple[Examples, tuple[Any, ...], bool]:
        """X with its targets; the classes; whether the targets are numbers."""
        if self.predicts_numbers:
            return Examples(X, numbers_of(y, len(X))), (), True
        if dimensions(y) == 2:
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

    def _hold_out(
        self, examples: Examples, validation: Any, classes: tuple[Any, ...], numbers: bool, chance: Chance
    ) -> tuple[Examples, Examples | None]:
        if validation is None:
            return examples, None
        if _is_share(validation):
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
        whose = "the validation set: "
        if numbers:
            rows_of = np.reshape(y, (-1, 1)) if dimensions(y) == 1 else y
            T = matrix_of(rows_of, "the validation set's y", examples.T.shape[1])
            check_rows(len(X), len(T), whose)
            self._check_targets(T)
            return examples, Examples(X, T)
        _, codes = label_codes(y, classes)
        check_rows(len(X), len(codes), whose)
        return examples, Examples(X, self._coded(codes, examples.T.shape[1]), codes)

    @exclusive
    def outputs(self, X: Any) -> Floats:
        """What the last layer says: one row per row of X, one column per output."""
        engine = self._ready()
        return engine.evaluate(matrix_of(X, width=engine.shape[0]))[0]

    def score_many(self, X: Any) -> Floats:
        """The output of a single unit; of several, the largest; for each row."""
        found: Floats = self.outputs(X).max(axis=1)
        return found

    @exclusive
    def predict_many(self, X: Any) -> npt.NDArray[Any]:
        """One label per row; the outputs themselves where targets are numbers."""
        engine = self._ready()
        outputs, codes = engine.evaluate(matrix_of(X, width=engine.shape[0]))
        if self._numbers:
            return outputs[:, 0] if self.predicts_numbers else outputs
        said = [self._said(code) for code in codes.tolist()]
        mixed = len({isinstance(label, str) for label in self._classes}) > 1  # numbers beside texts stay numbers
        return np.array(said, dtype=object if mixed else None)


class UnitLearner(DenseLearner):
    """A single unit: one output, steps for one example or for all together."""

    def _shape_for(self, inputs: int, outputs: int | None) -> tuple[int, ...]:
        if outputs not in (None, 1):
            raise BadData(f"a single unit has one output: a target has {outputs}")
        return (inputs, 1)

    def _plan(self, epochs: int, **how: Any) -> TrainingPlan:
        batch = self.settings["rule"] == "gradient"
        return super()._plan(epochs, batch=batch, shuffle=self.settings["shuffle"], **how)


def _is_share(validation: Any) -> bool:
    return isinstance(validation, (int, float, np.number))
