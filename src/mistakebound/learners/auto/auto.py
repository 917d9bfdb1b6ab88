"""A learner that needs no settings: sixteen members over shared features, mixed by their logits."""

from __future__ import annotations

from array import array
from heapq import nsmallest
from math import exp, log, sqrt

from mistakebound.core.atomic import exclusive, reading
from mistakebound.core.attribute_numbers import AttributeNumbers
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.theorem import Condition, Theorem
from mistakebound.kernels import auto as kernel
from mistakebound.learners.auto import _names, _state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

_NO_VALUES = array("d")
_MIXTURE = _state.NAMES.index("mixture")
_V = kernel.MEMBERS + 1
_LARGEST = (kernel.REACH * 2 * kernel.CLIP) ** 2 / 4  # of one term of V


def regret(trials: float, v: float, most: float = 1.0) -> float:
    """What the log loss may be above that of the best fixed mixture; docs/theorems.md has the proof."""
    members, share, root = kernel.MEMBERS + 1, kernel.SHARE, sqrt(1 + v)
    rate = kernel.RATE * sqrt(log(members))
    return (
        log(members / share) * root / rate
        + rate / 2 * (2 * root + most * most * _LARGEST)
        + trials * log(1 / (1 - share)) * root / rate
    )


MIXTURE = Theorem(
    "the mixture theorem",
    source="docs/theorems.md, after Kivinen and Warmuth 1997 and Herbster and Warmuth 1998",
    statement="mistakes <= (loss + R)/(c*ln 2), R the regret of the log loss to the best fixed mixture of the members, "
    "c the smallest weight of a mistake",
    assumes="some fixed mixture of the logits of members that never sleep has a log loss of at most {loss}",
    needs=("loss", "trials", "v", "_least", "_most"),
    conditions=(Condition("loss >= 0", ("loss",), lambda f: f["loss"] >= 0),),
    formula=lambda f: (f["loss"] + regret(f["trials"], f["v"], f["_most"])) / (f["_least"] * log(2)),
    hindsight=True,
)


