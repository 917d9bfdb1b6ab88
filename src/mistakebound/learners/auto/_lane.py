"""What one label of `auto` has of its own: what the members keep of features, their tables and their shares."""

from __future__ import annotations

from array import array
from operator import le

from mistakebound.core.buffers import zeros
from mistakebound.kernels import _auto_fields as fields
from mistakebound.kernels import auto as kernel
from mistakebound.kernels import auto_lane, coin_betting
from mistakebound.learners.auto._inputs import first_parts, grown, taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows
    from mistakebound.learners.auto._inputs import Arrays, SharedInputs

_FIRST = {
    "singles": 64 * fields.SINGLE, "pairs": fields.PAIR, "triples": fields.TRIPLE,
    "covariances": 3 * fields.TRIANGLE, "full_weights": 3 * fields.FULL, "tables": fields.MEMBERS * fields.TABLE,
    "mixture": fields.MIXTURE, "history": fields.HISTORY * fields.MOMENT,
}  # fmt: skip
_BY_MEMBER = {"covariances": fields.TRIANGLE, "full_weights": fields.FULL}


# How wide what is kept of a feature, a pair, a triple is; where AROWs, coins and rows by label begin.
_KEPT = {
    "singles": (
        fields.SINGLE,
        (fields.W_AROW_ONE, fields.W_FAST, fields.W_SLOW, fields.W_UNIT, fields.W_AROW_TRIPLES),
        (fields.W_COIN, fields.W_COIN_PAIRS, fields.W_COIN_TRIPLES),
        (fields.W_BAYES,),
    ),
    "pairs": (fields.PAIR, (fields.P_AROW,), (fields.P_COIN_PAIRS, fields.P_COIN_TRIPLES), ()),
    "triples": (fields.TRIPLE, (fields.T_AROW,), (fields.T_COIN,), ()),
}
_LONGEST = 2.0**49  # trials: with more, rounding could take more than its wealth from a coin
_LARGEST = 1e50  # of what is learned from trials of weight 1: no stream is as long


