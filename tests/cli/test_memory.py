"""How much memory commands take: a child's own peak, and what it says when there is not enough."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mistakebound.streams.lines import LONGEST_LINE

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's account of memory")

MEGA = 1 << 20
# Linux counts the parent's memory into ru_maxrss of a new process, and the parent may be a large one.
CHILD = """
import resource, sys, time
limit = int(sys.argv[1])
if limit:
    with open("/proc/self/status") as status:
        used = next(1024 * int(line.split()[1]) for line in status if line.startswith("VmSize"))
    resource.setrlimit(resource.RLIMIT_AS, (used + limit, used + limit))
from mistakebound.cli import main
code, words, more = 0, sys.argv[2:], True
while more:  # several commands, with + between them
    end = words.index("+") if "+" in words else len(words)
    more, code, words = end < len(words), max(code, main(words[:end])), words[end + 1 :]
times = resource.getrusage(resource.RUSAGE_SELF)
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print("child", 1024 * peak, times.ru_utime + times.ru_stime, file=sys.stderr)
sys.exit(code)
"""


class Done:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        *said, child = err.splitlines()
        assert child.startswith("child"), err[-3000:]
        self.said = "\n".join(said)
        self.peak, self.seconds = int(child.split()[1]), float(child.split()[2])


def run(*words: object, limit: int = 0, stdin: Path | None = None) -> Done:
    """A command in a process of its own; with `limit` it may have so many bytes more than Python itself."""
    child = [sys.executable, "-c", CHILD, str(limit), *map(str, words)]
    with open(stdin or "/dev/null", "rb") as file:
        done = subprocess.run(child, stdin=file, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


# Loading a model.


def names_file(path: Path, count: int) -> None:
    lines = (f"{1 if k % 40 else -1} | {' '.join(f'name{j}' for j in range(k, k + 20))}\n" for k in range(0, count, 20))
    with open(path, "w") as file:
        file.writelines(lines)


def check_load(folder: Path, learner: str, count: int) -> None:
    rows, one, model = folder / "rows.vw", folder / "one.vw", folder / "model.mb"
    names_file(rows, count)
    one.write_text("| name7 name9\n")
    learned = run("learn", rows, "--learner", learner, "--model", model, "--threads", "1", "--quiet", "--json")
    loaded = run("predict", model, one)
    assert (learned.code, loaded.code) == (0, 0)
    assert loaded.peak <= 1.02 * learned.peak
    assert loaded.seconds <= learned.seconds


def test_loading_takes_no_more_memory_and_time_than_learning(tmp_path: Path) -> None:
    check_load(tmp_path, "perceptron", 300_000)


@pytest.mark.long
@pytest.mark.parametrize("learner", ["perceptron", "winnow2", "arow", "balanced-winnow", "averaged-perceptron"])
def test_loading_five_million_names(learner: str, tmp_path: Path) -> None:
    check_load(tmp_path, learner, 5_000_000)


# Lines without an end, and lines without number: a few compressed bytes may be gigabytes of text.


def zstd_open(path: Path) -> Any:
    try:
        from compression import zstd
    except ImportError:
        zstd = pytest.importorskip("backports.zstd")
    return zstd.open(path, "wb")


PACKED: dict[str, Callable[[Path], Any]] = {
    "": lambda path: path.open("wb"),
    ".gz": lambda path: gzip.GzipFile(path, "wb", 1),
    ".zst": zstd_open,
}
# The rows before the line, how it begins, and what is in it.
LINES = {
    "svm": (b"1 1:1\n", b"1 ", b"7:1 "),
    "vw": (b"1 | a\n", b"1 |", b" b"),
    "csv": (b"y,a\n1,b\n", b"1,", b"aaaa"),
    "jsonl": (b'{"y":1,"a":1}\n', b'{"y":1,"a":"', b"aaaa"),
    "txt": (b"1\ta b\n", b"1\t", b"aa b"),
    "arff": (b"@relation r\n@attribute y {0,1}\n@attribute a string\n@data\n1,b\n", b"1,", b"aaaa"),
}
LABEL = {"csv": ["--label", "y"], "jsonl": ["--label", "y"], "arff": ["--label", "y"], "txt": ["--format", "text"]}


def write_line(folder: Path, kind: str, packed: str, size: int) -> Path:
    path = folder / f"line.{kind}{packed}"
    before, start, part = LINES[kind]
    with PACKED[packed](path) as file:
        file.write(before + start)
        for _ in range(size // MEGA):
            file.write(part * (MEGA // len(part)))
        file.write(b"\n" + before)
    return path


def check_lines(folder: Path, cases: list[tuple[str, str]], size: int) -> None:
    paths = {case: write_line(folder, *case, size) for case in cases}
    words: list[object] = []
    for (kind, _), path in paths.items():
        words += ["learn", path, *LABEL.get(kind, []), "--quiet", "--json", "+"]
    done = run(*words[:-1])
    assert done.code == 3
    assert done.out == ""
    for ((kind, _), path), line in zip(paths.items(), done.said.splitlines(), strict=True):
        number = len(LINES[kind][0].splitlines()) + 1
        assert line.startswith(f"mistakebound: {path}:{number}: the ")
        assert "longer than" in line
    assert done.peak < 256 * MEGA


def test_a_line_without_end_is_refused_in_little_memory(tmp_path: Path) -> None:
    cases = [("svm", ""), ("svm", ".gz"), ("svm", ".zst"), ("vw", ".gz")]
    cases += [("csv", ".gz"), ("jsonl", ".gz"), ("txt", ".zst"), ("arff", ".gz")]
    check_lines(tmp_path, cases, LONGEST_LINE + 8 * MEGA)


def test_a_line_without_end_on_standard_input(tmp_path: Path) -> None:
    path = write_line(tmp_path, "svm", ".gz", LONGEST_LINE + 8 * MEGA)
    done = run("learn", "-", "--quiet", "--json", stdin=path)
    assert done.code == 3
    assert done.said == f"mistakebound: <stdin>:2: the line is longer than {LONGEST_LINE} bytes"
    assert done.peak < 256 * MEGA


@pytest.mark.long
@pytest.mark.parametrize("packed", PACKED)
def test_a_line_of_two_gigabytes(packed: str, tmp_path: Path) -> None:
    check_lines(tmp_path, [(kind, packed) for kind in LINES], 2048 * MEGA)


def check_many_lines(folder: Path, kind: str, packed: str, size: int, behind: bytes = b"") -> None:
    path = folder / f"lines.{kind}{packed}"
    before, start, part = LINES[kind]
    line = start + part + behind + (b'"}\n' if kind == "jsonl" else b"\n")
    with PACKED[packed](path) as file:
        file.write(before)
        for _ in range(size // MEGA):
            file.write(line * (MEGA // len(line)))
    done = run("learn", path, *LABEL.get(kind, []), "--labels", "0,1", "--quiet", "--json")
    assert done.code == 0, done.said
    assert done.peak < 256 * MEGA


def test_many_lines_are_streamed(tmp_path: Path) -> None:
    check_many_lines(tmp_path, "svm", ".gz", 256 * MEGA, b"#" + bytes(1000))


@pytest.mark.long
@pytest.mark.parametrize("packed", [".gz", ".zst"])
@pytest.mark.parametrize("kind", LINES)
def test_many_lines_of_every_format_are_streamed(kind: str, packed: str, tmp_path: Path) -> None:
    check_many_lines(tmp_path, kind, packed, 512 * MEGA)
