"""Examples played again in their order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix

import mistakebound as mb


def play_through(teacher: mb.teachers.Teacher) -> list[tuple[object, object]]:
    found = []
    while (trial := teacher.next_trial()) is not None:
        found.append((trial.x, teacher.label(trial, None)))
    return found


def test_pairs_rows_and_sparse_rows() -> None:
    assert play_through(mb.teachers.Replay([({"a"}, 1), ({"b"}, 0)])) == [({"a"}, 1), ({"b"}, 0)]
    assert play_through(mb.teachers.Replay([[1, 0], [0, 2]], "ab")) == [([1, 0], "a"), ([0, 2], "b")]
    sparse = csr_matrix(np.array([[1.0, 0.0], [0.0, 2.5]]))
    assert play_through(mb.teachers.Replay(sparse, [1, 0])) == [({"1": 1.0}, 1), ({"2": 2.5}, 0)]


@pytest.mark.parametrize("kind", [csc_matrix, coo_matrix])
def test_other_sparse_matrices_are_read_by_rows(kind: Any) -> None:
    square = np.array([[1.0, 1.0], [0.0, 0.0]])
    assert play_through(mb.teachers.Replay(kind(square), [1, 0])) == [({"1": 1.0, "2": 1.0}, 1), ({}, 0)]


def test_a_column_twice_in_a_sparse_row() -> None:
    twice = csr_matrix((np.ones(2), np.array([4, 4]), np.array([0, 2])), shape=(1, 5))
    with pytest.raises(mb.BadData, match="row 0: attribute '5' appears twice"):
        play_through(mb.teachers.Replay(twice, [1]))


def test_rows_and_labels_must_match() -> None:
    with pytest.raises(mb.BadData, match="X has 2 rows and y 1 labels"):
        mb.teachers.Replay([[1], [2]], [1])


def test_a_file_keeps_lines_and_labels(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("+1 3:1 9:2.5\n\n-1 7:1 # a note\n")
    teacher = mb.teachers.FileTeacher(path)
    first = teacher.next_trial()
    assert first is not None
    assert (first.x, first.source, first.line) == ({"3": 1.0, "9": 2.5}, str(path), 1)
    assert teacher.label(first, None) == 1
    second = teacher.next_trial()
    assert second is not None
    assert (second.x, second.line, teacher.label(second, None)) == ({"7": 1.0}, 3, -1)
    assert teacher.next_trial() is None


def test_a_file_with_an_attribute_twice(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("1 3:1\n1 4:1 4:1\n")
    teacher = mb.teachers.FileTeacher(path)
    assert teacher.next_trial() is not None
    with pytest.raises(mb.BadData, match=r"rows.svm:2: attribute '4' appears twice"):
        teacher.next_trial()


def test_files_with_names_read_by_settings(tmp_path: Path) -> None:
    one, two = tmp_path / "one.vw", tmp_path / "two"
    one.write_text("1 |f free:2 | cat\n")
    two.write_text("-1 |f dog free_beer\n-1 | cat cat\n")
    teacher = mb.teachers.FileTeacher([one, two], {"ignore": ["*beer"]})
    trials = [teacher.next_trial(), teacher.next_trial()]
    assert [trial and (trial.x, trial.source, trial.line) for trial in trials] == [
        ({"f^free": 2.0, "cat": 1.0}, str(one), 1),
        ({"f^dog": 1.0}, str(two), 1),
    ]
    last = teacher.next_trial()
    assert last is not None
    assert (last.x, last.source, last.line) == ({"cat": 2.0}, str(two), 2)
