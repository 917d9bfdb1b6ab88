"""The learner of fourteen members: against its twin, against the learners alone, and by its theorem."""

from __future__ import annotations

import copy
from array import array
from math import log, log1p
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.kernels import _auto_fields as fields
from mistakebound.kernels import auto_mixture as kernel
from mistakebound.kernels._coins import weight_of
from mistakebound.learners.auto.auto import regret
from naive.auto import BIAS, Features, Number, sigmoid
from naive.auto import Auto as Twin

Rows = list[tuple[dict[str, float], int]]


def mixed_rows(count: int, seed: int = 3) -> Rows:
    """Flags, a number in every row, a sparse number, a number that begins as 0 and 1; a label that changes its rule."""
    draw = Random(seed)
    rows = []
    for trial in range(count):
        on = {f"flag{k}": 1.0 for k in range(5) if draw.random() < 0.5}
        number = round(draw.gauss(0, 2), 2)
        x = {**on, "number": number, "late": float(draw.random() < 0.5) if trial < 20 else draw.choice([0.0, 1.0, 3.5])}
        if draw.random() < 0.2:
            x["sparse"] = draw.choice([2.0, 5.0])
        truth = number > 0 if trial < count // 2 else ("flag0" in on) != ("flag1" in on)
        rows.append((x, int(truth != (draw.random() < 0.1))))
    return rows


def engine_scores(learner: Any) -> list[float]:
    return list(learner._lane.scores)


def saved(learner: Any) -> dict[str, array[Any]]:
    return {name: array(memoryview(values).format, values) for name, values in learner._arrays().items()}


def restored(learner: Any, arrays: dict[str, array[Any]]) -> Any:
    """A learner with the attributes of this one, and with these arrays."""
    other = mb.Auto(labels=(0, 1))
    for name in learner.attributes.names():
        other.attributes.add(name)
    other._restore_state({name: values[:] for name, values in arrays.items()}, {})
    return other


def _keys(features: Features, row: Any) -> dict[str, float]:
    """Ids that ascend as the features of the row stand, pairs and triples behind; the constant is left to the bias."""
    order = list(features.numbers)
    places: dict[Any, int] = {}
    found = {}
    for feature, value in row:
        if feature == BIAS:
            continue
        if len(feature) == 3 and isinstance(feature[0], tuple):
            high, middle, low = (features.ranks[part] for part in feature)
            place = (1 << 50) + (high << 20) + (middle << 10) + low
        elif isinstance(feature[0], tuple):
            high, low = (places[part] for part in feature)
            place = (1 << 40) + high * (1 << 20) + low
        else:
            place = 32 * order.index(feature[0]) + (0 if len(feature) == 1 else feature[1] - 7 + feature[2])
            places[feature] = place
        found[str(place)] = value
    return found


@pytest.mark.some(1)
@pytest.mark.parametrize("weighted", [False, True])
def test_lanes_are_the_learners_alone_bit_for_bit(weighted: bool) -> None:
    draw = Random(5)
    learner, twin = mb.Auto(labels=(0, 1)), Twin()
    alone: dict[int, tuple[Any, str]] = {
        fields.AROW_ONE: (mb.AROW(r=1.0, labels=(0, 1)), "plain"),
        fields.PA_ONE: (mb.PassiveAggressive("I", C=1.0, labels=(0, 1)), "plain"),
        fields.COIN: (mb.learners.CoinBetting(labels=(0, 1)), "plain"),
        fields.UNIT: (mb.AROW(r=0.1, labels=(0, 1)), "unit"),
        fields.AROW_TRIPLES: (mb.AROW(r=0.1, labels=(0, 1)), "triples"),
        fields.COIN_PAIRS: (mb.learners.CoinBetting(labels=(0, 1)), "pairs"),
        fields.COIN_TRIPLES: (mb.learners.CoinBetting(labels=(0, 1)), "triples"),
    }
    for name in ("flag0", "flag1", "flag2", "flag3", "flag4", "late", "number", "sparse"):
        twin.features.numbers[name] = Number()
    rows = [({name: 0.0 for name in twin.features.numbers if not name.startswith("flag")}, 0), *mixed_rows(300)]
    flags = {f"flag{k}": 1.0 for k in range(5)}
    rows[0] = ({**flags, **rows[0][0]}, 0)
    for trial, (x, label) in enumerate(rows):
        singles, uses, pairs = twin.features.of(x)
        weight = draw.choice([0.3, 1.0, 2.0, 7.5]) if weighted else 1.0
        learner.learn_one(x, label, weight=weight)
        found = engine_scores(learner)
        for member, (one, use) in alone.items():
            given = _keys(twin.features, twin.row(use, singles, uses, pairs))
            assert one.score_one(given).hex() == found[member].hex(), (trial, member)
            one.learn_one(given, label, weight=weight)
        twin.features.note(x)


