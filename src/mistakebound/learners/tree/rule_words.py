"""A tree's tests, branches and counts in words: what text, pictures, pages and explanations all say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.plain_sum import plain_sum

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.table import Schema
    from mistakebound.learners.tree.flat_tree import FlatTree

_CLASSES = 4  # whose counts are written out
VALUES = 4  # of a set that are written out, where not all are asked for


def number_text(number: float) -> str:
    """To 15 digits, for people: midway between 41.1 and 41.2 is 41.150000000000006 to a computer.

    >>> number_text(54.0), number_text(0.1), number_text(-2.5e-07), number_text((41.1 + 41.2) / 2)
    ('54', '0.1', '-2.5e-07', '41.15')
    """
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else f"{number:.15g}"


def weight_text(weight: float) -> str:
    """A count of rows: whole, or with one decimal where shares of rows were counted.

    >>> weight_text(1234.0), weight_text(2.46)
    ('1,234', '2.5')
    """
    near = round(weight)
    return f"{near:,}" if abs(weight - near) < 0.05 else f"{weight:,.1f}"


def counts_text(counts: Sequence[float], classes: Sequence[Any]) -> str:
    """The rows of each class, the largest first.

    >>> counts_text([5.0, 9.0], ("no", "yes"))
    '9 yes, 5 no'
    """
    met = sorted((-count, place) for place, count in enumerate(counts) if count > 0)
    shown = len(met) if len(met) <= _CLASSES else _CLASSES - 1
    said = [f"{weight_text(-count)} {classes[place]}" for count, place in met[:shown]]
    if len(met) > shown:
        said.append(f"{weight_text(-plain_sum(count for count, _ in met[shown:]))} of {len(met) - shown} more classes")
    return ", ".join(said) or "no rows"


def leaf_text(tree: FlatTree, node: int, classes: Sequence[Any]) -> str:
    """The class, and the rows that it was learned from: how many, and how many of them were of another class."""
    counts = tree.counts[node]
    rows, errors = float(counts.sum()), float(counts.sum() - counts[tree.label[node]])
    exceptions = f", {weight_text(errors)} not" if errors > 1e-9 else ""
    return f"{classes[tree.label[node]]} ({weight_text(rows)}{exceptions})"


def values_of(tree: FlatTree, node: int, branch: int, schema: Schema) -> tuple[int, ...]:
    """The codes of a nominal column that go down a branch."""
    start = int(tree.mask_start[node])
    if start < 0:
        return (branch,)
    count = len(schema.columns[tree.column[node]][2])
    return tuple(np.flatnonzero(tree.masks[start : start + count] == 1 - branch).tolist())


def branch_text(tree: FlatTree, node: int, branch: int, schema: Schema, most: int | None = VALUES) -> str:
    """What a row must be to go down a branch: a value, some values (at most so many), <= or > a number."""
    _, kind, texts = schema.columns[tree.column[node]]
    if kind == "numeric":
        return f"{'<=' if branch == 0 else '>'} {number_text(float(tree.threshold[node]))}"
    codes = values_of(tree, node, branch, schema)
    if most is None or len(codes) <= most:
        return ", ".join(texts[code] for code in codes)
    return ", ".join(texts[code] for code in codes[: most - 1]) + f", {len(codes) - most + 1} more"


def branch_data(tree: FlatTree, node: int, branch: int, schema: Schema) -> dict[str, Any]:
    """The same for a program: all the values, or the threshold to its last bit."""
    _, kind, texts = schema.columns[tree.column[node]]
    if kind == "numeric":
        return {"threshold": float(tree.threshold[node])}
    return {"values": [texts[code] for code in values_of(tree, node, branch, schema)]}


def test_text(tree: FlatTree, node: int, schema: Schema) -> str:
    """The name of the column that is tested."""
    return str(schema.columns[tree.column[node]][0])


def step_text(tree: FlatTree, node: int, branch: int, schema: Schema, most: int | None = VALUES) -> str:
    """A test and its outcome: `outlook = sunny`, `age > 30`."""
    said = branch_text(tree, node, branch, schema, most)
    name, kind, _ = schema.columns[tree.column[node]]
    if kind == "numeric":
        return f"{name} {said}"
    several = len(values_of(tree, node, branch, schema)) != 1
    return f"{name} in ({said})" if several else f"{name} = {said}"
