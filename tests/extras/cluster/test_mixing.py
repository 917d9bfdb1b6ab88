"""Mixing: the states of shards become one as a naive twin says, by names, and the theorem of it holds and is tight."""

from __future__ import annotations

import random
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.cluster.mixing import Shards, mix_shards, step_length
from mistakebound.cluster.state import State, applied, difference
from mistakebound.cluster.training import MixedTraining
from mistakebound.model.plan import Plan, new_learner

Rows = list[tuple[dict[str, float], int]]


def drawn(seed: int, rows: int, names: list[str], *, ones: bool = True) -> Rows:
    draw = random.Random(seed)
    found: Rows = []
    for _ in range(rows):
        active = draw.sample(names, 3)
        x = {name: 1.0 if ones else draw.choice((0.5, 1.0, -2.0)) for name in active}
        found.append((x, int(sum(len(name) * (-1) ** len(name) * v for name, v in x.items()) > 0)))
    return found


NAMES = ["7", "free", "lunch", "3", "now", "12", "x", "yy"]


def start(name: str, **settings: Any) -> Any:
    """A learner that has learned a few rows, with some of the names."""
    learner = mb.learners.find(name)(labels=(0, 1), **settings)
    for x, y in drawn(0, 6, NAMES[:4]):
        learner.learn_one(x, y)
    return learner


def played(known: State, seed: int) -> tuple[Any, int]:
    learner = known.learner()
    wrong = sum(learner.learn_one(x, y) != y for x, y in drawn(seed, 25, NAMES))
    return learner, wrong


def together(known: State, learners: list[tuple[Any, int]], step: int = 1) -> State:
    deltas = [difference(known, State.of(learner)) for learner, _ in learners]
    return mix_shards(Shards(known, deltas, [wrong for _, wrong in learners], step))


@pytest.mark.parametrize("name", ["perceptron", "passive-aggressive"])
def test_weights_are_averaged_by_mistakes(name: str) -> None:
    known = State.of(start(name))
    shards = [played(known, seed) for seed in (1, 2, 3)]
    found, total = together(known, shards).learner(), sum(wrong for _, wrong in shards)
    assert total > 3
    for attribute in NAMES:
        mean = sum(wrong / total * shard.weight(attribute) for shard, wrong in shards)
        assert found.weight(attribute) == pytest.approx(mean, abs=1e-12)
    mean = sum(wrong / total * shard.bias for shard, wrong in shards)
    assert found.bias == pytest.approx(mean, abs=1e-12)


def test_the_average_goes_over_the_trials_of_all_shards() -> None:
    known = State.of(start("averaged-perceptron"))
    before = known.learner()
    shards = [played(known, seed) for seed in (1, 2)]
    found = together(known, shards).learner()
    for name in NAMES:  # sums of the weights over all trials: 6 before, 25 in each shard
        total = 6 * before.weight(name) + sum(31 * shard.weight(name) - 6 * before.weight(name) for shard, _ in shards)
        assert found.weight(name) == pytest.approx(total / 56, abs=1e-12)


def test_arow_by_precision() -> None:
    known = State.of(start("arow"))
    before, shards = known.learner(), [played(known, seed) for seed in (1, 2, 3)]
    shards[1][0].learn_one({"rare": 1.0}, 1)
    shards[1][0].learn_one({"rare": 1.0}, 0)
    seen = shards[2][0]
    sure = {name: 100 * weight for name, weight in seen.weights().items()}
    seen.learn_one(sure | {"rare": 1.0}, 1)  # by a wide margin: it learns nothing of it
    assert seen.variance("rare") == before.variance("rare")
    assert "rare" in seen.weights()
    found = together(known, shards).learner()
    assert found.weight("rare") == pytest.approx(shards[1][0].weight("rare"))
    assert found.weight("rare") != 0
    for name in [*NAMES, "rare"]:
        prior = 1 / before.variance(name)
        heard = [shard for shard, _ in shards if 1 / shard.variance(name) > prior] or [before]
        precisions = [1 / shard.variance(name) for shard in heard]
        mean = sum(p * shard.weight(name) for p, shard in zip(precisions, heard, strict=True)) / sum(precisions)
        assert found.weight(name) == pytest.approx(mean, abs=1e-12)
        assert 1 / found.variance(name) == pytest.approx(sum(precisions) / len(precisions))


