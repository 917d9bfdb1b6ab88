"""How many files of the Pollock corpus the table reader reads as their clean counterparts say.

    python benchmarks/pollock.py FOLDER     the folder polluted_files of HPI-Information-Systems/Pollock

A file is equal (all cells are the clean ones), refused (with its line and the reason), or different: those are listed.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from mistakebound.core.errors import MistakeboundError
from mistakebound.io.csv import CsvReader
from mistakebound.io.csv_chunk import CsvChunk
from mistakebound.io.table_cells import TEXT, read_columns
from mistakebound.io.table_records import describe

ONLY_THE_DIALECT = (
    "file_field_delimiter", "file_quotation_char", "file_escape_char", "file_record_delimiter", "file_no_header",
    "file_preamble", "file_header", "file_double_trailing", "file_no_trailing", "file_one_data_row", "source",
)  # fmt: skip


class RawChunk(CsvChunk):
    """The cells as they stand in the file."""

    found: list[list[str]]

    def parse(self) -> None:
        records, width = self.records, self.columns.width
        records.scan(self.text, 0, self.end, self._delimiter, width)
        self.error = None
        for record in range(records.count):
            if records.faults[record]:
                line = int(records.lines[record]) + 1
                raise MistakeboundError(f"line {line} of a chunk: {describe(int(records.faults[record]), width)}")
        text, rows = records.good_text(records.count)
        cells = read_columns(text, rows, width, self._delimiter, dict.fromkeys(range(width), TEXT))
        RawChunk.found += [list(row) for row in zip(*(cells[k].to_pylist() for k in range(width)), strict=True)]


def cells_of(path: Path) -> list[list[str]]:
    """The header, where there is one, and the rows."""
    RawChunk.found = []
    reader: Any = CsvReader(path, {"format": "csv"}, unlabelled_ok=True, chunk_type=RawChunk)
    with reader:
        chunk = reader.chunk()
        while reader.fill(chunk):
            if chunk.failure is not None:
                raise chunk.failure
            chunk.parse()
        names = [name.strip() for name in reader._dialect.names]
    return ([names] if reader._dialect.header else []) + RawChunk.found


def main(folder: str) -> None:
    counts: dict[str, Counter[str]] = {"only the dialect differs": Counter(), "rows are damaged": Counter()}
    files = sorted((Path(folder) / "csv").glob("*.csv"))
    files = [path for path in files if (Path(folder) / "clean" / path.name).exists() and "_results" not in path.name]
    for path in files:
        with open(Path(folder) / "clean" / path.name, newline="") as clean:
            wanted = [[cell.strip() for cell in row] for row in csv.reader(clean)]
        try:
            found = [[cell.strip() for cell in row] for row in cells_of(path)]
            outcome = "equal" if found == wanted else "different"
        except MistakeboundError as error:
            outcome = "refused"
            if path.name.startswith("file_"):
                print(f"refused: {path.name}: {str(error).replace(folder, '')}")
        if outcome == "different":
            wrong = sum(a != b for a, b in zip(found, wanted, strict=False)) + abs(len(found) - len(wanted))
            print(f"different: {path.name}: {wrong} of {len(wanted)} rows")
        kind = "only the dialect differs" if path.name.startswith(ONLY_THE_DIALECT) else "rows are damaged"
        counts[kind][outcome] += 1
    for kind, found_so in counts.items():
        total = sum(found_so.values())
        said = ", ".join(f"{outcome} {count} ({100 * count / total:.1f} %)" for outcome, count in found_so.items())
        print(f"{kind}: {total} files: {said}")


if __name__ == "__main__":
    main(sys.argv[1])
