"""Exercises that mark themselves: `mb.course.check("winnow-3", answer)`, with hints.  docs/course has the notebooks."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(__name__, {"course.marking": "Exercise Mark check exercises hint"})
