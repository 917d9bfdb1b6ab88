"""Files changed by their structure, in a process of its own, used by every command; and each finding as a test."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import mistakebound as mb
from fuzz import samples, structures
from mistakebound.core.errors import MistakeboundError
from mistakebound.io import open_stream
from mistakebound.io.cache_maker import make_cache
from mistakebound.learners.ensemble._saved_state import SavedState

CHILD = Path(__file__).parent / "structure_child.py"
SHORT = {"models": 8, "checkpoints": 8, "caches": 6, "logs": 12, "rows": 6}
LONG = {"models": 4_000, "checkpoints": 2_000, "caches": 2_000, "logs": 1_000, "rows": 1_000}


def cases() -> list[object]:
    short = [(kind, count, 1) for kind, count in SHORT.items()]
    return [*short, *(pytest.param(kind, count, 2, marks=pytest.mark.long) for kind, count in LONG.items())]


@pytest.mark.parametrize(("kind", "count", "seed"), cases())
def test_a_changed_file_is_used_or_refused_in_a_few_words(kind: str, count: int, seed: int, tmp_path: Path) -> None:
    command = [sys.executable, str(CHILD), kind, str(count), str(seed), "--keep", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000, check=False)
    said = "\n".join(line for line in done.stdout.splitlines() if not line[5:].isdecimal())
    crashed = f"it died in {done.stdout.splitlines()[-1]} of seed {seed}" if done.returncode not in (0, 1) else ""
    assert done.returncode == 0, f"{crashed}\n{said[-5000:]}\n{done.stderr[-3000:]}"
    assert f"{count} files changed" in said
    print(said)


def test_the_same_seed_makes_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a file that is taken apart and put together is the same file."""
    made = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        samples.files(Path())
        one_of_each = [next(make(Path())) for make in samples.KINDS.values()]
        draw = random.Random(5)
        made.append([structures.changed(s.kind, s.data, s.data, draw) for s in one_of_each for _ in range(40)])
        cache = next(s.data for s in one_of_each if s.kind == "caches")
        assert structures.Cache(cache).whole() == cache
    assert made[0] == made[1]
    assert len({data for _, data in made[0]}) > 140


def crafted(tmp_path: Path, kind: str, name: str) -> samples.Sample:
    samples.files(tmp_path)
    return next(sample for sample in samples.KINDS[kind](tmp_path) if sample.name == name)


def refused(sample: samples.Sample, data: bytes, folder: Path, code: int) -> str:
    """What is said by every command that takes the file, each of which ends with this code, or 0, in one line."""
    path = folder / "crafted"
    found = ""
    for command in sample.commands:
        if command[0] != samples.IN_PYTHON:
            path.write_bytes(data)
            got, _, err = samples.quietly(*(samples.placed(word, path, folder) for word in command))
            assert got in (0, code), (command, err)
            assert (err.count("\n") <= 2, len(err) < 800 + 2 * len(str(path))) == (True, True), (command, err)
            found += err if got else ""
    assert found, "nobody refused it"
    return found


def header_with(data: bytes, path: str, value: object) -> bytes:
    """A model file in whose header the field at a/b/c is another."""
    header, arrays = structures.parts(data)
    *way, last = path.split("/")
    inner = header
    for step in way:
        inner = inner[step]
    inner[last] = value
    return structures.whole(data, header, arrays, structures.as_json)


HEADERS = [
    ("arow", "labels/spelling", [{"a": 1}, "1"]), ("arow", "labels/spelling", ["0"]),
    ("arow", "labels/negative", 1), ("arow", "labels/positive", [1]),
    ("arow", "ledger/inconsistency", {"line": 1}), ("arow", "ledger/pairs", [[[], 1, 0]]),
    ("arow", "ledger/seed", "x"), ("arow", "ledger/start", {"used": []}), ("arow", "position", "here"),
    ("arow", "state", "x" * 200_000), ("arow", "reader", ["libsvm"]), ("arow", "reader/format", "y" * 200_000),
    ("arow", "parameters/r", "x" * 200_000), ("arow", "learner", "z" * 200_000), ("arow", "learner", ["arow"]),
    ("arow", "parameters", "@deep list@"), ("arow", "assumptions", "@5000 digits@"), ("arow", "costs", "@1e400@"),
    ("pairs", "state", {}), ("pairs", "state/inner", "winnow2"), ("pairs", "parameters/cross", 10**30),
    ("pairs", "state/inner/learner", ["winnow2"]), ("pairs", "state/inner/state", None),
    ("halving", "parameters/concepts", "intervals m=99999999999999999999"),
    ("halving", "parameters/concepts", "r-of-k n=1000000 r=2 k=500000"), ("tree", "columns", [["n", "numeric"]]),
    ("tree", "classes", [[]]), ("network", "state", None), ("bayes", "state/class_prior", 5),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "value"), HEADERS)
def test_crafted_headers(name: str, path: str, value: object, tmp_path: Path) -> None:
    words, sample = samples.LEARNED.get(name), None
    samples.files(tmp_path)
    wanted = {name: words} if words else {}
    tables = {} if words else {name: samples.TABLES[name]}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(samples, "LEARNED", wanted)
        patched.setattr(samples, "TABLES", tables)
        sample = next(samples.models(tmp_path))
    said = refused(sample, header_with(sample.data, path, value), tmp_path, 2 if path == "reader/format" else 4)
    assert str(tmp_path / "crafted") in said or path == "reader/format"


