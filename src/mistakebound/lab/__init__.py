"""The web lab: one engine that plays games by JSON messages, and a small app with its pages (extra `serve`).

`mistakebound lab` opens it; docs/lab.md shows it.
"""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(__name__, {"lab.app": "app", "lab.engine": "Engine"})
