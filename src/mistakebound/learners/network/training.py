"""The loop around the kernel: epochs, early stopping on a validation set, several random starts, and their chance."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from mistakebound.core.errors import Diverged
from mistakebound.learners.network._slopes import WithSlopes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy.typing as npt

    from mistakebound.learners.network._engine import Engine

    Floats = npt.NDArray[np.float64]

_AT_ONCE = 1 << 15  # steps between two looks at how it goes


class Chance:
    """One stream of random words from a seed.  It is made of PCG64's raw words, which no release of NumPy may change.

    >>> Chance(0).between(3, 0.05).round(4).tolist() == Chance(0).between(3, 0.05).round(4).tolist()
    True
    >>> sorted(Chance(1).orders(1, 4)[0].tolist())
    [0, 1, 2, 3]
    """

    __slots__ = ("_words",)

    def __init__(self, seed: int) -> None:
        self._words = np.random.PCG64(seed)

    def between(self, count: int, end: float) -> npt.NDArray[np.float64]:
        """Numbers between -end and end."""
        units = (self._words.random_raw(count) >> np.uint64(11)) * 2.0**-53
        return np.asarray((2.0 * units - 1.0) * end, np.float64)

    def orders(self, epochs: int, rows: int) -> npt.NDArray[np.int64]:
        """A new order of the rows for each epoch.  However many epochs are asked for at once, they are the same."""
        keys = np.asarray(self._words.random_raw(epochs * rows), np.uint64).reshape(epochs, rows)
        return np.argsort(keys, axis=1, kind="stable").astype(np.int64, copy=False)


@dataclass(slots=True, repr=False, eq=False)
class Epoch:
    """One pass over the examples: its loss an example (each before its update) and, where there is one, that of the
    validation set after it with the share of rows that it gets wrong (None where the targets are numbers)."""

    number: int
    loss: float
    validation: float | None = None
    error: float | None = None

    def __repr__(self) -> str:
        more = "" if self.validation is None else f", validation={self.validation:.6g}"
        more += "" if self.error is None else f", error={self.error:.4g}"
        return f"Epoch({self.number}, loss={self.loss:.6g}{more})"


@dataclass(slots=True, eq=False)
class Examples:
    """Inputs and targets, the classes where the targets mean classes, and the slopes where there are some."""

    X: Floats
    T: Floats
    codes: npt.NDArray[np.int32] | None = None
    slopes: Floats | None = None  # rows x outputs x inputs

    def take(self, rows: Any) -> Examples:
        return Examples(
            np.ascontiguousarray(self.X[rows]),
            np.ascontiguousarray(self.T[rows]),
            None if self.codes is None else self.codes[rows],
            None if self.slopes is None else np.ascontiguousarray(self.slopes[rows]),
        )


@dataclass(slots=True, eq=False)
class TrainingPlan:
    """How to train: so many epochs, in which order, until when."""

    epochs: int
    batch: bool = False
    shuffle: bool = False
    mu: float | None = None
    validation: Examples | None = None
    patience: int = 10
    batch_size: int | None = None
    progress: Callable[[Epoch], None] | None = None


class TrainingRun:
    """One start and what became of it: the curve, why it ended, and the loss by which starts are compared."""

    def __init__(self, engine: Engine, examples: Examples, plan: TrainingPlan, chance: Chance) -> None:
        self.engine = engine
        self.curve: list[Epoch] = []
        self.stopped = "epochs"
        self.failure: Diverged | None = None
        self._examples = examples
        self._plan = plan
        self._chance = chance
        try:
            self._train()
        except Diverged as failure:
            self.failure = failure
            self._add_epochs(engine.finished)
            self.stopped = "diverged"
        judge = examples if plan.validation is None else plan.validation
        self.score = self._judge(judge)[0]

    def _train(self) -> None:
        plan, rows = self._plan, len(self._examples.X)
        looks = plan.validation is not None or plan.progress is not None
        step = 1 if looks or plan.batch or plan.batch_size or plan.mu is not None else max(1, _AT_ONCE // rows)
        best, best_at, kept = inf, 0, self.engine.state()
        done = 0
        while done < plan.epochs:
            asked = min(step, plan.epochs - done)
            losses = self._epochs(asked)
            self._add_epochs(losses)
            done += len(losses)
            if plan.validation is not None:
                now = self._validate(plan.validation)
                if now < best:
                    best, best_at, kept = now, done, self.engine.state()
            if plan.progress is not None:
                plan.progress(self.curve[-1])
            if self.engine.output == "sign" and losses[-1] == 0:
                self.stopped = "no mistake"
                break
            if plan.validation is not None and done - best_at >= plan.patience:
                self.stopped = "validation"
                break
        if plan.validation is not None:
            self.engine.go_back(kept)

    def _add_epochs(self, losses: Floats) -> None:
        rows = len(self._examples.X)
        self.curve += [Epoch(number, loss / rows) for number, loss in enumerate(losses.tolist(), len(self.curve) + 1)]

    def _validate(self, validation: Examples) -> float:
        loss, codes = self._judge(validation)
        last = self.curve[-1]
        last.validation = loss
        if validation.codes is not None:
            last.error = float(np.mean(codes != validation.codes))
        return loss

    def _judge(self, examples: Examples) -> tuple[float, npt.NDArray[np.int32]]:
        """The loss a row, that of slopes in it where they are known, and the class that was said of each."""
        loss, codes = self.engine.mean_loss(examples.X, examples.T)
        if self._plan.mu is not None and examples.slopes is not None:
            loss += WithSlopes(self.engine, self._plan.mu).mean_loss(examples.X, examples.slopes)
        return loss, codes

    def _epochs(self, count: int) -> Floats:
        """The losses of so many epochs (fewer, where there is nothing left to learn)."""
        rows = len(self._examples.X)
        if self._plan.batch and self._plan.batch_size is None:
            return np.array([self._batch_step()])
        if self._plan.shuffle:
            orders = self._chance.orders(count, rows)
        else:
            orders = np.tile(np.arange(rows, dtype=np.int64), (count, 1))
        order = np.ascontiguousarray(orders.reshape(-1))
        if self._plan.batch_size is not None:
            return np.array([self._mini_batches(order, self._plan.batch_size)])
        if self._plan.mu is not None:
            return np.array([self._with_slopes(order)])
        losses, steps = self.engine.train(self._examples.X, self._examples.T, order)
        return losses[: steps // rows]

    def _batch_step(self) -> float:
        """One step along the gradient of all examples together."""
        loss, gradient = self.engine.gradient(self._examples.X, self._examples.T)
        self._one_step(loss, gradient)
        return loss

    def _mini_batches(self, order: npt.NDArray[np.int64], size: int) -> float:
        """One step for each `size` rows of the order, along their gradient together."""
        X, T, total = self._examples.X, self._examples.T, 0.0
        for first in range(0, len(order), size):
            rows = order[first : first + size]
            loss, gradient = self.engine.gradient(np.ascontiguousarray(X[rows]), np.ascontiguousarray(T[rows]))
            self._one_step(loss, gradient)
            total += loss
        return total

    def _with_slopes(self, order: npt.NDArray[np.int64]) -> float:
        examples, total = self._examples, 0.0
        assert examples.slopes is not None
        assert self._plan.mu is not None
        both = WithSlopes(self.engine, self._plan.mu)
        with np.errstate(over="ignore", invalid="ignore"):  # `_one_step` sees what is not finite
            for row in order.tolist():
                loss, gradient = both.way_down(examples.X[row], examples.T[row], examples.slopes[row])
                self._one_step(loss, gradient)
                total += loss
        return total

    def _one_step(self, loss: float, gradient: Floats) -> None:
        engine = self.engine
        before = engine.state()
        engine.move(gradient)
        if not (np.isfinite(loss) and np.isfinite(engine.weights).all()):
            engine.go_back(before)
            raise engine.diverged()
        engine.taken += 1