class Lane:
    """The members of one label against the rest, over inputs that others may share."""

    def __init__(self) -> None:
        """One that has learned nothing: every member has the same share."""
        self.counts = array("q", bytes(8 * fields.LANE))
        self.counts[fields.NEXT_MOMENT] = 1
        self.arrays: Arrays = {name: zeros("d", size, sparse=True) for name, size in _FIRST.items()}
        for member in range(fields.MEMBERS + 1):
            self.arrays["mixture"][member] = 1 / (fields.MEMBERS + 1)
        self.arrays["mixture"][fields.M_MOST] = 1.0
        self.scores, self.logits = zeros("d", fields.MEMBERS), zeros("d", fields.MEMBERS)
        self.engine = auto_lane.Lane()
        self.hold()
        self.engine.fit_all()

    def hold(self) -> None:
        """The kernel works on the arrays as they are."""
        if not self.engine.holds(self.arrays):
            self.engine.hold(self.arrays, self.counts, self.scores, self.logits)

    def grow(self, counts: array[int], width: int) -> None:
        """Room for what a row of so many entries may bring to inputs with these counts."""
        binned = min(width, fields.BINNED - counts[fields.SAMPLES])
        least = {"singles": (counts[fields.SINGLES] + width + fields.BINS * binned) * fields.SINGLE}
        if self._has(fields.PAIR_BITS):
            least["pairs"] = (counts[fields.PAIRS] + fields.MANY_PAIRS) * fields.PAIR
        if self._has(fields.TRIPLE_BITS) and counts[fields.NOMINALS] <= fields.FEW:
            least["triples"] = (counts[fields.TRIPLES] + fields.MANY_TRIPLES) * fields.TRIPLE
        self.arrays = grown(self.arrays, least)
        self.hold()

    def _has(self, members: int) -> bool:
        """Whether one of these members is awake."""
        return self.counts[fields.ASLEEP] & members != members

    def let_go(self) -> None:
        """What only members that sleep have kept is given back."""
        for name, members in (("pairs", fields.PAIR_BITS), ("triples", fields.TRIPLE_BITS)):
            if not self._has(members) and len(self.arrays[name]) > 0:
                self.arrays = self.arrays | {name: zeros("d", 0)}
        if not self._has(fields.FULL_BITS) and len(self.arrays["covariances"]) > 0:
            self.arrays = self.arrays | {"covariances": zeros("d", 0)}
        self.hold()

    def sleep_where_many(self) -> None:
        """The costly members sleep from now on: there are many labels."""
        self.engine.send_to_sleep(fields.CROWD, fields.MANY_LABELS)
        self.let_go()

    @property
    def has_heard(self) -> bool:
        """Whether a row was of its label."""
        rows: float = self.arrays["mixture"][fields.M_ROWS + 1]
        return rows > 0

    def take(self, other: Lane, counts: array[int]) -> None:
        """The state of another lane over the same inputs, whose counts these are."""
        used = other._used(counts)
        self.counts[:] = other.counts
        self.arrays = {}
        for name, held in other.arrays.items():
            made = zeros("d", len(held), sparse=True)
            for start, size in other._parts(name, counts, used[name]):
                made[start : start + size] = held[start : start + size]
            self.arrays[name] = made
        self.hold()

    # Model files.

    def _used(self, counts: array[int]) -> dict[str, int]:
        """How much of each array is in use."""
        triples = self._has(fields.TRIPLE_BITS) and counts[fields.NOMINALS] <= fields.FEW
        sides = self._sides(counts)
        return {
            "singles": counts[fields.SINGLES] * fields.SINGLE,
            "pairs": counts[fields.PAIRS] * fields.PAIR if self._has(fields.PAIR_BITS) else 0,
            "triples": counts[fields.TRIPLES] * fields.TRIPLE if triples else 0,
            "covariances": sum(side * (side + 1) // 2 for side in sides),
            "full_weights": sum(sides),
            "tables": fields.MEMBERS * fields.TABLE,
            "mixture": fields.MIXTURE,
            "history": self.counts[fields.MOMENTS] * fields.MOMENT,
        }

    def _sides(self, counts: array[int]) -> list[int]:
        """Of the three covariances: how many features each has that is in use."""
        sides = counts[fields.PLACES], counts[fields.FULLS], counts[fields.FULLS]
        return [side if self._has(1 << (fields.FULL_PRODUCTS + k)) else 0 for k, side in enumerate(sides)]

    def _parts(self, name: str, counts: array[int], used: int) -> list[tuple[int, int]]:
        """Where numbers of an array that are in use begin, and how many follow; of covariances, for each member."""
        if name not in _BY_MEMBER:
            return [(0, used)]
        sizes = [side * (side + 1) // 2 if name == "covariances" else side for side in self._sides(counts)]
        return [(member * _BY_MEMBER[name], size) for member, size in enumerate(sizes) if size]

    def saved(self, counts: array[int]) -> dict[str, Any]:
        """For a model file, over inputs with these counts: what is in use."""
        used = self._used(counts)
        found = first_parts(self.arrays, used)
        for name in _BY_MEMBER:
            packed = array("d")
            for start, size in self._parts(name, counts, used[name]):
                packed.frombytes(self.arrays[name][start : start + size].cast("B"))
            found[name] = packed
        return {"lane": self.counts[:]} | found

    def restore(self, given: dict[str, array[Any]], counts: array[int]) -> None:
        """The inverse of `saved`; ValueError where something makes no sense."""
        own = given["lane"]
        if own.typecode != "q" or len(own) != fields.LANE or min(own) < 0:
            raise ValueError("the counts are not those of this learner")
        limits = {fields.ASLEEP: fields.EVERYBODY, fields.CAUSES: 31, fields.MOMENTS: fields.HISTORY}
        if any(own[place] > most for place, most in (limits | {fields.NEXT_MOMENT: 1 << 54}).items()):
            raise ValueError("the counts are too large")
        self.counts[:] = own
        made = taken(given, {name: zeros("d", size) for name, size in _FIRST.items()}, self._used(counts))
        for name, step in _BY_MEMBER.items():
            made[name] = zeros("d", 3 * step, sparse=True)
            at = 0
            for start, size in self._parts(name, counts, len(given[name])):
                made[name][start : start + size] = given[name][at : at + size]
                at += size
        self.arrays = made
        _check(given, counts[fields.TRIALS])
        self.let_go()


def _check(given: dict[str, array[Any]], trials: int) -> None:
    """ValueError for a share that is none, a count below 0, or sums that no trials can have."""
    mixture, asleep = given["mixture"], given["lane"][fields.ASLEEP]
    shares = mixture[: fields.MEMBERS + 1]
    if min(shares) < 0 or not 0.999 < sum(shares) < 1.001 or min(mixture) < 0:
        raise ValueError("the shares of the members are not parts of a whole")
    if any(share and asleep >> member & 1 for member, share in enumerate(shares[: fields.MEMBERS])):
        raise ValueError("a member that sleeps has a share")
    if mixture[fields.M_LEAST] > mixture[fields.M_MOST] or mixture[fields.M_MOST] < 1:
        raise ValueError("the weights of trials are not those of this learner")
    for name, (width, arows, coins, rows) in _KEPT.items():
        # What AROW has spent; a coin's sizes of gradients, its wealth, the largest size; rows.
        sizes = [*(at + 1 for at in arows), *(at + k for at in coins for k in (1, 2, 3))]
        sizes += [at + k for at in rows for k in (0, 1)]
        if any(number < 0 for place in sizes for number in given[name][place::width]):
            raise ValueError(f"a number in {name} is below 0")
        if not all(_are_coins(given[name], first, width) for first in coins):
            raise ValueError(f"a weight in {name} is not the one that its coin makes")
    for first in (fields.W_FAST + 2, fields.W_SLOW + 2):
        if any(not 0 <= last <= trials for last in given["singles"][first :: fields.SINGLE]):
            raise ValueError("an update is later than the last trial")
    tables = given["tables"]
    if any(min(tables[at : at + fields.T_CURVE]) < 0 for at in range(0, fields.MEMBERS * fields.TABLE, fields.TABLE)):
        raise ValueError("a calibration has a count below 0")
    most = _LARGEST * mixture[fields.M_MOST]
    for name in _FIRST:
        if given[name] and (max(given[name]) > most or min(given[name]) < -most):
            raise ValueError(f"a number in {name} is too large")


def _are_coins(kept: array[float], first: int, width: int) -> bool:
    """Whether trials can have made the coins at place `first` of each `width`; any other could come to owe money."""
    columns = [kept[first + k :: width] for k in range(fields.COIN_WEIGHT + 1)]
    total, size, _, most, weight = columns
    coins, made = array("d", bytes(8 * coin_betting.WIDTH * len(total))), array("d", bytes(8 * len(total)))
    for place, column in enumerate(columns[: coin_betting.WIDTH]):
        coins[place :: coin_betting.WIDTH] = column
    coin_betting.weigh(coins, made)
    possible = all(map(le, map(abs, total), size)) and all(map(le, size, (_LONGEST * reach for reach in most)))
    return possible and made.tolist() == weight.tolist()


def engine_of(inputs: SharedInputs, lanes: Sequence[Lane]) -> kernel.Engine:
    """The kernel that plays rows on these lanes."""
    engines = tuple(lane.engine for lane in lanes)
    return kernel.Engine(inputs.row, engines, array("q", map(id, engines)))


def play(
    engine: kernel.Engine,
    inputs: SharedInputs,
    lanes: Sequence[Lane],
    rows: Rows,
    table: AttributeTable,
    labels: Ints,
    predictions: Ints,
    scores: Floats,
    span: tuple[int, int],
    learn: bool,
) -> None:
    """Rows span[0] .. span[1] - 1 on all lanes; labels, predictions and scores have rows.count entries a lane."""
    done, last = span
    batch = rows.batch(inputs.counts, predictions, scores, labels if learn else None, sorts=False)
    numbers = inputs.numbers.of(table)
    while True:
        inputs.hold(8, len(lanes))
        for lane in lanes:
            lane.hold()
        status = engine.run(batch, done, last, numbers, rows.base)
        if status == kernel.OK:
            break
        if status != kernel.GROW:
            raise AssertionError("buffers do not fit together")
        done = inputs.counts[fields.ROW]
        width = rows.indptr[done + 1] - rows.indptr[done]
        inputs.grow(width, len(table))
        for lane in lanes if learn else ():
            lane.grow(inputs.counts, width)
    if learn:
        for lane in lanes:
            lane.let_go()
