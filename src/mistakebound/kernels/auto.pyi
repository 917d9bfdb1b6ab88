from typing import Any

from mistakebound.kernels._buffers import Floats, Ints

OK: int
GROW: int
CAPACITY: int
MEMBERS: int
AROW_ONE: int
COIN: int
PA_ONE: int
UNIT: int
FAST: int
SLOW: int
BAYES: int
BAYES_COUNTS: int
AROW_TRIPLES: int
COIN_PAIRS: int
COIN_TRIPLES: int
FULL_PRODUCTS: int
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
F_PRODUCT: int
F_NUMBER: int
F_WEIGHTS: dict[int, int]
F_BAYES: int
F_UNIT: int
PAIR: int
P_AROW: int
P_COIN_PAIRS: int
P_COIN_TRIPLES: int
TRIPLE: int
T_AROW: int
T_COIN: int
WIDE: int
NOMINAL: int
MANY_PAIRS: int
NARROW: int
FEW: int
MANY_TRIPLES: int
FULL: int
NUMBERS: int
PRODUCTS: int
BINNED: int
TRIANGLE: int
TABLE: int
PRIOR: float
STEEP: float
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
TRIPLE_COINS: int
TWICE: int
TRIPLE_BITS: int
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
TRIPLES: int
PLACES: int
MULTIPLIED: int
WIDE_ROWS: int
NO_PAIRS: int
LOST: int
NO_TRIPLES: int

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
    def shape(self) -> tuple[int, int, int, int, list[int]]: ...
    def last_row(self) -> tuple[Ints, Floats, Ints, Ints, Ints, Floats]: ...
    def members(self) -> tuple[Floats, Floats]: ...
    def weigh(self, scales: Floats, singles: Floats, pairs: Floats, triples: Floats) -> None: ...
    def fit_all(self) -> None: ...
