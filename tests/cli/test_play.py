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
    assert names == [
        "target",
        "trials",
        "mistakes",
        "error",
        "bound",
        "verdict",
        "lemmas",
        "learned",
        "relevant",
        "time",
    ]
    assert max(map(len, out.splitlines())) < 80


def test_a_bound_that_says_nothing(run):
    """More mistakes than trials are no news."""
    words = ("play", "--learner", "winnow1", "--set", "n=1000", "--target", "x3 | x17", "--n", "1000", "--trials")
    few, many = (" ".join(run(*words, trials).out.split()) for trials in ("20", "200"))
    assert "bound 44 by Littlestone 1988, Theorem 7, vacuous after 20 trials: mistakes <=" in few
    assert "n = 1000 attributes, vacuous after 20 trials" in few
    assert "bound 44 by Littlestone 1988, Theorem 7: mistakes <=" in many
    assert "vacuous" not in many
    assert run(*words, "20", "--json").json["vacuous"]


def test_trace(run):
    result = run("play", "--n", "30", "--trials", "5", "--density", "0.5", "--trace")
    lines = result.out.splitlines()[:5]
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4", "5"]
    assert all(" for " in line and "x" in line for line in lines)
    with_json = run("play", "--n", "30", "--trials", "5", "--density", "0.5", "--trace", "--json")
    assert json.loads(with_json.out)["trials"] == 5
    assert with_json.err.splitlines() == lines


@pytest.mark.parametrize("ending", ["txt", "json", "html", "tex"])
@pytest.mark.parametrize(
    "words", [("--n", "20", "--density", "0.5"), ("--teacher", "adversary", "--class", "monotone-disjunctions n=8 k=1")]
)
def test_trace_to_a_file(run, tmp_path, ending, words):
    path = tmp_path / f"game.{ending}"
    for _ in range(2):  # it replaces its own kind
        assert run("play", "--learner", "winnow1", *words, "--trials", "6", "--trace-to", path).code == 0
    text = path.read_text()
    assert ("Lemma $3$" if ending == "tex" else "Lemma 3") in text
    if ending == "json":
        assert [trial["number"] for trial in json.loads(text)] == list(range(1, len(json.loads(text)) + 1))
    other = tmp_path / f"letter.{ending}"
    other.write_text("Dear reader")
    refused = run("play", *words, "--trials", "6", "--trace-to", other)
    assert (refused.code, other.read_text()) == (2, "Dear reader")
    assert "it is not a trace of a game" in refused.err


def test_trace_to_a_file_of_no_form(run, tmp_path):
    result = run("play", "--trace-to", tmp_path / "game.pdf")
    assert result.code == 2
    assert "--trace-to must end in .txt, .json, .html or .tex" in result.err


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


@pytest.mark.parametrize("learner", ["halving", "standard-optimal"])
def test_a_learner_that_needs_a_class_gets_the_target_s(run, learner):
    words = ("--target", "monotone-disjunctions n=6 k=1", "--n", "6", "--trials", "40", "--density", "0.4")
    found = run("play", "--learner", learner, *words, "--check-lemmas", "--json").json
    assert found["parameters"]["concepts"] == "monotone-disjunctions n=6 k=1"
    assert found["verdict"]["kind"] == "within"
    assert found["mistakes"] <= found["bound"] == 2
    assert len(found["lemmas"]) == 1


def test_a_decision_list_is_played_with_its_bound(run):
    words = (
        "--learner",
        "decision-list-learner",
        "--target",
        "if x1 then 0 else if x2 then 1 else if x3 then 0 else 1",
    )
    found = run("play", *words, "--n", "4", "--trials", "60", "--density", "0.4", "--json").json
    assert found["bound"] == (4 * 4 + 2) * (4 + 1)
    assert found["mistakes"] <= found["bound"]


