"""A finite class in a file: one concept a line, one instance a column, labels 0 and 1."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mistakebound.concepts.finite import LIMIT, FiniteClass
from mistakebound.core.errors import BadData

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGITS = {"0", "1"}


def read_class(path: str | os.PathLike[str], *, limit: int = LIMIT) -> FiniteClass:
    """Reads a finite class from a file: a line per concept, a column per instance.

    Parameters
    ----------
    path : str or path
        Labels 0 and 1, separated by commas, semicolons, tabs or blanks, or not at all.  A first line with anything else
        names the instances; empty lines and lines that begin with # are ignored.
    limit : int, default 2^28
        The most concepts times instances.

    Returns
    -------
    FiniteClass
        Its concepts are the numbers of the rows, from 0; the instances their names, or numbers from 0.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "class.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("a,b,c\\n0,0,1\\n0,1,1\\n")
    >>> C = read_class(path)
    >>> C.size, C.instances
    (2, ('a', 'b', 'c'))
    """
    names: list[str] | None = None
    rows: list[list[int]] = []
    for number, cells in _lines(path):
        if set(cells) <= _DIGITS:
            rows.append([int(cell) for cell in cells])
        elif not rows and names is None:
            names = cells
        else:
            bad = next(cell for cell in cells if cell not in _DIGITS)
            raise BadData(f"a label must be 0 or 1: {bad!r}", source=os.fspath(path), line=number)
        width = len(names or rows[0])
        if len(cells) != width:
            raise BadData(f"a line must have {width} labels: {len(cells)}", source=os.fspath(path), line=number)
    if not rows:
        raise BadData("a class must have a line of labels 0 and 1", source=os.fspath(path))
    made = FiniteClass(rows, limit=limit)
    if names is None:
        return made
    columns, size = made.columns, made.size
    return FiniteClass.from_columns(columns, size, names, lambda: made.concepts, distinct=True)


def _lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, list[str]]]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                text = line.strip()
                if not text or text.startswith("#"):
                    continue
                mark = next((mark for mark in ",;\t" if mark in text), None)
                cells = [cell.strip().strip('"') for cell in text.split(mark)]
                if len(cells) == 1 and set(text) <= _DIGITS:
                    cells = list(text)
                yield number, cells
    except UnicodeDecodeError:
        raise BadData("a file of a class must be text", source=os.fspath(path)) from None
