from typing import Any

from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.single_row import SingleRow

class SingleRowLinear(SingleRow):
    def __init__(
        self,
        owner: tuple[Any, Any, Any, int, bool],
        kept: list[tuple[Any, int]],
        scalars: tuple[Floats, int],
        biased: bool,
    ) -> None: ...

class SingleRowAROW(SingleRowLinear):
    def __init__(
        self, owner: tuple[Any, Any, Any, int, bool], cells: Floats, scalars: Floats, biased: bool, r: float
    ) -> None: ...

class SingleRowPassiveAggressive(SingleRowLinear):
    def __init__(
        self,
        owner: tuple[Any, Any, Any, int, bool],
        weights: Floats,
        scalars: Floats,
        biased: bool,
        most: float,
        slack: float,
    ) -> None: ...

class SingleRowBalancedWinnow(SingleRowLinear):
    def __init__(
        self,
        owner: tuple[Any, Any, Any, int, bool],
        votes: Floats,
        gaps: Floats,
        scalars: Floats,
        biased: bool,
        eta: float,
        thickness: float,
    ) -> None: ...

class SingleRowAdditive(SingleRowLinear):
    def __init__(
        self,
        owner: tuple[Any, Any, Any, int, bool],
        weights: Floats,
        words: Ints,
        scalars: Floats,
        biased: bool,
        scale: float,
        average: tuple[Floats, Floats, Ints] | None,
    ) -> None: ...
