"""Conjunctions of up to K attributes, or literals, that an instance makes true: their numbers, row by row.

Only those that an instance makes true are ever made, some 10^5 at a time.  Which number a conjunction has is said in
kernels/conjunctions.py; nothing is kept for it but what the learner keeps.
"""

from __future__ import annotations

from array import array
from math import comb

from mistakebound.core.block import Block
from mistakebound.core.buffers import Buffers, longer, zeros
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.names import IDS
from mistakebound.kernels import conjunctions as kernel
from mistakebound.kernels.key_rows import NewRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from mistakebound.core.buffers import Ints
    from mistakebound.core.rows import Rows

LIMIT = 100_000  # conjunctions of one instance, unless another limit is given
MOST_LITERALS = 16  # of a conjunction
_AT_ONCE = 1 << 17  # conjunctions that are made before the learner sees them: they stay near at hand
_WORDS = 256  # of a bitmap that sorts the attributes of a row, where there are not too many


def conjunctions_of(n: int, cross: int, negate: bool = False) -> int:
    """How many conjunctions of 1 to `cross` attributes there are among n; with `negate`, of literals.

    >>> conjunctions_of(100, 2), conjunctions_of(100, 1, negate=True), conjunctions_of(3, 3, negate=True)
    (5050, 200, 26)
    """
    return sum(comb(n, i) << (i if negate else 0) for i in range(1, cross + 1))


class ConjunctionSpace:
    """Turns rows of attributes into rows of the conjunctions that they make true."""

    def __init__(self, cross: int, negate: bool, n: int | None, limit: int) -> None:
        self.cross = cross
        self.negate = negate
        self.n = n
        self.limit = limit
        self._check_size()
        self._buffer = Buffers()
        self._sums = zeros("Q", 64 * (self.cross + 1))
        self._filled = 0  # of how many attributes, from none on, the sums are there
        self._extend(0)

    def _check_size(self) -> None:
        if self.n is None:
            return
        if self.total(self.n) >= IDS:
            raise BadParameter(
                f"cross must be smaller, for less than 2^63 conjunctions of {self.n:,} attributes: {self.cross}"
            )
        many = conjunctions_of(self.n, self.cross)
        if self.negate and many > self.limit:
            raise BadParameter(
                f"cross must be smaller (or the limit larger), because {self.n:,} literals make {many:,} conjunctions "
                f"per instance, more than {self.limit:,}: {self.cross}"
            )

    def __str__(self) -> str:
        of = "attributes" if self.n is None else f"{self.n:,} attributes"
        if self.negate:
            of = f"literals of {of}"
        elif self.n is not None:
            of = f"of {of}"
        what = of if self.cross == 1 else f"conjunctions of up to {self.cross} {of}"
        return what if self.n is None else f"the {self.total(self.n):,} {what}"

    def total(self, n: int) -> int:
        """How many conjunctions there are when there are n attributes."""
        return conjunctions_of(n, self.cross, self.negate)

    def reach(self, seen: int) -> int:
        """Every key that can have come from so many attributes is below this."""
        return self.total(self.n if self.negate and self.n is not None else seen)

    def too_many(self, rows: Rows, seen: int) -> bool:
        """Whether one of these rows may have more conjunctions than the limit, or their numbers more than 63 bits."""
        if self.negate:
            return False
        width = rows.widest
        if conjunctions_of(width, self.cross) > self.limit:
            width = max((rows.indptr[row + 1] - rows.indptr[row] for row in range(rows.count)), default=0)
        return conjunctions_of(width, self.cross) > self.limit or self.total(seen) >= IDS

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

    def blocks(self, rows: Rows, numbers: Ints, seen: int) -> Iterator[Block]:
        """Some rows at a time; `numbers` by slot are those of the `seen` attributes.  BadData ends them."""
        size = self.n if self.negate and self.n is not None else 0
        self._extend(size or seen)
        batch, expansion = rows.first_rows(rows.count), kernel.Expansion(rows.base, numbers, seen)
        state, out_indptr = array("q", [0, 0]), self._buffer("indptr", "q", rows.count + 1)
        attributes = size or seen
        while state[kernel.ROW] < rows.count:
            first, known = state[kernel.ROW], min(attributes, self._filled - 1)
            short = self._sums[known * (self.cross + 1) + self.cross] <= 1 << 32
            code = "I" if short else "Q"
            out, out_values = self._buffer("out" + code, code, _AT_ONCE), self._buffer("values", "d", _AT_ONCE)
            expansion.take_space(self._sums, known, self.cross, size, self.limit)
            expansion.take_room(
                self._buffer("members", "Q", 256), self._buffer("places", "I", 256), self._buffer("bits", "Q", _WORDS),
                self._buffer("member values", "d", 256), self._buffer("lists" + code, code, 512),
                self._buffer("list values", "d", 512), self._buffer("ends", "q", 514),
            )  # fmt: skip
            status = kernel.expand(expansion, batch, NewRows(out_indptr, out, out_values), state)
            done = state[kernel.ROW] - first
            if done:
                yield Block(done, out_indptr, out, None if rows.values is None else out_values, ascending=True)
            elif status == kernel.FULL:
                self._make_room(state[kernel.WIDTH], rows, code)
            elif status == kernel.FAR and known == attributes and self._extend(seen + state[kernel.WIDTH]):
                attributes = seen + state[kernel.WIDTH]  # a prediction: attributes that have not appeared
            elif status in (kernel.LIMIT, kernel.FAR, kernel.INFINITE):
                raise BadData(self._why_not(status, state[kernel.WIDTH]))
            elif status != kernel.OK:
                raise AssertionError("buffers do not fit together")

    def _why_not(self, status: int, width: int) -> str:
        if status == kernel.LIMIT:
            many = conjunctions_of(width, self.cross)
            return (
                f"the instance has {width:,} attributes, which make {many:,} conjunctions of up to {self.cross}, more "
                f"than {self.limit:,}: raise --cross-limit or lower --cross"
            )
        if status == kernel.FAR:
            return (
                f"there are too many attributes for conjunctions of up to {self.cross} of them (2^63 at most): "
                "lower --cross"
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
