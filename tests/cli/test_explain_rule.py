"""`explain MODEL FILE`: the model as a short rule, with how often it agrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from model.mails import mails
from model.mails import write as write_mails


@pytest.fixture
def spam(run: Run, tmp_path: Path) -> tuple[Path, Path]:
    rows, model = write_mails(tmp_path / "mails.txt", mails(1500, noise=0.0)), tmp_path / "mails.mb"
    words = ("--format", "text", "--labels", "ham,spam", "--learner", "perceptron", "--model", model, "--quiet")
    assert run("learn", rows, *words).code == 0
    return model, rows


def test_measured_on_a_file(run: Run, spam: tuple[Path, Path]) -> None:
    model, rows = spam
    lines = run("explain", model, rows).out.splitlines()
    assert any(line.startswith("  short rule  IF (") and "'w1'" in line for line in lines)
    found = run("explain", model, rows, "--json").json["short_rule"]
    assert (found["short"], found["rows"], found["chosen"]) == (True, 1500, "on the stream")
    assert found["agreement"] > 0.95
    assert found["rule_error"] < 0.2
    assert found["text"] in " ".join(" ".join(lines).split())
    evaluated = run("eval", model, rows, "--json").json
    assert found["model_error"] == evaluated["error_rate"]
    assert run("explain", model, rows, "--threads", "3", "--json").json["short_rule"] == found
    short = run("explain", model, rows, "--rule", "1", "--json").json["short_rule"]
    assert len(short["of"]) + len(short["unless"]) == 1


def test_without_a_file_it_says_how_to_measure(run: Run, model: Path) -> None:
    out = run("explain", model).out
    assert "short rule  IF x3 THEN +1 ELSE -1" in out
    assert "`explain MODEL FILE`" in out
    found = run("explain", model, "--json").json["short_rule"]
    assert (found["of"], found["at_least"], found["then"], found["chosen"]) == (["3"], 1, 1, "by the weights alone")


def test_hashed_names_where_the_files_have_them(run: Run, tmp_path: Path) -> None:
    rows, model = write_mails(tmp_path / "mails.txt", mails(800)), tmp_path / "m.mb"
    words = ("--format", "text", "--labels", "ham,spam", "--learner", "winnow2", "--hash", "12", "--model", model)
    assert run("learn", rows, *words, "--quiet").code == 0
    found = run("explain", model, rows, "--json").json["short_rule"]
    assert "'w1'" in found["text"]
    assert all(name.isdecimal() for name in found["of"])
    with_input = run("explain", model, "--json").json["short_rule"]
    assert with_input is None or "bucket" in with_input["text"]


@pytest.mark.parametrize("hashed", [(), ("--hash", "12")])
def test_conjunctions_of_words(run: Run, tmp_path: Path, hashed: tuple[str, ...]) -> None:
    """Spam is `7 & win`: two words, of which one is a number, and no run of words."""
    texts = ("7 or win", "win lunch", "7 lunch", "lunch now", "you win 7", "now or 7")
    rows, model = tmp_path / "mails.txt", tmp_path / "m.mb"
    rows.write_text("".join(f"{'spam' if {'7', 'win'} <= {*text.split()} else 'ham'}\t{text}\n" for text in texts * 40))
    words = ("--format", "text", "--labels", "ham,spam", "--learner", "winnow1", "--cross", "2", "--model", model)
    assert run("learn", rows, *words, *hashed, "--quiet").code == 0
    found = run("explain", model, rows, "--json").json["short_rule"]
    assert found["text"] in ("IF ('7' & 'win') THEN spam ELSE ham", "IF ('win' & '7') THEN spam ELSE ham")
    assert found["agreement"] == 1


def test_a_file_without_rows_shows_no_rule(run: Run, spam: tuple[Path, Path], tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    said = "".join(run("explain", spam[0], empty).out.split())
    assert f"shortrulenone:{empty}hasnorows" in said
    found = run("explain", spam[0], empty, "--json").json["short_rule"]
    assert (found["short"], found["rows"], found["agreement"]) == (False, 0, None)


def test_tables_and_their_values(run: Run, tmp_path: Path) -> None:
    rows, model = tmp_path / "t.csv", tmp_path / "t.mb"
    rows.write_text("colour,size,y\n" + "red,big,1\nblue,big,0\nred,small,1\nblue,small,0\n" * 50)
    assert run("learn", rows, "--label", "y", "--learner", "perceptron", "--model", model, "--quiet").code == 0
    found = run("explain", model, rows, "--json").json["short_rule"]
    assert found["text"] in ("IF colour=red THEN 1 ELSE 0", "IF colour=blue THEN 0 ELSE 1")
    assert (found["agreement"], found["rule_error"], found["model_error"]) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nowhere.svm"], 1, "nowhere.svm"),
        (["{rows}", "--instance", "3"], 2, "--instance takes no FILE"),
        (["--rule", "0"], 2, "--rule must be >= 1: 0"),
        (["{rows}", "--threads", "0"], 2, "--threads must be >= 1: 0"),
        (["{rows}", "--format", "vw"], 2, "--format must match the model"),
    ],
)
def test_what_means_nothing(run: Run, model: Path, stream: Path, words: list[str], code: int, said: str) -> None:
    result = run("explain", model, *(word.replace("{rows}", str(stream)) for word in words))
    assert (result.code, result.out) == (code, "")
    assert said in result.err
    assert result.err.count("\n") == 1


def test_a_row_may_be_of_the_file(run: Run, model: Path, stream: Path) -> None:
    named: Any = run("explain", model, stream, "--row", "2")
    assert run("explain", model, stream, "--row", "2").out == named.out
