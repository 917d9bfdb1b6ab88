"""zstd as tests write it: the standard library's module from Python 3.14 on, its backport before."""

from __future__ import annotations

try:
    from compression import zstd
except ImportError:
    from backports import zstd

__all__ = ["zstd"]
