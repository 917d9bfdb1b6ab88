"""What each column of a table is, decided by its first cells or remembered, and the attributes that it makes."""

from __future__ import annotations

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.schema import NOMINAL, NUMERIC
from mistakebound.io.bins import bin_names, cut_points
from mistakebound.io.dressed import undressed
from mistakebound.io.missing_words import missing_words
from mistakebound.io.moments import MOMENT, parts_of
from mistakebound.io.table_settings import DRESSED, attribute_columns, check_asked, label_column
from mistakebound.io.table_window import NEW, NO_NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_GAP = "--missing makes it a gap"


class StreamColumn:
    """A column of attributes: its place in the rows of the file, and what a cell becomes.

    `column=value` in a nominal column; in a numeric one `column` with its value or, with cuts, the name of a bin.
    """

    __slots__ = ("cuts", "mark", "moment", "name", "names", "nominal", "place")

    def __init__(
        self,
        name: str,
        place: int,
        kind: str,
        cuts: Sequence[float] | None = None,
        moment: tuple[str, str] | None = None,
        mark: str = "",
    ) -> None:
        self.name = name
        self.place = place  # below 0: the file has no such column
        self.nominal = kind == NOMINAL
        self.moment = moment  # the order of the parts of a date, and which part of it this is
        self.mark = mark  # between a number and its fraction, where numbers are not written plainly
        self.cuts = cuts
        self.names = bin_names(name, cuts) if cuts else [name]  # all attributes of a numeric column

    def plain(self, cells: Any) -> Any:
        """The cells of a numeric column with the numbers written plainly."""
        return undressed(cells, self.mark) if self.mark else cells


class Columns:
    """The columns of one file, by complete settings; None for a label or weights that the file does not have."""

    __slots__ = ("attributes", "label", "missing", "weights", "width")

    def __init__(self, header: Sequence[str], settings: dict[str, Any]) -> None:
        places = {name: place for place, name in enumerate(header)}
        self.width = len(header)
        self.missing = missing_words(settings)
        self.label: int | None = places.get(settings.get("label") or "")
        self.weights: int | None = places.get(settings.get("weights") or "")
        kinds, bins = settings["kinds"], settings.get("bins") or {}
        # In the order of the settings, so that a row is the same in whatever order its file has the columns.
        names = [name for name in settings["columns"] if name in kinds]
        self.attributes = [
            column for k, name in enumerate(names, 1) for column in _columns(name, places.get(name, -k), kinds, bins)
        ]

    def places(self) -> list[int]:
        """The places of all columns that are read."""
        roles = [place for place in (self.label, self.weights) if place is not None]
        return roles + [column.place for column in self.attributes if column.place >= 0]

    def absent(self, rows: int) -> dict[int, Any]:
        """Cells for the columns that the file does not have."""
        from mistakebound.io.table_cells import texts_of  # Arrow

        made = {}
        for column in self.attributes:
            if column.place < 0:
                cells = texts_of([""] * rows)
                made[column.place] = cells.dictionary_encode() if column.nominal else cells
        return made


def _columns(name: str, place: int, kinds: dict[str, str], bins: dict[str, Any]) -> list[StreamColumn]:
    kind, _, order = kinds[name].partition(":")
    if kind != MOMENT:
        return [StreamColumn(name, place, kind, bins.get(name), mark=order)]
    return [StreamColumn(f"{name} {part}", place, NOMINAL, moment=(order, part)) for part in parts_of(order)]


def to_look_at(header: Sequence[str], settings: dict[str, Any]) -> list[int]:
    """The places of the columns whose first cells decide something."""
    decided = {*(settings.get(NOMINAL) or []), *(settings.get(NUMERIC) or [] if not settings.get("bins") else [])}
    wanted = set(attribute_columns(header, settings)) - decided
    return [place for place, name in enumerate(header) if name in wanted]


