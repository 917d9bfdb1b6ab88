from __future__ import annotations

import gzip
import json
from pathlib import Path

import mistakebound as mb


def test_a_label_a_line_as_written_in_the_file_it_learned_from(run, model, stream):
    result = run("predict", model, stream)
    assert (result.code, result.out.split(), result.err) == (0, ["+1", "-1", "+1", "-1", "+1", "+1"], "")


def test_rows_need_no_label(run, model, tmp_path: Path):
    rows = tmp_path / "new.svm"
    rows.write_text("3:1\n2:1 4:1\n+1 2:1\n")
    assert run("predict", model, rows).out.split() == ["+1", "-1", "-1"]


def test_scores_are_those_of_the_learner(run, model, stream):
    lines = run("predict", model, stream, "--scores").out.splitlines()
    learner = mb.load(model).learner
    wanted = [learner.score_one(x) for x in ({"1", "3"}, {"2", "4"}, {"3"}, {"1", "2"}, {"3"}, {"2", "3"})]
    assert [float(line.split("\t")[1]) for line in lines] == wanted


def test_a_sum_beyond_the_doubles_is_null_in_json(run, tmp_path: Path):
    learner = mb.Winnow1(theta=1.7e308, n=3)
    while not learner.learn_one({"1", "2", "3"}, 1):
        pass
    learner.save(tmp_path / "m.mb")
    rows = tmp_path / "rows.svm"
    rows.write_text("1:1 2:1 3:1\n")
    assert json.loads(run("predict", tmp_path / "m.mb", rows, "--json").out) == {"label": 1, "score": None, "line": 1}


def test_json_lines(run, model, tmp_path: Path):
    rows = tmp_path / "new.svm"
    rows.write_text("# nothing\n3:1\n\n2:1\n")
    found = [json.loads(line) for line in run("predict", model, rows, "--json").out.splitlines()]
    assert found == [{"label": 1, "score": 8.0, "line": 2}, {"label": -1, "score": 1.0, "line": 4}]


def test_declared_labels_come_back(run, tmp_path: Path):
    rows, model = tmp_path / "mail.svm", tmp_path / "mail.mb"
    rows.write_text("spam 1:1\nham 2:1\nspam 1:1\n")
    assert run("learn", rows, "--learner", "perceptron", "--labels", "ham,spam", "--model", model).code == 0
    assert run("predict", model, rows).out.split() == ["spam", "ham", "spam"]
    assert json.loads(run("predict", model, rows, "--json").out.splitlines()[0])["label"] == "spam"


def test_gzip_is_read(run, model, stream, tmp_path: Path):
    packed = tmp_path / "events.svm.gz"
    packed.write_bytes(gzip.compress(stream.read_bytes()))
    assert run("predict", model, packed).out == run("predict", model, stream).out


def test_a_line_that_cannot_be_read_ends_the_work_after_the_rows_before_it(run, model, tmp_path: Path):
    rows = tmp_path / "new.svm"
    rows.write_text("3:1\n2:1\n1 x:1\n3:1\n")
    for words in ((), ("--threads", "2")):
        result = run("predict", model, rows, *words)
        assert (result.code, result.out.split()) == (3, ["+1", "-1"])
        assert f"{rows}:3: attribute 'x' is not a number" in result.err


def test_a_row_that_the_learner_cannot_take_does_so_too(run, model, tmp_path: Path):
    rows = tmp_path / "new.svm"
    rows.write_text("3:1\n2:1\n3:1 3:1\n3:1\n")
    for words in ((), ("--scores",), ("--json",)):
        result = run("predict", model, rows, *words)
        assert (result.code, len(result.out.splitlines())) == (3, 2)
        assert f"{rows}:3: attribute '3' appears twice in one instance" in result.err


def test_a_sum_beyond_doubles_is_bad_data_with_its_line(run, tmp_path: Path):
    rows, model, new = tmp_path / "big.svm", tmp_path / "big.mb", tmp_path / "new.svm"
    rows.write_text("1 1:1e200\n")
    assert run("learn", rows, "--learner", "perceptron", "--model", model).code == 0
    new.write_text("1:1\n1:1e200\n1:1\n")
    result = run("predict", model, new, "--scores")
    assert (result.code, result.out) == (3, "1\t1e+200\n")
    assert f"{new}:2: the sum leaves the range of doubles" in result.err


def test_threads_do_not_change_the_answers(run, model, tmp_path: Path):
    rows = tmp_path / "many.svm"
    rows.write_text("".join(f"{1 + k % 4}:1\n" for k in range(600_000)))
    one = run("predict", model, rows, "--threads", "1").out
    assert one == run("predict", model, rows, "--threads", "3").out
    assert one.split() == ["-1", "-1", "+1", "-1"] * 150_000


def test_bad_words(run, model, stream):
    assert run("predict", model, stream, "--threads", "0").code == 2
    assert run("predict", model, stream, "--on-error", "skip").code == 2
    assert run("predict", stream, stream).code == 4
    assert run("predict", model, "missing.svm").code != 0
