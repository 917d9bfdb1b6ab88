"""Optimal mistake bounds for functions with more than two labels: told the label, or only whether it was right."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mistakebound.core.errors import BadParameter
from mistakebound.theory.interval import Deadline

Labels = tuple[Any, ...]


@dataclass(frozen=True)
class MulticlassOpt:
    """`value`, the optimal mistake bound, and `tree`, which forces it.

    A leaf of the tree is the number of a row.  A node is (column, branches).  With full feedback there are two
    branches, by different labels, and rows below a branch have its label.  With bandit feedback there is a branch for
    every label that may be predicted, and rows below it do not have that label.
    """

    value: int
    tree: Any
    rows: tuple[Labels, ...] = field(repr=False)
    bandit: bool = False

    def verify(self) -> bool:
        """Whether all leaves are `value` deep and agree with the branches above them, by the definition."""
        labels = {label for row in self.rows for label in row}
        waiting: list[tuple[Any, list[tuple[int, Any]]]] = [(self.tree, [])]
        while waiting:
            node, path = waiting.pop()
            if isinstance(node, int):
                agrees = all((self.rows[node][j] != label) == self.bandit for j, label in path)
                if len(path) != self.value or not agrees:
                    return False
            else:
                j, branches = node
                if set(branches) != labels if self.bandit else len(branches) != 2:
                    return False
                waiting += [(below, [*path, (j, label)]) for label, below in branches.items()]
        return True


def multiclass_opt(
    rows: Sequence[Sequence[Any]], timeout: float | None = None, *, bandit: bool = False
) -> MulticlassOpt:
    """The best mistake bound of a deterministic learner for functions with any labels; also with bandit feedback.

    Parameters
    ----------
    rows : sequence of sequences
        The class: one row per function, one column per instance; labels are any hashable values.
    timeout : float or None, default None
        Seconds, >= 0; OutOfTime when they have passed.  None: as long as it takes.
    bandit : bool, default False
        The learner hears only whether its prediction was right.

    Returns
    -------
    MulticlassOpt
        `value` and `tree`, which verifies itself.

    Notes
    -----
    Algorithm, S a set of functions::

        full:    L(S) = max over instances x and labels a != b of 1 + min(L(S with x = a), L(S with x = b))
        bandit:  B(S) = max over instances x of min over labels a of 1 + B(S with x != a), B of nothing = -1

    With two labels both are opt.

    References
    ----------
    Daniely, Sabato, Ben-David and Shalev-Shwartz 2011, Multiclass learnability and the ERM principle.
    Daniely and Helbertal 2013, The price of bandit information in multiclass online classification.

    Examples
    --------
    >>> rows = [[0], [1], [2], [3]]  # one instance with four labels
    >>> multiclass_opt(rows).value, multiclass_opt(rows, bandit=True).value
    (1, 3)
    """
    table = tuple(dict.fromkeys(tuple(row) for row in rows))
    if not table or len({len(row) for row in table}) != 1:
        raise BadParameter("rows must be one function at least, all of the same length")
    search = (_Bandit if bandit else _Full)(table, Deadline(timeout))
    everyone = (1 << len(table)) - 1
    value = search.value(everyone)
    return MulticlassOpt(value, search.tree(everyone, value), table, bandit)


class _Search(ABC):
    """Sets of rows as numbers; what each label leaves of a set, for each column."""

    def __init__(self, table: tuple[Labels, ...], deadline: Deadline) -> None:
        self.deadline = deadline
        self.labels = list(dict.fromkeys(label for row in table for label in row))
        self.columns = [_column(table, j) for j in range(len(table[0]))]
        self.known: dict[int, tuple[int, int, Any]] = {}

    def parts(self, members: int, k: int) -> dict[Any, int]:
        return {label: held for label, of in self.columns[k].items() if (held := of & members)}

    def value(self, members: int) -> int:
        if members & (members - 1) == 0:
            return 0 if members else -1
        found = self.known.get(members)
        if found is None:
            self.deadline.check()
            best: tuple[int, int, Any] = (-1, -1, None)
            for k in range(len(self.columns)):
                parts = self.parts(members, k)
                if len(parts) > 1:
                    value, choice = self.worth(members, parts)
                    if value > best[0]:
                        best = value, k, choice
            found = self.known[members] = best
        return found[0]

    @abstractmethod
    def worth(self, members: int, parts: dict[Any, int]) -> tuple[int, Any]:
        """How many mistakes a column with these parts is worth, and the labels that make it so."""

    @abstractmethod
    def tree(self, members: int, depth: int) -> Any:
        """The witness for so many mistakes."""


class _Full(_Search):
    def worth(self, members: int, parts: dict[Any, int]) -> tuple[int, Any]:
        """The second best of what the labels leave, and one more."""
        ordered = sorted(((self.value(held), -place) for place, held in enumerate(parts.values())), reverse=True)
        names = list(parts)
        return 1 + ordered[1][0], (names[-ordered[0][1]], names[-ordered[1][1]])

    def tree(self, members: int, depth: int) -> Any:
        if depth == 0:
            return (members & -members).bit_length() - 1
        self.value(members)
        _, k, pair = self.known[members]
        parts = self.parts(members, k)
        return k, {label: self.tree(parts[label], depth - 1) for label in pair}


class _Bandit(_Search):
    def worth(self, members: int, parts: dict[Any, int]) -> tuple[int, Any]:
        """Whatever is predicted: the least that is left to err when it is wrong, and one more."""
        return min(1 + self.value(members & ~held) for held in parts.values()), None

    def tree(self, members: int, depth: int) -> Any:
        if depth == 0:
            return (members & -members).bit_length() - 1
        self.value(members)
        _, k, _ = self.known[members]
        parts = self.parts(members, k)
        return k, {x: self.tree(members & ~parts.get(x, 0), depth - 1) for x in self.labels}


def _column(table: tuple[Labels, ...], j: int) -> dict[Any, int]:
    column: dict[Any, int] = {}
    for c, row in enumerate(table):
        column[row[j]] = column.get(row[j], 0) | 1 << c
    return column
