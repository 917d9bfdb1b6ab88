"""`learn --learner naive-bayes`, and what the other commands make of its models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from learners.test_naive_bayes import DAYS, NAMES, NEW, PLAY, ROWS

BAYES = ("learn", "--learner", "naive-bayes")


@pytest.fixture
def tennis(tmp_path: Path) -> Path:
    path = tmp_path / "tennis.csv"
    lines = [",".join((*NAMES, "Play")), *(",".join(day) for day in DAYS)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_strongest_evidence(run: Any, tennis: Path, tmp_path: Path) -> None:
    model = tmp_path / "tennis.mb"
    learned = run(*BAYES, tennis, "--label", "Play", "--set", "m=0", "--model", model)
    assert learned.code == 0
    assert learned.out.splitlines()[:2] == [
        f"NaiveBayes(m=0.0) on {tennis}",
        "  table       14 rows, 4 columns, 2 classes",
    ]
    assert learned.out.endswith("\n\n" + run("explain", model).out)
    lines = run("explain", model, "--top", 2).out.splitlines()
    assert lines[0] == "NaiveBayes(m=0.0): 2 classes, 4 nominal attributes"
    assert lines[2].split() == ["No", "5", "0.3571"]
    assert lines[7].split() == ["Outlook=Overcast", "Yes", "only", "here", "0.4444", "0.0000", "4"]
    assert lines[8].split() == ["Humidity=Normal", "Yes", "3.33", "0.6667", "0.2000", "6"]
    assert lines[9] == "m = 0: 1 estimate is 0: a row with such a value rules the class out; use m > 0"
    assert max(map(len, lines)) < 80


def test_json(run: Any, tennis: Path) -> None:
    found = run(
        *BAYES, tennis, "--label", "Play", "--set", "m=laplace", "--set", "class_prior=No=0.25,Yes=0.75", "--json"
    ).json
    assert found["parameters"]["class_prior"] == {"No": 0.25, "Yes": 0.75}
    assert found["classes"] == ["No", "Yes"]
    assert found["class_probabilities"] == pytest.approx([0.25, 0.75])
    assert found["evidence"][0] == {
        "value": "Outlook=Overcast", "class": "Yes", "times": pytest.approx((5 / 12) / (1 / 8)),
        "probability": pytest.approx(5 / 12), "elsewhere": pytest.approx(1 / 8), "count": 4,
    }  # fmt: skip
    assert (found["rows"], found["columns"], found["zero_estimates"]) == (14, list(NAMES), 0)


def test_its_model_serves_the_other_commands(run: Any, tennis: Path, tmp_path: Path) -> None:
    model, new = tmp_path / "tennis.mb", tmp_path / "new.csv"
    assert run(*BAYES, tennis, "--label", "Play", "--model", model, "--set", "m=0").code == 0
    own = mb.NaiveBayes(m=0).fit(ROWS, PLAY)
    assert mb.load(model).learner.hypothesis == own.hypothesis
    new.write_text("Wind,Humidity,Temperature,Outlook\nStrong,High,Cool,Sunny\nStrong,?,Cool,Fog\n")
    assert run("predict", model, new).out.split() == ["No", own.predict_one({"Wind": "Strong", "Temperature": "Cool"})]
    first = run("explain", model, new, "--row", 1).out
    assert first.startswith("No with probability 0.795417\n")
    assert "Outlook=Sunny" in first
    second = run("explain", model, new, "--row", 2).out
    assert "missing or never seen, and skipped: Outlook, Humidity" in second
    assert run("explain", model).out == "\n".join(own.lines(10)) + "\n"
    assert run("eval", model, tennis, "--json").json["mistakes"] == sum(
        said != label for said, label in zip(own.predict_many(ROWS), PLAY, strict=True)
    )
    assert "naive-bayes" in run("explain", model, "--header").out
    assert own.predict_one(NEW) == "No"


def test_bins_words_and_flags(run: Any, tmp_path: Path) -> None:
    path, model = tmp_path / "mail.csv", tmp_path / "mail.mb"
    path.write_text("free,now,kind\n3,0,spam\n2,1,spam\n0,1,ham\n0,0,ham\n")
    assert "free>" in run(*BAYES, path, "--label", "kind", "--bins", 2, "--model", model).out
    assert run("predict", model, path).out.split() == ["spam", "spam", "ham", "ham"]
    words = run(*BAYES, path, "--label", "kind", "--set", "attributes=words", "--set", "m=laplace", "--model", model)
    assert "2 words" in words.out
    assert run("eval", model, path, "--json").json["mistakes"] == 0
    assert "free (3 times)" in run("explain", model, path, "--row", 1).out
    bad = run(*BAYES, path, "--label", "kind", "--set", "attributes=flags")
    assert (bad.code, bad.out) == (3, "")
    assert f"{path}:2: 'free' has the value 3, but these attributes are flags: 0 or 1" in bad.err


def test_bad_words(run: Any, tennis: Path, tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("a,kind\n1,x\n2.5,y\n")
    empty = tmp_path / "empty.csv"
    empty.write_text("a,kind\n")
    for words, code, part in (
        ((tennis, "--label", "play"), 2, "has no column"),
        ((tennis, "--label", "Play", "--set", "m=-1"), 2, "m must be 'laplace' or a number >= 0"),
        ((tennis, "--label", "Play", "--set", "p=2"), 2, "p must be"),
        ((tennis, "--label", "Play", "--set", "class_prior=some"), 2, "class_prior must be"),
        (
            (tennis, "--label", "Play", "--set", "class_prior=Yes=half"),
            2,
            "class_prior must be 'observed', 'uniform', labels with probabilities, NAME=NUMBER,NAME=NUMBER",
        ),
        ((tennis, "--label", "Play", "--set", "class_prior=Yes=1"), 3, "label 'No' has no probability in class_prior"),
        ((tennis, "--label", "Play", "--plot", "p.svg"), 2, "naive-bayes has no picture"),
        ((tennis, "--label", "Play", "--validation", "1/3"), 2, "naive-bayes does not support validation"),
        ((tennis, "--label", "Play", "--set", "attributes=words"), 3, "column 'Outlook' is nominal"),
        ((numbers, "--label", "kind"), 3, "column 'a' is numeric, and naive Bayes counts values"),
        ((empty, "--label", "kind"), 3, "there are no rows to learn from"),
    ):
        result = run(*BAYES, *words)
        assert (result.code, result.out) == (code, ""), words
        assert part in result.err, words


def test_every_class_ruled_out_names_the_row(run: Any, tmp_path: Path) -> None:
    path, model, new = tmp_path / "t.csv", tmp_path / "t.mb", tmp_path / "n.csv"
    path.write_text("a,b,y\np,p,0\nq,q,1\n")
    new.write_text("a,b\np,p\np,q\n")
    assert run(*BAYES, path, "--label", "y", "--set", "m=0", "--model", model).code == 0
    result = run("predict", model, new)
    assert result.code == 3
    assert f"{new}:3: every class has probability 0 (a=p never came with 1; b=q never came with 0)" in result.err


def test_a_prior_in_fractions(run: Any, tennis: Path) -> None:
    found = run(
        *BAYES, tennis, "--label", "Play", "--set", "class_prior=No=1/3,Yes=2/3", "--set", "m=1/2", "--json"
    ).json
    assert found["class_probabilities"] == pytest.approx([1 / 3, 2 / 3])
    assert found["parameters"]["m"] == 0.5


def test_columns_stay_in_line_where_a_label_has_a_newline(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,y\n1,"p\nq"\n0,r\n1,"p\nq"\n')
    lines = run(*BAYES, path, "--label", "y", "--nominal", "a").out.splitlines()[5:]
    header, first, second = (line for line in lines if line.startswith(("  class", "  p\\nq", "  r ")))
    assert len(header) == len(first) == len(second)
