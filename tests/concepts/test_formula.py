"""Text of concepts: round trips, other spellings, errors with their position."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mistakebound.concepts import Conjunction, Disjunction, LinearThreshold, Literal, RofKThreshold, parse
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order, is_id

names = st.one_of(
    st.integers(0, 2**63 - 1).map(str),
    st.integers(0, 12).map(str),
    st.text(st.characters(codec=None), max_size=6),
    st.sampled_from(["x1", "x01", "X1", "x", "or", "OR", "true", "of", "a b", "it's", '"', "\\", "\n", "-3", "007"]),
    st.sampled_from([str(2**63), "é", "x²", "a·b", "1e5", "", "\ud800", "x٣", ">=", "²"]),
)
literals = st.builds(Literal, names, st.booleans())
numbers = st.one_of(
    st.integers(),
    st.fractions(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1, -1, 0]),
)
concepts = st.one_of(
    st.builds(Disjunction, st.lists(literals, max_size=5)),
    st.builds(Conjunction, st.lists(literals, max_size=5)),
    st.sampled_from([Disjunction(tautology=True), Conjunction(contradiction=True)]),
    st.builds(LinearThreshold, st.dictionaries(names, numbers, max_size=4), numbers, st.sampled_from([">", ">="])),
    st.lists(names, min_size=1, max_size=5, unique=True).flatmap(
        lambda chosen: st.builds(RofKThreshold, st.integers(1, len(chosen)), st.just(chosen))
    ),
)


@given(concepts)
@example(Conjunction(["3"]))
@example(Disjunction())
@example(Conjunction())
def test_round_trip(f):
    assert parse(str(f)) == f
    assert type(parse(str(f))) is type(f)
    assert str(parse(str(f))) == str(f)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("x1 | x4", Disjunction(["1", "4"])),
        ("x3", Disjunction(["3"])),
        ("~x3", Disjunction([Literal("3", False)])),
        ("x1 & ~x3", Conjunction(["1", Literal("3", False)])),
        ("all of (x3)", Conjunction(["3"])),
        ("any of (true)", Disjunction(tautology=True)),
        ("all of (false)", Conjunction(contradiction=True)),
        ("true", Conjunction()),
        ("false", Disjunction()),
        ("x0 | ham | 'free money' | 'x3' | 'or'", Disjunction(["0", "ham", "free money", "x3", "or"])),
        ("x1 + x2 + -2*x7 >= 3", LinearThreshold({"1": 1, "2": 1, "7": -2}, 3)),
        ("3/2*x1 + -x2 > -1/3", LinearThreshold({"1": Fraction(3, 2), "2": -1}, Fraction(-1, 3), ">")),
        ("0 >= 3", LinearThreshold({}, 3)),
        ("2 of x1, x5, x9", RofKThreshold(2, ["1", "5", "9"])),
        (r"'it\'s' | '\n\x07'", Disjunction(["it's", "\n\x07"])),
    ],
)
def test_forms(text, concept):
    assert parse(text) == concept
    assert set(str(concept)) == set(text)
    assert len(str(concept)) == len(text)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("x1∨x2", "x1 | x2"),
        ("x1 or  not x2", "x1 | ~x2"),
        ("x1 OR x2 || x3", "x1 | x2 | x3"),
        ("x1 ∧ ¬x2 && !x3 and x4", "x1 & ~x2 & ~x3 & x4"),
        ("((x1)) | (x2 | (~(x3)))", "x1 | x2 | ~x3"),
        ("(x1 & x2)", "x1 & x2"),
        ("~~x1", "x1"),
        ("not true", "false"),
        ("x2 | x1 | x2", "x1 | x2"),
        ("x1 | ~x1", "any of (true)"),
        ("x1 & not x1", "all of (false)"),
        ("x1 | false", "x1"),
        ("x1 & true", "all of (x1)"),
        ("x1 | true", "any of (true)"),
        ("True", "true"),
        ("any of (x1, ~x2)", "x1 | ~x2"),
        ("any of ()", "false"),
        ("all of ()", "true"),
        ("all of (x1, x2)", "x1 & x2"),
        ("2 of (x9, x1)", "2 of x1, x9"),
        ("2 of x9, x1, x9", "2 of x1, x9"),
        ("x1 - 2*x2 + x1 ≥ −0.25", "2*x1 + -2*x2 >= -1/4"),
        ("- x1 - -x2 > +.5", "-x1 + x2 > 1/2"),
        ("0*x1 + 2/4*x2 >= 1.50", "1/2*x2 >= 3/2"),
        ("x1 - x1 >= 0", "0 >= 0"),
        ('"a b" | "it\'s"', r"'a b' | 'it\'s'"),
        ("'3' | '\\u0034'", "x3 | x4"),
    ],
)
def test_other_spellings(text, concept):
    assert str(parse(text)) == concept


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position 1: expected an attribute, found the end: ''"),
        ("x1 | & x2", "position 6: expected an attribute, found '&': 'x1 | & x2'"),
        ("x1 |", "position 5: expected an attribute, found the end: 'x1 |'"),
        ("x1 x2", "position 4: expected '|', '&' or the end, found 'x2': 'x1 x2'"),
        ("x1 | x2 & x3", "position 9: expected '|' or the end: | and & must not be mixed, "
         "found '&': 'x1 | x2 & x3'"),
        ("x1 & (x2 | x3)", "position 10: expected '&': | and & must not be mixed, "
         "found '|': 'x1 & (x2 | x3)'"),
        ("(x1 & x2) & x3 | x4", "position 16: expected '&' or the end: | and & must not be mixed, "
         "found '|': '(x1 & x2) & x3 | x4'"),
        ("x1 ^ x2 | x3", "position 9: expected '^' or the end: different operators must not be mixed, "
         "found '|': 'x1 ^ x2 | x3'"),
        ("x1 ^ ~x2", "position 4: expected attributes without a negation, or false, on both sides, "
         "found '^': 'x1 ^ ~x2'"),
        ("if x1 | x2 then 1 else 0", "position 4: expected one attribute or its negation, "
         "found 'x1': 'if x1 | x2 then 1 else 0'"),
        ("if (x1 | x2) then 1 else 0", "position 4: expected one attribute or its negation, "
         "found '(': 'if (x1 | x2) then 1 else 0'"),
        ("if x1 then 2 else 0", "position 12: expected 0 or 1, found '2': 'if x1 then 2 else 0'"),
        ("if x1 then 1", "position 13: expected 'else', found the end: 'if x1 then 1'"),
        ("if true then 1 else 0", "position 4: expected one attribute or its negation, "
         "found 'true': 'if true then 1 else 0'"),
        ("3 <= x1", "position 8: expected '<=', found the end: '3 <= x1'"),
        ("(x1 | x2", "position 9: expected '|', '&' or ')', found the end: '(x1 | x2'"),
        ("~(x1 | x2)", "position 6: expected one attribute after the negation, found '|': '~(x1 | x2)'"),
        ("x01", "position 1: expected x and a number below 2^63 without leading zeros, found 'x01': 'x01'"),
        ("x9223372036854775808", "position 1: expected x and a number below 2^63 without leading zeros, "
         "found 'x9223372036854775808': 'x9223372036854775808'"),
        ("x1 | $", "position 6: expected a formula, found '$': 'x1 | $'"),
        ("'abc", "position 5: expected the closing ', found the end: \"'abc\""),
        ("3", "position 2: expected 'of', '>=' or '>', found the end: '3'"),
        ("3 of x1, x2", "position 1: expected an integer between 1 and k = 2, found '3': '3 of x1, x2'"),
        ("1/2 of x1", "position 1: expected an integer between 1 and k = 1, found '1': '1/2 of x1'"),
        ("0 of x1", "position 1: expected an integer between 1 and k = 1, found '0': '0 of x1'"),
        ("2 of x1 x2", "position 9: expected ',' or the end, found 'x2': '2 of x1 x2'"),
        ("2 of (x1, x2", "position 13: expected ',' or ')', found the end: '2 of (x1, x2'"),
        ("all (x1)", "position 5: expected 'of', found '(': 'all (x1)'"),
        ("all of (x1 x2)", "position 12: expected ',' or ')', found 'x2': 'all of (x1 x2)'"),
        ("x1 + 2 >= 1", "position 8: expected '*', found '>=': 'x1 + 2 >= 1'"),
        ("x1 + >= 1", "position 6: expected an attribute or a number, found '>=': 'x1 + >= 1'"),
        ("2*3 >= 1", "position 3: expected an attribute, found '3': '2*3 >= 1'"),
        ("x1 >= x2", "position 7: expected a number, found 'x2': 'x1 >= x2'"),
        ("x1 >= 1/0", "position 9: expected a number that is not 0, found '0': 'x1 >= 1/0'"),
        ("x1 >= 1 x2", "position 9: expected the end, found 'x2': 'x1 >= 1 x2'"),
        ("x1 | x2 >= 1", "position 4: expected '+', '-', '>=' or '>', found '|': 'x1 | x2 >= 1'"),
        ("x1 <= 1", "position 1: expected a number, found 'x1': 'x1 <= 1'"),
    ],
)  # fmt: skip
def test_errors_name_the_position(text, message):
    with pytest.raises(BadParameter) as caught:
        parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text", ["'\\q'", "'\\U00110000'", "'\\x1'", "'\\", "(" * 5000, "~" * 5000, "1" * 5000 + " of x1"]
)
def test_hostile_text_is_a_clear_error(text):
    with pytest.raises(BadParameter, match=r"^position"):
        parse(text)


@given(st.text(alphabet="x12|&^~(),+-*/<> ='\\oftrueal", max_size=20))
def test_any_text_is_a_concept_or_a_clear_error(text):
    try:
        f = parse(text)
    except BadParameter:
        with pytest.raises(BadParameter, match=r"^position [0-9]+: expected .*, found "):
            parse(text)
    else:
        assert parse(str(f)) == f


def test_text_only():
    with pytest.raises(BadParameter, match="a formula must be text: 3"):
        parse(3)


def test_repr():
    assert repr(Disjunction(["1", "4"])) == "<Disjunction x1 | x4>"


def test_canonical_order():
    mixed = ["b", "10", "2", "-1", "02", str(2**63), str(2**63 - 1), "0", "é", "a"]
    assert sorted(mixed, key=attribute_order) == [
        "0", "2", "10", str(2**63 - 1), "-1", "02", str(2**63), "a", "b", "é",
    ]  # fmt: skip
    assert not is_id("٣")
    assert not is_id("1\n")
