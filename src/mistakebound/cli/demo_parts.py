"""The parts of `demo` that run commands as a person would type them: a table of events, and a hunt over 200 flags."""

from __future__ import annotations

import os
import random
import shlex
from datetime import datetime, timedelta
from math import exp

from mistakebound.cli.commands import say
from mistakebound.core.errors import MistakeboundError
from mistakebound.core.text_table import WIDTH
from mistakebound.core.whole_file import WholeFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

HEADER = "parcel,ordered,city,carrier,service,weight_kg,distance_km,rain_mm,late"
_CITIES = ("Lyon", "Graz", "Turin", "Malmo", "Porto", "Gent", "Bergen", "Brno", "Split", "Cork", "Vigo", "Ulm")
_CARRIERS = {"Falcon": -0.9, "Swift": -0.6, "Harbor": 0.3, "Anvil": 0.8}
_DRIFT = 0.6  # of the rows are before the day on which Swift lost its night train
_NEW = "P900001,2026-04-02 17:40,Gent,Swift,standard,2.4,610,12.5"  # one whose label is not known
_FLAGS = 200
_CULPRITS = (23, 88, 151)
_FILES = {
    "events.csv": "made table",
    "new.csv": "made table",
    "events.mb": "model",
    "build.sh": "made script",
    "flags.txt": "made flags",
}


def files(folder: str) -> Iterator[tuple[str, str]]:
    """(path, kind) of what these parts write."""
    for name, kind in _FILES.items():
        yield os.path.join(folder, name), kind
    if os.path.isfile(picture := os.path.join(folder, "events.png")):
        yield picture, "picture"


def events(rows: int, seed: int) -> Iterator[str]:
    """Lines of a table of deliveries: names, numbers, missing cells, an id, a time, a label; the world changes once."""
    draw = random.Random(seed)
    time = datetime(2026, 1, 5, 6, 0)
    yield HEADER
    for row in range(rows):
        time += timedelta(minutes=draw.expovariate(1 / 6))
        carrier = draw.choice([*_CARRIERS])
        express, rain = draw.random() < 0.3, max(0.0, draw.gauss(1, 4))
        weight, distance = draw.lognormvariate(0.5, 0.9), draw.uniform(5, 900)
        late = _CARRIERS[carrier] - 1.6 * express + distance / 300 + rain / 3 - 2.2 + (time.weekday() >= 4) * 0.8
        if carrier == "Swift" and row >= _DRIFT * rows:
            late += 3
        label = "yes" if draw.random() < 1 / (1 + exp(-2 * late)) else "no"
        cells = [
            f"P{100_000 + row}", f"{time:%Y-%m-%d %H:%M}", draw.choice(_CITIES), carrier,
            "express" if express else "standard", f"{weight:.1f}", f"{distance:.0f}",
            "" if draw.random() < 0.08 else f"{rain:.1f}", label,
        ]  # fmt: skip
        yield ",".join("" if place in (2, 5) and draw.random() < 0.02 else cell for place, cell in enumerate(cells))


def write_events(folder: str, rows: int, seed: int) -> str:
    """The table and one row without a label; the path of the table."""
    path, new = os.path.join(folder, "events.csv"), os.path.join(folder, "new.csv")
    _write(path, events(rows, seed))
    _write(new, [HEADER.rpartition(",")[0], _NEW])
    return path


def write_build(folder: str) -> tuple[str, str]:
    """A script that fails when three of its flags are on, and a file with the 200 flags."""
    script, flags = os.path.join(folder, "build.sh"), os.path.join(folder, "flags.txt")
    first, *others = _CULPRITS
    pattern = f'*" --feature{first} "*' + "".join(f'"--feature{number} "*' for number in others)
    lines = ["#!/bin/sh", "# Fails when three features are on together.", f'case " $* " in {pattern}) exit 1 ;; esac']
    _write(script, lines)
    os.chmod(script, 0o755)
    _write(flags, [f"--feature{number}" for number in range(1, _FLAGS + 1)])
    return script, flags


def _write(path: str, lines: Iterable[str]) -> None:
    with WholeFile(path, sync=False, kind=_FILES[os.path.basename(path)]) as file:
        file.write("".join(line + "\n" for line in lines).encode())


def show_events(path: str, program: str, call: Callable[[list[str]], int], *, drawn: bool) -> None:
    """Learn, predict, explain: each command, and what it prints."""
    model, new = os.path.join(os.path.dirname(path), "events.mb"), os.path.join(os.path.dirname(path), "new.csv")
    say("A table of deliveries, learned without settings", "")
    plot = ["--plot", os.path.join(os.path.dirname(path), "events.png")] if drawn else []
    for words in (
        ["learn", path, "--model", model, *plot],
        ["predict", model, new, "--probabilities"],
        ["explain", model, new, "--row", "1"],
    ):
        show(words, program, call)


def show_hunt(script: str, flags: str, program: str, call: Callable[[list[str]], int]) -> None:
    say(f"Which of {_FLAGS} features break the build?", "")
    near = script if os.path.dirname(script) else os.path.join(os.curdir, script)
    show(["hunt", "flags", flags, "--quiet", "--", near, "{}"], program, call)


def show(words: list[str], program: str, call: Callable[[list[str]], int]) -> None:
    """A command as it is typed, and what it prints."""
    lines = [f"$ {program}"]
    for word in words:
        text = word if word == "{}" else shlex.quote(word)
        if len(lines[-1]) + len(text) > WIDTH - 3:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += f" {text}"
    say(*lines)
    code = call(words)
    if code:
        raise MistakeboundError(f"`{words[0]}` ended with exit status {code}")
    say("")
