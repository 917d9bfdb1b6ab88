"""A real service in a process of its own, on a real socket and a real disk."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mistakebound.service import Client


class Running:
    """`mistakebound serve DIRECTORY --port 0`; a context manager that ends it."""

    def __init__(self, directory: Path, *options: str, environment: dict[str, str] | None = None, limit: Any = None):
        words = [sys.executable, "-m", "mistakebound", "serve", str(directory), "--json", "--port", "0", *options]
        self.directory = directory
        self.log = directory.with_name(directory.name + ".log")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                words, stdout=subprocess.PIPE, stderr=log, env=os.environ | (environment or {}), preexec_fn=limit
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.process.stdout.close()
            self.process.wait()
            raise AssertionError(self.log.read_text())
        self.url: str = json.loads(line)["url"].replace("//0.0.0.0:", "//127.0.0.1:")
        self._clients: list[Client] = []
        late = time.monotonic() + 60
        while not self.client(retries=0).ready():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < late, "the service does not get ready"
            time.sleep(0.02)

    def client(self, token: str | None = None, retries: int = 5) -> Client:
        self._clients.append(Client(self.url, token, retries=retries))
        return self._clients[-1]

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """A request as it is, without a client: status, headers, body."""
        place = urlsplit(self.url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
        kind = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, body, kind | (headers or {}))
        response = connection.getresponse()
        found = response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        connection.close()
        return found

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *error: object) -> None:
        for client in self._clients:
            client.close()
        if self.process.poll() is None:
            self.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()


def row(number: int) -> tuple[dict[str, Any], str]:
    """A row with its label, which depends on a few of its features."""
    words = [f"w{number * k % 61}" for k in (1, 7, 13)]
    return {"words": words, "size": number % 5}, "spam" if "w7" in words or number % 3 == 0 else "ham"
