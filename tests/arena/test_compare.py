"""Several learners in one reading: each must end as it would alone."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.arena.compare import Comparison, default_learners
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.ledger import new_ledger
from mistakebound.io import open_stream
from mistakebound.learners import find
from mistakebound.model.trainer import learn_stream

LINEAR = ["perceptron", "winnow1", "winnow2"]


def write_ids(path: Path, ids: list[int], rows: int = 100) -> Path:
    """Positive where the first or the second id is on; out of order and with zeros, as files are."""
    draw = random.Random(7)
    lines = []
    for _ in range(rows):
        row = draw.sample(ids, 8)
        label = "+1" if ids[0] in row or ids[1] in row else "-1"
        lines.append(f"{label} {' '.join(f'{i}:{draw.choice((1, 1, 1, 0))}' for i in row)}\n")
    path.write_text("".join(lines))
    return path


def write_table(path: Path, rows: int = 100) -> Path:
    draw = random.Random(8)
    lines = ["sky,wind,play\n"]
    for _ in range(rows):
        sky, wind = draw.choice(["sunny", "grey", "?", "blue"]), f"w{draw.randrange(40)}"
        lines.append(f"{sky},{wind},{int(sky == 'sunny' or wind == 'w3')}\n")
    path.write_text("".join(lines))
    return path


STREAMS = {
    "small ids": lambda folder: (write_ids(folder / "s.svm", list(range(1, 60))), {}),
    "large ids": lambda folder: (write_ids(folder / "l.svm", [10**17 + 3 * i for i in range(60)]), {}),
    "both": lambda folder: (write_ids(folder / "b.svm", [*range(1, 30), *(9**15 + i for i in range(30))]), {}),
    "names": lambda folder: (write_table(folder / "t.csv"), {"label": "play"}),
}


@pytest.mark.kernel
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", STREAMS)
def test_each_ends_as_it_would_alone(tmp_path: Path, kind: str, threads: int) -> None:
    """The same mistakes at the same trials and the same model, byte for byte, whoever else reads the blocks."""
    path, settings = STREAMS[kind](tmp_path)
    together = Comparison({name: find(name)() for name in LINEAR})
    with open_stream(path, settings, block_bytes=400) as stream:
        together.play_stream(stream, threads=threads)
    for entry in together.entries:
        alone = find(entry.name)()
        ledger = new_ledger(alone)
        with open_stream(path, settings) as stream:
            learn_stream(alone, stream, ledger)
        assert (entry.ledger.trials, entry.ledger.mistake_trials) == (100, ledger.mistake_trials)
        size = alone.save(tmp_path / "alone.mb", ledger=ledger)
        assert entry.learner.save(tmp_path / "together.mb", ledger=entry.ledger) == size
        assert (tmp_path / "alone.mb").read_bytes() == (tmp_path / "together.mb").read_bytes()
        assert entry.size == entry.learner.save(tmp_path / "bare.mb")


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_that_one_cannot_take_leave_the_others_as_they_are(tmp_path: Path, threads: int) -> None:
    """Block after block: out is out, and with `skip` each learner has attributes of its own."""
    path = write_ids(tmp_path / "x.svm", [10**17 + 3 * i for i in range(60)])
    lines = path.read_text().splitlines(keepends=True)
    for row in range(30, 100, 7):
        lines[row] = lines[row].replace(":1", ":0.5", 1)
    path.write_text("".join(lines))
    for on_error in ("fail", "skip"):
        together = Comparison({"perceptron": mb.Perceptron(), "winnow2": mb.Winnow2()})
        with open_stream(path, block_bytes=400, on_error=on_error) as stream:
            together.play_stream(stream, threads=threads, skip=on_error == "skip")
        for entry in together.entries:
            alone, errors = find(entry.name)(), []
            ledger = new_ledger(alone)
            with open_stream(path, on_error="skip") as stream:
                learn_stream(alone, stream, ledger, skip=errors.append)
            taken = 30 if errors and on_error == "fail" else 100 - len(errors)
            assert entry.ledger.trials == taken
            assert list(entry.ledger.mistake_trials) == [trial for trial in ledger.mistake_trials if trial <= taken]
            if taken > 30:
                assert entry.learner.hypothesis == alone.hypothesis
        assert together.entries[1].skipped == (10 if on_error == "skip" else 0)


def test_arrays_and_lists_are_as_the_file(tmp_path: Path) -> None:
    path = write_ids(tmp_path / "x.svm", list(range(1, 60)))
    X, y, rows = np.zeros((100, 59)), [], []
    for row, line in enumerate(path.read_text().splitlines()):
        label, *entries = line.split()
        on = [entry.removesuffix(":1") for entry in entries if entry.endswith(":1")]
        X[row, [int(name) - 1 for name in on]] = 1
        y.append(int(label))
        rows.append((set(on), int(label)))
    of_file, of_arrays, of_rows = (mb.compare(examples, LINEAR, assume={"k": 2}) for examples in (path, (X, y), rows))
    assert of_file.entries[0].ledger.mistakes > 0
    for one, two, three in zip(of_file.entries, of_arrays.entries, of_rows.entries, strict=True):
        assert one.ledger.mistake_trials == two.ledger.mistake_trials == three.ledger.mistake_trials
        assert str(one.ledger.verdict) == str(two.ledger.verdict) == str(three.ledger.verdict)
    assert mb.compare([path, path], ["perceptron"]).entries[0].ledger.trials == 200
    named = mb.compare((X, y), ["perceptron"], names=[f"a{column}" for column in range(59)])
    assert named.entries[0].learner.top(1)[0][0].startswith("a")


def test_one_that_cannot_take_a_row_is_out_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("+1 1:1\n-1 2:1\n+1 1:0.5 2:1\n-1 2:1\n+1 1:1\n")
    found = mb.compare(path, ["winnow2", "perceptron"])
    winnow, perceptron = found.entries
    assert perceptron.refused is None
    assert perceptron.ledger.trials == 5
    assert (winnow.ledger.trials, winnow.refused.line) == (2, 3)
    assert [entry.name for entry in found.ranked] == ["perceptron", "winnow2"]
    assert "winnow2" in str(found)
    assert "x.svm:3" in str(found).replace("\n", " ")
    skipped = mb.compare(path, ["winnow2", "perceptron"], on_error="skip")
    assert [(entry.ledger.trials, entry.skipped) for entry in skipped.entries] == [(4, 1), (5, 0)]


def test_when_none_can_take_the_rows_that_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("+1 1:1\n-1 1:0.5\n+1 1:1\n")
    with pytest.raises(BadData, match=r"none of these learners .* winnow1: .*x.svm:2: .* winnow2: .*x.svm:2"):
        mb.compare(path, ["winnow1", "winnow2"])
    path.write_text("a 1:1\nb 1:1\n")
    with pytest.raises(BadData, match=r"x.svm:1: label 'a' is neither 'b' nor 'c'") as raised:
        mb.compare(path, ["perceptron", "winnow2"], labels=("b", "c"))
    assert "none of" not in str(raised.value)
    assert mb.compare(path, ["perceptron", "winnow2"], labels=("a", "b")).entries[1].ledger.trials == 2
    with pytest.raises(BadData, match="a label must be a single value: list"):
        mb.compare([({"1"}, ["a"])], ["perceptron"])


def test_a_class_that_the_labels_left_ends_there(tmp_path: Path) -> None:
    """Reading ends when nobody is left, and that is no error: the contradiction is what was found."""
    path = tmp_path / "x.svm"
    path.write_text("-1 1:1\n+1 2:1\n+1 1:1\n" + "-1 2:1\n" * 50)
    found = mb.compare(path, ["disjunction-elimination", "perceptron"])
    ended, going = found.entries
    assert (ended.ledger.trials, ended.ledger.verdict.kind, ended.ledger.refuted_at) == (3, "inconsistent", 3)
    assert (going.ledger.trials, found.ranked[0]) == (53, going)
    assert ended.ledger.verdict.startswith("stopped: trial 3: ")
    names = ["disjunction-elimination", "conjunction-elimination", "perceptron"]
    longer = mb.compare([*([({"1"}, 0), ({"2"}, 1), ({"1"}, 1), ({"1", "2"}, 0)] * 2)], names).ranked
    assert [entry.name for entry in longer] == ["perceptron", "conjunction-elimination", "disjunction-elimination"]
    assert longer[1].ledger.trials > longer[2].ledger.trials
    path.write_text(path.read_text() + "this is no row\n")
    alone = mb.compare(path, ["disjunction-elimination"])
    assert alone.entries[0].ledger.trials == 3


def test_facts_go_to_those_who_can_use_them() -> None:
    rows = [({"1"}, 1), ({"2"}, 0)] * 5
    found = mb.compare(rows, LINEAR, assume={"k": 1, "margin": 0.1})
    assert {entry.name: entry.facts for entry in found.entries} == {
        "perceptron": {"margin": 0.1}, "winnow1": {"k": 1}, "winnow2": {"k": 1},
    }  # fmt: skip
    assert [entry.ledger.bound.value is not None for entry in found.entries] == [True, True, True]
    with pytest.raises(BadParameter, match="margin is not a fact that any of these learners can use"):
        mb.compare(rows, ["winnow1"], assume={"margin": 0.1})
    with pytest.raises(BadParameter, match="k must be a whole number"):
        mb.compare(rows, ["winnow1"], assume={"k": 1.5})
    # r of k means something else than k, which is all that Winnow1 knows.
    found = mb.compare(rows, ["winnow1", "winnow2"], assume={"k": 2, "r": 2})
    assert [set(entry.facts) for entry in found.entries] == [set(), {"k", "r"}]


def test_drift_is_seen_and_refutes_the_target() -> None:
    """The target changes after 600 trials: the recent error shows it, and the verdict says when it was certain."""
    draw = random.Random(3)
    rows = []
    for trial in range(1200):
        on = {str(i) for i in draw.sample(range(1, 41), 6)}
        rows.append((on, int("1" in on if trial < 600 else "2" in on and "1" not in on)))
    before = mb.compare(rows[:600], ["winnow1"], assume={"k": 1, "n": 40}, window=200).entries[0].ledger
    after = mb.compare(rows, ["winnow1"], assume={"k": 1, "n": 40}, window=200).entries[0].ledger
    assert (before.verdict.kind, after.verdict.kind) == ("within", "refuted")
    assert 600 < after.refuted_at <= 1200
    assert after.mistake_trials[after.bound.mistakes] == after.refuted_at
    assert f"exceeded at trial {after.refuted_at}): no monotone disjunction of at most 1 of 40" in after.verdict
    assert after.recent(200)[1] > before.recent(200)[1]


def test_the_default_set_takes_streams_and_needs_no_parameter() -> None:
    names = default_learners()
    assert {"winnow1", "winnow2", "perceptron", "disjunction-elimination", "conjunction-elimination"} <= set(names)
    assert not {"decision-list-learner", "halving", "decision-tree", "naive-bayes", "network", "find-s"} & set(names)
    found = mb.compare([({"1"}, 1), ({"2"}, 0)] * 3)
    assert [entry.name for entry in found.entries] == names


def test_names_classes_learners_and_names_of_your_own() -> None:
    rows = [({"1"}, 1), ({"2"}, 0)] * 3
    found = mb.compare(iter(rows), {"mild": mb.Winnow2(alpha=1.1), "bold": mb.Winnow2(alpha=9), "p": "perceptron"})
    assert [entry.name for entry in found.entries] == ["mild", "bold", "p"]
    assert [entry.learner.settings.get("alpha") for entry in found.entries] == [1.1, 9, None]
    assert mb.compare(rows, [mb.Winnow1, mb.Winnow2(alpha=3)]).entries[1].learner.settings["alpha"] == 3
    with pytest.raises(BadParameter, match="winnow2' is twice"):
        mb.compare(rows, [mb.Winnow2(alpha=1.1), mb.Winnow2(alpha=9)])
    with pytest.raises(BadParameter, match="did you mean winnow2"):
        mb.compare(rows, ["winow2"])
    with pytest.raises(BadParameter, match="rows of a stream: 'decision-tree'"):
        mb.compare(rows, ["decision-tree"])
    with pytest.raises(BadParameter, match="at least one"):
        mb.compare(rows, [])
    with pytest.raises(BadParameter, match="window must be >= 1: 0"):
        mb.compare(rows, window=0)


def test_what_means_nothing_is_said() -> None:
    rows = [({"1"}, 1), ({"2"}, 0)]
    assert [entry.name for entry in mb.compare(rows, "winnow2").entries] == ["winnow2"]
    learner = mb.Winnow2()
    with pytest.raises(BadParameter, match="one has two names: a, b"):
        mb.compare(rows, {"a": learner, "b": learner})
    for given in ({"on_error": "skip"}, {"reader": {"label": "y"}}):
        with pytest.raises(BadParameter, match="are only for files"):
            mb.compare(rows, ["winnow2"], **given)  # type: ignore[arg-type]


def test_labels_of_examples_in_memory_are_found() -> None:
    rows = [({"1"}, "ham"), ({"2"}, "spam"), ({"1", "3"}, "ham")] * 20
    found = mb.compare(rows, ["perceptron", "winnow2"])
    told = mb.compare(rows, ["perceptron", "winnow2"], labels=("ham", "spam"))
    assert found.labels_found == "labels: ham, spam (positive: spam)"
    assert [entry.ledger.mistakes for entry in found.entries] == [entry.ledger.mistakes for entry in told.entries]
    many = mb.compare(([[1, 0], [0, 1], [1, 1]], ["a", "b", "c"]), ["perceptron"])
    assert (many.entries[0].learner.name, many.entries[0].ledger.trials) == ("one-vs-all", 3)
    again = pickle.loads(pickle.dumps(many))
    assert again.entries[0].ledger.confusion == many.entries[0].ledger.confusion
