"""Measures of a classifier of any number of classes."""

from __future__ import annotations

import numpy as np

from mistakebound.report.confusion import Confusion


def test_counts_by_label_and_prediction() -> None:
    found = Confusion(("a", "b", "c"), np.array([0, 0, 1, 2, 2, 2]), np.array([0, 1, 1, 2, 0, 2]))
    assert found.counts.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 2]]
    assert (found.trials, found.mistakes, found.error_rate) == (6, 2, 2 / 6)
    assert (found.precision(0), found.recall(0), found.recall(2)) == (0.5, 0.5, 2 / 3)
    data = found.as_json()
    assert data["classes"][2]["predicted_as"] == {"a": 1, "b": 0, "c": 2}


def test_what_is_not_defined_is_none() -> None:
    found = Confusion(("a", "b"), np.array([0]), np.array([0]))
    assert (found.precision(1), found.recall(1)) == (None, None)
    assert Confusion(("a",), np.array([], int), np.array([], int)).error_rate is None
    lines = found.lines("title", 0.5)
    assert lines[0] == "title"
    assert any(line.split() == ["b", "0", "0", "-", "-"] for line in lines)
