"""Tables and trees drawn at random: every split a chance one, so that there is something to prune."""

from __future__ import annotations

from random import Random

import numpy as np

from mistakebound.core.table import Column, Table
from mistakebound.learners.tree.flat_tree import Branching, flat


def random_table(seed: int, rows: int, *, missing: float = 0.0) -> Table:
    """Two nominal columns (of 3 and 2 values), one of numbers."""
    rng = Random(seed)

    def gap() -> bool:
        return rng.random() < missing

    return Table(
        [
            Column("a", "nominal", "xyz", np.array([-1 if gap() else rng.randrange(3) for _ in range(rows)])),
            Column("b", "nominal", "pq", np.array([-1 if gap() else rng.randrange(2) for _ in range(rows)])),
            Column("c", "numeric", "", np.array([np.nan if gap() else rng.randrange(6) for _ in range(rows)])),
        ]
    )


def random_codes(seed: int, rows: int, classes: int) -> np.ndarray:
    rng = Random(f"codes {seed}")
    return np.array([rng.randrange(classes) for _ in range(rows)], dtype=np.int32)


def random_tree(seed: int, table: Table, codes: np.ndarray, classes: int, depth: int = 5):
    """Chance splits of the rows that have no gap, down to a depth; labels are pluralities."""
    rng = Random(f"tree {seed}")
    known = [row for row in range(table.rows) if None not in table.row(row).values()]

    def grow(rows: list[int], used: frozenset[int], level: int, label: int) -> Branching:
        counts = [float(sum(codes[row] == place for row in rows)) for place in range(classes)]
        label = counts.index(max(counts)) if rows else label
        free = [place for place in range(3) if place not in used]
        if not rows or level == depth or not free or rng.random() < 0.1:
            return Branching(counts, label)
        column = rng.choice(free)
        data = table.columns[column].data
        if table.columns[column].nominal:
            parts = [[row for row in rows if data[row] == code] for code in range(len(table.columns[column].values))]
            below = [grow(part, used | {column}, level + 1, label) for part in parts]
            return Branching(counts, label, column, children=below)
        threshold = rng.randrange(5) + 0.5
        parts = [[row for row in rows if data[row] <= threshold], [row for row in rows if data[row] > threshold]]
        if not parts[0] or not parts[1]:
            return Branching(counts, label)
        return Branching(counts, label, column, threshold, [grow(part, used, level + 1, label) for part in parts])

    return flat(grow(known, frozenset(), 0, 0))
