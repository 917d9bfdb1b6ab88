"""Nominal attributes: names, values, and what the cells of an instance are among them.

A value is its text: 1 and "1" are one value.  Instances are mappings {name: value} or rows in the order of the names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.fields import plain_value, plain_values

MISSING = "(missing)"  # the value of a missing cell, where a missing cell is a value
UNSEEN = -2  # the code of a value that is not known
_LISTED = 12  # values in a message
_MOST = 65_535  # values of one attribute: codes fit into 16 bits
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,="]+')
_BARE = re.compile(r'[^\s,="<>?∅]+')


def text_of(value: Any) -> str | None:
    """The text that a value is; None for a missing one (None, NaN).

    >>> [text_of(value) for value in ("Sunny", 1, 2.0, True, float("nan"))]
    ['Sunny', '1', '2', 'True', None]
    """
    if isinstance(value, str):
        return str(value)
    value = plain_value(value)
    if value is None or value != value:
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str | int | float):
        return str(value)
    raise BadData(f"a value must be a text or a number: {type(value).__name__}")


def check_attributes(attributes: Any) -> dict[str, tuple[str, ...]]:
    """Names with their values as texts; ValueError with a sentence for what is no such thing."""
    if not isinstance(attributes, Mapping) or not attributes:
        raise ValueError("it must be a mapping {name: [values]} with at least one name")
    found = {}
    for name, values in attributes.items():
        if not isinstance(name, str) or not name:
            raise ValueError(f"a name must be a text: {name!r}")
        if isinstance(values, str) or not isinstance(values, Sequence):
            raise ValueError(f"the values of {name!r} must be a list: {values!r}")
        texts = tuple(_value(name, value) for value in values)
        if not texts or len(texts) > _MOST:
            raise ValueError(f"{name!r} must have between 1 and {_MOST} values: {len(texts)}")
        twice = next((text for place, text in enumerate(texts) if text in texts[:place]), None)
        if twice is not None:
            raise ValueError(f"a value of {name!r} must be given once: {twice!r}")
        found[name] = texts
    return found


def _value(name: str, value: Any) -> str:
    try:
        text = text_of(value)
    except BadData as error:
        raise ValueError(f"the values of {name!r}: {error}") from None
    if not text:
        raise ValueError(f"a value of {name!r} must be a text that is not empty: {value!r}")
    return text


def quoted(text: str) -> str:
    """A name or a value as it is written: in quotes where it could be mistaken for something else."""
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def unquoted(word: str) -> str:
    try:
        return str(json.loads(word)) if word.startswith('"') else word
    except ValueError:
        raise BadParameter(f"a quoted text must be a JSON string: {word}") from None


def parse_attributes(text: str) -> dict[str, tuple[str, ...]]:
    """Attributes as words NAME=VALUE,VALUE; a name or a value with a space, a comma or an = is quoted.

    >>> parse_attributes('Sky=Sunny,Cloudy "Air temp"=Warm,"rather cold"')
    {'Sky': ('Sunny', 'Cloudy'), 'Air temp': ('Warm', 'rather cold')}
    """
    found: dict[str, list[str]] = {}
    at = 0
    while at < len(text.rstrip()):
        at += len(text[at:]) - len(text[at:].lstrip())
        name, at = _word(text, at)
        if text[at : at + 1] != "=":
            raise BadParameter(f"attributes must be written NAME=VALUE,VALUE: {text!r}")
        if name in found:
            raise BadParameter(f"an attribute must be given once: {name!r}")
        found[name] = []
        while text[at : at + 1] in ("=", ","):
            value, at = _word(text, at + 1)
            found[name].append(value)
        if text[at : at + 1].strip():
            raise BadParameter(f"attributes must be written NAME=VALUE,VALUE: {text!r}")
    try:
        return check_attributes(found)
    except ValueError as error:
        raise BadParameter(f"attributes must be written NAME=VALUE,VALUE ({error}): {text!r}") from None


def _word(text: str, at: int) -> tuple[str, int]:
    found = _WORD.match(text, at)
    if found is None:
        raise BadParameter(f"attributes must be written NAME=VALUE,VALUE: {text!r}")
    return unquoted(found[0]), found.end()


def write_attributes(attributes: Mapping[str, Sequence[str]]) -> str:
    """`parse_attributes` reads it back."""
    return " ".join(f"{quoted(name)}={','.join(map(quoted, values))}" for name, values in attributes.items())


def not_declared(name: str, text: str, known: Collection[str]) -> str:
    """What is wrong with a value that was not declared.

    >>> not_declared("Sky", "Foggy", ["Sunny", "Rainy"]), not_declared("n", "x", list("abcdefghijklmnop"))[-12:]
    ("'Foggy' is not a declared value of 'Sky': Sunny, Rainy", 'l and 4 more')
    """
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return f"{text!r} is not a declared value of {name!r}: {', '.join(islice(known, _LISTED))}{more}"


def missing_cell(name: str) -> str:
    return f"the cell of {name!r} is missing (missing='value' or --missing-cells value takes that as a value)"


def cells(x: Any, names: Sequence[str]) -> list[Any]:
    """The cells of an instance in the order of the names; BadData for what is no instance over them."""
    if isinstance(x, Mapping):
        if len(x) == len(names):
            try:
                return [x[name] for name in names]
            except KeyError:
                pass
        absent = [name for name in names if name not in x]
        if absent:
            raise BadData(f"the instance has no {absent[0]!r}: the attributes are {', '.join(names)}")
        strange = next(name for name in x if name not in names)
        raise BadData(f"{strange!r} is not an attribute: the attributes are {', '.join(names)}")
    x = plain_values(x)
    if isinstance(x, str | bytes) or not isinstance(x, Sequence):
        raise BadData(f"an instance must be a mapping {{name: value}} or a row of values: {x!r}")
    if len(x) != len(names):
        raise BadData(f"the instance has {len(x)} values for {len(names)} attributes ({', '.join(names)})")
    return list(x)
