"""Files cut into ranges at row boundaries: text by bytes, Parquet by row groups, what cannot be cut as whole files.

Where a range begins follows from the files and the number of ranges alone, never from the workers.
"""

from __future__ import annotations

from mistakebound.cluster.tasks import scan
from mistakebound.core.errors import BadParameter
from mistakebound.io.formats import open_file, settled_format
from mistakebound.io.ranges import FileRange
from mistakebound.io.source import open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.cluster.engine import Engine

_LINES = ("libsvm", "vw", "jsonl", "text", "csv", "tsv")  # formats that are cut at newlines
_UNIT = 1 << 16
RANGE_BYTES = 1 << 25  # of a range at most, where it can be cut and nothing else is asked


class FileToCut:
    """What is known of one file before it is cut."""

    def __init__(self, path: str, settings: dict[str, Any]) -> None:
        place = FileRange(path)
        source = place.open()
        try:
            if source.total is None:
                raise BadParameter(f"a cluster reads files, and {path} is a pipe: write it to shared storage")
            self.path, self.size = path, source.total
            self.plain = source.can_jump()
            self.format = settled_format(source, settings)
        finally:
            source.close()
        self.first, self.delimiter = self._begin(place, settings)

    def _begin(self, place: FileRange, settings: dict[str, Any]) -> tuple[int, str | None]:
        """Where rows begin in a text that can be cut (-1: it cannot), and the delimiter of a table."""
        if not self.plain or self.format not in _LINES or settings.get("dialect"):
            return -1, None
        options = {"unlabelled_ok": True, "on_error": "fail", "block_bytes": _UNIT}
        with open_file(open_source(place), settings, options) as reader:
            if not reader.jumps:  # an array of JSON, another encoding
                return -1, None
            if self.format not in ("csv", "tsv"):
                return 0, None
            reader.fill(reader.chunk())
            return reader.offset, reader.delimiter

    def row_groups(self) -> list[tuple[int, int]]:
        """Bytes and rows of each row group of a Parquet file."""
        from pyarrow import parquet

        from mistakebound.io.arrow_file import open_bytes

        source = FileRange(self.path).open()
        try:
            found = parquet.ParquetFile(open_bytes(source)).metadata
            groups = [found.row_group(number) for number in range(found.num_row_groups)]
            return [(group.total_byte_size, group.num_rows) for group in groups]
        finally:
            source.close()


def cut_files(
    engine: Engine, paths: Sequence[str], settings: dict[str, Any], parts: Callable[[int], int] | None = None
) -> list[list[FileRange]]:
    """The files as so many lists of ranges at most as `parts` says of their bytes; in file order, about equal."""
    known = {path: FileToCut(path, settings) for path in dict.fromkeys(paths)}
    files = [known[path] for path in paths]
    total = sum(file.size for file in files)
    count = max(1, -(-total // RANGE_BYTES)) if parts is None else parts(total)
    goals = [total * number // count for number in range(1, count)]
    lists: list[list[FileRange]] = []
    before, last = 0, -1
    for file in files:
        wanted = [goal - before for goal in goals if before < goal < before + file.size]
        for offset, found in _cut_one(engine, file, wanted):
            number = sum(goal <= before + offset for goal in goals)
            if number != last:
                lists.append([])
                last = number
            lists[-1].append(found)
        before += file.size
    return lists


def _cut_one(engine: Engine, file: FileToCut, wanted: list[int]) -> list[tuple[int, FileRange]]:
    """Ranges of one file, each with where it begins, at the first row boundaries behind the wanted offsets."""
    if file.format == "parquet" and file.plain:
        return _row_groups(file, wanted)
    if file.first < 0:
        return [(0, FileRange(file.path, size=file.size))]
    ends = sorted({end for end in (_line_end(file, goal) for goal in wanted) if file.first < end < file.size})
    ends.append(file.size)
    if file.delimiter is not None:
        return [(found.start, found) for found in _scanned(engine, file, file.delimiter, ends)]
    pairs = zip([0, *ends], ends, strict=False)  # every newline ends a row; lines are counted where one is named
    return [(a, FileRange(file.path, a, b, None if a else 0, size=file.size)) for a, b in pairs]


def _line_end(file: FileToCut, goal: int) -> int:
    """Where the first line ends that ends at an offset or behind it."""
    source = FileRange(file.path).open()
    try:
        at = max(goal, file.first + 1) - 1
        source.skip_to(at)
        chunk = bytearray(_UNIT)
        while got := source.read_into(memoryview(chunk)):
            found = chunk.find(b"\n", 0, got)
            if found >= 0:
                return at + found + 1
            at += got
        return at
    finally:
        source.close()


def _scanned(engine: Engine, file: FileToCut, delimiter: str, ends: list[int]) -> list[FileRange]:
    """Ranges with the number of lines before each; one that ends within quotes is made one with the next.

    That a range begins a row is certain for the first one, and for another where the one before does not end within
    quotes.
    """
    known: dict[tuple[int, int], tuple[int, bool]] = {}  # of the last range nobody asks
    while True:
        pairs = list(zip([0, *ends], ends, strict=False))
        missing = [pair for pair in pairs[:-1] if pair not in known]
        tasks = [(FileRange(file.path, start, end, size=file.size), delimiter) for start, end in missing]
        known.update(zip(missing, engine.run(scan, tasks), strict=True))
        torn = [end for start, end in pairs[:-1] if known[start, end][1]]
        if not torn:
            break
        ends.remove(torn[0])
    lines, ranges = 0, []
    for start, end in pairs:
        ranges.append(FileRange(file.path, start, end, lines, size=file.size))
        lines += known.get((start, end), (0, False))[0]
    return ranges


def _row_groups(file: FileToCut, wanted: list[int]) -> list[tuple[int, FileRange]]:
    units = file.row_groups()
    total = max(1, sum(size for size, _ in units))
    parts: dict[int, list[tuple[int, int, int]]] = {}  # by the number of goals before it: offset, first row, group
    seen = rows = 0
    for number, (size, count) in enumerate(units):
        at = seen * file.size // total  # as if the groups were not compressed
        parts.setdefault(sum(goal <= at for goal in wanted), []).append((at, rows, number))
        seen, rows = seen + size, rows + count
    return [
        (part[0][0], FileRange(file.path, line=part[0][1], groups=tuple(group for _, _, group in part), size=file.size))
        for part in parts.values()
    ]