def test_balanced_winnow_by_votes() -> None:
    known = State.of(start("balanced-winnow"))
    shards = [played(known, seed) for seed in (1, 2, 3)]
    votes, total = together(known, shards).learner().votes(), sum(wrong for _, wrong in shards)
    for name in NAMES:
        mean = sum(wrong / total * shard.votes().get(name, 0.0) for shard, wrong in shards)
        assert votes.get(name, 0.0) == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("settings", [{"n": 20}, {"n": 20, "alpha": 1.5}, {}, {"alpha": 3.0}, {"alpha": 2.0}])
@pytest.mark.parametrize("name", ["winnow2", "winnow1"])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_winnow_by_steps(length: int, name: str, settings: dict[str, Any]) -> None:
    """Of those that had a weight: the steps of all shards by their length, or by how many took some."""
    known = State.of(start(name, **settings))
    before, shards = known.learner(), [played(known, seed) for seed in (1, 2, 3)]
    shards[1][0].learn_one({"rare": 1.0}, 1)
    found = together(known, shards, length).learner()
    assert sorted(found.weights()) == sorted({name for shard, _ in shards for name in shard.weights()})
    if length == 1:
        assert found.weight("rare") == shards[1][0].weight("rare")
    for attribute in before.weights():
        weights = [shard.weight(attribute) for shard, _ in shards]
        if not all(weights):
            assert found.weight(attribute) == 0.0
            continue
        steps = [round(np.log(w / before.weight(attribute)) / np.log(found.alpha)) for w in weights]
        step = round(sum(steps) / max(length, sum(map(bool, steps))))
        assert found.weight(attribute) == pytest.approx(before.weight(attribute) * found.alpha**step)


@pytest.mark.parametrize("alpha", [1.5, 2.0, 3.0])
def test_new_weights_of_winnow_lie_between_those_of_the_shards(alpha: float) -> None:
    """Shards give an attribute different start weights: it is of weights that the mean is taken, not of steps."""
    wide = {f"w{k}": 1.0 for k in range(20)}
    first, second = (mb.Winnow2(labels=(0, 1), alpha=alpha) for _ in range(2))
    known = State.of(first)
    for _ in range(9):
        first.learn_one(wide, 1)
    for name in ("other", "more", *wide):
        second.learn_one({name: 1.0}, 0)
    for _ in range(30):
        second.learn_one({"w0": 1.0, "w7": 1.0}, 1)
    found = together(known, [(first, 5), (second, 8)]).learner()
    for name in wide:
        low, high = sorted(shard.weight(name) for shard in (first, second))
        assert low / sqrt(alpha) <= found.weight(name) <= high * sqrt(alpha)
    assert found.predict_one({"w1": 1.0}) == 0


@pytest.mark.parametrize("name", ["perceptron", "arow", "winnow2", "averaged-perceptron"])
def test_names_are_merged_in_the_order_of_the_shards(name: str) -> None:
    known = State.of(start(name))
    shards = [played(known, seed) for seed in (4, 5)]
    first, second = (shard.attributes.names() for shard, _ in shards)
    found = together(known, shards)
    assert found.learner().attributes.names() == list(dict.fromkeys([*first, *second]))
    whole = applied(known, [difference(known, found)])
    assert whole.header == found.header
    assert whole.texts == found.texts
    assert all((whole.arrays[name] == found.arrays[name]).all() for name in found.arrays)


