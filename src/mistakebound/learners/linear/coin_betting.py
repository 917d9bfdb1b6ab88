"""Coin betting: Orabona and Pál 2016, a coin for each attribute, logistic gradients; docs/theorems.md has the proof."""

from __future__ import annotations

from array import array
from math import log, pi, sqrt
from operator import le

from mistakebound.core.atomic import reading
from mistakebound.core.buffers import InOrder, all_finite, columns_by_slot, taken_column, zeros
from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Theorem
from mistakebound.kernels import coin_betting as kernel
from mistakebound.learners.linear._additive import WITH_BIAS, AdditiveLearner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

_COLUMNS = ("totals", "sizes", "wealths", "largest")


def regret(f: Mapping[str, Any]) -> float:
    """What the log loss may be above that of u: facts `norm`, `wealth`, `_put` and `_longest`."""
    norm, n = float(f["norm"]), float(f["_longest"])
    return float(f["_put"]) + norm * (1 + sqrt(n * log(1 + pi / 2 * (n * norm / f["wealth"]) ** 2)))


COIN_BETTING = Theorem(
    "the coin-betting theorem",
    source="docs/theorems.md, after Orabona and Pál 2016",
    statement="mistakes <= (loss + p + norm*(1 + sqrt(n*ln(1 + (pi/2)*(n*norm/wealth)^2))))/(c*ln 2), p the money that "
    "was given, n the longest run of gradients in units of the largest, c the smallest weight of a mistake",
    assumes="some vector u, whose weights times the largest values of their attributes sum to at most {norm} in size, "
    "has a log loss of at most {loss}",
    needs=("norm", "loss", "wealth", "_put", "_longest", "_least"),
    formula=lambda f: (f["loss"] + regret(f)) / (f["_least"] * log(2)),
    hindsight=True,
)


