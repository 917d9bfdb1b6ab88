"""The attribute names of a block whose keys are places in a list: distinct texts, end to end in UTF-8."""

from __future__ import annotations

from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.core.buffers import Ints

ANY = "surrogatepass"  # a name may be any str


class BlockNames:
    """Name k is blob[ends[k] : ends[k + 1]]; the buffers may be longer and are reused by their owner.

    >>> names = BlockNames.of(["free", "7"])
    >>> names.count, names.name(0), names.texts()
    (2, 'free', ['free', '7'])
    """

    __slots__ = ("blob", "count", "ends")

    def __init__(self, blob: bytes | bytearray | memoryview[int], ends: Ints, count: int) -> None:
        self.blob = blob
        self.ends = ends  # 'q', ends[0] = 0
        self.count = count

    @classmethod
    def of(cls, names: Sequence[str]) -> BlockNames:
        blob, ends = bytearray(), array("q", [0])
        for name in names:
            blob += name.encode(errors=ANY)
            ends.append(len(blob))
        return cls(blob, ends, len(names))

    def name(self, place: int) -> str:
        return bytes(self.blob[self.ends[place] : self.ends[place + 1]]).decode(errors=ANY)

    def texts(self) -> list[str]:
        return [self.name(place) for place in range(self.count)]
