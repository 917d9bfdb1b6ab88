"""Which kernels the tests run on, what `long` and `kernel` mean, and how hard Hypothesis tries."""

from __future__ import annotations

import gc
import importlib
import os
import random
import signal
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine and in every run.
settings.register_profile(
    "mistakebound",
    deadline=None,
    derandomize=True,
    max_examples=7,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.register_profile("long", settings.get_profile("mistakebound"), max_examples=300)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests marked `long`")
    parser.addoption("--extras", action="store_true", help="run tests/extras, which needs the extras")
    parser.addoption("--shim", action="store_true", help="hide Cython: uncompiled kernels use our shim")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    # A shell starts background work with Ctrl-C ignored, and what it starts inherits that; the tests of Ctrl-C need it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("long" if config.getoption("--long") else "mistakebound")
    if config.getoption("--shim"):
        sys.modules["cython"] = None  # type: ignore[assignment]
    import mistakebound.kernels as kernels

    problem = kernels.missing_message()
    if problem:
        raise pytest.UsageError(f"nothing is tested: {problem}")
    # Now, because pytest would import a kernel that it meets first from its .py file.
    for name in kernels.names():
        importlib.import_module(f"mistakebound.kernels.{name}")


def pytest_report_header(config: pytest.Config) -> str:
    import mistakebound.kernels as kernels

    if kernels.compiled():
        return f"kernels: compiled ({kernels.build_kind()})"
    return f"kernels: source ({'own shim' if config.getoption('--shim') else 'cython module'})"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Only `make test-extras` has installed what these tests import."""
    return True if collection_path.name == "extras" and not config.getoption("--extras") else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """A file of tests has no examples in its docstrings: they are not looked for."""
    found = yield
    return [one for one in found if type(one) is pytest.Module] if file_path.name.startswith("test_") else found


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "/kernels/" in item.nodeid.partition("::")[0]:
            item.add_marker(pytest.mark.kernel)
    if not config.getoption("--long"):
        late = {item for item in items if item.get_closest_marker("long")}
        if not config.getoption("keyword") and not any("::" in word for word in config.args):
            few = sys.maxsize if config.getoption("--extras") else FEW  # one Python runs the extras
            late |= left_out([item for item in items if item not in late], few)
        if late:
            config.hook.pytest_deselected(items=list(late))
            items[:] = [item for item in items if item not in late]


FEW = 4  # cases of a test, from which on half of them are a sample


def left_out(items: list[pytest.Item], few: int) -> set[pytest.Item]:
    """The cases that the samples do not hold; a sample is half of a test's cases, or as many as `some(count)` says.

    The oldest Python takes its half from one end of a seeded order, newer ones from the other: `.ci/run`, which takes
    the oldest and the newest, has all cases.  Tests of kernels are quick, and guard memory: none of their cases is left
    out.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    found: set[pytest.Item] = set()
    for name, all_of_it in cases.items():
        some, kernel = (all_of_it[0].get_closest_marker(marker) for marker in ("some", "kernel"))
        count = (len(all_of_it) + 1) // 2 if len(all_of_it) >= few and not kernel else len(all_of_it)
        count = some.args[0] if some else count
        random.Random(name).shuffle(all_of_it)
        found.update(all_of_it[count:] if sys.version_info < (3, 12) else all_of_it[: max(0, len(all_of_it) - count)])
    return found


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: no collection of garbage looks at it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk(long: bool) -> Generator[None]:
    """Short runs leave it to the system when their files reach the disk; whether a file is synced is told by tests."""
    with pytest.MonkeyPatch.context() as patch:
        if not long:
            patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether tests run in full (`--long`): every case, not one in turn."""
    return bool(request.config.getoption("--long"))


@pytest.fixture
def checkout() -> Path:
    """The folder that holds pyproject.toml."""
    return Path(__file__).parent.parent
