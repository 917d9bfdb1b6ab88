"""Loads mutated model files, in a process of its own with a limit on its memory: `model_file_child.py COUNT SEED`.

Ends with 0 when every one was refused with our own error or made a learner that works; else it says which was not.
"""

from __future__ import annotations

import contextlib
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import mistakebound as mb
from mistakebound.core.errors import BadData, BadModel, MistakeboundError
from mistakebound.core.ledger import bound_of, new_ledger
from mistakebound.io import open_stream
from mistakebound.model.trainer import learn_stream
from mistakebound.report.explanation import explain_one
from mistakebound.report.ledger_text import ledger_facts

sys.path.insert(0, str(Path(__file__).parent))
from mutations import mutate

MORE_MEMORY = 512 << 20
HANGS = 60  # seconds: it is told apart from slow

MAKE: dict[str, Any] = {
    "winnow1": mb.Winnow1,
    "winnow1, n": lambda: mb.Winnow1(n=30, alpha=1.5, rule=">="),
    "winnow2": mb.Winnow2,
    "winnow2, far": lambda: mb.Winnow2(n=12, alpha=1.0001, theta=1e6),
    "perceptron": lambda: mb.Perceptron(labels=("ham", "spam")),
    "averaged perceptron": lambda: mb.AveragedPerceptron(eta=0.1),
    "passive-aggressive": lambda: mb.PassiveAggressive("II", C=0.1),
    "balanced-winnow": lambda: mb.BalancedWinnow(eta=2.0),
    "arow": mb.AROW,
    "arow, full": lambda: mb.AROW(covariance="full"),
    "auto": mb.Auto,
    "coin-betting": mb.learners.CoinBetting,
    "conjunction": lambda: mb.learners.ConjunctionElimination(30),
    "disjunction": mb.learners.DisjunctionElimination,
    "pairs": lambda: mb.transforms.expand(mb.Winnow2(), 2),
    "literals": lambda: mb.transforms.expand(mb.Winnow1(n=12), 2, negate=True),
    "reduced": lambda: mb.transforms.expand(mb.Winnow1(n=12), reduce="conjunction"),
}
NAMES = ["9223372036854775807", "1", "7", "é", "free", "a b", "x7", "\ud800"]


def models(folder: Path) -> list[bytes]:
    """Small ones, so that most mutations hit something that matters; one that is new, one with everything in it."""
    made = []
    for name, make in MAKE.items():
        for trials in (0, 40):
            learner, draw = make(), random.Random(3)
            negative, positive = learner.labels.values
            ledger = new_ledger(learner)
            for _ in range(trials):
                x = {a for a in NAMES[learner.size_limit is not None :] if draw.random() < 0.5}
                y = positive if ("7" in x if name[0] != "c" else {"7", "é"} <= x) else negative
                ledger.record(y, learner.learn_one(x, y))
            path = folder / "m.mb"
            more = {"reader": {"format": "libsvm"}, "position": {"line": 40}, "assumptions": {}} if trials else {}
            learner.save(path, ledger=ledger if trials else None, **more)
            made.append(path.read_bytes())
    return made


def use(path: Path, again: Path, rows: Path) -> None:
    """Everything that is done with a model; errors of ours are fine where data may not suit it, never in reading it."""
    model = mb.load(path)
    learner = model.learner
    ledger = model.ledger or new_ledger(learner)
    ledger.bound = bound_of(learner, ledger, model.assumptions)
    ledger_facts(learner, ledger)
    str(ledger.verdict)
    repr(learner)
    learner.hypothesis.text()
    learner.top(5)
    learner.save(again)
    assert mb.load(again).learner.hypothesis == learner.hypothesis, "another hypothesis after writing and reading"
    for x in ({"1", "7"}, {"free", "new"}, set(NAMES)):
        for step in (learner.predict_one, learner.score_one, lambda x: explain_one(learner, x).lines(), learn(learner)):
            try:
                step(x)
            except BadModel as error:
                raise AssertionError("a bad model is found when it is read") from error
            except MistakeboundError:
                pass
    with contextlib.suppress(BadData), open_stream(rows) as reader:
        learn_stream(learner, reader, ledger)
    learner.save(again, ledger=ledger, reader=model.settings, assumptions=model.assumptions)
    assert mb.load(again).ledger.state() == ledger.state(), "another ledger after writing and reading"


def learn(learner: Any) -> Any:
    negative, positive = learner.labels.values
    return lambda x: [learner.learn_one(x, y) for y in (positive, negative, positive)]


def stuck(*_: Any) -> None:
    raise TimeoutError(f"no end after {HANGS} s")


def main(count: int, seed: int) -> int:
    draw = random.Random(seed)
    slowest, refused, bad = (0.0, ""), 0, 0
    signal.signal(signal.SIGALRM, stuck)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, again = folder / "mutated.mb", folder / "again.mb"
        originals = models(folder)
        rows = folder / "rows.svm"
        rows.write_text("1 1:1 7:1\n0 2:1\n1 7:1 9:1\n")
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MORE_MEMORY, resource.RLIM_INFINITY))
        for number in range(count):
            way, data = mutate(draw.choice(originals), draw.choice(originals), draw)
            path.write_bytes(data)
            signal.alarm(HANGS)
            start = time.perf_counter()
            try:
                use(path, again, rows)
            except BadModel as error:
                refused += 1
                if str(path) not in str(error) or "\n" in str(error):
                    bad += 1
                    print(f"mutation {number} ({way}): a message that does not say where, in one line: {error!r}")
            except BaseException:
                bad += 1
                kept = Path(tempfile.gettempdir(), f"mistakebound-fuzz-{seed}-{number}.mb")
                kept.write_bytes(data)
                print(f"mutation {number} ({way}), kept as {kept}:\n{traceback.format_exc()}")
            signal.alarm(0)
            slowest = max(slowest, (time.perf_counter() - start, f"{way} {number}"))
            if bad >= 20:
                break
    print(f"{count} mutations, {refused} refused, {bad} bad; the slowest took {slowest[0]:.3f} s ({slowest[1]})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
