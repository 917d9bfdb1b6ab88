"""Conjunctions of up to K attributes, or literals, in place of the attributes themselves (row W4).

Only those that an instance makes true are ever made, some 10^5 at a time.  Which number a conjunction has is said in
kernels/conjunctions.py; nothing is kept for it but what the learner keeps.
"""

from __future__ import annotations

from array import array
from math import comb

from mistakebound.core.block import Block
from mistakebound.core.buffers import longer, zeros
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.facts import check_fact
from mistakebound.core.front import Front
from mistakebound.core.names import IDS
from mistakebound.kernels import conjunctions as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from mistakebound.core.rows import Rows
    from mistakebound.transforms.conjunction_names import ConjunctionNames

LIMIT = 100_000  # conjunctions of one instance, unless another limit is given
MOST_LITERALS = 16  # of a conjunction
_AT_ONCE = 1 << 17  # conjunctions that are made before the learner sees them: they stay near at hand
_WORDS = 256  # of a bitmap that sorts the attributes of a row, where there are not too many
_NO_VALUES = array("d")


def conjunctions_of(n: int, cross: int, negate: bool = False) -> int:
    """How many conjunctions of 1 to `cross` attributes there are among n; with `negate`, of literals.

    >>> conjunctions_of(100, 2), conjunctions_of(100, 1, negate=True), conjunctions_of(3, 3, negate=True)
    (5050, 200, 26)
    """
    return sum(comb(n, i) << (i if negate else 0) for i in range(1, cross + 1))


