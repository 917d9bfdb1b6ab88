"""Numbers as the bins that they fall into, before a learner sees them."""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import isfinite
from urllib.parse import quote, unquote

import numpy as np

from mistakebound.core.block import Block
from mistakebound.core.buffers import view
from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.core.instance import not_binary
from mistakebound.core.names import IDS
from mistakebound.core.params import Parameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.spread import FeatureMoments
from mistakebound.io.bins import MOST_BINS, bin_names
from mistakebound.transforms.transform import Transform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from mistakebound.core.rows import Rows

_FORM = "a mapping of attributes to ascending cuts, such as {'age': [18, 64.5]}"


class CutsParameter(Parameter):
    """The value is a text with all cuts, as a model file and the text of an ensemble's member have it.

    >>> cuts = CutsParameter("cuts", "word", help="where attributes are cut")
    >>> cuts.check({"age": [18, 64.5], "a b": (0,)})
    'age:18:64.5;a%20b:0'
    >>> cuts_of(cuts.check("age:18:64.5;a%20b:0"))
    {'age': [18.0, 64.5], 'a b': [0.0]}
    """

    __slots__ = ()

    def check(self, value: Any) -> str:
        if isinstance(value, str):
            try:
                value = cuts_of(value)
            except ValueError:
                value = {}
        if not hasattr(value, "items") or not len(value):
            raise BadParameter(f"{self.name} must be {_FORM}: {shown(value)}")
        texts = []
        for name, given in value.items():
            if not isinstance(name, str):
                raise BadParameter(f"{self.name} must be {_FORM}: {name!r} is not a name")
            cuts = _cuts(given)
            if not cuts or len(cuts) >= MOST_BINS or any(low >= high for low, high in pairwise(cuts)):
                rule = f"ascending numbers, fewer than {MOST_BINS}, such as [18, 64.5]"
                raise BadParameter(f"{self.name} of {name!r} must be {rule}: {shown(given)}")
            texts.append(":".join([quote(name, safe=""), *(repr(cut).removesuffix(".0") for cut in cuts)]))
        return ";".join(texts)

    def parse(self, text: str) -> str:
        return self.check(text)


def _cuts(given: Any) -> list[float]:
    """Numbers as doubles; none where one is not a finite number."""
    try:
        found = [float(cut) + 0.0 for cut in given if not isinstance(cut, (str, bytes))]
    except (TypeError, ValueError, OverflowError):
        return []
    return found if len(found) == len(given) and all(map(isfinite, found)) else []


def cuts_of(text: str) -> dict[str, list[float]]:
    """The cuts that a text of `CutsParameter` says."""
    parts = [part.split(":") for part in text.split(";")]
    return {unquote(name): [float(cut) for cut in cuts] for name, *cuts in parts}


