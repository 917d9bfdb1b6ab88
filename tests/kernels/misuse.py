"""Calling a kernel with buffers that do not fit together: it must say so, and touch nothing."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any


def shortened(arguments: dict[str, Any], name: str) -> dict[str, Any]:
    """The same call with one buffer an entry shorter, and every buffer a copy."""
    fresh = {key: value[:] if isinstance(value, array) else value for key, value in arguments.items()}
    fresh[name] = fresh[name][:-1]
    return fresh


def must_refuse(kernel: Callable[..., int], arguments: dict[str, Any], buffers: list[str], refusal: int) -> None:
    """Every one of these buffers, an entry shorter, is noticed before anything is written."""
    for name in buffers:
        call = shortened(arguments, name)
        before = contents(call)
        assert kernel(*call.values()) == refusal, name
        assert contents(call) == before, f"{name} is too short, and something was written"


def contents(arguments: dict[str, Any]) -> dict[str, Any]:
    """Bytes, because not every number is equal to itself."""
    return {key: value.tobytes() if isinstance(value, array) else value for key, value in arguments.items()}
