from __future__ import annotations

from mistakebound import learners


def test_json_has_every_learner(run):
    found = {entry["name"]: entry for entry in run("learners", "--json").json}
    assert sorted(found) == learners.names()
    alpha = next(entry for entry in found["winnow1"]["parameters"] if entry["name"] == "alpha")
    said = {"required": False, "default": 2.0, "rule": "a number > 1", "help": "factor of a promotion"}
    assert alpha == {"name": "alpha", **said}
    concepts = next(entry for entry in found["halving"]["parameters"] if entry["name"] == "concepts")
    assert (concepts["required"], concepts["default"]) == (True, None)
    theorem = found["winnow1"]["theorems"][0]
    assert (theorem["name"], theorem["source"]) == ("Theorem 7", "Littlestone 1988, Theorem 7")
    assert "theta >= 1/alpha" in theorem["conditions"]
    assert "k" in found["winnow1"]["assumable"]


def test_text_fits(run):
    out = run("learners").out
    assert all(f"\n{name}: " in "\n" + out for name in learners.names())
    assert max(map(len, out.splitlines())) < 80


def test_one(run):
    out = run("learners", "perceptron").out
    assert "Novikoff 1962" in out
    assert "winnow" not in out


def test_what_must_be_given_has_no_default(run):
    out = " ".join(run("learners", "decision-list-learner").out.split())
    assert "number of attributes: a whole number >= 1 (must be given)" in out
    assert "a whole number >= 1, or left out" in " ".join(run("learners", "winnow1").out.split())


def test_a_mistyped_name(run):
    result = run("learners", "perceptorn")
    assert result.code == 2
    assert "did you mean perceptron?" in result.err