@pytest.mark.parametrize(
    ("words", "forces"),
    [
        (("adversary", "--class", "conjunctions n=5"), 5),
        (("adversary", "--class", "conjunctions n=5", "--learner", "conjunction-elimination"), 5),
        (("adversary", "--class", "monotone-disjunctions n=64 k=2", "--learner", "winnow1", "--set", "n=64"), 10),
        (("mistake-tree", "--class", "thresholds m=15", "--learner", "halving"), 4),
        (("mistake-tree", "--class", "finite rows=001,011,111,000", "--learner", "standard-optimal"), 2),
        (("adversary", "--class", "decision-lists n=2", "--learner", "decision-list-learner"), 3),
    ],
)
def test_an_adversary_shows_the_game(run, words, forces):
    found = run("play", "--teacher", *words, "--json").json
    assert found["forces"] == found["mistakes"] == found["trials"] == len(found["game"]) == forces
    assert found["word_kept"] is True
    assert [trial["trial"] for trial in found["game"]] == list(range(1, forces + 1))
    assert all(trial["prediction"] != trial["label"] for trial in found["game"])
    out = run("play", "--teacher", *words).out
    lines = out.splitlines()
    assert lines[1].split() == ["trial", "instance", "predicted", "label", "mistakes"]
    assert [line.split()[0] for line in lines[2 : 2 + forces]] == [str(j) for j in range(1, forces + 1)]
    assert f"forces {forces} on every deterministic learner" in " ".join(out.split())
    assert "which agrees with everything said" in " ".join(out.split())
    assert max(map(len, lines)) < 80


def test_an_adversary_can_be_stopped(run):
    found = run("play", "--teacher", "adversary", "--class", "conjunctions n=9", "--trials", "3", "--json").json
    assert (found["trials"], found["mistakes"], found["forces"]) == (3, 3, 9)


def test_plot(run, tmp_path: Path):
    picture = tmp_path / "mistakes.svg"
    assert run("play", "--n", "30", "--trials", "50", "--plot", picture).code == 0
    drawn = picture.read_text()
    assert "the start-weights theorem" in drawn
    assert "vacuous after 50 trials" in drawn


def test_plot_of_a_game_with_an_adversary(run, tmp_path: Path):
    picture = tmp_path / "mistakes.svg"
    words = ("play", "--teacher", "adversary", "--class", "conjunctions n=5", "--plot", picture)
    assert f"picture     {picture}"[:20] in run(*words).out
    assert "against an adversary" in picture.read_text()
    assert run(*words, "--json").json["plot"] == str(picture)


def test_bad_words(run, tmp_path: Path):
    for words, part in (
        (("--target", "x3 |"), "x3 |"),
        (("--target", "x30", "--n", "20"), "x1 to x20"),
        (("--density", "2"), "density must be > 0 and <= 1"),
        (("--trials", "-1"), "--trials must be >= 0"),
        (("--learner", "winow1"), "did you mean winnow1?"),
        (("--set", "alpha=0.5"), "alpha must be a number > 1"),
        (("--set", "beta=1"), "winnow2 has no parameter beta"),
        (("--assume", "k"), "--assume must be NAME=VALUE"),
        (("--plot", tmp_path / "x.gif"), ".png or .svg"),
        (("--teacher", "adversary"), "--teacher adversary needs --class"),
        (("--teacher", "adversary", "--class", "cats n=3"), "there is no concept class"),
        (("--teacher", "adversary", "--class", "conjunctions n=3", "--noise", "0.1"), "does not support --noise"),
        (("--teacher", "mistake-tree", "--class", "conjunctions n=3", "--target", "x1"), "does not support --target"),
        (("--learner", "halving"), "concepts must be a class of concepts"),
    ):
        result = run("play", *words)
        assert result.code == 2, words
        assert part in result.err


def test_fractions(run):
    """Numbers are written as in the lab: 1/10 is 0.1, in options, parameters and facts."""
    words = ("--learner", "winnow2", "--n", "50", "--trials", "200", "--target", "2 of x1, x2, x3", "--json")
    one = run("play", *words, "--density", "1/4", "--noise", "0/1", "--set", "alpha=5/4", "--assume", "delta=1/2").json
    two = run("play", *words, "--density", "0.25", "--noise", "0", "--set", "alpha=1.25", "--assume", "delta=0.5").json
    assert one | {"seconds": 0} == two | {"seconds": 0}
    assert one["parameters"]["alpha"] == 1.25
    result = run("play", *words, "--density", "1/0")
    assert (result.code, "1/0" in result.err) == (2, True)
