"""Every learner that there is: found by the files of this folder, one algorithm a file.

`linear/winnow1.py` holds the learner "winnow1", class Winnow1.  Adding a file adds the learner, to the registry, the
command line, the common checks and the benchmarks alike.
"""

from __future__ import annotations

import os
from importlib import import_module

from mistakebound.core import model_file
from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.core.facts import check_fact
from mistakebound.core.fields import Fields
from mistakebound.core.ledger import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.protocol import Learner

_found: dict[str, str] = {}
# What may stand before a learner and make other attributes (core/front.py): kind -> module.
_FRONTS = {
    "conjunctions": "mistakebound.transforms.conjunctions",
    "standardized": "mistakebound.transforms.standardize",
}


def names() -> list[str]:
    """The names of all learners, in alphabetical order."""
    return sorted(_modules())


def find(name: str) -> type[Learner]:
    """The class of a learner by its name.

    >>> find("winnow1").__name__
    'Winnow1'
    >>> find("winow1")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: learner must be ... 'winow1' (did you mean winnow1?)
    """
    module = _modules().get(name)
    if module is None:
        from difflib import get_close_matches

        near = get_close_matches(name, names(), 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise BadParameter(f"learner must be one of {', '.join(names())}: {name!r}{hint}")
    found: type[Learner] = getattr(import_module(module), class_name(name))
    return found


def class_name(name: str) -> str:
    """'conjunction-elimination' -> 'ConjunctionElimination'."""
    return "".join(word.capitalize() for word in name.split("-"))


def _modules() -> dict[str, str]:
    if not _found:
        for folder in __path__:
            for group in sorted(os.listdir(folder)):
                if not group.startswith("_") and os.path.isdir(os.path.join(folder, group)):
                    for file in os.listdir(os.path.join(folder, group)):
                        stem, ending = os.path.splitext(file)
                        if ending == ".py" and not stem.startswith("_"):
                            _found[stem.replace("_", "-")] = f"{__name__}.{group}.{stem}"
    return _found


class Model:
    """What a model file holds: the learner, and how it came about."""

    __slots__ = ("assumptions", "header", "learner", "ledger", "reader")

    def __init__(self, learner: Any, header: dict[str, Any]) -> None:
        fields = Fields(header, "the header")
        self.learner = learner
        self.header = header
        saved = fields.record("ledger", none=True)
        self.ledger = None if saved is None else Ledger.restore(saved, learner.labels)
        self.reader: dict[str, Any] | None = fields.record("reader", none=True)  # settings of the stream's reader
        if self.reader is not None:
            fields.fields("reader").text("format")
        fields.record("position", none=True)
        assumed = fields.record("assumptions")
        self.assumptions = {str(name): check_fact(name, value) for name, value in assumed.items()}
        learner.all_facts(self.assumptions)


def load_model(path: str | os.PathLike[str]) -> Model:
    """The learner of a model file with its header; BadModel for anything else."""
    header, arrays = model_file.read(path)
    try:
        fields = Fields(header, "the header")
        fields.record("parameters"), fields.record("state")
        front = fields.record("front", none=True)
        if front is not None:
            import_module(_FRONTS[fields.fields("front").text("kind")])
        learner = find(fields.text("learner")).restore(header, arrays)  # type: ignore[attr-defined]
        return Model(learner, {"ledger": None, "reader": None, "assumptions": {}} | header)
    except (*model_file.SENSELESS, MistakeboundError) as error:
        raise model_file.senseless(path, error) from error


def load(path: str | os.PathLike[str]) -> Any:
    """The learner that `learner.save(path)` or `mistakebound learn --model` wrote, ready to go on."""
    return load_model(path).learner
