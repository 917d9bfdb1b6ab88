from typing import Any

from mistakebound.kernels._buffers import AnyBuffer

def count32(
    cells: AnyBuffer,
    width: int,
    rows: int,
    lowest: int,
    top: int,
    labels: AnyBuffer,
    weights: AnyBuffer,
    classes: int,
    counts: AnyBuffer,
) -> int: ...
def count64(
    cells: AnyBuffer,
    width: int,
    rows: int,
    lowest: int,
    top: int,
    labels: AnyBuffer,
    weights: AnyBuffer,
    classes: int,
    counts: AnyBuffer,
) -> int: ...
def add32(
    cells: AnyBuffer, width: int, rows: int, top: int, classes: int, table: AnyBuffer, scores: AnyBuffer
) -> int: ...
def add64(
    cells: AnyBuffer, width: int, rows: int, top: int, classes: int, table: AnyBuffer, scores: AnyBuffer
) -> int: ...
def count_entries(
    indptr: AnyBuffer,
    columns: AnyBuffer,
    values: AnyBuffer,
    rows: int,
    labels: AnyBuffer,
    weights: AnyBuffer,
    width: int,
    classes: int,
    counts: AnyBuffer,
) -> int: ...
def add_entries(
    indptr: AnyBuffer,
    columns: AnyBuffer,
    values: AnyBuffer,
    rows: int,
    classes: int,
    table: AnyBuffer,
    scores: AnyBuffer,
) -> int: ...
def flag_codes(bits: AnyBuffer, out: AnyBuffer) -> int: ...
def look(values: AnyBuffer) -> int: ...
def decide(scores: AnyBuffer, rows: int, classes: int, out: AnyBuffer) -> int: ...
def named(codes: AnyBuffer, labels: list[Any]) -> list[Any]: ...
def normalise(scores: AnyBuffer, rows: int, classes: int) -> int: ...