@pytest.mark.parametrize("form", ["svm", "vw"])
@pytest.mark.parametrize(
    "name", ["perceptron", "arow", "winnow2", "winnow1", "balanced-winnow", "passive-aggressive", "averaged-perceptron"]
)
def test_one_shard_is_one_machine(name: str, form: str, here: Any, stream: Path, tmp_path: Path) -> None:
    path = stream
    if form == "vw":
        path = tmp_path / "many.vw"
        path.write_text("".join(f"{'abc'[k % 3]} | w{k % 3} v{k * 7 % 31}\n" for k in range(300)))
    reading = {"format": "vw" if form == "vw" else "libsvm"}
    header, arrays = mb.learn(str(path), learner=name, passes=2, **reading).learner.model_parts()
    own, theirs = trained([str(path)], name, here, 1, reading=reading, passes=2).learner.model_parts()
    assert own["state"] == header["state"]
    assert {key: list(values) for key, values in theirs.items()} == {key: list(arrays[key]) for key in arrays}


def trained(
    files: list[str], name: str, here: Any, shards: int, *, labels: Any = None, parameters: Any = None,
    reading: Any = None, **plan: Any,
) -> MixedTraining:  # fmt: skip
    training = MixedTraining(
        Plan(files, lambda: new_learner(name, parameters, labels, None, "arow"), reading or {}, **plan), here, shards
    )
    training.learn()
    training.judge()
    return training


@pytest.mark.parametrize("alpha", [1.5, 2.0])
@pytest.mark.parametrize("name", ["winnow2", "winnow1"])
def test_winnow_keeps_the_pace_of_one_stream(name: str, alpha: float, here: Any, tmp_path: Path) -> None:
    """What no shard promotes as far as the threshold is promoted as often as by one stream; mistakes count once."""
    path = tmp_path / "apart.svm"
    halves = [[*first, *first, 90] for first in (range(1, 41), range(41, 81))]
    path.write_text("".join(f"+1 {k:02}:1\n" for half in halves for k in half))
    given: dict[str, Any] = {"labels": (-1, 1), "parameters": {"alpha": alpha, "n": 200}, "passes": 1}
    one, two = (trained([str(path)], name, here, shards, **given) for shards in (1, 2))
    assert two.learner.weights() == one.learner.weights()
    assert two.ledger.mistakes == one.ledger.mistakes == 162
    assert two.ledger.weighted_mistakes == two.ledger.weighted_trials == 162


def test_steps_are_long_while_weights_rise() -> None:
    """In the first pass and, where another follows, the second one; never longer than there are shards."""
    winnow, steps = mb.Winnow2(), range(1, 6)
    assert [step_length(winnow, 20, number, 5) for number in steps] == [8, 4, 1, 1, 1]
    assert [step_length(winnow, 3, number, 5) for number in steps] == [3, 3, 1, 1, 1]
    assert [step_length(winnow, 8, number, 2) for number in (1, 2)] == [8, 1]
    assert step_length(mb.OneVsAll("winnow1"), 8, 1, 1) == 8
    assert step_length(mb.AROW(), 8, 1, 3) == 1


def test_winnow_goes_on_from_a_model_by_steps_of_its_own(here: Any, stream: Path, tmp_path: Path) -> None:
    """Longer steps would spoil weights that have risen: the error behind another pass is about that of the model."""
    model = tmp_path / "model.mb"
    before = mb.learn(str(stream), learner="winnow2", passes=3, model=model).evaluate(str(stream))
    training = trained([str(stream)], "winnow2", here, 8, start=str(model))
    after = training.model().evaluate(str(stream))
    assert after.mistakes <= 1.2 * before.mistakes


@pytest.mark.parametrize("shards", [1, 3])
def test_one_vs_all_finds_its_labels(shards: int, here: Any, tmp_path: Path) -> None:
    """As where it is taken because there are three labels; costs stay."""
    path = tmp_path / "rows.vw"
    path.write_text("".join(f"{'abc'[k % 3]} | w{k % 3} x{k % 7}\n" for k in range(300)))
    reading = {"format": "vw"}
    named = trained([str(path)], "one-vs-all", here, shards, reading=reading)
    taken = trained([str(path)], "perceptron", here, shards, reading=reading)
    assert named.ledger.mistakes == taken.ledger.mistakes > 0
    for label in "abc":
        assert named.learner.base(label).weight("w1") == taken.learner.base(label).weight("w1")
    model = tmp_path / "model.mb"
    mb.learn(str(path), learner="one-vs-all", model=model)
    path.write_text(path.read_text() + "d | w1\n")
    with pytest.raises(mb.BadData, match=r"rows\.vw:301: label 'd' is not one of those that were declared"):
        trained([str(path)], "one-vs-all", here, shards, reading=reading, start=str(model))
    more = trained([str(path)], "one-vs-all", here, shards, reading=reading, start=str(model), on_error="skip")
    assert more.skipped == 1
    assert more.learner.labels.values == ("a", "b", "c")
    assert more.learner.learn_one({"w1": 1}, "d") != "d", "later, on one machine, there may be others"


