"""Hunts with functions as commands: assumptions are tested, contradictions reported, error rates kept."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.errors import (
    BadParameter,
    CannotTell,
    CommandStopped,
    DuplicateFlag,
    FailsWithoutFlags,
    NoFlags,
    NothingToHunt,
)
from mistakebound.hunting.state import bits_of, numbers_of
from naive import monotone

FLAGS = [f"f{i}" for i in range(40)]


def together(*names: str) -> Callable[[frozenset[str]], bool]:
    return lambda on: set(names) <= on


def either(*names: str) -> Callable[[frozenset[str]], bool]:
    return lambda on: bool(on & set(names))


class Executed:
    """Counts executions, and that no set is run twice."""

    def __init__(self, bad: Callable[[frozenset[str]], Any]) -> None:
        self.bad = bad
        self.sets: list[frozenset[str]] = []
        self.lock = threading.Lock()

    def __call__(self, on: frozenset[str]) -> Any:
        with self.lock:
            self.sets.append(on)
        return self.bad(on)


@pytest.mark.parametrize("kind", ["auto", "any", "all"])
@pytest.mark.parametrize("names", [("f0",), ("f39",), ("f7", "f31"), ("f7", "f8", "f9"), tuple(FLAGS[3:15])])
def test_finds_what_there_is_and_proves_it(kind: str, names: tuple[str, ...]) -> None:
    for truth, bad in (("any", either(*names)), ("all", together(*names))):
        if kind not in ("auto", truth) and len(names) > 1:
            continue
        executed = Executed(bad)
        found = mb.hunt(executed, FLAGS, kind)
        assert found.culprits == names
        assert found.kind == truth or len(names) == 1
        assert found.verdict.kind == "confirmed"
        assert found.runs == len(executed.sets) == len(set(executed.sets)) == sum(found.asked.values())
        assert found.ledger.trials == found.runs
        assert found.ledger.verdict.kind == "within"
        seen = {run.on: run.answer for run in found.history}
        everything = frozenset(FLAGS)
        for name in names:
            if truth == "any":
                assert seen[frozenset({name})] == "bad"
            else:
                assert seen[everything - {name}] == "good"
        assert seen[everything - set(names) if truth == "any" else frozenset(names)] == (
            "good" if truth == "any" else "bad"
        )


def test_the_mistake_bound_is_one_of_halving() -> None:
    """Predicting the likelier answer is wrong at most log2(1/weight of the target) times, whatever the target."""
    draw = random.Random(5)
    most = 0
    for _ in range(60):
        n, kind = draw.randrange(2, 60), draw.choice(["any", "all", "auto"])
        flags = FLAGS[:n] if n <= 40 else [str(i) for i in range(n)]
        names = draw.sample(flags, draw.randrange(1, min(n, 6) + 1))
        truth = together(*names) if kind == "all" else either(*names)
        found = mb.hunt(truth, flags, kind)
        assert set(found.culprits) == set(names)
        bound = found.ledger.bound
        assert bound is not None
        assert bound.allows(found.ledger.mistakes), found
        most = max(most, found.ledger.mistakes)
    assert most > 5


def test_every_monotone_command_of_four_flags() -> None:
    """Disjunctions and conjunctions are called so, all others are reported with all their minimal failing sets."""
    flags = ["a", "b", "c", "d"]
    for family in monotone.antichains(4):
        fails = monotone.fails_with(family)
        found = mb.hunt(lambda on, fails=fails: fails(bits_of([flags.index(name) for name in on], 4)), flags)
        expected = {frozenset(flags[i] for i in numbers_of(failing)) for failing in family}
        assert set(found.sets) == expected
        assert found.complete
        single = all(len(failing) == 1 for failing in expected)
        assert found.kind == ("any" if single else "all" if len(expected) == 1 else "neither"), (expected, found)
        assert bool(found.contradiction) == (found.kind == "neither")
        assert found.verdict.kind == ("neither" if found.kind == "neither" else "confirmed")


def test_neither_names_the_runs_that_contradict_each_other() -> None:
    found = mb.hunt(lambda on: "f7" in on or {"f3", "f33"} <= on, FLAGS)
    assert found.kind == "neither"
    assert set(found.sets) == {frozenset({"f7"}), frozenset({"f3", "f33"})}
    assert found.culprits == ("f3", "f7", "f33")
    bad = [run for run in found.contradiction if run.answer == "bad"]
    good = [run for run in found.contradiction if run.answer == "good"]
    assert len(bad) == 1
    assert bad[0].on <= frozenset[str]().union(*(run.on for run in good)), "any cannot be: all of a bad set is good"
    assert "contradict each other if any culprit suffices" in str(found.verdict)
    assert "delta debugging" in str(found.verdict)
    assert found.ledger.verdict.kind == "inconsistent"


@pytest.mark.parametrize(
    ("said", "bad", "kind"), [("any", together("f7", "f31"), "all"), ("all", either("f7", "f31"), "any")]
)
def test_a_class_that_was_said_and_is_wrong_is_refuted(said: str, bad: Any, kind: str) -> None:
    found = mb.hunt(bad, FLAGS, said)
    assert (found.culprits, found.kind, found.verdict.kind) == (("f7", "f31"), kind, "refuted")


def test_a_command_that_is_not_monotone() -> None:
    def bad(on: frozenset[str]) -> bool:
        return ({"f7", "f31"} <= on and "f9" not in on) or len(on) == len(FLAGS)

    found = mb.hunt(bad, FLAGS)
    assert found.kind == "neither"
    assert found.sets == (frozenset({"f7", "f31"}),)
    assert not found.complete
    small, large = found.contradiction
    assert (small.answer, large.answer) == ("bad", "good")
    assert small.on <= large.on
    assert "more flags can only make it worse" in str(found.verdict)


def test_not_monotone_after_all() -> None:
    """It looks like neither; that it is not even monotone shows when another failing set is looked for."""

    def bad(on: frozenset[str]) -> bool:
        return on != frozenset(FLAGS) - {"f7"} and ("f7" in on or {"f3", "f33"} <= on)

    found = mb.hunt(bad, FLAGS)
    assert frozenset(FLAGS) - {"f7"} in {run.on for run in found.history}
    assert found.sets == (frozenset({"f7"}),)
    assert (found.kind, found.complete) == ("neither", False)


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("kind", ["auto", "all"])
def test_a_wrong_number_of_culprits_is_noticed(k: int, kind: str) -> None:
    found = mb.hunt(together("f7", "f20", "f31"), FLAGS, kind, k=k)
    assert found.culprits == ("f7", "f20", "f31")
    assert found.notes == (f"the number of culprits is not {k}, as was assumed",)
    assert found.verdict.kind == "confirmed"


def test_known_k_takes_fewer_runs() -> None:
    for k in (1, 3):
        names = FLAGS[5 : 5 + 7 * k : 7]
        known, unknown = (mb.hunt(together(*names), FLAGS, "all", k=said) for said in (k, None))
        assert known.culprits == unknown.culprits == tuple(names)
        assert known.asked["search"] < unknown.asked["search"]


def test_auto_takes_at_most_three_runs_more_on_the_average() -> None:
    draw = random.Random(2)
    more = []
    for _ in range(60):
        names = draw.sample(FLAGS, draw.choice((1, 2, 3, 5)))
        kind = draw.choice(("any", "all"))
        bad = either(*names) if kind == "any" else together(*names)
        more.append(mb.hunt(bad, FLAGS).runs - mb.hunt(bad, FLAGS, kind).runs)
    assert sum(more) / len(more) <= 3


def test_without_verification() -> None:
    found = mb.hunt(either("f7", "f31"), FLAGS, "any", verify=False)
    assert (found.culprits, found.verdict.kind) == (("f7", "f31"), "unverified")
    assert "verification" not in found.asked


# Flaky commands


def wrong_hunts(hunts: int, confidence: float, seed: int) -> tuple[int, int]:
    """(hunts with a wrong result, runs) at the stated rates of error, half of them of each kind."""
    draw = random.Random(seed)
    flags = FLAGS[:24]
    wrong = runs = 0
    for number in range(hunts):
        names = draw.sample(flags, draw.choice((1, 2, 3)))
        kind = ("any", "all")[number % 2]
        truth = either(*names) if kind == "any" else together(*names)

        def flaky(on: frozenset[str], truth: Any = truth) -> bool:
            return draw.random() >= 0.2 if truth(on) else draw.random() < 0.1

        try:
            found = mb.hunt(flaky, flags, confidence=confidence, false_alarms=0.1, misses=0.2)
        except (NothingToHunt, FailsWithoutFlags):
            wrong += 1
            continue
        right = set(found.culprits) == set(names) and (found.kind == kind or len(names) == 1)
        wrong += not right
        runs += found.runs
    return wrong, runs


def test_the_stated_error_rate_holds() -> None:
    wrong, runs = wrong_hunts(200, 0.99, 1)
    assert wrong <= 2
    assert runs > 200 * 40, "it takes several runs for each answer"


def test_less_confidence_takes_fewer_runs_and_still_holds() -> None:
    wrong, runs = wrong_hunts(60, 0.5, 3)
    assert wrong <= 30
    assert runs < wrong_hunts(60, 0.99, 3)[1]


@pytest.mark.long
def test_the_stated_error_rate_holds_in_ten_thousand_hunts() -> None:
    wrong, _ = wrong_hunts(10_000, 0.99, 2)
    assert wrong <= 100


def test_rates_that_were_stated_too_low_are_doubted() -> None:
    draw = random.Random(1)
    found = mb.hunt(
        lambda on: together("f7", "f31")(on) and draw.random() < 0.6,
        FLAGS,
        confidence=0.999,
        false_alarms=0.01,
        misses=0.1,
    )
    assert any("bad sets passed in" in note for note in found.notes)
    sound = mb.hunt(together("f7", "f31"), FLAGS, confidence=0.99, misses=0.1)
    assert sound.notes == ()


# Several at a time


@pytest.mark.parametrize("jobs", [2, 3, 8])
def test_several_jobs_give_the_same_result(jobs: int) -> None:
    for bad in (together("f7", "f31"), either("f7", "f31"), lambda on: "f7" in on or {"f3", "f33"} <= on):
        one, several = mb.hunt(bad, FLAGS), mb.hunt(Executed(bad), FLAGS, jobs=jobs)
        assert (several.culprits, several.kind, set(several.sets)) == (one.culprits, one.kind, set(one.sets))
        assert several.runs >= sum(several.asked.values())
        if one.kind != "neither":
            assert several.asked == one.asked


def test_jobs_run_at_the_same_time_and_no_more_than_that() -> None:
    here, most, lock = 0, 0, threading.Lock()
    meet = threading.Barrier(3)

    def bad(on: frozenset[str]) -> bool:
        nonlocal here, most
        with lock:
            here += 1
            most = max(most, here)
        try:
            meet.wait(0.05)
        except threading.BrokenBarrierError:
            meet.reset()
        with lock:
            here -= 1
        return {"f7", "f31"} <= on

    assert mb.hunt(bad, FLAGS, jobs=3).culprits == ("f7", "f31")
    assert most == 3


def test_jobs_share_the_repeats_of_a_flaky_command() -> None:
    draw, lock = random.Random(4), threading.Lock()

    def flaky(on: frozenset[str]) -> bool:
        with lock:
            return together("f7", "f31")(on) != (draw.random() < 0.05)

    found = mb.hunt(flaky, FLAGS, confidence=0.999, jobs=4)
    assert found.culprits == ("f7", "f31")


@pytest.mark.parametrize("jobs", [1, 3])
def test_what_an_oracle_raises_comes_out(jobs: int) -> None:
    def bad(on: frozenset[str]) -> bool:
        if len(on) == 20:
            raise ZeroDivisionError("in the oracle")
        return {"f7", "f31"} <= on

    with pytest.raises(ZeroDivisionError, match="in the oracle"):
        mb.hunt(bad, FLAGS, jobs=jobs)


@pytest.mark.parametrize("jobs", [2, 4, 8])
def test_a_run_that_no_answer_needs_stops_nothing(jobs: int) -> None:
    """Runs ahead of their time ask for sets that one job alone never asks for: those stop the command."""
    bad, asked, stopped = together("f7", "f31"), set(), []

    def alone(on: frozenset[str]) -> bool:
        asked.add(on)
        return bad(on)

    def many(on: frozenset[str]) -> bool:
        if on not in asked:
            stopped.append(on)
            raise CommandStopped("the command stopped the hunt")
        time.sleep(0.002)
        return bad(on)

    one = mb.hunt(alone, FLAGS)
    several = mb.hunt(many, FLAGS, jobs=jobs)
    assert (several.culprits, several.kind, several.asked) == (one.culprits, one.kind, one.asked)
    assert len(stopped) == len({*stopped}), "each is run once"
    asked.remove(max(asked, key=len))
    with pytest.raises(CommandStopped):
        mb.hunt(many, FLAGS, jobs=jobs)


# What else may be given, and what may not


def test_any_oracle_with_ask_will_do() -> None:
    counting = mb.teachers.CountingOracle(mb.teachers.MembershipOracle(together("f7", "f31")))
    found = mb.hunt(counting, FLAGS)
    assert (found.culprits, counting.questions) == (("f7", "f31"), found.runs)


def test_one_flag() -> None:
    found = mb.hunt(lambda on: "f0" in on, ["f0"])
    assert (found.culprits, found.runs, found.bits) == (("f0",), 2, 0)


def test_what_cannot_be_told() -> None:
    def sometimes(on: frozenset[str]) -> bool | None:
        return None if len(on) % 3 == 2 else {"f7", "f31"} <= on

    found = mb.hunt(sometimes, FLAGS)
    assert (found.kind, found.verdict.kind, len(found.culprits)) == ("one", "minimal", 3)
    assert {"f7", "f31"} < set(found.culprits), "the culprits alone are two flags, which cannot be told"
    never = mb.hunt(lambda on: len(on) > 20 if len(on) in (0, 40) else None, FLAGS)
    assert (never.verdict.kind, never.culprits) == ("cannot tell", tuple(FLAGS))
    without = mb.hunt(lambda on: "f9" in on if on else None, FLAGS)
    assert (without.verdict.kind, without.culprits) == ("minimal", ("f9",))
    with pytest.raises(CannotTell, match="with all flags on"):
        mb.hunt(lambda on: None if len(on) == 40 else "f9" in on, FLAGS)


@pytest.mark.parametrize("sizes", [(1, 5), pytest.param((2, 3, 4), marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", ["any", "all"])
def test_what_is_confirmed_is_right_whatever_cannot_be_told(kind: str, sizes: tuple[int, ...]) -> None:
    flags, confirmed = FLAGS[:6], 0
    for untold in sizes:
        for culprits in range(1, 1 << 6):
            names = {flags[i] for i in numbers_of(culprits)}
            bad = either(*names) if kind == "any" else together(*names)
            found = mb.hunt(lambda on, u=untold, bad=bad: None if len(on) == u else bad(on), flags)
            if found.verdict.kind == "confirmed":
                assert set(found.culprits) == names
                confirmed += 1
    assert confirmed > 20


def test_what_is_no_hunt() -> None:
    with pytest.raises(NoFlags, match="no flags"):
        mb.hunt(together(), [])
    with pytest.raises(DuplicateFlag, match="'a' appears twice"):
        mb.hunt(together("a"), ["a", "b", "a"])
    with pytest.raises(NothingToHunt, match="good with all flags on"):
        mb.hunt(lambda on: False, FLAGS)
    with pytest.raises(FailsWithoutFlags, match="no flag is the cause"):
        mb.hunt(lambda on: True, FLAGS)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "some"}, "kind must be one of auto, any, all: 'some'"),
        ({"k": 0}, "k must be >= 1 and at most the number of flags, 40: 0"),
        ({"k": 41}, "k must be >= 1"),
        ({"jobs": 0}, "jobs must be >= 1: 0"),
        ({"k": 1.5}, "k must be a whole number: 1.5"),
        ({"jobs": "2"}, "jobs must be a whole number: '2'"),
        ({"confidence": "x"}, "confidence must be > 0 and < 1: 'x'"),
        ({"misses": 3}, "misses must be > 0 and < 1: 3"),
        ({"confidence": 1.0}, "confidence must be > 0 and < 1: 1.0"),
        ({"confidence": 0.9, "misses": 0.95}, "false_alarms [+] misses must be < 1"),
    ],
)
def test_settings_that_mean_nothing(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        mb.hunt(together("f7"), FLAGS, **settings)


def test_flags_are_texts_and_the_oracle_answers() -> None:
    """The oracle would be asked about '3', not 3, and about letters."""
    flags: Any = range(10)
    with pytest.raises(BadParameter, match="flags must be texts, as the oracle is asked about sets of texts: 0"):
        mb.hunt(lambda on: 3 in on, flags)
    with pytest.raises(BadParameter, match="flags must be a list of names: 'abc'"):
        mb.hunt(together("a"), "abc")
    with pytest.raises(BadParameter, match="the oracle must be a function of a set of names"):
        mb.hunt(5, FLAGS)


def test_a_hunt_needs_no_numpy() -> None:
    """Neither `mb.hunt` nor the command: every mode is imported, and a hunt of each sort is made, without numpy."""
    program = """
import sys
sys.modules["numpy"] = None
import mistakebound as mb
from mistakebound.cli import hunt, hunt_modes, hunt_reduce, hunt_report
from mistakebound.hunting import text_blocks
from mistakebound.teachers import compiler_flags, file_oracle, git_oracle
names = [f"f{i}" for i in range(40)]
assert mb.hunt(lambda on: {"f7", "f31"} <= on, names).culprits == ("f7", "f31")
assert mb.hunt(lambda on: "f7" in on or {"f3", "f33"} <= on, names).kind == "neither"
assert mb.hunt(lambda on: "f7" in on, names, confidence=0.9).culprits == ("f7",)
assert mb.hunt(lambda on: len(on) > 9, names, one=True).kind == "one"
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_runs_ahead_of_their_time_count_for_the_limit(jobs: int) -> None:
    for most in range(1, 12):
        asked = []

        def oracle(on: frozenset[str], asked: list[frozenset[str]] = asked) -> bool:
            asked.append(on)
            return {"b", "g"} <= on

        found = mb.hunt(oracle, list("abcdefgh"), jobs=jobs, max_runs=most)
        assert max(found.runs, len(asked)) <= most
