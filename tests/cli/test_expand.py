"""`learn --cross`, `--negate`, `--reduce`: as a user meets them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cli.conftest import Run
from mistakebound.core import model_file


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    """(x1 & x2) | x3, of 10 attributes."""
    rng = random.Random(1)
    lines = []
    for _ in range(400):
        on = sorted(rng.sample(range(1, 11), 4))
        lines.append(f"{int({1, 2} <= {*on} or 3 in on)} {' '.join(f'{j}:1' for j in on)}")
    path = tmp_path / "events.svm"
    path.write_text("\n".join(lines) + "\n")
    return path


WORDS = ("--learner", "winnow1", "--set", "n=10", "--cross", "2", "--assume", "k=2")


def test_learn_and_everything_after_it(run: Run, stream: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.mb"
    told = run("learn", stream, *WORDS, "--model", model)
    assert told.code == 0
    assert "over the 55 conjunctions of up to 2 of 10 attributes on " in told.out
    assert "10 seen, from which came 55 conjunctions" in told.out
    assert "x1 & x2" in told.out
    found = run("learn", stream, *WORDS, "--json").json
    assert found["theorem"]["facts"]["n"] == 55
    assert found["mistakes"] <= found["bound"]
    assert "N = 55 conjunctions of up to 2 of 10 attributes" in found["theorem"]["assumes"]
    assert [(step["name"], step["cross"], step["features"]) for step in found["transforms"]] == [("expand", 2, 55)]
    assert (found["learner"], found["attributes"]) == ("winnow1", 10)
    explained = run("explain", model)
    assert "x1 & x2" in explained.out
    one = run("explain", model, "--instance", "1:1 2:1 9:1")
    assert "x1 & x2" in one.out
    assert "predicts 1" in one.out
    assert run("explain", model, "--instance", "1:1 9:1", "--json").json["prediction"] == 0
    inspected = run("explain", model, "--header")
    assert "expand: cross = 2" in inspected.out
    assert "inner.attributes.keys" in inspected.out
    assert run("eval", model, stream, "--json").json["mistakes"] == 0
    plot = run("explain", model, "--plot", tmp_path / "w.svg")
    assert plot.code == 0


@pytest.mark.parametrize(
    "words",
    [WORDS, ("--cross", 3), ("--learner", "perceptron", "--negate", "--attributes", 10, "--cross", 2),
     ("--set", "n=10", "--reduce", "decision-list", "--assume", "rules=2"),
     ("--learner", "winnow1", "--set", "n=10", "--cross", 2, "--reduce", "conjunction")],
)  # fmt: skip
def test_threads_blocks_and_resuming_change_nothing(
    run: Run, stream: Path, tmp_path: Path, words: tuple[object]
) -> None:
    lines = stream.read_text().splitlines(keepends=True)
    first, second = tmp_path / "1.svm", tmp_path / "2.svm"
    first.write_text("".join(lines[:123]))
    second.write_text("".join(lines[123:]))
    a, b, c = (tmp_path / f"{name}.mb" for name in "abc")
    assert run("learn", stream, *words, "--model", a, "--threads", 1, "--quiet").code == 0
    assert run("learn", stream, *words, "--model", b, "--threads", 3, "--quiet").code == 0
    assert a.read_bytes() == b.read_bytes()
    assert run("learn", first, *words, "--model", c, "--quiet").code == 0
    assert run("learn", second, "--from", c, "--model", c, "--quiet").code == 0
    header, arrays = model_file.read(a)
    other, others = model_file.read(c)
    assert arrays == others
    assert {name: header[name] for name in ("ledger", "state", "parameters")} == {
        name: other[name] for name in ("ledger", "state", "parameters")
    }
    shown = run("predict", a, stream, "--scores")
    assert shown.code == 0
    assert len(shown.out.splitlines()) == 400
    again = run("learn", stream, *words, "--model", b, "--resume", "--quiet")
    assert again.code == 0
    if "--cross" in words:
        changed = [*words, "--cross", 1]
        refused = run("learn", stream, *changed, "--model", b, "--resume", "--quiet")
        assert refused.code == 2
        assert "--cross must be the same as in the run to resume" in refused.err


def test_a_row_with_too_many(run: Run, stream: Path, tmp_path: Path) -> None:
    with stream.open("a") as file:
        file.write("1 " + " ".join(f"{j}:1" for j in range(1, 11)) + "\n0 4:1\n")
    bad = run("learn", stream, "--cross", 2, "--cross-limit", 50)
    assert bad.code == 3
    assert (
        "events.svm:401: the instance has 10 attributes, which make 55 conjunctions of up to 2, more than 50" in bad.err
    )
    assert "--cross-limit" in bad.err
    skipped = run("learn", stream, "--cross", 2, "--cross-limit", 50, "--on-error", "skip", "--json")
    assert skipped.code == 0
    assert (skipped.json["trials"], skipped.json["skipped"]) == (401, 1)
    model = tmp_path / "m.mb"
    run("learn", stream, "--cross", 2, "--cross-limit", 50, "--on-error", "skip", "--model", model, "--quiet")
    assert "events.svm:401: the instance has 10 attributes" in run("predict", model, stream).err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--cross", 1), "cross must be at least 2"),
        (("--cross", 99), "cross must be a whole number >= 1 and <= 16: 99"),
        (("--learner", "winnow2", "--negate"), "the learner's n (--set n=N) must be given"),
        (("--negate", "--learner", "perceptron"), "n (--attributes N) must be given"),
        (("--cross", 0), "cross must be a whole number >= 1 and <= 16: 0"),
        (("--cross", 2, "--cross-limit", 0), "limit must be a whole number"),
        (("--attributes", 5), "--attributes needs --cross, --negate or --reduce"),
        (("--cross-limit", 5), "--cross-limit needs"),
        (("--reduce", "decision-list", "--set", "n=10"), "--assume rules=M"),
        (("--reduce", "decision-list", "--set", "n=10", "--learner", "winnow1"), "learned by winnow2"),
        (("--reduce", "conjunction", "--learner", "perceptron"), "a learner of disjunctions"),
        (("--reduce", "dnf"), "invalid choice"),
        (("--cross", "two"), "invalid whole number value"),
        (("--cross", 2, "--from", "m.mb"), "--cross cannot be changed with --from"),
        (("--cross", 2, "--learner", "decision-list-learner", "--set", "n=10"), "takes attributes of any name"),
    ],
)  # fmt: skip
def test_mistyped(run: Run, stream: Path, words: tuple[object, ...], message: str) -> None:
    bad = run("learn", stream, *words)
    assert bad.code == 2
    assert message in bad.err


def test_a_conjunction_by_its_complement(run: Run, tmp_path: Path) -> None:
    rng = random.Random(2)
    lines = []
    for _ in range(600):
        on = {j for j in range(1, 9) if rng.random() < 0.5}
        lines.append(f"{'yes' if 2 in on and 5 not in on else 'no'} {' '.join(f'{j}:1' for j in sorted(on))}")
    path, model = tmp_path / "rows.svm", tmp_path / "m.mb"
    path.write_text("\n".join(lines) + "\n")
    words = ("--labels", "no,yes", "--learner", "winnow1", "--set", "n=8", "--reduce", "conjunction", "--assume", "k=2")
    told = run("learn", path, *words, "--model", model, "--json").json
    assert told["mistakes"] <= told["bound"]
    assert told["theorem"]["assumes"] == "the target is a conjunction of at most k = 2 literals of 8 attributes"
    assert "yes when x2 & ~x5" in run("explain", model).out
    assert run("eval", model, path, "--json").json["mistakes"] == 0
    explained = run("explain", model, "--instance", "2:1 5:1", "--json").json
    assert (explained["prediction"], explained["rule"]) == ("no", ">=")
    assert explained["total"] < explained["threshold"]
