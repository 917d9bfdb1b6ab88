"""A network of two layers for any Boolean function (row G12; CS3244 notes, section 4: "every boolean function can be
represented by a network with 1 hidden layer, but may require exponential hidden units").

One hidden unit an instance with the rarer label: it says nearly 1 there and nearly 0 elsewhere.  The last unit is their
"or", or its opposite where the rarer label is 0.
"""

from __future__ import annotations

from itertools import product
from math import log

import numpy as np

from mistakebound.concepts import parse
from mistakebound.core.errors import BadData, BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

LIMIT = 16  # attributes: 2^16 instances, at most 2^15 hidden units


def truth_table(f: Any, n: int | None) -> npt.NDArray[np.int8]:
    """The labels of all 2^n instances, the last attribute changing fastest."""
    if isinstance(f, str):
        f = parse(f)
    if hasattr(f, "attributes") and hasattr(f, "truth_table"):
        ids = [int(name) for name in f.attributes if name.isdecimal()]
        if len(ids) < len(f.attributes) or 0 in ids:
            raise BadParameter(f"f must be a concept over the attributes 1 to n: {f}")
        n = _size(max(ids, default=1) if n is None else n)
        if max(ids, default=0) > n:
            raise BadParameter(f"n must be at least {max(ids)} for this concept: {n}")
        labels = f.truth_table([str(j + 1) for j in range(n)]).tolist()
    elif callable(f):
        if n is None:
            raise BadParameter("n must be given: a function does not say of how many attributes it is")
        labels = [f(*bits) for bits in product((0, 1), repeat=_size(n))]
    else:
        if not hasattr(f, "__iter__"):
            raise BadParameter(f"f must be a concept, a function of n bits, or the labels of all instances: {f!r}")
        labels = list(f)
        if n is None and len(labels) not in [1 << width for width in range(1, LIMIT + 1)]:
            raise BadData(f"the labels of a function of n attributes must be 2^n, n from 1 to {LIMIT}: {len(labels)}")
        n = _size(len(labels).bit_length() - 1 if n is None else n)
    if len(labels) != 2**n:
        raise BadData(f"a function of {n} attributes has {2**n} labels: {len(labels)} are given")
    for label in labels:
        if np.ndim(label) or label not in (0, 1):
            raise BadData(f"a Boolean function must have the labels 0 and 1: {label!r}")
    return np.array(labels, np.int8)


def _size(n: Any) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= LIMIT:
        raise BadParameter(f"n must be a whole number between 1 and {LIMIT}: {n!r}")
    return int(n)


def layers_for(table: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
    """The weights of the two layers, a row a unit, the constant's first."""
    n = len(table).bit_length() - 1
    rarer = int(2 * table.sum() <= len(table))
    codes = np.flatnonzero(table == rarer)
    units = max(1, len(codes))  # a constant function has one unit, that says 0 always
    bits = (codes[:, None] >> np.arange(n - 1, -1, -1)) & 1
    # The sum of a unit is gain/2 on its own instance and -gain/2 or less elsewhere, so that of all of them together the
    # values differ by no more than 1/64 from one 1 or none.
    gain = 2.0 * log(64.0 * units)
    hidden = np.zeros((units, n + 1))
    hidden[:, 0] = -gain / 2
    if len(codes):
        hidden[:, 1:] = gain * (2.0 * bits - 1.0)
        hidden[:, 0] = -gain * (bits.sum(axis=1) - 0.5)
    last = np.full((1, units + 1), 20.0)
    last[0, 0] = -10.0
    return hidden, last if rarer else -last
