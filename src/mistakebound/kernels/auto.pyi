from typing import Any

from mistakebound.kernels._buffers import Floats, Ints

OK: int
GROW: int
CAPACITY: int
MEMBERS: int
AROW_TENTH: int
AROW_ONE: int
COIN: int
PA_ONE: int
PERCEPTRON: int
FAST: int
SLOW: int
BAYES: int
BAYES_COUNTS: int
AROW_PAIRS: int
PA_PAIRS: int
COIN_PAIRS: int
BAYES_PAIRS: int
FULL_TENTH: int
FULL_ONE: int
FULL_TEN: int
ATTRIBUTE: int
A_COUNT: int
A_MEAN: int
A_SQUARES: int
A_SIZE: int
A_NUMERIC: int
A_FEATURE: int
A_BINS: int
A_SAMPLE: int
S_KEPT: int
S_STRIDE: int
S_SEEN: int
S_NEXT: int
S_VALUES: int
S_EIGHT: int
S_SIXTEEN: int
SAMPLE: int
BINS: int
SINGLE: int
F_NOMINAL: int
F_FULL: int
F_WEIGHTS: dict[int, int]
F_COIN: int
F_COIN_PAIRS: int
F_BAYES: int
PAIR: int
P_AROW: int
P_PA: int
P_COIN: int
P_BAYES: int
P_COIN_WEIGHT: int
WIDE: int
NOMINAL: int
MANY_PAIRS: int
FULL: int
BINNED: int
TABLE: int
MIXTURE: int
M_LEAST: int
M_MOST: int
M_RACE: int
HEAVIEST: float
REACH: float
RATE: float
SHARE: float
CLIP: float
RACE: int
LOSES: float
EARLY: int
TWICE: int
PAIR_BITS: int
RACERS: int
HISTORY: int
MOMENT: int
COUNTS: int
ROW: int
TRIALS: int
SINGLES: int
SAMPLES: int
NOMINALS: int
PAIRS: int
FULLS: int
ASLEEP: int
MOMENTS: int
NEXT_MOMENT: int
CAUSES: int
WIDE_ROWS: int
NO_PAIRS: int
LOST: int

class Mixture:
    def __init__(self) -> None: ...
    def holds(self, state: tuple[Any, ...]) -> bool: ...
    def hold(self, state: tuple[Any, ...], counts: Ints, scratch: tuple[Any, ...]) -> None: ...
    def run(
        self,
        slots: Ints,
        values: Floats,
        indptr: Ints,
        numbers: Ints,
        base: int,
        labels: Ints,
        importance: Floats,
        first: int,
        last: int,
        learn: bool,
        predictions: Ints,
        scores: Floats,
    ) -> int: ...
    def shape(self) -> tuple[int, int, float]: ...
    def last_row(self) -> tuple[Ints, Floats, Ints, Floats, Floats]: ...
    def fit_all(self) -> None: ...
