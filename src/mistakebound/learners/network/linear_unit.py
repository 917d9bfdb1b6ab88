"""One linear unit: the perceptron training rule, gradient descent, and its stochastic form.

Ma 2019, definitions 4.1 to 4.3; Mitchell 1997, section 4.4.
"""

from __future__ import annotations

import numpy as np

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.facts import MARGIN_AND_RADIUS
from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Condition, Theorem
from mistakebound.learners.linear.perceptron import FROM_A_START as PERCEPTRON_FROM_A_START
from mistakebound.learners.linear.perceptron import NOVIKOFF as PERCEPTRON_THEOREM
from mistakebound.learners.network._dense import UnitLearner
from mistakebound.learners.network._engine import Engine, size_of
from mistakebound.learners.network._parameters import SEED, UNIT_ETA, UNIT_SHUFFLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.ledger import Ledger
    from mistakebound.learners.network.training import Chance

    Floats = npt.NDArray[np.float64]

_RULE = Condition("the rule is the perceptron's", ("rule",), lambda f: f["rule"] == "perceptron")


def _for_the_rule(theorem: Theorem) -> Theorem:
    kept = {name: getattr(theorem, name) for name in ("name", "source", "statement", "assumes", "needs", "formula")}
    return Theorem(**kept, conditions=(_RULE, *theorem.conditions))


NOVIKOFF = _for_the_rule(PERCEPTRON_THEOREM)
FROM_A_START = _for_the_rule(PERCEPTRON_FROM_A_START)


