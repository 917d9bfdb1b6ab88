from __future__ import annotations

from pathlib import Path

import mistakebound as mb


def test_json(run, model):
    found = run("explain", model, "--top", "2", "--json").json
    assert found["learner"] == "winnow1"
    assert (found["rule"], found["threshold"]) == (">", 4.0)
    first = found["attributes"][0]
    assert (first["name"], first["weight"], first["effect"]) == ("3", 8.0, 8 * first["spread"])
    assert len(found["attributes"]) == 2
    assert found["hypothesis"].startswith("8*x3 + ")
    assert (found["bound"], found["theorem"]["source"]) == (7.0, "Littlestone 1988, Theorem 7")


def test_text(run, model):
    out = run("explain", model).out
    assert "predicts    +1 when 8*x3 + " in out
    assert "bound       7 by Littlestone 1988, Theorem 7" in out
    assert any(line.split()[:2] == ["3", "8"] for line in out.splitlines())
    assert max(map(len, out.splitlines())) < 80


def test_names_that_are_texts(run, tmp_path: Path):
    learner = mb.Perceptron(labels=("ham", "spam"))
    learner.learn_one({"free money": 1, "now": 2}, "spam")
    learner.save(tmp_path / "mail.mb")
    found = run("explain", tmp_path / "mail.mb", "--json").json
    assert found["attributes"] == [{"name": "now", "weight": 2.0}, {"name": "free money", "weight": 1.0}]
    assert (found["bias"], found["trials"], found["bound"]) == (1.0, None, None)
    assert "predicts    spam when" in run("explain", tmp_path / "mail.mb").out


def test_literals_of_an_elimination(run, tmp_path: Path):
    rows, model = tmp_path / "rows.svm", tmp_path / "rows.mb"
    rows.write_text("1 1:1 4:1\n0 2:1 3:1\n1 1:1\n")
    assert run("learn", rows, "--learner", "conjunction-elimination", "--set", "n=4", "--model", model).code == 0
    assert run("explain", model, "--json").json["literals"] == {"kept": 3, "dropped": 5}
    lines = run("explain", model).out.splitlines()
    assert "  literals    3 kept, 5 dropped" in lines
    assert lines[-3:] == ["  1", "  ~2", "  ~3"]


def test_remaining_attributes_of_an_elimination(run, tmp_path: Path):
    rows, model = tmp_path / "rows.svm", tmp_path / "rows.mb"
    rows.write_text("0 2:1 3:1\n1 1:1\n")
    assert run("learn", rows, "--learner", "disjunction-elimination", "--model", model).code == 0
    assert run("explain", model, "--json").json["literals"] == {"kept": 1, "dropped": 2}


def test_top_must_not_be_negative(run, model):
    result = run("explain", model, "--top", "-1")
    assert (result.code, result.err) == (2, "mistakebound: --top must be >= 0: -1\n")
    assert run("explain", model, "--top", "0").code == 0


def test_one_instance(run, model):
    found = run("explain", model, "--instance", "3:1 4 2:0", "--json").json
    assert (found["prediction"], found["total"], found["rule"], found["threshold"]) == (1, 9.0, ">", 4.0)
    assert [(term["name"], term["amount"]) for term in found["terms"]] == [("3", 8.0), ("4", 1.0)]
    lines = run("explain", model, "--instance", "1 2").out.splitlines()
    assert lines[0].endswith("<= 4: predicts -1")


def test_one_instance_as_json(run, tmp_path: Path):
    learner = mb.Perceptron(labels=("ham", "spam"))
    learner.learn_one({"free money": 1, "now": 2}, "spam")
    learner.save(tmp_path / "mail.mb")
    found = run("explain", tmp_path / "mail.mb", "--instance-json", '{"free money": 2, "soon": 1}', "--json").json
    assert (found["prediction"], found["total"], found["bias"]) == ("spam", 3.0, 1.0)
    assert [term["note"] for term in found["terms"]] == [None, "never seen"]
    assert run("explain", tmp_path / "mail.mb", "--instance-json", '["now"]').out.startswith("3 > 0: predicts spam\n")
    assert (
        run("explain", tmp_path / "mail.mb", "--instance-json", '["now", "x"]', "--top", "1").out.count("1 more") == 1
    )


def test_a_row_of_a_file(run, model, stream):
    for number, row in enumerate(stream.read_text().splitlines(), start=1):
        words = row.split()
        by_row = run("explain", model, stream, "--row", number, "--json").json
        assert by_row == run("explain", model, "--instance", " ".join(words[1:]), "--json").json
    last = number
    result = run("explain", model, stream, "--row", last + 1)
    assert (result.code, result.err) == (
        2, f"mistakebound: --row must be at most {last}, the rows of {stream}: {last + 1}\n",
    )  # fmt: skip


def test_instances_that_mean_nothing(run, model, stream):
    for words, code, said in (
        (["--instance", "3:x"], 3, "the value 'x' of attribute '3' is not a number"),
        (["--instance", "3:1 3"], 3, "attribute '3' appears twice"),
        (["--instance", ":1"], 3, "has no name"),
        (["--instance", "3:nan"], 3, "not a finite number"),
        (["--instance", "3:0.5"], 3, "takes 0 and 1 only"),
        (["--instance", "9:1"], 3, "beyond the declared n = 4"),
        (["--instance-json", "{"], 3, "is not valid JSON"),
        (["--instance-json", "7"], 3, "an object or a list"),
        (["--instance-json", '{"a": 1, "a": 2}'], 3, "attribute 'a' appears twice"),
        (["--instance-json", "[" * 100_000], 3, "is not valid JSON"),
        (["--instance", "3", "--instance-json", "[]"], 2, "by one option only, not by --instance and --instance-json"),
        (["--row", "1"], 2, "--row needs exactly one FILE"),
        ([str(stream), str(stream), "--row", "1"], 2, "--row needs exactly one FILE"),
        ([str(stream), "--row", "0"], 2, "--row must be >= 1: 0"),
        (["nowhere.svm", "--row", "1"], 1, "nowhere.svm"),
        (["--plot", "x.gif"], 2, "must end in .png or .svg"),
    ):
        result = run("explain", model, *words)
        assert (result.code, result.out) == (code, ""), words
        assert said in result.err, words
        assert result.err.count("\n") == 1, words


def test_a_name_twice_in_a_row_is_said_where_it_stands(run, model, tmp_path: Path):
    rows = tmp_path / "twice.svm"
    rows.write_text("1 1:1\n1 2:1 2:1\n")
    result = run("explain", model, rows, "--row", "2")
    assert (result.code, result.err) == (3, f"mistakebound: {rows}:2: attribute '2' appears twice in one instance\n")


def test_pictures(run, model, tmp_path: Path):
    assert run("explain", model, "--instance", "3 4", "--plot", tmp_path / "one.svg").code == 0
    assert "predicts +1" in (tmp_path / "one.svg").read_text()
    assert run("explain", model, "--plot", tmp_path / "all.svg").code == 0
    assert "the largest effects" in (tmp_path / "all.svg").read_text()
