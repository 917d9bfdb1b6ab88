"""The cells of a table as SQL expressions of SQLite: texts, numbers, bins, parts of dates, and which rows are bad."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.core.names import sql_name, sql_value
from mistakebound.io.moments import MOMENT, parts_of
from mistakebound.model.export.inputs import attribute_places, source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from mistakebound.model.export.form import InputColumn, Inputs

_UNITS = ("$", "€", "£", "¥", "₹", "%", "USD", "EUR", "GBP", "CHF", "JPY", " ", "\u00a0", "\u202f", "'", "’", ")")
_MOST_COLUMNS = 1900  # SQLite takes 2,000 in a query
_BOOLEANS = {"true", "false"}


class SqlCells:
    """Three steps, each a table of the query: `texts` (trimmed), `cells` (typed, NULL: missing), `parts` of cells."""

    def __init__(self, inputs: Inputs, attributes: Iterable[str], numeric: bool = True) -> None:
        self.inputs = inputs
        if inputs.kind == "table":
            self.columns = list(inputs.columns)
            self._whole, self._stems = attribute_places(inputs)
        else:  # a column for each attribute
            from mistakebound.model.export.form import InputColumn

            names = list(dict.fromkeys(attributes))
            self.columns = [InputColumn(name, "numeric") for name in names]
            self._whole, self._stems = {name: (place, -1) for place, name in enumerate(names)}, {}
        if len(self.columns) > _MOST_COLUMNS:
            raise BadParameter(f"the model has {len(self.columns):,} columns, more than a table of SQLite can have")
        self.row = f"d.{_name_of_row([column.name for column in self.columns])}"

    # The steps.

    def texts(self) -> list[str]:
        return [f"{self._raw(column)} AS t{place}" for place, column in enumerate(self.columns)]

    def cells(self) -> list[str]:
        found, bad = [], ["0"]
        missing = ", ".join(sql_value(word) for word in _forms(self.inputs.missing))
        for place, column in enumerate(self.columns):
            text = f"t{place}"
            if column.kind == "numeric":
                plain = _is_number(text)
                found.append(
                    f"CASE WHEN typeof({text}) = 'real' THEN {text} WHEN {plain} THEN CAST({text} AS REAL) END"
                    f" AS c{place}"
                )
                bad.append(f"(typeof({text}) = 'text' AND LOWER({text}) NOT IN ({missing}) AND NOT ({plain}))")
                bad.append(f"COALESCE(ABS(CAST({text} AS REAL)) = 9e999, 0)")
            else:
                found.append(f"CASE WHEN LOWER({text}) NOT IN ({missing}) THEN {text} END AS c{place}")
                if column.kind == MOMENT:
                    good = _is_moment(text, column.order)
                    bad.append(f"({text} IS NOT NULL AND LOWER({text}) NOT IN ({missing}) AND NOT ({good}))")
        return [*found, f"{any_of(bad)} AS bad"]

    def parts(self) -> list[str]:
        found = ["bad"]
        for place, column in enumerate(self.columns):
            cell = f"c{place}"
            if column.kind == MOMENT:
                found += [f"{_part(cell, column.order, part)} AS c{place}_{part}" for part in parts_of(column.order)]
            elif column.cuts:
                steps = " ".join(f"WHEN {cell} <= {number(cut)} THEN {k}" for k, cut in enumerate(column.cuts))
                found.append(f"CASE WHEN {cell} IS NULL THEN NULL {steps} ELSE {len(column.cuts)} END AS c{place}")
            else:
                found.append(cell)
        return found

    def _raw(self, column: InputColumn) -> str:
        name = f"d.{sql_name(column.name)}"  # bare, SQLite would take it for a text where there is no such column
        trimmed = f"TRIM(CAST({name} AS TEXT), ' ' || CHAR(9))"
        if column.kind == "numeric":
            text = _undressed(trimmed, column.mark) if column.mark else trimmed
            return f"CASE WHEN typeof({name}) IN ('integer', 'real') THEN CAST({name} AS REAL) ELSE {text} END"
        cut = f"CAST({name} AS INTEGER)"
        whole = f"WHEN typeof({name}) = 'real' AND {name} = {cut} THEN CAST({cut} AS TEXT)"
        if column.values and {*column.values} <= _BOOLEANS:
            whole += f" WHEN typeof({name}) = 'integer' THEN CASE {name} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"
        return f"CASE {whole} ELSE {trimmed} END"

    # Attributes.

    def place(self, attribute: str) -> tuple[str, str | None]:
        """The cell that an attribute stands for, and the value (of SQL) that it has then; None: its number counts."""
        found = source_of(attribute, self._whole, self._stems)
        if len(found) == 3:
            place, part, text = found
            return f"c{place}_{part}" if part else f"c{place}", sql_value(text)
        place, which = found
        return f"c{place}", None if which < 0 else str(which)

    def present(self, attribute: str) -> str:
        """A condition that is never NULL."""
        cell, value = self.place(attribute)
        if value is not None:
            return f"{cell} IS {value}"
        return f"{cell} IS NOT NULL" if self.inputs.zeros else f"COALESCE({cell}, 0) <> 0"

    def every(self) -> list[tuple[str, str]]:
        """Each cell of which one attribute at most is in a row, and the condition that there is one."""
        found = []
        for place, column in enumerate(self.columns):
            if column.kind == MOMENT:
                found += [(f"c{place}_{part}", f"c{place}_{part} IS NOT NULL") for part in parts_of(column.order)]
            elif column.kind == "nominal" or column.cuts or self.inputs.zeros:
                found.append((f"c{place}", f"c{place} IS NOT NULL"))
            else:
                found.append((f"c{place}", f"COALESCE(c{place}, 0) <> 0"))
        return found


_NOT_IN_NUMBERS = (  # patterns of SQLite: other characters, a sign that is neither first nor behind an e, two dots, ...
    "*[^-+.0-9eE]*", "*[^eE][-+]*", "*.*.*", "*[eE]*[eE]*", "*[eE]*.*", "[eE]*", "[-+.][eE]*", "[-+].[eE]*",
)  # fmt: skip


def _is_number(text: str) -> str:
    """Whether a text is a decimal number as a whole: SQLite itself takes the number that a text begins with."""
    ends = f"({text} GLOB '*[0-9]' OR {text} GLOB '*[0-9].')"
    return " AND ".join([ends, *(f"{text} NOT GLOB '{pattern}'" for pattern in _NOT_IN_NUMBERS)])


def _undressed(text: str, mark: str) -> str:
    sign = f"CASE WHEN INSTR({text}, '(') THEN '-' ELSE '' END"
    bare = f"REPLACE({text}, '(', '')"
    for unit in (*_UNITS, "," if mark == "." else "."):
        bare = f"REPLACE({bare}, {sql_value(unit)}, '')"
    return f"{sign} || REPLACE({bare}, '{mark}', '.')" if mark == "," else f"{sign} || {bare}"


def _name_of_row(names: list[str]) -> str:
    """The name that the number of a row has beside these columns; BadParameter where two of them have one name."""
    taken: dict[str, str] = {}
    for name in names:
        same = taken.setdefault(_lower(name), name)
        if same is not name:
            raise BadParameter(f"columns {same!r} and {name!r} have one name in SQL; export it --to python")
    free = [name for name in ("rowid", "_rowid_", "oid") if name not in taken]
    if not free:
        raise BadParameter("columns 'rowid', '_rowid_' and 'oid' leave SQL no name for the number of a row")
    return free[0]


def _lower(text: str) -> str:
    """As LOWER of SQLite has it."""
    return "".join([c.lower() if c.isascii() else c for c in text])


def _forms(words: Iterable[str]) -> list[str]:
    """Words in small letters as LOWER of SQLite leaves them, whose other letters may be capitals."""
    return list(dict.fromkeys(_lower(form) for word in words for form in (word, word.upper(), word.capitalize())))


def _clock(cell: str, order: str) -> str:
    """The time of day in a date, or the empty text."""
    return cell if order == "clock" else f"LTRIM(SUBSTR({cell}, 11), ' T')"


def _hour(clock: str) -> str:
    hour = f"CAST(SUBSTR({clock}, 1, INSTR({clock}, ':') - 1) AS INTEGER)"
    return (
        f"CASE WHEN {clock} LIKE '%pm%' THEN {hour} % 12 + 12 WHEN {clock} LIKE '%am%' THEN {hour} % 12 ELSE {hour} END"
    )


def _is_moment(text: str, order: str) -> str:
    """Whether a text is a time of day or, where that is the order, year-month-day with or without one."""
    clock = _clock(text, order)
    starts = f"({clock} GLOB '[0-9]:[0-9][0-9]*' OR {clock} GLOB '[0-9][0-9]:[0-9][0-9]*')"
    timed = f"{starts} AND SUBSTR({clock}, INSTR({clock}, ':') + 3) NOT GLOB '[0-9]*' AND {_hour(clock)} < 24"
    if order == "clock":
        return timed
    day = f"COALESCE(date(SUBSTR({text}, 1, 10), '+0 days') = SUBSTR({text}, 1, 10), 0)"  # 30 February becomes 1 March
    return f"{day} AND (LENGTH({text}) = 10 OR (SUBSTR({text}, 11) GLOB '[ T]*' AND ({clock} = '' OR ({timed}))))"


def _part(cell: str, order: str, part: str) -> str:
    if part == "hour":
        clock = _clock(cell, order)
        return f"CASE WHEN {clock} LIKE '%:%' THEN CAST({_hour(clock)} AS TEXT) END"
    if part == "month":
        return f"CAST(CAST(SUBSTR({cell}, 6, 2) AS INTEGER) AS TEXT)"
    days = " ".join(
        f"WHEN '{k}' THEN '{day}'" for k, day in enumerate(("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"))
    )
    return f"CASE strftime('%w', SUBSTR({cell}, 1, 10)) {days} END"


def number(value: float) -> str:
    """A double in SQL."""
    return repr(float(value)).replace("inf", "9e999")


def added(terms: list[str]) -> str:
    """A sum, nested so that no expression is deep (SQLite takes 1,000 levels)."""
    return _nested(terms, " + ") if terms else "0.0"


def multiplied(terms: list[str]) -> str:
    return _nested(terms, " * ") if terms else "1.0"


def any_of(conditions: list[str]) -> str:
    return _nested(conditions, " OR ")


def _nested(terms: list[str], sign: str) -> str:
    while len(terms) > 200:
        terms = [f"({sign.join(terms[k : k + 200])})" for k in range(0, len(terms), 200)]
    return sign.join(terms)
