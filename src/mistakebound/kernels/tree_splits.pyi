from mistakebound.kernels._buffers import Floats, Ints

def fill_groups(gc: Floats, groups: int, classes: int, miss: Floats, in_class: bool, fill: Ints) -> None: ...
def many_ways(
    gc: Floats, groups: int, classes: int, miss: Floats, mode: int, least: float, table: Floats, out: Floats
) -> None: ...
def threshold(
    gc: Floats,
    groups: int,
    classes: int,
    miss: Floats,
    mode: int,
    c45: bool,
    least: float,
    table: Floats,
    work: Floats,
    out: Floats,
) -> None: ...
def halves(
    gc: Floats,
    groups: int,
    classes: int,
    miss: Floats,
    mode: int,
    least: float,
    table: Floats,
    work: Floats,
    order: Ints,
    share: Floats,
    side: Ints,
    out: Floats,
) -> None: ...
