"""How much memory commands take: a child's own peak, and what it says when there is not enough."""

from __future__ import annotations

import errno
import gzip
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather

import mistakebound as mb
from mistakebound.cli import OUT_OF_MEMORY, main
from mistakebound.io.interpreted import InterpretedChunk
from mistakebound.io.source import LONGEST_LINE

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's account of memory")

MEGA = 1 << 20
# Linux counts the parent's memory into ru_maxrss of a new process, and the parent may be a large one.
CHILD = """
import os, resource, sys
limit, loaded = int(sys.argv[1]), sys.argv[2]
for module in filter(None, loaded.split(",")):
    __import__(module)
if "pyarrow" in sys.modules:  # whose threads start with the first file: where they cannot, Arrow ends the process
    import pyarrow as pa
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, pa.schema([])):
        pass
    pa.ipc.open_file(sink.getvalue())
    sys.modules["pyarrow.csv"].read_csv(pa.BufferReader(b"a,b\\n1,2\\n"))
if limit:
    with open("/proc/self/status") as status:
        used = next(1024 * int(line.split()[1]) for line in status if line.startswith("VmSize"))
    resource.setrlimit(resource.RLIMIT_AS, (used + limit, used + limit))
from mistakebound.cli import main
code, words, more = 0, sys.argv[3:], True
while more:  # several commands, with + between them
    end = words.index("+") if "+" in words else len(words)
    more, code, words = end < len(words), max(code, main(words[:end])), words[end + 1 :]
times = resource.getrusage(resource.RUSAGE_SELF)
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print("child", 1024 * peak, times.ru_utime + times.ru_stime, file=sys.stderr)
sys.stdout.flush()
os._exit(code)  # as the command line ends: libraries that are torn down may ask for more memory
"""


class Done:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        *said, child = err.splitlines()
        assert child.startswith("child"), err[-3000:]
        self.said = "\n".join(said)
        self.peak, self.seconds = int(child.split()[1]), float(child.split()[2])


