from typing import Any

from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.single_row import SingleRow

class SingleRowWinnow(SingleRow):
    def __init__(
        self,
        owner: tuple[Any, Any, Any, int, bool],
        cells: Ints,
        starts: Ints,
        frame: Ints,
        power: Floats,
        half: Floats,
        theta: float,
        counts: Ints,
    ) -> None: ...
