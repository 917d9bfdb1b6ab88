from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

OK: int
UNDECIDED: int
EDGE: int
WIDEN: int
CAPACITY: int
OTHER: int
ROW: int
SEEN: int
STARTS: int
LEAST: int
MOST: int
BIAS: int
LOW: int
BOTTOM: int
TOP: int
SHIFT: int
GROWS: int
MERGED: int
ELIMINATES: int
OR_EQUAL: int
UNIT: int

def run1(
    slots: Ints,
    indptr: Ints,
    labels: Ints,
    importance: Floats,
    first: int,
    last: int,
    cells: Buffer,
    starts: Buffer,
    frame: Ints,
    power: Floats,
    units: Ints,
    half: Floats,
    flat: Floats,
    theta: float,
    learn: bool,
    forced: int,
    predictions: Ints,
    scores: Floats,
    state: Ints,
    base: int,
    bits: Ints,
    order: Ints,
    table: Ints,
) -> int: ...
def run2(
    slots: Ints,
    indptr: Ints,
    labels: Ints,
    importance: Floats,
    first: int,
    last: int,
    cells: Ints,
    starts: Buffer,
    frame: Ints,
    power: Floats,
    units: Ints,
    half: Floats,
    flat: Floats,
    theta: float,
    learn: bool,
    forced: int,
    predictions: Ints,
    scores: Floats,
    state: Ints,
    base: int,
    bits: Ints,
    order: Ints,
    table: Ints,
) -> int: ...
def run4(
    slots: Ints,
    indptr: Ints,
    labels: Ints,
    importance: Floats,
    first: int,
    last: int,
    cells: Ints,
    starts: Buffer,
    frame: Ints,
    power: Floats,
    units: Ints,
    half: Floats,
    flat: Floats,
    theta: float,
    learn: bool,
    forced: int,
    predictions: Ints,
    scores: Floats,
    state: Ints,
    base: int,
    bits: Ints,
    order: Ints,
    table: Ints,
) -> int: ...
def run8(
    slots: Ints,
    indptr: Ints,
    labels: Ints,
    importance: Floats,
    first: int,
    last: int,
    cells: Ints,
    starts: Buffer,
    frame: Ints,
    power: Floats,
    units: Ints,
    half: Floats,
    flat: Floats,
    theta: float,
    learn: bool,
    forced: int,
    predictions: Ints,
    scores: Floats,
    state: Ints,
    base: int,
    bits: Ints,
    order: Ints,
    table: Ints,
) -> int: ...
def flatten(shift: int, power: Floats, half: Floats, starts: int, flat: Floats) -> bool: ...
def weights1(cells: Buffer, low: int, shift: int, power: Floats, half: Floats, out: Floats) -> bool: ...
def weights2(cells: Ints, low: int, shift: int, power: Floats, half: Floats, out: Floats) -> bool: ...
def weights4(cells: Ints, low: int, shift: int, power: Floats, half: Floats, out: Floats) -> bool: ...
def weights8(cells: Ints, low: int, shift: int, power: Floats, half: Floats, out: Floats) -> bool: ...
