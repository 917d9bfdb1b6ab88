"""Text in columns, at most 79 wide, the same on a terminal and in a file; numbers in few characters."""

from __future__ import annotations

import re
from textwrap import TextWrapper

from mistakebound.core.names import visible
from mistakebound.core.text_table import WIDTH, aligned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_BREAKS = re.compile(r"([\t\n\x0b\x0c\r ]+|(?<=,)(?=[a-zA-Z]))")  # a list without blanks may be broken at its commas


def wrap(text: str, first: str = "", rest: str = "") -> list[str]:
    """The text in lines that fit, the first one begun with `first`, the others with `rest`."""
    wrapper = TextWrapper(
        WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    wrapper.wordsep_simple_re = _BREAKS
    return wrapper.wrap(visible(text)) or [first.rstrip()]


def fields(pairs: Iterable[tuple[str, str]], indent: int = 2, least: int = 10) -> list[str]:
    """Names in one column, what is to be said of them beside it.

    >>> print("\\n".join(fields([("trials", "5,000"), ("mistakes", "151")])))
      trials      5,000
      mistakes    151
    """
    listed = list(pairs)
    width = max([least, *(len(name) for name, _ in listed)])
    margin = " " * (indent + width + 2)
    return [
        line
        for name, text in listed
        for line in wrap(text, f"{' ' * indent}{name:<{width}}  ".ljust(len(margin)), margin)
    ]


def columns(rows: Sequence[Sequence[str]], align: str, indent: int = 2) -> list[str]:
    """A table; `align` has a < or > for each column.

    >>> print("\\n".join(columns([("name", "weight"), ("3", "1024"), ("free", "8")], "<>")))
      name  weight
      3       1024
      free       8
    """
    return [(" " * indent + line).rstrip() for line in aligned(rows, align, WIDTH - indent)]


def fitted(lines: Iterable[str]) -> list[str]:
    """Lines of a report, the long ones wrapped at blanks; further lines of a tree keep its bars.

    A line with the path of a file that fills half of it stays as it is: paths are copied.

    >>> print("\\n".join(fitted(["|   a" + " word" * 16])))
    |   a word word word word word word word word word word word word word word
    |     word word
    """
    found = []
    for line in lines:
        if len(visible(line)) <= WIDTH or max(map(len, filter(None, _BREAKS.split(line)))) > WIDTH // 2:
            found.append(line)
            continue
        mark = re.match(r"[ |]*", line)
        first = mark[0] if mark else ""
        found += wrap(line[len(first) :], first, f"{first}  ")
    return found


def short_count(number: int) -> str:
    """At most five characters for what is ever stored.

    >>> [short_count(n) for n in (0, 999, 12_345, 999_700, 123_456_789)]
    ['0', '999', '12.3k', '1M', '123M']
    """
    if number < 1000:
        return str(number)
    for letter, size in (("k", 10**3), ("M", 10**6), ("G", 10**9)):
        if number < 999.5 * size:
            return f"{number / size:.3g}{letter}"
    return f"{number / 10**12:.3g}T"


def percent(part: int, whole: int) -> str:
    """With as many digits as tell it from 0 and from 100.

    >>> percent(975, 1000), percent(99_999, 100_000), percent(8124, 8124), percent(0, 5)
    ('97.5 %', '99.999 %', '100 %', '0 %')
    """
    if part in (0, whole):
        return f"{100 * part // whole} %"
    for digits in range(1, 15):
        text = f"{100 * part / whole:.{digits}f}"
        if 0 < float(text) < 100:
            break
    return f"{text} %"
