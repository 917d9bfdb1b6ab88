"""Hunt --one and hunt reduce: runs for one minimal failing set, against picire, ProbDD and ddmin on the same commands.

The ground is picire's: the examples of its tests, conjunctions, thresholds, commits with conflicts, lines that need
other lines, Python files by lines, C files by lines (gcc), JSON by characters.  What cannot be told is not bad, for
all.  Ours counts all on and all off, too, which the peers take for granted.  The last lines compare with the targets;
exit code 1 when one is missed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import inspect
import io
import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from math import exp, log
from statistics import fmean

from _hunt_peers import Bad, Found, ddmin, have_picire, picire, probdd
from _processes import verdict

import mistakebound as mb
from mistakebound.hunting.reduction import Structure
from mistakebound.hunting.text_blocks import bracket_pairs, line_parents

PICIRE_TARGET = 1.0
PROBDD_TARGET = 1.0
CONFLICT_TARGET = 0.5  # commits with conflicts, against picire
Ground = tuple[str, int, Bad, list[bytes]]

SUM = "#!/usr/bin/env python3\n\ns = 0\np = 1\nfor i in range(1, 11):\n    s += i\n    p *= i\n\nprint(f'sum: {s}')\n"
SUM += "print(f'prod: {p}')\n"
COMMA = '{\n  "foo": "foo",\n  "bar": "bar",\n  "baz": "baz",\n}\n'
ESCAPE = '{\n  "tnt": "bff\\xrtf"\n}\n'
MODULES = {
    "bisect": ("insort([1, 2], 3)", None),
    "colorsys": ("rgb_to_hls(1, 0, 0)", (0.0, 0.5, 1.0)),
    "fnmatch": ("fnmatch('a.py', '*.py')", True),
    "stat": ("filemode(33188)", "-rw-r--r--"),
    "string": ("Template('$a').substitute(a=1)", "1"),
    "heapq": ("nsmallest(2, [3, 1, 2])", [1, 2]),
}


def conjunction(n: int, k: int, draw: random.Random) -> Bad:
    culprits = set(draw.sample(range(n), k))
    return lambda on: culprits <= set(on)


def with_needs(n: int, k: int, needs: list[set[int]], draw: random.Random) -> Bad:
    culprits = set(draw.sample(range(n), k))

    def bad(on: tuple[int, ...]) -> bool | None:
        flags = set(on)
        return None if any(not needs[flag] <= flags for flag in on) else culprits <= flags

    return bad


def commits(n: int, k: int, places: int, draw: random.Random) -> Bad:
    """A commit needs the one that changed the same place last."""
    last: dict[int, int] = {}
    needs = []
    for number in range(n):
        touched = draw.sample(range(places), draw.choice((1, 1, 1, 2)))
        needs.append({last[place] for place in touched if place in last and draw.random() < 0.8})
        last.update(dict.fromkeys(touched, number))
    return with_needs(n, k, needs, draw)


def source_lines(n: int, draw: random.Random) -> Bad:
    """A line needs up to two of the forty lines before it."""
    needs = [set(draw.sample(range(max(0, i - 40), i), min(i, draw.choice((0, 0, 1, 1, 2))))) for i in range(n)]
    return with_needs(n, 3, needs, draw)


def python(text: str, expected: Callable[[dict[str, object], str], bool]) -> tuple[int, Bad, list[bytes]]:
    """The lines of a program: bad if it runs and does what is expected; what does not compile cannot be told."""
    lines = text.splitlines(keepends=True)

    def late(*_: object) -> None:
        raise TimeoutError

    def bad(on: tuple[int, ...]) -> bool | None:
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                code = compile(ast.parse("".join(lines[i] for i in on)), "part", "exec")
        except (SyntaxError, ValueError):
            return None
        names: dict[str, object] = {"__name__": "part"}
        signal.signal(signal.SIGVTALRM, late)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)  # a loop that lost its end
        try:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(code, names)
                return bool(expected(names, printed.getvalue()))
        except Exception:
            return False
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def safely(on: tuple[int, ...]) -> bool | None:
        try:
            return bad(on)
        except TimeoutError:  # just before the clock was stopped
            return False

    return len(lines), safely, [line.encode() for line in lines]


def json_text(text: str, words: tuple[str, ...], parts: list[str]) -> tuple[int, Bad, list[bytes]]:
    def bad(on: tuple[int, ...]) -> bool:
        try:
            json.loads("".join(parts[i] for i in on))
        except json.JSONDecodeError as error:
            return any(word in str(error) for word in words)
        return False

    return len(parts), bad, [part.encode() for part in parts]


def c_file(functions: int, draw: random.Random, wanted: list[str]) -> tuple[int, Bad, list[bytes]]:
    """Functions that call earlier ones: bad if gcc takes it and the wanted calls are there."""
    lines = ["#include <stdio.h>", "", *(f"static int g{i} = {i};" for i in range(6)), ""]
    for number in range(functions):
        lines += [f"static int f{number}(int a, int b)", "{"]
        for place in range(draw.randrange(2, 7)):
            earlier = f"    a += f{draw.randrange(number)}(b, {place});" if number else f"    a += {place};"
            block = [f"    if (a > {place}) {{", f"        b += g{draw.randrange(6)};", "    }"]
            lines += draw.choice(([f"    int v{place} = a + g{draw.randrange(6)};"], [earlier], block, ["    b ^= a;"]))
        lines += ["    return a + b;", "}", ""]
    lines += [
        "int main(void)",
        "{",
        *(f'    printf("%d", f{i}(1, 2));' for i in range(functions)),
        "    return 0;",
        "}",
    ]
    parts = [f"{line}\n".encode() for line in lines]
    words = ["gcc", "-fsyntax-only", "-w", "-Werror=implicit-function-declaration", "-xc", "-"]
    known: dict[bytes, bool | None] = {}

    def bad(on: tuple[int, ...]) -> bool | None:
        text = b"".join(parts[i] for i in on)
        if not all(call.encode() in text for call in wanted):
            return False
        if text not in known:
            known[text] = True if subprocess.run(words, input=text, capture_output=True).returncode == 0 else None
        return known[text]

    return len(parts), bad, parts


def ground() -> Iterator[Ground]:
    yield "example a", 8, lambda on: not (6 in on and 1 not in on) and 4 in on and 7 in on, []
    yield "example b", 8, lambda on: len(on) == 8, []
    yield "example c", 8, lambda on: {0, 1, 2, 3, 5, 7} <= set(on), []
    yield "sum of ten", *python(SUM, lambda _, printed: "sum: 55" in printed)
    yield "product of ten", *python(SUM, lambda _, printed: "prod: 3628800" in printed)
    for name, text, words in (
        ("comma", COMMA, ("Expecting property name", "Illegal trailing comma")), ("escape", ESCAPE, ("Invalid \\esc",))
    ):  # fmt: skip
        yield f"{name}, lines", *json_text(text, words, text.splitlines(keepends=True))
        yield f"{name}, characters", *json_text(text, words, list(text))
    for n, k in ((100, 1), (100, 3), (100, 10), (1000, 2), (1000, 8)):
        yield f"all of {k} in {n}", n, conjunction(n, k, random.Random(n + k)), []
    for n, least in ((100, 2), (100, 10), (100, 50), (100, 90), (400, 20)):
        yield f"any {least} of {n}", n, lambda on, least=least: len(on) >= least, []
    for seed, (k, places) in enumerate(((2, 96), (2, 96), (3, 48), (4, 32))):
        yield f"commits {seed}", 200, commits(200, k, places, random.Random(seed)), []
    for seed in range(2):
        yield f"lines that need {seed}", 150, source_lines(150, random.Random(seed)), []
    for name, (expression, value) in MODULES.items():
        source = inspect.getsource(import_module(name))
        yield f"{name}.py", *python(source, lambda names, _, e=expression, v=value: eval(e, dict(names)) == v)
    if shutil.which("gcc") is not None:
        for seed, wanted in ((1, ["f7(1"]), (2, ["f3(1", "f11(1"]), (5, ["f9(1"])):
            yield f"C file {seed}", *c_file(12, random.Random(seed), wanted)


def ours(n: int, bad: Bad, parts: list[bytes]) -> Found:
    lines = [part for part in parts if len(part) > 1]
    structure = Structure(line_parents(parts) if lines else (), pairs=bracket_pairs(parts)) if parts else None
    found = mb.hunt(
        lambda on: bad(tuple(sorted(map(int, on)))), [str(i) for i in range(n)], one=True, structure=structure
    )
    return sorted(map(int, found.culprits)), found.runs


def mean_ratio(runs: list[int], others: list[int]) -> float:
    return exp(fmean(log(one / other) for one, other in zip(runs, others, strict=True)))


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    peers: dict[str, Callable[[list[int], Bad], Found]] = {"ddmin": ddmin, "ProbDD": probdd}
    if have_picire():
        peers["picire"] = picire
    else:
        print("picire is not installed: its figures are left out")
    print(f"runs / flags left\n{'':<22}{'flags':>6}{'ours':>13}" + "".join(f"{name:>13}" for name in peers))
    counts: dict[str, list[int]] = {name: [] for name in ("ours", *peers)}
    sizes: dict[str, list[int]] = {name: [] for name in counts}
    names = []
    for name, n, bad, parts in ground():
        if not bad(tuple(range(n))) or bad(()):
            sys.exit(f"{name} is no ground for a hunt")
        names.append(name)
        row = ""
        for who in counts:
            failing, runs = ours(n, bad, parts) if who == "ours" else peers[who](list(range(n)), bad)
            if not bad(tuple(failing)):
                sys.exit(f"{who} found a set that is not bad: {name}")
            counts[who].append(runs)
            sizes[who].append(len(failing))
            row += f"{runs:>8} /{len(failing):>3}"
        print(f"{name:<22}{n:>6}{row}", flush=True)
    for who in peers:
        ratio = mean_ratio(sizes["ours"], sizes[who])
        print(f"flags that ours leaves, to those of {who}, geometric mean: {ratio:.2f}")
    lines = [
        verdict(
            "runs to those of ProbDD, geometric mean",
            PROBDD_TARGET,
            mean_ratio(counts["ours"], counts["ProbDD"]),
            at_most=True,
        )
    ]
    if "picire" in peers:
        lines.append(
            verdict(
                "runs to those of picire, geometric mean",
                PICIRE_TARGET,
                mean_ratio(counts["ours"], counts["picire"]),
                at_most=True,
            )
        )
        conflicts = [at for at, name in enumerate(names) if name.startswith("commits")]
        of_ours, of_picire = ([counts[who][at] for at in conflicts] for who in ("ours", "picire"))
        worst = max(one / other for one, other in zip(of_ours, of_picire, strict=True))
        lines.append(
            verdict("runs to those of picire, commits with conflicts, worst", CONFLICT_TARGET, worst, at_most=True)
        )
    print("\n".join(lines))
    sys.exit(any(line.endswith("MISSED") for line in lines))


if __name__ == "__main__":
    main()
