"""Arrays by slot that follow their table in one step: for the tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mistakebound.core.atomic import commit
from mistakebound.core.attributes import AttributeTable


def take_move(table: AttributeTable) -> Callable[[Any], memoryview[Any]]:
    """How arrays get from the layout at the last call to the present one."""
    move = table.move()
    commit(table.moved())
    return move
