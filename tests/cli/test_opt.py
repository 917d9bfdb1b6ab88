from __future__ import annotations

from xml.etree import ElementTree

import pytest


def test_text(run):
    out = run("opt", "monotone-disjunctions", "n=8", "k=2").out
    assert out.splitlines()[:4] == [
        "monotone-disjunctions n=8 k=2",
        "  concepts    37",
        "  instances   256",
        "  opt         4",
    ]
    assert "a complete mistake tree of 4 levels, verified" in out


def test_json(run):
    data = run("opt", "decision-lists n=3", "--json", "--tree", "text").json
    assert (data["opt"], data["exact"], data["lower"], data["upper"], data["verified"]) == (5, True, 5, 5, True)
    assert (data["concepts"], data["instances"]) == (96, 8)
    assert (len(data["tree"]["nodes"]), len(data["tree"]["leaves"])) == (31, 32)
    assert data["tree"]["nodes"][0] == [0, 0, 0]
    assert all(leaf.startswith(("if", "else")) for leaf in data["tree"]["leaves"])


def test_a_timeout_says_what_is_proven(run):
    result = run("opt", "linear-thresholds n=4", "--timeout", "0")
    assert result.code == 0
    assert "(out of time)" in result.out
    data = run("opt", "linear-thresholds n=4", "--timeout", "0", "--json").json
    assert data["opt"] is None
    assert data["lower"] <= 9 <= data["upper"]


def test_trees(run, tmp_path):
    assert "├─0─ " in run("opt", "intervals m=6", "--tree", "text").out
    assert "more leaves" in run("opt", "intervals m=6", "--tree", "text", "--levels", "2").out
    assert "digraph {" in run("opt", "intervals m=6", "--tree", "dot").out
    file = tmp_path / "tree.svg"
    assert run("opt", "intervals m=6", "--tree", "svg", "--output", file).code == 0
    texts = [element.text for element in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")]
    assert sum(text.endswith("?") for text in texts) == 15


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["parrots"], "a class must be one of"),
        (["disjunctions", "n=30"], "concepts times instances must be at most 268435456"),
        (["disjunctions", "n=3", "--limit", "100"], "must be at most 100"),
        (["disjunctions", "n=3", "--timeout", "-1"], "--timeout must be a number of seconds >= 0: -1"),
        (["disjunctions", "n=3", "--output", "x"], "--output must come with --tree"),
        (["disjunctions", "n=3", "--tree", "text", "--levels", "0"], "--levels must be >= 1: 0"),
    ],
)
def test_refused(run, words, message):
    result = run("opt", *words)
    assert result.code == 2
    assert message in result.err


def test_bad_options_are_said_before_the_work(run) -> None:
    for words, message in (
        (("--tree", "text", "--levels", "0"), "--levels must be >= 1: 0"),
        (("--levels", "-1"), "--levels must be >= 1: -1"),
        (("--limit", "0"), "--limit must be >= 1: 0"),
    ):
        result = run("opt", "thresholds", "m=5", *words)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
    assert "a complete mistake tree of 1 level, verified" in run("opt", "thresholds", "m=1").out
    result = run("opt", "monotone-disjunctions", "n=1000000")
    assert (result.code, "2^1000000 instances" in result.err, "--limit" in result.err) == (2, True, True)
