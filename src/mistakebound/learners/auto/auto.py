"""A learner that needs no settings: fourteen members over shared features, mixed by their logits."""

from __future__ import annotations

from array import array
from heapq import nlargest
from math import exp, log, sqrt

from mistakebound.core.atomic import exclusive, reading
from mistakebound.core.names import write_name
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.theorem import Condition, Theorem
from mistakebound.kernels import _auto_fields as fields
from mistakebound.kernels import auto_mixture as kernel
from mistakebound.learners.auto import _names
from mistakebound.learners.auto._inputs import SharedInputs
from mistakebound.learners.auto._lane import Lane, engine_of, play

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

LABELS = 20  # above so many the costly members sleep in every lane
_LARGEST = (kernel.REACH * 2 * kernel.CLIP) ** 2 / 4  # of one term of V


def regret(trials: float, v: float, most: float = 1.0) -> float:
    """What the log loss may be above that of the best fixed mixture; docs/theorems.md has the proof."""
    members, share, root = fields.MEMBERS + 1, kernel.SHARE, sqrt(1 + v)
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
    """A learner that needs no settings: fourteen learners over shared features, mixed by their logits.

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
    are a pair, unless the row has more than 48 or the stream more than 1,000; every three of them are a triple, unless
    the row has more than 12 or the stream more than 128.  Every two standardised numbers have a product, unless the
    row has more than 22.  Up to 128 waves are cosines along random directions of the standardised numbers, unless the
    stream has more than 64.

    Members.  Plain ones, on flags and numbers without bins: AROW (r = 1), passive-aggressive (C = 1), coin betting,
    AROW with full covariance (r = 1), and the same with products (r = 0.1) and waves (r = 1).  On raw values, the row
    divided by its length: AROW (r = 0.1).  With bins: two AROW (r = 0.1) that forget, whose variances grow back in 30
    and in 300 rows, AROW with full covariance and eight bins (r = 10), naive Bayes by flags and by counts.  With bins
    and pairs: coin betting; and with triples as well: AROW (r = 0.1), coin betting.  Those with full covariance have
    the first 300 features, and sleep where there are more than 600.  Members with pairs, triples or full covariance
    that add next to nothing to the logit sleep too: a race ends after 4,096 trials, and whenever the trials have
    doubled.

    Algorithm::

        w_j = 1/15 for each of 14 members and for one that always says 0;  V = 0
        for each trial (x, y), y = 0 or 1, of weight c (its own times the cost of y, at most 2^20):
            s_j = score of member j;  l_j = its logit by a calibration table of j's scores, within +-6.2
            p = 1/(1 + exp(-1.5 * sum_j w_j * l_j));  predict 1 if p > 1/2
            w_j = w_j * exp(-3 * sqrt(ln(15)/(1 + V)) * c * (p - y) * 1.5 * l_j), then divided by their sum
            w_j = (1 - 0.0003) * w_j + 0.0003/15
            V = V + (1.5 * (max_j l_j - min_j l_j) * c * (p - y))^2 / 4
            every table counts (s_j, y) c times;  every member learns (x, y) with weight c

    Theorem.  If some fixed mixture of the members has a log loss of L, ::

        mistakes <= log loss / ln 2 <= (L + R)/ln 2,   R = O(sqrt(ln(15) * (1 + V)) + 0.0003 * T * sqrt(1 + V))

    docs/theorems.md has R in full and the proof.

    References
    ----------
    Kivinen and Warmuth 1997, Exponentiated gradient versus gradient descent for linear predictors.
    Herbster and Warmuth 1998, Tracking the best expert (the share).
    Orabona and Pál 2016, Coin betting and parameter-free online learning.
    Rahimi and Recht 2007, Random features for large-scale kernel machines.

    Examples
    --------
    >>> learner = Auto(labels=("ham", "spam"))
    >>> for words, label in (({"free", "now"}, "spam"), ({"lunch", "now"}, "ham")) * 10:
    ...     _ = learner.learn_one(words, label)
    >>> learner.predict_one({"free"}), round(learner.predict_proba_one({"free"})["spam"], 2)
    ('spam', 0.96)
    """

    name = "auto"
    summary = "no settings: fourteen learners over flags, numbers, bins, pairs and triples, mixed by their logits"
    hypothesis_class = "mixtures of linear thresholds and counts"
    search_order = "exponentiated gradient over the members' logits"
    inductive_bias = "some mixture of the members has a small log loss"
    noise_effect = "shifts the shares of the members a little"
    theorems = (MIXTURE,)
    probabilities = True
    counts_zeros = True
    slow = True
    shares_inputs = True
    readable = "mixture"
    assumable = {  # noqa: RUF012 - a constant of the class
        "loss": "log loss of some fixed mixture of the members, at most (in nats, over all trials, by weight)",
    }
    weighted = True  # the members' own weighted steps, and a factor of the mixture's gradient

    def __init__(self, labels: Any = None, costs: Any = None) -> None:
        super().__init__(labels, costs)
        self._inputs = SharedInputs()
        self._row = self._counts = self._inputs.counts
        self._lane = Lane()
        self._engine = engine_of(self._inputs, (self._lane,))
        self._joined = False  # the inputs are another learner's

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        play(
            self._engine, self._inputs, (self._lane,), rows, self.attributes, labels, predictions, scores,
            (0, rows.count), learn,
        )  # fmt: skip
        return rows.count

    # Base learners of one-vs-all, which hear the same rows.

    def _join(self, other: Auto) -> None:
        """Be a lane over the inputs of another one, in its state; from now on `_run_joined` plays both."""
        self._inputs, self._joined = other._inputs, True
        self._row = self._counts = self._inputs.counts
        self._lane.take(other._lane, self._counts)
        self._engine = engine_of(self._inputs, (self._lane,))

    def _run_joined(
        self, members: Sequence[Auto], rows: Rows, heard: Sequence[Ints], said: Ints, scores: Floats, learn: bool
    ) -> None:
        """The rows on all lanes, of which this is one; `heard` are the labels that each hears.

        From the row on in which label LABELS + 1 appears, members with pairs, triples or full covariance sleep.
        """
        lanes = [member._lane for member in members]
        labels, engine = array("b", b"".join(heard) if learn else b""), engine_of(self._inputs, lanes)
        crowded, done = _crowded_from(lanes, heard) if learn else -1, 0
        if crowded >= 0:
            play(engine, self._inputs, lanes, rows, self.attributes, labels, said, scores, (0, crowded), learn)
            self.expect_labels(LABELS + 1, members)
            done = crowded
        play(engine, self._inputs, lanes, rows, self.attributes, labels, said, scores, (done, rows.count), learn)

    def expect_labels(self, count: int, members: Sequence[Auto]) -> None:
        """There are so many labels: members of `members` that so many cannot afford sleep from now on."""
        if count > LABELS:
            for member in members:
                member._lane.sleep_where_many()

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
        return self._lane.arrays[name] if name in self._lane.arrays else self._inputs.arrays[name]

    @reading
    def shares(self) -> dict[str, float]:
        """The share of each member in the mixture; what is left to 1 is that of "nothing"."""
        mixture = self._lane.arrays["mixture"]
        return dict(zip(_names.MEMBERS, mixture[: fields.MEMBERS], strict=True))

    @reading
    def shares_over_time(self) -> list[tuple[int, dict[str, float]]]:
        """(trial, shares after it) at trials that lie further and further apart."""
        history, found = self._held("history"), []
        for moment in range(self._lane.counts[fields.MOMENTS]):
            at = moment * fields.MOMENT
            shares = history[at + 1 : at + 1 + fields.MEMBERS]
            found.append((int(history[at]), dict(zip(_names.MEMBERS, shares, strict=True))))
        return found

    @property
    def remarks(self) -> list[str]:
        """What is switched off, in words."""
        found = []
        causes, asleep = self._lane.counts[fields.CAUSES], self._lane.counts[fields.ASLEEP]
        if causes & fields.WIDE_ROWS:
            found.append(f"more than {2 * fields.FULL} features: no full covariance")
        if causes & fields.NO_PAIRS:
            narrow = self._counts[fields.NOMINALS] < fields.NOMINAL
            why = "no rows for them" if narrow else f"more than {fields.NOMINAL} nominal features"
            found.append(f"{why}: no pairs")
        elif causes & fields.NO_TRIPLES:
            narrow = self._counts[fields.NOMINALS] <= fields.FEW
            why = "no rows for them" if narrow else f"more than {fields.FEW} nominal features"
            found.append(f"{why}: no triples")
        if causes & fields.MANY_LABELS:
            found.append(f"more than {LABELS} labels: no pairs, one full covariance")
        if self._counts[fields.SAMPLES] >= fields.BINNED:
            found.append(f"more than {fields.BINNED} numbers: no bins for the others")
        if causes & fields.LOST:
            found.append(f"{asleep.bit_count()} of {fields.MEMBERS} members sleep, those that lost a race among them")
        return found

    def _single_names(self, wanted: Iterable[int]) -> dict[int, str]:
        held = self._held
        return _names.single_names(self.attributes, held("attributes"), held("samples"), wanted)

    def _crossed_names(self) -> tuple[list[str], list[str], dict[int, str]]:
        """Of pairs, of triples that are in use, and of products by their place."""
        counts, held = self._counts, self._held
        nominals = _names.numbered(held("features"), fields.F_NOMINAL, counts[fields.SINGLES])
        numbers = _names.numbered(held("features"), fields.F_NUMBER, counts[fields.SINGLES])
        names = self._single_names([*nominals.values(), *numbers.values()])
        nominal = [write_name(names[nominals[number]]) for number in range(len(nominals))]
        few = len(nominal) <= fields.FEW
        return (
            _names.pair_names(nominal, held("pair_of"), counts[fields.PAIRS]),
            _names.triple_names(nominal, held("triple_of"), counts[fields.TRIPLES]) if few else [],
            _names.product_names(
                {number: write_name(names[feature]) for number, feature in numbers.items()}, held("product_of")
            ),
        )

    def _member_scales(self) -> list[float]:
        """Of each member, its share of the logit for a score of 1, by the mean size of its scores."""
        tables, mixture = self._held("tables"), self._lane.arrays["mixture"]
        means = [tables[member * fields.TABLE + fields.T_MEAN] for member in range(fields.MEMBERS)]
        return [mixture[place] / mean if mean > 0 else 0.0 for place, mean in enumerate(means)]

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """The features that weigh most: the members' weights, each by its share and in units of its mean score."""
        scales, counts = array("d", self._member_scales()), self._counts
        pairs = min(counts[fields.PAIRS], len(self._held("pairs")) // fields.PAIR)  # none where all of them sleep
        triples = min(counts[fields.TRIPLES], len(self._held("triples")) // fields.TRIPLE)
        if counts[fields.NOMINALS] > fields.FEW:
            triples = 0
        single, pair, triple = (array("d", bytes(8 * size)) for size in (counts[fields.SINGLES], pairs, triples))
        self._lane.engine.weigh(self._inputs.row, scales, single, pair, triple)
        full, places = self._held("full_weights"), sorted(place - 1 for place in self._held("product_of") if place)
        weights = [*single, *pair, *triple, *(scales[fields.FULL_PRODUCTS] * full[place] for place in places)]
        weights[0] = 0.0  # the constant
        sizes = [*map(abs, weights)]
        least = min(nlargest(count, sizes), default=0.0)
        able = [(-size, place) for place, size in enumerate(sizes) if size >= least and size]
        best = sorted(able)[:count]
        names: dict[int, str] = self._single_names(place for _, place in best if place < len(single))
        if len(names) < len(best):
            of_pairs, of_triples, of_products = self._crossed_names()
            crossed = [*of_pairs[:pairs], *of_triples[:triples], *(of_products[place] for place in places)]
            names |= {place: crossed[place - len(single)] for _, place in best if place >= len(single)}
        return [(names[place], weights[place]) for _, place in best]

    @exclusive
    def contributions(self, x: Any, names: Sequence[str] | None = None) -> tuple[list[tuple[str, float, float]], float]:
        """What each feature of an instance adds to the logit, (name, value, amount), and what the rest adds.

        The part of a linear member, its share times its logit, is divided among its features in proportion to what
        they add to its score; waves are one part, of all numbers.  The rest is that of the constant and of naive Bayes.
        """
        instance = self._read(x, names)
        self._check(instance)
        self._follow_slots()
        said, score = array("b", (0,)), array("d", (0.0,))
        self._inputs.hold(len(instance.names) + len(instance.zeros or ()))
        self._run(self._row_of(instance, add=False), array("b"), said, score, False)
        return self._divided(score[0])

    def _divided(self, logit: float) -> tuple[list[tuple[str, float, float]], float]:
        features, units, paired, tripled, placed = self._inputs.row.shape()
        ids, values, of_row, in_row, full_places, full_values = self._inputs.row.last_row()
        scores, logits = self._lane.scores, self._lane.logits
        mixture, singles, full = self._lane.arrays["mixture"], self._held("singles"), self._held("full_weights")
        factor = [
            kernel.REACH * mixture[member] * logits[member] / scores[member] if scores[member] else 0.0
            for member in range(fields.MEMBERS)
        ]

        def weights_of(feature: int) -> dict[int, float]:
            return _names.member_weights(singles, self._held("features"), full, feature)

        def amount(weights: dict[int, float]) -> float:
            return sum(factor[member] * weight for member, weight in weights.items())

        labels = self._single_names(set(ids[: features + units]))
        found: dict[int, tuple[str, float, float]] = {}  # by feature
        for place in range(features - 1):
            feature, value = ids[place], values[place]
            found[feature] = labels[feature], value, value * amount(weights_of(feature))
        for place in range(features, features + units - 1):
            feature, value = ids[place], values[place]
            name, shown, before = found.get(feature, (labels[feature], value, 0.0))
            found[feature] = name, shown, before + value * amount({fields.UNIT: _names.unit_weight(singles, feature)})
        parts = list(found.values())
        of_pairs, of_triples, of_products = self._crossed_names()
        if len(self._held("pairs")):
            pairs = self._held("pairs")
            parts += [(of_pairs[k], 1.0, amount(_names.pair_weights(pairs, k))) for k in of_row[:paired]]
        if len(self._held("triples")):
            triples = self._held("triples")
            parts += [(of_triples[k], 1.0, amount(_names.triple_weights(triples, k))) for k in in_row[:tripled]]
        waved, first, waving = 0.0, self._counts[fields.FIRST_WAVE] - 1, self._counts[fields.WAVING]
        for place, value in zip(full_places[: placed[0]], full_values[: placed[0]], strict=True):
            part = value * amount({fields.FULL_PRODUCTS: full[place]})
            if place in of_products:
                parts.append((of_products[place], value, part))
            elif first <= place < first + waving:
                waved += part
        if waved:
            parts.append(("all numbers together", 1.0, waved))
        parts.sort(key=lambda part: -abs(part[2]))
        return parts, logit - sum(part[2] for part in parts)

    @reading
    def facts(self) -> dict[str, Any]:
        mixture = self._lane.arrays["mixture"]
        least, most = mixture[fields.M_LEAST] or 1.0, mixture[fields.M_MOST]
        return {"trials": self._counts[fields.TRIALS], "v": mixture[fields.M_V], "_least": least, "_most": most}

    def declared_facts(self) -> dict[str, Any]:
        return {}

    @reading
    def start(self) -> dict[str, Any]:
        return {"used": True} if self._counts[fields.TRIALS] else {}

    # Model files.

    def _arrays(self) -> dict[str, Any]:
        return self._inputs.saved(len(self.attributes)) | self._own_arrays()

    def _own_arrays(self) -> dict[str, Any]:
        """Those that no other base learner of one-vs-all shares."""
        return self._lane.saved(self._counts)

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        if not self._joined:
            self._inputs.restore(arrays, len(self.attributes))
        elif "counts" in arrays:
            raise ValueError("a base learner has inputs of its own")
        self._lane.restore(arrays, self._counts)

    def _form(self) -> Any:
        return ("auto", tuple(self.attributes.names()), *(bytes(memoryview(held)) for held in self._arrays().values()))

    def _in_words(self, terms: int) -> str:
        best = ", ".join(f"{name} ({weight:+.3g})" for name, weight in self.top(min(terms, 5)))
        return f"the mixture of {fields.MEMBERS} members speaks for it; most by {best or 'nothing yet'}"


def _crowded_from(lanes: Sequence[Lane], heard: Sequence[Ints]) -> int:
    """The first row behind LABELS labels; -1 where there is none."""
    before = sum(lane.has_heard for lane in lanes)
    firsts = sorted(
        first
        for lane, labels in zip(lanes, heard, strict=True)
        if not lane.has_heard and (first := bytes(labels).find(1)) >= 0
    )
    return firsts[LABELS - before] if before <= LABELS < before + len(firsts) else -1