class Auto(SparseLearner):
    """A learner that needs no settings: sixteen learners over shared features, mixed by their logits.

    Parameters
    ----------
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.
    costs : mapping or None, default None
        Label to cost of a mistake, > 0; 1 where none is given.  A factor of the weights of its examples.

    Notes
    -----
    Features.  An attribute that has only been 0 or 1 is a flag.  Any other is a number: standardised by its mean and
    deviation so far, and as one of 8 and one of 16 bins with equally many of its values; one that stands in less than
    half of the rows is divided by its root mean square.  Flags and bins are nominal, and every two of them in a row
    are a pair, unless the row has more than 48 or the stream more than 1,000.

    Members.  Plain ones, on flags and numbers without bins: AROW (r = 1), passive-aggressive (C = 1), perceptron, coin
    betting, AROW with full covariance (r = 0.1, 1).  With bins: AROW (r = 0.1; two that forget: variances grow back in
    30 and in 300 rows), AROW with full covariance and eight bins (r = 10), naive Bayes by flags and by counts; with
    pairs as well: AROW (r = 0.1), passive-aggressive (C = 0.1), coin betting, naive Bayes.  Those with full covariance
    have the first 300 features, and sleep where there are more than 600.  Members with pairs or full covariance that
    add next to nothing to the logit sleep too: a race ends after 4,096 trials, and whenever the trials have doubled.

    Algorithm::

        w_j = 1/17 for each of 16 members and for one that always says 0;  V = 0
        for each trial (x, y), y = 0 or 1, of weight c (its own times the cost of y, at most 2^20):
            s_j = score of member j;  l_j = its logit by a calibration table of j's scores, within +-6.2
            p = 1/(1 + exp(-1.5 * sum_j w_j * l_j));  predict 1 if p > 1/2
            w_j = w_j * exp(-3 * sqrt(ln(17)/(1 + V)) * c * (p - y) * 1.5 * l_j), then divided by their sum
            w_j = (1 - 0.0003) * w_j + 0.0003/17
            V = V + (1.5 * (max_j l_j - min_j l_j) * c * (p - y))^2 / 4
            every table counts (s_j, y) c times;  every member learns (x, y) with weight c

    Theorem.  If some fixed mixture of the members has a log loss of L, ::

        mistakes <= log loss / ln 2 <= (L + R)/ln 2,   R = O(sqrt(ln(17) * (1 + V)) + 0.0003 * T * sqrt(1 + V))

    docs/theorems.md has R in full and the proof.

    References
    ----------
    Kivinen and Warmuth 1997, Exponentiated gradient versus gradient descent for linear predictors.
    Herbster and Warmuth 1998, Tracking the best expert (the share).
    Orabona and Pál 2016, Coin betting and parameter-free online learning.

    Examples
    --------
    >>> learner = Auto(labels=("ham", "spam"))
    >>> for words, label in (({"free", "now"}, "spam"), ({"lunch", "now"}, "ham")) * 10:
    ...     _ = learner.learn_one(words, label)
    >>> learner.predict_one({"free"}), round(learner.predict_proba_one({"free"})["spam"], 2)
    ('spam', 0.93)
    """

    name = "auto"
    summary = "no settings: sixteen learners over flags, numbers, bins and pairs, mixed by their logits"
    hypothesis_class = "mixtures of linear thresholds and counts"
    search_order = "exponentiated gradient over the members' logits"
    inductive_bias = "some mixture of the members has a small log loss"
    noise_effect = "shifts the shares of the members a little"
    theorems = (MIXTURE,)
    probabilities = True
    counts_zeros = True
    readable = "mixture"
    assumable = {  # noqa: RUF012 - a constant of the class
        "loss": "log loss of some fixed mixture of the members, at most (in nats, over all trials, by weight)",
    }
    weighted = True  # the members' own weighted steps, and a factor of the mixture's gradient

    def __init__(self, labels: Any = None, costs: Any = None) -> None:
        super().__init__(labels, costs)
        self._row = self._counts = _state.new_counts()
        self._arrays_held = _state.new_arrays()
        self._numbers = AttributeNumbers()
        self._width = 0
        self._engine = kernel.Mixture()
        self._hold(8)
        self._engine.fit_all()

    def _hold(self, width: int) -> None:
        """The engine works on the arrays as they are, with room for rows of so many entries."""
        if width > self._width or not self._engine.holds(self._arrays_held):
            self._width = max(width, self._width)
            self._engine.hold(self._arrays_held, self._counts, _state.scratch(self._width))

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        counts, done = self._counts, 0
        values = rows.values if rows.values is not None else _NO_VALUES
        numbers = self._numbers.of(self.attributes)
        while True:
            self._hold(8)
            status = self._engine.run(
                rows.slots, values, rows.indptr, numbers, rows.base, labels, rows.importance, done, rows.count, learn,
                predictions, scores,
            )  # fmt: skip
            if status == kernel.OK:
                return rows.count
            if status != kernel.GROW:
                raise AssertionError("buffers do not fit together")
            done = counts[kernel.ROW]
            width = rows.indptr[done + 1] - rows.indptr[done]
            held = len(self.attributes)
            self._arrays_held = _state.grown(self._arrays_held, counts, width, held)
            self._hold(width + width // 2)

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        """Nothing is kept by slot."""
        return []

    # Probabilities.

    def score_probabilities(self, scores: array[float]) -> array[float]:
        """Of each score, a logit, the probability of the positive label."""
        return array("d", [1 / (1 + exp(-score)) if score >= 0 else exp(score) / (1 + exp(score)) for score in scores])

    def predict_proba_one(self, x: Any, names: Sequence[str] | None = None) -> dict[Any, float]:
        """The probability of either label."""
        negative, positive = self.labels.values
        one = self.score_probabilities(array("d", (self.score_one(x, names),)))[0]
        return {negative: 1.0 - one, positive: one}

    def predict_proba_many(self, X: Any, *, names: Sequence[str] | None = None) -> Any:
        """The probabilities of either label (columns, in the order of `labels.values`) for each row."""
        import numpy as np

        one = np.array(self.score_probabilities(array("d", self.score_many(X, names=names).tolist())))
        return np.column_stack([1.0 - one, one])

    # What it has learned.

    def _held(self, name: str) -> Any:
        return self._arrays_held[_state.NAMES.index(name)]

    @reading
    def shares(self) -> dict[str, float]:
        """The share of each member in the mixture; what is left to 1 is that of "nothing"."""
        mixture = self._arrays_held[_MIXTURE]
        return dict(zip(_names.MEMBERS, mixture[: kernel.MEMBERS], strict=True))

    @reading
    def shares_over_time(self) -> list[tuple[int, dict[str, float]]]:
        """(trial, shares after it) at trials that lie further and further apart."""
        history, found = self._held("history"), []
        for moment in range(self._counts[kernel.MOMENTS]):
            at = moment * kernel.MOMENT
            shares = history[at + 1 : at + 1 + kernel.MEMBERS]
            found.append((int(history[at]), dict(zip(_names.MEMBERS, shares, strict=True))))
        return found

    @property
    def remarks(self) -> list[str]:
        """What is switched off, in words."""
        found = []
        causes, asleep = self._counts[kernel.CAUSES], self._counts[kernel.ASLEEP]
        if causes & kernel.WIDE_ROWS:
            found.append(f"more than {2 * kernel.FULL} features: no full covariance")
        if causes & kernel.NO_PAIRS:
            narrow = self._counts[kernel.NOMINALS] < kernel.NOMINAL
            why = "no rows for them" if narrow else f"more than {kernel.NOMINAL} nominal features"
            found.append(f"{why}: no pairs")
        if self._counts[kernel.SAMPLES] >= kernel.BINNED:
            found.append(f"more than {kernel.BINNED} numbers: no bins for the others")
        if causes & kernel.LOST:
            found.append(f"{asleep.bit_count()} of {kernel.MEMBERS} members sleep, those that lost a race among them")
        return found

    def _single_names(self) -> list[str]:
        held = self._held
        singles = self._counts[kernel.SINGLES]
        return _names.single_names(self.attributes.names(), held("attributes"), held("samples"), singles)

    def _pair_names(self, names: Sequence[str]) -> list[str]:
        counts = self._counts
        return _names.pair_names(
            self._held("singles"), names, self._held("pair_of"), counts[kernel.NOMINALS], counts[kernel.PAIRS]
        )

    def _member_scales(self) -> list[float]:
        """Of each member, its share of the logit for a score of 1, by the mean size of its scores."""
        tables, mixture = self._held("tables"), self._arrays_held[_MIXTURE]
        means = [tables[member * kernel.TABLE + 66] for member in range(kernel.MEMBERS)]
        return [mixture[place] / mean if mean > 0 else 0.0 for place, mean in enumerate(means)]

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """The features that weigh most: the members' weights, each by its share and in units of its mean score."""
        scales = self._member_scales()
        names = self._single_names()
        singles, full = self._held("singles"), self._held("full_weights")
        found = [
            sum(scales[member] * weight for member, weight in _names.member_weights(singles, full, feature).items())
            for feature in range(1, len(names))
        ]
        pairs = self._held("pairs")
        together = [
            sum(scales[member] * weight for member, weight in _names.pair_weights(pairs, pair).items())
            for pair in range(self._counts[kernel.PAIRS])
        ]
        weights = found + together
        places = nsmallest(count, range(len(weights)), key=lambda place: (-abs(weights[place]), place))
        if any(place >= len(found) for place in places):
            names = [*names, *self._pair_names(names)]
        return [(names[1 + place], weights[place] + 0.0) for place in places if weights[place]]

    @exclusive
    def contributions(self, x: Any, names: Sequence[str] | None = None) -> tuple[list[tuple[str, float, float]], float]:
        """What each feature of an instance adds to the logit, (name, value, amount), and what the rest adds.

        The part of a linear member, its share times its logit, is divided among its features in proportion to what
        they add to its score.  The rest is that of the constant and of naive Bayes.
        """
        instance = self._read(x, names)
        self._check(instance)
        self._follow_slots()
        said, score = array("b", (0,)), array("d", (0.0,))
        self._hold(len(instance.names) + len(instance.zeros or ()))
        self._run(self._row_of(instance, add=False), array("b"), said, score, False)
        return self._divided(score[0])

    def _divided(self, logit: float) -> tuple[list[tuple[str, float, float]], float]:
        features, paired, _ = self._engine.shape()
        places, values, pair_places, scores, logits = self._engine.last_row()
        ids = [place // kernel.SINGLE for place in places[:features]]
        pair_ids = [place // kernel.PAIR for place in pair_places[:paired]]
        mixture, singles, full = self._arrays_held[_MIXTURE], self._held("singles"), self._held("full_weights")
        factor = [
            kernel.REACH * mixture[member] * logits[member] / scores[member] if scores[member] else 0.0
            for member in range(kernel.MEMBERS)
        ]
        labels, found = self._single_names(), []
        for place in range(features - 1):
            weights = _names.member_weights(singles, full, ids[place])
            amount = values[place] * sum(factor[member] * weight for member, weight in weights.items())
            found.append((labels[ids[place]], values[place], amount))
        pair_labels = self._pair_names(labels) if paired else []
        for place in range(paired):
            weights = _names.pair_weights(self._held("pairs"), pair_ids[place])
            amount = sum(factor[member] * weight for member, weight in weights.items())
            found.append((pair_labels[pair_ids[place]], 1.0, amount))
        found.sort(key=lambda part: -abs(part[2]))
        return found, logit - sum(amount for _, _, amount in found)

    @reading
    def facts(self) -> dict[str, Any]:
        mixture = self._arrays_held[_MIXTURE]
        least, most = mixture[kernel.M_LEAST] or 1.0, mixture[kernel.M_MOST]
        return {"trials": self._counts[kernel.TRIALS], "v": mixture[_V], "_least": least, "_most": most}

    def declared_facts(self) -> dict[str, Any]:
        return {}

    @reading
    def start(self) -> dict[str, Any]:
        return {"used": True} if self._counts[kernel.TRIALS] else {}

    # Model files.

    def _arrays(self) -> dict[str, Any]:
        held, attributes = self._arrays_held, len(self.attributes)
        if len(self._held("attributes")) < attributes * kernel.ATTRIBUTE:
            self._arrays_held = held = _state.grown(held, self._counts, 0, attributes)
        return _state.saved(held, self._counts, attributes)

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        counts, held = _state.restored(arrays, len(self.attributes))
        self._row = self._counts = counts
        self._arrays_held = held
        self._engine = kernel.Mixture()
        self._hold(8)

    def _form(self) -> Any:
        held = _state.saved(self._arrays_held, self._counts, len(self.attributes))
        return ("auto", tuple(self.attributes.names()), *(bytes(memoryview(values)) for values in held.values()))

    def _in_words(self, terms: int) -> str:
        best = ", ".join(f"{name} ({weight:+.3g})" for name, weight in self.top(min(terms, 5)))
        return f"the mixture of {kernel.MEMBERS} members speaks for it; most by {best or 'nothing yet'}"
