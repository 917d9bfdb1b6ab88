"""A plugin for pytest: which tests, run before TEST, make it fail?

    pytest --hunt-polluter tests/test_b.py::test_clean

TEST passes alone and fails after all the tests that are collected before it; a hunt finds the few that matter.  Every
run is a pytest of its own, with the same arguments, that keeps some of the tests.  Nothing is imported until the
option is used.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KEPT = "MISTAKEBOUND_HUNT_TESTS"  # names the file with the tests of a run, the one that is hunted last
_PASSED, _FAILED, _CANNOT_TELL = 0, 1, 125


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("mistakebound")
    group.addoption(
        "--hunt-polluter", metavar="TEST", help="find the tests that make TEST fail when they run before it"
    )


def pytest_configure(config: Any) -> None:
    victim = config.getoption("hunt_polluter")
    if victim is not None:
        kept = os.environ.get(_KEPT)
        config.pluginmanager.register(PolluterHunt(victim) if kept is None else OneRun(victim, kept))


class OneRun:
    """The pytest of one run: it keeps the tests that are listed, and its exit status is that of the last one."""

    def __init__(self, victim: str, kept: str) -> None:
        self._victim = victim
        self._kept = kept
        self._outcomes: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        with open(self._kept, encoding="utf-8") as file:
            names = file.read().splitlines()
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in names if name in by_name]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.nodeid == self._victim and (report.failed or report.when == "call"):
            self._outcomes.add(report.outcome)

    def pytest_sessionfinish(self, session: Any) -> None:
        passed = _PASSED if "passed" in self._outcomes else _CANNOT_TELL
        session.exitstatus = _FAILED if "failed" in self._outcomes else passed


class PolluterHunt:
    """The hunt, in place of the tests."""

    def __init__(self, victim: str) -> None:
        self._victim = victim

    def pytest_runtestloop(self, session: Any) -> bool:
        import pytest

        from mistakebound.core.errors import HuntError

        victim, names = self._victim, [item.nodeid for item in session.items]
        if victim not in names:
            raise pytest.UsageError(f"--hunt-polluter: {victim} is not among the {len(names)} collected tests")
        try:
            self._hunt(session.config, names[: names.index(victim)])
        except HuntError as error:
            said = str(error).replace("flags", "tests before it").replace("the command", victim)
            pytest.exit(said, returncode=error.exit_code)
        return True

    def _hunt(self, config: Any, before: list[str]) -> None:
        import sys

        from mistakebound.hunting.hunt import hunt
        from mistakebound.teachers.command import CommandOracle

        tell = config.pluginmanager.getplugin("terminalreporter").write_line
        words = [sys.executable, "-m", "pytest", *map(str, config.invocation_params.args), "-p", "no:cacheprovider"]
        line = f'{{ cat "$0"; printf "%s\\n" "$HUNTED"; }} > "$0.all"; {_KEPT}="$0.all" exec "$@"'
        env = {"": ("HUNTED", self._victim, self._victim)}
        oracle = CommandOracle(["sh", "-c", line, "{file}", *words], before, env=env)
        found = hunt(oracle, before, watch=lambda run, _: tell(f"run {run.number}: {len(run.on)} tests: {run.answer}"))
        tell(f"{self._victim} fails after other tests: {found.in_words()}")
        tell(" ".join(["pytest", *(name for name in before if name in found.smallest), self._victim]))
