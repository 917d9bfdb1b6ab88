from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (("--hypotheses", "3^10", "--epsilon", "0.1", "--delta", "0.05"), "140"),
        (("--hypotheses", "conjunctions n=10", "--epsilon", "1/10", "--delta", ".05"), "140"),
        (("--hypotheses", "3**10", "--epsilon", "0.1", "--delta", "0.05", "--agnostic"), "700"),
        (("--hypotheses", "5.9049e4", "--epsilon", "1/10", "--delta", "1/20"), "140"),
        (("--vc", "10", "--epsilon", "0.1", "--delta", "0.05"), "5,831"),
        (("--epsilon", "0.1", "--delta", "0.05", "-m", "140"), "60,130"),
        (("--epsilon", "0.1", "--delta", "0.05", "-m", "5831", "--form", "vc"), "10"),
        (("--hypotheses", "59,049", "--delta", "0.05", "-m", "140"), "0.0998703940016792"),
    ],
)
def test_the_answer_comes_first(run, words, first) -> None:
    result = run("sample-size", *words)
    assert result.code == 0
    assert result.out.splitlines()[0] == first
    assert result.out.count("(computed)") == 1
    assert max(map(len, result.out.splitlines())) < 80


def test_json(run) -> None:
    found = run("sample-size", "--hypotheses", "3^10", "--epsilon", "0.1", "--delta", "0.05", "--json").json
    assert found == {
        "form": "consistent", "wanted": "m", "value": 140, "hypotheses": 59049, "epsilon": 0.1, "delta": 0.05, "m": 140
    }  # fmt: skip


def test_bad_words(run) -> None:
    for words, part in (
        (("--hypotheses", "ten", "--epsilon", "0.1", "--delta", "0.05"), "there is no concept class"),
        (("--vc", "x", "--epsilon", "0.1", "--delta", "0.05"), "--vc must be a whole number: 'x'"),
        (("--hypotheses", "9^99999", "--epsilon", "0.1", "--delta", "0.05"), "at most 4,000 digits"),
        (("--hypotheses", "9", "--epsilon", "2", "--delta", "0.05"), "epsilon must be a number > 0 and < 1"),
        (("--hypotheses", "9", "--epsilon", "0.2"), "give three of"),
        (("--hypotheses", "9", "--vc", "2", "--epsilon", "0.2"), "not allowed with"),
    ):
        result = run("sample-size", *words)
        assert result.code == 2, words
        assert part in result.err


def test_a_number_that_is_too_long_to_read_is_given_by_its_power(run, long) -> None:
    words = ("--epsilon", "0.1", "--delta", "0.05")
    out = run("sample-size", "--hypotheses", "conjunctions n=100000", *words).out
    assert "  |H|         about 2^158496\n" in out
    assert max(map(len, out.splitlines())) < 80
    n = 100_000 if long else 20_000
    found = run("sample-size", "--hypotheses", f"conjunctions n={n}", *words, "--json").json
    assert found["hypotheses"] == {"log2": pytest.approx(1.584962501 * n, abs=0.01)}
    assert run("sample-size", "--hypotheses", "conjunctions n=1000", *words).out.count("about 2^1584") == 1
    long = run("sample-size", "--epsilon", "0.5", "--delta", "0.5", "-m", "2000").out.splitlines()
    assert long[0].replace(",", "").isdecimal()  # the answer itself is exact
    assert "about 2^" in long[1]
    result = run("sample-size", "--hypotheses", "conjunctions n=1000000", *words)
    assert (result.code, result.err) == (
        2, "mistakebound: a class must have n <= 100,000 to be counted here: 'conjunctions n=1000000'\n"
    )  # fmt: skip
