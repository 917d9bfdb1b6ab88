"""A buffer is as long as its view, whatever the object that has it says."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import pytest

import mistakebound.kernels as kernels
from mistakebound.kernels import ascending, libsvm, matrix
from mistakebound.kernels.row_batch import RowBatch

pytestmark = pytest.mark.skipif(not kernels.compiled(), reason="uncompiled kernels take no views")


class Boasting(array):  # type: ignore[type-arg]
    def __len__(self) -> int:
        return 10**9


def parsed(code: str) -> int:
    entries = Boasting(code, [0] * 6), array("d", bytes(800)), *(array(one, bytes(800)) for one in "qiq")
    labels = bytearray(100), array("q", bytes(16)), array("i", bytes(8))
    rows = libsvm.LibsvmRows(entries, labels, array("q", bytes(64)))
    return rows.parse(b"1 1:1\n" * 8 + bytes(libsvm.SLACK), 48, False)


def sorted_rows(code: str) -> int:
    return ascending.sort(
        array("q", [0, 10**6]), Boasting(code, [3, 1]), array("d"), 1, array("Q", bytes(8 * 10**6)),
        array("I", bytes(4 * 10**6)), array("d"),
    )  # fmt: skip


def copied(code: str) -> int:
    code = code.lower()
    data = array("Q", bytes(8 * 10**6))
    own = Boasting("i" if code == "i" else "q", [0])
    return matrix.copy(array("q", [0, 10**6]), own, data, own, 1, 5, array("q", bytes(24)))


@pytest.mark.parametrize("code", ["I", "Q"])
@pytest.mark.parametrize(
    ("kernel", "refusal"), [(parsed, libsvm.CAPACITY), (sorted_rows, -1), (copied, matrix.CAPACITY)]
)
def test_kernels(kernel: Callable[[str], int], refusal: int, code: str) -> None:
    assert kernel(code) == refusal


def test_rows() -> None:
    with pytest.raises(AssertionError, match="outside its buffers"):
        RowBatch(Boasting("I", [0]), array("d"), array("q", [0, 5]), 1)
    batch = RowBatch(array("I", [0] * 5), array("d"), array("q", [0, 1, 2, 3, 4, 5]), 5)
    with pytest.raises(AssertionError, match="labels"):
        batch.teach(Boasting("b", [0]), array("d"))
    with pytest.raises(AssertionError, match="predictions"):
        batch.answer(Boasting("b", [0]), array("d"), array("q", [0]))
