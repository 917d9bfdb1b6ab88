"""The live line: what it says, and that nobody is bothered with it who does not look."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.rows import write_rows
from mistakebound.cli.progress import Progress


class FakeReader:
    name = "a-very-long-name-of-a-stream.svm"
    done = rows = 0

    def progress(self) -> tuple[int, int | None]:
        return self.done, 1000


def test_counts_and_recent_error() -> None:
    ledger: Any = SimpleNamespace(trials=500, mistakes=40)
    reader = FakeReader()
    bar = Progress(reader, ledger)
    try:
        for block in range(40):
            ledger.trials += 100
            ledger.mistakes += 10 if block < 20 else 1
            reader.done += 20
            bar.update()
    finally:
        bar.close()
    assert re.fullmatch(r"4,000 rows, [\d,.kM]+/s, 260 mistakes, 1\.00 % lately", bar.counts()[0]), bar.counts()


def test_rows_held_out_and_streams_without_a_ledger() -> None:
    ledger: Any = SimpleNamespace(trials=0, mistakes=0)
    bar = Progress(FakeReader(), ledger, holdout=SimpleNamespace(error_rate=0.0345))
    bar.close()
    assert bar.counts()[0].endswith("0 mistakes, 3.45 % held out")
    reader = FakeReader()
    bar = Progress(reader, None, "caching")
    reader.rows = 77
    bar.close()
    assert re.fullmatch(r"77 rows, [\d,.kM]+/s", bar.counts()[0])


def test_the_time_left_is_that_of_all_passes() -> None:
    reader, ledger = FakeReader(), SimpleNamespace(trials=0, mistakes=0)
    bar = Progress(reader, ledger, pass_number=3, passes=4)
    reader.done = 500
    bar.close()
    (task,) = bar._bar._bar.tasks
    assert (task.completed, task.total) == (2500, 4000)
    assert task.description.startswith("3/4")


def test_nothing_is_imported_or_shown_where_nobody_looks(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in [name for name in sys.modules if name == "mistakebound.cli.progress"]:
        monkeypatch.delitem(sys.modules, name)
    path = write_rows(tmp_path / "rows.svm", 50)
    assert run("learn", path, "--passes", 2, "--cache", "--shuffle", "--json").err == ""
    assert "mistakebound.cli.progress" not in sys.modules
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run("learn", path, "--passes", 2, "--cache", "--shuffle", "--json", "--quiet").err == ""
    assert "mistakebound.cli.progress" not in sys.modules
    assert run("learn", path, "--passes", 2, "--holdout", "1/5", "--json").json["trials"] > 0
    assert "mistakebound.cli.progress" in sys.modules


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 200])
@pytest.mark.parametrize(("turns", "hours"), [(1, False), (3, False), (12, True)])
def test_the_line_fits_into_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, turns: int, hours: bool
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    ledger: Any = SimpleNamespace(trials=0, mistakes=0)
    reader = FakeReader()
    bar = Progress(reader, ledger, holdout=SimpleNamespace(error_rate=0.2345), pass_number=turns, passes=turns)
    try:
        progress = bar._bar._bar
        if hours:
            (task,) = progress.tasks
            task.start_time = progress.get_time() - 9 * 3600
        ledger.trials, ledger.mistakes, reader.done = 99_999, 12_345, 350
        bar.update()
        with progress.console.capture() as capture:
            progress.console.print(progress.get_renderable())
    finally:
        bar.close()
    (line,) = capture.get().splitlines()
    assert len(line.rstrip()) <= columns
    assert "…" not in line, line
    counts = " ".join(line.split())
    if columns >= 80 or turns > 1:
        assert counts.startswith("a-ver" if turns == 1 else f"{turns}/{turns}")
    assert re.search(r"12\.3k|12,345", counts)
    assert "12.3" in counts
    if columns >= 60 and turns < 12:
        assert re.search(r"\b(100k|99,999)\b.*/s.*12.3.*23.4", counts), line
    assert ("held out" in counts) == (columns >= 100)