class Binned(Transform):
    """A learner behind bins of numbers: what `bins` returns.

    The features are the bins of the cut attributes, in their order, and behind them all other attributes as they are.

    Parameters
    ----------
    learner : learner
        A new learner, which is not changed.
    cuts : mapping
        Attribute to its ascending cuts.

    Examples
    --------
    >>> import mistakebound as mb
    >>> Binned(mb.Winnow2(), {"age": [18, 64.5]})
    Winnow2() over bins of 1 attribute
    """

    name = "bins"
    parameters = (
        CutsParameter("cuts", "word", "", help="ascending cuts of attributes"),
        Parameter("n", "integer", None, at_least=1, at_most=IDS, optional=True, help="number of attributes, if known"),
    )
    counts_zeros = True

    def __init__(self, learner: Any, cuts: Any, n: int | None = None) -> None:
        super().__init__(learner, cuts=cuts, n=n)

    def _prepared(self, learner: SparseLearner) -> SparseLearner:
        """Where the learner declares n it becomes that of the features: one more for every cut."""
        own, declared, cuts = self.settings, learner.size_limit, cuts_of(self.settings["cuts"])
        if own["n"] is None:
            own["n"] = declared
        if declared is None and own["n"] is None:
            return learner.like()
        total = _features(own["n"], cuts)
        if declared not in (own["n"], total):
            raise BadParameter(f"n must be {declared}, as this learner declares: {own['n']!r}")
        if own["n"] < len(cuts):
            raise BadParameter(
                f"cuts must be of at most the {own['n']} attributes that the learner declares: {[*cuts]}"
            )
        return learner.like(n=total)

    def _check_inside(self, inner: Any) -> None:
        super()._check_inside(inner)
        n = self.settings["n"]
        if inner.size_limit != (None if n is None else _features(n, cuts_of(self.settings["cuts"]))):
            raise ValueError("the learner's n is not the number of features")

    def _wrap(self, inner: SparseLearner) -> None:
        self.cuts = {name: np.array(cuts) for name, cuts in cuts_of(self.settings["cuts"]).items()}
        self._bins = [(name, text) for name, cuts in self.cuts.items() for text in bin_names(name, cuts.tolist())]
        self._keys = {text: key for key, (_, text) in enumerate(self._bins)}
        ends = accumulate(len(cuts) + 1 for cuts in self.cuts.values())
        self._first_key = dict(zip(self.cuts, [0, *ends], strict=False))
        self._names: tuple[tuple[int, int, int], list[str]] = (-1, -1, -1), []
        super()._wrap(inner)
        self.binary = False  # it takes the numbers that it cuts

    def __repr__(self) -> str:
        return f"{self.inner!r} over bins of {len(self.cuts)} attribute{'s' if len(self.cuts) > 1 else ''}"

    @property
    def size_limit(self) -> int | None:
        n: int | None = self.settings["n"]
        return n

    # Names.

    def feature_name(self, key: int) -> str:
        if key < len(self._bins):
            return self._bins[key][1]
        table = self.attributes
        now = len(table), table.generation, id(table)
        if self._names[0] != now:
            self._names = now, table.names()
        return self._names[1][key - len(self._bins)]

    def feature_name_among(self, key: int, newcomers: Sequence[str]) -> str:
        new = key - len(self._bins) - len(self.attributes)
        return self.feature_name(key) if new < 0 else str(newcomers[new])

    def feature_key(self, name: str) -> int:
        if name in self._keys:
            return self._keys[name]
        slot = self.attributes.slot(name)
        return -1 if slot < 0 else len(self._bins) + self.numbers()[slot] - 1

    def own_parts(self, name: str) -> Sequence[tuple[str, bool]]:
        return ((self._bins[self._keys[name]][0] if name in self._keys else name, False),)

    def own_moments(self, name: str, given: Sequence[FeatureMoments]) -> FeatureMoments:
        """The bins of an attribute are taken to have as many rows each."""
        (one,) = given
        if name not in self._keys:
            return one
        cuts = self.cuts[self._bins[self._keys[name]][0]]
        return FeatureMoments(one.share / (len(cuts) + 1), 1.0, 0.0)

    # Rows.

    def reach(self) -> int:
        return len(self._bins) + len(self.attributes)

    def may_refuse(self, rows: Rows) -> bool:
        return self.inner.binary

    def blocks(self, rows: Rows, learn: bool) -> Iterator[Block]:
        first, last = rows.indptr[0], rows.indptr[rows.count]
        if first == last:
            yield Block(rows.count, view(np.zeros(rows.count + 1, np.int64)), view(np.zeros(0, np.uint32)), None)
            return
        numbers = np.asarray(self.numbers())
        places = numbers[np.asarray(rows.slots)[first:last].astype(np.int64) + rows.base].astype(np.int64)
        values = np.ones(last - first) if rows.values is None else np.array(rows.values[first:last])
        keys = len(self._bins) - 1 + places
        new = np.flatnonzero(places == 0)  # in a prediction: no row that was learned has had them
        keys[new] = len(self._bins) + len(self.attributes) + np.arange(len(new))
        self._cut(places, values, keys)
        if self.inner.binary:
            values[new] = values[new] != 0
        ends = np.asarray(rows.indptr)[: rows.count + 1] - first
        taken = self._binary_rows(ends, places, values) if self.inner.binary else rows.count
        kept = np.flatnonzero(values[: ends[taken]] if not self.inner.counts_zeros else np.ones(ends[taken], bool))
        if len(kept) < ends[taken]:
            ends = np.searchsorted(kept, ends[: taken + 1])
            keys, values = keys[kept], values[kept]
        if taken:
            real = None if (values == 1.0).all() else view(values)
            indptr, features = view(ends.astype(np.int64)), view(keys.astype(np.uint32))
            yield Block(taken, indptr, features, real, dense=self.inner.counts_zeros)

    def _cut(self, places: Any, values: Any, keys: Any) -> None:
        """Write the keys of bins, and ones, where an attribute is cut."""
        order = np.argsort(places, kind="stable")
        ordered = places[order]
        for name, cuts in self.cuts.items():
            slot = self.attributes.slot(name)
            if slot < 0:
                continue
            low, high = np.searchsorted(ordered, self.numbers()[slot] + np.arange(2))
            found = order[low:high]
            keys[found] = self._first_key[name] + np.searchsorted(cuts, values[found])
            values[found] = 1.0

    def _binary_rows(self, ends: Any, places: Any, values: Any) -> int:
        """How many rows come before one with a value that is neither cut nor 0 or 1; `refusal` says which."""
        wrong = np.flatnonzero((values != 0.0) & (values != 1.0))
        if not len(wrong):
            return len(ends) - 1
        name = self.feature_name(len(self._bins) - 1 + int(places[wrong[0]]))
        self.refusal = BadData(not_binary(name, float(values[wrong[0]]), self.taker))
        return int(np.searchsorted(ends, wrong[0], side="right")) - 1

    # In words.

    def _assumption(self, text: str, told: dict[str, Any]) -> str:
        return f"{text} (numbers in bins)"


