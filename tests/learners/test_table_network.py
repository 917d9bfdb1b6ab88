"""Networks behind the columns of a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.learners.network import _encoding, table_network

ROWS = [{"sky": sky, "wind": wind} for sky in ("sunny", "rainy", "grey") for wind in (1.0, 2.0, 3.0, 8.0, 9.0)]
PLAY = ["no" if row["sky"] == "rainy" and row["wind"] > 5 else "yes" for row in ROWS]  # type: ignore[operator]


def test_inputs_are_standardised_numbers_and_one_place_a_value() -> None:
    network = mb.learners.TableNetwork(hidden=3).fit(ROWS, PLAY, epochs=2)
    assert network.input_names == ["sky=sunny", "sky=rainy", "sky=grey", "wind"]
    inputs = network.inputs(ROWS)
    assert inputs[:, 3].mean() == pytest.approx(0, abs=1e-12)
    assert inputs[:, 3].std() == pytest.approx(1)
    assert inputs[:, :3].sum(axis=1).tolist() == [1.0] * 15
    odd = network.inputs([{"sky": "new", "wind": None}, {"sky": None, "wind": 4.6}])
    assert odd.tolist() == [[0, 0, 0, 0], [0, 0, 0, 0]]  # 4.6 is the mean
    same = mb.learners.TableNetwork(hidden=2).fit([row | {"one": 7.0} for row in ROWS], PLAY, epochs=2)
    assert set(same.inputs([ROWS[0] | {"one": 7.0}])[0].tolist()[4:]) == {0.0}
    tenth = mb.learners.TableNetwork(hidden=2).fit([{"wind": row["wind"], "x": 0.1} for row in ROWS], PLAY, epochs=2)
    assert abs(tenth.inputs([{"wind": 1.0, "x": 0.1}])[0, 1]) < 1e-9  # the mean of many 0.1 is not quite 0.1


def test_learns_names_and_numbers_together() -> None:
    network = mb.learners.TableNetwork(hidden=4, momentum=0.9).fit(ROWS, PLAY, epochs=300)
    assert network.predict_many(ROWS) == PLAY
    shares = network.predict_proba_many(ROWS)
    assert shares.sum(axis=1) == pytest.approx(np.ones(15))
    assert network.classes == ("no", "yes")
    assert network.network.shape == (4, 4, 1)
    lines = network.explain_row(network.table(ROWS), 8)  # rainy, 8
    assert lines[0] == "no, because its share is the largest:"
    pulls = dict(line.strip().split(": ") for line in lines[4:])
    assert float(pulls["sky=rainy"]) > 0 < float(pulls["wind"])
    assert lines[3].startswith("Inputs with the largest influence")
    assert network.lines(2)[0] == "A 4-4-1 network with 25 weights; classes: no, yes."
    assert "and 2 more" in network.lines(2)[1]
    assert network.as_json(3)["layers"] == [4, 4, 1]


def test_three_classes_two_hidden_layers_and_a_validation_set() -> None:
    labels = [row["sky"] for row in ROWS]
    network = mb.learners.TableNetwork(hidden=[6, 5], start=0.5, momentum=0.5)
    network.fit(ROWS, labels, epochs=800, validation=0.2, patience=200)
    assert network.network.shape == (4, 6, 5, 3)
    assert network.network.held == 3
    assert network.predict_many(ROWS) == labels


def test_a_validation_set_of_its_own() -> None:
    """Rows and labels as for fit: the loss of the curve is that of these rows, as the network sees them."""
    held = [ROWS[8], ROWS[3] | {"sky": "new"}, ROWS[2] | {"wind": None}]
    network = mb.learners.TableNetwork(hidden=3).fit(ROWS, PLAY, epochs=1, validation=(held, ["no", "yes", "yes"]))
    outputs = network.network.outputs(network.inputs(held))[:, 0]
    assert network.curve[-1].validation == pytest.approx(float(np.mean(0.5 * (outputs - [0, 1, 1]) ** 2)))
    named = [row | {"play": label} for row, label in zip(held, ["no", "yes", "yes"], strict=True)]
    again = mb.learners.TableNetwork(hidden=3).fit(ROWS, PLAY, epochs=1, validation=(named, "play"))
    assert again.curve[-1].validation == network.curve[-1].validation
    assert again.network.held == 0
    for bad, message in [
        ((held, ["no", "yes", "maybe"]), "row 2: label 'maybe' is not one of 'no', 'yes'"),
        ((held, ["no"]), "there are 1 labels for 3 rows"),
        (([{"wind": 1.0}], ["no"]), "it lacks 'sky'"),
    ]:
        with pytest.raises(mb.BadData, match=message):
            mb.learners.TableNetwork(hidden=3).fit(ROWS, PLAY, epochs=1, validation=bad)


def test_hypotheses_tell_networks_apart() -> None:
    first, second = (mb.learners.TableNetwork(hidden=3, random_state=seed).fit(ROWS, PLAY, epochs=2) for seed in (0, 1))
    assert first.hypothesis != second.hypothesis
    assert hash(first.hypothesis) == hash(mb.learners.TableNetwork(hidden=3).fit(ROWS, PLAY, epochs=2).hypothesis)


def test_refusals() -> None:
    with pytest.raises(mb.BadData, match="there must be at least two classes: 'yes'"):
        mb.learners.TableNetwork().fit(ROWS, ["yes"] * 15)
    with pytest.raises(mb.BadData, match="the numbers of column 'wind' are too large"):
        mb.learners.TableNetwork().fit([{"wind": 1e308}, {"wind": -1e308}], ["a", "b"])
    with pytest.raises(
        mb.BadParameter, match="hidden must be a whole number >= 1, several such as 30-20, or left out: 0"
    ):
        mb.learners.TableNetwork(hidden=0)
    network = mb.learners.TableNetwork()
    with pytest.raises(mb.BadParameter, match="has learned nothing yet"):
        network.lines(3)


def test_divergence_keeps_the_last_good_network() -> None:
    network = mb.learners.TableNetwork(hidden=3, eta=1e308)
    with pytest.raises(mb.errors.Diverged, match="at step 1 with eta"):
        network.fit(ROWS, PLAY, epochs=3)
    assert set(network.predict_many(ROWS)) <= {"no", "yes"}


@pytest.mark.parametrize("change", ["means", "scales", "network"])
def test_an_altered_model_is_refused(tmp_path: Any, change: str) -> None:
    from mistakebound.core import model_file

    network = mb.learners.TableNetwork(hidden=3).fit(ROWS, PLAY, epochs=2)
    path = tmp_path / "model.mb"
    network.save(path)
    header, arrays = model_file.read(path)
    bad: dict[str, Any] = {"means": [1.0, 2.0], "scales": [0.0], "network": mb.learners.Network([3, 2, 1])._header()}
    header["state"][change] = bad[change]
    model_file.write(path, header, arrays)
    with pytest.raises(mb.errors.BadModel):
        mb.load(path)


def test_a_column_of_ids_is_refused_before_its_inputs_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"id": f"u{k}", "wind": k % 7, "sky": "ab"[k % 2]} for k in range(400)]
    play = [k % 2 for k in range(400)]
    monkeypatch.setattr(_encoding, "MOST_BYTES", 8 * 400 * 403 - 1)
    with pytest.raises(mb.BadData, match=r"column 'id' has 400 different values, .* 400 rows of 403 inputs"):
        mb.learners.TableNetwork(hidden=2).fit(rows, play, epochs=1)
    monkeypatch.setattr(_encoding, "MOST_BYTES", 8 * 400 * 403)
    mb.learners.TableNetwork(hidden=2).fit(rows, play, epochs=1)
    monkeypatch.setattr(_encoding, "MOST_BYTES", 1)  # columns of numbers, and of few values, are as they are
    mb.learners.TableNetwork(hidden=2).fit([{"wind": row["wind"], "sky": row["sky"]} for row in rows], play, epochs=1)


def test_six_gigabytes_of_inputs_are_refused_at_once() -> None:
    rows = {"id": [f"u{k}" for k in range(30_000)]}
    with pytest.raises(mb.BadData, match=r"take 6.7 GiB; leave the column out \(--ignore\), or take it as numbers"):
        mb.learners.TableNetwork().fit(rows, [k % 2 for k in range(30_000)])


def test_rows_are_predicted_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"wind": k, "sky": "abc"[k % 3]} for k in range(20)]
    network = mb.learners.TableNetwork(hidden=2).fit(rows, [k % 2 for k in range(20)], epochs=3)
    said, shares = network.predict_many(rows), network.predict_proba_many(rows)
    monkeypatch.setattr(table_network, "_CELLS", 12)  # three rows
    assert network.predict_many(rows) == said
    assert (network.predict_proba_many(rows) == shares).all()
