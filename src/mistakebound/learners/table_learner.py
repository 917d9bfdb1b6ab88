"""The common half of every learner that takes a table at once: classes, columns, model files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np

from mistakebound.core.atomic import exclusive
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.protocol import BatchLearner
from mistakebound.core.schema import Schema
from mistakebound.core.table import CodedLabels, Table, label_codes, named_row
from mistakebound.io.frame import split_label, table_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Sequence
    from typing import Any, Self, TypeVar

    import numpy.typing as npt

    T = TypeVar("T")


class TableLearner(BatchLearner):
    """An algorithm's file says how a table is learned and predicted, what is saved, and what is said of it.

    `classes` are the labels, in the order of the columns of `predict_proba_many`; `schema` are its columns.
    """

    takes = "table"
    saves = True
    many_classes = True
    probabilities = True
    unknown_class: int | None = None  # that of "don't know", where there is one
    wants_columns = True  # a table without a column teaches nothing

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._classes: tuple[Any, ...] | None = None
        self._schema: Schema | None = None
        self.label: str | None = None  # the column of labels, if it stood in the table

    @property
    def classes(self) -> tuple[Any, ...]:
        self._check_fitted()
        assert self._classes is not None
        return self._classes

    @property
    def schema(self) -> Schema:
        return self._known_schema()

    def _known_schema(self) -> Schema:
        self._check_fitted()
        assert self._schema is not None
        return self._schema

    @property
    def fitted(self) -> bool:
        return self._schema is not None

    def _check_fitted(self) -> None:
        if self._schema is None:
            raise BadParameter(f"{type(self).__name__} has learned nothing yet: call fit(X, y) first")

    def fit(self, X: Any, y: Any, **more: Any) -> Self:
        """Learn a table (`table_of` says what may be one) with its labels; y may be the name of a column."""
        table, labels = split_label(X, y, **self._how())
        self._fit_table(table, labels, y if isinstance(y, str) else None, **more)
        return self

    def fit_table(self, table: Table, labels: Any, **more: Any) -> None:
        """As `fit`, with the table at hand."""
        self._fit_table(table, labels, self.label, **more)

    def fit_codes(
        self,
        table: Table,
        codes: npt.NDArray[np.int32],
        classes: tuple[Any, ...],
        validation: tuple[Table, npt.NDArray[np.int32]] | None = None,
        **more: Any,
    ) -> None:
        """As `fit`, with the classes at hand: some may have no row among these."""
        self._check_table(table, table.rows)
        if validation is not None:
            more["validation"] = validation[0], CodedLabels(classes, validation[1])
        self._take(self._fit(table, codes, classes, **more), classes, table, self.label)

    def _check_table(self, table: Table, labels: int) -> None:
        if not table.columns and self.wants_columns and labels:
            raise BadData("there is no column to learn from", source=table.source)
        if not table.rows:
            raise BadData("there are no rows to learn from", source=table.source)

    def _fit_table(self, table: Table, labels: Any, label: str | None, **more: Any) -> None:
        self._check_table(table, len(labels) if hasattr(labels, "__len__") else 0)
        classes, codes = label_codes(labels, table=table)
        self._take(self._fit(table, codes, classes, **more), classes, table, label)

    def _take(self, found: dict[str, Any], classes: tuple[Any, ...], table: Table, label: str | None) -> None:
        """What was learned becomes the learner's, all at once."""
        with self._lock:
            self.__dict__ |= found | {"_classes": classes, "_schema": table.schema, "label": label}

    def _how(self) -> dict[str, Any]:
        """What `table_of` should know: declared values, kinds of columns."""
        return {}

    def predict_many(self, X: Any) -> list[Any]:
        """One label per row."""

        def labels(table: Table) -> list[Any]:
            named: list[Any] = np.array(self.classes, dtype=object)[self._predict(table)].tolist()
            return named

        return self._answer(X, labels)

    def predict_one(self, x: Any, names: Sequence[str] | None = None) -> Any:
        """The label of one row: a mapping from column to value, or values in the order of `names` or of the columns."""
        return self.predict_many([self._one_row(x, names)])[0]

    def predict_proba_one(self, x: Any, names: Sequence[str] | None = None) -> dict[Any, float]:
        """Each class with its probability for one row."""
        return dict(zip(self.classes, self.predict_proba_many([self._one_row(x, names)])[0].tolist(), strict=True))

    def _one_row(self, x: Any, names: Sequence[str] | None) -> Any:
        return x if isinstance(x, Mapping) else named_row(x, self.schema.names if names is None else names)

    def _answer(self, X: Any, answer: Callable[[Table], T]) -> T:
        """What is said of the rows of X, read without the lock: again where other columns were learned meanwhile."""
        while True:
            schema, table = self.schema, self.table(X)
            with self._lock:
                if schema is self._schema:
                    return answer(table)

    def predict_proba_many(self, X: Any) -> npt.NDArray[np.float64]:
        """The probability of each class (columns, in the order of `classes`) for each row."""
        return self._answer(X, self._proba)

    def table(self, X: Any) -> Table:
        """X with the columns that were learned: those that a prediction asks for must be there, others may be."""
        return table_of(X, like=self.schema, spare=() if self.label is None else (self.label,), asked=self.asked)

    @property
    def asked(self) -> tuple[str, ...]:
        """The columns that a prediction depends on."""
        return self.schema.names

    @exclusive
    def predict_table(self, table: Table) -> npt.NDArray[np.int32]:
        self._check_fitted()
        return self._predict(table)

    @exclusive
    def proba_table(self, table: Table) -> npt.NDArray[np.float64]:
        self._check_fitted()
        return self._proba(table)

    @abstractmethod
    def _fit(self, table: Table, codes: npt.NDArray[np.int32], classes: tuple[Any, ...], **more: Any) -> dict[str, Any]:
        """Learn: the attributes of the learner that change, by name.  The learner itself stays as it was."""

    @abstractmethod
    def _predict(self, table: Table) -> npt.NDArray[np.int32]:
        """The number of each row's class."""

    @abstractmethod
    def _proba(self, table: Table) -> npt.NDArray[np.float64]:
        """Rows x classes."""

    def lines(self, top: int) -> list[str]:
        """What was learned, for `explain`."""
        return str(self.hypothesis).splitlines()

    def as_json(self, top: int) -> dict[str, Any]:
        """The same as data."""
        return {"hypothesis": str(self.hypothesis)}

    def explain_row(self, table: Table, row: int) -> list[str]:
        """Why a row gets its label."""
        raise BadParameter(f"{self.name} does not explain single rows")

    # Model files.

    @property
    def _holds_state(self) -> bool:
        return self.fitted

    def _check_saved(self) -> None:
        self._check_fitted()

    def _about(self) -> dict[str, Any]:
        if not self._holds_state:
            return {}
        return {"classes": list(self.classes), "columns": self._known_schema().as_json(), "label": self.label}

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """What a model file holds of it beside arrays, as JSON."""

    @abstractmethod
    def _arrays(self) -> dict[str, Any]:
        """Flat arrays by name."""

    @abstractmethod
    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        """From a model file; ValueError, KeyError or TypeError when its parts contradict each other."""

    def _restore_about(self, header: dict[str, Any], arrays: dict[str, array[Any]]) -> None:
        classes = header["classes"]
        if not classes or not all(isinstance(label, (str, int, float)) for label in classes):
            raise ValueError("the classes are not labels")
        if len({(isinstance(label, str), label) for label in classes}) < len(classes):
            raise ValueError("a class appears twice")
        if not isinstance(header["label"], str | None):
            raise TypeError("the name of the label column is not a text")
        self._classes, self._schema = tuple(classes), Schema.restore(header["columns"])
        self.label = header["label"]


def validation_set(given: Any, table: Table, classes: tuple[Any, ...]) -> tuple[Table, npt.NDArray[np.int32]]:
    """(X, y), as `fit` takes them, with the columns and the classes of the table that is learned."""
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise BadParameter("validation must be (X, y)")
    rows, labels = split_label(*given, like=table.schema)
    if not rows.rows:
        raise BadData("there are no rows in the validation set", source=rows.source)
    return rows, label_codes(labels, classes, rows)[1]
