"""`mistakebound version-space`: row by row, the comparison, drawings, questions, and what is wrong with a file."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb

ENJOY = """Sky,AirTemp,Humidity,Wind,Water,Forecast,EnjoySport
Sunny,Warm,Normal,Strong,Warm,Same,Yes
Sunny,Warm,High,Strong,Warm,Same,Yes
Rainy,Cold,High,Strong,Warm,Change,No
Sunny,Warm,High,Strong,Cool,Change,Yes
"""
HOW = ("--label", "EnjoySport", "--labels", "No,Yes", "--values", "Sky=Sunny,Cloudy,Rainy Wind=Strong,Weak")
SMALL = ("--ask", "--values", "Sky=Sunny,Rainy", "--values", "Wind=Strong,Weak")


@pytest.fixture
def enjoy(tmp_path: Path) -> Path:
    path = tmp_path / "enjoy.csv"
    path.write_text(ENJOY)
    return path


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_enjoy_sport_row_by_row(run: Any, enjoy: Path) -> None:
    done = run("version-space", enjoy, *HOW)
    assert done.code == 0
    assert "4 rows, 6 attributes, 96 instances, 973 hypotheses" in done.out
    sizes = [line.split()[1] for line in done.out.splitlines() if line.split()[:1] == ["left"]]
    assert sizes == ["973", "64", "32", "28", "6", "6"]
    assert "<Sunny, Warm, ?, Strong, ?, ?>  below 2, 3, 4" in done.out
    assert "candidate elimination       40       56  the target is a conjunction" in done.out
    assert "? 2^91 of 2^92  ? 3 of 6       negative" in done.out


def test_the_same_as_data(run: Any, enjoy: Path) -> None:
    data = run("version-space", enjoy, *HOW, "--json").json
    assert [step["size"] for step in data["steps"]] == [973, 64, 32, 28, 6]
    assert data["S"] == ["<Sunny, Warm, ?, Strong, ?, ?>"]
    assert data["G"] == ["<Sunny, ?, ?, ?, ?, ?>", "<?, Warm, ?, ?, ?, ?>"]
    assert (data["size"], data["trials"], data["mistakes"], data["abstentions"]) == (6, 4, 0, 4)
    assert data["collapsed_by"] is None
    assert data["bias"]["answers"] == {"rote learner": 4, "unbiased": 4, "candidate elimination": 40, "Find-S": 96}


def test_instances_to_compare_on(run: Any, enjoy: Path, tmp_path: Path) -> None:
    test = tmp_path / "test.csv"
    test.write_text("Sky,AirTemp,Humidity,Wind,Water,Forecast\nSunny,Cold,Normal,Strong,Warm,Same\n")
    data = run("version-space", enjoy, *HOW, "--test", test, "--json").json
    (row,) = data["bias"]["instances"]
    assert row["answers"]["candidate elimination"] == {"label": None, "vote": [2, 6]}
    test.write_text(
        "Sky,AirTemp,Humidity,Wind,Water,Forecast\nSunny,Cold,Normal,Strong,Warm,Same\nGreen,Cold,High,Weak,Warm,Same\n"
    )
    done = run("version-space", enjoy, *HOW, "--test", test)
    assert done.code == 3
    assert "test.csv:3: 'Green' is not a declared value of 'Sky'" in done.err


def test_a_contradiction_is_shown_with_its_rows(run: Any, enjoy: Path) -> None:
    enjoy.write_text(ENJOY + "Sunny,Warm,Normal,Strong,Warm,Same,No\nRainy,Warm,High,Strong,Cool,Change,Yes\n")
    done = run("version-space", enjoy, *HOW)
    assert done.code == 0
    assert "Row 5 leaves no hypothesis." in done.out
    assert "row 1, line 2: Yes  (Sunny, Warm, Normal, Strong, Warm, Same)" in done.out
    assert "row 5, line 6: No" in done.out
    data = run("version-space", enjoy, *HOW, "--json").json
    assert data["collapsed_by"]["rows"] == [1, 5]
    assert data["collapsed_by"]["before"]["size"] == 6
    assert (data["size"], data["trials"], data["mistakes"]) == (0, 5, 1)


def test_a_longer_table_shows_what_changes(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    rows = [f"{'pq'[k % 2]},{'xyz'[k % 3]},{'uv'[k // 6 % 2]},{int(k % 6 == 0)}" for k in range(60)]
    path.write_text("\n".join(["a,b,c,y", *rows]) + "\n")
    done = run("version-space", path, "--label", "y", "--steps", 3)
    assert "Showing the first 3 of" in done.out
    data = run("version-space", path, "--label", "y", "--json").json
    assert (data["S"], data["size"]) == (["<p, x, ?>"], 1)
    assert all(step["prediction"] != step["label"] for step in data["steps"][1:])
    assert run("version-space", path, "--label", "y", "--steps", 0, "--json").json["steps"] == []


@pytest.mark.parametrize("form", ["dot", "svg"])
def test_drawings(run: Any, enjoy: Path, tmp_path: Path, form: str) -> None:
    picture = tmp_path / f"lattice.{form}"
    result = run("version-space", enjoy, *HOW, "--plot", picture, "--lattice", "--json")
    assert (result.code, result.json["picture"]) == (0, str(picture))
    assert "Strong" in picture.read_text()
    drawn = result.json["lattice"]
    assert "Strong" in drawn
    assert drawn in run("version-space", enjoy, *HOW, "--lattice").out


def test_questions(run: Any, answers: Any) -> None:
    """The target is <Sunny, ?>; one answer is unknown, one wrong and taken back, one no answer at all."""
    answers("y\n?\ny\nu\nhm\ny\ny\nn\nn\nn\nn\n")
    done = run("version-space", *SMALL)
    assert done.code == 0
    assert "10 hypotheses about 2 attributes" in done.out
    assert "then another one" in done.out
    assert "taken back)" in done.out
    assert "at least    4 = log2 of 10" in done.out
    assert "fewest      4: questions" in done.out


def test_questions_as_data(run: Any, answers: Any) -> None:
    answers("n\nn\nn\nn\n")
    done = run("version-space", *SMALL, "--json")
    assert done.json["found"] == "<∅, ∅>"
    assert (done.json["questions"], done.json["at_least"], done.json["fewest"]) == (4, 4, {"lower": 4, "upper": 4})
    assert "Sky Sunny, Wind Strong?" in done.err


def test_questions_after_a_file_and_the_end_of_the_input(run: Any, enjoy: Path, answers: Any) -> None:
    answers("y\n")
    done = run("version-space", enjoy, *HOW, "--ask", "--steps", 0)
    assert done.code == 0
    assert "found       not yet: 3 are left" in done.out
    answers("u\nn\nq\n")
    assert "there is nothing to take back" in run("version-space", enjoy, *HOW, "--ask").out
    enjoy.write_text(ENJOY + "Sunny,Warm,Normal,Strong,Warm,Same,No\n")
    done = run("version-space", enjoy, *HOW, "--ask")
    assert done.code == 2
    assert "--ask has nothing to ask" in done.err


def test_a_model_is_written_and_used(run: Any, enjoy: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.mb"
    assert run("version-space", enjoy, *HOW, "--model", model).code == 0
    learner = mb.load(model).learner
    assert learner.version_space.size == 6
    assert run("predict", model, enjoy).out.split() == ["Yes", "Yes", "No", "Yes"]
    assert "candidate-elimination" in run("explain", model, "--header").out
    assert "<Sunny, Warm, ?, Strong, ?, ?>" in run("explain", model).out


@pytest.mark.parametrize(
    ("text", "words", "code", "said"),
    [
        ("a,y\n1,p\n2,q\n3,r\n", ["--label", "y"], 3, "declare any other pair"),
        (ENJOY, ["--label", "Enjoy"], 2, "has no column"),
        (ENJOY, [*HOW[:4], "--values", "Sky=Sunny"], 3, "enjoy.csv:4: 'Rainy' is not a declared value of 'Sky'"),
        (ENJOY, [*HOW[:4], "--values", "Moon=Full"], 2, "'Moon'"),
        (ENJOY, [*HOW[:4], "--values", "Sky"], 2, "NAME=VALUE,VALUE"),
        (ENJOY, [*HOW[:4], "--values", "Sky=a", "--values", "Sky=b"], 2, "declare an attribute once: 'Sky'"),
        (ENJOY.replace("Cold", "?"), HOW[:4], 3, "enjoy.csv:4: the cell of 'AirTemp' is missing"),
        (ENJOY + "Sunny,Warm,High,Strong,Cool,Same,Maybe\n", HOW[:4], 3, "enjoy.csv:6: label 'Maybe' is neither"),
        (ENJOY + "Sunny,Warm\n", HOW[:4], 3, "enjoy.csv:6:"),
        ("EnjoySport\nYes\n", HOW[:4], 3, "no column to learn from"),
        ("Sky,EnjoySport\n", HOW[:4], 3, "no rows to learn from"),
        (ENJOY, [*HOW, "--plot", "x"], 2, "the drawing's name must end in .svg or .dot: 'x'"),
        (ENJOY, [*HOW, "--steps", "-1"], 2, "--steps must be >= 0"),
        (ENJOY, [*HOW, "--model", "nowhere/m.mb"], 1, "nowhere"),
    ],
)  # fmt: skip
def test_what_is_wrong(run: Any, enjoy: Path, text: str, words: Any, code: int, said: str) -> None:
    enjoy.write_text(text)
    done = run("version-space", enjoy, *words)
    assert (done.code, said in done.err) == (code, True), done.err


def test_the_label_is_found_as_by_learn(run: Any, enjoy: Path) -> None:
    told, found = (run("version-space", enjoy, *words, "--test", enjoy) for words in (HOW[:2], ()))
    assert found.out == told.out
    assert (found.code, found.err) == (
        0,
        "mistakebound: label: column 'EnjoySport', the last one (--label takes another)\n",
    )


def test_without_a_file(run: Any, tmp_path: Path) -> None:
    assert "give a FILE" in run("version-space").err
    assert "give a FILE" in run("version-space", "--ask").err
    assert run("version-space", tmp_path / "none.csv", "--label", "y").code != 0


def test_missing_cells_as_a_value(run: Any, enjoy: Path) -> None:
    enjoy.write_text(ENJOY.replace("Cold", "?"))
    data = run("version-space", enjoy, *HOW[:4], "--missing-cells", "value", "--json").json
    assert data["attributes"]["AirTemp"] == ["Warm", "(missing)"]
    assert data["G"] == ["<Sunny, ?, ?, ?, ?, ?>", "<?, Warm, ?, ?, ?, ?>"]


def test_learn_names_the_right_command(run: Any, enjoy: Path) -> None:
    for name in ("find-s", "candidate-elimination", "rote-learner", "list-then-eliminate"):
        done = run("learn", enjoy, "--learner", name, "--label", "EnjoySport")
        assert done.code == 2
        assert "mistakebound version-space" in done.err


def test_the_same_under_any_hash_seed(enjoy: Path) -> None:
    words = [sys.executable, "-m", "mistakebound", "version-space", str(enjoy), *HOW, "--json"]
    said = [
        subprocess.run(words, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("0", "4242")
    ]
    assert said[0] == said[1]
    assert json.loads(said[0])["size"] == 6


def test_tables_of_many_columns(run: Any, tmp_path: Path) -> None:
    """Their instances' functions are more than fit into a number that is written out."""
    path, n = tmp_path / "wide.csv", 18
    rows = ["x," * n + "1", "y," * n + "0", "y," * (n - 1) + "x,0"]
    path.write_text("\n".join([",".join(f"a{j}" for j in range(n)) + ",label", *rows]))
    data = run("version-space", path, "--label", "label", "--steps", 0, "--json").json
    assert (data["instances"], data["bias"]["answers"]["rote learner"]) == (2**n, 3)
    unbiased = data["bias"]["instances"][0]["answers"]["unbiased"]
    assert unbiased == {"label": None, "vote": [{"log2": 2**n - 4}, {"log2": 2**n - 3}]}


