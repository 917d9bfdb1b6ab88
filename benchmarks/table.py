"""Every benchmark of benchmarks/README.md in one table: claim, script, peer, ratio, machine, date.

    python benchmarks/table.py                      what `make bench` runs; writes docs/benchmarks.md
    python benchmarks/table.py --only json startup  some scripts; the rows of the others stay as they are

A row is what a script says by `verdict`.  What was left out, and why, stands below the table.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
NOT_RUN = "not run:"
VERDICT = re.compile(r"^(?P<what>.+): target (?P<sign>>=|<=) (?P<target>\S+), got (?P<got>\S+): (?P<said>met|MISSED)$")
LEFT_OUT = re.compile(r"left out|not installed")
HEAD = "| claim | script | peer | target | got | | machine | date |"
RULE = "|---|---|---|---|---|---|---|---|"
OMITTED = "Left out:"


@dataclass
class Script:
    name: str
    claim: str
    peer: str
    arguments: str

    @property
    def skipped(self) -> bool:
        return self.arguments.startswith(NOT_RUN)


def listed(text: str) -> list[Script]:
    """The scripts of the README's table."""
    rows = (line.strip().strip("|").split("|") for line in text.splitlines() if line.startswith("| `"))
    cells = ([cell.strip().strip("`") for cell in row] for row in rows)
    return [Script(*(row + [""] * 4)[:4]) for row in cells]


def unlisted(known: list[Script]) -> list[Script]:
    """Scripts that have no row in the README: they are run all the same."""
    names = {script.name for script in known} | {Path(__file__).name}
    found = (path.name for path in sorted(HERE.glob("[a-z]*.py")))
    return [Script(name, "(has no row in benchmarks/README.md)", "", "") for name in found if name not in names]


def machine() -> str:
    cpu = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}{load}"


def rows_of(script: Script, output: str, where: str, date: str) -> list[str]:
    """The rows of a script that ran."""
    found = filter(None, (VERDICT.match(line.strip()) for line in output.splitlines()))
    return [
        f"| {one['what']} | `{script.name}` | {script.peer} | {one['sign']} {one['target']} | {one['got']} |"
        f" {one['said'].lower()} | {where} | {date} |"
        for one in found
    ]


def run(script: Script, seconds: float) -> tuple[str, str]:
    """(what it printed, why it was left out or stopped)."""
    command = [sys.executable, str(HERE / script.name), *shlex.split(script.arguments)]
    print(f"== {script.name} {script.arguments}".rstrip(), flush=True)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lines, end = [], time.monotonic() + seconds
        for line in child.stdout:
            print(line, end="", flush=True)
            lines.append(line)
            if time.monotonic() > end:
                child.kill()
                return "".join(lines), f"stopped after {seconds:.0f} seconds"
    return "".join(lines), f"ended with {child.returncode}" if child.returncode else ""


def kept(page: str, ran: set[str]) -> tuple[list[str], list[str]]:
    """The rows and the left out of an earlier page whose scripts were not run this time."""
    lines = [line for line in page.splitlines() if line != HEAD and not any(f"`{name}`" in line for name in ran)]
    return [line for line in lines if line.startswith("| ")], [line for line in lines if line.startswith("- `")]


def page_of(rows: list[str], omitted: list[str]) -> str:
    return "\n".join([
        "# Benchmarks: what was measured",
        "",
        "`make bench` writes this page; [benchmarks/README.md](../benchmarks/README.md) says which script proves which",
        "claim. A row has its own machine and date; \"load\" is how busy that machine was when the script began.",
        "", HEAD, RULE, *rows, "", OMITTED, "", *(omitted or ["- nothing"]), "",
    ])  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[""], help="scripts whose names have one of these in them")
    parser.add_argument("--seconds", type=float, default=900, help="for each script (default: %(default)g)")
    parser.add_argument("--write", type=Path, default=PAGE, metavar="PAGE", help="default: docs/benchmarks.md")
    options = parser.parse_args()
    known = listed((HERE / "README.md").read_text(encoding="utf-8"))
    scripts = [s for s in (*known, *unlisted(known)) if any(part in s.name for part in options.only)]
    page = options.write.read_text(encoding="utf-8") if options.write.exists() else ""
    rows, omitted = kept(page, {script.name for script in scripts})
    for script in scripts:
        if script.skipped:
            omitted.append(f"- `{script.name}`: {script.arguments.removeprefix(NOT_RUN).strip()}")
            continue
        where = machine()
        output, why = run(script, options.seconds)
        found = rows_of(script, output, where, time.strftime("%Y-%m-%d"))
        missing = [line.strip() for line in output.splitlines() if LEFT_OUT.search(line)]
        rows += found
        omitted += [f"- `{script.name}`: {reason}" for reason in (*missing, *filter(None, [why]))]
        if not found and not why and not missing:
            omitted.append(f"- `{script.name}`: it has no target; it prints a table of its own")
    text = page_of(sorted(rows, key=lambda row: row.split("|")[2]), omitted)
    options.write.write_text(text, encoding="utf-8")
    print(f"\n{text}\nwritten to {options.write}")


if __name__ == "__main__":
    main()
