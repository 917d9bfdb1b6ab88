"""The common half of learners that add multiples of instances to one weight per attribute and a bias."""

from __future__ import annotations

from array import array
from math import hypot

from mistakebound.core.atomic import commit, reading
from mistakebound.core.buffers import all_finite, taken, zeros
from mistakebound.core.errors import BadData
from mistakebound.core.params import Parameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.kernels import row_batch as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Ints

WITH_BIAS = Parameter("bias", "flag", True, grid=(True, False), help="extend every instance by a constant 1")
_BIAS = 0  # the place of the bias among the scalars of every kernel


class AdditiveLearner(SparseLearner):
    """Predicts 1 when the sum of weight times value, and the bias, is above 0.

    What is kept may be in units of something: `_show` makes weights and scores of it.
    """

    readable = "weights"
    _weights: memoryview[float]
    _zero: ClassVar[float] = 0.0  # the weight of an attribute that has appeared, where it is 0

    def __init__(self, scalars: int, labels: Any, costs: Any = None, **given: Any) -> None:
        super().__init__(labels, costs, **given)
        self._scalars = array("d", bytes(8 * scalars))
        self._keep(zeros("d", 0))

    @property
    @reading
    def bias(self) -> float:
        return self._shown_one(self._kept_bias())

    @reading
    def weight(self, name: str) -> float:
        slot = self.attributes.slot(name)
        return self._weights_at(array("I", [slot]))[0] + 0.0 if slot >= 0 else 0.0

    @reading
    def weights(self) -> dict[str, float]:
        """The weight of every attribute that has appeared."""
        return dict(zip(self.attributes.names(), self._in_order(), strict=True))

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """The attributes with the largest weights by size; of equal ones the first that appeared."""
        from mistakebound.learners.linear._reading import largest_weights

        return [(name, weight + 0.0) for name, weight in largest_weights(self.attributes, self._weights_at, count)]

    @reading
    def start(self) -> dict[str, Any]:
        norm = self._shown_one(hypot(self._scalars[_BIAS], *self.attributes.in_order(self._weights)))
        return {"start_norm": norm} if norm else {}

    def _keep(self, weights: memoryview[float]) -> None:
        commit(self._kept(weights))

    def _kept(self, weights: memoryview[float]) -> list[Change]:
        """For `commit`: these weights, by slot."""
        return [(setattr, self, "_weights", weights)]

    def _kept_bias(self) -> float:
        """The bias of the hypothesis as it is kept."""
        return self._scalars[_BIAS]

    def _kept_at(self, slots: Ints) -> memoryview[float]:
        """The weights of the hypothesis at some slots as they are kept."""
        return taken(self._weights, slots)

    def _shown_one(self, kept: float) -> float:
        """One weight, or a length of such, as people see it."""
        number = array("d", (kept,))
        self._show(number)
        return number[0]

    def _weights_at(self, slots: Ints) -> memoryview[float]:
        """The weights of the hypothesis at some slots."""
        weights = self._kept_at(slots)
        self._show(weights)
        return weights

    def _in_order(self) -> memoryview[float]:
        """The weights of the hypothesis in the order in which the attributes appeared, a zero without a sign."""
        return self._weights_at(self.attributes.slots())

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        return self._kept(moved(self._weights))

    def _rows_done(self, status: int, learn: bool) -> int:
        """How many rows a kernel has done that ended with this status."""
        if status == kernel.CAPACITY:
            raise AssertionError("buffers do not fit together")
        if status == kernel.OVERFLOW and not learn:
            raise BadData("the sum leaves the range of doubles", row=self._row[kernel.ROW])
        return self._row[kernel.ROW]

    def _why_stopped(self) -> BadData:
        return BadData("the sum or a weight would leave the range of doubles")

    def _check_weights(self, weights: array[Any], scalars: array[Any], count: int) -> None:
        """ValueError for invalid weights of a model file, or for another number of scalars."""
        if weights.typecode != "d" or scalars.typecode != "d" or len(scalars) != count:
            raise ValueError("the weights are not doubles")
        if len(weights) != len(self.attributes):
            raise ValueError("expected one weight per attribute")
        if any(scalar != scalar for scalar in scalars) or not all_finite(weights, scalars[_BIAS : _BIAS + 1]):
            raise ValueError("a weight is not a finite number")

    def _form(self) -> Any:
        weights = frozenset((name, weight) for name, weight in self.weights().items() if weight)
        return ("linear", ">", -self.bias, weights)

    def take_form(self, form: Any) -> bool:
        _, _, bias, weights = form
        held = dict(weights)
        for slot, name in zip(self.attributes.slots(), self.attributes.names(), strict=True):
            self._weights[slot] = held.get(name, self._zero)
        self._scalars[_BIAS] = -bias
        return True

    def _in_words(self, terms: int) -> str:
        from mistakebound.learners.linear._reading import inequality_in_words

        return inequality_in_words(self.top(terms), terms, sum(1 for weight in self._in_order() if weight), self.bias)
