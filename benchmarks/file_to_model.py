"""File to model: `mistakebound learn` against Vowpal Wabbit and scikit-learn, whole processes on the same rows.

Taken in turns, so that a busy moment hits everybody alike; the best of --rounds counts.  Every round's count of rows
and of mistakes is checked.  n is not declared and names are kept.  Vowpal Wabbit gets as many bits as keep the ids
apart, its shortest text for the row (`3 17`, not `3:1 17:1`), and writes its model too; scikit-learn loads the file and
learns it with partial_fit.  "One core" is one core for both.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from _processes import Best, Finished, timed, verdict
from _streams import ROWS, as_vw, stream

PEERS = ("ours", "vw", "sklearn")
STREAMS = ("a", "b", "a4", "unsorted", "decimal", "long-ids", "cache")
LEARNERS = ("winnow2", "perceptron")
# Stream -> how many times as fast as the peer: in two threads each, on one core each.
AGAINST_VW = {
    "a": (5.0, 6.0), "b": (5.0, 6.0), "a4": (8.0, 6.0),
    "unsorted": (3.0, None), "decimal": (3.0, None), "long-ids": (3.0, None), "cache": (3.0, None),
}  # fmt: skip
AGAINST_SKLEARN = 60.0
SKLEARN_STREAMS = ("a", "b")
SKLEARN_ROUNDS = 2  # it takes ten seconds a round

SKLEARN = """
import sys
import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier
X, y = load_svmlight_file(sys.argv[1])
X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # SGDClassifier takes no other
model = SGDClassifier(loss="perceptron", alpha=0.0, learning_rate="constant", eta0=1.0, shuffle=False)
model.partial_fit(X, y, classes=[-1, 1])
np.savez(sys.argv[2], coef=model.coef_, intercept=model.intercept_)
print(X.shape[0])
"""


@dataclass
class Case:
    """One command that is timed: who runs, on which stream, with which cores."""

    stream: str
    peer: str
    learner: str
    cores: str
    command: list[str]
    check: Callable[[Finished], None]
    most_rounds: int = sys.maxsize
    best: Best = field(default_factory=Best)

    @property
    def label(self) -> str:
        return f"{self.peer} {self.learner}".strip()


class Counts:
    """What every round must find: the rows of each file, and always the same mistakes of the same learner."""

    def __init__(self) -> None:
        self.mistakes: dict[tuple[str, str], int] = {}

    def ours(self, file: Path, name: str, learner: str, rows: int) -> Callable[[Finished], None]:
        def check(run: Finished) -> None:
            said = json.loads(run.out)
            same(said["trials"], rows, f"rows that {learner} learned of {name}")
            key = (file.name, learner)
            if key not in self.mistakes:
                self.mistakes[key] = said["mistakes"]
            same(said["mistakes"], self.mistakes[key], f"mistakes of {learner} on {name}")

        return check

    @staticmethod
    def vw(name: str, rows: int) -> Callable[[Finished], None]:
        def check(run: Finished) -> None:
            found = re.search(r"number of examples\s*=\s*(\d+)", run.err + run.out)
            same(int(found.group(1)) if found else None, rows, f"rows that Vowpal Wabbit learned of {name}")

        return check

    @staticmethod
    def sklearn(name: str, rows: int) -> Callable[[Finished], None]:
        return lambda run: same(int(run.out), rows, f"rows that scikit-learn learned of {name}")


def same(got: int | None, wanted: int, what: str) -> None:
    if got != wanted:
        sys.exit(f"{what}: {got}, wanted {wanted}")


def ours(file: Path, learner: str, threads: int, *more: str) -> list[str]:
    model = file.with_suffix(f".{learner}.mb")
    return [
        sys.executable, "-m", "mistakebound", "learn", str(file), "--learner", learner, "--model", str(model),
        "--threads", str(threads), "--quiet", "--json", *more,
    ]  # fmt: skip


def vw(file: Path, name: str, *more: str) -> list[str]:
    bits = "18" if name == "b" else "20"  # 18 is its default; 20 keep a million ids apart
    return [
        sys.executable, "-m", "vowpalwabbit", "-d", str(as_vw(file)), "-b", bits, "--binary",
        "--loss_function", "hinge", "-f", str(file.with_suffix(".vwmodel")), *more,
    ]  # fmt: skip


def cases(folder: Path, names: list[str], peers: list[str], rows: int, counts: Counts) -> Iterator[Case]:
    for name in names:
        kind = "a" if name == "cache" else name
        file = stream(folder, kind, rows)
        many = 4 * rows if name == "a4" else rows
        cached: tuple[list[str], list[str]] = ([], [])
        if name == "cache":
            cached = ["--cache", str(file.with_suffix(".mbcache"))], ["--cache_file", str(file.with_suffix(".cache"))]
        for cores, threads in (("two", 2), ("one", 1)):
            # Winnow takes the values 0 and 1 only.
            for learner in LEARNERS if name != "decimal" else ("perceptron",):
                if "ours" in peers:
                    command = ours(file, learner, threads, *cached[0])
                    yield Case(name, "ours", learner, cores, command, counts.ours(file, name, learner, many))
            if "vw" in peers:
                yield Case(name, "vw", "", cores, vw(file, kind, *cached[1]), counts.vw(name, many))
        if "sklearn" in peers and name in SKLEARN_STREAMS:
            command = [sys.executable, "-c", SKLEARN, str(file), str(file.with_suffix(".npz"))]
            yield Case(name, "sklearn", "", "two", command, counts.sklearn(name, many), SKLEARN_ROUNDS)


def reference(case: Case) -> list[str]:
    """The command that says how many mistakes are right: one thread, whatever the case has."""
    command = list(case.command)
    command[command.index("--threads") + 1] = "1"
    return command


def run(listed: list[Case], rounds: int, folder: Path) -> None:
    for case in listed:  # disk caches, bytecode, our cache and the peer's; the reference counts
        case.check(timed(reference(case) if case.peer == "ours" else case.command, folder))
    for number in range(rounds):
        for case in listed:
            if number < case.most_rounds:
                done = timed(case.command, folder, pinned=case.cores == "one")
                case.check(done)
                case.best.take(done)
        print(f"round {number + 1} of {rounds}", file=sys.stderr)


def report(listed: list[Case], counts: Counts) -> None:
    best = {(case.stream, case.label, case.cores): case.best for case in listed}
    print(f"{'stream':9} {'who':16} {'cores':5} {'wall s':>8} {'cpu s':>8} {'times vw':>9}")
    for case in listed:
        peer = best.get((case.stream, "vw", case.cores))
        ratio = f"{peer.wall / case.best.wall:9.2f}" if peer is not None and case.peer != "vw" else ""
        line = f"{case.stream:9} {case.label:16} {case.cores:5} {case.best.wall:8.3f} {case.best.processor:8.3f}"
        print(f"{line} {ratio}".rstrip())
    print()
    for (file, learner), mistakes in counts.mistakes.items():
        print(f"{learner} on {file}: {mistakes:,} mistakes in every round")
    print()
    for case in listed:
        if case.peer != "ours":
            continue
        target = AGAINST_VW[case.stream][case.cores == "one"]
        peer = best.get((case.stream, "vw", case.cores))
        what = f"{case.stream}, {case.learner}, {case.cores} core{'s' * (case.cores == 'two')}"
        if target is not None and peer is not None:
            print(verdict(f"{what}, against Vowpal Wabbit", target, peer.wall / case.best.wall))
        slow = best.get((case.stream, "sklearn", case.cores))
        if slow is not None:
            print(verdict(f"{what}, against scikit-learn", AGAINST_SKLEARN, slow.wall / case.best.wall))


def installed(peers: list[str]) -> list[str]:
    modules = {"ours": "mistakebound", "vw": "vowpalwabbit", "sklearn": "sklearn"}
    found = [peer for peer in peers if importlib.util.find_spec(modules[peer])]
    for peer in sorted({*peers} - {*found}):
        print(f"{peer} is left out: {modules[peer]} is not installed here (`make bench` installs it)")
    return found


def can_cache() -> bool:
    usage = subprocess.run(
        [sys.executable, "-m", "mistakebound", "learn", "--help-all"], capture_output=True, text=True
    )
    return "--cache" in usage.stdout


def chosen(text: str, known: tuple[str, ...]) -> list[str]:
    picked = text.split(",")
    if unknown := [one for one in picked if one not in known]:
        sys.exit(f"must be some of {','.join(known)}: {','.join(unknown)}")
    return picked


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=ROWS, help="of a stream (default: %(default)s)")
    parser.add_argument("--peers", default=",".join(PEERS), help="default: %(default)s")
    parser.add_argument("--streams", default=",".join(STREAMS), help="default: %(default)s")
    parser.add_argument("--dir", type=Path, help="keep the files here and use those that are there")
    options = parser.parse_args()
    peers = installed(chosen(options.peers, PEERS))
    names = chosen(options.streams, STREAMS)
    if "cache" in names and not can_cache():
        print("the stream `cache` is left out: `learn` has no --cache")
        names.remove("cache")
    counts = Counts()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.dir or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        listed = list(cases(folder.resolve(), names, peers, options.rows, counts))
        run(listed, options.rounds, folder)
    report(listed, counts)


if __name__ == "__main__":
    main()
