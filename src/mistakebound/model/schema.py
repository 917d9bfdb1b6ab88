"""How a raw row becomes named features: what a model remembers of the reader of its stream."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter, shown
from mistakebound.io.formats import TABLES, check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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

        if not self.settings.get("ignore") and not self.settings.get("hash"):
            return read_row(row, self.settings), None, []
        # Of a table the reader drops columns; of other formats what is ignored is told by its name.
        raw = ("hash",) if self.format in TABLES else ("ignore", "hash")
        plain = {name: value for name, value in self.settings.items() if name not in raw}
        return as_read(read_row(row, plain), self.settings)


def reader_settings(
    given: dict[str, Any], remembered: dict[str, Any] | None, spell: Callable[[str], str] = str
) -> dict[str, Any]:
    """The settings for `open_stream`: what is given, and for the rest what a model remembers of its reader.

    BadParameter when they do not agree; `spell` says how the name of an option is written there.
    """
    check(given)
    if remembered is None:
        return {"format": "auto"} | given
    for name, value in given.items():
        _agree(name, value, remembered, spell)
    stated = {} if "format" in given else {"remembered": True}  # else: compared with what the file looks like
    return remembered | stated


def _agree(name: str, value: Any, remembered: dict[str, Any], spell: Callable[[str], str]) -> None:
    """BadParameter unless the model remembers the same."""
    kinds = remembered.get("kinds")
    if name in ("nominal", "numeric") and isinstance(kinds, dict):
        for column in value:
            if kinds.get(column) != name:
                what = f"{kinds[column]}" if column in kinds else "unknown"
                raise BadParameter(
                    f"{spell(name)} must agree with the model, to which {column!r} is {what}: {column!r}"
                )
        return
    own = remembered.get(name)
    if name in ("case", "punctuation"):
        if own != value:
            raise BadParameter(f"{spell(f'keep_{name}')} must be left out, the model was learned without it")
        return
    if name == "bins":
        raise BadParameter(f"{spell(name)} must be left out, the model has its own: {value!r}")
    if own != value:
        has = "has none" if not own else f"has {shown(own)}" if name != "format" else f"was learned from {own}"
        raise BadParameter(f"{spell(name)} must agree with the model, which {has}: {value!r}")
