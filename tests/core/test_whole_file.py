"""Files that are there whole or not at all, and nothing left behind."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.core.whole_file import WholeFile

_CHILD = """
import sys, time
from mistakebound.core.whole_file import WholeFile
with WholeFile(sys.argv[1], sync=True) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    time.sleep(60)
"""


def test_the_file_appears_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    with WholeFile(path, sync=False) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    with pytest.raises(ZeroDivisionError), WholeFile(path, sync=True) as file:
        file.write(b"newer" * (1 // 0))
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["f"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    with WholeFile(link, sync=True) as file:
        file.write(b"x")
    assert link.is_symlink()
    assert target.read_bytes() == b"x"


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_leftovers_of_the_dead_are_removed_and_those_of_the_living_are_not(tmp_path: Path) -> None:
    path = tmp_path / "f"
    innocent = ["f.tmp", "f.1-zz.tmp", "f.12-abcdef.tmp", "g.12-0123abcd.tmp", "f.x-0123abcd.tmp"]
    for name in innocent:
        (tmp_path / name).touch()
    (tmp_path / "f.7-0123abcd.tmp").touch()  # as a process leaves it that was killed long ago
    with subprocess.Popen([sys.executable, "-c", _CHILD, str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        (living,) = (name for name in os.listdir(tmp_path) if name.startswith(f"f.{child.pid}-"))
        with WholeFile(path, sync=True) as file:
            file.write(b"mine")
        assert sorted(os.listdir(tmp_path)) == sorted([*innocent, living, "f"])
        child.send_signal(signal.SIGKILL)
        child.wait()
        with WholeFile(path, sync=True) as file:
            file.write(b"mine too")
    assert sorted(os.listdir(tmp_path)) == sorted([*innocent, "f"])
    assert path.read_bytes() == b"mine too"


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "no" / "f"):
        with pytest.raises(MistakeboundError, match="cannot write"), WholeFile(place, sync=True):
            pass


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def umask() -> Iterator[int]:
    old = os.umask(0o027)
    yield 0o027
    os.umask(old)


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o640, 0o700])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path, umask: int, mode: int) -> None:
    path = tmp_path / "f"
    path.touch()
    path.chmod(mode)
    with WholeFile(path, sync=False) as file:
        (beside,) = (name for name in tmp_path.iterdir() if name != path)
        assert mode_of(beside) == mode, "from its first byte on"
        file.write(b"new")
    assert (path.read_bytes(), mode_of(path)) == (b"new", mode)


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
def test_what_replaces_a_private_file_is_private_when_it_is_opened(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "f"
    path.touch()
    path.chmod(0o600)
    modes: list[int] = []
    real = os.open

    def opened(*words: Any) -> int:
        handle = real(*words)
        modes.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    monkeypatch.setattr(os, "open", opened)
    before = os.umask(0)
    try:
        with WholeFile(path, sync=False) as file:
            file.write(b"new")
    finally:
        os.umask(before)
    assert path.read_bytes() == b"new"
    assert modes == [0o600]


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
def test_a_new_file_has_the_mode_that_the_process_gives(tmp_path: Path, umask: int) -> None:
    with WholeFile(tmp_path / "f", sync=False):
        pass
    assert mode_of(tmp_path / "f") == 0o666 & ~umask


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_owner_and_group_stay(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.touch()
    path.chmod(0o640)
    os.chown(path, 12345, 23456)
    with WholeFile(path, sync=False) as file:
        file.write(b"new")
    found = path.stat()
    assert (found.st_uid, found.st_gid, mode_of(path)) == (12345, 23456, 0o640)


def test_another_group_gets_none_of_the_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the group cannot be kept, what it might do is not for the group of whoever writes."""
    path = tmp_path / "f"
    path.touch()
    path.chmod(0o664)
    real = os.fstat

    def of_another(handle: int) -> os.stat_result:
        found = real(handle)
        return os.stat_result([*found[:5], found.st_gid + 1, *found[6:]])

    def not_allowed(*words: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fstat", of_another)
    monkeypatch.setattr(os, "fchown", not_allowed)
    with WholeFile(path, sync=False) as file:
        file.write(b"new")
    assert mode_of(path) == 0o604


@pytest.mark.skipif(sys.platform == "win32", reason="pipes, sockets, links")
def test_what_is_no_file_of_ours_neither_stops_a_writer_nor_is_removed(tmp_path: Path) -> None:
    """A pipe waits for somebody at its other end, for ever."""
    path, elsewhere = tmp_path / "f", tmp_path / "elsewhere"
    elsewhere.write_bytes(b"mine")
    os.mkfifo(tmp_path / "f.1-0123abcd.tmp")
    (tmp_path / "f.2-0123abcd.tmp").mkdir()
    (tmp_path / "f.3-0123abcd.tmp").symlink_to(elsewhere)
    (tmp_path / "f.4-0123abcd.tmp").symlink_to(tmp_path / "f.1-0123abcd.tmp")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(tmp_path / "f.5-0123abcd.tmp"))
        if os.geteuid() == 0:
            (tmp_path / "f.6-0123abcd.tmp").touch()
            os.chown(tmp_path / "f.6-0123abcd.tmp", 12345, 12345)
        before = sorted(os.listdir(tmp_path))
        with alarm(), WholeFile(path, sync=True) as file:
            file.write(b"new")
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "f"])
    assert elsewhere.read_bytes() == b"mine"


@contextmanager
def alarm() -> Iterator[None]:
    """Whatever hangs inside is an error after some seconds."""

    def ring(number: int, frame: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(10)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_name_that_is_taken_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody makes a pipe of just the name that comes next."""
    path = tmp_path / "f"
    chances = [bytes(4), bytes(4), b"\1\2\3\4"]
    monkeypatch.setattr(os, "urandom", lambda count: chances.pop(0))
    os.mkfifo(tmp_path / f"f.{os.getpid()}-00000000.tmp")
    with alarm(), WholeFile(path, sync=False) as file:
        file.write(b"new")
    assert (path.read_bytes(), chances) == (b"new", [])


def test_the_longest_name_has_room(tmp_path: Path) -> None:
    for name in ("n" * 255, "é" * 127):
        for _ in range(2):
            with WholeFile(tmp_path / name, sync=False) as file:
                file.write(b"new")
        start, _, _ = file.name.removesuffix(".tmp").rpartition(".")
        Path(f"{start}.7-0123abcd.tmp").touch()
        with WholeFile(tmp_path / name, sync=False) as file:
            file.write(b"newer")
        assert os.listdir(tmp_path) == [name]
        (tmp_path / name).unlink()


def test_only_a_file_of_the_same_kind_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"mine")
    refused = pytest.raises(BadParameter, match=r"refusing to overwrite .*f: it is not a DOT graph")
    with refused, WholeFile(path, sync=False, kind="dot"):
        pass
    assert os.listdir(tmp_path) == ["f"]
    assert path.read_bytes() == b"mine"
