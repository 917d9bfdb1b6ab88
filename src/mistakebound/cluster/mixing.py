"""Iterative parameter mixing: shards learn from the same weights, and what they learned becomes one state.

McDonald, Hall and Mann 2010, Distributed training strategies for the structured perceptron, section 3.3.  A shard's
share is its part of the mistakes of the pass.  Weights (perceptrons, passive-aggressive) and votes (balanced Winnow)
are averaged by shares, AROW's weights by precision; Winnow's steps are added up, as far as they do not say the same.
"""

from __future__ import annotations

from functools import partial
from math import log

import numpy as np

from mistakebound.cluster.state import State, united
from mistakebound.core.errors import BadParameter
from mistakebound.learners import registry
from mistakebound.learners.linear.powers import WIDTHS, bias_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.cluster.state import Delta

    Numbers = npt.NDArray[Any]
    Changes = list[tuple[npt.NDArray[np.int64], Numbers]]  # of every shard: places in an array, its numbers there
    States = list[dict[str, Any]]
    Mixed = tuple[dict[str, Numbers], dict[str, Any]]  # arrays and state

_UNIT = 2.0**64  # kernels/averaging.py keeps its sums as so many times less
_ELIMINATED = 1  # a code of Winnow's that is no weight


def _smallest(numbers: list[float], known: float) -> float:
    return min(filter(None, numbers), default=0.0)  # 0 stands for "none yet"


def _largest(numbers: list[float], known: float) -> float:
    return max(numbers)


def _sum(numbers: list[float], known: float) -> float:
    change = 0.0
    for number in numbers:
        change += number - known
    return known + change


