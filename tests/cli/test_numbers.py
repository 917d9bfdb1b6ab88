"""Numbers on the command line that no machine holds, or that are none: one short error, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from cli.rows import write_table
from mistakebound import concepts
from mistakebound.core.errors import BadParameter
from mistakebound.io import ordered_threads as crew

ODD = ["99999999999999999999", "-99999999999999999999", "9" * 5000, "nan", "inf", "1e400", "", "x", "1/0", "-1"]
OF_STREAMS = [
    "--passes=", "--threads=", "--window=", "--checkpoint=", "--checkpoint={}s", "--holdout=1/", "--shuffle --seed=",
    "--cross=", "--negate --attributes=", "--cross=2 --cross-limit=", "--hash=", "--ngrams=", "--bins=", "--bins=a=",
    "--learner=winnow2 --set=n=", "--learner=winnow2 --set=alpha=", "--set=r=", "--cost=1=", "--assume=k=",
    "--learner=perceptron --assume=margin=", "--learner=halving --set=concepts=singletons_m=",
]  # fmt: skip
OF_TABLES = {
    "decision-tree": [
        "--threads=",
        "--holdout=",
        "--holdout=1/",
        "--validation=1/",
        "--set=max_depth=",
        "--set=costs=n=",
        "--bins=",
    ],
    "naive-bayes": ["--set=m=", "--set=p=", "--set=class_prior=yes="],
    "network": ["--set=hidden=", "--set=hidden=3-", "--set=eta=", "--set=start=", "--set=patience=", "--validation="],
    "gaussian-means": ["--set=k=", "--set=variance=", "--set=max_iter=", "--set=tol="],
}
OTHERS = [
    *(("measure", "--only=opt", words) for words in (
        "singletons m=", "intervals m=", "parities n=", "decision-lists n=", "monotone-disjunctions n=4 k=",
        "dnf n=3 terms=2 literals=",
    )),
    ("measure", "conjunctions n="),
    ("sample-size", "--epsilon=0.1", "--delta=0.1", "--hypotheses="), ("sample-size", "--vc=3", "--delta=0.1", "-m="),
    ("sample-size", "--epsilon=0.1", "--delta=0.1", "--hypotheses=3^"),
    ("hunt", "env", "A,B", "--jobs={}", "--", "true"), ("hunt", "env", "A,B", "--culprits={}", "--", "true"),
    ("hunt", "env", "A,B", "--timeout={}", "--", "true"),
    ("play", "--trials=3", "--class=r-of-k n=4 r=2 k={}", "--teacher=adversary"),
]  # fmt: skip


def filled(words: tuple[str, ...], odd: str) -> list[str]:
    """The odd value in place of {}, or behind the last word."""
    if any("{}" in word for word in words):
        return [word.replace("{}", odd).replace("_", " ") for word in words]
    return [*(word.replace("_", " ") for word in words[:-1]), words[-1].replace("_m", " m") + odd]


def check(run: Run, words: list[str]) -> None:
    result = run(*words)
    said = result.err.strip()
    assert result.code in (0, 2, 3, *range(10, 18)), (words, said)
    assert all(len(line) < 1100 for line in said.splitlines()), words
    if result.code:
        assert said.splitlines()[-1].startswith("mistakebound"), words


@pytest.mark.parametrize("option", OF_STREAMS)
def test_odd_numbers_for_streams(option: str, run: Run, stream: Path, tmp_path: Path) -> None:
    model = ["--model", str(tmp_path / "m.mb")] if "checkpoint" in option else []
    for odd in ODD:
        *words, last = filled(tuple(option.split()), odd)
        check(run, ["learn", str(stream), "--quiet", *model, *words, last])


@pytest.mark.parametrize("learner", OF_TABLES)
def test_odd_numbers_for_tables(learner: str, run: Run, tmp_path: Path) -> None:
    table = write_table(tmp_path / "t.csv", 12)
    base = {
        "gaussian-means": ["--set=k=2", "--set=variance=1"],
        "network": ["--label=label", "--ignore=user", "--set=epochs=1"],
    }.get(learner, ["--label=label"])
    for option in OF_TABLES[learner]:
        for odd in ODD:
            check(run, ["learn", str(table), f"--learner={learner}", *base, option + odd])


@pytest.mark.parametrize("words", OTHERS, ids=" ".join)
def test_odd_numbers_for_the_rest(words: tuple[str, ...], run: Run) -> None:
    for odd in ODD:
        check(run, filled(words, odd))


def test_what_is_said(run: Run, stream: Path) -> None:
    for option, said in (
        ("--holdout=1/99999999999999999999", "--holdout 1/K: K must be at most 9223372036854775807"),
        ("--threads=99999999999999999999", "argument --threads: invalid whole number value: '99999999999999999999'"),
        ("--threads=5000", "--threads must be <= 1000: 5000"),
    ):
        result = run("learn", stream, option)
        assert result.code == 2
        assert said in result.err


def test_the_numbers_of_large_classes_are_not_worked_out() -> None:
    for text in (
        "r-of-k n=1000000 r=2 k=500000", "monotone-disjunctions n=1000000 k=400000", "decision-lists n=201",
        "dnf n=1000000 terms=2 literals=300000", "dnf n=3000 monotone terms=900000 literals=2",
        "conjunctions n=1000000000000", "monotone-disjunctions n=100001", "parities n=1000000000000",
    ):  # fmt: skip
        with pytest.raises(BadParameter, match="counted"):
            concepts.parse_class(text).count()
    assert concepts.parse_class("monotone-disjunctions n=1000000 k=3").count() == 1 + 10**6 * (10**12 + 5) // 6
    for kind in ("singletons", "thresholds", "intervals", "singletons empty"):
        name, *flag = kind.split()
        small = concepts.parse_class(" ".join([name, "m=7", *flag]))
        assert small.count() == len(list(small))
    with pytest.raises(BadParameter, match="at most 268435456"):
        concepts.parse_class("conjunctions n=100000").finite()


def test_threads_that_the_system_does_not_give(run: Run, stream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream is read by those that there are; by none: one sentence."""
    whole = run("learn", stream, "--threads", 3, "--json").json
    start = crew.threading.Thread.start
    left = [1]

    def scarce(thread: object) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError("can't start new thread")
        start(thread)  # type: ignore[arg-type]

    monkeypatch.setattr(crew.threading.Thread, "start", scarce)
    got = run("learn", stream, "--threads", 3, "--json").json
    assert (got["trials"], got["mistakes"]) == (whole["trials"], whole["mistakes"])
    result = run("learn", stream, "--threads", 3)
    assert (result.code, "no thread could be started" in result.err) == (6, True)
