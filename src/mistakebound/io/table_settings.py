"""How a table is to be read: what may be asked for, and the header of a file held against it."""

from __future__ import annotations

from fnmatch import fnmatchcase

from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.core.table import NOMINAL, NUMERIC
from mistakebound.io.bins import check_bins
from mistakebound.io.formats import TABLES, check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

DELIMITERS = {"csv": ",", "tsv": "\t", "arff": ","}
_SHOWN = 20  # names in a message


def is_complete(settings: dict[str, Any]) -> bool:
    """Whether nothing is left to be found out from a file: it comes from a reader that has read one."""
    return settings.get("columns") is not None and settings.get("kinds") is not None


def check_settings(settings: dict[str, Any]) -> None:
    """BadParameter for what no table can have; it may come from a model file, so nothing is taken for granted."""
    if settings.get("format") not in TABLES:
        raise BadParameter(f"format must be one of {', '.join(TABLES)}: {shown(settings.get('format'))}")
    check(settings)
    for name in (NOMINAL, NUMERIC, "columns", "header"):
        if settings.get(name) is not None:
            _check_names(name, settings[name])
    bins, kinds = settings.get("bins"), settings.get("kinds") or {}
    if isinstance(bins, dict):
        _check_names("bins", list(bins))
        for column, value in bins.items():
            check_bins(value, column)
    elif bins is not None:
        check_bins(bins)
    if not isinstance(kinds, dict) or not all(kind in (NOMINAL, NUMERIC) for kind in kinds.values()):
        raise BadParameter(f"kinds must say {NOMINAL} or {NUMERIC} of each column: {shown(kinds)}")
    if is_complete(settings):
        roles = {settings.get("label"), settings.get("weights")}
        cut = bins if isinstance(bins, dict) else {}
        whole = all(isinstance(cuts, list) and kinds.get(column) == NUMERIC for column, cuts in cut.items())
        if not whole or isinstance(bins, int) or set(settings["columns"]) - roles != set(kinds):
            raise BadParameter("columns, kinds, bins, label and weights must fit together")
        if not set(settings["columns"]) <= set(settings.get("header") or settings["columns"]):
            raise BadParameter("header must name all columns")


def _check_names(what: str, names: Any) -> None:
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise BadParameter(f"{what} must be a list of names: {shown(names)}")
    if len(set(names)) < len(names):
        raise BadParameter(f"{what} must name each column once: {_listed(names)}")


def is_ignored(column: str, settings: dict[str, Any]) -> bool:
    """Whether a pattern of attributes to ignore fits the name of a column: then it is as if it were not there."""
    return any(fnmatchcase(column, pattern) for pattern in settings.get("ignore") or ())


def attribute_columns(header: Sequence[str], settings: dict[str, Any]) -> list[str]:
    roles = settings.get("label"), settings.get("weights")
    return [name for name in header if name not in roles and not is_ignored(name, settings)]


def check_header(header: Sequence[str], source: str, line: int) -> None:
    seen = set()
    for place, name in enumerate(header, 1):
        if not name:
            raise BadData(f"column {place} has no name in the header", source=source, line=line)
        if name in seen:
            raise BadData(f"two columns have the name {name!r}", source=source, line=line)
        seen.add(name)


def check_asked(header: Sequence[str], settings: dict[str, Any], unlabelled_ok: bool, source: str) -> None:
    """BadParameter unless what is asked for can be had from a table with this header."""
    columns = f"a column of {source} ({_listed(header)})"
    label, weights = settings.get("label"), settings.get("weights")
    if not unlabelled_ok:
        if label is None:
            raise BadParameter(f"label must name {columns}")
        for name, column in (("label", label), ("weights", weights)):
            if column is not None and column not in header:
                raise BadParameter(f"{name} must be {columns}: {column!r}")
    if label is not None and label == weights:
        raise BadParameter(f"label and weights must be two columns: {label!r}")
    bins = settings.get("bins")
    cut = bins if isinstance(bins, dict) else {}
    nominal, numeric = settings.get(NOMINAL) or [], settings.get(NUMERIC) or []
    attributes = set(attribute_columns(header, settings))
    for name, asked in ((NOMINAL, nominal), (NUMERIC, numeric), ("bins", cut)):
        for column in asked:
            if column not in attributes:
                what = "which is no attribute" if column in header else "which is not there"
                raise BadParameter(f"{name} must name columns of {source} ({_listed(header)}): {column!r}, {what}")
            if name != NOMINAL and column in nominal:
                raise BadParameter(f"{name} must not name a column that is to be nominal: {column!r}")


def check_same(header: Sequence[str], settings: dict[str, Any], unlabelled_ok: bool, source: str, line: int) -> None:
    """BadData unless a table with this header can mean the same as the one that the settings come from."""
    spare = {settings.get("label"), settings.get("weights")} if unlabelled_ok else set()
    known, there = set(settings["columns"]), set(header) | spare
    missing = [name for name in settings["columns"] if name not in there]
    new = [name for name in header if name not in known and not is_ignored(name, settings)]
    parts = [f"it lacks {_listed(missing)}"] if missing else []
    if new:
        parts.append(f"it has {_listed(new)} beside them")
    if parts:
        raise BadData(f"the table has other columns than expected: {', '.join(parts)}", source=source, line=line)


def _listed(names: Iterable[str]) -> str:
    """
    >>> _listed(["age", "sex"])
    "'age', 'sex'"
    """
    names = list(names)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(shown, names[:_SHOWN])) + more
