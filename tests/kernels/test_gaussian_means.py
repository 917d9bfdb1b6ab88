"""The E step of a run of points: its sums against the twin, its exponential, blocks and chunks, misuse."""

from __future__ import annotations

from array import array
from math import exp, fsum, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import _blocks
from mistakebound.kernels import gaussian_means as kernel
from naive.gaussian_means import naive_responsibilities


def close(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-10 * max(1.0, abs(b))


def naive_sums(points: list[list[float]], means: list[list[float]], variance: float) -> list[float]:
    """The row that `expect` writes, without constants in the log-likelihood."""
    shares = naive_responsibilities(points, means, variance)
    logs = []
    for x in points:
        parts = [-fsum((a - b) ** 2 for a, b in zip(x, mean, strict=True)) / (2 * variance) for mean in means]
        logs.append(max(parts) + log(fsum(exp(part - max(parts)) for part in parts)))
    row = [fsum(logs)]
    for m in range(len(means)):
        row += [fsum(s[m] * x[j] for s, x in zip(shares, points, strict=True)) for j in range(len(means[0]))]
        row.append(fsum(s[m] for s in shares))
    return row


def flat(rows: list[list[float]]) -> array[float]:
    return array("d", [number for row in rows for number in row])


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 4), st.integers(1, 140))
def test_sums_and_responsibilities(seed: int, d: int, k: int, n: int) -> None:
    draw = Random(seed)
    points = [[draw.gauss(0, 3) for _ in range(d)] for _ in range(n)]
    means = [[draw.gauss(0, 3) for _ in range(d)] for _ in range(k)]
    variance = draw.choice([0.01, 1.0, 30.0])
    given_points = kernel.GaussianPoints(flat(points), d, flat(means), variance)
    sums = array("d", [5.0]) * (1 + k * (d + 1))
    assert kernel.expect(given_points, 128 * 2, 0, 1, sums) == kernel.OK
    assert all(map(close, sums, naive_sums(points, means, variance)))
    out = array("d", bytes(8 * n * k))
    assert kernel.responsibilities(given_points, out) == kernel.OK
    expected = naive_responsibilities(points, means, variance)
    assert all(map(close, out, [share for row in expected for share in row]))


def test_chunks_are_runs_of_points() -> None:
    draw = Random(1)
    points = flat([[draw.gauss(0, 1), draw.gauss(0, 1)] for _ in range(300)])
    means, sums = array("d", [0, 0, 1, 1]), array("d", bytes(8 * 7 * 3))
    assert kernel.expect(kernel.GaussianPoints(points, 2, means, 1.0), 128, 1, 3, sums) == kernel.OK
    assert sums[:7].tolist() == [0.0] * 7
    for c in (1, 2):
        part, alone = points[2 * 128 * c : 2 * 128 * (c + 1)], array("d", bytes(8 * 7))
        assert kernel.expect(kernel.GaussianPoints(part, 2, means, 1.0), 128, 0, 1, alone) == kernel.OK
        assert alone.tobytes() == sums[7 * c : 7 * (c + 1)].tobytes()


def test_the_exponential() -> None:
    """Two means, a point on one of them: e^-x is the ratio of the responsibilities, to a few roundings."""
    distances = [0.0, 1e-9, 0.3, 0.6931471805599453, 1.0, 5.5, 36.7, 100.0, 300.3, 700.0, 707.9]
    out = array("d", [0.0, 0.0])
    for x in distances:
        means = array("d", [0.0, (2 * x) ** 0.5])
        assert kernel.responsibilities(kernel.GaussianPoints(array("d", [0.0]), 1, means, 1.0), out) == kernel.OK
        true = exp(-(means[1] ** 2) / 2)
        assert abs(out[1] / out[0] - true) <= 1e-15 * true
    kernel.responsibilities(kernel.GaussianPoints(array("d", [0.0]), 1, array("d", [0.0, 1e9]), 1.0), out)
    assert out[0] == 1.0
    assert 0 <= out[1] < 1e-300


def test_many_totals_do_not_overflow() -> None:
    """All means in one place: every total is k, and their product would be k to the number of points."""
    k = 300
    sums = array("d", bytes(8 * (1 + 2 * k)))
    points = kernel.GaussianPoints(array("d", [0.0] * 128), 1, array("d", [0.0] * k), 1.0)
    assert kernel.expect(points, 128, 0, 1, sums) == kernel.OK
    assert close(sums[0], 128 * log(k))


def test_misuse() -> None:
    numbers = {"points": array("d", [1, 2, 3, 4]), "d": 2, "means": array("d", [0, 0, 1, 1]), "variance": 1.0}
    for changes in (
        {"points": array("d", [1, 2, 3])}, {"means": array("d", [0, 0, 1])}, {"means": array("d")}, {"d": 0}, {"d": -2},
        {"variance": 0.0}, {"variance": -1.0}, {"variance": float("nan")},
    ):  # fmt: skip
        with pytest.raises(AssertionError):
            kernel.GaussianPoints(*(numbers | changes).values())
    given_points = kernel.GaussianPoints(*numbers.values())
    call = {"points": given_points, "chunk": 128, "first": 0, "last": 1, "sums": array("d", [9.0] * 7)}
    must_refuse(kernel.expect, call, ["sums"], kernel.BAD)
    for place in ({"chunk": 0}, {"first": -1}, {"first": 2}, {"last": 2}):
        assert kernel.expect(*(call | place).values()) == kernel.BAD
    must_refuse(kernel.responsibilities, {"points": given_points, "out": array("d", [9.0] * 4)}, ["out"], kernel.BAD)


@pytest.mark.parametrize(("d", "k", "n"), [(1, 1, 1), (1, 3, 128), (2, 2, 100), (3, 1, 127), (4, 5, 77), (5, 2, 128)])
def test_every_version_gives_the_same_bits(d: int, k: int, n: int) -> None:
    """Compiled for two lanes, for four, or not at all: the sums are those of _blocks.py."""
    draw = Random(d)
    points, means = (array("d", [draw.gauss(0, 9) for _ in range(count * d)]) for count in (n, k))
    sums = array("d", bytes(8 * (1 + k * (d + 1))))
    assert kernel.expect(kernel.GaussianPoints(points, d, means, 4.0), 128, 0, 1, sums) == kernel.OK
    x = array("d", [points[min(i, n - 1) * d + j] for j in range(d) for i in range(128)] + [0.0] * 128)
    z, least, total = (array("d", bytes(8 * 128 * rows)) for rows in (k, 1, 1))
    for m in range(k):
        _blocks.distances(x, means, m, d, z)
    _blocks.weigh(k, 0.125, z, least, total)
    _blocks.divide(x, d, total, n)
    expected = array("d", bytes(8 * k * (d + 1)))
    _blocks.add_sums(z, k, x, d, expected, 0)
    assert sums[1:] == expected
