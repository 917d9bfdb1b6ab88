from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_json(run):
    words = ("--learner", "winnow1", "--set", "n=100", "--target", "x3 | x17", "--n", "100", "--trials", "400")
    found = run("play", *words, "--check-lemmas", "--json").json
    assert (found["trials"], found["target"], found["verdict"]["kind"]) == (400, "x3 | x17", "within")
    assert found["mistakes"] <= found["bound"]
    assert found["mistakes"] == found["false_positives"] + found["false_negatives"]
    assert found["theorem"]["name"] == "Theorem 7"
    assert (found["relevant"], found["found"]) == (["3", "17"], ["3", "17"])
    assert found["lemmas"] == ["Lemma 3", "Lemma 4", "Lemma 5"]
    assert found["lemma_failures"] == []


def test_the_same_seed_is_the_same_play(run):
    words = ("play", "--n", "50", "--trials", "200", "--trace")
    first, again, other = (run(*words, "--seed", seed).out for seed in (1, 1, 2))

    def trace(out: str) -> str:
        return out.partition("\nWinnow2()")[0]

    assert trace(first) == trace(again) != trace(other)


def test_text_fits_and_says_it_all(run):
    out = run("play", "--n", "60", "--trials", "100", "--check-lemmas").out
    names = [line.split()[0] for line in out.splitlines()[1:] if line[2] != " "]
    assert names == ["target", "trials", "mistakes", "bound", "verdict", "lemmas", "learned", "relevant", "time"]
    assert max(map(len, out.splitlines())) < 80


def test_trace(run):
    result = run("play", "--n", "30", "--trials", "5", "--density", "0.5", "--trace")
    lines = result.out.splitlines()[:5]
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4", "5"]
    assert all(" for " in line and "x" in line for line in lines)
    with_json = run("play", "--n", "30", "--trials", "5", "--density", "0.5", "--trace", "--json")
    assert json.loads(with_json.out)["trials"] == 5
    assert with_json.err.splitlines() == lines


@pytest.mark.parametrize("learner", ["conjunction-elimination", "disjunction-elimination", "perceptron", "winnow2"])
def test_every_learner_plays(run, learner):
    target = "x1 & ~x4" if learner == "conjunction-elimination" else "x1 | x4"
    result = run("play", "--learner", learner, "--target", target, "--n", "8", "--trials", "60", "--density", "0.4")
    assert result.code == 0
    assert "2 of 2 attributes of the target" in result.out


def test_a_class_is_drawn_from(run):
    found = run(
        "play", "--target", "monotone-disjunctions n=40 k=3 exactly", "--n", "40", "--trials", "50", "--json"
    ).json
    assert len(found["relevant"]) == 3


def test_labels_that_fit_no_hypothesis_end_the_play(run):
    words = ("--learner", "disjunction-elimination", "--n", "20", "--noise", "0.5", "--density", "0.5")
    found = run("play", *words, "--json").json
    assert found["verdict"]["kind"] == "inconsistent"
    assert found["trials"] < 5000


def test_plot(run, tmp_path: Path):
    picture = tmp_path / "mistakes.svg"
    assert run("play", "--n", "30", "--trials", "50", "--plot", picture).code == 0
    assert "the start-weights theorem" in picture.read_text()


def test_bad_words(run, tmp_path: Path):
    for words, part in (
        (("--target", "x3 |"), "x3 |"),
        (("--target", "x30", "--n", "20"), "x1 to x20"),
        (("--density", "2"), "density must be > 0 and <= 1"),
        (("--trials", "-1"), "--trials must be >= 0"),
        (("--learner", "winow1"), "did you mean winnow1?"),
        (("--set", "alpha=0.5"), "alpha must be a number > 1"),
        (("--set", "beta=1"), "beta is not a parameter of winnow2"),
        (("--assume", "k"), "--assume must be NAME=VALUE"),
        (("--plot", tmp_path / "x.gif"), ".png or .svg"),
    ):
        result = run("play", *words)
        assert result.code == 2, words
        assert part in result.err
