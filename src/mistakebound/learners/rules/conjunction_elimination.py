"""Elimination for conjunctions of literals: Balcan 2011, lecture 4."""

from __future__ import annotations

from array import array
from operator import setitem

from mistakebound.core.atomic import commit, reading
from mistakebound.core.buffers import zeros
from mistakebound.core.facts import LITERALS_AND_N
from mistakebound.core.names import attribute_order, write_name
from mistakebound.core.theorem import Condition, Lemma, Theorem
from mistakebound.kernels import elimination as kernel
from mistakebound.learners.rules.disjunction_elimination import EliminationLearner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

BALCAN = Theorem(
    "Balcan's bound",
    source="Balcan, lecture 4, Conjunctions",
    statement="mistakes <= n + 1",
    assumes="the target is a conjunction of literals over n = {n} attributes",
    refutes="no conjunction of literals over {n} attributes explains these labels",
    needs=("n",),
    formula=lambda f: f["n"] + 1,
)
BALCAN_WITH_SIZE = Theorem(
    "Balcan's bound, with the target's size",
    source="Balcan, lecture 4, Conjunctions",
    statement="mistakes <= n + 1 - |c|",
    assumes="the target is a conjunction of {literals} literals over n = {n} attributes",
    refutes="no conjunction of {literals} or more literals over {n} attributes explains these labels",
    needs=("n", "literals"),
    conditions=(Condition("|c| <= n", ("literals", "n"), lambda f: f["literals"] <= f["n"]),),
    formula=lambda f: f["n"] + 1 - f["literals"],
)
INVARIANT = Lemma(
    "Balcan's invariant",
    source="Balcan, lecture 4, Conjunctions",
    statement="h holds every literal of the target",
    needs=("relevant",),
    assumes="the target is a conjunction of literals, with those of `relevant` among them",
    holds=lambda learner, u, v, f: learner.holds_literals(f["relevant"]),
)
ENOUGH_LITERALS = Lemma(
    "Balcan's invariant, counted",
    source="Balcan, lecture 4, Conjunctions",
    statement="h has at least |c| literals, and at most n + 1 - u after u >= 1 mistakes",
    needs=("literals", "n"),
    assumes="the target is a conjunction of {literals} literals over n = {n} attributes",
    holds=lambda learner, u, v, f: not u or f["literals"] <= f["n"] - learner.freed() <= f["n"] + 1 - u,
)


