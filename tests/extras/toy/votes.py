"""Votes: the perceptron on 0/1 attributes without a bias (Rosenblatt 1958), as an example of a learner in one file."""

from __future__ import annotations

from math import sqrt

from mistakebound.core.atomic import reading
from mistakebound.core.params import Parameter
from mistakebound.learners.linear._additive import AdditiveLearner
from mistakebound.learners.linear.perceptron import NOVIKOFF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any

    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows


class Votes(AdditiveLearner):
    """At a mistake every active attribute casts votes for the label.

    Parameters
    ----------
    votes : int, default 1
        Votes that an attribute casts; >= 1.  They change no prediction.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.

    Notes
    -----
    Algorithm, y = +1 or -1::

        w = 0
        for each trial (x, y):
            predict +1 if the sum of w_i over the active i > 0, else -1
            if the prediction was wrong:
                w_i = w_i + votes * y for all active i

    References
    ----------
    Rosenblatt 1958, The perceptron.  Novikoff 1962, On convergence proofs on perceptrons.

    Examples
    --------
    >>> learner = Votes(labels=("ham", "spam"))
    >>> learner.learn_one({"free", "now"}, "spam"), learner.predict_one({"free"})
    ('ham', 'spam')
    """

    name = "votes"
    summary = "few active attributes that all speak for one label"
    hypothesis_class = "half-spaces"
    search_order = "adds or subtracts the example at a mistake"
    inductive_bias = "a wide margin"
    noise_effect = "is undone by later examples"
    parameters = (Parameter("votes", "integer", 1, at_least=1, grid=(1, 3), help="votes that an attribute casts"),)
    theorems = (NOVIKOFF,)
    assumable = {  # noqa: RUF012 - a constant of the class
        "margin": "least y*(u.x) over the instances, for a unit vector u",
        "radius": "length of the longest instance (default: of those that were mistakes)",
    }
    scores = True
    binary = True
    exact = True
    conservative = True

    def __init__(self, votes: int = 1, labels: Any = None) -> None:
        super().__init__(2, labels, votes=votes)  # the bias, always 0, and the entries of the longest mistake

    @reading
    def facts(self) -> dict[str, Any]:
        return {"start_norm": 0, "weight_ratio": 1} | ({"radius": sqrt(self._scalars[1])} if self._scalars[1] else {})

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        rows, weights = rows.absolute(), self._weights
        for row in range(rows.count):
            slots = rows.slots[rows.indptr[row] : rows.indptr[row + 1]]
            total = sum(weights[slot] for slot in slots)
            if len(scores):
                scores[row] = total
            predictions[row] = int(total > 0)
            if learn and predictions[row] != labels[row]:
                self._scalars[1] = max(self._scalars[1], len(slots))
                for slot in slots:
                    weights[slot] += self.settings["votes"] if labels[row] else -self.settings["votes"]
            self._row[0] = row + 1
        return rows.count

    def _arrays(self) -> dict[str, Any]:
        return {"weights": self.attributes.in_order(self._weights), "scalars": self._scalars}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        self._check_weights(arrays["weights"], arrays["scalars"], 2)
        self._scalars = arrays["scalars"]
        self._keep(self.attributes.by_slot(arrays["weights"]))
