"""Attributes dropped by pattern: what fnmatch would drop, in every format, for any block size and number of threads."""

from __future__ import annotations

from array import array
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from inputs import rows as libsvm_texts
from inputs import vw_texts
from inputs.test_hashing import plain, play
from mistakebound.core.block import BlockNames
from mistakebound.core.errors import BadParameter
from mistakebound.io import open_stream
from mistakebound.io.ignore import program_of
from mistakebound.kernels import patterns as kernel
from naive.hashing import collisions

pytestmark = pytest.mark.kernel
same_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
letters = st.text(st.sampled_from("ab1é€😀*?[]!-^\\"), max_size=8)


@given(st.lists(letters.filter(bool), min_size=1, max_size=3), st.lists(letters, max_size=6))
@example(["[!]a]"], ["]", "b", "a"])
@example(["[]-a]", "[a-]"], ["]", "-", "a", "^", "b"])
@example(["[b-a]", "[!b-a]"], ["a", "b"])
@example(["*a*b"], ["aab", "abab", "ba", "ab1"])
@example(["a[", "[", "[!", "[]"], ["a[", "[", "[!", "[]"])
def test_matches_as_fnmatch_does(patterns: list[str], names: list[str]) -> None:
    held = BlockNames.of(names)
    out = bytearray(len(names))
    assert kernel.match_names(held.blob, held.ends, held.count, program_of(patterns), out) == 0
    assert [bool(k) for k in out] == [any(fnmatchcase(name, pattern) for pattern in patterns) for name in names]


@given(st.lists(st.integers(0, 2**63 - 1) | st.integers(0, 120), max_size=9), st.text("0123456789*?[]-", min_size=1))
def test_ids_match_by_their_decimal_names(ids: list[int], pattern: str) -> None:
    out = bytearray(len(ids))
    digits = bytearray(20)
    assert kernel.match_ids(array("Q", ids), len(ids), program_of([pattern]), digits, out) == 0
    assert [bool(k) for k in out] == [fnmatchcase(str(k), pattern) for k in ids]


@pytest.mark.parametrize("program", [[5, 1], [-1], [1, -3], [3, -3, 0, 1], [4, -3, 0, -1, 7], [0, 2, -3, 0]])
def test_no_step_reaches_beyond_a_program(program: list[int]) -> None:
    assert kernel.match_ids(array("Q", [1]), 1, array("i", program), bytearray(20), bytearray(1)) == kernel.CAPACITY
    assert kernel.match_names(b"a", array("q", [0, 1]), 1, array("i", program), bytearray(1)) == kernel.CAPACITY


def check(path: Path, patterns: list[str], size: int) -> None:
    def kept(name: str) -> bool:
        return not any(fnmatchcase(name, pattern) for pattern in patterns)

    ids = path.suffix == ".svm"
    in_order, as_written = (
        [
            (line, [(name, value) for name, value in entries if kept(name)])
            for line, entries in plain(path, as_written=w)
        ]
        for w in (False, True)
    )
    wanted = [(line, [(int(name) if ids else name, value) for name, value in entries]) for line, entries in in_order]
    for threads in (1, 2, 3):
        assert play(path, {"ignore": patterns}, threads, size) == (wanted, None)
    counted = play(path, {"ignore": patterns, "hash": 3}, 1, size)[1]
    assert counted == collisions([[(name, 1.0) for name, _ in entries] for _, entries in as_written], 3)


@same_file
@given(
    libsvm_texts.texts(), st.lists(st.sampled_from(["1*", "?", "*7", "[2-5]?", "12"]), min_size=1), st.integers(1, 300)
)
def test_libsvm(tmp_path: Path, text: bytes, patterns: list[str], size: int) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    check(path, patterns, size)


@same_file
@given(vw_texts.texts(), st.lists(st.sampled_from(["n^*", "?", "*a", "[!a]*", "é"]), min_size=1), st.integers(1, 300))
def test_vw(tmp_path: Path, text: bytes, patterns: list[str], size: int) -> None:
    path = tmp_path / "x.vw"
    path.write_bytes(text)
    check(path, patterns, size)


@pytest.mark.parametrize("ignore", ["a*", [""], [3], {"a": 1}])
def test_patterns_that_cannot_be(tmp_path: Path, ignore: object) -> None:
    with pytest.raises(BadParameter, match=r"^ignore must be a list of patterns: "):
        open_stream(tmp_path / "x.svm", {"ignore": ignore})