class Conjunctions(Front):
    """Turns rows of attributes into rows of the conjunctions that they make true."""

    kind = "conjunctions"

    def __init__(
        self,
        cross: int = 1,
        negate: bool = False,
        n: int | None = None,
        limit: int = LIMIT,
        reduce: str | None = None,
        rules: int | None = None,
    ) -> None:
        super().__init__(_whole("n", n, 1, IDS) if n is not None else None)
        self.cross = _whole("cross", cross, 1, MOST_LITERALS)
        self.limit = _whole("limit", limit, 1, kernel.MOST)
        self.negate = bool(negate)
        self.reduce = reduce  # "conjunction", "decision-list" or None: what the learner's class stands for
        self.rules = None if rules is None else _whole("rules", rules, 0, 1000)
        if reduce not in (None, "conjunction", "decision-list"):
            raise BadParameter(f"reduce must be conjunction or decision-list: {reduce!r}")
        self.complement = reduce == "conjunction"
        self.unit = "literal" if self.cross == 1 else "conjunction"
        self._check_size()
        self._sums = zeros("Q", 64 * (self.cross + 1))
        self._filled = 0  # of how many attributes, from none on, the sums are there
        self._names: ConjunctionNames | None = None
        self._extend(0)

    def _check_size(self) -> None:
        if self.n is None:
            if self.negate:
                raise BadParameter("n must be declared where attributes are negated: how many are there?")
            return
        if self.total(self.n) >= IDS:
            raise BadParameter(
                f"cross must be so small that there are less than 2^63 conjunctions of {self.n:,} attributes: "
                f"{self.cross}"
            )
        many = conjunctions_of(self.n, self.cross)
        if self.negate and many > self.limit:
            raise BadParameter(
                f"cross must be so small that an instance makes at most {self.limit:,} conjunctions true (or the limit "
                f"larger), and with {self.n:,} literals it makes {many:,}: {self.cross}"
            )

    def state(self) -> dict[str, Any]:
        return {
            "cross": self.cross, "negate": self.negate, "n": self.n, "limit": self.limit, "reduce": self.reduce,
            "rules": self.rules,
        }  # fmt: skip

    def check(self, settings: dict[str, Any]) -> None:
        if "n" in settings and settings["n"] != (None if self.n is None else self.total(self.n)):
            raise ValueError("the learner's n is not the number of conjunctions")

    def total(self, n: int) -> int:
        """How many conjunctions there are when there are n attributes."""
        return conjunctions_of(n, self.cross, self.negate)

    def reach(self) -> int:
        return self.total(self.n if self.negate and self.n is not None else len(self.parents))

    def __str__(self) -> str:
        of = "attributes" if self.n is None else f"{self.n:,} attributes"
        if self.negate:
            of = f"literals of {of}"
        elif self.n is not None:
            of = f"of {of}"
        what = of if self.cross == 1 else f"conjunctions of up to {self.cross} {of}"
        if self.n is not None:
            what = f"the {self.total(self.n):,} {what}"
        if self.reduce is not None:
            what += ", the label complemented" if self.complement else ", for decision lists"
        return what

    # Names.

    @property
    def names(self) -> ConjunctionNames:
        if self._names is None:
            from mistakebound.transforms.conjunction_names import ConjunctionNames

            self._names = ConjunctionNames(self)
        return self._names

    def name(self, key: int) -> str:
        return self.names.name(key)

    def name_among(self, key: int, newcomers: Sequence[str]) -> str:
        return self.names.name(key, newcomers)

    def key(self, name: str) -> int:
        return self.names.key(name)

    def parts(self, name: str) -> Sequence[tuple[str, bool]]:
        return self.names.parts(self.key(name))

    # Rows.

    def _extend(self, attributes: int) -> bool:
        """The sums for so many attributes and one more; false when they do not fit into 63 bits."""
        width = self.cross + 1
        if self._filled > attributes:
            return True
        if len(self._sums) < (attributes + 1) * width:
            self._sums = longer(self._sums, (attributes + 1) * width)
        self._filled = kernel.fill_sums(self._sums, self.cross, self._filled, 2 if self.negate else 1)
        return self._filled > attributes

    def sums(self, attributes: int, level: int) -> list[int]:
        """How many conjunctions of up to `level` literals the first 0, 1, 2, ... attributes have."""
        self._extend(attributes)
        width = self.cross + 1
        return self._sums[level : min(attributes + 1, self._filled) * width : width].tolist()

    def blocks(self, rows: Rows, learn: bool) -> Iterator[Block]:
        numbers, seen = self.numbers(), len(self.parents)
        size = self.n if self.negate and self.n is not None else 0
        self._extend(size or seen)
        values = _NO_VALUES if rows.values is None else rows.values
        state, out_indptr = array("q", [0, 0]), self._buffer("indptr", "q", rows.count + 1)
        attributes = size or seen
        while state[kernel.ROW] < rows.count:
            first, known = state[kernel.ROW], min(attributes, self._filled - 1)
            short = self._sums[known * (self.cross + 1) + self.cross] <= 1 << 32
            code, make = ("I", kernel.expand4) if short else ("Q", kernel.expand8)
            out, out_values = self._buffer("out" + code, code, _AT_ONCE), self._buffer("values", "d", _AT_ONCE)
            status = make(
                rows.slots, rows.base, values, rows.indptr, rows.count, numbers, seen, size, self._sums, known,
                self.cross, self.limit, self._buffer("members", "Q", 256), self._buffer("places", "I", 256),
                self._buffer("bits", "Q", _WORDS), kernel.LOWEST, self._buffer("member values", "d", 256),
                self._buffer("lists" + code, code, 512),
                self._buffer("list values", "d", 512), self._buffer("ends", "q", 514), out_indptr, out, out_values,
                state,
            )  # fmt: skip
            done = state[kernel.ROW] - first
            if done:
                yield Block(done, out_indptr, out, None if rows.values is None else out_values, ascending=True)
            elif status == kernel.FULL:
                self._make_room(state[kernel.WIDTH], rows, code)
            elif status == kernel.FAR and known == attributes and self._extend(seen + state[kernel.WIDTH]):
                attributes = seen + state[kernel.WIDTH]  # a prediction: attributes that have not appeared
            elif status in (kernel.LIMIT, kernel.FAR, kernel.INFINITE):
                self.refusal = BadData(self._why_not(status, state[kernel.WIDTH]))
                return
            elif status != kernel.OK:
                raise AssertionError("buffers do not fit together")

    def _why_not(self, status: int, width: int) -> str:
        if status == kernel.LIMIT:
            many = conjunctions_of(width, self.cross)
            return (
                f"the instance has {width:,} attributes, which make {many:,} conjunctions of up to {self.cross}: more "
                f"than {self.limit:,} are not made (--cross-limit; or a smaller --cross)"
            )
        if status == kernel.FAR:
            return (
                f"there are too many attributes for conjunctions of up to {self.cross} of them: their numbers would "
                "have more than 63 bits (a smaller --cross has room for more)"
            )
        return "a product of values would leave the range of doubles"

    def _make_room(self, width: int, rows: Rows, code: str) -> None:
        """For a row of so many literals."""
        many, fewer = conjunctions_of(width, self.cross), conjunctions_of(width, self.cross - 1)
        for name, kind, count in (
            ("out" + code, code, many), ("values", "d", many), ("members", "Q", width), ("places", "I", width),
            ("member values", "d", width), ("lists" + code, code, 2 * fewer), ("list values", "d", 2 * fewer),
            ("ends", "q", 2 * (width + 1)),
        ):  # fmt: skip
            self._buffer(name, kind, count)

    # Theorems.

    def assumable(self) -> dict[str, str]:
        return {"rules": "rules of the decision list, at most"} if self.reduce == "decision-list" else {}

    def facts(self, told: dict[str, Any]) -> dict[str, Any]:
        """n attributes are so many conjunctions; a decision list of so many rules is separated so far."""
        facts = dict(told)
        if facts.get("n") is not None:
            facts["n"] = self.total(check_fact("n", facts["n"]))
        if self.reduce == "decision-list":
            rules = check_fact("rules", facts.pop("rules")) if "rules" in facts else self.rules
            if rules is not None and "sum_mu" not in facts:
                from mistakebound.concepts.separated_lists import any_list

                delta, sum_mu = any_list(rules)
                facts |= {"delta": facts.get("delta", float(delta)), "sum_mu": float(sum_mu)}
        return facts

    def assumption(self, text: str, told: dict[str, Any]) -> str:
        n = self.n if self.n is not None else told.get("n")
        of = f"{n:,} attributes" if n is not None else "the attributes"
        literals = f"literals of {of}"
        if self.reduce == "decision-list" and "sum_mu" not in told:
            rules = told.get("rules", self.rules)
            return f"the target is a decision list of at most {rules} rules over the {literals}"
        few = "k" in told and told.get("r", 1) == 1 and text.startswith("the target is a monotone disjunction")
        if self.complement and few:
            parts = literals if self.cross == 1 else f"clauses of up to {self.cross} {literals}"
            return f"the target is a conjunction of at most k = {told['k']} {parts}"
        many = f"N = {self.total(n):,} " if n is not None else ""
        among = literals if self.negate else of
        what = among if self.cross == 1 else f"conjunctions of up to {self.cross} {'of ' * (not self.negate)}{among}"
        if few:
            return f"the target is a disjunction of at most k = {told['k']} of the {many}{what}"
        return f"{'for the complement of the target, ' * self.complement}{text}, over the {many}{what}"

    def in_words(self, learner: Any, terms: int) -> str:
        if not self.complement:
            return super().in_words(learner, terms)
        from mistakebound.transforms.reduced_words import conjunction_in_words

        return conjunction_in_words(learner, terms)


def _whole(name: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadParameter(f"{name} must be a whole number from {least:,} to {most:,}: {value!r}")
    return value
