"""What candidate elimination keeps: S, and of the negative examples what they forbid.  Sets of attributes are bits."""

from __future__ import annotations

from array import array
from operator import setitem
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.attribute_conjunction import ANY
from mistakebound.concepts.hitting_sets import fewer, minimal
from mistakebound.core.atomic import commit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mistakebound.core.atomic import Change
    from mistakebound.learners.version_space._nominal import NominalLearner
    from mistakebound.learners.version_space.rows import CodedRows

    Learned = tuple[tuple[int, ...], list[Change]]

_MANY = 1000  # negative examples put aside that are looked at together


class Boundaries:
    """S is the first positive example without the constraints that others opened.

    A negative example differs from the first positive one in some attributes; those of them that S still constrains are
    its difference, and none may become empty.  Of several with the same difference the first is kept, and one whose
    difference contains another's says nothing more.  Before the first positive example negative ones are put aside.
    """

    def __init__(self) -> None:
        self.specific: list[int] | None = None
        self.first: tuple[int, ...] = ()
        self.first_row = 0
        self.opened: list[int] = []  # the row that opened each attribute; 0 while S constrains it
        self._constrained = 0
        self.differences: dict[int, tuple[int, int]] = {}  # difference -> row, difference from the first positive one
        self.deferred: dict[bytes, int] = {}  # negative example -> row
        self._masks: dict[int, Any] = {}
        self._masks_for = -1

    def answer(self, codes: Sequence[int]) -> int | None:
        if self.specific is None:
            return 0 if min(codes) >= 0 and _key(codes) in self.deferred else None
        agreement = sum(1 << j for j, code in enumerate(codes) if code == self.specific[j])
        if not self._constrained & ~agreement:
            return 1
        return None if all(agreement & one for one in self.differences) else 0

    def learn(self, codes: tuple[int, ...], label: int, row: int) -> Learned:
        """For `commit`, what takes an example up; or the rows that no hypothesis agrees with."""
        if self.specific is None:
            return self._learn_first(codes, row) if label else self._defer(codes, row)
        return self._generalise(codes, row) if label else self._forbid(codes, row)

    def _defer(self, codes: tuple[int, ...], row: int) -> Learned:
        key = _key(codes)
        return (), [] if key in self.deferred else [(setitem, self.deferred, key, row)]

    def _learn_first(self, codes: tuple[int, ...], row: int) -> Learned:
        other = self.deferred.get(_key(codes))
        if other is not None:
            return (other, row), []
        found: dict[int, tuple[int, int]] = {}
        for negative, difference in zip(self.deferred.values(), self._deferred_differences(codes), strict=True):
            found.setdefault(difference, (negative, difference))
        return (), [
            (setattr, self, "specific", list(codes)),
            (setattr, self, "first", codes),
            (setattr, self, "first_row", row),
            (setattr, self, "opened", [0] * len(codes)),
            (setattr, self, "_constrained", (1 << len(codes)) - 1),
            (setattr, self, "deferred", {}),
            self._keeping(found),
        ]

    def _deferred_differences(self, first: tuple[int, ...]) -> Iterator[int]:
        if len(self.deferred) < _MANY:
            return (_difference(array("H", key), first) for key in self.deferred)
        import numpy as np

        rows = np.frombuffer(b"".join(self.deferred), np.uint16).reshape(len(self.deferred), -1)
        bits = np.packbits(rows != np.array(first, np.uint16), axis=1, bitorder="little")
        return (int.from_bytes(row.tobytes(), "little") for row in bits)

    def _keeping(self, found: dict[int, tuple[int, int]]) -> Change:
        return setattr, self, "differences", {one: found[one] for one in fewer(list(found))}

    def _generalise(self, codes: tuple[int, ...], row: int) -> Learned:
        assert self.specific is not None
        opening = [j for j, own in enumerate(self.specific) if own not in (ANY, codes[j])]
        if not opening:
            return (), []
        left = self._constrained & ~sum(1 << j for j in opening)
        opened = [row if j in opening else earlier for j, earlier in enumerate(self.opened)]
        clash = min((why for one, why in self.differences.items() if not one & left), default=None)
        if clash is not None:
            return self._clash(clash[1], opened, clash[0], row), []
        found: dict[int, tuple[int, int]] = {}
        for one, why in self.differences.items():
            found[one & left] = min(why, found.get(one & left, why))
        return (), [
            (setattr, self, "specific", [ANY if j in opening else own for j, own in enumerate(self.specific)]),
            (setattr, self, "opened", opened),
            (setattr, self, "_constrained", left),
            self._keeping(found),
        ]

    def _forbid(self, codes: tuple[int, ...], row: int) -> Learned:
        whole = _difference(codes, self.first)
        difference = whole & self._constrained
        if not difference:
            return self._clash(whole, self.opened, row, row), []
        if any(one & difference == one for one in self.differences):
            return (), []
        kept = {one: why for one, why in self.differences.items() if one & difference != difference}
        return (), [(setattr, self, "differences", kept | {difference: (row, whole)})]

    def _clash(self, whole: int, opened: list[int], negative: int, row: int) -> tuple[int, ...]:
        """The first positive example, those that opened what the negative one differs in, and that one.

        Whatever covers these positive examples has no constraint where the negative one differs from the first, and so
        covers it too.
        """
        positive = {opened[j] for j in range(len(opened)) if whole >> j & 1}
        return tuple(sorted({self.first_row, negative, row} | positive))

    # Many rows.

    def defer_rows(self, learner: NominalLearner, rows: CodedRows, labels: Any, predictions: Any) -> int:
        """Put the negative rows before the first positive one aside, and learn that; how many rows that was."""
        import numpy as np

        if self.specific is not None or not rows.count:
            return 0
        positive = np.flatnonzero(labels == 1)
        end = int(positive[0]) if len(positive) else rows.count
        size = 1 if learner._watch is not None else 1 << 14
        for start in range(0, end, size):
            block = rows.block(start, min(end, start + size))
            new: dict[bytes, int] = {}
            for row, codes in enumerate(block, start):
                key, trial = codes.tobytes(), learner.trials + 1 + row - start
                fresh = key not in self.deferred and new.setdefault(key, trial) == trial
                predictions[row] = -1 if fresh else 0
            commit([(dict.update, self.deferred, new), (setattr, learner, "trials", learner.trials + len(block))])
            if new and learner._watch is not None:
                learner._changed(start, None)
        if end == rows.count:
            return end
        learner._play_row(rows.row(end), 1, end, predictions)
        return end + 1

    def answer_rows(self, rows: CodedRows, first: int, last: int) -> Any:
        """As `answer`, for a block: -1 for "don't know"."""
        import numpy as np

        assert self.specific is not None
        places = [j for j, code in enumerate(self.specific) if code != ANY]
        agreement = rows.agreement(first, last, self.specific, places)
        said = np.asarray(agreement.all(axis=0), np.int8)
        unsure = np.flatnonzero(said == 0)
        bits = np.packbits(agreement, axis=0, bitorder="little")[:, unsure]
        for one in sorted(self.differences, key=int.bit_count):
            hit = np.bitwise_or.reduce(bits & self._mask(one, places, len(bits)), axis=0) != 0
            bits, unsure = bits[:, hit], unsure[hit]
            if not len(unsure):
                break
        said[unsure] = -1
        return said

    def _mask(self, difference: int, places: list[int], size: int) -> Any:
        """The lines of `answer_rows` that a difference has, as bytes; remembered while S stays what it is."""
        import numpy as np

        if self._masks_for != self._constrained:
            self._masks_for, self._masks = self._constrained, {}
        if difference not in self._masks:
            inside = sum(1 << line for line, j in enumerate(places) if difference >> j & 1)
            self._masks[difference] = np.frombuffer(inside.to_bytes(size, "little"), np.uint8)[:, None]
        return self._masks[difference]

    # As a value, and in a model file.

    def deferred_rows(self, width: int) -> list[tuple[int, ...]]:
        return [tuple(array("H", key)) for key in self.deferred]

    def form(self) -> Any:
        return (
            None if self.specific is None else tuple(self.specific),
            tuple(minimal(self.differences)),
            frozenset(self.deferred),
        )

    def arrays(self, width: int) -> dict[str, Any]:
        size = (width + 7) // 8
        whole = b"".join(difference.to_bytes(size, "little") for _, difference in self.differences.values())
        return {
            "deferred": array("H", b"".join(self.deferred)),
            "deferred.rows": array("q", self.deferred.values()),
            "differences": array("B", whole),
            "differences.rows": array("q", [row for row, _ in self.differences.values()]),
        }

    def restore(self, specific: tuple[int, ...], first: tuple[int, ...], row: Any, opened: Any) -> None:
        whole = [type(one) is int and one >= 0 for one in [row, *opened]]
        if not all(whole) or len(opened) != len(first):
            raise ValueError("rows have no numbers")
        if any(own not in (ANY, value) or (own == ANY) != bool(at)
               for own, value, at in zip(specific, first, opened, strict=True)):  # fmt: skip
            raise ValueError("S is not the first positive example with some constraints opened")
        self.specific, self.first, self.first_row, self.opened = list(specific), first, row, list(opened)
        self._constrained = sum(1 << j for j, code in enumerate(specific) if code != ANY)

    def restore_negatives(
        self, arrays: dict[str, array[Any]], check: Callable[[Any], tuple[int, ...]], width: int, trials: int
    ) -> None:
        flat, size = arrays["deferred"].tolist(), (width + 7) // 8
        rows, later = arrays["deferred.rows"].tolist(), arrays["differences.rows"].tolist()
        raw = arrays["differences"].tobytes()
        if len(flat) != width * len(rows) or len(raw) != size * len(later):
            raise ValueError("the negative examples are not one row each")
        if not all(0 < row <= trials for row in rows + later) or (rows if self.specific is not None else later):
            raise ValueError("a negative example is out of place")
        self.deferred = {_key(check(flat[width * k : width * (k + 1)])): row for k, row in enumerate(rows)}
        self.differences = {}
        for k, row in enumerate(later):
            whole = int.from_bytes(raw[size * k : size * (k + 1)], "little")
            if whole >> width or not whole & self._constrained:
                raise ValueError("a negative example differs nowhere")
            self.differences[whole & self._constrained] = row, whole


def _difference(codes: Sequence[int], first: Sequence[int]) -> int:
    return sum(1 << j for j, code in enumerate(codes) if code != first[j])


def _key(codes: Sequence[int]) -> bytes:
    """An instance as it is remembered: 16 bits a value, as blocks of rows have them too."""
    return array("H", codes).tobytes()