@pytest.mark.parametrize("name", ["perceptron", "one-vs-all"])
def test_labels_that_are_numbers_stay_numbers(name: str, here: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"{('+1', '2', '3', '1')[k % 4]} {1 + k % 4}:1\n" for k in range(400)))
    alone = mb.learn(str(path), learner=name)
    model = trained([str(path)], name, here, 1).model()
    assert model.learner.labels.values == alone.learner.labels.values == (1, 2, 3)
    assert model.predict(str(path))[:4] == alone.predict(str(path))[:4] == [1, 2, 3, 1]
    assert model.ledger.mistakes == alone.ledger.mistakes > 0


@pytest.mark.parametrize("name", ["perceptron", "one-vs-all"])
def test_rows_of_one_label(name: str, here: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("5 1:1\n" * 30)
    with pytest.raises(mb.BadData, match="have only the label '5': on a cluster labels must say what there is"):
        trained([str(path)], name, here, 1)


def test_shares_of_attributes_that_are_new_in_a_shard(here: Any, tmp_path: Path) -> None:
    """Each shard has words of its own, in an order of its own: they are counted by name, as on one machine."""
    path = tmp_path / "rows.vw"
    path.write_text("".join(f"{1 - 2 * (k % 2)} | w{k % 2} of{k // 100} x{k * k % 7}\n" for k in range(300)))
    shares = []
    for shards in (1, 3):
        training = trained(
            [str(path)], "perceptron", here, shards, reading={"format": "vw"}, model=tmp_path / "model.mb"
        )
        spread = training.ledger.spread
        assert spread is not None
        shares.append(dict(zip(training.learner.attributes.names(), spread.shares(), strict=True)))
    assert shares[0] == shares[1]
    assert {name: share for name, share in shares[0].items() if name.startswith("of")} == {
        "of0": 1 / 3, "of1": 1 / 3, "of2": 1 / 3
    }  # fmt: skip


def test_progress_is_shown(here: Any, stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the bar of the command itself."""
    from mistakebound.cli.progress import Progress

    seen = list[Progress]()

    def watch(*about: Any, **more: Any) -> Progress:
        seen.append(Progress(*about, **more))
        return seen[-1]

    training = trained([str(stream)], "arow", here, 3, passes=2, watch=watch)
    assert len(seen) == 2
    assert training.ledger.trials == 6000


def test_few_numbers_of_arow_are_added_up() -> None:
    """Those of the sizes of its steps; 0 stands for none yet, and is no smallest one."""
    learner = mb.AROW(labels=(0, 1))
    known = State.of(learner)
    shards = [(known.learner(), 1) for _ in range(3)]
    for (shard, _), x in zip(shards[:2], (2.0, 0.5), strict=True):
        shard.learn_one({"a": x}, 1)
    parts = [State.of(shard).arrays["scalars"] for shard, _ in shards]
    mixed = together(known, shards).arrays["scalars"]
    before = known.arrays["scalars"]
    assert mixed[2] == before[2] + sum(part[2] - before[2] for part in parts)
    assert mixed[3] == before[3] + sum(part[3] - before[3] for part in parts)
    assert len({float(part[2] - before[2]) for part in parts}) > 1
    assert mixed[4] == min(part[4] for part in parts[:2]) > 0
    assert mixed[5] == max(part[5] for part in parts)


def test_rows_that_are_skipped_are_counted_once(here: Any, stream: Path, tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    lines = stream.read_text().splitlines()
    for at in (40, 1500, 2500):
        lines[at] = "+1 bad"
    path.write_text("\n".join(lines) + "\n")
    training = trained([str(path)], "arow", here, 3, passes=2, on_error="skip")
    assert training.skipped == 3
    assert training.ledger.trials == 2 * 2997


def test_what_nothing_is_called_is_said(here: Any, tmp_path: Path) -> None:
    """What one shard alone has is there."""
    path, said = tmp_path / "rows.vw", list[str]()
    path.write_text("".join(f"{(-1) ** k} | a{k % 5} {'late' if k > 90 else 'early'}\n" for k in range(100)))
    reading = {"format": "vw", "ignore": ["late", "nowhere"]}
    training = trained([str(path)], "arow", here, 3, reading=reading, say_labels=said.append)
    assert "ignore: nothing is called 'nowhere'" in said
    assert not any("'late'" in line for line in said)
    assert "late" not in training.learner.attributes


def test_rows_that_were_learned_before(here: Any, stream: Path, tmp_path: Path) -> None:
    said, model = list[str](), tmp_path / "model.mb"
    mb.learn(str(stream), learner="arow", model=model)
    training = trained([str(stream)], "arow", here, 2, start=str(model), say_labels=said.append)
    assert f"{stream} is in the model: this is another pass over it, without a certificate" in said
    assert training.ledger.passes == 2


def test_the_theorem_is_met(here: Any, tmp_path: Path) -> None:
    """S shards that see the same row make S mistakes, as many as S*(R/margin)^2 allows, and never another."""
    path = tmp_path / "same.svm"
    path.write_text("+1 1:1\n" * 20)
    files = [str(path)] * 4
    facts = {"margin": sqrt(2), "radius": sqrt(2)}
    labelled = {"labels": (-1, 1)}
    training = trained(files, "perceptron", here, 4, passes=9, facts=facts, **labelled)
    bound = training.ledger.bound
    assert bound is not None
    assert bound.theorem is not None
    assert bound.theorem.name == "the distributed perceptron theorem"
    assert bound.value == pytest.approx(4)
    assert training.ledger.mistakes == 4
    assert training.passes.converged


@pytest.mark.parametrize("shards", [2, 3, 8])
def test_the_theorem_holds(shards: int, here: Any, tmp_path: Path) -> None:
    draw = random.Random(shards)
    target = [draw.gauss(0, 1) for _ in range(6)]
    size = sqrt(sum(w * w for w in target))
    rows: list[tuple[int, list[float]]] = []
    while len(rows) < 400:
        x = [draw.uniform(-1, 1) for _ in range(5)]
        lead = (sum(w * v for w, v in zip(target, [*x, 1.0], strict=True))) / size
        if abs(lead) >= 0.1:
            rows.append((1 if lead > 0 else -1, x))
    path = tmp_path / "apart.svm"
    path.write_text("".join(f"{y:+d} {' '.join(f'{k + 1}:{v!r}' for k, v in enumerate(x))}\n" for y, x in rows))
    training = trained([str(path)], "perceptron", here, shards, passes=60, facts={"margin": 0.1})
    assert training.passes.converged
    assert training.ledger.verdict.kind == "within"
    assert training.cluster is not None
    assert training.cluster["shards"] == shards


def test_what_is_refused(here: Any, stream: Path) -> None:
    for name, why in (
        ("auto", "auto cannot be learned on a cluster"),
        ("halving", "halving"),
        ("weighted-majority", "weighted-majority"),
    ):
        with pytest.raises(mb.MistakeboundError, match=why):
            trained([str(stream)], name, here, 2)
    with pytest.raises(mb.BadParameter, match="holdout is not supported on a cluster"):
        trained([str(stream)], "arow", here, 2, holdout=4)
    with pytest.raises(mb.BadParameter, match="checkpoint is not supported on a cluster: a model is saved after every"):
        trained([str(stream)], "arow", here, 2, every=(500, None))
    with pytest.raises(mb.BadParameter, match="there is a theorem only for perceptron"):
        trained([str(stream)], "winnow2", here, 2, facts={"k": 3})
