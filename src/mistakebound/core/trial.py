"""One trial: what the teacher shows, and where it came from."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Trial:
    """An instance that waits for its label; weight, tag and source travel with it."""

    __slots__ = ("line", "source", "tag", "weight", "x")

    def __init__(
        self, x: Any, *, weight: float = 1.0, tag: str | None = None, source: str | None = None, line: int | None = None
    ) -> None:
        self.x = x
        self.weight = weight
        self.tag = tag
        self.source = source
        self.line = line
