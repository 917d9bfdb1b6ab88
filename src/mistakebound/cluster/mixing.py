"""Iterative parameter mixing: shards learn from the same weights, and what they learned becomes one state.

McDonald, Hall and Mann 2010, Distributed training strategies for the structured perceptron, section 3.3.  A shard's
share is its part of the mistakes of the pass.  Weights (perceptrons, passive-aggressive) and votes (balanced Winnow)
are averaged by shares; so are Winnow's exponents, which stay whole numbers; AROW's weights are averaged by precision.
"""

from __future__ import annotations

import numpy as np

from mistakebound.cluster.state import State, united
from mistakebound.core.errors import BadParameter
from mistakebound.learners import registry
from mistakebound.learners.linear.exponents import start_exponent
from mistakebound.learners.linear.powers import WIDTHS, bias_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.cluster.state import Delta

    Numbers = npt.NDArray[Any]

_UNIT = 2.0**64  # kernels/averaging.py keeps its sums as so many times less
_ELIMINATED = 1  # a code of Winnow's that is no weight
_SMALLEST, _LARGEST, _SUM, _MEAN = range(4)
_SCALARS = {  # by learner, how each of its few numbers is made of those of the shards
    "perceptron": (_MEAN, _LARGEST, _SMALLEST, _LARGEST),
    "averaged-perceptron": (_MEAN, _LARGEST, _SMALLEST, _LARGEST),
    "passive-aggressive": (_MEAN, _LARGEST, _SMALLEST, _SMALLEST),
    "arow": (_MEAN, _MEAN, _SUM, _SUM, _SMALLEST, _LARGEST),  # the first two by precision
    "balanced-winnow": (_MEAN, _LARGEST, _SUM, _SMALLEST, _LARGEST),
}


def refuse_unmixed(learner: Any) -> None:
    """BadParameter for a learner whose shards cannot be mixed."""
    base = learner.base_learner if learner.name == "one-vs-all" else learner
    if base.inner is not None:
        raise BadParameter("cross, negate, reduce and standardize are not supported on a cluster")
    if base.name not in _MIXED:
        listed = f"{', '.join(_MIXED)} and one-vs-all over one of these"
        raise BadParameter(
            f"{base.name} cannot be learned on a cluster; those that can are {listed}, which are mixed, "
            "and naive-bayes, gaussian-means and decision-tree, which are counted"
        )
    if base.settings.get("covariance") == "full":
        raise BadParameter("arow with covariance = full cannot be learned on a cluster: use covariance = diagonal")
    if base.brings_weights:
        raise BadParameter("start must be a number on a cluster, not a weight for each attribute")


class Shards:
    """What the shards of a pass have learned since `known`, and how many mistakes each made."""

    def __init__(self, known: State, deltas: Sequence[Delta], mistakes: Sequence[int]) -> None:
        self.known, self.places = united(known, deltas)
        self.seen_before = len(known.keys)
        self.deltas = deltas
        # Without a mistake anywhere, but with narrow successes, all count alike.
        self.mistakes = list(mistakes) if any(mistakes) else [1] * len(deltas)
        total = sum(self.mistakes)
        self.shares = [count / total for count in self.mistakes]

    def changes(self, name: str) -> list[tuple[Any, Numbers]]:
        """Of every shard: places in an array, and its numbers there."""
        return [(places, delta.values[name]) for places, delta in zip(self.places, self.deltas, strict=True)]

    def touched(self) -> npt.NDArray[np.bool_]:
        found = np.zeros(len(self.known.keys), bool)
        for places in self.places:
            found[places] = True
        return found

    def mean(self, name: str) -> Numbers:
        """The numbers that are known, and each shard's change of them by its share."""
        known = self.known.arrays[name]
        change = np.zeros(len(known))
        for share, (places, values) in zip(self.shares, self.changes(name), strict=True):
            change[places] += share * (values - known[places])
        return known + change

    def sum(self, name: str) -> Numbers:
        """The numbers that are known, and all changes of them."""
        known = self.known.arrays[name]
        total = known.copy()
        for places, values in self.changes(name):
            total[places] += values - known[places]
        return total

    def scalars(self, name: str, rules: tuple[int, ...]) -> Numbers:
        known, found = self.known.arrays[name], self.known.arrays[name].copy()
        theirs = [delta.short[name] for delta in self.deltas]
        for place, rule in enumerate(rules):
            numbers = [float(values[place]) for values in theirs]
            if rule == _SMALLEST:  # 0 stands for "none yet"
                found[place] = min((number for number in numbers if number), default=0.0)
            elif rule == _LARGEST:
                found[place] = max(numbers)
            else:
                shares = self.shares if rule == _MEAN else [1.0] * len(numbers)
                change = 0.0
                for share, number in zip(shares, numbers, strict=True):
                    change += share * (number - known[place])
                found[place] = known[place] + change
        return found


