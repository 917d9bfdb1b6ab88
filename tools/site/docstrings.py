"""Docstrings are in numpydoc's form; what means something else in Markdown is escaped before they become pages."""

from __future__ import annotations

import re
from typing import Any

import griffe

_CODE = re.compile(r"(`[^`]*`)")


class PlainDocstrings(griffe.Extension):
    """Stars are stars, and `::` before an indented block is a colon."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = "\n".join(map(escaped, obj.docstring.value.split("\n")))


def escaped(line: str) -> str:
    """A line of text in Markdown; examples, code and the names of parameters stay as they are.

    >>> print(escaped("the bound 2*k*m, `a*b`, is ::"))
    the bound 2\\*k\\*m, `a*b`, is:
    """
    if line.startswith((">>>", "...", "    ", "*")):
        return line
    parts = _CODE.split(re.sub(r" ?::$", ":", line))
    return "".join(part if at % 2 else part.replace("*", "\\*") for at, part in enumerate(parts))