def test_full_covariance_is_the_learner_alone() -> None:
    draw = Random(4)
    learner = mb.Auto(labels=(0, 1))
    alone = [
        mb.AROW(r=r, covariance="full", labels=(0, 1)) for r in (0.1, 1.0, 10.0)
    ]  # without numbers there are no products
    for _ in range(200):
        x = {f"f{k}": 1.0 for k in range(12) if draw.random() < 0.4}
        label = int(("f1" in x) != ("f2" in x)) if draw.random() < 0.9 else draw.randrange(2)
        weight = draw.choice([0.5, 1.0, 3.0])
        learner.learn_one(x, label, weight=weight)
        expected = [one.score_one(x) for one in alone]
        assert engine_scores(learner)[fields.FULL_PRODUCTS :] == pytest.approx(expected, rel=1e-9, abs=1e-9)
        for one in alone:
            one.learn_one(x, label, weight=weight)


@pytest.mark.parametrize("weights", [(1.0,), (0.5, 1.0, 4.0)])
def test_the_regret_and_the_mistakes_are_within_the_theorem(weights: tuple[float, ...]) -> None:
    """Of every member by itself, of all alike, and of the best of many drawn mixtures."""
    draw = np.random.default_rng(1)
    for seed in range(3):
        learner = mb.Auto(labels=(0, 1))
        logits, labels, loss, mistakes, by_weight, counted = [], [], 0.0, 0, 0.0, []
        for x, label in mixed_rows(400, seed):
            weight = float(draw.choice(weights))
            said = learner.score_one(x)
            logits.append([*learner._lane.logits, 0.0])
            labels.append(label)
            counted.append(weight)
            loss += weight * log1p(np.exp(-said if label else said))
            wrong = learner.learn_one(x, label, weight=weight) != label
            mistakes += wrong
            by_weight += weight * wrong
        signs = np.where(np.array(labels) == 1, 1.0, -1.0)
        mixtures = np.vstack([np.eye(15), np.full((1, 15), 1 / 15), draw.dirichlet(np.ones(15) / 4, 300)])
        each = np.log1p(np.exp(-signs[:, None] * kernel.REACH * np.array(logits) @ mixtures.T))
        losses = (np.array(counted)[:, None] * each).sum(axis=0)
        facts = learner.facts()
        assert facts["_most"] == max(weights)
        assert by_weight <= loss / log(2)
        assert loss <= losses.min() + regret(facts["trials"], facts["v"], facts["_most"])
        bound = learner.bound(loss=float(losses.min()))
        assert bound.value is not None
        assert mistakes <= bound.value
        assert bound.theorem.name == "the mixture theorem"


def test_costs_are_weights() -> None:
    priced, weighed = mb.Auto(labels=(0, 1), costs={1: 5}), mb.Auto(labels=(0, 1))
    for x, label in mixed_rows(120):
        assert priced.learn_one(x, label) == weighed.learn_one(x, label, weight=5.0 if label else 1.0)
    assert priced._form() == weighed._form()
    x = {"number": 0.1}
    plain = mb.Auto(labels=(0, 1))
    for row, label in mixed_rows(120):
        plain.learn_one(row, label)
    assert priced.predict_proba_one(x)[1] > plain.predict_proba_one(x)[1]


def test_extreme_weights_leave_finite_numbers() -> None:
    learner = mb.Auto(labels=(0, 1))
    for trial, (x, label) in enumerate(mixed_rows(80)):
        learner.learn_one(x, label, weight=(1e300, 1e-300, 5e-324, 1.0)[trial % 4])
    assert sum(learner.shares().values()) <= 1.0 + 1e-9
    assert restored(learner, saved(learner))._form() == learner._form()
    assert learner.facts()["_most"] == kernel.HEAVIEST


def test_a_mistake_costs_a_bit() -> None:
    assert sigmoid(0.0) == 0.5  # a prediction is wrong where the label had at most 1/2
    assert mb.Auto().bound(loss=0).value == pytest.approx(regret(0, 0.0) / log(2))


