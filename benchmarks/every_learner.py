"""Every linear learner at the engine's pace: streams a and b against the perceptron and Vowpal Wabbit, one thread;
`predict` and `eval` against learning; and one mapping a call against River.  Processor time, best of --rounds, taken
in turns.

River has no AROW, balanced Winnow or averaged perceptron: its logistic regression, ALMA and perceptron stand for them.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from _processes import Best, timed, verdict
from _streams import ROWS, as_vw, stream
from file_to_model import installed, ours, vw

LEARNERS = ("perceptron", "averaged-perceptron", "passive-aggressive", "balanced-winnow", "arow")
MOST_TIMES_PERCEPTRON = 2.0
AROW_AGAINST_VW = 3.0
AGAINST_RIVER = 2.0
ANSWERED = ("perceptron", "arow")  # learners with which `predict` and `eval` are compared with learning
AGAINST_LEARNING = 1.0
COUNTERPARTS = {  # in River's linear_model
    "Perceptron": "Perceptron", "AveragedPerceptron": "Perceptron", "PassiveAggressive": "PAClassifier",
    "BalancedWinnow": "ALMAClassifier", "AROW": "LogisticRegression",
}  # fmt: skip
INSTANCES = 4000
WIDE = 10  # attributes of an instance


def answers(verb: str, file: Path, learner: str) -> list[str]:
    model = file.with_suffix(f".{learner}.mb")
    return [sys.executable, "-m", "mistakebound", verb, str(model), str(file), "--threads", "1"]


def streams(folder: Path, rows: int, rounds: int, peers: list[str]) -> None:
    for name in ("a", "b"):
        file = stream(folder, name, rows)
        commands = {learner: ours(file, learner, 1) for learner in LEARNERS}
        if "vw" in peers:
            as_vw(file)
            commands["vw"] = vw(file, name)
        for learner in ANSWERED:  # their models are there after the first round
            for verb in ("predict", "eval"):
                commands[f"{verb}, {learner}"] = answers(verb, file, learner)
        best = {who: Best() for who in commands}
        for number in range(rounds + 1):  # the first warms caches
            for who, command in commands.items():
                done = timed(command, folder)
                if number:
                    best[who].take(done)
        base = best["perceptron"].processor
        for who, found in best.items():
            print(f"{name} {who:20} {found.processor:7.3f} s {found.processor / base:7.2f} times the perceptron's")
        for learner in LEARNERS[1:]:
            ratio = best[learner].processor / base
            print(verdict(f"{name}, {learner}, times the perceptron", MOST_TIMES_PERCEPTRON, ratio, at_most=True))
        for learner in ANSWERED:
            for verb in ("predict", "eval"):
                ratio = best[learner].processor / best[f"{verb}, {learner}"].processor
                print(verdict(f"{name}, {verb} with {learner}, times as fast as learning", AGAINST_LEARNING, ratio))
        if "vw" in peers and name == "a":
            ratio = best["vw"].processor / best["arow"].processor
            print(verdict("a, arow against Vowpal Wabbit", AROW_AGAINST_VW, ratio))


def instances() -> dict[str, tuple[list[dict[str, float]], list[bool]]]:
    draw = random.Random(1)
    words = [f"w{k}" for k in range(2000)]
    ones = [dict.fromkeys(draw.sample(words, WIDE), 1.0) for _ in range(INSTANCES)]
    real = [{word: draw.uniform(-1, 1) for word in draw.sample(words[:30], WIDE)} for _ in range(INSTANCES)]
    return {
        "ones": (ones, ["w3" in x or len(min(x)) == 3 for x in ones]),
        "numbers": (real, [sum(x.values()) + draw.gauss(0, 0.5) > 0 for x in real]),
    }


def microseconds(make: Callable[[], Any], data: tuple[list[dict[str, float]], list[bool]]) -> float:
    """One trial: predict and learn.  River's `learn_one` does not say what it would have predicted."""
    learner = make()
    learn = learner.learn_one
    start = time.process_time()
    for x, y in zip(*data, strict=True):
        learn(x, y)
    return (time.process_time() - start) / len(data[0]) * 1e6


def one_row(rounds: int) -> None:
    from river import linear_model

    from mistakebound import learners

    for kind, data in instances().items():
        for ours_name, peer in COUNTERPARTS.items():
            makers = getattr(learners, ours_name), getattr(linear_model, peer)
            best = [
                min(found)
                for found in zip(*([microseconds(m, data) for m in makers] for _ in range(rounds)), strict=True)
            ]
            print(f"{kind:8} {ours_name:20} {best[0]:6.2f} us, River's {peer:20} {best[1]:6.2f} us")
            print(verdict(f"{kind}, {ours_name} against River", AGAINST_RIVER, best[1] / best[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=ROWS, help="of a stream (default: %(default)s)")
    parser.add_argument("--only", choices=("streams", "rows"))
    parser.add_argument("--dir", type=Path, help="keep the files here and use those that are there")
    options = parser.parse_args()
    if options.only != "rows":
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.dir or Path(temporary)
            streams(folder.resolve(), options.rows, options.rounds, installed(["ours", "vw"]))
    if options.only != "streams":
        try:
            one_row(options.rounds)
        except ImportError:
            sys.exit("River is not installed here (`make bench` installs it)")


if __name__ == "__main__":
    main()
