"""Version space, lines and networks, trees and Bayes: every number is what the library gives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.lab import Engine

DAY = {"sky": ["sunny", "rainy"], "wind": ["strong", "weak"], "water": ["warm", "cool"]}
XOR = [[-1, -1, 0], [1, 1, 0], [-1, 1, 1], [1, -1, 1]]
APART = [[-0.9, -0.3, 0], [-0.2, -0.4, 0], [0.4, 0.7, 1], [0.9, 0.2, 1]]


def asked(engine: Engine, view: str, do: str, **fields: Any) -> dict[str, Any]:
    answer = engine.handle({"view": view, "do": do} | fields)
    assert "error" not in answer, answer
    return answer


def test_a_version_space_is_taught() -> None:
    engine = Engine()
    game = asked(engine, "versions", "start")
    assert game["start"]["size"] == 28
    assert game["questions"] == 5
    learner = mb.learners.CandidateElimination(DAY, labels=(0, 1))
    for *x, label in game["examples"]:
        vote = asked(engine, "versions", "vote", session=game["session"], x=x)
        found = learner.version_space.vote(x)
        assert (vote["positive"], vote["total"]) == (found.positive, found.total)
        step = asked(engine, "versions", "teach", session=game["session"], x=x, label=label)
        learner.learn_one(x, label)
        space = learner.version_space
        assert step["size"] == space.size
        assert (step["S"], step["G"]) == ([str(h) for h in space.S], [str(h) for h in space.G])
        assert step["question"]["x"] == list(space.best_query() or ())
        assert sorted(step["lattice"]["texts"]) == sorted(map(str, space))
    clash = asked(engine, "versions", "teach", session=game["session"], x=game["examples"][0][:-1], label=0)
    assert clash["size"] == 0
    assert "rows 1 and 4 agree with none" in clash["clash"]
    assert (
        "empty"
        in engine.handle({"view": "versions", "do": "teach", "session": game["session"], "x": x, "label": 1})["error"]
    )
    again = asked(engine, "versions", "start", moves=[*game["examples"]])
    assert again["steps"][-1]["size"] == step["size"]


@pytest.mark.parametrize("space", ["day", "dish", "sport"])
def test_the_best_questions_find_the_rule(space: str) -> None:
    engine = Engine()
    game = asked(engine, "versions", "start", space=space)
    target = mb.concepts.AttributeConjunctions(game["attributes"]).parse(
        f"<{', '.join('?' if j else values[0] for j, values in enumerate(game['attributes'].values()))}>"
    )
    now = game["start"]
    while now["question"]:
        x = now["question"]["x"]
        now = asked(engine, "versions", "teach", session=game["session"], x=x, label=target(x))
    assert now["S"] == [str(target)]


def test_the_perceptron_in_the_plane() -> None:
    engine = Engine(seconds=60)
    game = asked(engine, "plane", "start", points=APART)
    examples = [([x, y], label) for x, y, label in APART]
    learner = mb.Perceptron(labels=(0, 1))
    ledger = mb.arena.play_passes(learner, examples, 100)
    assert (game["mistakes"], game["passes"], game["clean"]) == (ledger.mistakes, ledger.passes, True)
    assert game["frames"][-1]["w"] == [learner.weights()["1"], learner.weights()["2"]]
    assert game["frames"][-1]["b"] == learner.bias
    assert len(game["frames"]) == ledger.mistakes <= game["bound"]
    w, b = game["separable"]["line"]["w"], game["separable"]["line"]["b"]
    assert all((w[0] * x + w[1] * y + b > 0) == bool(label) for x, y, label in APART)
    wrong = asked(engine, "plane", "line", session=game["session"], w=[0, 1], theta=0)["wrong"]
    assert wrong == [place for place, (_, y, label) in enumerate(APART) if (y >= 0) != bool(label)]


def test_no_line_solves_xor_and_a_network_does() -> None:
    engine = Engine(seconds=60)
    game = asked(engine, "plane", "start", points=XOR)
    assert game["separable"]["separable"] is False
    assert game["separable"]["point"] == [0, 0]
    assert not game["clean"]
    net = asked(engine, "net", "start", points=XOR, hidden=3, seed=1)
    network = mb.learners.Network([2, 3, 1], eta=0.3, momentum=0.9, start=0.8, random_state=1, classes=(0, 1))
    X, y = [point[:2] for point in XOR], [point[2] for point in XOR]
    for _ in range(4):
        said = asked(engine, "net", "train", session=net["session"], epochs=100)
    for _ in range(400):
        network.learn_many(X, y)
    assert said["epochs"] == 400
    assert said["wrong"] == []
    assert said["outputs"] == network.outputs(X)[:, 0].tolist()
    assert len(said["field"]) == net["grid"] ** 2
    assert "both labels" in engine.handle({"view": "net", "do": "start", "points": [[0, 0, 1]]})["error"]


@pytest.mark.parametrize(("kind", "made"), [("lines", 14), ("rectangles", 10), ("circles", 14)])
def test_shattering_counts_the_dichotomies(kind: str, made: int) -> None:
    square = [[0, 0], [1, 0], [0, 1], [1, 1]]
    found = asked(Engine(seconds=60), "plane", "shatter", points=square, **{"class": kind})
    assert (found["made"], found["shattered"]) == (made, False)
    shattered = asked(
        Engine(), "plane", "shatter", points=square[:3] if kind != "rectangles" else square[:2], **{"class": kind}
    )
    assert shattered["shattered"]
    for one in found["dichotomies"]:
        if one["shape"] and kind == "lines":
            w, theta = one["shape"]["w"], one["shape"]["theta"]
            assert [int(w[0] * x + w[1] * y >= theta) for x, y in square] == one["labels"]


def test_a_tree_is_grown_by_hand() -> None:
    engine = Engine()
    game = asked(engine, "tree", "start")
    gains = {name: mb.learners.information_gain(game["days"], name, "play") for name in game["columns"]}
    assert game["tree"]["gains"] == gains
    assert game["tree"]["best"] == max(gains, key=lambda name: gains[name]) == "outlook"
    greedy = mb.DecisionTree(min_leaf=1).fit(game["days"], "play")
    for move in (["outlook"], ["sunny", "humidity"], ["rain", "wind"]):
        now = asked(engine, "tree", "split", session=game["session"], move=move)
    assert now["done"]
    assert now["greedy"]
    assert now["nodes"] == game["id3"]["nodes"] == greedy.as_json(0)["nodes"]
    assert game["id3"]["text"] == greedy.text()
    taken = asked(engine, "tree", "split", session=game["session"], move=["rain", ""])
    assert not taken["done"]
    for move in (["rain", "outlook"], ["overcast", "wind"], ["cloudy", "wind"], ["sunny", "high", "wind"], [], "wind"):
        assert "error" in engine.handle({"view": "tree", "do": "split", "session": game["session"], "move": move})


def test_pruning_is_the_librarys() -> None:
    from mistakebound.lab.pruning import noisy_rows

    found = asked(Engine(), "tree", "prune", rows=80, seed=4, noise=0.15)
    training, validation = noisy_rows(80, 8, 0.15), noisy_rows(80, 9, 0.15)
    tree = mb.DecisionTree(min_leaf=1, prune="reduced_error").fit(training, "label", validation=(validation, "label"))
    assert found["pruned"]["text"] == tree.text()
    right = np.mean([said == row["label"] for said, row in zip(tree.predict_many(validation), validation, strict=True)])
    assert found["pruned"]["validation"] == right
    full = mb.DecisionTree(min_leaf=1).fit(training, "label")
    assert found["curve"][-1][0] == full.as_json(0)["nodes"] == found["grown"]["nodes"]
    said = full.predict_many(validation)
    assert found["grown"]["validation"] == pytest.approx(
        np.mean([label == row["label"] for label, row in zip(said, validation, strict=True)])
    )


def test_beliefs_are_exact() -> None:
    found = asked(Engine(), "bayes", "believe", evidence="HHT")
    coins = [Fraction(j, 10) for j in range(11)]
    expected = mb.bayes.posterior(coins, [Fraction(1, 11)] * 11, lambda toss, p: p if toss == "H" else 1 - p, "HHT")
    assert found["steps"][-1]["posterior"] == [float(p) for _, p in expected]
    assert found["steps"][0]["posterior"] == found["prior"]
    ill = asked(Engine(), "bayes", "believe", story="test", evidence="+")
    assert round(ill["steps"][-1]["posterior"][0], 4) == 0.2085
    assert ill["hypotheses"][ill["steps"][-1]["map"]] == "well"
    assert "evidence must be made of" in Engine().handle({"view": "bayes", "do": "believe", "evidence": "X"})["error"]


def test_em_never_goes_down() -> None:
    found = asked(Engine(), "bayes", "mixture", k=3, spread=1.3, seed=3)
    climb = [step["log_likelihood"] for step in found["steps"]]
    assert climb == sorted(climb)
    assert len(climb) > 3
    start = [[mean] for mean in found["steps"][0]["means"]]
    learner = mb.learners.GaussianMeans(k=3, variance=found["variance"], max_iter=40, tol=1e-4)
    learner.fit(found["points"], start=start)
    assert [step["means"] for step in found["steps"]] == learner.way[:, :, 0].tolist()
    assert found["steps"][-1]["shares"] == learner.responsibilities.round(4).tolist()
