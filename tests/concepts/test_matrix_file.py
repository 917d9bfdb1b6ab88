"""A class in a file, in every form that is read, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import mistakebound as mb
from mistakebound.concepts import read_class

ROWS = [(0, 0, 1), (0, 1, 1), (1, 1, 1)]


@pytest.mark.parametrize(
    "text",
    ["001\n011\n111\n",
     "0,0,1\n0,1,1\n1,1,1", "0 0 1\n0 1 1\n\n1 1 1\n0 0 1\n",
     "# thresholds\n0\t0\t1\n0\t1\t1\n1\t1\t1\n",
     "\ufeffa;b;c\r\n0;0;1\r\n0;1;1\r\n1;1;1\r\n", '"a","b","c"\n0,0,1\n0,1,1\n1,1,1'],
)  # fmt: skip
def test_forms(text: str, tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_text(text, encoding="utf-8", newline="")
    found = read_class(path)
    assert [found.labels(c) for c in range(found.size)] == ROWS
    assert found.instances == (("a", "b", "c") if "a" in text.replace("thresholds", "") else (0, 1, 2))


@pytest.mark.parametrize(
    ("text", "error"),
    [("0,1\n0,2\n", "class.csv:2: a label must be 0 or 1: '2'"),
     ("0,1\n0\n", "class.csv:2: a line must have 2 labels: 1"),
     ("a,b\n", "class.csv: a class must have a line of labels 0 and 1"), ("", "a class must have a line")],
)  # fmt: skip
def test_what_is_refused(text: str, error: str, tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_text(text)
    with pytest.raises(mb.BadData) as caught:
        read_class(path)
    assert error in str(caught.value)
