from typing import Any

from mistakebound.kernels._buffers import AnyBuffer, Floats, Ints

OK: int
MISFIT: int

def estimate(
    counts: AnyBuffer, totals: AnyBuffer, classes: int, m: float, p: float, size: float, out: AnyBuffer
) -> int: ...
def score_row(
    cells: AnyBuffer,
    sizes: AnyBuffer,
    classes: int,
    counts: AnyBuffer,
    totals: AnyBuffer,
    m: float,
    p: float,
    scores: AnyBuffer,
) -> int: ...
def count_row(
    cells: AnyBuffer, label: int, weight: float, classes: int, counts: AnyBuffer, totals: AnyBuffer, done: AnyBuffer
) -> int: ...

class Words:
    def __init__(self, slots: Ints, values: Floats) -> None: ...

def count_words(
    words: Words,
    label: int,
    weight: float,
    classes: int,
    counts: AnyBuffer,
    totals: AnyBuffer,
    all_words: bool,
    done: AnyBuffer,
) -> int: ...
def score_words(
    words: Words, classes: int, counts: AnyBuffer, totals: AnyBuffer, m: float, p: float, size: float, scores: AnyBuffer
) -> int: ...
def score_flags(
    marks: AnyBuffer,
    classes: int,
    ones: AnyBuffer,
    missing: AnyBuffer,
    totals: AnyBuffer,
    m: float,
    p: float,
    scores: AnyBuffer,
) -> int: ...
def gather_cells(x: dict[str, Any], places: dict[str, Any], cells: list[Any], skip: bool, row: AnyBuffer) -> int: ...
def gather_words(
    x: dict[str, Any], known: dict[str, Any], most: float, skip: bool, slots: AnyBuffer, values: AnyBuffer
) -> int: ...
