"""A comparison as a table, as data and as a picture."""

from __future__ import annotations

import warnings
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core.ledger import Ledger
from mistakebound.report.learning_curve import recent_errors

ROWS = [({"1", "3"}, 1), ({"2", "4"}, 0), ({"3"}, 1), ({"1"}, 0), ({"4", "5"}, 1)] * 40  # 3 or 5


def test_the_table() -> None:
    found = mb.compare(ROWS, ["winnow1", "perceptron", "conjunction-elimination"], assume={"k": 2}, window=50)
    for entry in found.entries:
        entry.seconds = 0.0015
    lines = str(found).splitlines()
    assert lines[0] == "  200 trials, 120 of them 1; recent: error % of the last 50"
    assert lines[1].split() == ["learner", "mistakes", "error", "%", "recent", "bound", "sec", "bytes"]
    first = lines[2].split()
    assert first[0] == found.ranked[0].name
    assert int(first[1]) == found.ranked[0].ledger.mistakes
    assert first[2] == f"{100 * found.ranked[0].ledger.error_rate:.2f}"
    assert first[3] == "0.00"
    assert first[5] in ("0.001", "0.002")
    assert max(map(len, lines)) < 80
    assert "the start-weights theorem allows" in " ".join(str(found).split())
    stopped = next(line.split() for line in lines if line.startswith("  conjunction"))
    assert stopped[2:4] == ["-", "-"]
    assert "stopped: trial" in str(found)


def test_a_bound_that_says_nothing_is_shown_as_such() -> None:
    found = mb.compare(ROWS, ["winnow1", "perceptron"], assume={"k": 2, "margin": 0.01, "radius": 5})
    bounds = {line.split()[0]: line.split()[4] for line in str(found).splitlines()[2:4]}
    assert bounds["perceptron"] == "all"
    assert bounds["winnow1"].isdecimal()
    said = " ".join(str(found).split())
    assert said.count("vacuous after 200 trials") == 1


def test_an_empty_stream_has_a_table_too(tmp_path: Path) -> None:
    path = tmp_path / "empty.svm"
    path.write_text("")
    found = mb.compare(path, ["winnow2", "perceptron"])
    assert "winnow2" in str(found)
    assert found.as_json()[0]["recent"] == {"trials": 0, "errors": 0, "error_rate": 0.0}
    found.draw(str(tmp_path / "empty.svg"))


def test_as_json() -> None:
    found = mb.compare([({"1": 1.0}, 1), ({"1": 0.5}, 0)], ["winnow2", "perceptron"], window=1)
    perceptron, winnow = found.as_json()
    assert (perceptron["name"], perceptron["trials"], perceptron["refused"]) == ("perceptron", 2, None)
    assert perceptron["recent"] == {"trials": 1, "errors": 1, "error_rate": 1.0}
    assert perceptron["bytes"] == found.entries[1].learner.model_size()
    assert (winnow["trials"], "0.5" in winnow["refused"]["text"]) == (1, True)


@given(st.lists(st.booleans(), min_size=1, max_size=400), st.integers(1, 90))
def test_recent_errors_count_what_lies_in_the_window(wrong: list[bool], window: int) -> None:
    ledger = Ledger()
    ledger.record_codes(array("b", wrong), array("b", bytes(len(wrong))), 0, len(wrong))
    trials, errors = recent_errors(ledger, window)
    size = min(window, len(wrong))
    assert (trials[0], trials[-1]) == (size, len(wrong))
    for end, error in zip(trials, errors, strict=True):
        assert error == pytest.approx(100 * sum(wrong[end - size : end]) / size)


@pytest.mark.some(1)
@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_picture_names_every_learner_that_played(tmp_path: Path, ending: str) -> None:
    rows = [*ROWS, ({"3": 0.5}, 1), *ROWS]
    found = mb.compare(rows, ["winnow1", "perceptron", "conjunction-elimination"], assume={"k": 1})
    path = tmp_path / f"curves.{ending}"
    found.draw(str(path), "a title")
    if ending == "svg":
        drawn = path.read_text()
        assert "a title" in drawn
        assert "perceptron: " in drawn
        assert "conjunction-elimination: " in drawn
        assert "stopped at" in drawn
        assert "winnow1" not in drawn  # it could not take the rows
        again = tmp_path / "again.svg"
        found.draw(str(again), "a title")
        assert again.read_text() == drawn
    else:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_who_stopped_far_above_the_others_does_not_push_them_out_of_the_picture(tmp_path: Path) -> None:
    found = mb.compare(ROWS, ["perceptron", "disjunction-elimination"])
    for entry, mistakes, trials in zip(found.entries, (300, 2000), (10_000, 3000), strict=True):
        entry.ledger = Ledger()
        labels = array("b", [1] * mistakes + [0] * (trials - mistakes))
        entry.ledger.record_codes(labels, array("b", bytes(trials)), 0, trials)
    found.entries[1].ledger.inconsistency = "stopped"
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib's, that there is no room for the axes
        found.draw(str(tmp_path / "curves.png"))
