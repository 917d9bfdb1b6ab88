from typing import Any

from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.call_lock import CallLock
from mistakebound.kernels.single_row import SingleRow

class SingleRowWinnow(SingleRow):
    def __init__(
        self,
        lock: CallLock,
        table: Any,
        labels: Any,
        limit: int,
        learns: bool,
        cells: Ints,
        starts: Ints,
        frame: Ints,
        power: Floats,
        half: Floats,
        theta: float,
        counts: Ints,
    ) -> None: ...
