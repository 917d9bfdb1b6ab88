"""Progressive error: every row is predicted, then learned, and the mistakes are counted; nothing is tuned.

Our learners of rows against Vowpal Wabbit, River, scikit-learn and CapyMOA, each at its defaults, on the same
attributes: in the order of the file, and over seeded shuffles, of which the first --rows rows are played.  --data is a
folder with files as UCI and others give them (see _progressive_sets.py); those that are not there are left out, and any
other file is read as `mistakebound learn FILE` reads it.  CapyMOA plays where the package and a JVM are there.

--best prints the table of docs/auto.md instead: `auto` against the best default of each set, all labels of a file apart
(here only the commonest against the others).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
from _progressive_best import SEEDS, best_table
from _progressive_peers import ours, peers
from _progressive_sets import Examples, read_set, there

BEGIN, END = "<!-- progressive: begin -->", "<!-- progressive: end -->"
SHUFFLES, ROWS = 10, 10_000


def examples_of(folder: Path, name: str) -> Examples:
    return read_set(folder, name).two()


def in_order(folder: Path, name: str, seed: int, rows: int) -> Examples:
    """Seed 0 is the order of the file, with all its rows."""
    whole = examples_of(folder, name)
    return whole if seed == 0 else whole.take(np.random.default_rng(seed).permutation(len(whole.y))[:rows])


def play(folder: Path, name: str, seed: int, rows: int, who: str) -> float | None:
    """The error of one player on one order of a set; None: it cannot take it."""
    examples = in_order(folder, name, seed, rows)
    said = (ours() | peers()[0])[who](examples)
    return None if said is None else float(np.mean(said.labels != examples.y))


@dataclass
class Errors:
    """Of one player on one set; None where it could not take the rows."""

    file: float | None = None
    shuffled: list[float | None] = field(default_factory=list)

    @property
    def mean(self) -> float | None:
        known = [error for error in self.shuffled if error is not None]
        return fmean(known) if known and len(known) == len(self.shuffled) else None

    @property
    def spread(self) -> float:
        return stdev(error for error in self.shuffled if error is not None) if len(self.shuffled) > 1 else 0.0


Found = dict[str, dict[str, Errors]]  # set -> player -> errors


def play_all(folder: Path, sets: Sequence[str], players: Sequence[str], shuffles: int, rows: int, jobs: int) -> Found:
    found: Found = {name: {who: Errors() for who in players} for name in sets}
    work = [(name, seed, who) for name in sets for seed in range(shuffles + 1) for who in players]
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        tasks = [pool.submit(play, folder, name, seed, rows, who) for name, seed, who in work]
        for done, (task, (name, seed, who)) in enumerate(zip(tasks, work, strict=True)):
            if seed == 0:
                found[name][who].file = task.result()
            else:
                found[name][who].shuffled.append(task.result())
            if sys.stderr.isatty():
                print(f"\r{done + 1} of {len(work)}: {name}   ", end="", file=sys.stderr, flush=True)
    return found


def ranks(errors: dict[str, float | None]) -> dict[str, float]:
    """1 for the lowest error; equal ones share the mean of their places, and who has none is behind all others."""
    places = sorted(errors, key=lambda who: _or_last(errors[who]))
    ranked: dict[str, float] = {}
    for who in places:
        same = [place for place, other in enumerate(places, 1) if _or_last(errors[other]) == _or_last(errors[who])]
        ranked[who] = fmean(same)
    return ranked


def _or_last(error: float | None) -> float:
    return float("inf") if error is None else error


def columns_of(found: Found) -> list[tuple[str, str, dict[str, float | None]]]:
    """(set, order, errors): what is ranked, a set in file order and a set shuffled each for itself."""
    columns = []
    for name, by_player in found.items():
        columns.append((name, "file", {who: errors.file for who, errors in by_player.items()}))
        if any(errors.shuffled for errors in by_player.values()):
            columns.append((name, "shuffled", {who: errors.mean for who, errors in by_player.items()}))
    return columns


def record(found: Found) -> dict[str, tuple[float, int]]:
    """Player -> mean rank over all columns, and on how many it could play; the best first."""
    columns = columns_of(found)
    ranked = [ranks(errors) for _, _, errors in columns]
    players = next(iter(found.values()))
    mean = {
        who: (fmean(ranking[who] for ranking in ranked), sum(errors[who] is not None for _, _, errors in columns))
        for who in players
    }
    return dict(sorted(mean.items(), key=lambda item: item[1]))


def per_cent(error: float | None) -> str:
    return "-" if error is None else f"{100 * error:.2f}"


def show_set(name: str, by_player: dict[str, Errors], own: Sequence[str], examples: Examples) -> None:
    before = float(np.mean(examples.y[1:] != examples.y[:-1]))
    print(
        f"\n{name}: {len(examples.y):,} rows, {examples.X.shape[1]:,} attributes, "
        f"{per_cent(float(np.mean(examples.y)))} % {examples.labels[1]}; "
        f"the label of the row before errs {per_cent(before)} %"
    )
    file, mean = ({who: getattr(errors, which) for who, errors in by_player.items()} for which in ("file", "mean"))
    by_file, by_mean = ranks(file), ranks(mean)
    print(f"  {'':30} {'file %':>7} {'rank':>5}   {'shuffled %':>10} {'+-':>5} {'rank':>5}")
    for who in sorted(by_player, key=lambda who: (by_file[who] + by_mean[who], who)):
        errors = by_player[who]
        spread = f"{100 * errors.spread:.2f}" if errors.mean is not None else "-"
        mark = "*" if who in own else " "
        print(
            f"{mark} {who:30} {per_cent(errors.file):>7} {by_file[who]:>5.3g}   "
            f"{per_cent(errors.mean):>10} {spread:>5} {by_mean[who]:>5.3g}"
        )


def summary(found: Found, own: Sequence[str]) -> list[str]:
    """One table in Markdown: errors in file order / mean over the shuffles, the best record first."""
    sets = list(found)
    lines = [f"| learner | mean rank | {' | '.join(sets)} |", f"|---|---|{'---|' * len(sets)}"]
    for who, (rank, _) in record(found).items():
        cells = []
        for name in sets:
            errors = found[name][who]
            shuffled = f" / {per_cent(errors.mean)} ± {100 * errors.spread:.2f}" if errors.mean is not None else ""
            cells.append("-" if errors.file is None and errors.mean is None else per_cent(errors.file) + shuffled)
        lines.append(f"| {f'**{who}**' if who in own else who} | {rank:.2f} | {' | '.join(cells)} |")
    return lines


def conclusion(found: Found, own: Sequence[str]) -> list[str]:
    best = record(found)
    first = next(who for who in best if who in own)
    place = list(best).index(first) + 1
    return [
        f"Of ours, {first} has the best record: mean rank {best[first][0]:.2f} of {len(best)} over "
        f"{len(columns_of(found))} columns, place {place} among all.",
        "The record of ours: " + ", ".join(f"{who} {best[who][0]:.2f}" for who in best if who in own) + ".",
        *_beaten(found, first, [who for who in best if who not in own]),
    ]


def _beaten(found: Found, first: str, others: Sequence[str]) -> list[str]:
    """On how many columns the best of ours has a lower error than each peer."""
    columns = columns_of(found)
    said = []
    for who in others:
        better = sum(_or_last(errors[first]) < _or_last(errors[who]) for _, _, errors in columns)
        equal = sum(_or_last(errors[first]) == _or_last(errors[who]) for _, _, errors in columns)
        said.append(f"{who} {better}" + (f" and {equal} equal" if equal else ""))
    return [f"Columns of {len(columns)} on which {first} errs less than: {', '.join(said)}."] if said else []


def write_between(path: Path, lines: Sequence[str]) -> None:
    """Replace what stands between the two marks of a page."""
    text = path.read_text()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{path} must have the lines {BEGIN} and {END}")
    path.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="the folder of the sets")
    parser.add_argument("--sets", help="some of them, with semicolons between: SMS spam;a1a")
    parser.add_argument("--shuffles", type=int, default=SHUFFLES)
    parser.add_argument("--rows", type=int, default=ROWS, help="of each shuffle; the file is always played whole")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", help="players, with semicolons between")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table between the marks of this page")
    parser.add_argument("--best", action="store_true", help="auto against the best default of each set")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"with --best: shuffles of a set, default {SEEDS}")
    parser.add_argument("--streams", default="", help="with --best: files in their order too, with semicolons between")
    parser.add_argument("--cap", type=int, help="with --best: rows of each set, at most")
    parser.add_argument("--slow-rows", type=int, default=100_000, help="with --best: rows above which no forest plays")
    options = parser.parse_args()
    if options.data is None:
        print("left out: --data must be a folder with the sets")
        return
    sets = [name for name in there(options.data) if options.sets is None or name in options.sets.split(";")]
    if not sets:
        sys.exit(f"there is no file of rows in {options.data}")
    if options.best:
        only = None if options.only is None else options.only.split(";")
        lines = best_table(
            options.data,
            sets,
            only,
            options.streams.split(";"),
            options.cap,
            options.slow_rows,
            options.seeds,
            options.jobs,
        )
        if options.write is not None:
            write_between(options.write, lines)
        return
    own, (others, missing) = ours(), peers()
    players = [who for who in (*own, *others) if options.only is None or who in options.only.split(";")]
    print(*missing, sep="\n", end="\n" if missing else "")
    start = time.perf_counter()
    found = play_all(options.data, sets, players, options.shuffles, options.rows, options.jobs)
    for name in sets:
        show_set(name, found[name], list(own), examples_of(options.data, name))
    told = conclusion(found, list(own))
    said = [*summary(found, list(own)), "", *(line for part in told for line in (part, ""))]
    print("", *said, f"{time.perf_counter() - start:.0f} s", sep="\n")
    if options.write is not None:
        write_between(options.write, said[:-1])


if __name__ == "__main__":
    main()
