"""The service against a raw echo on the same stack: requests per second, the 99th percentile, memory.

python benchmarks/service.py [--seconds 4] [--rounds 3] [--connections 64]

wrk sends JSON bodies of 60 features to three servers in turns: an echo (Starlette, orjson, uvicorn with httptools and
uvloop: the body is read and written again), `predict` with its id kept for a late label, and `learn`, which is on disk
before it is answered.  The best round of each counts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from _processes import verdict

from mistakebound.service import Client

FEATURES, NAMES, BODIES = 60, 3000, 2000
ECHO = """
import sys, orjson, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
async def echo(request):
    return Response(orjson.dumps(orjson.loads(await request.body())), media_type="application/json")
app = Starlette(routes=[Route("/echo", echo, methods=["POST"])])
uvicorn.run(app, port=int(sys.argv[1]), http="httptools", loop="uvloop", access_log=False, log_level="error")
"""
SCRIPT = """
local requests, at, pause = {{}}, 0, {pause}
function init(args)
  for line in io.lines("{bodies}") do
    requests[#requests + 1] = wrk.format("POST", "{path}", {{["Content-Type"] = "application/json"}}, line)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
if pause > 0 then function delay() return math.random() * 2 * pause end end
"""


def bodies(folder: Path) -> None:
    """Rows with labels for `learn`, without for the others."""
    numbers = random.Random(1)
    asked, learned = [], []
    for _ in range(BODIES):
        row = {f"feature_{numbers.randrange(NAMES)}": round(numbers.random(), 3) for _ in range(FEATURES)}
        label = "spam" if sum(row.values()) > FEATURES / 2 else "ham"
        asked.append(json.dumps({"row": row}) + "\n")
        learned.append(json.dumps({"row": row, "label": label}) + "\n")
    (folder / "predict.txt").write_text("".join(asked))
    (folder / "learn.txt").write_text("".join(learned))


class Load:
    """wrk on one path."""

    def __init__(self, folder: Path, url: str, path: str, what: str, connections: int, pid: int) -> None:
        self._folder, self._url, self._path, self._what, self._connections = folder, url, path, what, connections
        self._pid = pid

    def run(self, seconds: int, pause: float = 0.0) -> tuple[float, float, float]:
        """Requests per second, milliseconds of the 99th percentile, microseconds of the server's processor a request.

        `pause` in milliseconds is made before each.
        """
        spent = processor(self._pid)
        script = self._folder / "load.lua"
        script.write_text(SCRIPT.format(bodies=self._folder / f"{self._what}.txt", path=self._path, pause=pause))
        words = ["wrk", "-t1", f"-c{self._connections}", f"-d{seconds}s", "--latency", "-s", str(script), self._url]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        if "Non-2xx" in text or "Socket errors" in text:
            raise SystemExit(f"the service refused requests:\n{text}")
        rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])  # type: ignore[index]
        amount, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()  # type: ignore[union-attr]
        count = int(re.search(r"(\d+) requests in", text)[1])  # type: ignore[index]
        slowest = float(amount) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]
        return rate, slowest, 1e6 * (processor(self._pid) - spent) / count


def processor(pid: int) -> float:
    """Seconds of processor time of a process, its own and the system's for it."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Megabytes that a process has in memory."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024  # type: ignore[index]


def started(folder: Path) -> tuple[list[subprocess.Popen[Any]], str, str]:
    """The echo and the service, with their addresses."""
    port = 20_000 + os.getpid() % 20_000
    echo = subprocess.Popen([sys.executable, "-c", ECHO, str(port)])
    words = [sys.executable, "-m", "mistakebound", "serve", str(folder / "models"), "--port", "0", "--json"]
    service = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert service.stdout is not None
    url = json.loads(service.stdout.readline())["url"]
    with Client(url) as client:
        while not client.ready():
            time.sleep(0.05)
        client.create("spam", labels=["ham", "spam"])
    time.sleep(1)
    return [echo, service], f"http://127.0.0.1:{port}", url


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=64)
    options = parser.parse_args()
    if shutil.which("wrk") is None:
        raise SystemExit("wrk is not installed: apt-get install wrk")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bodies(folder)
        processes, echo_url, url = started(folder)
        try:
            measure(options, folder, echo_url, url, [process.pid for process in processes])
        finally:
            for process in processes:
                process.terminate()
                process.wait()


def measure(options: argparse.Namespace, folder: Path, echo_url: str, url: str, pids: list[int]) -> None:
    echo, pid = pids
    loads = {
        "echo": Load(folder, echo_url, "/echo", "predict", options.connections, echo),
        "predict": Load(folder, url, "/models/spam/predict", "predict", options.connections, pid),
        "learn": Load(folder, url, "/models/spam/learn", "learn", options.connections, pid),
    }
    best, least = dict.fromkeys(loads, 0.0), dict.fromkeys(loads, float("inf"))
    for load in loads.values():
        load.run(min(2, options.seconds))  # so that the model has its features, and all is loaded
    first = memory(pid)
    for number in range(options.rounds):
        for what, load in loads.items():
            rate, slowest, cost = load.run(options.seconds)
            best[what], least[what] = max(best[what], rate), min(least[what], cost)
            times = f"99 % within {slowest:.1f} ms, {cost:.0f} us of processor each"
            print(f"round {number + 1}: {what:8} {rate:9,.0f} a second, {times}", flush=True)
    last = memory(pid)
    print(verdict("service: predict / echo", 0.5, best["predict"] / best["echo"]))
    print(verdict("service: learn / echo", 0.25, best["learn"] / best["echo"]))
    print(verdict("service: predict / echo, by processor time", 0.5, least["echo"] / least["predict"]))
    print(verdict("service: learn / echo, by processor time", 0.25, least["echo"] / least["learn"]))
    for what in ("predict", "learn"):
        pause = 1000 * options.connections / (best[what] / 2)
        rate, slowest, _ = loads[what].run(2 * options.seconds, pause)
        print(f"{what} at {rate / best[what]:.0%} of its best rate: 99 % within {slowest:.1f} ms")
        print(verdict(f"service: {what}, ms of the 99th percentile at half load", 50, slowest, at_most=True))
    print(f"memory: {first:.0f} MB after the first requests, {last:.0f} MB after all rounds")
    print(verdict("service: memory at the end / at the start", 1.15, last / first, at_most=True))


if __name__ == "__main__":
    main()
