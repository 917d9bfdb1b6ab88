"""How a table is to be read: what may be asked for, and the header of a file held against it."""

from __future__ import annotations

from fnmatch import fnmatchcase

from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.core.schema import NOMINAL, NUMERIC
from mistakebound.io.bins import check_all_bins
from mistakebound.io.formats import LABELS, TABLES, check
from mistakebound.io.moments import MOMENT, ORDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

DELIMITERS = {"csv": ",", "tsv": "\t", "arff": ","}
DRESSED = tuple(f"{NUMERIC}:{mark}" for mark in (".", ","))  # numbers with their decimal mark, not written plainly
KINDS = (NOMINAL, NUMERIC, *DRESSED, *(f"{MOMENT}:{order}" for order in ORDERS))
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
    if bins is not None:
        check_all_bins(bins)
    if not isinstance(kinds, dict) or not all(kind in KINDS for kind in kinds.values()):
        raise BadParameter(f"kinds must say {NOMINAL} or {NUMERIC} of each column: {shown(kinds)}")
    if is_complete(settings):
        roles = {settings.get("label"), settings.get("weights")}
        cut = bins if isinstance(bins, dict) else {}
        whole = all(isinstance(cuts, list) and kinds.get(column) in (NUMERIC, *DRESSED) for column, cuts in cut.items())
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


def distinct_names(header: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names for the columns, all of them and each once; and what was made up, in words.

    >>> distinct_names(["", "a", "a"])  # doctest: +ELLIPSIS
    (['column 1', 'a', 'a (2)'], ["column 1 has no name...", "column 3 repeats the name of an earlier column..."])
    """
    names: list[str] = []
    said = []
    for place, given in enumerate(header, 1):
        name = given or f"column {place}"
        if not given:
            said.append(f"column {place} has no name: it is called {name!r}")
        number = 1
        while name in names:
            number += 1
            name = f"{given or f'column {place}'} ({number})"
        if number > 1:
            said.append(f"column {place} repeats the name of an earlier column: it is called {name!r}")
        names.append(name)
    return names, said


def label_column(header: Sequence[str], asked: str | None, place: int = -1) -> tuple[str, str | None]:
    """The column of the label: the one that was asked for, by name or number, or the one that looks like it.

    >>> label_column(["id", "Class", "x"], None)
    ('Class', "label: column 'Class'")
    >>> label_column(["id", "x", "z"], "-1")[0], label_column(["1", "x"], "1")[0], label_column(["p", "q"], None)[0]
    ('z', '1', 'q')
    """
    if asked is not None:
        if asked not in header and asked.lstrip("-").isdecimal() and 0 < abs(int(asked)) <= len(header):
            return header[int(asked) - (int(asked) > 0)], None
        return asked, None
    for usual in LABELS:
        for name in header:
            if name.lower() == usual:
                return name, f"label: column {name!r}"
    where = "the first one" if place == 0 else "the last one"
    return header[place], f"label: column {header[place]!r}, {where} (--label takes another)"


def _no_column(source: str, column: str, role: str, header: Sequence[str]) -> BadParameter:
    """That there is no such column, and which one may be meant."""
    from difflib import get_close_matches

    plain = {name.lower(): name for name in header}
    near = get_close_matches(column.lower(), plain, 1)
    hint = f" (did you mean {plain[near[0]]!r}?)" if near else ""
    return BadParameter(f"{source} has no column {column!r} for {role}{hint}; its columns are {_listed(header)}")


def check_asked(header: Sequence[str], settings: dict[str, Any], unlabelled_ok: bool, source: str) -> None:
    """BadParameter unless what is asked for can be had from a table with this header."""
    label, weights = settings.get("label"), settings.get("weights")
    if not unlabelled_ok:
        for name, column in (("label", label), ("weights", weights)):
            if column is not None and column not in header:
                raise _no_column(source, column, name, header)
    if label is not None and label == weights:
        raise BadParameter(f"label and weights must be two columns: {label!r}")
    bins = settings.get("bins")
    cut = bins if isinstance(bins, dict) else {}
    nominal, numeric = settings.get(NOMINAL) or [], settings.get(NUMERIC) or []
    attributes = set(attribute_columns(header, settings))
    for name, asked in ((NOMINAL, nominal), (NUMERIC, numeric), ("bins", cut)):
        for column in asked:
            if column not in attributes:
                if column in header:
                    raise BadParameter(f"{name} must name attributes of {source}, and column {column!r} is not one")
                raise _no_column(source, column, name, header)
            if name != NOMINAL and column in nominal:
                raise BadParameter(f"{name} cannot name a column that is nominal: {column!r}")


def other_columns(
    header: Sequence[str], settings: dict[str, Any], unlabelled_ok: bool, source: str, line: int
) -> list[str]:
    """What is different in a table with this header from the one that the settings come from, in words.

    BadData where it can mean nothing: the label is not there, or no column that was learned.
    """
    roles = [settings.get("label"), settings.get("weights")]
    lacking = [role for role in roles if role is not None and role not in header and not unlabelled_ok]
    if lacking or (settings["kinds"] and not set(header) & set(settings["kinds"])):
        expected = f"it lacks {_listed(lacking or settings['kinds'])} and has {_listed(header)}"
        hint = "; the first line must be the header" if line and not {*header} & {*settings["columns"]} else ""
        raise BadData(f"the table has other columns than expected: {expected}{hint}", source=source, line=line)
    known = {*settings["columns"], *(settings.get("header") or ())}
    missing = [name for name in settings["kinds"] if name not in header]
    new = [name for name in header if name not in known and not is_ignored(name, settings)]
    said = [f"columns missing from {source}, taken as empty: {_listed(missing)}"] if missing else []
    return said + ([f"columns that the model does not know, ignored: {_listed(new)}"] if new else [])


def _listed(names: Iterable[str]) -> str:
    """
    >>> _listed(["age", "sex"])
    "'age', 'sex'"
    """
    names = list(names)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(shown, names[:_SHOWN])) + more
