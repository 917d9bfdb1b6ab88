"""Short rules on streams: counted as row after row would be, the same for all blocks, honest where there is none."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.ledger import Ledger
from mistakebound.io import open_stream
from mistakebound.model import find_rule as module
from mistakebound.model.find_rule import find_rule
from mistakebound.model.trainer import learn_stream
from model.mails import WORDS, mails, write


def taught(path: Path, learner: Any) -> Any:
    for _ in range(3):
        with open_stream(path, {"format": "text"}) as stream:
            learn_stream(learner, stream, Ledger(learner.labels))
    return learner


def found_on(learner: Any, path: Path, threads: int = 1, **more: Any) -> Any:
    with open_stream(path, {"format": "text"}, unlabelled_ok=True, **more) as stream:
        return find_rule(learner, stream, threads=threads)


LEARNERS: dict[str, Any] = {
    "winnow2": lambda: mb.Winnow2(labels=("ham", "spam")),
    "perceptron": lambda: mb.Perceptron(labels=("ham", "spam")),
}


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("kept", [1 << 16, 250])
def test_counts_are_those_of_row_after_row(
    name: str, kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long: bool
) -> None:
    monkeypatch.setattr(module, "CHOSEN_ON", kept)
    rows = mails(900 if long else 450)
    path = write(tmp_path / "mails.txt", rows)
    learner = taught(path, LEARNERS[name]())
    found = found_on(learner, path)
    says = [(found.rule(set(words)), learner.predict_one(set(words)), label) for label, words in rows]
    assert found.rows == found.labelled == len(rows)
    assert found.agreed == sum(rule == model for rule, model, _ in says)
    assert found.rule_mistakes == sum(rule != label for rule, _, label in says)
    assert found.model_mistakes == sum(model != label for _, model, label in says)
    assert found.constant[1] == max(sum(model == label for _, model, _ in says) for label in ("ham", "spam"))
    assert found.chosen_on == min(kept, len(rows))
    for threads, block in ((1, 100), (3, 333)):
        again = found_on(learner, path, threads, block_bytes=block)
        assert again.as_json() == found.as_json()


def test_conjunctions_are_on_when_their_parts_are(tmp_path: Path) -> None:
    draw = random.Random(2)
    rows = []
    for _ in range(800):
        words = draw.sample(WORDS[:9], 4)
        rows.append((("ham", "spam")[{"w1", "w2"} <= {*words}], words))
    path = write(tmp_path / "mails.txt", rows)
    learner = taught(path, mb.transforms.expand(mb.Winnow2(labels=("ham", "spam")), cross=2))
    assert learner.hypothesis.rule() is None  # sets of conjunctions are no instances
    found = found_on(learner, path)
    assert (str(found.rule), found.short) == ("IF ('w1' & 'w2') THEN spam ELSE ham", True)
    says = [(found.rule(set(words)), learner.predict_one(set(words)), label) for label, words in rows]
    assert found.agreed == sum(rule == model for rule, model, _ in says)
    assert found.rule_mistakes == sum(rule != label for rule, _, label in says)


@pytest.mark.parametrize("kind", [mb.Winnow1, mb.Winnow2])
def test_negated_literals_and_a_complement(kind: Any, tmp_path: Path) -> None:
    """A conjunction learned as a disjunction of literals whose label is the other one."""
    draw = random.Random(4)
    rows = [draw.sample(WORDS[:8], 4) for _ in range(600)]
    path = write(
        tmp_path / "mails.txt", [(("ham", "spam")["w1" in words and "w2" not in words], words) for words in rows]
    )
    learner = taught(path, mb.transforms.expand(kind(n=8, labels=("ham", "spam")), reduce="conjunction"))
    found = found_on(learner, path)
    assert found.short
    if kind is mb.Winnow1:  # nothing but what speaks against spam has a weight
        assert str(found.rule) in ("IF 'w2' OR NOT 'w1' THEN ham ELSE spam", "IF NOT 'w1' OR 'w2' THEN ham ELSE spam")
    for words in rows:
        assert found.rule(set(words)) == ("spam" if "w1" in words and "w2" not in words else "ham")


def test_an_ensemble_of_two_classes(tmp_path: Path) -> None:
    path = write(tmp_path / "mails.txt", mails(600, noise=0.0))
    learner = taught(path, mb.WeightedMajority("winnow2,perceptron", labels=("ham", "spam")))
    found = found_on(learner, path)
    assert {"w1", "w2", "w3"} <= set(found.rule.names)
    with pytest.raises(BadParameter, match="two classes"):
        find_rule(mb.OneVsAll(), None)


def test_numbers_behind_the_rows_that_are_kept_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """x1 decides, and is 2 once, behind the rows on which the rule is chosen: a flag there, in blocks of any size."""
    monkeypatch.setattr(module, "CHOSEN_ON", 100)
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1 2:1\n0 2:1\n" * 80 + "1 1:2\n")
    learner = mb.Perceptron()
    with open_stream(path) as stream:
        learn_stream(learner, stream, Ledger())
    for block in (16, 1 << 20):
        with open_stream(path, block_bytes=block) as stream:
            found = find_rule(learner, stream)
        assert (str(found.rule), found.numbers) == ("IF x1 THEN 1 ELSE 0", 0)


def test_the_rule_that_is_there_is_found(tmp_path: Path) -> None:
    path = write(tmp_path / "mails.txt", mails(3000, noise=0.0))
    found = found_on(taught(path, mb.Perceptron(labels=("ham", "spam"))), path)
    assert (set(found.rule.names), found.rule.unless) == ({"w1", "w2", "w3"}, ("w9",))
    assert (found.short, found.rule_mistakes) == (True, 0)


def test_no_short_rule_is_said(tmp_path: Path) -> None:
    """Labels that are drawn: the model learns noise, and no ten words say what it says."""
    draw = random.Random(5)
    path = write(tmp_path / "noise.txt", [(draw.choice(["ham", "spam"]), draw.sample(WORDS, 10)) for _ in range(2000)])
    found = found_on(taught(path, mb.Perceptron(labels=("ham", "spam"))), path)
    assert not found.short
    assert found.agreement < 0.95
    said = dict(found.fields("noise.txt"))
    assert said["short rule"].startswith("none agrees on 95% of the rows")
    assert said["best rule"] == str(found.rule)


def test_an_elimination_has_its_own_rule(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("0 2:1 3:1\n1 1:1\n0 2:1\n1 1:1 4:1\n")
    learner = mb.learners.DisjunctionElimination()
    with open_stream(path) as stream:
        learn_stream(learner, stream, Ledger(learner.labels))
    with open_stream(path) as stream:
        found = find_rule(learner, stream)
    assert (str(found.rule), found.agreed, found.short, found.chosen_on) == ("IF x1 OR x4 THEN 1 ELSE 0", 4, True, None)


def test_values_are_no_literals(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    draw = random.Random(3)
    rows = [(draw.gauss(0, 1), draw.choice("ab")) for _ in range(500)]
    path.write_text("".join(f'{{"y": {int(t > 0.3)}, "t": {t}, "c": "{c}"}}\n' for t, c in rows))
    learner = mb.Perceptron()
    with open_stream(path, {"label": "y"}) as stream:
        learn_stream(learner, stream, Ledger(learner.labels))
    with open_stream(path, {"label": "y"}) as stream:
        found = find_rule(learner, stream)
    assert "t" not in found.rule.attributes
    assert (found.short, found.numbers) == (False, 1)
    assert "1 numeric attributes were not" in str(found)


def test_rows_without_labels_and_with_unknown_ones(tmp_path: Path) -> None:
    path = write(tmp_path / "mails.txt", mails(300))
    learner = taught(path, mb.Winnow2(labels=("ham", "spam")))
    bare = tmp_path / "bare.txt"
    bare.write_text("w1 w5\nspam\tw1\nw7\n")
    found = found_on(learner, bare)
    assert (found.rows, found.labelled) == (3, 1)
    bare.write_text("spam\tw1\neggs\tw2\n")
    with pytest.raises(BadData, match="label 'eggs' is not one of the model's, ham and spam") as error:
        found_on(learner, bare)
    assert error.value.line == 2
    bare.write_text("")
    empty = found_on(learner, bare)
    assert (empty.rows, empty.agreement) == (0, 1.0)
    assert "has no rows" in str(empty)


def test_who_has_no_rule() -> None:
    with pytest.raises(BadParameter, match="two classes"):
        find_rule(mb.NaiveBayes(), None)


def test_what_means_nothing_is_said(tmp_path: Path) -> None:
    rows = [({"1"}, 1), ({"2"}, 0)]
    for terms in (0, -1, "3", True):
        with pytest.raises(BadParameter, match="terms must be a whole number >= 1"):
            mb.inspection.find_rule(mb.Perceptron(), rows, terms=terms)
    for path in (tmp_path / "rows.svm", str(tmp_path / "rows.svm")):
        with pytest.raises(BadParameter, match="what open_stream gives for a file"):
            mb.inspection.find_rule(mb.Perceptron(), path)
    with pytest.raises(BadParameter, match="learner must be one of two classes"):
        mb.inspection.find_rule("perceptron", rows)
