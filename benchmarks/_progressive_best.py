"""`auto` against the best default of each set: mistakes, log loss, calibration; the table of docs/auto.md.

A stream is played in its order, any other set in seeded shuffles.  Of more than two labels the calibration error
is that of the label that was predicted.  The standard error is that of the mean over the shuffles, which share their
rows; of a stream that of a mean of as many coins as rows.  `coins` is the latter for all sets: how far another set of
rows from the same source may be.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
from _progressive_capymoa import FORESTS as CAPYMOA
from _progressive_peers import Said, auto, peers
from _progressive_sets import MANY, described, read_set

SEEDS = 3
LEFT_OUT = ("elec, 10 bins",)  # the same rows twice
FORESTS = ("River adaptive random forest", *CAPYMOA)
TREES = ("River HoeffdingTree", *FORESTS)
LOGISTIC = "VW logistic"
TARGETS = {"mean": 0.70, "elec": 7.5, "sea": 12.0, "loss": 0.65, "calibration": 3.5}


@dataclass
class Result:
    """Of one player on one order of a set."""

    error: float
    rows: int
    loss: float | None = None
    calibration: float | None = None
    seconds: float = 0.0


def calibration_error(chance: Any, y: Any, bins: int = 10) -> float:
    """Mean distance of the probability from the frequency of the label, over equal intervals of the probability."""
    place = np.minimum((chance * bins).astype(int), bins - 1)
    return sum(abs(chance[place == k].sum() - y[place == k].sum()) for k in range(bins)) / len(y)


def result_of(said: Said, y: Any, seconds: float) -> Result:
    found = Result(float(np.mean(said.labels != y)), len(y), seconds=seconds)
    if said.logits is not None:
        signed = np.where(y == 1, said.logits, -said.logits)
        found.loss = float(np.mean(np.logaddexp(0, -signed)))
        found.calibration = calibration_error(1 / (1 + np.exp(-np.clip(said.logits, -500, 500))), y)
    if said.chances is not None:
        own = said.chances[np.arange(len(y)), y]
        found.loss = float(-np.mean(np.log(np.maximum(own, 1e-15))))
        found.calibration = calibration_error(said.chances[np.arange(len(y)), said.labels], said.labels == y)
    return found


def play(folder: Path, name: str, seed: int | None, cap: int | None, who: str) -> Result | None:
    """Seed None: in the order of the file."""
    warnings.simplefilter("ignore")
    examples = read_set(folder, name)
    if seed is not None:
        examples = examples.take(np.random.default_rng(seed).permutation(len(examples.y)))
    if cap is not None and len(examples.y) > cap:
        examples = examples.take(np.arange(cap))
    start = time.perf_counter()
    said = auto()(examples) if who == "auto" else peers()[0][who](examples)
    return None if said is None else result_of(said, examples.y, time.perf_counter() - start)


@dataclass
class Scores:
    """Of one player on one set, over all orders."""

    results: list[Result]

    @property
    def error(self) -> float:
        return fmean(result.error for result in self.results)

    @property
    def spread(self) -> float:
        """The standard error of the mean."""
        errors = [result.error for result in self.results]
        return stdev(errors) / sqrt(len(errors)) if len(errors) > 1 else self.coins

    @property
    def coins(self) -> float:
        return sqrt(max(self.error * (1 - self.error), 0.0) / self.results[0].rows)

    def mean(self, what: str) -> float | None:
        known = [getattr(result, what) for result in self.results]
        return None if None in known else fmean(known)


def play_all(
    folder: Path,
    sets: Sequence[str],
    players: Sequence[str],
    streams: Sequence[str],
    cap: int | None,
    slow_rows: int,
    seeds: int,
    jobs: int,
) -> dict[str, dict[str, Scores]]:
    ordered = {*streams, *(name for name in sets if described(folder)[name].ordered)}
    found: dict[str, dict[str, Scores]] = {name: {} for name in sets}
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        for name in sets:
            try:
                rows, width = read_set(folder, name).X.shape
            except Exception as error:  # any reader's, of any file
                print(f"{name} is left out: {error}")
                del found[name]
                continue
            playing = list(players)
            if width > MANY and any(who in TREES for who in players):
                playing = [who for who in playing if who not in TREES]
                print(f"{name}: no tree or forest, because there are more than {MANY} attributes")
            if min(rows, cap or rows) > slow_rows:
                playing = [who for who in playing if who not in FORESTS]
                print(f"{name}: no forest, because there are more than {slow_rows:,} rows (--slow-rows)")
            tasks = {
                who: [
                    pool.submit(play, folder, name, seed, cap, who)
                    for seed in ([None] if name in ordered else range(seeds))
                ]
                for who in playing
            }
            for who, parts in tasks.items():
                results = [part.result() for part in parts]
                if None not in results:
                    found[name][who] = Scores([result for result in results if result is not None])
            show_set(name, found[name])
    return found


def show_set(name: str, scores: dict[str, Scores]) -> None:
    print(f"\n{name}")
    for who in sorted(scores, key=lambda who: scores[who].error):
        one = scores[who]
        loss, far = one.mean("loss"), one.mean("calibration")
        more = f"  log loss {loss:.3f}, calibration error {100 * far:.1f} %" if loss is not None and far else ""
        seconds = sum(result.seconds for result in one.results)
        print(f"  {who:36} {100 * one.error:6.2f} ± {100 * one.spread:.2f} %  {seconds:6.1f} s{more}")
    sys.stdout.flush()


def _best(scores: dict[str, Scores], pairs: bool) -> str:
    rivals = [who for who in scores if who != "auto" and ("-q" in who) == pairs]
    return min(rivals, key=lambda who: scores[who].error, default="")


def table(found: dict[str, dict[str, Scores]]) -> list[str]:
    lines = [
        "| set | `auto` | best default | best with `-q ::` | log loss | VW logistic's | calibration |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, scores in found.items():
        mine = scores["auto"]
        cells = [name, f"{100 * mine.error:.2f} ± {100 * mine.spread:.2f}"]
        for pairs in (False, True):
            who = _best(scores, pairs)
            cells.append(f"{100 * scores[who].error:.2f} ({who.removesuffix(' -q ::')})" if who else "-")
        theirs = scores[LOGISTIC].mean("loss") if LOGISTIC in scores else None
        cells += [f"{mine.mean('loss'):.3f}", "-" if theirs is None else f"{theirs:.3f}"]
        cells.append(f"{100 * (mine.mean('calibration') or 0.0):.1f} %")
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _geometric(parts: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(parts)))) if parts else float("nan")


def conclusions(found: dict[str, dict[str, Scores]]) -> list[str]:
    said = []
    rivals = [(lambda who: "-q" not in who, "without `-q`"), (lambda who: True, "with `-q ::` among the peers")]
    if any(who in CAPYMOA for scores in found.values() for who in scores):
        rivals.insert(1, (lambda who: "-q" not in who and who not in CAPYMOA, "without `-q` and CapyMOA"))
    for plays, column in rivals:
        ratios, below, close, chance = [], 0, 0, 0
        for scores in found.values():
            errors = [one.error for who, one in scores.items() if who != "auto" and plays(who)]
            if not errors:
                continue
            mine, best = scores["auto"], min(errors)
            least = 0.5 / mine.results[0].rows  # so that a set without a mistake has a ratio
            ratios.append(max(mine.error, least) / max(best, least))
            below += mine.error <= best
            close += mine.error <= best + mine.spread
            chance += mine.error <= best + mine.coins
        said.append(
            f"Mistakes over those of the best default of each set, {column}: geometric mean {_geometric(ratios):.2f} "
            f"over {len(ratios)} sets (target {TARGETS['mean']:.2f}); at or below it on {below}, "
            f"within one standard error on {close} ({chance} by that of other rows from the same source)."
        )
    losses = [
        (scores["auto"].mean("loss") or 1e-9) / (scores[LOGISTIC].mean("loss") or 1e-9)
        for scores in found.values()
        if LOGISTIC in scores
    ]
    if losses:
        said.append(
            f"Log loss over that of VW's logistic: geometric mean {_geometric(losses):.2f} (target {TARGETS['loss']})."
        )
    far = {name: 100 * (scores["auto"].mean("calibration") or 0.0) for name, scores in found.items()}
    worst = max(far, key=lambda name: far[name])
    said.append(
        f"Calibration error: {fmean(far.values()):.1f} % in the mean, {far[worst]:.1f} % at most, on {worst} "
        f"(target {TARGETS['calibration']} %)."
    )
    said += [
        f"{name}: {100 * found[name]['auto'].error:.2f} % (target {TARGETS[name]} %)."
        for name in ("elec", "sea")
        if name in found
    ]
    return said


def best_table(
    folder: Path,
    sets: Sequence[str],
    only: Sequence[str] | None,
    streams: Sequence[str],
    cap: int | None,
    slow_rows: int,
    seeds: int,
    jobs: int,
) -> list[str]:
    """Plays, prints, and returns the lines of the table and of what follows from it."""
    others, missing = peers()
    print(*missing, sep="\n", end="\n" if missing else "")
    players = ["auto", *(who for who in others if only is None or who in only)]
    if cap is not None:
        print(f"of each set the first {cap:,} rows (--cap), by all players alike")
    start = time.perf_counter()
    sets = [name for name in sets if name not in LEFT_OUT]
    found = play_all(folder, sets, players, streams, cap, slow_rows, seeds, jobs)
    found = {name: scores for name, scores in found.items() if "auto" in scores}
    lines = [*table(found), ""]
    for line in conclusions(found):
        lines += [line, ""]
    print("", *lines, f"{time.perf_counter() - start:.0f} s", sep="\n")
    return lines[:-1]
