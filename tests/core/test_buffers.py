"""Large buffers."""

from __future__ import annotations

import os

import pytest

from mistakebound.core.buffers import longer, zeros


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