@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_save_and_resume(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "rows.csv"
    lines = [
        ",".join([*(str(int(f"flag{k}" in x)) for k in range(5)), str(x["number"]), str(x["late"]), str(label)])
        for x, label in mixed_rows(500)
    ]
    head = "f0,f1,f2,f3,f4,number,late,y\n"
    path.write_text(head + "\n".join(lines) + "\n")
    whole = mb.learn(str(path), "y", learner="auto", threads=threads)
    whole.save(tmp_path / "whole.mb")
    half, rest = tmp_path / "half.csv", tmp_path / "rest.csv"
    half.write_text(head + "\n".join(lines[:203]) + "\n")
    rest.write_text(head + "\n".join(lines[203:]) + "\n")
    mb.learn(str(half), "y", learner="auto").save(tmp_path / "half.mb")
    resumed = mb.learn(str(rest), start=tmp_path / "half.mb")
    assert resumed.learner._form() == whole.learner._form()
    assert mb.load(tmp_path / "whole.mb").learner._form() == whole.learner._form()
    assert copy.copy(whole.learner)._form() == whole.learner._form()
    row = dict(zip(head.strip().split(","), lines[0].split(","), strict=True))
    assert whole.predict_proba_one(row)[whole.labels[1]] == pytest.approx(sigmoid(whole.score_one(row)))


def test_wide_rows_switch_pairs_and_full_covariance_off() -> None:
    learner = mb.Auto(labels=(0, 1))
    assert learner.remarks == []
    for start in range(0, 1400, 20):
        learner.learn_one({f"w{start + k}" for k in range(20)}, start % 40 // 20)
    assert learner.remarks == [
        "more than 600 features: no full covariance", "more than 1000 nominal features: no pairs",
    ]  # fmt: skip
    assert learner.shares()["arow(r=1), plain full"] == learner.shares()["coin-betting, pairs"] == 0
    assert learner.shares()["coin-betting, triples"] == 0
    assert learner.shares()["arow(r=0.1), triples"] > 0  # which no other member is
    before = learner._counts[fields.PAIRS]
    learner.learn_one({f"v{k}" for k in range(60)}, 1)
    assert learner._counts[fields.PAIRS] == before
    assert sum(learner.shares().values()) <= 1


def test_without_a_pair_members_that_are_others_twice_sleep() -> None:
    learner = mb.Auto(labels=(0, 1))
    for trial in range(256):
        assert "no rows for them: no pairs" not in learner.remarks
        learner.learn_one({f"w{k}" for k in range(trial % 7, 60)}, trial % 2)
    assert learner.remarks == ["no rows for them: no pairs"]
    assert learner.shares()["coin-betting, pairs"] == 0 < learner.shares()["coin-betting, plain"]


def long_rows(count: int) -> tuple[Any, list[int]]:
    """Two of the flags decide together: who does not look at pairs has nothing to say."""
    draw = np.random.default_rng(8)
    X = (draw.random((count, 14)) < 0.3).astype(float)
    noise = draw.random(count) < 0.15
    return X, [int(v) for v in ((X[:, 0] != X[:, 1]) != noise)]


def test_losers_of_a_race_sleep() -> None:
    """Of those with pairs or a full covariance, who have added less than 2 % of what all added to the logits."""
    X, y = long_rows(fields.RACE + 400)
    names = [str(k) for k in range(14)]
    learner, added = mb.Auto(labels=(0, 1)), np.zeros(14)
    for x, label in zip(X[: fields.RACE], y, strict=False):
        shares = np.array([*learner.shares().values()])
        learner.learn_one(dict(zip(names, x, strict=True)), label)
        added += shares * np.abs(learner._lane.logits)
    losers = {
        name
        for name, part in zip(learner.shares(), added / added.sum(), strict=True)
        if part < 0.02 and name.endswith(("pairs", "triples", "full"))
    }
    assert 0 < len(losers) < 7
    assert {name for name, share in learner.shares().items() if share == 0} == losers
    assert sum(learner._held("mixture")[:15]) == pytest.approx(1)
    assert learner.remarks == [f"{len(losers)} of 14 members sleep, those that lost a race among them"]
    again = copy.copy(learner)
    for x, label in zip(X[fields.RACE :], y[fields.RACE :], strict=True):
        learner.learn_one(dict(zip(names, x, strict=True)), label)
    again.learn_many(X[fields.RACE :], y[fields.RACE :], names=names)
    assert again._form() == learner._form()
    assert {name for name, share in learner.shares().items() if share == 0} == losers


def test_the_theorem_holds_for_those_who_never_sleep() -> None:
    X, y = long_rows(fields.RACE + 400)
    learner, logits, loss = mb.Auto(labels=(0, 1)), [], 0.0
    names = [str(k) for k in range(14)]
    for x, label in zip(X, y, strict=True):
        row = learner.encode(dict(zip(names, x, strict=True)))
        said = learner.score_one(row)
        logits.append([*learner._lane.logits, 0.0])
        loss += log1p(np.exp(-said if label else said))
        learner.learn_one(row, label)
    awake = [place for place, share in enumerate(learner.shares().values()) if share > 0] + [14]
    assert len(awake) < 15
    signs = np.where(np.array(y) == 1, 1.0, -1.0)
    each = np.log1p(np.exp(-signs[:, None] * kernel.REACH * np.array(logits)[:, awake])).sum(axis=0)
    facts = learner.facts()
    assert loss <= each.min() + regret(facts["trials"], facts["v"], facts["_most"])


def test_only_so_many_numbers_have_bins() -> None:
    """And a wide row needs no room for bins that it cannot have."""
    learner = mb.Auto(labels=(0, 1))
    X = np.random.default_rng(1).normal(size=(12, fields.BINNED + 10))
    learner.learn_many(X, [0, 1] * 6)
    assert learner._counts[fields.SAMPLES] == fields.BINNED
    assert "more than 4096 numbers: no bins for the others" in learner.remarks
    wide = mb.Auto(labels=(0, 1))
    wide.learn_one({str(k): 1.0 for k in range(60_000)}, 1)
    assert len(wide._held("singles")) < 3 * (60_000 + 24 * fields.BINNED) * fields.SINGLE


def test_a_row_with_many_nominal_features_has_no_pairs() -> None:
    learner = mb.Auto(labels=(0, 1))
    learner.learn_one({f"w{k}" for k in range(49)}, 1)
    assert learner._counts[fields.PAIRS] == 0
    learner.learn_one({f"w{k}" for k in range(48)}, 1)
    assert learner._counts[fields.PAIRS] == 48 * 47 // 2


def test_rows_and_streams_with_few_nominal_features_have_triples() -> None:
    learner = mb.Auto(labels=(0, 1))
    learner.learn_one({f"w{k}" for k in range(13)}, 1)
    assert learner._counts[fields.TRIPLES] == 0
    learner.learn_one({f"w{k}" for k in range(30, 70)}, 1)  # the table of triples must have room for these
    assert np.isfinite(learner.score_one({f"w{k}" for k in range(60, 70)}))
    learner.learn_one({f"w{k}" for k in range(12)}, 1)
    assert learner._counts[fields.TRIPLES] == 12 * 11 * 10 // 6
    learner.learn_one({f"w{k}" for k in range(12)}, 0)
    assert learner._counts[fields.TRIPLES] == 12 * 11 * 10 // 6
    for start in range(100, 160, 20):
        learner.learn_one({f"v{k}" for k in range(start, start + 40)}, 1)
    assert learner._counts[fields.NOMINALS] > fields.FEW
    before = learner._counts[fields.TRIPLES]
    learner.learn_one({"w1", "w2", "w3"}, 1)
    learner.learn_one({"w1", "w2", "w30"}, 1)
    assert learner._counts[fields.TRIPLES] == before
    assert learner.remarks == ["more than 128 nominal features: no triples"]
    assert learner.shares()["coin-betting, triples"] == 0 < learner.shares()["coin-betting, pairs"]
    assert copy.copy(learner)._form() == learner._form()
    assert len(learner.top(500)) <= 500


def test_three_flags_together_need_triples() -> None:
    draw = np.random.default_rng(2)
    X = (draw.random((1500, 8)) < 0.5).astype(float)
    y = [int(v) for v in X[:, 0] != (X[:, 1] != X[:, 2])]
    learner = mb.Auto(labels=(0, 1))
    said = [
        learner.learn_one({f"f{k}={int(v)}" for k, v in enumerate(x)}, label) for x, label in zip(X, y, strict=True)
    ]
    assert np.mean(np.array(said[500:]) != y[500:]) < 0.05
    names = [name for name, _ in learner.top(40)]
    assert any(name.count("&") == 2 and all(f"f{k}" in name for k in range(3)) for name in names)


def test_spread_needs_products() -> None:
    """Classes that differ in spread alone."""
    draw = np.random.default_rng(3)
    y = draw.integers(0, 2, 1500)
    X = draw.normal(size=(1500, 4)) * np.where(y == 1, 2.0, 0.7)[:, None]
    learner = mb.Auto(labels=(0, 1))
    said = learner.learn_many(X, y, names=["a", "b", "c", "d"])
    bayes = draw.normal(size=(20000, 4)) * np.repeat([0.7, 2.0], 10000)[:, None]
    ratio = -np.log(2.0 / 0.7) * 4 + (bayes**2).sum(axis=1) * (1 / 0.7**2 - 1 / 4) / 2
    best = np.mean((ratio > 0) != np.repeat([False, True], 10000))
    assert np.mean(np.array(said[500:]) != y[500:]) < best + 0.04
    assert any("*" in name for name, _ in learner.top(60))
    parts, rest = learner.contributions({"a": 3.0, "b": -3.0, "c": 0.1, "d": 0.2})
    assert any("*" in name for name, *_ in parts)
    assert sum(amount for *_, amount in parts) + rest == pytest.approx(
        learner.score_one({"a": 3.0, "b": -3.0, "c": 0.1, "d": 0.2})
    )


def test_a_row_of_many_numbers_has_no_products() -> None:
    learner = mb.Auto(labels=(0, 1))
    X = np.random.default_rng(1).normal(size=(6, fields.NUMBERS + 1))
    learner.learn_many(X, [0, 1] * 3)
    assert learner._counts[fields.PLACES] == 1 + fields.NUMBERS + 1
    learner = mb.Auto(labels=(0, 1))
    learner.learn_many(X[:, 1:], [0, 1] * 3)
    assert learner._counts[fields.PLACES] == 1 + fields.NUMBERS + fields.PRODUCTS


@pytest.mark.parametrize("numbers", [1, 3, fields.NUMBERS, fields.WAVED, fields.WAVED + 1])
def test_waves_take_what_room_there_is(numbers: int) -> None:
    """From the seventeenth row on, behind the products; a stream of more than 64 numbers has none."""
    learner = mb.Auto(labels=(0, 1))
    X = np.random.default_rng(1).normal(size=(fields.CALM + 20, numbers))
    learner.learn_many(X[: fields.CALM], [0, 1] * (fields.CALM // 2))
    assert learner._counts[fields.WAVING] == 0
    before = learner._counts[fields.PLACES]
    learner.learn_many(X[fields.CALM :], [0, 1] * 10)
    waves = min(fields.WAVES, fields.FULL - before) if numbers <= fields.WAVED else 0
    assert (learner._counts[fields.WAVING], learner._counts[fields.PLACES]) == (waves, before + waves)
    parts, rest = learner.contributions({str(k): 2.0 for k in range(1, numbers + 1)})
    assert any(name == "all numbers together" for name, *_ in parts) == (waves > 0)
    assert sum(amount for *_, amount in parts) + rest == pytest.approx(
        learner.score_one({str(k): 2.0 for k in range(1, numbers + 1)})
    )


def test_a_bent_border_needs_waves() -> None:
    """Without them 5 % of the last rows are mistakes."""
    X = np.random.default_rng(5).normal(size=(2500, 2))
    y = (X[:, 1] > np.sin(1.5 * X[:, 0])).astype(int)
    learner = mb.Auto(labels=(0, 1))
    said = learner.learn_many(X, y, names=["a", "b"])
    assert np.mean(np.array(said[1000:]) != y[1000:]) < 0.035
    assert max(learner.shares(), key=learner.shares().__getitem__) == "arow, products and waves full"


@pytest.mark.parametrize("known", [0, 1, 3])
def test_what_is_said_of_a_new_row_is_what_is_said_when_it_is_learned(known: int) -> None:
    """Attributes that nobody has seen count in the length of a row, too."""
    learner = mb.Auto(labels=(0, 1))
    for x, label in mixed_rows(60):
        learner.learn_one(x, label)
    row = {"number": 0.7, "flag1": 1.0, "sparse": 5.0}
    row = dict([*row.items()][:known]) | {"zz": 0.3, "new": 0.1, "other": 7.7, "one": 1.0}
    learner.score_one(row)
    said = engine_scores(learner)
    learner.learn_one(row, 1)
    assert engine_scores(learner)[fields.UNIT].hex() == said[fields.UNIT].hex()


def test_what_is_said_of_a_row_that_ends_the_triples_is_what_is_said_when_it_is_learned() -> None:
    draw, learner = Random(3), mb.Auto(labels=(0, 1))
    for _ in range(300):
        on = draw.sample(range(12), 5)
        learner.learn_one({f"w{k}" for k in on}, int((0 in on) != (1 in on) != (2 in on)))
    while learner._counts[fields.NOMINALS] < fields.FEW - 4:
        learner.learn_one({f"x{learner._counts[fields.NOMINALS]}", "w1"}, 0)
    row = {*(f"w{k}" for k in range(4)), *(f"new{k}" for k in range(6))}
    learner.score_one(row)
    said = engine_scores(learner)
    learner.learn_one(row, 1)
    assert learner._counts[fields.NOMINALS] > fields.FEW
    assert engine_scores(learner) == said


def test_logits_are_cut_off_and_shares_are_kept_further_and_further_apart() -> None:
    learner, trial, moments = mb.Auto(labels=(0, 1)), 1, []
    learner.learn_many(np.array([[1.0, 0.0], [0.0, 1.0]] * 2000), [0, 1] * 2000, names=["a", "b"])
    learner.score_one({"a"})
    assert min(learner._lane.logits) == -6.2  # as docs/theorems.md says
    while trial <= 4000:
        moments.append(trial)
        trial += 1 + trial // 8
    assert [moment for moment, _ in learner.shares_over_time()] == moments


def test_races_end_when_trials_have_doubled_and_begin_anew() -> None:
    X, y = long_rows(2 * fields.RACE)
    learner, race = mb.Auto(labels=(0, 1)), slice(fields.M_RACE, fields.M_RACE + fields.MEMBERS)
    names = [str(k) for k in range(14)]
    learner.learn_many(X[: fields.RACE], y[: fields.RACE], names=names)
    assert not any(learner._held("mixture")[race])
    shares = [*learner.shares().values()]
    learner.learn_many(X[fields.RACE : fields.RACE + 1], y[fields.RACE : fields.RACE + 1], names=names)
    added = [share * abs(logit) for share, logit in zip(shares, learner._lane.logits, strict=True)]
    assert list(learner._held("mixture")[race]) == pytest.approx(added)
    learner.learn_many(X[fields.RACE + 1 : -1], y[fields.RACE + 1 : -1], names=names)
    assert sum(learner._held("mixture")[race]) > 100
    learner.learn_many(X[-1:], y[-1:], names=names)
    assert not any(learner._held("mixture")[race])


def test_weights_that_hide_what_cells_have_beforehand() -> None:
    """A row of 2^20 times the weight counts for as many; what stood in the cell before it may be lost in the sum."""
    learner = mb.Auto(labels=(0, 1))
    arrays = saved(learner)
    arrays["tables"][1] = 2.0**60
    changed = restored(learner, arrays)
    for trial in range(12):
        changed.learn_one({"a": 1.0}, trial % 2, weight=1e6)
    assert all(map(np.isfinite, changed._lane.logits))


def test_huge_and_constant_numbers() -> None:
    learner = mb.Auto(labels=(0, 1))
    for trial in range(40):
        learner.learn_one({"huge": 1e300 * (1 if trial % 2 else -1), "same": 7.0, "tiny": 1e-300 * trial}, trial % 2)
    assert all(map(np.isfinite, learner._form()[2:] and learner.shares().values()))
    assert np.isfinite(learner.score_one({"huge": 1e308, "same": 7.0}))


def test_explains_by_shares() -> None:
    learner = mb.Auto(labels=("no", "yes"))
    for x, label in mixed_rows(200):
        learner.learn_one(x, ("no", "yes")[label])
    x = {"flag0": 1.0, "number": 3.0}
    parts, rest = learner.contributions(x)
    assert sum(amount for *_, amount in parts) + rest == pytest.approx(learner.score_one(x))
    names = [name for name, *_ in parts]
    assert "number" in names
    assert any(" <= number" in name or "number >=" in name or "number <" in name for name in names)
    assert len(learner.top(5)) == 5
    moments = learner.shares_over_time()
    assert moments[0][0] == 1
    assert moments[-1][0] <= 200
    assert "total" in str(mb.inspection.explain_one(learner, x))


@pytest.mark.parametrize("changed", [(60.0, None), (None, 1e40)])
def test_coins_that_no_trials_can_have_made_are_refused(changed: tuple[float | None, float | None]) -> None:
    """With the weight that they make: gradients beyond the sum of their sizes, and a sum that no stream is long for."""
    learner = mb.Auto(labels=(0, 1))
    for x, label in mixed_rows(60):
        learner.learn_one(x, label)
    for name, first in (
        ("singles", fields.W_COIN), ("singles", fields.W_COIN_PAIRS), ("singles", fields.W_COIN_TRIPLES),
        ("pairs", fields.P_COIN_PAIRS), ("pairs", fields.P_COIN_TRIPLES), ("triples", fields.T_COIN),
    ):  # fmt: skip
        arrays = saved(learner)
        kept = arrays[name]
        for place, value in enumerate(changed):
            kept[first + place] = kept[first + place] if value is None else value
        kept[first + fields.COIN_WEIGHT] = weight_of(kept, first)
        with pytest.raises(ValueError, match=f"a weight in {name} is not the one that its coin makes"):
            restored(learner, arrays)


def test_damaged_state_is_refused() -> None:
    learner = mb.Auto(labels=(0, 1))
    for x, label in mixed_rows(60):
        learner.learn_one(x, label)
    whole = saved(learner)
    restored(learner, whole)
    for name, place, value in (
        ("attributes", fields.A_FEATURE, 1e9), ("attributes", fields.A_BINS, 0.5), ("features", fields.F_FULL, 1e6),
        ("features", fields.F_NOMINAL, -1.0), ("features", fields.F_PRODUCT, 1e6), ("features", fields.F_NUMBER, 70.0),
        ("triple_of", 0, 10**6), ("product_of", 0, 10**6), ("counts", fields.TRIPLES, 10**12),
        ("counts", fields.PLACES, 301), ("counts", fields.WAVING, 129), ("counts", fields.FIRST_WAVE, 250),
        ("counts", fields.FIRST_WAVE, 0), ("features", fields.FEATURE + fields.F_NOMINAL, 0.0),
        ("features", fields.F_NUMBER, 1.0), ("product_of", fields.PRODUCTS - 1, 1),
        ("mixture", 0, 5.0), ("mixture", 1, float("nan")), ("tables", 3, -1.0),
        ("samples", fields.S_STRIDE, 0.0), ("samples", fields.S_EIGHT, 99.0), ("pair_of", 0, 10**6),
        ("counts", fields.SINGLES, 0), ("counts", fields.FULLS, 10**6), ("counts", fields.PAIRS, 10**12),
        ("lane", fields.ASLEEP, 1), ("tables", fields.T_CURVE, -1e60), ("singles", 1, 1e140), ("pairs", 0, -1e140),
        ("covariances", 0, 1e140), ("attributes", fields.A_COUNT, -1.0), ("attributes", fields.A_COUNT, 61.0),
        ("attributes", fields.A_SQUARES, -1.0), ("attributes", fields.A_SIZE, -1.0),
        ("singles", fields.W_AROW_ONE + 1, -1.0), ("singles", fields.W_SLOW + 1, -1.0),
        ("singles", fields.W_BAYES, -1.0), ("singles", fields.W_COIN_TRIPLES + 3, -1.0),
        ("pairs", fields.P_AROW + 1, -1.0), ("triples", fields.T_COIN + 2, -1.0),
        ("pairs", fields.P_COIN_PAIRS, 60.0), ("triples", fields.T_COIN, -60.0), ("singles", fields.W_COIN, 60.0),
        ("pairs", fields.P_COIN_TRIPLES + 1, 1e40), ("singles", fields.W_COIN_PAIRS + 3, 1e-40),
        ("triples", fields.T_COIN + fields.COIN_WEIGHT, 0.5), ("singles", fields.W_COIN + fields.COIN_WEIGHT, 0.5),
        ("singles", fields.W_FAST + 2, 61.0), ("singles", fields.W_SLOW + 2, -1.0),
    ):  # fmt: skip
        damaged = {key: v[:] for key, v in whole.items()}
        damaged[name][place] = value
        try:
            restored(learner, damaged)
        except ValueError:
            continue
        pytest.fail(f"{name}[{place}] = {value} was taken")
