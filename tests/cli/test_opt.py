"""`measure --only opt`: the best mistake bound of a class, with its mistake tree."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

OPT = ("--only", "opt", "--witness", "opt")


def test_text(run):
    out = run("measure", "monotone-disjunctions", "n=8", "k=2", *OPT).out
    assert out.splitlines()[0] == "monotone-disjunctions n=8 k=2"
    for line in ("  concepts       37\n", "  instances      256\n", "  opt  4  "):
        assert line in out
    assert "a complete mistake tree of 4 levels, verified" in out


def test_json(run):
    data = run("measure", "decision-lists n=3", "--json", *OPT).json
    found = data["opt"]
    assert [found[name] for name in ("value", "exact", "lower", "upper", "verified")] == [5, True, 5, 5, True]
    assert (data["concepts"], data["instances"]) == (96, 8)
    assert (len(found["witness"]["nodes"]), len(found["witness"]["leaves"])) == (31, 32)
    assert found["witness"]["nodes"][0] == [0, 0, 0]
    assert all(leaf.startswith(("if", "else")) for leaf in found["witness"]["leaves"])


def test_a_timeout_says_what_is_proven(run):
    result = run("measure", "linear-thresholds n=4", "--only", "opt", "--timeout", "0")
    assert result.code == 0
    assert "(out of time)" in result.out
    data = run("measure", "linear-thresholds n=4", "--only", "opt", "--timeout", "0", "--json").json["opt"]
    assert data["value"] is None
    assert data["lower"] <= 9 <= data["upper"]


def test_trees(run, tmp_path):
    assert "├─0─ " in run("measure", "intervals m=6", *OPT).out
    assert "more leaves" in run("measure", "intervals m=6", *OPT, "--levels", "2").out
    dot, svg = tmp_path / "tree.dot", tmp_path / "tree.svg"
    for file in (dot, svg):
        assert run("measure", "intervals m=6", "--only", "opt", "--plot", file).code == 0
    assert dot.read_text().startswith("digraph {")
    texts = [element.text for element in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert sum(text.endswith("?") for text in texts) == 15


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["parrots"], "there is no concept class"),
        (["disjunctions", "n=30"], "concepts times instances must be at most 268435456"),
        (["disjunctions", "n=3", "--limit", "100"], "must be at most 100"),
        (["disjunctions", "n=3", "--timeout", "-1"], "--timeout must be a number of seconds >= 0: -1"),
        (["disjunctions", "n=3", "--plot", "x"], "the drawing's name must end in .svg, .dot or .tex: 'x'"),
        (["disjunctions", "n=3", "--only", "vc", "--plot", "x.dot"], "--plot needs --only opt"),
        (["disjunctions", "n=3", "--levels", "0"], "--levels must be >= 1: 0"),
    ],
)
def test_refused(run, words, message):
    result = run("measure", *words)
    assert result.code == 2
    assert message in result.err


def test_bad_options_are_said_before_the_work(run) -> None:
    for words, message in (
        (("--levels", "0"), "--levels must be >= 1: 0"),
        (("--levels", "-1"), "--levels must be >= 1: -1"),
        (("--limit", "0"), "--limit must be >= 1: 0"),
    ):
        result = run("measure", "thresholds", "m=5", "--only", "opt", *words)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
    assert "a complete mistake tree of 1 level, verified" in run("measure", "thresholds", "m=1", *OPT).out
    result = run("measure", "conjunctions", "n=1000000", "--only", "opt")
    assert (result.code, "2^1000000 instances" in result.err, "--limit" in result.err) == (2, True, True)