def mix_shards(shards: Shards) -> State:
    """The state that a pass ends with."""
    known, deltas = shards.known, shards.deltas
    arrays: dict[str, Numbers] = {}
    states = []
    for number, (prefix, kind, _) in enumerate(known.members()):
        theirs = [State(delta.header, known.keys, known.texts, known.arrays).members()[number][2] for delta in deltas]
        found, state = _MIXED[kind](shards, prefix, theirs)
        arrays |= {prefix + name: values for name, values in found.items()}
        states.append(state)
    header = dict(known.header)
    header["state"] = states[0] if header["learner"] != "one-vs-all" else known.header["state"] | {"members": states}
    return State(header, known.keys, known.texts, {name: arrays[name] for name in known.arrays})


def _additive(shards: Shards, prefix: str, states: list[dict[str, Any]], kind: str) -> tuple[Any, dict[str, Any]]:
    scalars = shards.scalars(f"{prefix}scalars", _SCALARS[kind])
    return {"weights": shards.mean(f"{prefix}weights"), "scalars": scalars}, states[0]


def _averaged(shards: Shards, prefix: str, states: list[dict[str, Any]]) -> tuple[Any, dict[str, Any]]:
    """The average goes over the weights of all trials of all shards: their sum is T*w - u (kernels/averaging.py)."""
    found, _ = _additive(shards, prefix, states, "averaged-perceptron")
    prior = next(own for key, _, own in shards.known.members() if key == prefix)["trials"]
    trials = prior + sum(state["trials"] - prior for state in states)

    def sums(w0: Any, u0: Any, now: Any, theirs: list[tuple[Any, Any, Any]]) -> Any:
        u = u0 + trials / _UNIT * (now - w0)
        for (places, w, own), state in zip(theirs, states, strict=True):
            u[places] -= state["trials"] / _UNIT * (w - w0[places]) - (own - u0[places])
        return u

    weights, kept, arrays = f"{prefix}weights", f"{prefix}sums", shards.known.arrays
    pairs = zip(shards.changes(weights), shards.changes(kept), strict=True)
    found["sums"] = sums(arrays[weights], arrays[kept], found["weights"], [(p, w, u) for (p, w), (_, u) in pairs])
    bias, bias_sum = f"{prefix}scalars", f"{prefix}bias_sum"
    own = [(slice(0, 1), delta.short[bias][:1], delta.short[bias_sum]) for delta in shards.deltas]
    found["bias_sum"] = sums(arrays[bias][:1], arrays[bias_sum], found["scalars"][:1], own)
    return found, states[0] | {"trials": trials}


