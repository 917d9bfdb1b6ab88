from typing import Any

from mistakebound.kernels._buffers import Floats
from mistakebound.kernels.call_lock import CallLock
from mistakebound.kernels.single_row import SingleRow

class SingleRowPerceptron(SingleRow):
    def __init__(
        self,
        lock: CallLock,
        table: Any,
        labels: Any,
        limit: int,
        learns: bool,
        weights: Floats,
        scalars: Floats,
        scale: float,
        biased: bool,
    ) -> None: ...
