"""Which kernels run: the compiled ones, or the .py files that they were made from.

All or none: kernels share C functions (`cimport`), so a compiled one cannot work beside an uncompiled one.
The build leaves a record of the checksums of the sources that it compiled; where the sources here differ from
it, the compiled kernels are stale and are not used.  setup.py takes `record_name` and `checksum` from here.
"""

from __future__ import annotations

import os
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder, SourceFileLoader
from warnings import warn_explicit
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType


SHARED = "_memoryviews"  # what Cython needs for buffers, compiled once for all kernels


def record_name(suffix: str = EXTENSION_SUFFIXES[0]) -> str:
    """The record of a build, one for each kind of extension module (two Pythons may share a checkout)."""
    return f"_built{suffix}.txt"


def checksum(path: str) -> str:
    with open(path, "rb", buffering=0) as source:
        return f"{crc32(source.read()):08x}"


def kernel_names(files: list[str]) -> list[str]:
    return sorted(f[:-3] for f in files if f.endswith(".py") and not f.startswith("_"))


class Selection(FileFinder):
    """Finds the kernels of one folder; stands in `sys.path_importer_cache` for it."""

    def __init__(self, folder: str, want: str) -> None:
        if want not in ("", "source", "compiled"):
            raise ValueError(f"MISTAKEBOUND_KERNELS must be 'source' or 'compiled': {want!r}")
        super().__init__(folder, (SourceFileLoader, [".py"]))
        self.want = want
        self._uncompiled: FileFinder | None = None
        self.told = False
        self._extensions = FileFinder(folder, (ExtensionFileLoader, EXTENSION_SUFFIXES))
        self._judged = False
        self._problem: str | None = None

    def problem(self) -> str | None:
        """Why the compiled kernels cannot be used, in one line; None when they can.  Looked up once."""
        if not self._judged:
            self._problem = self._judge()
            self._judged = True
        return self._problem

    def compiled(self) -> bool:
        """Whether the kernels run compiled (all do, or none)."""
        return self.want != "source" and self.problem() is None

    def names(self) -> list[str]:
        """Every kernel, by module name."""
        return kernel_names(os.listdir(self.path))

    def recorded(self) -> dict[str, str]:
        """What the build left: the checksum of each source, and under "build" how it was built."""
        try:
            with open(f"{self.path}{os.sep}{record_name()}", "rb", buffering=0) as record:
                words = record.read().decode().split()
        except FileNotFoundError:
            return {}
        return dict(zip(words[::2], words[1::2], strict=True))

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:
        name = fullname.rpartition(".")[2]
        if name == SHARED:
            return self._extensions.find_spec(fullname, target)
        if name.startswith("_"):
            return super().find_spec(fullname, target)
        if self.compiled():
            return self._extensions.find_spec(fullname, target)
        if self.want != "source":
            self._tell()
        if self._uncompiled is None:
            from mistakebound.kernels._in_one_step import InOneStep

            self._uncompiled = FileFinder(self.path, (InOneStep, [".py"]))
        return self._uncompiled.find_spec(fullname, target)

    def _tell(self) -> None:
        if self.want == "compiled":
            raise ImportError(self._problem)
        if not self.told:
            # Of line 0, which no file has: the warning is one line, not this one and a line of source.
            warn_explicit(str(self._problem), RuntimeWarning, f"{self.path}{os.sep}__init__.py", 0)
            self.told = True

    def _judge(self) -> str | None:
        files = os.listdir(self.path)
        names, present = kernel_names(files), set(files)
        missing = [n for n in [*names, SHARED] if not any(n + suffix in present for suffix in EXTENSION_SUFFIXES)]
        if len(missing) > len(names):
            return self._sentence("are missing")
        if missing:
            return self._sentence(f"are incomplete (no {', '.join(missing)})")
        stale = self._stale(files)
        if stale:
            return self._sentence(f"are stale ({', '.join(stale)} changed since the build)")
        return None

    def _stale(self, files: list[str]) -> list[str]:
        """Sources that are not as recorded.  A wheel has no .pxd: only files that are here count."""
        recorded = self.recorded()
        sources = [f for f in files if f.endswith(".pxd") or (f.endswith(".py") and not f.startswith("_"))]
        return sorted(f for f in sources if recorded.get(f) != checksum(f"{self.path}{os.sep}{f}"))

    def _sentence(self, what: str) -> str:
        if os.path.exists(os.path.join(self.path, "..", "..", "..", "setup.py")):
            remedy = "run `make build`"
        else:
            remedy = "install a C compiler, then `pip install --force-reinstall --no-cache-dir mistakebound`"
        if self.want == "compiled":
            return f"mistakebound: the compiled kernels {what}: {remedy}"
        return (
            f"mistakebound: the compiled kernels {what}; the Python ones run instead, with the same results but about "
            f"100 times slower, and `learn` takes the learner arow where it would take auto: {remedy}"
        )
