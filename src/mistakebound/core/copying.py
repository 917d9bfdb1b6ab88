"""What the modules `copy` and `pickle` make of our objects: another one in the same state, which goes its own way."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self


class Independent:
    """`copy.copy` gives what `copy.deepcopy` does: an object that shares no state with this one."""

    __slots__ = ()

    def __copy__(self) -> Self:
        from copy import deepcopy

        return deepcopy(self)


class Constant:
    """A value with functions in it that no pickle can hold: a name of this package stands for it, or one for its list.

    It never changes, so that a copy is the value itself.
    """

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        home = _home(self)
        return super().__reduce_ex__(protocol) if home is None else (_constant, home)


def _constant(module: str, *path: str | int) -> Any:
    found: Any = import_module(module)
    for step in path:
        found = found[step] if isinstance(step, int) else getattr(found, step)
    return found


def _home(thing: Constant) -> tuple[str | int, ...] | None:
    """The module and the name of a constant, or of the list in which it stands, there or in a class; None: nowhere."""
    package = __name__.partition(".")[0] + "."
    for name, module in sorted(sys.modules.items()):
        if name.startswith(package):
            for place, value in list(vars(module).items()):
                if (path := _path(thing, value)) is not None:
                    return name, place, *path
                if isinstance(value, type) and value.__module__ == name:
                    for inner, held in vars(value).items():
                        if (path := _path(thing, held)) is not None:
                            return name, place, inner, *path
    return None


def _path(thing: Constant, value: Any) -> tuple[int, ...] | None:
    if value is thing:
        return ()
    if type(value) is tuple:
        return next(((place,) for place, held in enumerate(value) if held is thing), None)
    return None


def not_to_be_copied(thing: Any, why: str) -> TypeError:
    """For what holds a file or a running loop: neither a copy nor a pickle could have another one."""
    return TypeError(f"a {type(thing).__name__} cannot be copied or pickled: {why}")
