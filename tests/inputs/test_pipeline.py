"""The same blocks in the same order for any number of threads; errors and Ctrl-C at a clean place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.interrupts import interrupt_the_start
from inputs.rows import rows_of, texts
from mistakebound.core.block import Block
from mistakebound.core.errors import BadData
from mistakebound.io import ordered_threads as crew
from mistakebound.io.libsvm import LibsvmChunk, LibsvmReader
from mistakebound.io.reader import Reader, run
from naive.libsvm_reader import Row, read

THREADS = (1, 2, 3)


def play(path: Path, threads: int, size: int, on_error: str = "fail") -> tuple[list[Row], str | None, int]:
    rows: list[Row] = []
    reader = LibsvmReader(path, block_bytes=size, on_error=on_error)

    def handle(block: Block) -> None:
        rows.extend(rows_of(block))

    try:
        run(reader, handle, threads)
    except BadData as e:
        return rows, str(e), reader.line
    return rows, None, reader.line


@pytest.mark.kernel
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts(), st.integers(1, 200))
def test_threads_agree(tmp_path: Path, text: bytes, size: int) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    one, two, three = (play(path, threads, size) for threads in THREADS)
    assert one == two == three
    one, two, three = (play(path, threads, size, "skip") for threads in THREADS)
    assert one == two == three
    assert one[:2] == (read(text)[0], None)


@pytest.mark.parametrize("threads", THREADS)
def test_many_blocks(tmp_path: Path, threads: int) -> None:
    text = b"".join(b"%d %d:1\n" % (k % 3, k) for k in range(3000))
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    assert play(path, threads, 50) == (read(text)[0], None, 3000)


@pytest.mark.parametrize("threads", THREADS)
def test_an_error_comes_after_the_rows_before_it(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 1:1\n" * 500 + b"1 a:1\n" + b"1 1:1\n" * 20 + b"1 b:1\n")
    rows, error, line = play(path, threads, 40)
    assert len(rows) == line == 500
    assert error == f"{path}:501: attribute 'a' is not a number: '1 a:1'"


@pytest.mark.parametrize("threads", THREADS[1:])
@pytest.mark.parametrize("bad", [b"1 a:1\n", b"5 1:1\n"])
def test_no_row_behind_an_error_is_handled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: bytes, threads: int
) -> None:
    """Whether a row cannot be parsed or is refused: its thread may be kept from saying so at once."""
    fail = crew.OrderedThreadPool._fail

    def late(pool: crew.OrderedThreadPool, error: BaseException) -> None:
        time.sleep(0.05)
        fail(pool, error)

    monkeypatch.setattr(crew.OrderedThreadPool, "_fail", late)
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 1:1\n" * 100 + bad + b"1 1:1\n" * 100 + b"1 b:1\n")
    rows = 0

    def handle(block: Block) -> None:
        nonlocal rows
        for row in rows_of(block):
            if row[1] == b"5":
                raise BadData("5 is refused")
            rows += 1

    with pytest.raises(BadData) as caught:
        run(LibsvmReader(path, block_bytes=40), handle, threads)
    assert rows == 100
    assert "'a'" in str(caught.value) if b"a" in bad else "5" in str(caught.value)


@pytest.mark.parametrize("threads", THREADS)
def test_handle_may_stop_or_fail(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 1:1\n" * 1000)
    seen: list[int] = []

    def stop(block: Block) -> bool:
        assert block.lines is not None
        seen.append(block.lines[0])
        return len(seen) == 5

    with LibsvmReader(path, block_bytes=60) as reader:
        run(reader, stop, threads)
    assert seen == [1, 11, 21, 31, 41]

    def fail(block: Block) -> None:
        seen.append(0)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"), LibsvmReader(path, block_bytes=60) as reader:
        run(reader, fail, threads)
    assert seen[5:] == [0]


class Slow(LibsvmReader):
    """Pieces that finish parsing in another order than they were filled."""

    def chunk(self) -> LibsvmChunk:
        class Sleepy(LibsvmChunk):
            def parse(self) -> None:
                time.sleep(0.002 * (self.offset // 40 % 3))
                super().parse()

        return Sleepy(self._cutter.block_bytes, False, False)


def test_order_does_not_hang_on_who_is_ready_first(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    text = b"".join(b"1 %d:1\n" % (10 + k % 90) for k in range(300))
    path.write_bytes(text)
    rows: list[Row] = []
    run(Slow(path, block_bytes=40), lambda block: rows.extend(rows_of(block)), 4)
    assert rows == read(text)[0]


class CountingOracle(LibsvmReader):
    """Says when so many chunks have been parsed."""

    def chunk(self) -> LibsvmChunk:
        class Counted(LibsvmChunk):
            def parse(self) -> None:
                super().parse()
                parsed.release()

        parsed = self.parsed
        return Counted(self._cutter.block_bytes, False, False)

    parsed: threading.Semaphore


def test_a_parsed_chunk_that_waits_for_its_turn_keeps_nobody_from_work(tmp_path: Path) -> None:
    """Two threads: while one handles the first chunk, the other parses the second and the third."""
    path = tmp_path / "x.svm"
    text = b"1 1:1\n" * 100
    path.write_bytes(text)
    reader = CountingOracle(path, block_bytes=60)
    reader.parsed = threading.Semaphore(0)
    rows: list[Row] = []

    def handle(block: Block) -> None:
        if not rows:
            assert all(reader.parsed.acquire(timeout=20) for _ in range(3))
        rows.extend(rows_of(block))

    run(reader, handle, 2)
    assert rows == read(text)[0]


class Broken(Reader):
    """A reader whose parts fail."""

    def __init__(self, where: str, alone: bool) -> None:
        self.where = where
        self.failure = None
        self.alone = alone

    def _maybe(self, where: str) -> None:
        if where == self.where:
            raise RuntimeError(where)

    def chunk(self) -> Broken:
        self._maybe("chunk")
        return self

    def fill(self, chunk: Broken) -> bool:
        self._maybe("fill")
        return True

    def parse(self) -> None:
        self._maybe("parse")

    closed = False

    def close(self) -> None:
        self.closed = True

    def progress(self) -> tuple[int, int | None]:
        return 0, None

    def position(self) -> dict[str, Any]:
        return {}

    def seek(self, position: dict[str, Any]) -> None:
        raise AssertionError("nobody has a position")

    def emit(self, chunk: Broken) -> Iterator[Block]:
        self._maybe("emit")
        yield Block(0, memoryview(b""), memoryview(b""))


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("where", ["chunk", "fill", "parse", "emit"])
def test_no_failure_hangs(threads: int, where: str, alone: bool) -> None:
    reader, before = Broken(where, alone), threading.active_count()
    with pytest.raises(RuntimeError, match=where):
        run(reader, lambda block: None, threads)
    assert threading.active_count() == before
    assert reader.closed, "after an error nobody reads any more"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("threads", THREADS)
def test_ctrl_c_lets_the_block_in_hand_be_finished(
    tmp_path: Path, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "PATIENCE", 0.0)  # it is the block that is waited for, not the clock
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 1:1\n" * 1000)
    begun: list[int] = []
    ended: list[int] = []

    def handle(block: Block) -> None:
        begun.append(1)
        if len(begun) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        ended.append(1)

    old = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), LibsvmReader(path, block_bytes=60) as reader:
        run(reader, handle, threads)
    assert 3 <= len(begun) < 10
    assert begun == ended
    assert signal.getsignal(signal.SIGINT) is old
    time.sleep(0.1)
    assert begun == ended


WAIT = """
import sys
from mistakebound.io import open_stream
from mistakebound.io.reader import run
rows = 0
def handle(block):
    global rows
    rows += block.rows
    print("rows", rows, flush=True)
try:
    run(open_stream("-"), handle, int(sys.argv[1]))
except KeyboardInterrupt:
    print("interrupted", rows, "threading" in sys.modules, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("threads", THREADS)
def test_ctrl_c_while_waiting_for_input(threads: int) -> None:
    command = [sys.executable, "-c", WAIT, str(threads)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"1 1:1\n" * 7)
        child.stdin.flush()
        assert child.stdout.readline() == b"rows 7\n"  # rows are played as they come, not when a block is full
        time.sleep(0.1)
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == f"interrupted 7 {threads > 1}\n".encode()
        assert child.wait(10) == 0


def test_ctrl_c_while_a_thread_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 1:1\n" * 300)
    interrupt_the_start(monkeypatch)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        run(LibsvmReader(path, block_bytes=40), lambda block: None, 2)
    assert threading.active_count() == before