class LinearUnit(UnitLearner):
    """One linear unit: the perceptron training rule for two classes, or least squared error for numbers.

    Parameters
    ----------
    rule : {"perceptron", "gradient", "stochastic"}, default "perceptron"
        How it learns: from mistakes, from all examples at once, or from one example after the other.
    eta : float, default 0.1
        Learning rate; > 0.
    start : float, default 0.0
        Weights start between -start and start; >= 0.
    shuffle : bool, default False
        Another order of the examples in each epoch.
    random_state : int, default 0
        Seed of start and order; >= 0.
    classes : pair or None, default None
        The two labels, with rule="perceptron" only.  None: those of the data.

    Notes
    -----
    Algorithm, x with a constant 1 before it::

        perceptron:  o = 1 if w . x > 0, else -1; t = -1 or 1
                     w = w + eta * (t - o) * x                         after every example
        gradient:    o = w . x; t a number
                     w = w + eta * sum over the examples of (t - o) * x    once per epoch
        stochastic:  o = w . x; t a number
                     w = w + eta * (t - o) * x                         after every example

    Theorem, for rule="perceptron".  The rule is the perceptron with the rate 2*eta.  If some unit vector separates the
    extended instances with a margin > 0, none is longer than R, and the start is 0, ::

        mistakes <= (R / margin) ^ 2

    From a start w0 there are at most |w0|/(eta*margin) mistakes more.  From weights of 0 eta changes no prediction:
    w is kept in units of eta, so that eta causes no rounding.  For the other rules there is no mistake bound; with a
    small enough eta gradient descent comes as near to the least squared error as one likes.

    References
    ----------
    Mitchell 1997, Machine Learning, section 4.4.  Ma 2019, CS3244 notes, definitions 4.1 to 4.3.
    Novikoff 1962, On convergence proofs on perceptrons.

    Examples
    --------
    >>> unit = LinearUnit(rule="stochastic", eta=0.1)
    >>> unit.learn_one([1.0, 2.0], 3.0)  # o = 0, so every weight moves by 0.1 * 3 * x
    0.0
    >>> print(unit.hypothesis)
    0.3 + 0.3*x1 + 0.6*x2
    >>> corner = LinearUnit(rule="perceptron").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])
    >>> corner.predict_many([[1, 1], [1, 0]]), corner.stopped
    (array([ 1, -1]), 'no mistake')
    """

    name = "linear-unit"
    _pair = (-1, 1)
    summary = "one linear unit: the perceptron's rule for two classes, the least squared error for numbers"
    hypothesis_class = "half-spaces"
    search_order = "gradient descent, or the perceptron rule"
    inductive_bias = "smooth interpolation"
    noise_effect = "is averaged"
    parameters = (
        Parameter("rule", "word", "perceptron", words=("perceptron", "gradient", "stochastic"), help="learning rule"),
        UNIT_ETA,
        Parameter("start", "number", 0.0, at_least=0, grid=(0.0,), help="weights start between -start and start"),
        UNIT_SHUFFLE,
        SEED,
    )
    theorems = (NOVIKOFF, FROM_A_START)
    assumable = {  # noqa: RUF012 - a constant of the class
        "margin": "least y*(u.x) over the extended instances, for a unit vector u",
        "radius": "length of the longest extended instance",
    }
    relations = (MARGIN_AND_RADIUS,)

    def __init__(
        self,
        rule: str = "perceptron",
        eta: float = 0.1,
        start: float = 0.0,
        shuffle: bool = False,
        random_state: int = 0,
        classes: Sequence[Any] | None = None,
    ) -> None:
        given = {"rule": rule, "eta": eta, "start": start, "shuffle": shuffle, "random_state": random_state}
        super().__init__(classes, **given)
        self.conservative = self.settings["rule"] == "perceptron"
        self.online = self.settings["rule"] != "gradient"
        if classes is not None and (self.predicts_numbers or len(self.classes) != 2):
            what = "two labels" if not self.predicts_numbers else "None where targets are numbers"
            raise BadParameter(f"classes must be {what}: {classes!r}")

    @property
    def predicts_numbers(self) -> bool:
        return bool(self.settings["rule"] != "perceptron")

    def _new_engine(self, shape: tuple[int, ...], chance: Chance) -> Engine:
        weights = chance.between(size_of(shape), self.settings["start"])
        output = "linear" if self.predicts_numbers else "sign"
        return Engine(shape, weights + 0.0, output=output, eta=self.settings["eta"], unit=self._unit)

    @property
    def _unit(self) -> float:
        """What the weights of the engine are in units of."""
        return float(self.settings["eta"]) if not self.predicts_numbers and self.settings["start"] == 0 else 1.0

    def _weights_shown(self, weights: Floats) -> Floats:
        with np.errstate(over="ignore", under="ignore"):
            shown: Floats = weights * self._unit
        return shown

    def _coded(self, codes: npt.NDArray[Any], outputs: int) -> npt.NDArray[np.float64]:
        return np.ascontiguousarray(2.0 * np.asarray(codes).reshape(-1, 1) - 1.0)

    def _check_targets(self, T: npt.NDArray[np.float64]) -> None:
        if not self.predicts_numbers and not (np.abs(T) == 1).all():
            row = int(np.argmax(np.abs(T[:, 0]) != 1))
            raise BadData(f"y must be -1 or 1 where it is a column of the unit's outputs: {T[row, 0]:g}", row=row)

    def _learn_rows(self, X: Any, y: list[Any], ledger: Ledger | None = None) -> list[Any]:
        if not self.online:
            raise BadParameter("rule must be 'perceptron' or 'stochastic' to learn one by one: 'gradient'")
        return super()._learn_rows(X, y, ledger)

    def facts(self) -> dict[str, Any]:
        """The rule moves by eta (t - o) = 2 eta y at a mistake: it is the perceptron with twice the rate."""
        known = {"rule": self.settings["rule"], "eta": 2 * self.settings["eta"], "start_norm": 0}
        return known | {"weight_ratio": 1, "weight_least": 1}

    def start(self) -> dict[str, Any]:
        engine = self._engine
        if engine is None and self.settings["start"] == 0:
            return {}
        if engine is None:
            return {"used": True}  # the start is drawn when the first instance says how many weights there are
        norm = float(np.linalg.norm(self._weights_shown(engine.weights)))
        return {"start_norm": norm} if norm else {}

    def state_form(self) -> Any:
        """`_form`, with the weights as they are kept."""
        engine = self._engine
        return self._form() if engine is None else (*self._form()[:-1], (engine.weights + 0.0).tobytes())

    def _state(self) -> dict[str, Any]:
        return super()._state() | {"unit": self._unit}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        super()._restore_state(arrays, state)
        if state.get("unit", 1.0) != self._unit:
            raise ValueError("the weights are not in units of eta")

    def _in_words(self, terms: int) -> str:
        if self._engine is None:
            return "nothing yet"
        row = self.weights[0][0]
        parts = [f"{row[0]:g}"] if row[0] else []
        parts += [f"{weight:g}*x{place}" for place, weight in enumerate(row[1:], 1) if weight]
        text = " + ".join(parts or ["0"])
        return text if self.predicts_numbers else f"{text} > 0"
