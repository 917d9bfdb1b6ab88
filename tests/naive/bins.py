"""Numbers as the bins that they fall into, from the description: one comparison after the other."""

from __future__ import annotations

from collections.abc import Mapping


def binned(row: Mapping[str, float], cuts: Mapping[str, list[float]]) -> dict[str, float]:
    """The features of one row; a 0 that stands in it is a value where its attribute is cut, and else absent."""
    found: dict[str, float] = {}
    for name, value in row.items():
        if name not in cuts:
            if value:
                found[name] = value
            continue
        texts = [f"{cut:g}" for cut in cuts[name]]
        below = [cut for cut in cuts[name] if cut < value]
        if not below:
            found[f"{name}<={texts[0]}"] = 1.0
        elif len(below) == len(texts):
            found[f"{name}>{texts[-1]}"] = 1.0
        else:
            found[f"{name} in ({texts[len(below) - 1]},{texts[len(below)]}]"] = 1.0
    return found
