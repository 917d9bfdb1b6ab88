"""Labelled examples, played again in their order: pairs, arrays, the blocks of a stream, or a file."""

from __future__ import annotations

from types import GeneratorType

from mistakebound.core.errors import BadData
from mistakebound.core.instance import twice
from mistakebound.core.labels import value_of_text
from mistakebound.core.names import frame_names
from mistakebound.core.persistence import not_to_be_copied
from mistakebound.core.protocol import Teacher, Trial
from mistakebound.io import open_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from mistakebound.core.block import Block


class Replay(Teacher):
    """A teacher that replays labelled examples in their order.

    Parameters
    ----------
    X : array, sparse matrix, data frame or list
        The instances; or, without y, an iterable of pairs (x, y).
    y : sequence or None, default None
        A label for each instance.

    Examples
    --------
    >>> teacher = Replay([[1, 0], [0, 1]], [1, 0])
    >>> trial = teacher.next_trial()
    >>> trial.x, teacher.label(trial, None)
    ([1, 0], 1)
    """

    def __init__(self, X: Any, y: Any = None) -> None:
        self._pairs = iter(X) if y is None else _pairs(X, y)
        self._label: Any = None

    def next_trial(self) -> Trial | None:
        for pair in self._pairs:
            try:
                x, self._label = pair
            except (TypeError, ValueError):
                raise BadData(f"an example is a pair (x, y): {pair!r}") from None
            return Trial(x)
        return None

    def label(self, trial: Trial, prediction: Any) -> Any:
        return self._label

    def __reduce_ex__(self, protocol: Any) -> Any:
        if isinstance(self._pairs, GeneratorType):
            raise not_to_be_copied(self, "its examples come from a generator, which is used up once; give it a list")
        return super().__reduce_ex__(protocol)


def _pairs(X: Any, y: Any) -> Iterator[tuple[Any, Any]]:
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if rows != len(y):
        raise BadData(f"X has {rows} rows and y {len(y)} labels")
    if hasattr(X, "tocsr"):
        from mistakebound.core.csr import checked_csr

        sparse = checked_csr(X)
        return _SparsePairs(sparse, y)
    names = frame_names(X)
    if names is not None:
        from numpy import asarray

        X = [dict(zip(names, row, strict=True)) for row in asarray(X).tolist()]
    return zip(X, y, strict=True)


class _SparsePairs:
    """The rows of a matrix with their labels; an iterator that can be copied, as a generator cannot."""

    def __init__(self, X: Any, y: Any) -> None:
        self._X, self._y = X, y
        self._row = 0

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return self

    def __next__(self) -> tuple[Any, Any]:
        row = self._row
        if row >= self._X.shape[0]:
            raise StopIteration
        self._row = row + 1
        return _sparse_row(self._X, row), self._y[row]


def _sparse_row(X: Any, row: int) -> dict[str, float]:
    a, b = X.indptr[row], X.indptr[row + 1]
    found = {str(j + 1): v for j, v in zip(X.indices[a:b].tolist(), X.data[a:b].tolist(), strict=True)}
    if len(found) < b - a:
        columns = X.indices[a:b].tolist()
        raise BadData(twice(str(next(j for j in columns if columns.count(j) > 1) + 1)), row=row)
    return found


class StreamReplay(Teacher):
    """The rows of a stream's blocks, one by one, with their source and line."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._rows = _rows(blocks)
        self._label: Any = None

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise not_to_be_copied(self, "it is in the middle of a stream; open the stream again")

    def next_trial(self) -> Trial | None:
        for trial, label in self._rows:
            self._label = label
            return trial
        return None

    def label(self, trial: Trial, prediction: Any) -> Any:
        if self._label is None:
            raise BadData("the row has no label", source=trial.source, line=trial.line)
        return self._label


def _rows(blocks: Iterable[Block]) -> Iterator[tuple[Trial, Any]]:
    for block in blocks:
        name_of = str if block.columns is None else block.columns.name
        for row in range(block.rows):
            entries = range(block.indptr[row], block.indptr[row + 1])
            x = {name_of(block.keys[k]): 1.0 if block.values is None else block.values[k] for k in entries}
            line = None if block.lines is None else block.lines[row]
            if len(x) < len(entries):
                keys = [block.keys[k] for k in entries]
                name = next(name_of(key) for place, key in enumerate(keys) if key in keys[:place])
                raise BadData(twice(name), source=block.source, line=line)
            token = -1 if block.tokens is None else block.tokens[row]
            text = block.label_tokens[token].decode(errors="backslashreplace") if token >= 0 else None
            yield Trial(x, source=block.source, line=line), None if text is None else value_of_text(text)


class FileTeacher(StreamReplay):
    """A teacher that replays the rows of a file, one by one.

    `mistakebound learn` plays the same rows in blocks, to the same ledger.

    Parameters
    ----------
    paths : path or sequence of paths
        One file, or several that follow each other.
    settings : mapping or None, default None
        Settings of the reader, as of `mistakebound.io.open_stream`.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.svm")
    >>> with open(path, "w") as file:
    ...     _ = file.write("+1 3:1 7:1\\n-1 2:1\\n")
    >>> teacher = FileTeacher(path)
    >>> trial = teacher.next_trial()
    >>> trial.x, teacher.label(trial, None), trial.line
    ({'3': 1.0, '7': 1.0}, 1, 1)
    >>> teacher.close()
    """

    def __init__(
        self,
        paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        settings: dict[str, Any] | None = None,
    ) -> None:
        self._reader = open_stream(paths, settings)
        super().__init__(self._reader)

    def close(self) -> None:
        self._reader.close()
