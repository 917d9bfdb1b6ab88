"""Files cut into ranges at row boundaries: text by bytes, Parquet by row groups, what cannot be cut as whole files.

Where a range begins follows from the files and the number of ranges alone, never from the workers.
"""

from __future__ import annotations

from contextlib import closing

from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.io.formats import TABLES, open_file
from mistakebound.io.ranges import FileRange
from mistakebound.io.source import Chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.cluster.engine import Engine

_LINES = ("libsvm", "vw", "jsonl", "text", "csv", "tsv")  # formats that are cut at newlines
_UNIT = 1 << 16
RANGE_BYTES = 1 << 25  # of a range at most, where it can be cut and nothing else is asked


class FileToCut:
    """What is known of one file before it is cut: where rows begin (-1: it cannot be cut), how a table parts cells."""

    def __init__(self, path: str, settings: dict[str, Any]) -> None:
        source = FileRange(path).open()
        if source.total is None:
            source.close()
            raise BadParameter(f"a cluster reads files, and {path} is a pipe: write it to shared storage")
        self.path, self.size = path, source.total
        self.first, self.delimiter = -1, ""
        self.assumed: list[str] = []  # about its columns, in words
        self.groups: list[tuple[int, int]] = []  # bytes and rows of each row group of Parquet
        plain = source.can_jump()
        options = {"unlabelled_ok": True, "on_error": "fail", "block_bytes": _UNIT}
        with open_file(source, settings, options) as reader:
            format = reader.settings["format"]
            cut = format in _LINES and reader.jumps and not settings.get("dialect")
            if format == "parquet" and plain:
                from mistakebound.io.arrow_file import open_arrow

                with closing(FileRange(path).open()) as again:
                    found = open_arrow(again, format).metadata
                    groups = [found.row_group(number) for number in range(found.num_row_groups)]
                    self.groups = [(group.total_byte_size, group.num_rows) for group in groups]
            if format in TABLES:
                reader.fill(reader.chunk())  # its columns are looked at then
            self.assumed = [*reader.assumed]
            if cut:
                self.first = 0  # not of an array of JSON, nor of another encoding
                if format in ("csv", "tsv"):
                    self.first, self.delimiter = reader.offset, reader.delimiter


def cut_files(
    engine: Engine,
    places: Sequence[Any],
    settings: dict[str, Any],
    parts: Callable[[int], int] | None = None,
    say: Callable[[str], object] | None = None,
) -> list[list[FileRange]]:
    """The files as so many lists of ranges at most as `parts` says of their bytes; in file order, about equal.

    `say` takes what is assumed about the columns of each file.
    """
    paths = list(map(str, places))
    known = {path: FileToCut(path, settings) for path in dict.fromkeys(paths)}
    files = [known[path] for path in paths]
    if say is not None:
        for line in dict.fromkeys(line for file in known.values() for line in file.assumed):
            say(line)
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
    if file.groups:
        return _row_groups(file, wanted)
    if file.first < 0:
        return [(0, FileRange(file.path, size=file.size))]
    ends = sorted({end for end in (_line_end(file, goal) for goal in wanted) if file.first < end < file.size})
    ends.append(file.size)
    if file.delimiter:
        return [(found.start, found) for found in _scanned(engine, file, ends)]
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


def _scanned(engine: Engine, file: FileToCut, ends: list[int]) -> list[FileRange]:
    """Ranges with the number of lines before each; one that ends within quotes is made one with the next.

    That a range begins a row is certain for the first one, and for another where the one before does not end within
    quotes.
    """
    known: dict[tuple[int, int], tuple[int, bool]] = {}  # of the last range nobody asks
    while True:
        pairs = list(zip([0, *ends], ends, strict=False))
        missing = [pair for pair in pairs[:-1] if pair not in known]
        tasks = [(FileRange(file.path, start, end, size=file.size), file.delimiter) for start, end in missing]
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
    total = max(1, sum(size for size, _ in file.groups))
    parts: dict[int, list[tuple[int, int, int]]] = {}  # by the number of goals before it: offset, first row, group
    seen = rows = 0
    for number, (size, count) in enumerate(file.groups):
        at = seen * file.size // total  # as if the groups were not compressed
        parts.setdefault(sum(goal <= at for goal in wanted), []).append((at, rows, number))
        seen, rows = seen + size, rows + count
    return [
        (part[0][0], FileRange(file.path, line=part[0][1], groups=tuple(group for _, _, group in part), size=file.size))
        for part in parts.values()
    ]


# What workers do.


def scan(part: FileRange, delimiter: str) -> tuple[int, bool]:
    """Newlines of a range of a table, and whether its last byte stands in quotes."""
    from mistakebound.io.table_records import RecordCutter

    cutter, newlines, chunk = RecordCutter(part.open(), 1 << 20, delimiter), 0, Chunk(1 << 20)
    try:
        if part.start:
            cutter.seek(part.start)
        while cutter.fill(chunk):
            if chunk.failure is not None:
                raise chunk.failure
            newlines += chunk.text.count(b"\n", 0, chunk.end)
    except MistakeboundError:  # whoever reads the rows says it; no boundary behind it is certain
        return newlines, True
    finally:
        cutter.close()
    return newlines, cutter.in_quotes
