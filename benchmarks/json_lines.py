"""JSON lines to a model, beside parsers that only parse: Python's json, orjson, pyarrow.  Processor time, one thread.

The rows are like those of the census table "adult", 651,220 of them.  The peers make Python objects or a table of the
text and learn nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

from _adult import COPIES, ROWS, as_json
from _processes import Best, timed, verdict

TARGET = 200.0  # MB/s
PEERS = {
    "json": "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)",
    "orjson": "import orjson, sys\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)",
    "pyarrow": "import sys\nfrom pyarrow import json\njson.read_json(sys.argv[1], json.ReadOptions(use_threads=False))",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--copies", type=int, default=COPIES, help=f"of {ROWS:,} rows (default: %(default)s)")
    parser.add_argument("--learners", default="arow,perceptron")
    options = parser.parse_args()
    peers = {peer: code for peer, code in PEERS.items() if importlib.util.find_spec(peer)}
    for peer in PEERS.keys() - peers.keys():
        print(f"{peer} is left out: it is not installed here")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        file = as_json(folder / "adult.jsonl", options.copies)
        size = file.stat().st_size / 1e6
        commands = {
            learner: [
                sys.executable, "-m", "mistakebound", "learn", str(file), "--label", "income", "--learner", learner,
                "--threads", "1", "--model", str(folder / "m.mb"), "--quiet", "--json",
            ] for learner in options.learners.split(",")
        }  # fmt: skip
        commands |= {f"{peer}, parsing only": [sys.executable, "-c", code, str(file)] for peer, code in peers.items()}
        best = {name: Best() for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                best[name].take(timed(command, folder))
    print(f"{options.copies * ROWS:,} rows, {size:.0f} MB; processor time, best of {options.rounds}")
    for name, found in best.items():
        print(f"{name:24} {found.processor:7.2f} s {size / found.processor:7.0f} MB/s")
    for learner in options.learners.split(","):
        print(verdict(f"{learner}, MB/s to a model", TARGET, size / best[learner].processor))
    ratio = best["json, parsing only"].processor / best["arow"].processor
    print(f"a model by arow: {ratio:.1f} times as fast as Python's json parses")


if __name__ == "__main__":
    main()
