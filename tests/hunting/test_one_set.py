"""One minimal failing set: of commands that cannot tell, whose flags need each other, and where one is enough."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.errors import BadParameter

FLAGS = [f"f{i}" for i in range(40)]
Command = Callable[[frozenset[str]], bool | None]


def cherry_picks(seed: int, n: int = 200, culprits: int = 2) -> tuple[list[str], dict[str, set[str]], Command]:
    """Commits, what each needs (the one that changed the same lines before it), and a command that needs some."""
    draw = random.Random(seed)
    last: dict[int, str] = {}
    names, needs = [f"c{i}" for i in range(n)], {}
    for name in names:
        places = draw.sample(range(96), draw.choice((1, 1, 1, 2)))
        needs[name] = {last[place] for place in places if place in last and draw.random() < 0.8}
        last.update(dict.fromkeys(places, name))
    chosen = set(draw.sample(names, culprits))

    def bad(on: frozenset[str]) -> bool | None:
        return None if any(not needs[name] <= on for name in on) else chosen <= on

    return names, needs, bad


def closure(needs: dict[str, set[str]], names: set[str]) -> set[str]:
    found = list(names)
    for name in found:
        found.extend(needs[name] - set(found))
    return set(found)


def minimal(bad: Command, failing: frozenset[str]) -> bool:
    return bad(failing) is True and not any(bad(failing - {name}) for name in failing)


@pytest.mark.parametrize("seed", range(4))
def test_conflicts_between_commits_do_not_end_a_hunt(seed: int) -> None:
    names, needs, bad = cherry_picks(seed)
    found = mb.hunt(bad, names)
    (failing,) = found.sets
    assert minimal(bad, failing)
    assert failing == closure(needs, set(failing))
    assert found.verdict.kind == "minimal" if found.kind == "one" else "confirmed"
    assert found.runs < 120, "ddmin takes 169 to 743 on these"
    told = mb.hunt(bad, names, requires=needs)
    assert (set(told.sets[0]), told.verdict.kind) == (set(failing), "minimal")
    assert all(run.answer != "cannot tell" for run in told.history)
    assert told.runs <= found.runs


def test_requires_must_name_flags() -> None:
    with pytest.raises(BadParameter, match="requires names an unknown flag: 'x'"):
        mb.hunt(lambda on: True, FLAGS, requires={"f1": ["x"]})


@pytest.mark.parametrize("k", [1, 2, 5, 20])
def test_one_set_is_enough(k: int) -> None:
    names = frozenset(random.Random(k).sample(FLAGS, k))
    found = mb.hunt(lambda on: names <= on, FLAGS, one=True)
    assert (found.sets, found.kind, found.verdict.kind, found.complete) == ((names,), "one", "minimal", False)
    assert found.smallest == names
    asked = {run.on for run in found.history}
    assert asked >= {names, *(names - {name} for name in names)}
    assert len(asked) == found.runs


@pytest.mark.parametrize("least", [2, 10, 35])
def test_thresholds_have_many_sets_and_one_is_found_in_few_runs(least: int) -> None:
    found = mb.hunt(lambda on: len(on) >= least, FLAGS, one=True)
    assert len(found.culprits) == least
    assert found.runs <= 2 + 40 + least


def test_one_set_of_any_command() -> None:
    """Monotone or not, and whatever cannot be told: the set is bad, and not bad without any one of its flags."""
    draw = random.Random(3)
    for _ in range(150):
        flags = FLAGS[: draw.randrange(2, 9)]
        sets = {frozenset(name for name in flags if draw.random() < 0.5): draw.choice((True, None)) for _ in range(20)}
        sets |= {frozenset(flags): True, frozenset(): draw.choice((False, None))}
        found = mb.hunt(lambda on, sets=sets: sets.get(on, False), flags, one=True)
        assert minimal(lambda on, sets=sets: sets.get(on, False), found.sets[0])


def test_limits_leave_the_smallest_failing_set_so_far(tmp_path: Path) -> None:
    names = frozenset({"f7", "f20", "f31"})
    whole = mb.hunt(lambda on: names <= on, FLAGS, one=True)
    sizes = []
    for most in range(1, whole.runs + 2):
        log = tmp_path / f"{most}.jsonl"
        found = mb.hunt(lambda on: names <= on, FLAGS, one=True, max_runs=most, log=log)
        assert found.runs == min(most, whole.runs)
        assert found.smallest == found.sets[0] >= names
        assert set(found.culprits) == set(found.smallest)
        assert (found.verdict.kind == "ended") == (most < whole.runs)
        again = mb.hunt(lambda on: 1 / 0, FLAGS, one=True, max_runs=most, log=log)
        assert json.dumps(again.as_json()) == json.dumps(found.as_json()), "a replayed log gives the same report"
        sizes.append(len(found.smallest))
        gone_on = mb.hunt(lambda on: names <= on, FLAGS, log=log)
        assert set(gone_on.culprits) == names
    assert sizes == sorted(sizes, reverse=True)
    assert str(found.verdict) == str(whole.verdict)


def test_what_is_said_of_a_hunt_that_was_ended() -> None:
    found = mb.hunt(lambda on: {"f7", "f31"} <= on, FLAGS, max_runs=10)
    assert str(found.verdict).startswith("ended after 10 runs; the smallest set that was bad has ")
    assert found.ledger.bound is None
    first = mb.hunt(lambda on: True, FLAGS, max_runs=1)
    assert first.in_words() == "it fails with " + " + ".join(FLAGS)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_budget_of_time(jobs: int) -> None:
    def slow(on: frozenset[str]) -> bool:
        time.sleep(0.01)
        return {"f7", "f31"} <= on

    found = mb.hunt(slow, FLAGS, budget=0.05, jobs=jobs)
    assert str(found.verdict).startswith("ended after 0.05 seconds; ")
    assert mb.hunt(slow, FLAGS, budget=1000.0).verdict.kind == "confirmed"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_runs": 0}, "max_runs must be > 0: 0"),
        ({"max_runs": 1.5}, "max_runs must be > 0: 1.5"),
        ({"budget": -1}, "budget must be > 0: -1"),
        ({"budget": float("nan")}, "budget must be > 0: nan"),
    ],
)
def test_limits_that_mean_nothing(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        mb.hunt(lambda on: True, FLAGS, **settings)


@pytest.mark.parametrize("jobs", [2, 4, 8])
def test_flags_that_need_others_with_several_jobs(jobs: int) -> None:
    """Sets that are thought of ahead of their time may come to nothing, as all their flags need one that is off."""
    for seed in range(30):
        draw = random.Random(seed)
        needs = {FLAGS[j]: [FLAGS[draw.randrange(j)]] for j in range(1, 12) if draw.random() < 0.5}
        wanted = more = {draw.choice(FLAGS[:12])}
        while more := {one for flag in more for one in needs.get(flag, [])}:
            wanted = wanted | more
        seconds = [draw.random() * 1e-3 for _ in range(99)]  # runs end in any order

        def bad(on: frozenset[str], wanted: set[str] = wanted, seconds: list[float] = seconds) -> bool:
            time.sleep(seconds.pop())
            return wanted <= on

        assert {*mb.hunt(bad, FLAGS[:12], one=True, requires=needs, jobs=jobs).culprits} == wanted, seed
