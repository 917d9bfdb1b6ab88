"""Large buffers."""

from __future__ import annotations

import os
from array import array

import pytest

from mistakebound.core import buffers
from mistakebound.core.buffers import columns_by_slot, longer, zeros


@pytest.mark.parametrize("count", [0, 1, 100, 1 << 14, 1 << 19])
@pytest.mark.parametrize("sparse", [False, True])
def test_zeros_of_any_size(count: int, sparse: bool) -> None:
    buffer = zeros("d", count, sparse=sparse)
    assert (buffer.format, len(buffer), any(buffer)) == ("d", count, False)
    buffer[:] = memoryview(bytes(8 * count)).cast("d")
    assert len(longer(buffer, count + 1)) >= count + 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("count", [8, 1 << 14, 1 << 19])
def test_a_child_has_its_own(count: int) -> None:
    """What a forked process learns is not learned by its parent."""
    buffer = zeros("q", count)
    child = os.fork()
    if not child:
        buffer[0] = 7
        os._exit(0)
    os.waitpid(child, 0)
    assert buffer[0] == 0


def test_columns_are_put_by_slot_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffers, "_NEAR", 3)
    slots = array("I", [4, 0, 9, 7, 1, 2, 8, 3])
    columns = [array("d", range(1, 9)), array("d", range(11, 19))]
    found = columns_by_slot(columns, slots, 3, 10).tolist()
    for place, slot in enumerate(slots):
        assert found[3 * slot : 3 * slot + 3] == [place + 1, place + 11, 0]
    assert not any(found[15:18] + found[18:21])  # of slots 5 and 6
    with pytest.raises(ValueError, match="so many numbers"):
        columns_by_slot(columns, slots, 3, 9)
