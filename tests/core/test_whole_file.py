"""Files that are there whole or not at all, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mistakebound.core.errors import MistakeboundError
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
