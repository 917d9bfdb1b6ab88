"""What an ensemble says: the furthest member, the majority, the drawn one."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import ensemble as kernel
from mistakebound.learners.ensemble._exact_votes import drawn, majority, sign

scores = st.sampled_from([-2.0, -1.0, 0.0, 0.5, 3.0, float("inf")])
columns = st.lists(st.lists(st.tuples(st.integers(0, 1), scores), min_size=3, max_size=3), max_size=4)


@given(columns, st.integers(0, 4))
def test_furthest(members: list[list[tuple[int, float]]], late: int) -> None:
    """The last member speaks from row `late` on."""
    said = array("b", [code for member in members for code, _ in member])
    found = array("d", [score for member in members for _, score in member])
    out, margins = array("i", bytes(12)), array("d", bytes(24))
    codes, since = array("i", range(1000, 1000 + len(members))), array("q", bytes(8 * len(members)))
    if members:
        since[-1] = late
    assert kernel.furthest(said, found, codes, since, 3, 0.5, out, margins) == kernel.OK
    for row in range(3):
        speaking = [m for m in range(len(members)) if since[m] <= row]
        if not speaking:
            assert (out[row], margins[row]) == (kernel.DONT_KNOW, 0.0)
            continue
        best = max(speaking, key=lambda m: (*members[m][row], -m))
        assert (out[row], margins[row]) == (1000 + best, members[best][row][1] - 0.5)


def test_furthest_of_more_rows_than_are_looked_at_at_once() -> None:
    draw = Random(3)
    said = [[draw.randrange(2) for _ in range(200)] for _ in range(7)]
    found = [[draw.choice([-1.0, 0.0, 2.0]) for _ in range(200)] for _ in range(7)]
    since, out = array("q", [0, 0, 63, 64, 65, 128, 200]), array("i", bytes(800))
    flat = array("b", [code for row in said for code in row]), array("d", [score for row in found for score in row])
    assert kernel.furthest(*flat, array("i", range(7)), since, 200, 0.0, out, array("d")) == kernel.OK
    for row in range(200):
        speaking = [m for m in range(7) if since[m] <= row]
        assert out[row] == max(speaking, key=lambda m: (said[m][row], found[m][row], -m))


@given(st.lists(st.integers(0, 6), max_size=20), st.sets(st.integers(0, 6), max_size=4))
def test_hear(labels: list[int], known: set[int]) -> None:
    """A member hears 1 where a row is of its label; new labels take the next members, in order of appearance."""
    rows, before = len(labels), sorted(known)
    members = len(before) + 7
    codes, places = array("i", [*before, *[0] * 7]), array("i", [-1]) * 7
    for place, code in enumerate(before):
        places[code] = place
    since, out = array("q", bytes(8 * members)), array("b", bytes(members * rows))
    taken = kernel.hear(array("i", labels), rows, len(before), codes, places, since, out)
    everybody = [*before, *dict.fromkeys(code for code in labels if code not in known)]
    assert taken == len(everybody)
    assert codes[:taken].tolist() == everybody
    assert since[: len(before)].tolist() == [0] * len(before)
    assert since[len(before) : taken].tolist() == [labels.index(code) + 1 for code in everybody[len(before) :]]
    for place in range(members):
        code = everybody[place] if place < taken else -1
        assert out[place * rows : (place + 1) * rows].tolist() == [int(label == code) for label in labels]


def test_hear_refuses_what_does_not_fit() -> None:
    call: dict[str, Any] = {
        "labels": array("i", [0, 1]), "rows": 2, "taken": 1, "codes": array("i", [0, 0]),
        "places": array("i", [0, -1]), "since": array("q", [0, 0]), "out": array("b", bytes(4)),
    }  # fmt: skip
    must_refuse(kernel.hear, call, ["labels", "since", "out"], kernel.NO_MEMBER)
    for changes in (
        {"rows": -1},
        {"taken": -1},
        {"taken": 2},
        {"labels": array("i", [0, 2])},
        {"places": array("i", [0])},
    ):
        call["places"] = array("i", [0, -1])
        assert kernel.hear(*(call | changes).values()) == kernel.NO_MEMBER
    for labels in ([-1, 0], [1, 1]):
        places = array("i", [0, 2])
        assert kernel.hear(*(call | {"labels": array("i", labels), "places": places}).values()) == kernel.NO_MEMBER


def votes(
    said: list[list[int]],
    labels: list[int],
    beta: float,
    codes: int,
    drawing: bool = False,
    counts: Any = (),
    seed: int = 3,
) -> tuple[list[int], list[int], list[float], int]:
    """What the kernel says, asked again where it could not decide."""
    members, rows = len(said), len(labels)
    mistakes, state, out = array("q", bytes(8 * members)), array("q", [0, 0, 0]), array("b", bytes(rows))
    flat, shares = array("b", [code for member in said for code in member]), array("d", bytes(8 * rows))
    first, forced, asked = 0, kernel.NOT_FORCED, 0
    experts = kernel.Experts(beta, mistakes, array("d", bytes(8 * members)), array("d", [0.0]), state)
    if drawing:
        experts.draw_by(seed)
    ballots = kernel.Ballots(flat, rows, codes)
    ballots.teach(array("b", labels), array("d", counts))
    while True:
        status = kernel.vote(experts, ballots, first, forced, out, shares)
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
    counts = data.draw(st.one_of(st.just([]), st.lists(st.integers(1, 4), min_size=rows, max_size=rows)))
    out, mistakes, shares, _ = votes(said, labels, beta, codes, drawing, counts)
    factors = [Fraction(beta) ** count for count in counts or [1] * rows]
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
        weights = [w * factors[row] if vote != label else w for w, vote in zip(weights, here, strict=True)]
    each = counts or [1] * rows
    assert mistakes == [sum(c for a, b, c in zip(member, labels, each, strict=True) if a != b) for member in said]


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


def voted(vote: Callable[..., int], call: dict[str, Any]) -> int:
    values = [*call.values()]
    try:
        ballots = kernel.Ballots(*values[4:7])
        ballots.teach(*values[7:9])
        return vote(kernel.Experts(0.5, *values[:4]), ballots, *values[9:])
    except AssertionError:
        return kernel.CAPACITY


def test_misuse() -> None:
    call: dict[str, Any] = {
        "said": array("b", bytes(6)), "scores": array("d", bytes(48)), "codes": array("i", [0, 1]),
        "since": array("q", [0, 0]), "rows": 3, "theta": 0.0, "out": array("i", bytes(12)),
        "margins": array("d", bytes(24)),
    }  # fmt: skip
    must_refuse(kernel.furthest, call, ["said", "scores", "since", "out"], kernel.CAPACITY)
    vote: dict[str, Any] = {
        "mistakes": array("q", bytes(16)), "weights": array("d", bytes(16)), "expected": array("d", [0.0]),
        "state": array("q", [0, 0, 0]), "said": array("b", bytes(6)), "rows": 3, "codes": 2,
        "labels": array("b", bytes(3)), "importance": array("d", [1.0] * 3), "first": 0, "forced": kernel.NOT_FORCED,
        "out": array("b", bytes(3)), "shares": array("d", bytes(24)),
    }  # fmt: skip
    names = ["said", "labels", "importance", "weights", "out", "shares", "expected", "state"]
    must_refuse(kernel.vote, vote, names, kernel.CAPACITY, voted)
    for changes in ({"said": array("b", [2] * 6)}, {"rows": -1}, {"codes": 1}, {"first": -1}, {"first": 4}):
        assert voted(kernel.vote, vote | changes) == kernel.CAPACITY
    assert voted(kernel.vote, vote) == kernel.OK