class CoinBetting(AdditiveLearner):
    """Coin betting: logistic regression without a learning rate, whatever the units of the attributes.

    Parameters
    ----------
    wealth : float, default 1.0
        What the coin of an attribute begins with; > 0.  The smaller, the later the first large weights.
    bias, labels, costs
        As of `AROW`.

    Notes
    -----
    Every attribute has a coin, and bets on the sign of its gradients.  Algorithm, y = 0 or 1; with the bias x has a
    constant 1 more::

        S_i = G_i = W_i = L_i = 0 and w_i = 0 for all i
        for each trial (x, y) of weight c:       (its own weight times the cost of y)
            p = 1/(1 + exp(-w . x));  predict 1 if w . x > 0
            for each i with x_i other than 0:
                g = c * (y - p) * x_i, cut off at +-L_i unless L_i = 0
                S_i = S_i + g;  G_i = G_i + |g|;  W_i = W_i + g * w_i
                if c * |x_i| > L_i:
                    W_i = W_i + wealth * (1 - L_i/(c * |x_i|));  L_i = c * |x_i|
                w_i = S_i/(G_i + L_i) * W_i/L_i

    Theorem, in hindsight, for weights of 1.  u is any vector with a log loss of L over the trials, U the sum of
    L_i*|u_i|, n the largest 1 + G_i/L_i, and P the money that was given.  Then ::

        mistakes <= log loss / ln 2 <= (L + P + U*(1 + sqrt(n * ln(1 + (pi/2) * (n*U/wealth)^2)))) / ln 2

    It has no learning rate, and no u is excluded.  An attribute in other units changes nothing: its weight changes
    with them.  docs/theorems.md has the proof, with weights.

    References
    ----------
    Orabona and Pál 2016, Coin betting and parameter-free online learning, sections 4 and 5.
    Orabona and Tommasi 2017, Training deep networks without learning rates through coin betting (a coin for each
    coordinate, sums of sizes in the place of time).

    Examples
    --------
    >>> learner = CoinBetting(labels=("ham", "spam"))
    >>> for words, label in (({"free", "now"}, "spam"), ({"lunch", "now"}, "ham")) * 4:
    ...     _ = learner.learn_one(words, label)
    >>> learner.predict_one({"free"}), {name: round(weight, 2) for name, weight in learner.weights().items()}
    ('spam', {'free': 1.01, 'now': -0.02, 'lunch': -1.07})
    >>> learner.bound(norm=4, loss=1).mistakes
    43
    """

    name = "coin-betting"
    summary = "real values in any units, without a learning rate; a logistic model"
    hypothesis_class = "half-spaces"
    search_order = "bets on the sign of each attribute's gradients"
    inductive_bias = "some weights have a small log loss"
    noise_effect = "costs each coin a part of its wealth"
    parameters = (
        Parameter("wealth", "number", 1.0, above=0, grid=(1.0, 0.1), help="what the coin of an attribute begins with"),
        WITH_BIAS,
    )
    theorems = (COIN_BETTING,)
    assumable = {  # noqa: RUF012 - a constant of the class
        "norm": "sum of the weights of a vector u by size, each times the largest value of its attribute (and weight)",
        "loss": "log loss of u, the sum of weight*ln(1 + exp(-y*(u.x))) over the trials, y = +1 or -1",
    }
    weighted = True  # a factor of the gradient

    def __init__(self, wealth: float = 1.0, bias: bool = True, labels: Any = None, costs: Any = None) -> None:
        super().__init__(kernel.SCALARS, labels, costs, wealth=wealth, bias=bias)
        self._coins: memoryview[float] = zeros("d", 0)

    @reading
    def facts(self) -> dict[str, Any]:
        held, scalars = self._coins, self._scalars
        longest = kernel.longest(held, kernel.longest(scalars[kernel.COIN : kernel.COIN + kernel.WIDTH], 1.0))
        known = {"_put": scalars[kernel.PUT], "_longest": longest, "_least": scalars[kernel.LEAST] or 1.0}
        return super().facts() | known

    @reading
    def start(self) -> dict[str, Any]:
        """The theorem counts from weights of 0."""
        return {"used": True} if self._scalars[kernel.PUT] else {}

    def _move(self, moved: Callable[..., memoryview[Any]]) -> list[Change]:
        return [*super()._move(moved), (setattr, self, "_coins", moved(self._coins, width=kernel.WIDTH))]

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        base = rows.base
        status = kernel.run(
            rows.batch(self._row, predictions, scores, labels if learn else None), self._weights[base:],
            self._coins[kernel.WIDTH * base :], self._scalars, self.settings["wealth"], self.settings["bias"],
            rows.table.buffer("drafts", "d", kernel.DRAFT * (rows.widest + 1)),
        )  # fmt: skip
        return self._rows_done(status, learn)

    # Model files.

    def _arrays(self) -> dict[str, Any]:
        slots = self.attributes.slots()
        columns = {
            name: InOrder(self._coins, slots, column=(kernel.WIDTH, place)) for place, name in enumerate(_COLUMNS)
        }
        return columns | {"scalars": self._scalars}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        kept, scalars = [arrays[name] for name in _COLUMNS], arrays["scalars"]
        if any(numbers.typecode != "d" for numbers in (*kept, scalars)) or len(scalars) != kernel.SCALARS:
            raise ValueError("the coins are not doubles")
        if any(len(numbers) != len(self.attributes) for numbers in kept) or not all_finite(*kept, scalars):
            raise ValueError("expected four finite numbers per attribute")
        coins = columns_by_slot(kept, self.attributes.slots(), kernel.WIDTH, self.attributes.capacity)
        weights, own = zeros("d", self.attributes.capacity), array("d", [0.0])
        kernel.weigh(coins, weights)
        kernel.weigh(scalars[kernel.COIN : kernel.COIN + kernel.WIDTH], own)
        own_coin = scalars[kernel.COIN + 1 : kernel.PUT]
        if any(min(column, default=0.0) < 0 for column in (*kept[1:], own_coin, scalars[kernel.LEAST :])):
            raise ValueError("a size, the wealth of a coin or the weight of a mistake is below 0")
        if not all(map(le, map(abs, (*kept[0], scalars[kernel.COIN])), (*kept[1], own_coin[0]))):
            raise ValueError("the sum of an attribute's gradients is larger than that of their sizes")
        if not all_finite(weights) or own[0] != scalars[kernel.BIAS]:
            raise ValueError("a weight is not the one that its coin makes")
        self._scalars, self._coins = scalars, coins
        self._keep(weights)

    def _form(self) -> Any:
        """With the coins: learners with the same weights and other coins will not behave alike."""
        slots = self.attributes.slots()
        columns = [taken_column(self._coins, slots, kernel.WIDTH, place) for place in range(kernel.WIDTH)]
        named = frozenset(zip(self.attributes.names(), *columns, strict=True))
        return ("coin-betting", self.settings["wealth"], named, tuple(self._scalars[kernel.COIN : kernel.PUT]))

    def take_form(self, form: Any) -> bool:
        return False  # money that was given is part of the state, and not of the hypothesis
