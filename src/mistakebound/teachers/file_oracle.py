"""A command that reads a file: the flags are parts of the file, and a run is made with some of them."""

from __future__ import annotations

import os

from mistakebound.core.errors import BadParameter
from mistakebound.teachers.command import FILE_PLACE, PLACE, CommandOracle, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any


class FileOracle(CommandOracle):
    """`CommandOracle` whose flags "1", "2", ... are parts of a file; "{}" anywhere becomes the name of a file.

    That file has the parts that are on, and the name of the whole one, in a folder of its own.

    Examples
    --------
    >>> oracle = FileOracle(["grep", "-q", "b", "{}"], [b"a\\n", b"b\\n"], "letters.txt")
    >>> oracle.ask({"1"}), oracle.ask({"1", "2"})
    (1, 0)
    """

    def __init__(self, command: Sequence[str], parts: Sequence[bytes], name: str, **more: Any) -> None:
        self.parts = list(parts)
        self.name = name
        super().__init__(command, [str(number) for number in range(1, len(parts) + 1)], **more)

    def _check_places(self) -> None:
        if not any(PLACE in word or FILE_PLACE in word for word in self.command):
            raise BadParameter(f"the command must say where its file goes, by {PLACE}: {' '.join(self.command)}")

    def text(self, names: Collection[str]) -> bytes:
        return b"".join(part for flag, part in zip(self.flags, self.parts, strict=True) if flag in names)

    def write(self, names: Sequence[str], folder: str) -> str:
        path = os.path.join(folder, self.name)
        with open(path, "wb") as file:
            file.write(self.text(set(names)))
        return path

    def words(self, names: Collection[str], place: Place | None = None) -> list[str]:
        at = self.name if place is None else place.listed
        return [self.put_in(word.replace(PLACE, at), place) for word in self.command]
