"""Where chance comes in: small weights to start from, and the order of the examples in each epoch."""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy.typing as npt


class Chance:
    """One stream of random words from a seed.  It is made of PCG64's raw words, which no release of NumPy may change.

    >>> Chance(0).between(3, 0.05).round(4).tolist() == Chance(0).between(3, 0.05).round(4).tolist()
    True
    >>> sorted(Chance(1).orders(1, 4)[0].tolist())
    [0, 1, 2, 3]
    """

    __slots__ = ("_words",)

    def __init__(self, seed: int) -> None:
        self._words = np.random.PCG64(seed)

    def between(self, count: int, end: float) -> npt.NDArray[np.float64]:
        """Numbers between -end and end."""
        units = (self._words.random_raw(count) >> np.uint64(11)) * 2.0**-53
        return np.asarray((2.0 * units - 1.0) * end, np.float64)

    def orders(self, epochs: int, rows: int) -> npt.NDArray[np.int64]:
        """A new order of the rows for each epoch.  However many epochs are asked for at once, they are the same."""
        keys = np.asarray(self._words.random_raw(epochs * rows), np.uint64).reshape(epochs, rows)
        return np.argsort(keys, axis=1, kind="stable").astype(np.int64, copy=False)