def test_naive_bayes_that_has_seen_nothing(tmp_path: Path) -> None:
    """It divided by the number of its examples."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(samples, "LEARNED", {})
        patched.setattr(samples, "TABLES", {"bayes": samples.TABLES["bayes"]})
        sample = crafted(tmp_path, "models", "bayes")
    header, arrays = structures.parts(sample.data)
    place = [name for name, _, _ in header["arrays"]].index("classes")
    arrays[place] = bytes(len(arrays[place]))
    assert "no examples, or too many" in refused(sample, structures.whole(sample.data, header, arrays), tmp_path, 4)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("run/mistakes", [5] * 9), ("run/pass", 4), ("run/before", 10**9), ("run/of", None), ("run/sources", [3]),
        ("run/over", "no"), ("run/skipped", -1), ("rows", "x"), ("file", 10**6), ("source", ["a"]), ("offset", -1),
        ("run/holdout", {}), ("run/window", "@deep object@"),
    ],
)  # fmt: skip
def test_crafted_checkpoints(path: str, value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More counts of mistakes than passes had no end."""
    monkeypatch.setattr(samples, "RUNS", {"passes": samples.RUNS["passes"]})
    sample = crafted(tmp_path, "checkpoints", "passes")
    sample.commands = sample.commands[:1]
    code = 1 if path == "file" else 4
    refused(sample, header_with(sample.data, f"position/{path}", value), tmp_path, code)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("settings", None), ("settings", {"format": "x" * 200_000}), ("sources", [1]), ("sources", [{"name": 5}]),
        ("skipped", 3), ("skipped_lines", [[1, 2]]), ("collisions", {"bits": 1.5}), ("collisions", [1]),
        ("identity", "x"), ("asked", "y"), ("rows", -1), ("settings", "@deep list@"),
    ],
)  # fmt: skip
def test_crafted_caches(field: str, value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "CACHED", {"of ids": samples.CACHED["of ids"]})
    sample = crafted(tmp_path, "caches", "of ids")
    cache = structures.Cache(sample.data)
    cache.footer[field] = value
    assert "is not a cache that this program could have written" in refused(sample, cache.whole(), tmp_path, 1)


def test_crafted_names_in_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that are no UTF-8, each by itself or only where they are cut."""
    monkeypatch.setattr(samples, "CACHED", {"of words": samples.CACHED["of words"]})
    sample = crafted(tmp_path, "caches", "of words")
    for old, new in ((b"free", b"fr\xffe"), (b"lunch", b"lunc\xc3"), ("é".encode(), b"\xa9\xc3")):
        cache = structures.Cache(sample.data)
        assert any(old in block for block in cache.blocks)
        cache.blocks = [bytearray(bytes(block).replace(old, new)) for block in cache.blocks]
        assert "is damaged" in refused(sample, cache.whole(), tmp_path, 3)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (0, b'{"hunt": ' + b"[" * 100_000), (2, b"[" * 100_000), (2, b'{"a":' * 100_000),
        (0, b'{"hunt": ' + b"9" * 5000 + b"}"),
        (2, b'{"run": 1, "answer": "good", "on": [], "seconds": "x"}'),
        (2, b'{"run": 1, "answer": "good", "on": [], "output": 5}'),
    ],
)  # fmt: skip
def test_crafted_logs(line: int, text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "HUNTS", {"any": samples.HUNTS["any"]})
    sample = crafted(tmp_path, "logs", "any")
    lines = sample.data.splitlines(keepends=True)
    lines[line] = text + b"\n"
    assert f"crafted:{line + 1}: " in refused(sample, b"".join(lines), tmp_path, 3)


@pytest.mark.parametrize("kind", [7, None, "tiny", {"nominal": 1}])
def test_a_cache_with_unknown_kinds_of_columns_is_refused(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,0\n2,1\n")
    cache = tmp_path / "t.mbcache"
    with open_stream([str(path)]) as stream:
        make_cache(str(cache), [str(path)], {"format": "auto"}, stream, 1, None)
    parts = structures.Cache(cache.read_bytes())
    parts.footer["settings"]["kinds"]["a"] = kind
    cache.write_bytes(parts.whole())
    with pytest.raises(MistakeboundError, match="not a cache that this program could have written: kinds must say"):
        open_stream(str(cache))


def test_a_cache_that_promises_an_order_keeps_it(tmp_path: Path) -> None:
    path, cache = tmp_path / "t.svm", tmp_path / "t.mbcache"
    path.write_text("1 3:1 5:1\n0 2:1 9:1\n")
    with open_stream([str(path)]) as stream:
        make_cache(str(cache), [str(path)], {"format": "auto"}, stream, 1, None)
    parts = structures.Cache(cache.read_bytes())
    parts.blocks[0] = parts.blocks[0].replace(bytes([3, 5, 2, 9]), bytes([3, 3, 2, 9]))
    cache.write_bytes(parts.whole())
    with pytest.raises(MistakeboundError, match="block 1 of the cache is damaged"):
        list(open_stream(str(cache)))


def test_what_is_frozen_is_not_put_back() -> None:
    """An ensemble may hold a concept class, which nobody can set."""
    learner = mb.learners.Gibbs("monotone-disjunctions n=4 k=2", noise=0.1)
    undo = SavedState([learner], mb.Perceptron().attributes)
    before = learner.hypothesis
    learner.learn_one([1, 0, 0, 1], 1)
    undo.back()
    assert learner.hypothesis == before


def test_means_without_columns_of_a_file_explain_no_row(tmp_path: Path) -> None:
    rows = tmp_path / "t.csv"
    rows.write_text("a,b\n1,2\n1.1,2.2\n5,6\n")
    learner = mb.learn(rows, learner="gaussian-means", parameters={"k": 2, "variance": 1.0}).learner
    assert learner.columns is not None
    learner.save(tmp_path / "m.mb")
    with pytest.raises(mb.BadParameter, match="a model of gaussian-means takes no files; use it from Python"):
        mb.load(tmp_path / "m.mb").explain({"a": 1.0})