def test_the_last_answer_can_be_taken_back(run: Any, answers: Any) -> None:
    """Also the one after which one hypothesis, or no question, is left."""
    answers("n\nn\nn\nn\nu\ny\n\ny\n")
    done = run("version-space", *SMALL)
    assert "it is <∅, ∅> [u: take the last answer back, Enter: end]" in done.out
    assert "found       <Rainy, Strong>" in done.out
    assert "4 questions answered (1 taken back)" in done.out
    answers("?\n?\n?\n?\nu\nq\n")
    done = run("version-space", *SMALL)
    assert "no other question tells them apart [u" in done.out
    assert "0 questions answered (3 not answered, 1 taken back)" in done.out
    answers("y\nq\n")
    assert "1 question answered\n" in run("version-space", *SMALL).out


def test_rows_before_the_first_positive_one_are_shown(run: Any, tmp_path: Path) -> None:
    """They change G, in a short table and in a long one alike; rows that come again change nothing."""
    path = tmp_path / "late.csv"
    rows = ["x,p,0", "y,q,0", "x,p,0", "y,p,1"]
    path.write_text("\n".join(["a,b,label", *rows]))
    whole = run("version-space", path, "--label", "label", "--json").json["steps"]
    path.write_text("\n".join(["a,b,label", *rows, *["x,p,0"] * 20]))
    some = run("version-space", path, "--label", "label", "--json").json["steps"]
    assert [step["row"] for step in some] == [0, 1, 2, 4]
    assert some == [step for step in whole if step["row"] != 3]
    assert [step["size"] for step in some] == [10, 6, 3, 1]


