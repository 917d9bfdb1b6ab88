"""F(X, delta): witnesses, the exact solver against SciPy's, counts against brute force."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from concepts.truth import cube
from mistakebound.concepts import (
    DNF,
    Between,
    Conjunction,
    Disjunction,
    LinearThreshold,
    Literal,
    MonotoneDisjunctions,
    RofK,
    RofKThreshold,
    Separated,
    Thresholds,
    parse,
    parse_class,
)
from mistakebound.concepts.weighing import widest_gap
from mistakebound.core.errors import BadParameter

HALF = Fraction(1, 2)


def holds_by_definition(f, mu, delta, X):
    """The definition, word for word."""
    for x in X:
        total = sum(Fraction(m) * v for m, v in zip(mu, x, strict=True))
        if (f(x) == 1 and total < 1) or (f(x) == 0 and total > 1 - delta):
            return False
    return all(m >= 0 for m in mu)


def largest_delta(n, positives, negatives):
    """By SciPy: minimise t over (mu, t); None when there is no mu at all."""
    rows = [[-v for v in x] + [0] for x in positives] + [[*x, -1] for x in negatives]
    limits = [-1] * len(positives) + [0] * len(negatives)
    if not rows:
        return 1.0
    answer = linprog([0] * n + [1], A_ub=rows, b_ub=limits, bounds=(0, None))
    return 1 - answer.fun if answer.status == 0 else None


@given(
    st.integers(1, 4).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.booleans(), min_size=2**n, max_size=2**n)))
)
def test_the_solver_is_as_good_as_another_and_exact(case):
    n, labels = case
    positives = [x for x, label in zip(cube(n), labels, strict=True) if label]
    negatives = [x for x, label in zip(cube(n), labels, strict=True) if not label]

    def code(x):
        return sum(v << j for j, v in enumerate(x))

    found = widest_gap(n, map(code, positives), map(code, negatives))
    expected = largest_delta(n, positives, negatives)
    if expected is None:
        assert found is None
        return
    delta, mu = found
    assert abs(float(delta) - expected) < 1e-7
    assert all(m >= 0 for m in mu)
    for x in positives:
        assert sum(m * v for m, v in zip(mu, x, strict=True)) >= 1
    for x in negatives:
        assert sum(m * v for m, v in zip(mu, x, strict=True)) <= 1 - delta


@pytest.mark.parametrize(("r", "k"), [(r, k) for k in range(1, 6) for r in range(1, k + 1)])
def test_r_of_k_is_separated_by_one_over_r_and_no_more(r, k):
    f = RofKThreshold(r, [str(j) for j in range(1, k + 1)])
    mu = [Fraction(1, r)] * k
    assert holds_by_definition(f, mu, Fraction(1, r), cube(k))
    assert Separated(k, Fraction(1, r)).violation(f, mu) is None
    assert f in Separated(k, Fraction(1, r))
    assert f not in Separated(k, Fraction(1, r) + Fraction(1, 10**9)) if r > 1 else True
    # the same function in another form goes through the solver
    assert Separated(k, Fraction(1, 9)).witness(f.to_linear_threshold()).delta == Fraction(1, r)


def test_witness_of_disjunctions():
    C = Separated(30, 1)
    f = Disjunction(["1", "30"])
    assert f in C
    assert C.is_witness(f, {"1": 1, "30": 1})
    assert C.is_witness(f, {"1": 1, "30": 5})
    assert not C.is_witness(f, {"1": 1, "30": 1, "2": Fraction(1, 10**12)})
    assert Disjunction([str(j) for j in range(1, 31)]) in C
    assert Disjunction() in C
    assert Disjunction(["1", Literal("2", False)]) not in C
    assert Conjunction() not in C
    assert Conjunction(contradiction=True) in C
    assert Disjunction(["31"]) not in C


@pytest.mark.parametrize(
    ("mu", "message"),
    [
        ([1, 1, -1], "mu of x3 must be >= 0: -1"),
        ([1, HALF, HALF], "x = (0, 1, 0): the sum must be >= 1 where f(x) = 1: 1/2"),
        ([1, 1, 1], "x = (0, 0, 1): the sum must be <= 1/2 where f(x) = 0: 1"),
        ([1, 1, HALF], None),
        (
            [1, 1, Fraction(1, 2) + Fraction(1, 10**30)],
            f"x = (0, 0, 1): the sum must be <= 1/2 where f(x) = 0: {HALF + Fraction(1, 10**30)}",
        ),
    ],
)
def test_violations_are_named(mu, message):
    f = Disjunction(["1", "2"])
    assert Separated(3, HALF).violation(f, mu) == message
    names = ("1", "2", "3")
    assert Separated(3, HALF, cube(3)).violation(f, dict(zip(names, mu, strict=True))) == message
    assert holds_by_definition(f, mu, HALF, cube(3)) == (message is None)


def test_a_foreign_attribute_is_a_violation():
    assert Separated(3, HALF).violation(Disjunction(["4", "a"]), [1, 1, 1]) == (
        "attributes must be between x1 and x3: x4"
    )


def test_bad_witnesses():
    C = Separated(3, HALF)
    f = Disjunction(["1"])
    for mu, message in (
        ([1, 1], "mu must have n = 3 weights: 2"),
        ({"4": 1}, "mu must map x1 to x3 to finite numbers: '4': 1"),
        ({"1": float("nan")}, "mu must map x1 to x3 to finite numbers: '1': nan"),
    ):
        with pytest.raises(BadParameter) as caught:
            C.violation(f, mu)
        assert str(caught.value) == message
    with pytest.raises(BadParameter, match="at most 20 attributes: 21"):
        Separated(30, HALF).violation(f, dict.fromkeys(map(str, range(1, 22)), 1))


def all_functions(n, delta, X):
    """The labels on X of every function that SciPy says is separated."""
    found = set()
    for labels in product((0, 1), repeat=len(X)):
        sides = [[x for x, label in zip(X, labels, strict=True) if label == side] for side in (1, 0)]
        best = largest_delta(n, *sides)
        if best is not None and best >= delta - 1e-7:
            found.add(labels)
    return found


@pytest.mark.parametrize("delta", [1, Fraction(2, 3), HALF, Fraction(1, 3), Fraction(1, 100)])
@pytest.mark.parametrize("n", [1, 2, pytest.param(3, marks=pytest.mark.long)])
def test_class_on_the_cube_by_brute_force(n, delta):
    C = Separated(n, delta)
    expected = all_functions(n, delta, cube(n))
    found = [tuple(f(x) for x in cube(n)) for f in C]
    assert len(found) == len(set(found)) == C.count()
    assert set(found) == expected
    assert all(f in C for f in C)
    assert C.sample(1) in C


def test_known_counts():
    # delta = 1: the monotone disjunctions. Any delta: the 3, 6, 20, 150, 3287 threshold functions with
    # weights >= 0, without the constant 1.
    assert [Separated(n, 1).count() for n in range(1, 6)] == [2, 4, 8, 16, 32]
    assert [Separated(n, Fraction(1, 100)).count() for n in range(1, 6)] == [2, 5, 19, 149, 3286]


def test_class_on_some_instances_by_brute_force(long):
    for size in (1, 3, 5):
        for X in list(combinations(cube(3), size))[:: 7 if long else 29]:
            for delta in (HALF, Fraction(1)):
                C = Separated(3, delta, X)
                expected = all_functions(3, delta, X)
                found = [tuple(f(x) for x in X) for f in C]
                assert len(found) == len(set(found)) == C.count()
                assert set(found) == expected


def test_fewer_instances_make_more_functions():
    f = Conjunction(["1", "2"])
    assert f not in Separated(2, 1)
    assert f in Separated(2, 1, [(0, 0), (0, 1), (1, 1)])
    assert Conjunction() in Separated(2, 1, [(0, 1), (1, 0)])
    C = Separated(2, 1, [(1, 1), (0, 1), (1, 1)])
    assert C.X == ((0, 1), (1, 1))
    assert list(C.domain()) == [(0, 1), (1, 1)]
    assert C.witness(f).mu["1"] >= 1


def test_samples_beyond_the_limit_are_members():
    C = Separated(40, Fraction(1, 3))
    for seed in range(50):
        f = C.sample(seed)
        assert f.separation().delta >= Fraction(1, 3)
        assert f in C
    with pytest.raises(BadParameter, match="n must be at most 5 to count or enumerate separated: 40"):
        C.count()
    with pytest.raises(BadParameter, match="at most 10 to find a witness: 11"):
        LinearThreshold({str(j): j for j in range(1, 12)}, 3) in C  # noqa: B015


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 0), "delta must be > 0 and <= 1: 0"),
        ((3, Fraction(3, 2)), "delta must be > 0 and <= 1: 3/2"),
        ((3, "x"), "delta must be > 0 and <= 1: x"),
        ((0, 1), "n must be >= 1: 0"),
        ((2, 1, [(0, 1, 1)]), "X must hold rows of n = 2 zeros and ones: (0, 1, 1)"),
        ((2, 1, [(0, 2)]), "X must hold rows of n = 2 zeros and ones: (0, 2)"),
    ],
)
def test_bad_parameters(arguments, message):
    with pytest.raises(BadParameter) as caught:
        Separated(*arguments)
    assert str(caught.value) == message


def test_floats_are_taken_exactly():
    assert Separated(3, 0.1).delta == Fraction(0.1)
    assert np.isclose(float(Separated(3, 0.1).delta), 0.1)


@pytest.mark.parametrize("half", ["1/2", "0.5", "5e-1", Fraction(1, 2), Decimal("0.5"), 0.5, np.float32(0.5)])
def test_numbers_in_any_form_are_those_of_the_text(half):
    """What the text of the class accepts, Python accepts, and gets the same class."""
    assert Separated(3, half) == parse_class("separated n=3 delta=1/2") == parse_class(f"separated n=3 delta={half}")
    assert LinearThreshold({"1": half}, half) == parse("1/2*x1 >= 1/2")
    assert Between(half, 2) == parse("0.5 <= x1 <= 2")
    assert Separated(2, 1).violation(parse("x1"), {"1": half}) == (
        "x = (1, 0): the sum must be >= 1 where f(x) = 1: 1/2"
    )


@pytest.mark.parametrize(
    "bad", ["1/0", "", "half", "1e-5000", "1e-999999999", Decimal("1e-999999999"), "nan", None, 1j]
)
def test_what_is_no_number_is_refused_at_once(bad):
    for make in (lambda: Separated(3, bad), lambda: LinearThreshold({"1": bad}, 0), lambda: Between(bad, 1)):
        with pytest.raises(BadParameter):
            make()


def test_whole_numbers_of_numpy():
    for number in (np.int64(3), np.uint8(3)):
        for made, plain in (
            (MonotoneDisjunctions(number, number), MonotoneDisjunctions(3, 3)), (Thresholds(number), Thresholds(3)),
            (Separated(number, 1), Separated(3, 1)), (RofK(number, number, number), RofK(3, 3, 3)),
            (DNF(number, number, number - 1), DNF(3, 3, 2)),
        ):  # fmt: skip
            assert made == plain
            assert repr(made) == repr(plain)
            assert made.count() == plain.count()
        assert RofKThreshold(number, ["1", "2", "3"]) == RofKThreshold(3, ["1", "2", "3"])
        assert MonotoneDisjunctions(5).sample(number) == MonotoneDisjunctions(5).sample(3)
    for bad in (3.0, "3", True, None, Fraction(3), np.array([3, 3]), np.True_):
        with pytest.raises(BadParameter, match="n must be an integer: "):
            MonotoneDisjunctions(bad)