def _features(n: int, cuts: dict[str, list[float]]) -> int:
    """How many features there are of n attributes."""
    return n + sum(map(len, cuts.values()))


def bins(learner: Any, cuts: Mapping[str, Sequence[float]]) -> SparseLearner:
    """Wraps a learner so that it sees the bins that numbers fall into, one feature per bin.

    Parameters
    ----------
    learner : learner
        A new learner, or an ensemble; it is not changed.
    cuts : mapping
        Attribute to its ascending cuts.  `cut_points` finds cuts for numbers that are there already.

    Returns
    -------
    learner
        A new learner like the one given.

    Notes
    -----
    Cuts c1 < c2 make the features `x<=c1`, `x in (c1,c2]` and `x>c2`; of each instance one of them is 1.  Attributes
    without cuts stay as they are.  A 0 that is written in an array, a list or a mapping is a value and has its bin; in
    a SciPy matrix and in rows of sparse formats a 0 is an absent attribute, which has none.  So it is, in a prediction,
    for an attribute that no row has had that was learned.

    Examples
    --------
    >>> import mistakebound as mb
    >>> learner = mb.transforms.bins(mb.AROW(labels=("no", "yes")), {"age": [18, 64.5]})
    >>> [learner.learn_one({"age": age, "member": 1}, label) for age, label in ((30, "yes"), (70, "no"), (40, "yes"))]
    ['no', 'yes', 'yes']
    >>> sorted(learner.weights())
    ['age in (18,64.5]', 'age>64.5', 'member']
    """
    made = CutsParameter("cuts", "word").check(cuts)
    if isinstance(learner, SparseLearner):
        return learner.behind(lambda plain: Binned(plain, made))
    return Binned(learner, made)
