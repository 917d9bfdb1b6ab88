"""Features with text names: Vowpal Wabbit's own text, 200,000 distinct words, 40 a row, against Vowpal Wabbit.

Names are kept and exact: nothing is hashed together.  Vowpal Wabbit hashes to 2^20 places.  Processor time in one
thread, wall time in two, best of --rounds, taken in turns.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from _processes import Best, timed, verdict
from _words_stream import ROWS, word_stream
from file_to_model import installed, ours, vw

TARGETS = {"winnow2": (2.5, 4.0), "arow": (2.0, 3.0)}  # times Vowpal Wabbit: processor, one thread; wall, two


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--dir", type=Path, help="keep the files here and use those that are there")
    options = parser.parse_args()
    peers = installed(["ours", "vw"])
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.dir or Path(temporary)).resolve()
        file = word_stream(folder / f"words-{options.rows}.vw", options.rows)
        commands = {(learner, threads): ours(file, learner, threads) for learner in TARGETS for threads in (1, 2)}
        if "vw" in peers:
            commands["vw", 2] = vw(file, "words")
        best = {case: Best() for case in commands}
        for _ in range(options.rounds):
            for case, command in commands.items():
                best[case].take(timed(command, folder))
    for (who, threads), found in best.items():
        print(f"{who:8} {threads} threads {found.processor:7.3f} s processor {found.wall:7.3f} s wall")
    if "vw" in peers:
        peer = best["vw", 2]
        for learner, (one, two) in TARGETS.items():
            ratio = peer.processor / best[learner, 1].processor
            print(verdict(f"{learner} against Vowpal Wabbit, one thread, processor", one, ratio))
            print(verdict(f"{learner}, two threads, wall", two, peer.wall / best[learner, 2].wall))


if __name__ == "__main__":
    main()