def _by_precision(shards: Shards, prefix: str, states: list[dict[str, Any]]) -> tuple[Any, dict[str, Any]]:
    """The mean of the weights by precision, and the mean precision, of those shards that have learned an attribute.

    One that a single shard knows keeps that shard's step.  Precisions are not added up: each shard has explained the
    same labels, so after the mean step of all the precision of all would make later steps too short.
    """
    weights, spent, arrays = f"{prefix}weights", f"{prefix}spent", shards.known.arrays

    def moved(w0: Numbers, s0: Numbers, theirs: list[tuple[Any, Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
        learned, gain, total, change = (np.zeros(len(w0)) for _ in range(4))
        for places, w, s in theirs:
            gained = s - s0[places]
            learned[places] += gained > 0
            gain[places] += gained
            total[places] += np.where(gained > 0, 1.0 + s, 0.0)
            change[places] += (1.0 + s) * (w - w0[places])
        learned[learned == 0] = total[total == 0] = 1.0
        return w0 + change / total, s0 + gain / learned

    pairs = zip(shards.changes(weights), shards.changes(spent), strict=True)
    w, s = moved(arrays[weights], arrays[spent], [(places, w, s) for (places, w), (_, s) in pairs])
    scalars, known = shards.scalars(f"{prefix}scalars", _SCALARS["arow"]), arrays[f"{prefix}scalars"]
    few = [delta.short[f"{prefix}scalars"] for delta in shards.deltas]
    bias = moved(known[:1], known[1:2], [(slice(0, 1), own[:1], own[1:2]) for own in few])
    scalars[:1], scalars[1:2] = bias
    return {"weights": w, "spent": s, "sums": shards.sum(f"{prefix}sums"), "scalars": scalars}, states[0]


def _votes(shards: Shards, prefix: str, states: list[dict[str, Any]]) -> tuple[Any, dict[str, Any]]:
    scalars = shards.scalars(f"{prefix}scalars", _SCALARS["balanced-winnow"])
    return {"votes": shards.mean(f"{prefix}votes"), "scalars": scalars}, states[0]


def _exponents(shards: Shards, prefix: str, states: list[dict[str, Any]]) -> tuple[Any, dict[str, Any]]:
    """The mean change of an exponent by mistakes, rounded away from 0; what one shard eliminated is eliminated.

    So an attribute that every shard promoted is promoted, and no pass with mistakes changes nothing.
    """
    name, size = f"{prefix}cells", len(shards.known.keys)
    parameters = _parameters(shards.known)
    grows, two = parameters["n"] is None, parameters["alpha"] == 2.0
    scaled = grows and not two
    known, starts, gone = _codes(shards.known.arrays, prefix, scaled, two and grows)
    votes, widest = np.zeros(size, np.int64), shards.known.arrays[name].dtype.itemsize
    for count, delta, places in zip(shards.mistakes, shards.deltas, shards.places, strict=True):
        exponents, _, eliminated = _codes(delta.values, prefix, scaled, two and grows)
        votes[places] += np.where(eliminated, 0, count * (exponents - known[places]))
        gone[places] |= eliminated
        widest = max(widest, delta.values[name].dtype.itemsize)
    total = sum(shards.mistakes)
    exponents = known + np.sign(votes) * -(-np.abs(votes) // total)
    if grows:  # as if the attributes had appeared one after another
        new = range(shards.seen_before, size)
        starts[shards.seen_before :] = [start_exponent(number + 1) for number in new]
    raw = exponents - starts if two and grows else exponents
    least, most = min(raw.min(initial=0), 0), max(raw.max(initial=0), 0)
    shift = next(s for s in WIDTHS if s >= 8 * widest >> scaled and 2 - bias_of(s) < least and most < bias_of(s) - 1)
    codes = np.where(gone, _ELIMINATED, raw + bias_of(shift)).astype(np.uint64)
    if scaled:
        codes |= starts.astype(np.uint64) << np.uint64(shift)
    found: dict[str, Numbers] = {"cells": codes.astype("BHIQ"[WIDTHS.index(shift) + scaled])}
    if two and grows:
        found["starts"] = starts.astype(np.uint8)
    heard = [state for state in states if state["most"]]
    least = min((state["least"] for state in heard), default=0)
    return found, {"least": least, "most": max((state["most"] for state in heard), default=0)}


def _parameters(state: State) -> dict[str, Any]:
    """Those of the Winnow in hand: of one-vs-all the base learner's."""
    learner: Any = registry.find(state.header["learner"])(**state.header["parameters"])
    learner = learner.base_learner if learner.many_classes else learner
    return {"n": learner.settings["n"], "alpha": learner.alpha}


def _codes(arrays: dict[str, Numbers], prefix: str, scaled: bool, apart: bool) -> tuple[Numbers, Numbers, Numbers]:
    """Exponents beyond the start weight, start exponents, and whether a weight is gone; a cell of 0 is unseen."""
    cells = arrays[f"{prefix}cells"]
    shift = 8 * cells.dtype.itemsize >> scaled
    wide = cells.astype(np.int64)
    codes = wide & ((1 << shift) - 1)
    starts = wide >> shift if scaled else np.zeros(len(wide), np.int64)
    if apart:
        starts = arrays[f"{prefix}starts"].astype(np.int64)
    gone = codes == _ELIMINATED
    exponents = np.where(codes > _ELIMINATED, codes - bias_of(shift) + (starts if apart else 0), 0)
    return exponents, starts.copy(), gone


_MIXED: dict[str, Callable[[Shards, str, list[dict[str, Any]]], tuple[Any, dict[str, Any]]]] = {
    "perceptron": lambda shards, prefix, states: _additive(shards, prefix, states, "perceptron"),
    "averaged-perceptron": _averaged,
    "passive-aggressive": lambda shards, prefix, states: _additive(shards, prefix, states, "passive-aggressive"),
    "arow": _by_precision,
    "balanced-winnow": _votes,
    "winnow1": _exponents,
    "winnow2": _exponents,
}
