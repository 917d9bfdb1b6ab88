"""What the cells of a typed table mean, from Python's own values of them."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from naive.table_reader import Row, number


def text_of(value: Any) -> str | None:
    """A cell as a name; None where it is missing.  A whole number below 2^53 has no point, whatever its type."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and abs(value) < 2**53 and value == math.floor(value):
        return str(int(value))
    text = str(value).strip(" \t")
    return None if text in ("", "?") else text


def value_of(value: Any) -> float | None:
    """A cell as a number; ValueError where it is none, None where it is missing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise ValueError("not finite")
        return float(value)
    text = text_of(value)
    found = None if text is None else number(text)
    if text is not None and found is None:
        raise ValueError("no number")
    return found


def read(rows: list[dict[str, Any]], kinds: dict[str, str], label: str, ok: bool) -> tuple[list[Row], list[int]]:
    """The rows, numbered from 1, and the numbers of the bad ones; `kinds` of the columns but the label's."""
    good: list[Row] = []
    bad: list[int] = []
    for place, row in enumerate(rows, 1):
        try:
            token, entries = text_of(row[label]), {}
            if token is None and not ok:
                raise ValueError("no label")
            for name, kind in kinds.items():
                if kind == "numeric":
                    value = value_of(row[name])
                    if value is not None:
                        entries[name] = value
                elif (text := text_of(row[name])) is not None:
                    entries[f"{name}={text}"] = 1.0
            good.append((place, None if token is None else token.encode(), 1.0, entries))
        except ValueError:
            bad.append(place)
    return good, bad
