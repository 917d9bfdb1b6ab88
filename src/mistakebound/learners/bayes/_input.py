"""What naive Bayes can be given: a table, a matrix, an array, a list of instances; and what its attributes then are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from contextlib import contextmanager
from itertools import islice

import numpy as np

from mistakebound.core.csr import is_sparse, sparse_row
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.params import Parameter
from mistakebound.core.schema import value_text
from mistakebound.core.table import Table
from mistakebound.io.frame import split_label, table_of
from mistakebound.learners.bayes._flags import FlagCounts
from mistakebound.learners.bayes._nominal import NominalCounts
from mistakebound.learners.bayes._words import WordCounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.core.schema import Schema
    from mistakebound.learners.bayes._cells import Floats, Smoothing

FORMS: dict[str, Any] = {"nominal": NominalCounts, "flags": FlagCounts, "words": WordCounts}
_ROWS = 1 << 14  # whose scores stay near at hand
_CHOICES = ", ".join(map(repr, FORMS))


def check_form(form: Any) -> str | None:
    if form is None or (isinstance(form, str) and form in FORMS):
        return form
    raise BadParameter(f"attributes must be {_CHOICES} or None: {form!r}")


class FormParameter(Parameter):
    """What the attributes are: one of FORMS, or None."""

    __slots__ = ()

    def __init__(self, name: str, *, help: str) -> None:
        super().__init__(name, "word", None, optional=True, help=help)

    @property
    def rule(self) -> str:
        return f"{_CHOICES} or None"

    def check(self, value: Any) -> Any:
        return check_form(value)


def form_of_instance(x: Any) -> str | None:
    """Texts are nominal, numbers count words, names and truth values are flags; None when nothing is there to tell.

    >>> form_of_instance({"sky": "sunny"}), form_of_instance({"free": 2}), form_of_instance({"free", "now"})
    ('nominal', 'words', 'flags')
    """
    if not isinstance(x, Mapping):
        return "flags"
    kinds = {type(value) for value in x.values() if value is not None and value == value}
    if not kinds:
        return None
    if any(issubclass(kind, str) for kind in kinds):
        return "nominal"
    return "flags" if all(kind.__name__ in ("bool", "bool_") for kind in kinds) else "words"


def check_declared(declared: Any, form: str | None) -> Any:
    """Attribute to all its values (nominal), or a list of names (flags and words); BadParameter for anything else."""
    if declared is None:
        return None
    if isinstance(declared, Mapping) != (form in (None, "nominal")) or isinstance(declared, str):
        raise BadParameter(
            f"declared must map nominal attributes to all their values, or with attributes='flags' or 'words' list "
            f"the names: {declared!r}"
        )
    if not isinstance(declared, Mapping):
        names = list(declared)
        if not all(isinstance(name, str) and name for name in names) or len({*names}) < len(names):
            raise BadParameter(f"declared must list different names: {names!r}")
        return names
    checked = {}
    for name, values in declared.items():
        texts = () if isinstance(values, str) or not hasattr(values, "__iter__") else tuple(map(value_text, values))
        if not isinstance(name, str) or not name or not texts or len({*texts}) < len(texts):
            raise BadParameter(
                f"declared must give every attribute different values, at least one: {name!r}, {values!r}"
            )
        checked[name] = list(texts)
    return checked


class Given:
    """Rows of one form; `labels` are theirs, where they stood in the table."""

    def __init__(self, form: str, rows: int, labels: Any) -> None:
        self.form = form
        self.rows = rows
        self.labels = labels
        self.table: Table | None = None
        self.matrix: Any = None
        self.instances: Sequence[Any] | None = None
        self.names: Sequence[str] | None = None  # of the columns of the matrix

    def count(self, counts: Any, codes: Any, weights: Floats) -> None:
        """Into counts that have the classes of the codes."""
        with self._located():
            self._count(counts, codes, weights)

    def _count(self, counts: Any, codes: Any, weights: Floats) -> None:
        if self.form != "nominal":
            counts.learn_many(self.matrix, self.names, codes, weights)
        elif self.table is None and counts.learn_codes(self.matrix, self._columns(), codes, weights):
            return
        else:
            counts.learn_table(self._table(), codes, weights)

    def scored(self, counts: Any, smoothing: Smoothing, priors: list[float]) -> Iterator[tuple[int, int, Floats]]:
        """(first row, row behind the last, scores) of some rows at a time; the scores are good until the next."""
        if self.form != "nominal":
            scores = np.empty((self.rows, counts.classes))
            scores[:] = priors
            with self._located():
                counts.add_many_scores(self.matrix, self.names, smoothing, scores)
            yield 0, self.rows, scores
            return
        if self.table is None and self.matrix.shape[1] and counts.plain_codes():
            add = counts.code_scorer(self.matrix, self._columns(), smoothing)
        else:
            add = counts.table_scorer(self._table(), smoothing)
        room = np.empty((min(self.rows, _ROWS), counts.classes))
        start = np.tile(np.array(priors), (len(room), 1))
        for first in range(0, self.rows, _ROWS):
            last = min(first + _ROWS, self.rows)
            scores = room[: last - first]
            scores[:] = start[: last - first]
            add(first, last, scores)
            yield first, last, scores

    def _columns(self) -> list[str]:
        """The names of the columns of an array of codes, as a table has them."""
        return [f"x{column}" for column in range(1, self.matrix.shape[1] + 1)]

    def _table(self) -> Table:
        return table_of(self.matrix, nominal=self._columns()) if self.table is None else self.table

    def instance(self, row: int) -> Any:
        """One row, as predict_one would take it."""
        if self.instances is not None:
            return self.instances[row]
        if self.form == "nominal":
            return self._table().row(row)
        dense = sparse_row(self.matrix, row) if is_sparse(self.matrix) else np.asarray(self.matrix[row])
        names = self.names or [str(number) for number in range(1, len(dense) + 1)]
        return dict(zip(names, dense.tolist(), strict=True))

    def each(self) -> Iterator[Any]:
        """The rows in order, each as predict_one would take it."""
        if self.form == "nominal" and self.instances is None:
            self.table = self._table()
        return map(self.instance, range(self.rows))

    @contextmanager
    def _located(self) -> Iterator[None]:
        """The error of an invalid row, with its line if the table is a file."""
        try:
            yield
        except BadData as error:
            if self.table is None or error.row is None:
                raise
            raise self.table.complain(error.message, error.row) from None

    def complain(self, message: str, row: int) -> BadData:
        return BadData(message, row=row) if self.table is None else self.table.complain(message, row)


def given_rows(
    X: Any, y: Any, form: str | None, exact: bool, names: Sequence[str] | None, like: Schema | None, spare: Any = ()
) -> Given:
    """X as rows of one form; `form` is None when it is still open, `exact` when numbers may be nominal values."""
    if isinstance(X, (list, tuple)) and X and not _of_instances(X):
        X = np.asarray(X)
    if is_sparse(X):
        return _matrix(X, y, form or "words", names)
    if isinstance(X, np.ndarray) and X.dtype.kind in "biuf":
        if X.ndim != 2:
            raise BadData(f"an array must have rows and columns: it has {X.ndim} dimensions")
        form = form or _form_of_array(X)
        if form != "nominal" or X.dtype.kind in "iu":
            return _matrix(X, y, form, names)
        return _table(table_of(X, nominal=[f"x{j + 1}" for j in range(X.shape[1])]), y)
    if isinstance(X, (list, tuple)):
        form = form or next(filter(None, map(form_of_instance, X)), "nominal")
        if form != "nominal":
            return _instances(X, y, form)
        found = _nominal_instances(X, like)
        if isinstance(found, Table) and not isinstance(y, str):
            return _table(found, y)
        X = X if isinstance(found, Table) else found
    how: dict[str, Any] = {}
    if form in (None, "nominal"):
        form = "nominal"
        if exact and like is None:
            label = y if isinstance(y, str) else None
            how["nominal"] = [name for name in table_of(X).names if name != label]
    if isinstance(y, str):
        return given_table(*split_label(X, y, **how), form or "")
    return given_table(table_of(X, like=like, spare=spare, **how), y, form or "")


def _nominal_instances(X: Sequence[Any], like: Schema | None) -> Any:
    """For `table_of`: the instances, by the names of `like` as predict_one would; a table where none has a name."""
    names: dict[str, Any] = {}
    for row, x in enumerate(X):
        if not isinstance(x, Mapping):
            kind = type(x).__name__
            raise BadData(
                f"an instance of nominal attributes must be a mapping from name to value, not {kind}", row=row
            )
        for name in x:
            names[str(name)] = name
    wanted = names if like is None else like.names
    if not wanted:
        return Table((), rows=len(X))
    return X if like is None else {name: [x.get(names.get(name)) for x in X] for name in wanted}


def _of_instances(X: Sequence[Any]) -> bool:
    """Mappings, sets or lists of names, and not rows of numbers."""
    if isinstance(X[0], (Mapping, Set, str)):
        return True
    return isinstance(X[0], (list, tuple)) and any(isinstance(item, str) for row in X for item in islice(row, 1))


def given_table(table: Table, labels: Any, form: str) -> Given:
    """A table as rows of one form: nominal columns, or columns of numbers."""
    if form == "nominal":
        return _table(table, labels)
    for column in table.columns:
        if column.nominal and not column.missing.all():
            raise BadData(
                f"column {column.name!r} is nominal, but these attributes are {form}: numbers", source=table.source
            )
    data = [np.full(table.rows, np.nan) if column.nominal else column.data for column in table.columns]
    given = _matrix(np.column_stack(data) if data else np.zeros((table.rows, 0)), labels, form, table.names)
    given.table = table
    return given


def _table(table: Table, labels: Any) -> Given:
    for column in table.columns:
        if not column.nominal:
            raise BadData(
                f"column {column.name!r} is numeric, and naive Bayes counts values: cut it into bins, or take each "
                f"number as a value (attributes='nominal'; on the command line --bins K or --nominal {column.name})",
                source=table.source,
            )
    given = Given("nominal", table.rows, labels)
    given.table = table
    return given


def _matrix(X: Any, y: Any, form: str, names: Sequence[str] | None) -> Given:
    if isinstance(y, str):
        raise BadParameter(f"y must be one label per row for rows without names: {y!r}")
    if form == "nominal" and not isinstance(X, np.ndarray):
        raise BadParameter("attributes must be 'words' or 'flags' for a sparse matrix: 'nominal'")
    if form == "words" and isinstance(X, np.ndarray) and X.dtype.kind == "f":
        X = np.nan_to_num(X, nan=0.0, posinf=np.inf, neginf=-np.inf) if np.isnan(X).any() else X
    given = Given(form, X.shape[0], y)
    given.matrix, given.names = X, names
    return given


def _instances(X: Sequence[Any], y: Any, form: str) -> Given:
    if isinstance(y, str):
        raise BadParameter(f"y must be one label per row for {form}: {y!r}")
    given = Given(form, len(X), y)
    given.instances = X
    return given


def _form_of_array(X: Any) -> str:
    if X.dtype.kind == "b" or bool(((X == 0) | (X == 1) | (X != X)).all()):
        return "flags"
    raise BadParameter(f"attributes must be {_CHOICES} for an array of numbers other than 0 and 1: None")
