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
    work = array("d", [7.0]) * kernel.room(d, k)
    sums = array("d", [5.0]) * (1 + k * (d + 1))
    assert kernel.expect(flat(points), d, flat(means), k, variance, 128 * 2, 0, 1, work, sums) == 0
    assert all(map(close, sums, naive_sums(points, means, variance)))
    out = array("d", bytes(8 * n * k))
    assert kernel.responsibilities(flat(points), d, flat(means), k, variance, work, out) == 0
    expected = naive_responsibilities(points, means, variance)
    assert all(map(close, out, [share for row in expected for share in row]))


def test_chunks_are_runs_of_points() -> None:
    draw = Random(1)
    points = flat([[draw.gauss(0, 1), draw.gauss(0, 1)] for _ in range(300)])
    means, work = array("d", [0, 0, 1, 1]), array("d", bytes(8 * kernel.room(2, 2)))
    sums = array("d", bytes(8 * 7 * 3))
    assert kernel.expect(points, 2, means, 2, 1.0, 128, 1, 3, work, sums) == 0
    assert sums[:7].tolist() == [0.0] * 7
    for c in (1, 2):
        part, alone = points[2 * 128 * c : 2 * 128 * (c + 1)], array("d", bytes(8 * 7))
        assert kernel.expect(part, 2, means, 2, 1.0, 128, 0, 1, work, alone) == 0
        assert alone.tobytes() == sums[7 * c : 7 * (c + 1)].tobytes()


def test_the_exponential() -> None:
    """Two means, a point on one of them: e^-x is the ratio of the responsibilities, to a few roundings."""
    distances = [0.0, 1e-9, 0.3, 0.6931471805599453, 1.0, 5.5, 36.7, 100.0, 300.3, 700.0, 707.9]
    work, out = array("d", bytes(8 * kernel.room(1, 2))), array("d", [0.0, 0.0])
    for x in distances:
        means = array("d", [0.0, (2 * x) ** 0.5])
        assert kernel.responsibilities(array("d", [0.0]), 1, means, 2, 1.0, work, out) == 0
        true = exp(-(means[1] ** 2) / 2)
        assert abs(out[1] / out[0] - true) <= 1e-15 * true
    means = array("d", [0.0, 1e9])
    kernel.responsibilities(array("d", [0.0]), 1, means, 2, 1.0, work, out)
    assert out[0] == 1.0
    assert 0 <= out[1] < 1e-300


def test_many_totals_do_not_overflow() -> None:
    """All means in one place: every total is k, and their product would be k to the number of points."""
    k, work = 300, array("d", bytes(8 * kernel.room(1, 300)))
    sums = array("d", bytes(8 * (1 + 2 * k)))
    assert kernel.expect(array("d", [0.0] * 128), 1, array("d", [0.0] * k), k, 1.0, 128, 0, 1, work, sums) == 0
    assert close(sums[0], 128 * log(k))


def test_misuse() -> None:
    call = {
        "points": array("d", [1, 2, 3, 4]), "d": 2, "means": array("d", [0, 0, 1, 1]), "k": 2, "variance": 1.0,
        "chunk": 128, "first": 0, "last": 1, "work": array("d", [9.0] * kernel.room(2, 2)),
        "sums": array("d", [9.0] * 7),
    }  # fmt: skip
    must_refuse(kernel.expect, call, ["points", "means", "work", "sums"], kernel.BAD)
    for changes in (
        {"d": 0}, {"d": -2}, {"k": 0}, {"k": 3}, {"variance": 0.0}, {"variance": -1.0}, {"variance": float("nan")},
        {"chunk": 0}, {"first": -1}, {"first": 2}, {"last": 2},
    ):  # fmt: skip
        assert kernel.expect(*(call | changes).values()) == kernel.BAD
    other = {name: call[name] for name in ("points", "d", "means", "k", "variance", "work")}
    other["out"] = array("d", [9.0] * 4)
    must_refuse(kernel.responsibilities, other, ["points", "means", "work", "out"], kernel.BAD)
    assert kernel.responsibilities(*(other | {"variance": 0.0}).values()) == kernel.BAD


@pytest.mark.parametrize(("d", "k", "n"), [(1, 1, 1), (1, 3, 128), (2, 2, 100), (3, 1, 127), (4, 5, 77), (5, 2, 128)])
def test_every_version_gives_the_same_bits(d: int, k: int, n: int) -> None:
    """Compiled for two lanes, for four, or not at all: the sums are those of _blocks.py."""
    draw = Random(d)
    points, means = (array("d", [draw.gauss(0, 9) for _ in range(count * d)]) for count in (n, k))
    work, sums = array("d", bytes(8 * kernel.room(d, k))), array("d", bytes(8 * (1 + k * (d + 1))))
    assert kernel.expect(points, d, means, k, 4.0, 128, 0, 1, work, sums) == 0
    x = array("d", [points[min(i, n - 1) * d + j] for j in range(d) for i in range(128)] + [0.0] * 128)
    z, least, total = (array("d", bytes(8 * 128 * rows)) for rows in (k, 1, 1))
    for m in range(k):
        _blocks.distances(x, means, m, d, z)
    _blocks.weigh(k, 0.125, z, least, total)
    _blocks.divide(x, d, total, n)
    expected = array("d", bytes(8 * k * (d + 1)))
    _blocks.add_sums(z, k, x, d, expected, 0)
    assert sums[1:] == expected
