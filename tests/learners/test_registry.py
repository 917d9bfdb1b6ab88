"""The table of learners has every file that holds one."""

from __future__ import annotations

from pathlib import Path

from mistakebound import learners


def test_every_file_of_an_algorithm_is_a_line_of_the_table() -> None:
    root = Path(learners.__file__).parent
    files = {f.stem.replace("_", "-") for f in root.glob("*/*.py") if not f.stem.startswith("_")}
    assert sorted(files) == learners.names() == sorted(learners.names())


def test_names_and_classes_agree() -> None:
    for name in learners.names():
        assert learners.find(name).name == name
        assert learners.find(name).__name__ == learners.class_name(name)
