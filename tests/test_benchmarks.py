"""The list of benchmarks, and the one table that is made of what they print."""

from __future__ import annotations

import importlib
import re
import runpy
from pathlib import Path
from random import Random
from typing import Any

import pytest

import mistakebound as mb


@pytest.fixture
def table(checkout: Path) -> dict[str, Any]:
    return runpy.run_path(str(checkout / "benchmarks/table.py"))


def test_every_listed_script_exists_and_has_a_claim(table: dict[str, Any], checkout: Path) -> None:
    listed = table["listed"]((checkout / "benchmarks/README.md").read_text(encoding="utf-8"))
    assert len(listed) > 20
    for script in listed:
        assert (checkout / "benchmarks" / script.name).exists(), script.name
        assert script.claim


def test_every_benchmark_that_a_page_names_exists(checkout: Path) -> None:
    for page in (checkout / "README.md", *(checkout / "docs").glob("*.md")):
        for name in re.findall(r"benchmarks/(\w+\.py)", page.read_text(encoding="utf-8")):
            assert (checkout / "benchmarks" / name).exists(), f"{page.name} names benchmarks/{name}"


def test_rows_are_what_a_script_says_by_verdict(table: dict[str, Any], checkout: Path) -> None:
    verdict = runpy.run_path(str(checkout / "benchmarks/_processes.py"))["verdict"]
    script = table["Script"]("fast.py", "speed", "a peer", "")
    output = "\n".join(["a table", verdict("a, b: c", 2.0, 2.5), verdict("size", 1.5, 1.75, at_most=True), "42"])
    rows = table["rows_of"](script, output, "this machine", "2026-11-17")
    assert rows == [
        "| a, b: c | `fast.py` | a peer | >= 2 | 2.50 | met | this machine | 2026-11-17 |",
        "| size | `fast.py` | a peer | <= 1.5 | 1.75 | missed | this machine | 2026-11-17 |",
    ]


def test_rows_of_scripts_that_were_not_run_stay(table: dict[str, Any]) -> None:
    rows = ["| x | `one.py` | p | >= 1 | 2 | met | m | d |", "| y | `two.py` | p | >= 1 | 2 | met | m | d |"]
    page = table["page_of"](rows, ["- `one.py`: the peer", "- `three.py`: no data"])
    assert table["kept"](page, {"one.py"}) == ([rows[1]], ["- `three.py`: no data"])
    assert table["kept"]("", {"one.py"}) == ([], [])


def test_a_script_without_a_row_is_run_too(table: dict[str, Any]) -> None:
    names = {script.name for script in table["unlisted"]([])}
    assert "startup.py" in names
    assert not names & {"table.py", "_processes.py"}


def test_a_script_that_fails_or_takes_too_long_is_left_out(table: dict[str, Any], tmp_path: Path) -> None:
    table["run"].__globals__["HERE"] = tmp_path
    (tmp_path / "fails.py").write_text("print('so far'); raise SystemExit(3)")
    (tmp_path / "slow.py").write_text("import time\nwhile True: print('.', flush=True); time.sleep(0.01)")
    assert table["run"](table["Script"]("fails.py", "", "", ""), 60) == ("so far\n", "ended with 3")
    assert table["run"](table["Script"]("slow.py", "", "", ""), 0.05)[1] == "stopped after 0 seconds"


def test_progressive_plays_what_learn_does(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros are values, missing ones are absent, and no label is merged with another."""
    pytest.importorskip("scipy")
    monkeypatch.syspath_prepend(str(checkout / "benchmarks"))
    sets, players = (importlib.import_module(f"_progressive_{part}") for part in ("sets", "peers"))
    draw = Random(3)
    for name, labels in (("two", "ab"), ("three", "abc")):
        rows = []
        for _ in range(80):
            size = draw.randrange(4)
            rows.append(
                f"{size},{draw.choice(['', '0', '2.5'])},{draw.choice(['x', 'y'])},{labels[size % len(labels)]}"
            )
        (tmp_path / f"{name}.csv").write_text("\n".join(["n,m,s,class", *rows]) + "\n")
    two, three = (sets.read_set(tmp_path, f"{name}.csv") for name in ("two", "three"))
    learned = mb.learn(tmp_path / "two.csv", learner="auto", labels=two.labels)
    assert (players.auto()(two).labels != two.y).sum() == learned.ledger.mistakes
    said = players.auto()(three)
    assert (len(three.labels), len(three.two().labels)) == (3, 2)
    assert said.chances.shape == (80, 3)
    assert abs(said.chances.sum(axis=1) - 1).max() < 1e-9
    assert (said.labels != three.y).mean() < 0.4


def test_progressive_gives_capymoa_nominal_attributes(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One-hot columns become one attribute, a flag has two values, and a missing value is one of its own or NaN."""
    pytest.importorskip("scipy")
    monkeypatch.syspath_prepend(str(checkout / "benchmarks"))
    sets, capymoa = (importlib.import_module(f"_progressive_{part}") for part in ("sets", "capymoa"))
    draw = Random(4)
    rows = [f"{size % 5}.5,{'xyz'[size % 3]},{draw.choice('pq')},{'ab'[size % 2]}" for size in range(60)]
    rows[7], rows[9] = ",x,p,b", "2.5,,q,b"
    (tmp_path / "table.csv").write_text("\n".join(["n,s,t,class", *rows]) + "\n")
    number, one, two = capymoa.attributes_of(sets.read_set(tmp_path, "table.csv"))
    assert (number.values, one.values, two.values) == (0, 4, 2)  # three letters and none
    assert number.column[[0, 8]].tolist() == [0.5, 3.5]
    assert (number.column != number.column).nonzero()[0].tolist() == [7]
    assert one.column[[0, 1, 2, 3, 9]].tolist() == [0, 1, 2, 0, 3]
    (tmp_path / "flags.libsvm").write_text("1 1:1 3:1\n-1 2:0.5\n" * 30)
    assert [one.values for one in capymoa.attributes_of(sets.read_set(tmp_path, "flags.libsvm"))] == [2, 2, 0]


def test_progressive_says_what_capymoa_lacks(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(checkout / "benchmarks"))
    pytest.importorskip("scipy")
    capymoa, players = (importlib.import_module(f"_progressive_{part}") for part in ("capymoa", "peers"))
    monkeypatch.setattr(capymoa, "find_spec", lambda package: None)
    assert "pip install capymoa" in capymoa.why_not()
    found, missing = players.peers()
    assert not set(found) & set(capymoa.FORESTS)
    assert sum("capymoa" in line for line in missing) == 1
    monkeypatch.setattr(capymoa, "find_spec", lambda package: package)
    monkeypatch.setattr(capymoa.shutil, "which", lambda command: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert "JVM" in capymoa.why_not()
    monkeypatch.setenv("JAVA_HOME", "java")
    assert capymoa.why_not() is None
