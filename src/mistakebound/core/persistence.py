"""Model files, copies and pickles of every learner, from one header and one set of arrays that the learner gives.

A family of learners says what its header holds (`_about`, `_restore_about`), an algorithm what its state is (`_state`,
`_arrays`, `_restore_state`), and nothing else.  The modules `copy` and `pickle` make of all our objects another one in
the same state, which goes its own way.
"""

from __future__ import annotations

import sys
from array import array
from importlib import import_module

from mistakebound.core.atomic import new_lock
from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, ClassVar, Self

    from mistakebound.core.ledger import Ledger
    from mistakebound.kernels.call_lock import CallLock


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


class Persistent(Independent):
    """What can be saved, loaded, copied and pickled in the middle of its work."""

    name: ClassVar[str]
    saves: ClassVar[bool] = False  # has a model file; what has none is copied and pickled by its attributes
    settings: dict[str, Any]
    _lock: CallLock

    # What a family, or one algorithm's file, provides.

    @property
    def _holds_state(self) -> bool:
        """Whether something was learned that a header and arrays can hold."""
        return True

    def _check_free(self) -> None:
        """BadParameter for a part of another learner that is of no use without it."""

    def _check_saved(self) -> None:
        """BadParameter where there is something, or nothing, that no model file can hold."""

    def _about(self) -> dict[str, Any]:
        """What stands in the header beside parameters and state, as JSON: labels, columns."""
        return {}

    def _state(self) -> dict[str, Any]:
        """What of the state is no array, as JSON."""
        return {}

    def _arrays(self) -> dict[str, Any]:
        """The state as named flat arrays."""
        return {}

    def _all_arrays(self) -> dict[str, Any]:
        """Those of the family and of the algorithm."""
        return self._arrays()

    def _unsaved(self) -> dict[str, Any]:
        """Attributes that never change in their place, and that copies and pickles have but no model file."""
        return {}

    @classmethod
    def _from_header(cls, header: dict[str, Any]) -> Self:
        """A new learner with the parameters of a header."""
        return cls(**header["parameters"])

    def _restore_about(self, header: dict[str, Any], arrays: dict[str, array[Any]]) -> None:
        """Take up what `_about` gave, and the arrays of the family."""

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        """Take up saved arrays and state; ValueError, KeyError or TypeError when they make no sense."""

    # What follows from it.

    def _header(self) -> dict[str, Any]:
        start = {"learner": self.name, "parameters": dict(self.settings)}
        return start | self._about() | {"state": self._state() if self._holds_state else None}

    @classmethod
    def restore(cls, header: dict[str, Any], arrays: dict[str, array[Any]]) -> Self:
        """The learner of a model file; ValueError, KeyError or TypeError when its parts contradict each other."""
        learner = cls._from_header(header)
        if header["state"] is not None:
            learner._restore_about(header, arrays)
            learner._restore_state(arrays, header["state"])
        return learner

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        ledger: Ledger | None = None,
        reader: dict[str, Any] | None = None,
        position: dict[str, Any] | None = None,
        assumptions: dict[str, Any] | None = None,
    ) -> int:
        """Write a model file; its size in bytes."""
        from mistakebound.core import model_file

        with self._lock:
            return model_file.write(path, *self._file_parts(ledger, reader, position, assumptions))

    def to_bytes(
        self,
        *,
        ledger: Ledger | None = None,
        reader: dict[str, Any] | None = None,
        position: dict[str, Any] | None = None,
        assumptions: dict[str, Any] | None = None,
    ) -> bytes:
        """The model file that `save` would write."""
        from mistakebound.core import model_file

        with self._lock:
            return model_file.as_bytes(*self._file_parts(ledger, reader, position, assumptions))

    def _file_parts(
        self,
        ledger: Ledger | None,
        reader: dict[str, Any] | None,
        position: dict[str, Any] | None,
        assumptions: dict[str, Any] | None,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._refuse_unsaved()
        header = self._header() | {
            "ledger": None if ledger is None else ledger.state(),
            "reader": reader,
            "position": position,
            "assumptions": assumptions or {},
        }
        arrays = self._all_arrays()
        if ledger is not None and ledger.spread is not None:
            arrays |= ledger.spread.arrays()
        return header, arrays

    def model_parts(self) -> tuple[dict[str, Any], dict[str, array[Any]]]:
        """Header and arrays of its model file, in memory; `restore` of the class takes them."""
        with self._lock:
            self._refuse_unsaved()
            header, arrays, _ = self._copied_parts()
        return header, arrays

    def model_size(self) -> int | None:
        """The bytes of the model file that `save(path)` would write, or None for a learner without one."""
        if not self.saves:
            return None
        from mistakebound.core import model_file

        about: dict[str, Any] = {"ledger": None, "reader": None, "position": None, "assumptions": {}}
        with self._lock:
            self._refuse_unsaved()
            return model_file.size(self._header() | about, self._all_arrays())

    def _refuse_unsaved(self) -> None:
        if not self.saves:
            raise BadParameter(f"{self.name} has no model file")
        self._check_free()
        self._check_saved()

    def copy(self) -> Self:
        """A learner in the same state that goes its own way from here."""
        self._check_free()
        with self._lock:
            return self._copy()

    def _copy(self) -> Self:
        if self.saves:
            return self._rebuilt(*self._copied_parts())
        from copy import deepcopy

        other = type(self).__new__(type(self))
        other.__dict__ |= deepcopy(self.__dict__, {id(self): other})
        return other

    def _sharing_copy(self, **own: Any) -> Self:
        """A copy that shares with this learner all but these attributes: what is shared must never change in its place.

        For learners whose state is one immutable value beside something large.
        """
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, _lock=new_lock(), _row=array("q", (0,)), **own)
        return other

    # What the modules copy and pickle do: buffers that a kernel writes to must not be taken apart, nor shared.

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        self._check_free()
        with self._lock:
            if self.saves:
                return self._rebuilt, self._copied_parts()
            from copyreg import __newobj__  # type: ignore[attr-defined]

            return __newobj__, (type(self),), dict(self.__dict__)

    def _copied_parts(self) -> tuple[Any, ...]:
        """All that another in the same state is made of."""
        from mistakebound.core.model_file import as_array

        arrays = self._all_arrays() if self._holds_state else {}
        copies = {name: as_array(values) for name, values in arrays.items()}
        return self._header(), copies, self._unsaved()

    @classmethod
    def _rebuilt(cls, header: dict[str, Any], arrays: dict[str, array[Any]], unsaved: dict[str, Any]) -> Self:
        learner = cls.restore(header, arrays)
        learner.__dict__ |= unsaved
        return learner
