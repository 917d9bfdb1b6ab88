"""The sets of `progressive.py`, read by our own readers: everybody gets the same attributes."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from mistakebound.io import open_stream

MANY = 300  # attributes above which a row is not written out with its zeros


@dataclass(frozen=True)
class Set:
    """A file, how it is read, and what its first line lacks: UCI's tables have no header."""

    file: str
    settings: dict[str, Any] = field(default_factory=dict)
    columns: int = 0  # of a table without a header
    label: int = 0  # the column of its labels
    ordered: bool = False  # a stream: its order matters
    dense: bool = False  # a table of numbers, in which 0 is a value


SETS = {
    "SMS spam": Set("SMSSpamCollection", {"format": "text"}, ordered=True),
    "a1a": Set("a1a", {"format": "libsvm"}),
    "mushroom": Set("agaricus-lepiota.data", columns=23),
    "votes": Set("house-votes-84.data", columns=17),
    "car": Set("car.data", columns=7, label=6),
    "elec": Set("elec.csv", {"format": "csv", "label": "class"}, ordered=True, dense=True),
    "elec, 10 bins": Set("elec.csv", {"format": "csv", "label": "class", "bins": 10}, ordered=True),
    "kr-vs-kp": Set("kr-vs-kp.data", columns=37, label=36),
    "tic-tac-toe": Set("tic-tac-toe.data", columns=10, label=9),
    "spambase": Set("spambase.data", {"format": "csv", "label": "spam"}, dense=True),
    "sea": Set("sea.data", columns=4, label=3, ordered=True, dense=True),
    "rcv1": Set("rcv1_small.vw", {"format": "vw"}),
}


@dataclass
class Examples:
    """Rows in the order of the file: X in CSR form, y the place of the label, 0 that of the commonest."""

    X: Any
    y: Any
    names: list[str]
    labels: list[str]  # by place
    dense: bool = False
    full: Any = None  # X with the zeros of a dense table, in which a value that is missing is absent

    def take(self, order: Any) -> Examples:
        full = None if self.full is None else self.full[order]
        return replace(self, X=self.X[order], y=self.y[order], full=full)

    def two(self) -> Examples:
        """The commonest label is 0, all others are 1."""
        rest = self.labels[1:] if len(self.labels) == 2 else [f"not {self.labels[0]}"]
        return replace(self, y=(self.y > 0).astype(np.int64), labels=[self.labels[0], *rest])

    @property
    def rows(self) -> Any:
        """For a learner to which a 0 that is written in a row is a value."""
        return self.X.toarray() if self.dense else self.X


_NO_SETS = (".names", ".md", ".py")  # what else lies in folders of sets


def described(folder: Path) -> dict[str, Set]:
    """The sets of a folder: those that are known, and every other file as `learn FILE` reads it."""
    known = {name: one for name, one in SETS.items() if (folder / one.file).exists()}
    taken = {one.file for one in SETS.values()} | {"rcv1_small_test.vw"}
    others = sorted(
        path.name for path in folder.iterdir()
        if path.is_file() and path.name not in taken and not path.name.endswith(_NO_SETS) and path.name[0] != "."
    )  # fmt: skip
    return known | {name: Set(name) for name in others}


def there(folder: Path) -> list[str]:
    return list(described(folder))


@functools.lru_cache(maxsize=2)
def read_set(folder: Path, name: str) -> Examples:
    """Of the sets above the commonest label is 0, all others are 1; a file that is not known keeps its labels."""
    one = described(folder)[name]
    with tempfile.TemporaryDirectory() as scratch:
        path, settings = folder / one.file, one.settings
        if one.columns:
            path, settings = _with_header(path, one, Path(scratch, "table.csv"))
        with open_stream(path, settings) as stream:
            found = _examples(stream)
    numbers = name not in SETS and found.X.shape[1] <= MANY and bool(np.any(found.X.data != 1.0))
    return replace(found if name not in SETS else found.two(), dense=one.dense or numbers)


def _with_header(path: Path, described: Set, copy: Path) -> tuple[Path, dict[str, Any]]:
    names = ["class" if column == described.label else f"a{column}" for column in range(described.columns)]
    with open(copy, "wb") as table, open(path, "rb") as rows:
        table.write(",".join(names).encode() + b"\n")
        shutil.copyfileobj(rows, table)
    return copy, {"format": "csv", "label": "class"}


def _examples(blocks: Iterable[Any]) -> Examples:
    columns: dict[str, int] = {}
    starts, places, values, labels = [0], [], [], []
    dense = False
    for block in blocks:
        dense = dense or block.dense
        for row in range(block.rows):
            labels.append(block.label_tokens[block.tokens[row]].decode())
            for entry in range(block.indptr[row], block.indptr[row + 1]):
                places.append(columns.setdefault(block.name(entry), len(columns)))
                values.append(1.0 if block.values is None else block.values[entry])
            starts.append(len(places))
    full = csr_matrix((values, np.array(places, dtype=np.int32), np.array(starts, dtype=np.int32)))
    full.sort_indices()
    X = full.copy()
    X.eliminate_zeros()
    common = [label for label, _ in Counter(labels).most_common()]
    order = {label: place for place, label in enumerate(common)}
    y = np.array([order[label] for label in labels], dtype=np.int64)
    return Examples(X, y, [*columns], common, full=full if dense else None)
