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
def decide(scores: Buffer, rows: int, classes: int, out: Buffer) -> int: ...
def named(codes: Buffer, labels: list[Any]) -> list[Any]: ...
def normalise(scores: Buffer, rows: int, classes: int) -> int: ...