def find_columns(
    header: Sequence[str],
    settings: dict[str, Any],
    look: Callable[[dict[str, Any]], Any],
    unlabelled_ok: bool,
    source: str,
    label_place: int = -1,
) -> tuple[dict[str, Any], list[str]]:
    """The complete settings of a table with this header, and sentences about what was assumed.

    `look` gives the window of the first cells; where no column looks like the label it is the one at `label_place`.
    """
    said: list[str] = []
    if not unlabelled_ok or settings.get("label") is not None:
        label, found = label_column(header, settings.get("label"), label_place)
        settings = settings | {"label": label}
        said = [] if found is None else [found]
    check_asked(header, settings, unlabelled_ok, source)
    settings, left = decide(header, settings, look(settings))
    return settings, said + left


def decide(header: Sequence[str], settings: dict[str, Any], window: Any) -> tuple[dict[str, Any], list[str]]:
    """The complete settings, and sentences about columns that were left out or are not what they look like."""
    left: list[str] = []
    nominal, numeric = settings.get(NOMINAL) or [], settings.get(NUMERIC) or []
    kinds: dict[str, str] = {}
    bins: dict[str, list[float]] = {}
    asked = settings.get("bins")
    places = {name: place for place, name in enumerate(header)}
    for name in attribute_columns(header, settings):
        place = places[name]
        kind, why = (NUMERIC, "") if name in numeric else (NOMINAL, "") if name in nominal else window.kind(place)
        kept = name in (settings.get("keep") or ()) or (isinstance(asked, dict) and name in asked)
        if kind is None and not kept:
            hint = _GAP if why.endswith(NO_NUMBER) else "--keep takes it"
            left.append(f"left out: {name!r}: {why} ({hint})")
            continue
        kinds[name] = kind or (NUMERIC if window.numeric(place) else NOMINAL)
        if why and kinds[name] in DRESSED:
            left.append(f"numbers: {name!r}, {why}")
        elif why and kind == NOMINAL:
            hint = _GAP if why.endswith(NO_NUMBER) else "--numeric takes numbers"
            left.append(f"nominal: {name!r}, {why} ({hint})")
        number = kinds[name] == NUMERIC or kinds[name] in DRESSED
        wish = asked.get(name) if isinstance(asked, dict) else asked if number else None
        if wish is None:
            continue
        if not number:
            raise BadParameter(
                f"bins must name numeric columns, and the first cells of this one are not numbers: {name!r}"
            )
        bins[name] = wish if isinstance(wish, list) else cut_points(window.found(place), wish)
        if not bins[name]:
            raise BadParameter(f"bins need a column with numbers in its first rows: {name!r} has none")
    if not kinds and any(NEW in said for said in left):
        left.append("no column is left to learn from (--format text learns words, of lines: label, tab, text)")
    roles = settings.get("label"), settings.get("weights")
    columns = [name for name in header if name in kinds or name in roles]
    whole = {"header": list(header)} if len(header) > len(columns) else {}  # with those that are ignored
    return settings | {"columns": columns, "kinds": kinds} | whole | ({"bins": bins} if asked else {}), left


def check_distinct(columns: Columns, source: str, line: int) -> None:
    """BadData when two columns could make the same attribute, as nominal `a` and any `a=b` do."""
    stems: dict[str, str] = {}  # a whole name, or with its '=' the beginning of the names of a nominal column
    for column in columns.attributes:
        for stem in [f"{column.name}="] if column.nominal else column.names:
            if stem in stems:
                raise _alike(stems[stem], column.name, source, line)
            stems[stem] = column.name
    nominal = {f"{column.name}=" for column in columns.attributes if column.nominal}
    for stem, name in stems.items():
        at = stem.find("=")
        while at >= 0:
            start = stem[: at + 1]
            if start in nominal and start != stem:
                raise _alike(stems[start], name, source, line)
            at = stem.find("=", at + 1)


def _alike(one: str, other: str, source: str, line: int) -> BadData:
    return BadData(f"columns {one!r} and {other!r} could make the same attribute", source=source, line=line)
