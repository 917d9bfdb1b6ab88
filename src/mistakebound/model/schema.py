"""How a raw row becomes named features: what a model remembers of the reader of its stream."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.instance import Instance


class RowSchema:
    """The settings of a reader, complete: "format", and for tables "columns", "kinds" and so on (`open_stream`).

    >>> RowSchema({"format": "text", "ngrams": 2}).format
    'text'
    """

    __slots__ = ("settings",)

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings

    def __repr__(self) -> str:
        return f"RowSchema({self.settings})"

    def __eq__(self, other: object) -> bool:
        return self.settings == other.settings if isinstance(other, RowSchema) else NotImplemented

    __hash__ = None  # type: ignore[assignment] # settings are a dict

    @property
    def format(self) -> str:
        format: str = self.settings["format"]
        return format

    def instance(self, row: Any) -> Instance:
        """A raw row as the reader gives it to the learner: a line, a mapping, cells in the order of the columns."""
        from mistakebound.io.one_row import read_row

        return read_row(row, self.settings)

    def named_instance(self, row: Any) -> tuple[Instance, dict[str, list[str]] | None, list[str]]:
        """The same, with the names in each bucket where names are hashed, and the names that are ignored."""
        from mistakebound.io.one_row import as_read, read_row

        plain = {name: value for name, value in self.settings.items() if name not in ("ignore", "hash")}
        return as_read(read_row(row, plain), self.settings)
