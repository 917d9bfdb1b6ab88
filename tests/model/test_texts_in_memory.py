"""Lists and columns of texts, with their labels: as a file of labelled text."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.core.errors import BadData, BadParameter

WORDS = ["free", "prize", "now", "lunch", "meet", "you", "don't", "Übung"]


def mails(count: int, labels: tuple[Any, ...] = ("ham", "spam")) -> tuple[list[str], list[Any]]:
    draw = random.Random(1)
    texts = [" ".join(draw.choice(WORDS) for _ in range(6)) for _ in range(count)]
    return texts, [labels[("free" in text) + ("prize" in text and len(labels) > 2)] for text in texts]


@pytest.mark.some(2)
@pytest.mark.parametrize("labels", [("ham", "spam"), (0, 1), ("a", "b", "c"), (False, True)])
@pytest.mark.parametrize("learner", [None, "arow"])
def test_as_from_a_file(tmp_path: Path, labels: tuple[Any, ...], learner: str | None) -> None:
    texts, y = mails(300, labels)
    path = tmp_path / "mails.txt"
    path.write_text("".join(f"{label}\t{text}\n" for text, label in zip(texts, y, strict=True)), encoding="utf-8")
    wanted = mb.learn(path, learner=learner, format="text")
    for given in (texts, tuple(texts), np.array(texts), np.array(texts, object)):
        model = mb.learn((given, y), learner=learner)
        assert (model.ledger.trials, model.ledger.mistakes) == (300, wanted.ledger.mistakes)
        assert model.labels == wanted.labels
        assert model.predict(given) == wanted.predict(path)
        assert model.predict_proba(given).tolist() == wanted.predict_proba(path).tolist()
        assert model.evaluate((given, y)).mistakes == wanted.evaluate(path).mistakes
    assert model.predict(texts) == [model.predict_one(text) for text in texts]
    assert mb.learn((np.array(texts), np.array(y)), learner=learner).labels == wanted.labels


def test_names_of_files_stay_names_of_files(tmp_path: Path) -> None:
    texts, y = mails(100)
    model, path = mb.learn((texts, y)), tmp_path / "two words.txt"
    path.write_text("ham\tlunch\n")
    assert model.predict([str(path)]) == [model.predict_one("lunch")]
    with pytest.raises(BadParameter, match="is not a file: a list of texts is a list of files"):
        model.predict(["no_blank.txt", "nor_here.txt"])
    with pytest.raises(mb.errors.MistakeboundError):
        model.predict([str(path), "free prize"])


def test_lines_within_texts() -> None:
    model = mb.learn((["free\nprize", "lunch\r\nnow"] * 30, ["spam", "ham"] * 30))
    assert model.ledger.trials == 60
    assert model.predict(["free\nprize now", "lunch time"]) == ["spam", "ham"]


@pytest.mark.parametrize("bad", ["", " ", "a\tb", "a\nb"])
def test_labels_without_a_name(bad: str) -> None:
    with pytest.raises(BadData, match="a label of a text must have a name that can be printed"):
        mb.learn((["free prize", "lunch"], ["spam", bad]))


def test_numbers_of_texts_and_labels_differ() -> None:
    with pytest.raises(BadData, match="X has 2 texts and y 1 labels"):
        mb.learn((["free prize", "lunch"], ["spam"]))
    with pytest.raises(BadParameter, match="weights is not supported here, X is a list of texts"):
        mb.learn((["free prize", "lunch"], ["spam", "ham"]), weights=[1, 2])
