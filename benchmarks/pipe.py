"""A row from a pipe: how long `predict` takes from the newline of a row to its answer, in four formats.

The median of 400 rows, each written when the one before is answered, best of --rounds.  A process that copies lines
stands for what the pipes themselves cost.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from _adult import ORDER, rows
from _processes import timed, verdict

TARGET = 0.2  # milliseconds
COUNT = 400
COPY = ["-c", "import sys\nfor line in sys.stdin.buffer:\n sys.stdout.buffer.write(line)\n sys.stdout.buffer.flush()"]


def lines_of(format: str) -> list[str]:
    """The header, where there is one, and then the rows."""
    given = list(islice(rows(), 1, COUNT + 1000))
    if format == "csv":
        return [",".join(ORDER), *(",".join(map(str, row.values())) for row in given)]
    if format == "jsonl":
        return [json.dumps(row) for row in given]
    signs = ["1" if row["income"] == ">50K" else "-1" for row in given]
    if format == "vw":
        texts = ("|" + " ".join(f" {name}={row[name]}" for name in ORDER[:-1]) for row in given)
    else:
        texts = (" ".join(f"{k}:{row[name]}" for k, name in enumerate(ORDER, 1) if name[-3:] in ("age", "num", "eek"))
                 for row in given)  # fmt: skip
    return [f"{sign} {text}" for sign, text in zip(signs, texts, strict=True)]


def median(command: list[str], lines: list[str], header: bool) -> float:
    """Milliseconds from a row to its answer."""
    taken = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        first, rest = lines[: 1 + header], lines[1 + header : COUNT]
        child.stdin.write("".join(line + "\n" for line in first).encode())
        child.stdout.readline()
        for line in rest:
            start = time.perf_counter()
            child.stdin.write(line.encode() + b"\n")
            child.stdout.readline()
            taken.append(time.perf_counter() - start)
        child.stdin.close()
        child.stdout.read()
    return 1e3 * statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ours = [sys.executable, "-m", "mistakebound"]
    with tempfile.TemporaryDirectory() as temporary:
        folder, lines, commands = Path(temporary), {}, {}
        for format in ("csv", "jsonl", "vw", "libsvm"):
            lines[format], file = lines_of(format), folder / f"rows.{format}"
            file.write_text("".join(line + "\n" for line in lines[format]))
            label = ["--label", "income"] if format in ("csv", "jsonl") else []
            kind = ["--format", format]
            model = str(folder / f"{format}.mb")
            timed([*ours, "learn", str(file), *kind, *label, "--learner", "arow", "--model", model, "--quiet"], folder)
            commands[format] = [*ours, "predict", model, "-"]
        commands["copied"], lines["copied"] = [sys.executable, *COPY], lines["libsvm"]
        best = dict.fromkeys(commands, float("inf"))
        for _ in range(options.rounds):
            for format, command in commands.items():
                best[format] = min(best[format], median(command, lines[format], format == "csv"))
    print(f"copied: {best.pop('copied'):.3f} ms")
    for format, found in best.items():
        print(verdict(f"a row of {format} from a pipe, ms", TARGET, found, at_most=True))


if __name__ == "__main__":
    main()
