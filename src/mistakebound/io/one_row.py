"""One instance as the reader of a stream would have given it: attributes dropped, names hashed."""

from __future__ import annotations

from array import array

from mistakebound.core.block import Block
from mistakebound.core.block_names import BlockNames
from mistakebound.core.errors import BadData
from mistakebound.core.instance import Instance, read_instance
from mistakebound.io.hashing import Rework

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def as_read(x: Instance, settings: dict[str, Any]) -> tuple[Instance, dict[str, list[str]] | None, list[str]]:
    """The instance by the settings "ignore" and "hash"; the names in each bucket, if they are hashed; those ignored.

    >>> as_read(Instance(["free", "now", "user_7"], None), {"ignore": ["user_*"], "hash": 4})
    (Instance(['5', '10']), {'5': ['free'], '10': ['now']}, ['user_7'])
    """
    bits = settings.get("hash")
    kept = _rework(x, settings.get("ignore") or [], None)
    left = set(kept.names)
    dropped = [name for name in x.names if name not in left]
    if bits is None:
        return kept, None, dropped
    hashed = _rework(kept, [], bits)
    names: dict[str, list[str]] = {name: [] for name in hashed.names}
    for name in kept.names:
        (bucket,) = _rework(Instance([name], None), [], bits).names
        names.setdefault(bucket, []).append(name)  # values that cancel each other leave no attribute
    return hashed, names, dropped


def _rework(x: Instance, ignore: list[str], bits: int | None) -> Instance:
    keys = array("Q", range(len(x.names)))
    block = Block(1, array("q", [0, len(keys)]), keys, x.values, columns=BlockNames.of(x.names))
    Rework(ignore, bits).put_into(block)
    entries = range(block.indptr[0], block.indptr[1])
    found = {block.name(k): 1.0 if block.values is None else block.values[k] for k in entries}
    if len(found) < len(entries):  # so the kernel leaves what no learner may take
        raise BadData("names that are hashed into one bucket have values whose sum is not a finite number")
    return read_instance(found)
