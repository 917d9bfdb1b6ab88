from typing import Any, TypeAlias

Buffer: TypeAlias = Any  # an array, or anything else with the buffer protocol, NumPy's too

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
def count_row(
    cells: Buffer, label: int, weight: float, classes: int, counts: Buffer, totals: Buffer, done: Buffer
) -> int: ...
def count_words(
    slots: Buffer,
    values: Buffer,
    label: int,
    weight: float,
    classes: int,
    counts: Buffer,
    totals: Buffer,
    all_words: bool,
    done: Buffer,
) -> int: ...
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
