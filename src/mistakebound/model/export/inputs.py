"""How a model's raw rows become attributes, for export: its columns, and the texts that it knows of each."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.io.bins import bin_names
from mistakebound.io.formats import TABLES
from mistakebound.io.missing_words import missing_words
from mistakebound.io.moments import MOMENT, parts_of
from mistakebound.model.export.form import InputColumn, Inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from mistakebound.model.model import Model

_KINDS = {"text": "text", "jsonl": "json", "libsvm": "attributes", "vw": "attributes"}
_KEPT = (
    "ignore", "hash", "ngrams", "case", "punctuation", "bins", "nominal", "numeric", "label", "weights",
    "members",
)  # fmt: skip


def inputs_of(model: Model, attributes: Iterable[str], zeros: bool) -> Inputs:
    """Those of a model of rows; `attributes` are those that it knows."""
    settings = model.settings
    if settings is None:
        return Inputs("attributes", zeros=zeros)
    if settings["format"] not in TABLES:
        kept = {name: settings[name] for name in _KEPT if settings.get(name)}
        return Inputs(_KINDS[settings["format"]], settings=kept, zeros=zeros)
    return table_inputs(settings, attributes, zeros)


def table_inputs(settings: dict[str, Any], attributes: Iterable[str], zeros: bool) -> Inputs:
    """Those of a model of a table, by the complete settings of its reader."""
    kinds, bins = settings["kinds"], settings.get("bins") or {}
    known = list(attributes)
    columns = []
    for name in settings["columns"]:
        if name in kinds:
            kind, _, more = kinds[name].partition(":")
            values = _texts(known, f"{name}=") if kind == "nominal" else ()
            columns.append(
                InputColumn(
                    name, kind, tuple(bins.get(name) or ()), mark="" if kind == MOMENT else more,
                    order=more if kind == MOMENT else "", values=values,
                )
            )  # fmt: skip
    kept = {"hash": settings["hash"]} if settings.get("hash") else {}
    return Inputs("table", tuple(columns), tuple(sorted(missing_words(settings))), kept, zeros)


def _texts(known: list[str], stem: str) -> tuple[str, ...]:
    return tuple(name[len(stem) :] for name in known if name.startswith(stem))


def attribute_places(inputs: Inputs) -> tuple[dict[str, tuple[int, int]], dict[str, tuple[int, str]]]:
    """Where attributes of a table come from: whole names to (column, bin; -1: its number), and stems of nominal ones.

    A stem, such as "job=", is that of a column, or of a part of its dates: (column, part).
    """
    whole: dict[str, tuple[int, int]] = {}
    stems: dict[str, tuple[int, str]] = {}
    for place, column in enumerate(inputs.columns):
        if column.kind == "nominal":
            stems[f"{column.name}="] = place, ""
        elif column.kind == MOMENT:
            stems |= {f"{column.name} {part}=": (place, part) for part in parts_of(column.order)}
        elif column.cuts:
            whole |= {name: (place, k) for k, name in enumerate(bin_names(column.name, column.cuts))}
        else:
            whole[column.name] = place, -1
    return whole, stems


def source_of(attribute: str, whole: dict[str, tuple[int, int]], stems: dict[str, tuple[int, str]]) -> Any:
    """(column, bin or -1), or (column, part of a date or "", text) of one attribute."""
    if attribute in whole:
        return whole[attribute]
    for stem, (place, part) in stems.items():
        if attribute.startswith(stem):
            return place, part, attribute[len(stem) :]
    raise BadParameter(f"the model has an attribute of no column: {attribute!r}")


def refuse_without_columns(inputs: Inputs, language: str) -> None:
    """BadParameter for what has no columns, or columns that this language cannot read."""
    if inputs.kind in ("text", "json"):
        what = "text" if inputs.kind == "text" else "JSON objects"
        raise BadParameter(f"a model of {what} has no columns for {language}; export it --to python")
    if inputs.hash is not None:
        raise BadParameter(f"a model with hashed names cannot be exported to {language}, only to python")
