"""The forests of CapyMOA in `progressive.py`, at its defaults: 100 trees, on attributes as its schema wants them.

The one-hot columns of a table (`job=cook`) become one nominal attribute again, and a flag is one with two values.  The
schema is that of all rows that are played.  A nominal value that is missing is a value of its own, as it is to the
peers that are given zeros; a number that is missing is MOA's missing value.  In sparse formats what is absent is 0.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from _progressive_sets import MANY, Examples

FORESTS = {
    "CapyMOA adaptive random forest": "AdaptiveRandomForestClassifier",
    "CapyMOA SRP": "StreamingRandomPatches",
}


def why_not() -> str | None:
    """What is missing here; importing the package would start a JVM, which no process may have before it forks."""
    if find_spec("capymoa") is None:
        return "capymoa is left out: it is not installed here (`pip install capymoa`; it needs a JVM and brings torch)"
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        return "capymoa is left out: there is no JVM (java) here"
    return None


@dataclass
class Attribute:
    """How many values it has, 0 for a number, and its column of all rows: the place of the value, or the number."""

    values: int
    column: Any


def attributes_of(examples: Examples) -> list[Attribute]:
    """The attributes of the file, from the columns that were made of them."""
    table = examples.full is not None
    X = (examples.full if table else examples.X).tocsc()
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(examples.names):
        groups.setdefault(name.partition("=")[0] if table and "=" in name else f"={name}", []).append(place)
    found = []
    for places in groups.values():
        if len(places) > 1 and _is_nominal(X[:, places]):
            found.append(_nominal(X[:, places]))
        else:
            found += [_single(X[:, [place]], table) for place in places]
    return found


def _is_nominal(part: Any) -> bool:
    """Each row has at most one of the columns, and it is 1 there."""
    return bool(np.all(part.data == 1) and part.getnnz(axis=1).max() <= 1)


def _nominal(part: Any) -> Attribute:
    column = np.full(part.shape[0], part.shape[1], dtype=float)  # the last value: missing
    rows, places = part.nonzero()
    column[rows] = places
    return Attribute(part.shape[1] + bool(np.any(column == part.shape[1])), column)


def _single(part: Any, table: bool) -> Attribute:
    column = part.toarray().ravel().astype(float)
    written = np.full(len(column), not table)
    written[part.indices] = True
    if np.all(part.data == 1):  # one-hot, of one value: what is absent is another
        return Attribute(2, column)
    flag = bool(np.all(np.isin(part.data, (0, 1))))
    column[~written] = 2 if flag else np.nan
    return Attribute((3 if np.any(~written) else 2) if flag else 0, column)


def forest(name: str) -> Any:
    """A player: the labels that were predicted, or None of wide rows."""

    def play(examples: Examples) -> list[int] | None:
        if examples.X.shape[1] > MANY:
            return None
        from capymoa import classifier
        from capymoa.instance import LabeledInstance
        from capymoa.stream import Schema

        attributes, labels = attributes_of(examples), [str(place) for place in range(len(examples.labels))]
        names = [f"a{place}" for place in range(len(attributes))]
        nominal = {
            name: [str(value) for value in range(one.values)]
            for name, one in zip(names, attributes, strict=True)
            if one.values
        }
        schema = Schema.from_custom(names, nominal, labels, target_attribute_name="class")
        model = getattr(classifier, FORESTS[name])(schema)
        said = []
        for x, label in zip(np.column_stack([one.column for one in attributes]), examples.y.tolist(), strict=True):
            instance = LabeledInstance.from_array(schema, x, label)
            said.append(int(model.predict(instance)))
            model.train(instance)
        return said

    return play
