"""`mistakebound lab` as a process."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

LAB = [sys.executable, "-m", "mistakebound", "lab", "--no-browser"]


def test_it_serves_this_machine_until_it_is_stopped() -> None:
    pytest.importorskip("uvicorn")
    with subprocess.Popen([*LAB, "--port", "0"], stderr=subprocess.PIPE, text=True) as lab:
        assert lab.stderr is not None
        said = lab.stderr.readline()
        found = re.search(r"the lab is at (http://127\.0\.0\.1:\d+/) \(Ctrl-C stops it\)", said)
        assert found, said
        with urllib.request.urlopen(found[1], timeout=30) as page:
            assert b"mistakebound lab" in page.read()
        lab.send_signal(signal.SIGINT)
        rest = lab.stderr.read()
        assert lab.wait(30) in (0, 130)
        assert "Traceback" not in rest


def test_a_port_that_is_taken_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        lab = subprocess.run([*LAB, "--port", str(port)], capture_output=True, text=True, timeout=60)
    assert lab.returncode == 2
    assert lab.stderr.startswith(f"mistakebound: --port must be one that can be used: {port} (")
