"""A coin of coin betting: sum of gradients, sum of their sizes, wealth, largest size; the twin of _coins.pxd.

docs/theorems.md says why the bets are what they are.
"""

from __future__ import annotations

from math import exp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.kernels._buffers import Floats


def chance_of(s: float) -> float:
    """The probability that a score stands for."""
    return 1.0 / (1.0 + exp(-s)) if s >= 0.0 else exp(s) / (1.0 + exp(s))


def weight_of(coins: Floats, at: int) -> float:
    """The weight that a coin makes: the part of its wealth that the gradients so far speak for."""
    total, size, wealth, most = coins[at : at + 4]
    return total / (size + most) * (wealth / most) if most > 0.0 else 0.0


def toss(coins: Floats, at: int, weight: float, g: float, reach: float, wealth: float) -> float:
    """A round with one coin, whose gradient g is at most `reach` > 0 in size; a new coin begins with `wealth`.

    A gradient larger than any could have been before is cut off there.  What comes back is the money that was given,
    and what cutting off costs.
    """
    most, kept, put = coins[at + 3], g, 0.0
    if most > 0.0:
        kept = min(max(g, -most), most)
        coins[at + 2] += kept * weight
        put = (kept - g) * weight
    coins[at] += kept
    coins[at + 1] += abs(kept)
    if reach > most:
        money = wealth * (1.0 - most / reach)
        coins[at + 2] += money
        coins[at + 3] = reach
        put += money
    return put


def toss_weighed(coins: Floats, at: int, g: float, x: float, c: float) -> None:
    """A round with a coin that begins with 1 and behind which its weight stands, which is made anew.

    The gradient is g * x, of an example of weight c, and |g| <= c.  Of a flag, whose largest size is 1, it takes less
    time.
    """
    if c == 1.0 and x == 1.0 and coins[at + 3] == 1.0:
        coins[at + 2] += g * coins[at + 4]
        coins[at] += g
        coins[at + 1] += abs(g)
        coins[at + 4] = coins[at] / (coins[at + 1] + 1.0) * coins[at + 2]
    else:
        toss(coins, at, coins[at + 4], g * x, c * abs(x), 1.0)
        coins[at + 4] = weight_of(coins, at)
