"""What a council says: the furthest member, the majority, the drawn one."""

from __future__ import annotations

from array import array
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import council as kernel
from mistakebound.learners.ensemble._exact_votes import drawn, majority, sign

scores = st.sampled_from([-2.0, -1.0, 0.0, 0.5, 3.0, float("inf")])
columns = st.lists(st.lists(st.tuples(st.integers(0, 1), scores), min_size=3, max_size=3), max_size=4)


@given(columns)
def test_furthest(members: list[list[tuple[int, float]]]) -> None:
    said = array("b", [code for member in members for code, _ in member])
    found = array("d", [score for member in members for _, score in member])
    out, margins = array("b", bytes(3)), array("d", bytes(24))
    codes = array("b", range(10, 10 + len(members)))
    assert kernel.furthest(said, found, codes, 3, 0.5, out, margins) == kernel.OK
    for row in range(3):
        if not members:
            assert out[row] == kernel.DONT_KNOW
            continue
        best = max(range(len(members)), key=lambda m: (*members[m][row], -m))
        assert (out[row], margins[row]) == (10 + best, members[best][row][1] - 0.5)


def votes(
    said: list[list[int]], labels: list[int], beta: float, codes: int, drawing: bool = False, seed: int = 3
) -> tuple[list[int], list[int], list[float], int]:
    """What the kernel says, asked again where it could not decide."""
    members, rows = len(said), len(labels)
    mistakes, state, out = array("q", bytes(8 * members)), array("q", [0, 0]), array("b", bytes(rows))
    flat, shares = array("b", [code for member in said for code in member]), array("d", bytes(8 * rows))
    first, forced, asked = 0, kernel.NOT_FORCED, 0
    dyadic = beta.as_integer_ratio()[0] == 1
    while True:
        status = kernel.vote(
            flat, array("b", labels), first, rows, beta, dyadic, drawing, seed, forced, True, mistakes,
            array("d", bytes(8 * members)), array("d", bytes(8 * codes)), out, shares, array("d", [0.0]), state,
        )  # fmt: skip
        if status == kernel.OK:
            return out.tolist(), mistakes.tolist(), shares.tolist(), asked
        assert status == kernel.UNDECIDED
        asked, first = asked + 1, state[kernel.ROW]
        here = [member[first] for member in said]
        if drawing:
            forced = here[drawn(kernel.draw(seed, state[kernel.TRIALS]), mistakes, beta)]
        else:
            forced = majority(here, mistakes, beta)


@given(st.data(), st.integers(1, 6), st.integers(2, 4), st.sampled_from([0.5, 0.25, 0.7, 0.999, 1e-3]), st.booleans())
def test_votes_are_those_of_fractions(data: Any, members: int, codes: int, beta: float, drawing: bool) -> None:
    rows = data.draw(st.integers(0, 30))
    code = st.integers(0, codes - 1)
    said = data.draw(st.lists(st.lists(code, min_size=rows, max_size=rows), min_size=members, max_size=members))
    labels = data.draw(st.lists(code, min_size=rows, max_size=rows))
    out, mistakes, shares, _ = votes(said, labels, beta, codes, drawing)
    weights = [Fraction(1)] * members
    for row, label in enumerate(labels):
        here = [member[row] for member in said]
        sums = [sum(w for w, vote in zip(weights, here, strict=True) if vote == c) for c in range(codes)]
        if drawing:
            target, place = Fraction(kernel.draw(3, row), 1 << 53) * sum(weights), 0
            while sum(weights[: place + 1]) <= target:
                place += 1
            assert out[row] == here[place]
        else:
            assert out[row] == max(range(codes), key=lambda c: (sums[c], -c))
        aim = 1 if codes == 2 else out[row]
        assert abs(shares[row] - float(sums[aim] / sum(weights))) < 1e-12
        weights = [w * Fraction(beta) if vote != label else w for w, vote in zip(weights, here, strict=True)]
    assert mistakes == [sum(a != b for a, b in zip(member, labels, strict=True)) for member in said]


def test_doubles_alone_would_be_wrong() -> None:
    """0.7 + 0.7*0.7 against 1 + ...: three against one tie only in exact arithmetic, and far powers are not lost."""
    assert sign([(1, 0), (-1, 0), (1, 5000)], 0.7) == 1
    assert sign([(1, 0), (-2, 1), (1, 3000), (-1, 3001)], 0.5) == 1
    assert sign([(-1, 0), (2, 1)], 0.5) == 0
    out, _, _, asked = votes([[1] * 3, [0] * 3, [0] * 3, [1] * 3], [1, 1, 1], 0.7, 2)
    assert (out, asked) == ([0, 1, 1], 1)  # a tie of two against two is asked for, and 0 has it


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 12)), max_size=8), st.sampled_from([0.5, 0.3, 0.9]))
def test_sign(terms: list[tuple[int, int]], beta: float) -> None:
    exact = sum(factor * Fraction(beta) ** exponent for factor, exponent in terms)
    assert sign(terms, beta) == (exact > 0) - (exact < 0)


def test_nobody_says_anything() -> None:
    """ "Don't know" of all is a tie, which the smallest code has, and a mistake of each where another label comes."""
    silent = [kernel.DONT_KNOW] * 2
    assert votes([silent, silent], [1, 0], 0.5, 2)[:2] == ([0, 0], [2, 2])
    assert votes([silent, [1, 1]], [1, 0], 0.5, 2)[:2] == ([1, 1], [2, 1])
    assert votes([silent], [1, 0], 0.5, 2, drawing=True)[:2] == ([0, 0], [2])


def test_draws_are_spread() -> None:
    found = [kernel.draw(seed, trial) for seed in (0, 1, 2**64 - 1) for trial in range(1000)]
    assert len(set(found)) == len(found)
    assert max(found) < 2**53
    assert abs(sum(found) / len(found) / 2**53 - 0.5) < 0.02


def test_ordinary() -> None:
    assert kernel.ordinary(array("d", [0.0, -1.0, 1e6]), 0, 3)
    for odd in (1e-7, 2e6, float("inf"), float("nan")):
        assert not kernel.ordinary(array("d", [1.0, odd]), 0, 2)
        assert kernel.ordinary(array("d", [1.0, odd]), 0, 1)
    assert not kernel.ordinary(array("d", [1.0]), 0, 2)


def test_misuse() -> None:
    call: dict[str, Any] = {
        "said": array("b", bytes(6)), "scores": array("d", bytes(48)), "codes": array("b", [0, 1]), "rows": 3,
        "theta": 0.0, "out": array("b", bytes(3)), "margins": array("d", bytes(24)),
    }  # fmt: skip
    must_refuse(kernel.furthest, call, ["said", "scores", "out"], kernel.CAPACITY)
    vote: dict[str, Any] = {
        "said": array("b", bytes(6)), "labels": array("b", bytes(3)), "first": 0, "rows": 3, "beta": 0.5,
        "dyadic": True, "drawing": False, "seed": 0, "forced": kernel.NOT_FORCED, "learn": True,
        "mistakes": array("q", bytes(16)), "weights": array("d", bytes(16)), "sums": array("d", bytes(16)),
        "out": array("b", bytes(3)), "shares": array("d", bytes(24)), "expected": array("d", [0.0]),
        "state": array("q", [0, 0]),
    }  # fmt: skip
    must_refuse(kernel.vote, vote, ["said", "labels", "weights", "sums", "out", "expected", "state"], kernel.CAPACITY)
    assert kernel.vote(**vote | {"said": array("b", [2] * 6)}) == kernel.CAPACITY