def run(*words: object, limit: int = 0, loaded: str = "", stdin: Path | None = None) -> Done:
    """A command in a process of its own; with `limit` it may have so many bytes more than with some modules loaded."""
    child = [sys.executable, "-c", CHILD, str(limit), loaded, *map(str, words)]
    with open(stdin or "/dev/null", "rb") as file:
        done = subprocess.run(child, stdin=file, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


# Loading a model.


def names_file(path: Path, count: int) -> None:
    lines = (f"{1 if k % 40 else -1} | {' '.join(f'name{j}' for j in range(k, k + 20))}\n" for k in range(0, count, 20))
    with open(path, "w") as file:
        file.writelines(lines)


def learned_names(folder: Path, learner: str, count: int) -> Done:
    names_file(folder / "rows.vw", count)
    words = ["--model", folder / "model.mb", "--threads", "1", "--quiet", "--json"]
    done = run("learn", folder / "rows.vw", "--learner", learner, *words)
    assert done.code == 0
    return done


def check_load(folder: Path, learned: Done) -> None:
    one = folder / "one.vw"
    one.write_text("| name7 name9\n")
    loaded = run("predict", folder / "model.mb", one)
    assert loaded.code == 0
    assert loaded.peak <= 1.02 * learned.peak
    assert loaded.seconds <= learned.seconds


@pytest.fixture(scope="module")
def many_names(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    """A folder with rows of very many names and their model, and how they were learned."""
    folder = tmp_path_factory.mktemp("names")
    return folder, learned_names(folder, "perceptron", 300_000)


def test_loading_takes_no_more_memory_and_time_than_learning(many_names: tuple[Path, Done]) -> None:
    check_load(*many_names)


@pytest.mark.long
@pytest.mark.parametrize("learner", ["perceptron", "winnow2", "arow", "balanced-winnow", "averaged-perceptron"])
def test_loading_five_million_names(learner: str, tmp_path: Path) -> None:
    check_load(tmp_path, learned_names(tmp_path, learner, 5_000_000))


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
SHORTER = InterpretedChunk.longest
_NOISE = 16 * MEGA  # by which peaks of the same work differ: how many chunks are filled at once is up to the threads
LONGEST = {
    "svm": LONGEST_LINE,
    "vw": LONGEST_LINE,
    "csv": LONGEST_LINE,
    "jsonl": SHORTER,
    "txt": SHORTER,
    "arff": SHORTER,
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


def check_lines(folder: Path, cases: list[tuple[str, str]], beyond: int) -> int:
    """The lines are refused, each with its number, in little memory: how much it was at most."""
    paths = {case: write_line(folder, *case, LONGEST[case[0]] + beyond) for case in cases}
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
    return done.peak


def test_a_line_without_end_is_refused_in_little_memory(tmp_path: Path, long: bool) -> None:
    cases = [("svm", ".zst"), ("jsonl", ".gz"), ("vw", ""), ("txt", ".zst"), ("arff", ".gz")][: 5 if long else 2]
    assert check_lines(tmp_path, cases, 4 * MEGA) < 256 * MEGA


def test_a_line_without_end_on_standard_input(tmp_path: Path) -> None:
    path = write_line(tmp_path, "svm", ".gz", LONGEST_LINE + 8 * MEGA)
    done = run("learn", "-", "--quiet", "--json", stdin=path)
    assert done.code == 3
    assert done.said == f"mistakebound: <stdin>:2: the line is longer than {LONGEST_LINE} bytes"
    assert done.peak < 256 * MEGA


@pytest.mark.long
@pytest.mark.parametrize("packed", PACKED)
def test_lines_of_a_gigabyte(packed: str, tmp_path: Path) -> None:
    """A line that is much longer takes no more memory than one that is a little too long."""
    for kind in LINES:
        near = check_lines(tmp_path, [(kind, packed)], MEGA)
        far = check_lines(tmp_path, [(kind, packed)], 1024 * MEGA if packed else 64 * MEGA)
        assert far < min(near, 256 * MEGA) + _NOISE, kind


def peak_of_many_lines(folder: Path, kind: str, packed: str, size: int, behind: bytes = b"") -> int:
    path = folder / f"lines.{kind}{packed}"
    before, start, part = LINES[kind]
    line = start + part + behind + (b'"}\n' if kind == "jsonl" else b"\n")
    with PACKED[packed](path) as file:
        file.write(before)
        for _ in range(size // MEGA):
            file.write(line * (MEGA // len(line)))
    done = run("learn", path, *LABEL.get(kind, []), "--fast", "--labels", "0,1", "--quiet", "--json")
    assert done.code == 0, done.said
    return done.peak


def test_many_lines_are_streamed(tmp_path: Path) -> None:
    assert peak_of_many_lines(tmp_path, "svm", ".gz", 128 * MEGA, b"#" + bytes(2000)) < 100 * MEGA


@pytest.mark.long
@pytest.mark.parametrize("packed", [".gz", ".zst"])
@pytest.mark.parametrize("kind", LINES)
def test_many_lines_of_every_format_are_streamed(kind: str, packed: str, tmp_path: Path) -> None:
    """A file of several times the size takes no more memory."""
    small, large = (64, 256) if kind in ("svm", "vw", "csv") else (16, 64)  # the others are taken apart in Python
    peaks = [peak_of_many_lines(tmp_path, kind, packed, size * MEGA) for size in (small, large)]
    assert peaks[1] < peaks[0] + 16 * MEGA
    assert peaks[1] < 200 * MEGA


# When there is not enough.

LIBRARIES = "numpy,pyarrow,pyarrow.csv,pyarrow.parquet,pyarrow.compute"  # whose own loading is not what is tested


def names(folder: Path) -> list[object]:
    path = folder / "rows.vw"
    names_file(path, 200_000)
    return ["learn", path, "--learner", "winnow2"]


def crossed(folder: Path) -> list[object]:
    path = folder / "rows.svm"
    path.write_text("".join(f"{k % 2} {' '.join(f'{j}:1' for j in range(k, k + 300))}\n" for k in range(1, 9000, 300)))
    return ["learn", path, "--learner", "winnow2", "--cross", "2"]


def inputs(folder: Path) -> list[object]:
    """The array is NumPy's."""
    path = folder / "rows.csv"
    path.write_text("a,y\n" + "".join(f"v{k % 250},{k % 2}\n" for k in range(30_000)))
    return ["learn", path, "--learner", "network", "--label", "y", "--set", "epochs=1"]


def batch(folder: Path) -> list[object]:
    """A few bytes on the disk, unpacked by Arrow."""
    path = folder / "rows.feather"
    zeros = pa.array(np.zeros(8_000_000))
    feather.write_feather(pa.table({"y": zeros, "a": zeros}), path, compression="lz4", chunksize=len(zeros))
    return ["learn", path, "--fast", "--label", "y"]


@pytest.mark.parametrize(
    ("make", "limit"), [(names, 24), (crossed, 24), (inputs, 32), (batch, 8)], ids=lambda part: str(part)[10:16]
)
def test_out_of_memory_is_one_sentence_and_the_old_model_stays(
    make: Callable[[Path], list[object]], limit: int, tmp_path: Path
) -> None:
    words, model = make(tmp_path), tmp_path / "model.mb"
    mb.Winnow2().save(model)
    kept, files = model.read_bytes(), sorted(tmp_path.iterdir())
    more: list[object] = ["--model", model, "--json", *(["--quiet"] if words[0] == "learn" else [])]
    done = run(*words, *more, limit=limit * MEGA, loaded=LIBRARIES if make in (inputs, batch) else "")
    assert done.code == OUT_OF_MEMORY
    assert done.out == ""
    assert len(done.said.splitlines()) == 1
    assert done.said.startswith("mistakebound: out of memory")
    assert done.said.endswith("; no file was left half written")
    assert model.read_bytes() == kept
    assert sorted(tmp_path.iterdir()) == files


def test_a_model_that_is_too_large_to_load(many_names: tuple[Path, Done]) -> None:
    rows, model = many_names[0] / "rows.vw", many_names[0] / "model.mb"
    for words in (("predict", model, rows), ("explain", model, "--header"), ("explain", model)):
        done = run(*words, limit=24 * MEGA)
        assert (done.code, done.out) == (OUT_OF_MEMORY, "")
        assert done.said.startswith("mistakebound: out of memory")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        MemoryError("Unable to allocate 6.71 GiB for an array with shape (30000, 30001) and data type float64"),
        pa.ArrowMemoryError("malloc of size 64 failed"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        RuntimeError("can't start new thread"),
        ImportError("_umath.so: failed to map segment from shared object"),
    ],
)
def test_every_way_in_which_it_is_said(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(words: list[str]) -> object:
        raise error

    monkeypatch.setattr("mistakebound.cli.commands.parse", fail)
    assert main(["learn"]) == OUT_OF_MEMORY
    said = capsys.readouterr().err
    assert said.startswith("mistakebound: out of memory")
    assert len(said.splitlines()) == 1


def test_other_errors_of_a_program_are_no_lack_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(words: list[str]) -> object:
        raise RuntimeError("a bug")

    monkeypatch.setattr("mistakebound.cli.commands.parse", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        main(["learn"])


def test_fewer_threads_do_where_memory_is_short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1\n-1 2:1\n" * 10)
    started: list[object] = []
    start = threading.Thread.start

    def refuse(thread: threading.Thread) -> None:
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert main(["learn", str(path), "--threads", "4", "--quiet", "--json"]) == 0
    assert main(["learn", str(path), "--threads", "4", "--quiet", "--json"]) == OUT_OF_MEMORY


@pytest.mark.long
@pytest.mark.parametrize("make", [names, crossed, inputs, batch], ids=lambda part: str(part)[10:16])
def test_any_limit_on_memory(make: Callable[[Path], list[object]], tmp_path: Path) -> None:
    words, model = make(tmp_path), tmp_path / "model.mb"
    mb.Winnow2().save(model)
    kept, codes = model.read_bytes(), []
    for limit in range(8, 400, 8):
        done = run(*words, "--model", model, limit=limit * MEGA, loaded=LIBRARIES)
        codes.append(done.code)
        assert done.code in (0, OUT_OF_MEMORY), done.said
        if done.code == 0:
            break
        assert done.said.splitlines()[-1].startswith("mistakebound: out of memory")
        assert model.read_bytes() == kept
    assert codes[0] == OUT_OF_MEMORY
    assert codes[-1] == 0