# By learner, how each of its few numbers is made of those of the shards; the first ones (None) go with the attributes.
_SCALARS: dict[str, tuple[Callable[[list[float], float], float] | None, ...]] = {
    "perceptron": (None, _largest, _smallest, _largest),
    "averaged-perceptron": (None, _largest, _smallest, _largest),
    "passive-aggressive": (None, _largest, _smallest, _smallest),
    "arow": (None, None, _sum, _sum, _smallest, _largest),
    "balanced-winnow": (None, _largest, _sum, _smallest, _largest),
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


def step_length(learner: Any, shards: int, pass_number: int, passes: int) -> int:
    """How often each shard takes the step of a mistake.

    Winnow's weights rise from small ones to a threshold that is given: shards that are averaged would need as many
    times more passes for that as they are.  So they take longer steps in the first pass, and in the second one if it is
    not the last: behind long steps weights are still too high or too low.
    """
    base = learner.base_learner if learner.name == "one-vs-all" else learner
    if _MIXED[base.name] is not _by_exponents:
        return 1
    return min(shards, 8 if pass_number == 1 else 4 if pass_number == 2 < passes else 1)


class Shards:
    """What the shards of a pass have learned since `known` by steps of some length, and the mistakes of each."""

    def __init__(self, known: State, deltas: Sequence[Delta], mistakes: Sequence[int], step: int = 1) -> None:
        self.known, self.places = united(known, deltas)
        self.seen_before = len(known.keys)
        self.deltas = deltas
        self.step = step
        # Without a mistake anywhere, but with narrow successes, all count alike.
        self.mistakes = list(mistakes) if any(mistakes) else [1] * len(deltas)

    def changes(self, name: str, few: str, place: int) -> tuple[Numbers, Changes]:
        """An array, and every shard's changes of it; the last number is the bias, at a place of the array `few`."""
        arrays = self.known.arrays
        known = np.append(arrays[name], arrays[few][place])
        return known, [
            (np.append(places, len(known) - 1), np.append(delta.values[name], delta.short[few][place]))
            for places, delta in zip(self.places, self.deltas, strict=True)
        ]

    def scalars(self, name: str, kind: str) -> Numbers:
        found = self.known.arrays[name].copy()
        for place, rule in enumerate(_SCALARS[kind]):
            if rule is not None:
                found[place] = rule([float(delta.short[name][place]) for delta in self.deltas], float(found[place]))
        return found

    def mean(self, known: Numbers, changes: Changes) -> Numbers:
        """The numbers that are known, and each shard's change of them by its share."""
        change, total = np.zeros(len(known)), sum(self.mistakes)
        for count, (places, values) in zip(self.mistakes, changes, strict=True):
            change[places] += count / total * (values - known[places])
        mixed: Numbers = known + change
        return mixed


def mix_shards(shards: Shards) -> State:
    """The state that a pass ends with."""
    known = shards.known
    theirs = [State(delta.header, known.keys, known.texts, known.arrays).members() for delta in shards.deltas]
    arrays: dict[str, Numbers] = {}
    states = []
    for number, (prefix, kind, _) in enumerate(known.members()):
        found, state = _MIXED[kind](shards, prefix, [members[number][2] for members in theirs])
        arrays |= {prefix + name: values for name, values in found.items()}
        states.append(state)
    header = dict(known.header)
    header["state"] = states[0] if header["learner"] != "one-vs-all" else known.header["state"] | {"members": states}
    return State(header, known.keys, known.texts, {name: arrays[name] for name in known.arrays})


def _by_shares(name: str, kind: str, shards: Shards, prefix: str, states: States) -> Mixed:
    scalars = shards.scalars(f"{prefix}scalars", kind)
    weights = shards.mean(*shards.changes(prefix + name, f"{prefix}scalars", 0))
    scalars[0] = weights[-1]
    return {name: weights[:-1], "scalars": scalars}, states[0]


def _averaged(shards: Shards, prefix: str, states: States) -> Mixed:
    """The average goes over the weights of all trials of all shards: their sum is T*w - u (kernels/averaging.py)."""
    found, _ = _by_shares("weights", "averaged-perceptron", shards, prefix, states)
    prior = next(own for key, _, own in shards.known.members() if key == prefix)["trials"]
    trials = prior + sum(state["trials"] - prior for state in states)
    before, weights = shards.changes(f"{prefix}weights", f"{prefix}scalars", 0)
    sums, theirs = shards.changes(f"{prefix}sums", f"{prefix}bias_sum", 0)
    u = sums + trials / _UNIT * (np.append(found["weights"], found["scalars"][0]) - before)
    for state, (places, w), (_, own) in zip(states, weights, theirs, strict=True):
        u[places] -= state["trials"] / _UNIT * (w - before[places]) - (own - sums[places])
    return found | {"sums": u[:-1], "bias_sum": u[-1:]}, states[0] | {"trials": trials}


def _by_precision(shards: Shards, prefix: str, states: States) -> Mixed:
    """The mean of the weights by precision, and the mean precision, of those shards that have learned an attribute.

    One that a single shard knows keeps that shard's step.  Precisions are not added up: each shard has explained the
    same labels, so after the mean step of all the precision of all would make later steps too short.
    """
    w0, weights = shards.changes(f"{prefix}weights", f"{prefix}scalars", 0)
    s0, spent = shards.changes(f"{prefix}spent", f"{prefix}scalars", 1)
    learned, gain, total, change = (np.zeros(len(w0)) for _ in range(4))
    sums = shards.known.arrays[f"{prefix}sums"].copy()
    for (places, w), (_, s), delta in zip(weights, spent, shards.deltas, strict=True):
        gained = s - s0[places]
        learned[places] += gained > 0
        gain[places] += gained
        total[places] += np.where(gained > 0, 1.0 + s, 0.0)
        change[places] += (1.0 + s) * (w - w0[places])
        own = places[:-1]
        sums[own] += delta.values[f"{prefix}sums"] - shards.known.arrays[f"{prefix}sums"][own]
    learned[learned == 0] = total[total == 0] = 1.0
    w, s = w0 + change / total, s0 + gain / learned
    scalars = shards.scalars(f"{prefix}scalars", "arow")
    scalars[:2] = w[-1], s[-1]
    return {"weights": w[:-1], "spent": s[:-1], "sums": sums, "scalars": scalars}, states[0]


def _by_exponents(shards: Shards, prefix: str, states: States) -> Mixed:
    """Steps of an exponent added up, divided by their length, or by how many shards took some if those are more.

    So what t shards promote by one step each, t at most the length, is promoted t times, as one stream would do it; and
    what all of them promote as far as they need to is promoted so far once.  What one shard eliminated is eliminated.
    """
    known, size = shards.known.arrays, len(shards.known.keys)
    learner: Any = registry.find(shards.known.header["learner"])(**shards.known.header["parameters"])
    learner = learner.base_learner if learner.many_classes else learner
    apart = f"{prefix}starts" in known  # else a start weight is part of the cell, or all are the same
    scaled = learner.settings["n"] is None and not apart
    before, starts, gone = _codes(known, prefix, scaled)
    theirs = [_codes(delta.values, prefix, scaled) for delta in shards.deltas]
    starts[shards.seen_before :] = np.iinfo(np.uint8).max
    for places, (_, own, _) in zip(shards.places, theirs, strict=True):
        starts[places] = np.minimum(starts[places], own)
    steps, changed, start = np.zeros(size), np.zeros(size), log(2.0) / log(learner.alpha)
    for places, (exponents, own, eliminated) in zip(shards.places, theirs, strict=True):
        moved = ~eliminated & (exponents != before[places])
        steps[places] += moved * (exponents - before[places] - (own - starts[places]) * start)
        changed[places] += moved
        gone[places] |= eliminated
    raw = before + np.rint(steps / np.maximum(changed, shards.step)).astype(np.int64) - (starts if apart else 0)
    least, most = min(raw.min(initial=0), 0), max(raw.max(initial=0), 0)
    widest = max(arrays[f"{prefix}cells"].itemsize for arrays in (known, *(delta.values for delta in shards.deltas)))
    shift = next(s for s in WIDTHS if s >= 8 * widest >> scaled and 2 - bias_of(s) < least and most < bias_of(s) - 1)
    codes = np.where(gone, _ELIMINATED, raw + bias_of(shift))
    if scaled:
        codes |= starts << shift
    found: dict[str, Numbers] = {"cells": codes.astype("BHIQ"[WIDTHS.index(shift) + scaled])}
    if apart:
        found["starts"] = starts.astype(np.uint8)
    ever = [state for state in states if state["most"]]
    return found, {
        "least": min((state["least"] for state in ever), default=0),
        "most": max((state["most"] for state in ever), default=0),
    }


def _codes(arrays: dict[str, Numbers], prefix: str, scaled: bool) -> tuple[Numbers, Numbers, Numbers]:
    """Exponents beyond the start weight, start exponents, and whether a weight is gone; a cell of 0 is unseen."""
    cells, apart = arrays[f"{prefix}cells"], arrays.get(f"{prefix}starts")
    shift = 8 * cells.itemsize >> scaled
    wide = cells.astype(np.int64)
    codes = wide & ((1 << shift) - 1)
    starts = wide >> shift if apart is None else apart.astype(np.int64)
    exponents = np.where(codes > _ELIMINATED, codes - bias_of(shift) + (0 if apart is None else starts), 0)
    return exponents, starts, codes == _ELIMINATED


_MIXED: dict[str, Callable[[Shards, str, States], Mixed]] = {
    "perceptron": partial(_by_shares, "weights", "perceptron"),
    "averaged-perceptron": _averaged,
    "passive-aggressive": partial(_by_shares, "weights", "passive-aggressive"),
    "arow": _by_precision,
    "balanced-winnow": partial(_by_shares, "votes", "balanced-winnow"),
    "winnow1": _by_exponents,
    "winnow2": _by_exponents,
}