class ConjunctionElimination(EliminationLearner):
    """Elimination for conjunctions of literals over 0/1 attributes.

    Parameters
    ----------
    n : int or None, default None
        Number of attributes, if known.  None: the bound counts those that have appeared.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.

    Notes
    -----
    Algorithm::

        h = the conjunction of all 2n literals x1, ~x1, ..., xn, ~xn      (no instance satisfies it)
        for each trial (x, y):
            predict h(x)
            if y = 1 and the prediction was 0:
                remove from h all literals that x makes false
            if y = 0 and the prediction was 1:
                stop: no conjunction agrees with the labels               (NoConsistentHypothesis)

    Theorem.  If the target is a conjunction of |c| literals over n attributes, ::

        mistakes <= n + 1 - |c|

    and so at most n + 1.  The first mistake leaves n literals, every other one removes at least one, and no literal of
    the target is ever removed.

    References
    ----------
    Balcan 2011, 8803 Machine Learning Theory, lecture 4, Conjunctions.

    Examples
    --------
    >>> learner = ConjunctionElimination(4, labels=(False, True))
    >>> learner.learn_one([1, 0, 0, 1], True)  # Balcan's example
    False
    >>> print(learner.hypothesis)
    x1 & ~x2 & ~x3 & x4
    >>> learner.learn_one([1, 0, 1, 0], True), learner.predict_one({"1", "3", "4"})
    (False, True)
    >>> learner.learn_one([1, 0, 0, 0], False)
    Traceback (most recent call last):
    mistakebound.core.errors.NoConsistentHypothesis: no consistent conjunction
    """

    name = "conjunction-elimination"
    summary = "conjunctions of literals, negated or not, no noise"
    hypothesis_class = "conjunctions"
    search_order = "strikes out what an example contradicts"
    inductive_bias = "the target is a conjunction"
    noise_effect = "is never undone"
    theorems = (BALCAN, BALCAN_WITH_SIZE)
    assumable = {  # noqa: RUF012 - a constant of the class
        "n": "maximum attributes that can appear",
        "literals": "literals in the target",
        "relevant": "the target's literals, such as 3 and ~4",
    }
    lemmas = (INVARIANT, ENOUGH_LITERALS)
    relations = (LITERALS_AND_N,)
    readable = "literals"
    inconsistent = "no consistent conjunction"

    def _start(self) -> None:
        self._flags: memoryview[int] = zeros("B", 0)
        self._alive: memoryview[int] = zeros("I", 0)
        self._row = self._counts = array("q", [0, 0, 0])

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        flags = moved(self._flags)
        return [(setattr, self, "_flags", flags), *self._living(flags)]

    def _living(self, flags: memoryview[int]) -> list[Change]:
        """For `commit`: the slots of the unnegated literals in h."""
        alive = [slot for slot in self.attributes.slots() if flags[slot] & kernel.PLAIN]
        listed = zeros("I", self.attributes.capacity)
        listed[: len(alive)] = array("I", alive)
        return [(setattr, self, "_alive", listed), (setitem, self._counts, kernel.ALIVE, len(alive))]

    def _list_alive(self) -> None:
        commit(self._living(self._flags))

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        told = labels if learn else None
        batch = rows.absolute().batch(self._counts, predictions, scores, told, sorts=False)
        status = kernel.conjunction(batch, self._flags, self._alive)
        if status == kernel.CAPACITY:
            raise AssertionError("buffers do not fit together")
        return self._counts[kernel.ROW]

    def _arrays(self) -> dict[str, Any]:
        return {"flags": self.attributes.in_order(self._flags)}

    def _state(self) -> dict[str, Any]:
        return {"started": bool(self._counts[kernel.STARTED])}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        flags = arrays["flags"]
        allowed = {0, kernel.NOT_NEGATED, kernel.PLAIN | kernel.NOT_NEGATED}
        if flags.typecode != "B" or len(flags) != len(self.attributes) or not set(flags) <= allowed:
            raise ValueError("expected one set of flags per attribute")
        self._flags = self.attributes.by_slot(flags)
        self._counts[kernel.STARTED] = bool(state["started"])
        self._list_alive()

    @property
    def started(self) -> bool:
        """Whether a positive example has been seen: before it, h holds every literal and contradicts itself."""
        return bool(self._counts[kernel.STARTED])

    @reading
    def literals(self) -> tuple[list[str], list[str]]:
        """(unnegated, negated) literals of h among the attributes that have appeared."""
        flags = dict(self._named_flags())
        plain = [name for name, flag in flags.items() if not self.started or flag & kernel.PLAIN]
        negated = [name for name, flag in flags.items() if not self.started or not flag & kernel.NOT_NEGATED]
        return sorted(plain, key=attribute_order), sorted(negated, key=attribute_order)

    @reading
    def holds_literals(self, wanted: Iterable[str]) -> bool:
        """Whether h holds all these literals: names of attributes, with ~ before one that is negated."""
        for literal in wanted:
            slot = self.attributes.slot(literal.lstrip("~"))
            flag = self._flags[slot] if slot >= 0 else 0
            if self.started and (flag & kernel.NOT_NEGATED if literal.startswith("~") else not flag & kernel.PLAIN):
                return False
        return True

    @reading
    def freed(self) -> int:
        """How many attributes h has no literal of."""
        return sum(1 for _, flag in self._named_flags() if flag == kernel.NOT_NEGATED)

    def _named_flags(self) -> list[tuple[str, int]]:
        return list(zip(self.attributes.names(), self.attributes.in_order(self._flags), strict=True))

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """Literals of h: 1 for an attribute that must be on, -1 for one that must be off."""
        plain, negated = self.literals()
        return ([(name, 1.0) for name in plain] + [(name, -1.0) for name in negated])[:count]

    def _form(self) -> Any:
        flags = frozenset((name, flag) for name, flag in self._named_flags() if flag)
        return ("conjunction", self.started, flags)

    def take_form(self, form: Any) -> bool:
        _, self._counts[kernel.STARTED], named = form
        flags = dict(named)
        for slot, name in zip(self.attributes.slots(), self.attributes.names(), strict=True):
            self._flags[slot] = flags.get(name, 0)
        self._list_alive()
        return True

    def _unseen_names(self, most: int) -> list[str] | None:
        """The attributes among the n declared that have not appeared; None where they are not known, or too many."""
        n, seen = self.settings["n"], set(self.attributes.names())
        if n is None or n - len(seen) > most:
            return None
        numbered = [str(j) for j in range(1, n + 1)] if n <= 2 * most + len(seen) else []
        return [name for name in numbered if name not in seen] if len(seen) == n or seen <= set(numbered) else None

    def _in_words(self, terms: int) -> str:
        if not self.started:
            return "false (all literals, the negated ones too)"
        plain, negated = self.literals()
        unseen = self._unseen_names(terms)
        if unseen is not None and len(plain) + len(negated) + len(unseen) <= terms:
            signs = dict.fromkeys(plain, "") | dict.fromkeys([*negated, *unseen], "~")
            return " & ".join(signs[name] + write_name(name) for name in sorted(signs, key=attribute_order)) or "true"
        parts = [write_name(name) for name in plain]
        if self.settings["n"] == len(self.attributes):
            parts += ["~" + write_name(name) for name in negated]
            return " & ".join(parts[:terms]) + (" & ..." if len(parts) > terms else "")
        named = set(plain) | set(negated)
        free = [
            write_name(name)
            for name in sorted([n for n in self.attributes.names() if n not in named], key=attribute_order)
        ]
        but = f" but {', '.join(free[:terms])}{', ...' if len(free) > terms else ''}" if free else ""
        return " & ".join([*parts[:terms], *(["..."] if len(parts) > terms else []), f"no other attribute{but}"])