def test_what_is_said_of_mistyped_values(run: Any, enjoy: Path) -> None:
    assert "has no column 'Sy' for --values" in run("version-space", enjoy, *HOW[:4], "--values", "Sy=Sunny,Rainy").err
    enjoy.write_text(ENJOY.replace("Rainy,Cold", ",Cold"))
    assert "--missing-cells value takes that as a value" in run("version-space", enjoy, *HOW).err


def test_the_comparison_hears_of_the_row_that_clashes(run: Any, enjoy: Path) -> None:
    """One instance with both labels leaves no function at all: the unbiased learner has nothing to answer with."""
    enjoy.write_text(ENJOY + "Sunny,Warm,Normal,Strong,Warm,Same,No\n")
    answers = run("version-space", enjoy, *HOW, "--steps", 0, "--json").json["bias"]["answers"]
    assert answers == {"rote learner": 4, "unbiased": 0, "candidate elimination": 0, "Find-S": 96}


def test_an_attribute_with_one_value_says_how_to_declare_others(run: Any, enjoy: Path) -> None:
    """The table has no day of weak wind: without its second value there are 325 hypotheses, not Mitchell's 973."""
    done = run("version-space", enjoy, *HOW[:4], "--values", "Sky=Sunny,Cloudy,Rainy")
    assert "48 instances, 325 hypotheses" in done.out
    said = " ".join(done.out.split("\n\n")[0].splitlines()[1:])
    assert said == (
        "Wind has one value only, so requiring it changes nothing (it is written ?); --values Wind=Strong,... "
        "declares others"
    )
    assert "one value only" not in run("version-space", enjoy, *HOW).out
    declared = run("version-space", enjoy, *HOW[:4], "--values", "Wind=Strong")
    assert "Wind has one value only, so requiring it changes nothing (it is written ?)\n" in declared.out


def test_a_number_is_shown_as_its_value(run: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,y\n1,2.5,1\n2,2.5,0\n")
    done = run("version-space", tmp_path / "t.csv", "--label", "y")
    assert "(1, 2.5)" in done.out
    assert "1.0" not in done.out
    assert run("version-space", tmp_path / "t.csv", "--label", "y", "--timeout", "1/2").code == 0
