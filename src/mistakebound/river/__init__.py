"""Classifiers for River, one for each learner of streams; needs the extra `river`.

Each has the parameters that its learner declares, and River's verbs, so that River's pipelines, scalers, metrics and
drift detectors take it.  The learner behind it is `model.learner`.

>>> from river import datasets, evaluate, metrics, preprocessing
>>> from mistakebound.river import AROW
>>> model = preprocessing.StandardScaler() | AROW()
>>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
Accuracy: 88.55%
"""

from __future__ import annotations

from mistakebound.core.params import constructor, parameter_lines
from mistakebound.learners import registry

try:
    import river  # noqa: F401
except ModuleNotFoundError as _missing:
    raise ModuleNotFoundError("mistakebound.river needs river: pip install 'mistakebound[river]'") from _missing

from mistakebound.river._classifier import RiverClassifier

_CLASSIFIERS = {registry.find(name).__name__: name for name in registry.of_streams()}
__all__ = list(_CLASSIFIERS)


def _make(name: str, learner: str) -> type[RiverClassifier]:
    """The classifier of a learner: signature and docstring come from the parameters that it declares."""
    kind = registry.find(learner)
    flags = "  A number above 0 is 1, any other 0." if kind.binary else ""
    text = [
        f"River's classifier of `mb.learners.{kind.__name__}`: {kind.summary}.{flags}",
        "",
        "Parameters",
        "----------",
        *parameter_lines(kind.parameters),
    ]
    space = {"__doc__": "\n".join(text), "__module__": __name__, "_kind": kind}
    made = type(name, (RiverClassifier,), space)
    made.__init__ = constructor(name, {p.name: p.default for p in kind.parameters})  # type: ignore[misc]
    return made


for _name, _learner in _CLASSIFIERS.items():
    globals()[_name] = _make(_name, _learner)
