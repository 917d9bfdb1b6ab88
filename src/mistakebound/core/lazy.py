"""Public names that are imported when they are first used, written once for every public module.

A public module says at run time where its names live, and a stub beside it (`.pyi`) says the same to type checkers and
editors; tests/test_public_names.py compares the two.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any


def public(
    module: str, homes: Mapping[str, str], submodules: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a public module.

    `homes` has the names, with spaces between them, by the module of this package that defines them; `submodules` are
    public modules of `module`.

    >>> find, names, _ = public("mistakebound.theory", {"theory.vc": "shatters vc_dimension"})
    >>> names()
    ['shatters', 'vc_dimension']
    >>> find("vc_dimension").__module__
    'mistakebound.theory.vc'
    """
    root = module.partition(".")[0]
    places = {name: f"{root}.{home}" for home, names in homes.items() for name in names.split()}
    packages = submodules.split()
    listed = sorted([*places, *packages])

    def find(name: str) -> Any:
        from importlib import import_module

        if name in places:
            value = getattr(import_module(places[name]), name)
        elif name in packages:
            value = import_module(f"{module}.{name}")
        else:
            raise AttributeError(f"module {module!r} has no attribute {name!r}{_hint(name, module, packages)}")
        setattr(sys.modules[module], name, value)
        return value

    return find, lambda: list(listed), listed


def _hint(name: str, module: str, packages: Iterable[str]) -> str:
    """Where a name is that is not here but in one of the public submodules."""
    from importlib import import_module

    if not name.startswith("_"):
        for package in packages:
            if name in import_module(f"{module}.{package}").__all__:
                return f"; it is {module}.{package}.{name}"
    return ""
