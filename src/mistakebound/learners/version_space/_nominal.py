"""Learners of instances over nominal attributes, whose values are declared, or observed as they come."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.attribute_values import (
    MISSING,
    UNSEEN,
    cells,
    check_attributes,
    missing_cell,
    not_declared,
    parse_attributes,
    text_of,
)
from mistakebound.concepts.attributes import AttributeConjunctions
from mistakebound.core.atomic import commit, reading
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.fields import plain_values
from mistakebound.core.params import Parameter
from mistakebound.learners.version_space._learner import ConceptLearner

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from mistakebound.core.atomic import Change
    from mistakebound.core.ledger import Ledger
    from mistakebound.core.schema import Schema
    from mistakebound.core.table import Table
    from mistakebound.learners.version_space.rows import CodedRows


class AttributesParameter(Parameter):
    """The value is {name: [values]}, or None where they are to be observed.

    >>> ATTRIBUTES.check({"Sky": ("Sunny", "Rainy")}), ATTRIBUTES.parse("Sky=Sunny,Rainy")
    ({'Sky': ['Sunny', 'Rainy']}, {'Sky': ['Sunny', 'Rainy']})
    """

    __slots__ = ()

    @property
    def rule(self) -> str:
        return "{name: [values]}, or left out"

    def check(self, value: Any) -> Any:
        if value is None:
            return None
        try:
            return {name: list(values) for name, values in check_attributes(value).items()}
        except ValueError as error:
            raise BadParameter(f"{self.name} must be {self.rule} ({error}): {value!r}") from None

    def parse(self, text: str) -> Any:
        return None if text.strip().lower() == "none" else self.check(parse_attributes(text))


ATTRIBUTES = AttributesParameter(
    "attributes", "attributes", None, optional=True, grid=({"sky": ["sunny", "rainy"], "wind": ["strong", "weak"]},),
    help="attributes and their values (default: as observed)",
)  # fmt: skip
MISSING_CELLS = Parameter(
    "missing", "word", "refuse", words=("refuse", "value"),
    help="missing cells: refuse, or count as one more value",
)  # fmt: skip


@dataclass(slots=True)
class Reading:
    """An instance as numbers of values; `new` are the values that it would add, in the order of attributes."""

    names: tuple[str, ...]
    codes: tuple[int, ...]
    new: list[tuple[int, str]]


class NominalLearner(ConceptLearner):
    """Instances are mappings {name: value} or rows in the order of the attributes.

    Declared values are all there are: another one is bad data.  Values that are observed are entered when an example
    with them is learned; rows without names are over x1, x2, ...
    """

    parameters = (ATTRIBUTES, MISSING_CELLS)

    def __init__(
        self, attributes: Mapping[str, Sequence[Any]] | None = None, missing: str = "refuse", labels: Any = None
    ) -> None:
        super().__init__(labels, attributes=attributes, missing=missing)
        declared = self.settings["attributes"]
        self._observes = declared is None
        self._numbers: dict[str, dict[str, int]] = {
            name: {text: code for code, text in enumerate(values)} for name, values in (declared or {}).items()
        }
        self._space: AttributeConjunctions | None = None
        self._watch: Callable[[int, Any], None] | None = None
        self.numeric: set[str] = set()  # attributes whose values stood in a table as numbers
        self._start()

    @abstractmethod
    def _start(self) -> None:
        """Nothing is learned yet."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes, as far as they are known."""
        return tuple(self._numbers)

    @property
    @reading
    def space(self) -> AttributeConjunctions:
        """All conjunctions over the attributes and values that are known now."""
        return self._known_space()

    def _known_space(self) -> AttributeConjunctions:
        if self._space is None:
            if not self._numbers:
                raise BadParameter(
                    "attributes must be declared, or an example learned, before there is a version space"
                )
            self._space = AttributeConjunctions({name: tuple(known) for name, known in self._numbers.items()})
        return self._space

    def _read(self, x: Any, names: Sequence[str] | None) -> Reading:
        if names is not None:
            x = _named(x, names)
        own = self.attributes or _names_of(x)
        found, new = [], []
        for j, (name, value) in enumerate(zip(own, cells(x, own), strict=True)):
            text = text_of(value)
            known = self._numbers.get(name, {})
            may_enter = self._observes
            if text is None:
                if self.settings["missing"] == "refuse":
                    raise BadData(missing_cell(name))
                text, may_enter = MISSING, True
            code = known.get(text, UNSEEN)
            if code == UNSEEN:
                if not may_enter:
                    raise BadData(not_declared(name, text, known))
                if not text:
                    raise BadData(f"the value of {name!r} is an empty text")
                new.append((j, text))
            found.append(code)
        return Reading(own, tuple(found), new)

    def _entering(self, instance: Reading) -> None:
        for j, text in instance.new:
            self._enter(instance.names[j], text)

    def _left_out(self, instance: Reading) -> None:
        for j, text in instance.new:
            self._forget(instance.names[j], text)

    def _hear(self, instance: Reading, label: int) -> list[Change]:
        codes = list(instance.codes)
        for j, text in instance.new:
            codes[j] = self._numbers[instance.names[j]][text]
        return self._learn(tuple(codes), label)

    def _forget(self, name: str, text: str) -> None:
        """A value never came; nor did its attribute, if it was the first and none is declared."""
        known = self._numbers.get(name, {})
        known.pop(text, None)
        if not known and self._observes:
            self._numbers.pop(name, None)
        self._space = None

    def _enter(self, name: str, text: str) -> int:
        known = self._numbers.setdefault(name, {})
        self._space = None
        return known.setdefault(text, len(known))

    @abstractmethod
    def _learn(self, codes: tuple[int, ...], label: int) -> list[Change]:
        """As `_hear`, for an instance whose values all have numbers."""

    def _say(self, instance: Reading) -> int | None:
        return self._answer(instance.codes)

    @abstractmethod
    def _answer(self, codes: Sequence[int]) -> int | None:
        """1, 0, or None for "don't know"; UNSEEN stands for a value that was never met."""

    @reading
    def complete(self, x: Any) -> tuple[str, ...]:
        """An instance as the texts of its values, checked; a missing cell as what it is here."""
        reading = self._read(x, None)
        values = [tuple(known) for known in self._numbers.values()]
        new = dict(reading.new)
        return tuple(new.get(j) or values[j][code] for j, code in enumerate(reading.codes))

    # Tables.

    def _instances(self, X: Any) -> Iterator[Any]:
        from mistakebound.learners.version_space.rows import with_names

        return super()._instances(with_names(X, self.attributes))

    def table(self, X: Any) -> Table:
        from mistakebound.learners.version_space.rows import with_names

        return super().table(with_names(X, self.attributes))

    def learn_many(
        self, X: Any, y: Any, *, ledger: Ledger | None = None, watch: Callable[[int, Any], None] | None = None
    ) -> list[Any]:
        """As of any of these learners; `watch(row, prediction)` hears of each row of a table that changes something."""
        from mistakebound.learners.version_space.rows import is_list, learn_table

        if is_list(X) and not isinstance(y, str):
            return super().learn_many(X, y, ledger=ledger)
        with self._lock:
            self._watch = watch
            try:
                return learn_table(self, X, y, ledger)
            finally:
                self._watch = None

    def _learn_rows(self, rows: CodedRows, labels: Any, predictions: Any) -> None:
        """Play rows as trials: codes of the predictions, -1 for "don't know"; a contradiction raises."""
        for row in range(rows.count):
            self._play_row(rows.row(row), int(labels[row]), row, predictions)

    def _play_row(self, codes: tuple[int, ...], label: int, row: int, predictions: Any) -> None:
        said = self._answer(codes)
        predictions[row] = -1 if said is None else said
        commit([*self._learn(codes, label), (setattr, self, "trials", self.trials + 1)])
        self._changed(row, said)

    def _changed(self, row: int, said: int | None) -> None:
        """A row of a table changed something."""
        if self._watch is not None:
            with self._lock.pause():
                self._watch(row, self._label(said))

    @property
    @reading
    def schema(self) -> Schema:
        from mistakebound.core.schema import NOMINAL, NUMERIC, Schema

        return Schema(
            [
                (name, NUMERIC, ()) if name in self.numeric else (name, NOMINAL, [v for v in known if v != MISSING])
                for name, known in self._numbers.items()
            ]
        )

    def _read_row(self, table: Table, row: int) -> Reading:
        strange = next((c.name for c in table.columns if c.nominal and c.data[row] == UNSEEN), None)
        if strange is not None:
            raise table.complain(f"the value of {strange!r} was neither declared nor learned", row)
        reading: Reading = super()._read_row(table, row)
        return reading

    # Model files.

    def _state(self) -> dict[str, Any]:
        return {
            "attributes": [[name, list(known)] for name, known in self._numbers.items()],
            "numeric": sorted(self.numeric),
        }

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        found = dict(state["attributes"])
        if len(found) < len(state["attributes"]) or (found and check_attributes(found) != _tuples(found)):
            raise ValueError("the attributes are not names with values")
        declared = self.settings["attributes"]
        if declared is not None:
            extra = {name: [text for text in values if text != MISSING] for name, values in found.items()}
            if extra != {name: [text for text in values if text != MISSING] for name, values in declared.items()}:
                raise ValueError("the attributes are not those that were declared")
        self._numbers = {name: {text: code for code, text in enumerate(values)} for name, values in found.items()}
        if not {*state["numeric"]} <= {*found}:
            raise ValueError("a column of numbers is not an attribute")
        self.numeric = set(state["numeric"])
        self._space = None

    def _check_codes(self, codes: Iterable[Any], least: int = 0) -> tuple[int, ...]:
        """Of a model file: one number per attribute, each of a value that there is."""
        found = tuple(codes)
        sizes = [len(known) for known in self._numbers.values()]
        if len(found) != len(sizes) or not all(
            type(code) is int and least <= code < size for code, size in zip(found, sizes, strict=True)
        ):
            raise ValueError("a row is not one of the attributes' values")
        return found


def _tuples(found: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    return {name: tuple(values) for name, values in found.items()}


def _named(x: Any, names: Sequence[str]) -> dict[str, Any]:
    row = cells(x, names)
    if len(set(names)) < len(names):
        raise BadData("a name appears twice")
    return dict(zip(names, row, strict=True))


def _names_of(x: Any) -> tuple[str, ...]:
    """The attributes of the first instance, where none were declared."""
    if hasattr(x, "keys"):
        names = tuple(x.keys())
        if not all(isinstance(name, str) and name for name in names):
            raise BadData(f"the names of attributes must be texts: {names!r}")
    else:
        x = plain_values(x)
        if isinstance(x, str | bytes) or not hasattr(x, "__len__") or not hasattr(x, "__getitem__"):
            raise BadData(f"an instance must be a mapping {{name: value}} or a row of values: {x!r}")
        names = tuple(f"x{j}" for j in range(1, len(x) + 1))
    if not names:
        raise BadData("an instance must have at least one attribute")
    return names
