"""Calling a kernel with buffers that do not fit together: it must say so, and touch nothing."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from mistakebound.kernels import row_batch

BATCH = (
    "slots", "values", "indptr", "rows", "labels", "importance", "learn", "predictions", "scores", "state", "ordered",
    "dense", "extra_keys", "keys", "places", "base", "bits", "order", "table",
)  # fmt: skip


def batch_of(call: dict[str, Any]) -> row_batch.RowBatch:
    """The rows of a call, whose other arguments are the kernel's own."""
    none = array("d")
    batch = row_batch.RowBatch(call["slots"], call.get("values", none), call["indptr"], call["rows"])
    batch.answer(call["predictions"], call.get("scores", none), call["state"])
    if "labels" in call and call.get("learn", True):
        batch.teach(call["labels"], call.get("importance", none))
    if "keys" in call:
        batch.sort_by(call.get("ordered", False), *(call[name] for name in ("dense", "extra_keys", "keys", "places")))
    if "order" in call:
        batch.enter(*(call[name] for name in ("base", "bits", "order", "table")))
    return batch


def played(run: Callable[..., int], call: dict[str, Any]) -> int:
    """What a learning kernel says of rows and its own arguments."""
    try:
        batch = batch_of(call)
    except AssertionError:
        return row_batch.CAPACITY
    return run(batch, *(value for name, value in call.items() if name not in BATCH))


def called(kernel: Callable[..., int], call: dict[str, Any]) -> int:
    return kernel(*call.values())


def shortened(arguments: dict[str, Any], name: str) -> dict[str, Any]:
    """The same call with one buffer an entry shorter, and every buffer a copy."""
    fresh = {key: value[:] if isinstance(value, array) else value for key, value in arguments.items()}
    fresh[name] = fresh[name][:-1]
    return fresh


def must_refuse(
    kernel: Callable[..., int],
    arguments: dict[str, Any],
    buffers: list[str],
    refusal: int,
    how: Callable[[Callable[..., int], dict[str, Any]], int] = called,
) -> None:
    """Every one of these buffers, an entry shorter, is noticed before anything is written."""
    for name in buffers:
        call = shortened(arguments, name)
        before = contents(call)
        assert how(kernel, call) == refusal, name
        assert contents(call) == before, f"{name} is too short, and something was written"


def contents(arguments: dict[str, Any]) -> dict[str, Any]:
    """Bytes, because not every number is equal to itself."""
    return {key: value.tobytes() if isinstance(value, array) else value for key, value in arguments.items()}
