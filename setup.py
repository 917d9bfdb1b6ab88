"""Compile src/mistakebound/kernels/*.py with Cython.

Every extension is optional: with no C compiler the .py files run as they are.
MISTAKEBOUND_NO_COMPILE=1       do not compile
MISTAKEBOUND_REQUIRE_COMPILE=1  fail when a kernel does not compile
MISTAKEBOUND_CHECKED=1          with bounds checks (tests)
"""

import os
import re
import runpy
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

FOLDER = Path("src/mistakebound/kernels")
KERNELS = sorted(p for p in FOLDER.glob("*.py") if not p.name.startswith("_"))
SOURCES = [*KERNELS, *sorted(FOLDER.glob("*.pxd"))]
CHECKED = bool(os.environ.get("MISTAKEBOUND_CHECKED"))
GENERATED = Path("build/cython-checked" if CHECKED else "build/cython")
# No FMA contraction and no -ffast-math: results are the same on every machine.
# No warnings: they are about C that Cython wrote.
FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0", "-w", "-fno-math-errno", "-ffp-contract=off"]
# No loops that matter: compiled in half the time, and no slower.
COLD_FLAGS = FLAGS if sys.platform == "win32" else [*FLAGS, "-O1"]
COLD = {
    "auto", "calibration", "call_lock", "elimination", "json_names", "key_rows", "labels", "linear_single_row",
    "naive_bayes_rows", "patterns", "ranking", "single_row", "spread", "standardize", "synthetic", "threshold",
    "tree_buffers", "winnow_single_row",
}  # fmt: skip
# Directives live here, not in the kernels' headers: a header would win over MISTAKEBOUND_CHECKED.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "autotestdict": False,
    "warn.unreachable": False,  # what only uncompiled kernels run stands behind `if cython.compiled`
    "show_performance_hints": False,
}

selection = runpy.run_path(str(FOLDER / "_selection.py"))
checksum = selection["checksum"]
# Taken before anything is compiled: a source that is edited meanwhile differs from the record, as it should.
CHECKSUMS = {p.name: checksum(str(p)) for p in SOURCES}


def made_from(kernel: Path) -> set[str]:
    """The files that a kernel is compiled from: itself and every .pxd that it reaches."""
    found, left = set(), [kernel.name, f"{kernel.stem}.pxd"]
    while left:
        name = left.pop()
        if name in CHECKSUMS and name not in found:
            found.add(name)
            imports = re.findall(r"[^\n]*cimport[^\n(]*(?:\([^)]*\))?", (FOLDER / name).read_text())
            left += [f"{word}.pxd" for line in imports for word in re.findall(r"\w+", line)]
    return found


def forget_changed() -> dict[Path, str]:
    """Drop generated C whose source is not what it was made from: file times do not tell after a copy."""
    import Cython

    common = f"{Cython.__version__} {checksum('setup.py')}"
    notes = {
        GENERATED / p.with_suffix(".made-from"): " ".join([common, *(CHECKSUMS[name] for name in sorted(made_from(p)))])
        for p in KERNELS
    }
    for note, state in notes.items():
        if not note.exists() or note.read_text() != state:
            note.with_suffix(".c").unlink(missing_ok=True)
            note.unlink(missing_ok=True)
    return notes


def compiles() -> bool:
    """Whether there is a C compiler that works, and Python's headers: tried before Cython writes C for nobody."""
    from distutils.ccompiler import new_compiler
    from distutils.sysconfig import customize_compiler, get_python_inc

    compiler = new_compiler()
    customize_compiler(compiler)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "trial.c")
        source.write_text("#include <Python.h>\nint trial(void) { return 0; }\n")
        try:
            includes = [get_python_inc(), get_python_inc(plat_specific=True)]
            compiler.compile([str(source)], output_dir=folder, include_dirs=includes)
        except Exception as problem:
            print(f"the kernels stay uncompiled, because no C compiler works here: {problem}", file=sys.stderr)
            return False
    return True


def extensions() -> list[Extension]:
    if os.environ.get("MISTAKEBOUND_NO_COMPILE"):
        return []
    if not os.environ.get("MISTAKEBOUND_REQUIRE_COMPILE") and not compiles():
        return []
    from Cython.Build import cythonize

    notes = forget_changed()
    module = "mistakebound.kernels."
    # Cython's code for buffers once, not in every kernel: a third of the compile time, and smaller files.
    shared = module + selection["SHARED"]
    made: list[Extension] = cythonize(
        [
            *(
                Extension(module + p.stem, [p.as_posix()], extra_compile_args=COLD_FLAGS if p.stem in COLD else FLAGS)
                for p in KERNELS
            ),
            Extension(shared, [selection["SHARED"] + ".c"], extra_compile_args=COLD_FLAGS),
        ],
        shared_utility_qualified_name=shared,
        build_dir=GENERATED.as_posix(),
        include_path=["src"],
        nthreads=min(2, os.cpu_count() or 1),
        compiler_directives=DIRECTIVES,
        quiet=True,
    )
    for note, state in notes.items():
        note.write_text(state)
    for extension in made:  # cythonize() returns new objects and forgets optional=True
        extension.optional = not os.environ.get("MISTAKEBOUND_REQUIRE_COMPILE")
    return made


class BuildKernels(build_ext):
    """Builds two at a time and leaves the record by which a stale kernel is noticed."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or min(2, os.cpu_count() or 1)
        self.built: list[str] = []

    def run(self) -> None:
        folder = FOLDER if self.inplace else Path(self.build_lib, "mistakebound/kernels")
        record = folder / selection["record_name"]()
        record.unlink(missing_ok=True)
        super().run()
        failed = {p.name for p in KERNELS if f"mistakebound.kernels.{p.stem}" not in self.built}
        lines = [f"{name} {crc}\n" for name, crc in CHECKSUMS.items() if name not in failed]
        folder.mkdir(parents=True, exist_ok=True)
        record.write_text("".join([f"build {'bounds-checked' if CHECKED else 'plain'}\n", *lines]))

    def build_extension(self, ext: Extension) -> None:
        super().build_extension(ext)
        self.built.append(ext.name)


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels})
