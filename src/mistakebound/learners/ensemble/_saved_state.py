"""What some learners hold, put back as it was, when one of them stopped half way through a batch of rows.

A learner's state is buffers that kernels write to, plain values, and objects of ours that hold such; this looks at all
that can be reached from it but the attribute table that all share, which whoever entered attributes into it takes care
of.
"""

from __future__ import annotations

from array import array

from mistakebound.core.atomic import is_lock
from mistakebound.core.attributes import AttributeTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_PLAIN = (str, bytes, int, float, complex, tuple, frozenset, type(None), type)


class SavedState:
    """Remembers at once; `back()` puts everything back.

    >>> from mistakebound.learners.linear.perceptron import Perceptron
    >>> learner = Perceptron()
    >>> undo = SavedState([learner], learner.attributes)
    >>> _ = learner.learn_one({"a"}, 1)
    >>> undo.back()
    >>> learner.bias
    0.0
    """

    def __init__(self, learners: Iterable[Any], shared: AttributeTable) -> None:
        self._seen = {id(shared)}
        self._held: list[tuple[Any, dict[str, Any]]] = []  # objects with their attributes
        self._buffers: list[tuple[memoryview[Any], bytes]] = []
        self._containers: list[tuple[Any, Any]] = []
        for learner in learners:
            self._look(learner)

    def _look(self, thing: Any) -> None:
        if isinstance(thing, _PLAIN) or is_lock(thing) or id(thing) in self._seen:
            return
        self._seen.add(id(thing))
        if isinstance(thing, (array, bytearray, memoryview)):
            view = memoryview(thing)
            if not view.readonly and view.nbytes:
                self._buffers.append((view, view.tobytes()))
        elif isinstance(thing, (list, dict, set)):
            self._containers.append((thing, thing.copy()))
            for part in thing.values() if isinstance(thing, dict) else thing:
                self._look(part)
        elif type(thing).__module__.startswith("mistakebound."):
            held = _attributes(thing)
            if not _is_frozen(thing):
                self._held.append((thing, held))
            for part in held.values():
                self._look(part)

    def back(self) -> None:
        for thing, held in self._held:
            for name, value in held.items():
                setattr(thing, name, value)
        for container, kept in self._containers:
            container.clear()
            container.extend(kept) if isinstance(container, list) else container.update(kept)
        for view, kept in self._buffers:
            view.cast("B")[:] = kept


def _is_frozen(thing: Any) -> bool:
    """Whether it is a dataclass, such as a concept class, whose attributes nobody sets."""
    parameters = getattr(type(thing), "__dataclass_params__", None)
    return parameters is not None and parameters.frozen


def _attributes(thing: Any) -> dict[str, Any]:
    if isinstance(thing, AttributeTable):
        return thing.held()
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    found = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    return found | dict(getattr(thing, "__dict__", {}))
