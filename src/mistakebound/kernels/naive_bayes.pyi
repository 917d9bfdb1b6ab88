from typing import Any, TypeAlias

Buffer: TypeAlias = Any  # an array, or anything else with the buffer protocol, NumPy's too

def count32(
    cells: Buffer,
    width: int,
    rows: int,
    lowest: int,
    top: int,
    labels: Buffer,
    weights: Buffer,
    classes: int,
    counts: Buffer,
) -> int: ...
def count64(
    cells: Buffer,
    width: int,
    rows: int,
    lowest: int,
    top: int,
    labels: Buffer,
    weights: Buffer,
    classes: int,
    counts: Buffer,
) -> int: ...
def add32(cells: Buffer, width: int, rows: int, top: int, classes: int, table: Buffer, scores: Buffer) -> int: ...
def add64(cells: Buffer, width: int, rows: int, top: int, classes: int, table: Buffer, scores: Buffer) -> int: ...
def count_entries(
    indptr: Buffer,
    columns: Buffer,
    values: Buffer,
    rows: int,
    labels: Buffer,
    weights: Buffer,
    width: int,
    classes: int,
    counts: Buffer,
) -> int: ...
def add_entries(
    indptr: Buffer,
    columns: Buffer,
    values: Buffer,
    rows: int,
    classes: int,
    table: Buffer,
    scores: Buffer,
) -> int: ...
def flag_codes(bits: Buffer, out: Buffer) -> int: ...
def look(values: Buffer) -> int: ...
def estimate(
    counts: Buffer,
    totals: Buffer,
    classes: int,
    m: float,
    p: float,
    size: float,
    out: Buffer,
) -> int: ...
def score_row(
    cells: Buffer,
    sizes: Buffer,
    classes: int,
    counts: Buffer,
    totals: Buffer,
    m: float,
    p: float,
    scores: Buffer,
) -> int: ...
def count_row(cells: Buffer, label: int, weight: float, classes: int, counts: Buffer, totals: Buffer) -> int: ...
def count_words(slots: Buffer, values: Buffer, label: int, weight: float, classes: int, counts: Buffer) -> int: ...
def score_words(
    slots: Buffer,
    values: Buffer,
    classes: int,
    counts: Buffer,
    totals: Buffer,
    m: float,
    p: float,
    size: float,
    scores: Buffer,
) -> int: ...
def score_flags(
    marks: Buffer,
    classes: int,
    ones: Buffer,
    missing: Buffer,
    totals: Buffer,
    m: float,
    p: float,
    scores: Buffer,
) -> int: ...
def gather_cells(
    x: dict[str, Any], places: dict[str, int], cells: list[dict[str, int]], skip: bool, row: Buffer
) -> int: ...
def gather_words(
    x: dict[str, Any], known: dict[str, int], most: float, skip: bool, slots: Buffer, values: Buffer
) -> int: ...
def decide(scores: Buffer, rows: int, classes: int, out: Buffer) -> int: ...
def named(codes: Buffer, labels: list[Any]) -> list[Any]: ...
def normalise(scores: Buffer, rows: int, classes: int) -> int: ...
