"""The file of a synthetic stream: what is in it, and that it appears whole or not at all."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.io.synthetic import draw_relevant, write_stream
from naive.libsvm_reader import read

pytestmark = pytest.mark.kernel
SMALL = {"n": 1000, "active": 20, "relevant": 5, "rows": 200, "seed": 7}
GOLDEN = "6eaad6ffa5911e5791fa36c09fe83eb9d95b77af6acac333449a8300a5dbca66"


def test_rows_are_what_the_target_says(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    told: list[int] = []
    relevant = set(write_stream(path, **SMALL, progress=told.append))
    assert len(relevant) == 5
    assert told[-1] == 200
    rows, bad = read(path.read_bytes())
    assert not bad
    assert len(rows) == 200
    for _, label, row in rows:
        ids = [key for key, value in row if value == 1]
        assert ids == sorted(set(ids))
        assert set(ids) <= set(range(1, 1001))
        assert 15 <= len(ids) <= 21
        assert label == (b"+1" if relevant & set(ids) else b"-1")
    assert 70 < sum(label == b"+1" for _, label, _ in rows) < 130
    assert list(tmp_path.iterdir()) == [path]


def test_the_bytes_are_fixed(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    assert write_stream(path, **SMALL) == write_stream(path, **SMALL) == [517, 518, 728, 750, 978]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == GOLDEN
    write_stream(path, **(SMALL | {"seed": 8}))
    assert hashlib.sha256(path.read_bytes()).hexdigest() != GOLDEN


def test_labels_of_another_style_and_edges(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    assert write_stream(path, n=1, active=3, relevant=1, rows=20, seed=0, labels=("no", "yes")) == [1]
    assert set(path.read_bytes().splitlines()) == {b"no", b"yes 1:1"}
    write_stream(path, n=2**63 - 1, active=2, relevant=1, rows=3, seed=-1)
    assert len(read(path.read_bytes())[0]) == 3
    write_stream(path, n=5, active=0, relevant=5, rows=0, seed=0)
    assert path.read_bytes() == b""


def test_relevant_ids() -> None:
    assert draw_relevant(6, 6, 3) == [1, 2, 3, 4, 5, 6]
    drawn = [draw_relevant(10, 2, seed) for seed in range(500)]
    assert all(len(set(pair)) == 2 for pair in drawn)
    assert all(60 < sum(key in pair for pair in drawn) < 140 for key in range(1, 11))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n must be >= 1 and < 2^63: 0"),
        ({"active": -1}, "active must be >= 0 and <= 2^24: -1"),
        ({"relevant": 1001}, "relevant must be >= 1 and <= n: 1001"),
        ({"rows": -1}, "rows must be >= 0: -1"),
        ({"labels": ("a", "a")}, "labels must differ: 'a'"),
        ({"labels": ("a", "b c")}, "labels must be words without ':' and '#': 'b c'"),
    ],
)
def test_parameters(tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(BadParameter) as caught:
        write_stream(tmp_path / "x", **(SMALL | change))  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_a_stopped_or_impossible_write_leaves_nothing(tmp_path: Path) -> None:
    def stop(rows: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_stream(tmp_path / "x", **SMALL, progress=stop)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(MistakeboundError, match=r"cannot write .*: there is no folder"):
        write_stream(tmp_path / "no" / "x", **SMALL)
