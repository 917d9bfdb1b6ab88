"""Passes, another order, a cache, rows held out: from the command line."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mistakebound as mb
from cli.rows import write_rows
from cli.test_resume import interrupt_at_block
from mistakebound import kernels
from mistakebound.arena.play import play_passes
from mistakebound.core import model_file
from mistakebound.core.errors import BadParameter
from mistakebound.io import open_stream

PERCEPTRON = ("--learner", "perceptron")


def learned(path: Path) -> tuple[dict, dict]:
    """What a model learned, apart from where it read it."""
    header, arrays = model_file.read(path)
    return {name: value for name, value in header.items() if name != "position"}, arrays


def test_passes_are_those_of_play_passes(run, tmp_path: Path):
    path = write_rows(tmp_path / "rows.svm", 300)
    lines = map(str.split, path.read_text().splitlines())
    examples = [({word.partition(":")[0] for word in words}, int(label)) for label, *words in lines]
    learner = mb.Perceptron()
    ledger = play_passes(learner, examples, 50)
    found = run("learn", path, *PERCEPTRON, "--passes", 50, "--model", tmp_path / "m.mb", "--json").json
    assert (found["trials"], found["mistakes"]) == (ledger.trials, ledger.mistakes)
    assert 1 < found["passes"] == ledger.passes < 50
    assert found["converged"]
    assert sum(found["mistakes_by_pass"]) == ledger.mistakes
    assert found["mistakes_by_pass"][-1] == 0
    assert min(found["mistakes_by_pass"][:-1]) > 0
    assert mb.load(tmp_path / "m.mb").learner.hypothesis == learner.hypothesis


def test_the_report_of_passes(run, tmp_path: Path):
    path = write_rows(tmp_path / "rows.svm", 300)
    out = run("learn", path, *PERCEPTRON, "--passes", 50).out
    assert "another would change nothing" in " ".join(out.split())
    out = run("learn", path, *PERCEPTRON, "--passes", 2, "--holdout", "1/3").out
    assert "passes      2 of 2, mistakes in each: " in out
    assert "held out    100 rows, error in each pass: " in out
    assert "change nothing" not in out
    assert "  passes" not in run("learn", path).out


def test_the_bound_is_for_all_passes(run, tmp_path: Path):
    path = write_rows(tmp_path / "rows.svm", 300)
    found = run(
        "learn", path, "--learner", "winnow2", "--assume", "k=2", "--set", "n=300", "--passes", 9, "--json"
    ).json
    assert found["verdict"]["kind"] == "within"
    assert found["mistakes"] <= found["bound"]
    assert found["trials"] == 300 * found["passes"]


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "words", [(), ("--shuffle", "--seed", 3), ("--holdout", "1/4"), ("--shuffle", "--holdout", "1/4")]
)
def test_cache_and_threads_do_not_change_what_is_learned(run, tmp_path: Path, words):
    path = write_rows(tmp_path / "rows.svm", 20_000)
    more = (*PERCEPTRON, "--passes", 3, *words, "--json")
    results = []
    for name, where in (("1", ()), ("2", ("--cache",)), ("3", ("--cache",)), ("4", ("--threads", 3))):
        found = run("learn", path, *more, *where, "--model", tmp_path / name, "--threads", name[0]).json
        kept = {key: found[key] for key in found if key not in ("seconds", "model")}
        results.append((kept, learned(tmp_path / name)))
    assert all(result == results[0] for result in results)
    assert (tmp_path / "rows.svm.mbcache").exists()


def test_shuffle_is_its_seed(run, tmp_path: Path):
    path = write_rows(tmp_path / "rows.svm", 500)
    models = []
    for k, words in enumerate([("--seed", 1), (), ("--seed", 2)]):
        assert run("learn", path, *PERCEPTRON, "--shuffle", *words, "--model", tmp_path / str(k)).code == 0
        models.append(mb.load(tmp_path / str(k)).learner.hypothesis)
    assert models[0] == models[1] != models[2]
    assert "bytes for the rows" in run("learn", path, "--shuffle").out


def test_a_cache_is_made_used_and_made_again(run, tmp_path: Path):
    path, cache = write_rows(tmp_path / "rows.svm", 300), tmp_path / "rows.svm.mbcache"
    first = run("learn", path, "--cache", "--json")
    assert (first.err, cache.exists()) == ("", True)
    made = cache.stat().st_mtime_ns
    assert run("learn", path, "--cache", "--json").err == ""
    assert cache.stat().st_mtime_ns == made
    assert run("learn", cache, "--json").json["mistakes"] == first.json["mistakes"]
    write_rows(path, 200)
    again = run("learn", path, "--cache", "--json")
    assert again.json["trials"] == 200
    assert f"{cache} is older than {path}" in again.err
    assert again.err.count("\n") == 1
    cache.write_bytes(cache.read_bytes()[:-3])
    again = run("learn", path, "--cache", "--json")
    assert (again.json["trials"], again.err.count("\n")) == (200, 1)
    assert f"{cache} is damaged" in again.err
    other = run("learn", path, "--cache", "--hash", 6, "--json")
    assert "other settings" in other.err
    assert other.json["collisions"] is not None


def test_a_file_that_is_no_cache_is_never_replaced(run, tmp_path: Path):
    path, other = write_rows(tmp_path / "rows.svm", 300), write_rows(tmp_path / "other.svm", 20)
    texts = path.read_bytes(), other.read_bytes()
    for words in (("--cache", path), ("--cache", other, path), (path, "--cache", other), (path, f"--cache={tmp_path}")):
        result = run("learn", *words)
        assert result.code == 2
        assert "refusing to overwrite " in result.err
        assert (
            ": it is not a cache of parsed rows; if it is the stream, put --cache after it or write --cache="
            in result.err
        )
    beside = tmp_path / "rows.svm.mbcache"
    beside.write_text("mine\n")
    result = run("learn", path, "--cache")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert f"refusing to overwrite {beside}: it is not a cache of parsed rows" in result.err
    assert (path.read_bytes(), other.read_bytes(), beside.read_text()) == (*texts, "mine\n")
    assert run("learn", path, f"--cache={tmp_path / 'c'}").code == 0
    assert run("learn", "--cache", tmp_path / "c", path).err == "", "that is one of ours"


def test_a_format_that_is_given_is_that_of_the_file(run, tmp_path: Path):
    path, cache = write_rows(tmp_path / "rows.svm", 300), tmp_path / "rows.svm.mbcache"
    stated = ("learn", path, "--format", "libsvm", "--cache", "--passes", 3, "--shuffle", "--model", tmp_path / "m.mb")
    assert run(*stated).code == run(*stated, "--resume").code == 0, "of its own cache the text's format is given"
    result = run("learn", cache, "--format", "libsvm")
    assert (result.code, f"{cache}:1: " in result.err) == (3, True), "it is no libsvm"
    for words in (("learn", cache, "--passes", 3), ("learn", cache, "--from", tmp_path / "m.mb")):
        assert run(*words).code == 0
    assert run("eval", tmp_path / "m.mb", cache).code == 0
    assert run("eval", tmp_path / "m.mb", cache, "--format", "libsvm").code == 3


def test_a_cache_alone_is_learned_in_passes_and_resumed(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path, cache, model = write_rows(tmp_path / "rows.svm", 300), tmp_path / "c", tmp_path / "m.mb"
    assert run("learn", path, "--cache", cache).code == 0
    words = ("learn", cache, *PERCEPTRON, "--passes", 4, "--model", model)
    assert run(*words).code == 0
    whole = model.read_bytes()
    model.unlink()
    interrupt_at_block(monkeypatch, 2)
    assert run(*words).code == 130
    monkeypatch.undo()
    assert model.read_bytes() != whole
    assert run(*words, "--resume").code == 0
    assert model.read_bytes() == whole


def test_a_cache_with_a_damaged_block_is_an_error(run, tmp_path: Path):
    path, cache = write_rows(tmp_path / "rows.svm", 300), tmp_path / "rows.svm.mbcache"
    run("learn", path, "--cache")
    data = bytearray(cache.read_bytes())
    data[1000] ^= 1
    cache.write_bytes(data)
    result = run("learn", path, "--cache")
    assert (result.code, result.out) == (3, "")
    assert "block 1 of the cache is damaged: delete the cache to rebuild it" in result.err


def test_a_cache_elsewhere_and_of_standard_input(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path, cache = write_rows(tmp_path / "rows.svm", 300), tmp_path / "c"
    words = (*PERCEPTRON, "--passes", 2, "--json")
    expected = run("learn", path, *words).json["mistakes_by_pass"]
    assert run("learn", path, *words, "--cache", cache).json["mistakes_by_pass"] == expected
    assert os.listdir(tmp_path).count("rows.svm.mbcache") == 0
    for k in range(2):
        with open(path, "rb") as file:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
            result = run("learn", "-", *words, "--cache", tmp_path / "stdin")
            assert result.json["mistakes_by_pass"] == expected
            assert ("cannot be compared with <stdin>" in result.err) == (k == 1)
    for more in ((), ("--cache",)):
        refused = run("learn", "-", "--passes", 2, *more)
        assert refused.code == 2
        assert "--cache" in refused.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_passes_over_a_named_pipe(run, tmp_path: Path):
    """As of standard input, one pass is all that it gives: `learn <(command) --passes 2`."""
    path, pipe = write_rows(tmp_path / "rows.svm", 300), tmp_path / "pipe"
    os.mkfifo(pipe)
    refused = run("learn", pipe, "--passes", 2)
    assert (refused.code, refused.err) == (
        2, "mistakebound: --passes over a pipe needs --cache=NAME or --shuffle: 2\n"
    )  # fmt: skip
    refused = run("learn", pipe, "--passes", 2, "--cache")
    assert refused.code == 2
    assert f"--cache must have a name when {pipe} is read, which is no file" in " ".join(refused.err.split())
    with pytest.raises(BadParameter, match="passes over a pipe needs cache=NAME or shuffle: 2"):
        mb.learn(str(pipe), passes=2)
    for more in ((), ("--cache", tmp_path / "c"), ("--shuffle",)):
        words = (*PERCEPTRON, "--passes", 2 if more else 1, "--json", *more)
        with subprocess.Popen(["cp", path, pipe]) as writer:
            found = run("learn", pipe, *words).json
        assert writer.returncode == 0
        assert found["mistakes_by_pass"] == run("learn", path, *words[:5], *more[:1]).json["mistakes_by_pass"]


def test_errors_from_a_cache_say_where_the_row_stood(run, tmp_path: Path):
    one, two = tmp_path / "1.svm", tmp_path / "2.svm"
    one.write_text("1 1:1\n" * 9)
    two.write_text("\n1 1:1\n1 1:1 1:1\n")
    for words in (("--cache",), ("--shuffle",), ("--cache", "--shuffle"), ()):
        result = run("learn", one, two, *words)
        assert result.code == 3
        assert f"{two}:3: attribute" in result.err, words
        skipped = run("learn", one, two, *words, "--on-error", "skip", "--passes", 3, "--json")
        assert (skipped.json["skipped"], skipped.err.count("skipped: ")) == (1, 1)
        assert f"{two}:3: attribute" in skipped.err


def test_bad_lines_are_counted_once(run, tmp_path: Path):
    path = tmp_path / "x.svm"
    path.write_text("1 1:1\n1 x:1\n0 2:1\n" * 3)
    for words in ((), ("--cache",), ("--cache",), ("--shuffle",)):
        found = run("learn", path, *words, "--on-error", "skip", "--passes", 2, "--json")
        assert (found.json["skipped"], found.err.count("skipped: ")) == (3, 3)
    assert "x.svm:2: attribute 'x' is not a number" in run("learn", path, "--cache").err


def test_holdout_of_a_file(run, tmp_path: Path):
    path, other = write_rows(tmp_path / "rows.svm", 3000), write_rows(tmp_path / "other.svm", 500, seed=7)
    words = ("learn", path, "--model", tmp_path / "m.mb", "--passes", 2, "--json")
    found = run(*words, "--holdout", other).json
    assert run(*words).json["mistakes_by_pass"] == found["mistakes_by_pass"]
    checked = run("eval", tmp_path / "m.mb", other, "--json").json
    assert found["holdout"][-1]["rows"] == 500
    assert found["holdout"][-1]["error_rate"] == pytest.approx(checked["error_rate"])
    assert len(found["holdout"]) == found["passes"]


def test_a_holdout_file_is_read_as_the_stream(run, tmp_path: Path):
    path, table = write_rows(tmp_path / "rows.svm", 30), tmp_path / "rows.vw"
    table.write_text("1 | a\n")
    result = run("learn", path, "--holdout", table)
    assert result.code == 3
    assert "vw" in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--passes", 0), "--passes must be >= 1"),
        (("--seed", 3), "--seed needs --shuffle"),
        (("--holdout", "1/1"), "must be >= 2"),
        (("--holdout", "2/5"), "--holdout must be 1/K or a file of rows"),
        (("--holdout", "no such file"), "--holdout must be 1/K or a file of rows"),
        (("--checkpoint", 5), "--checkpoint needs --model"),
        (("--resume",), "--resume needs --model"),
        (("--checkpoint", "soon", "--model", "m.mb"), "--checkpoint must be a number of rows"),
        (("--checkpoint", "0", "--model", "m.mb"), "--checkpoint must be a number of rows"),
        (("--checkpoint=-1s", "--model", "m.mb"), "--checkpoint must be a number of rows"),
        (("--checkpoint", "infs", "--model", "m.mb"), "--checkpoint must be a number of rows"),
    ],
)
def test_options_that_mean_nothing(run, stream, words, message, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(stream.parent)
    result = run("learn", stream, *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_model_that_was_learned_from_a_cache_reads_text(run, tmp_path: Path):
    path = write_rows(tmp_path / "rows.svm", 300)
    run("learn", path, "--cache", "--model", tmp_path / "m.mb")
    assert mb.load(tmp_path / "m.mb").settings == {"format": "libsvm"}
    text = run("predict", tmp_path / "m.mb", path).out
    assert run("predict", tmp_path / "m.mb", f"{path}.mbcache").out == text
    assert text.count("\n") == 300
    with open_stream(f"{path}.mbcache") as reader:
        assert reader.settings == {"format": "libsvm"}


def test_stopping_in_a_pass(run, tmp_path: Path):
    rows = tmp_path / "rows.svm"
    rows.write_text("1 1:1 2:1\n1 2:1\n0 2:1\n")
    words = ("learn", rows, "--learner", "disjunction-elimination", "--passes", 3, "--model", tmp_path / "m.mb")
    for more in ((), ("--shuffle", "--seed", 4)):
        found = run(*words, *more, "--json").json
        assert found["verdict"]["kind"] == "inconsistent"
        position = mb.load(tmp_path / "m.mb").position
        assert position["source"] == str(rows)
        assert position["line"] in (1, 2, 3)


def test_nothing_heavy_is_imported(tmp_path: Path):
    path = write_rows(tmp_path / "rows.svm", 50)
    words = ["learn", str(path), "--quiet", "--cache", "--passes", "2", "--holdout", "1/5", "--model", "m.mb"]
    code = (
        "import sys; from mistakebound.cli import main; main(sys.argv[1:]); main([*sys.argv[1:], '--shuffle']); "
        "print(*sorted({'numpy', 'rich', 'typing', 'dataclasses', 'contextlib'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout.split() == []


@pytest.mark.skipif(not kernels.compiled(), reason="without compiled kernels Arrow reads tables")
def test_a_plain_table_needs_neither_numpy_nor_arrow(tmp_path: Path):
    """They take longer to import than many a table takes to be learned."""
    rows = (f'{k % 7},"{"ab"[k % 2]} ""c""",{k % 3}.5,{"yn"[k % 2]}' for k in range(60))
    (tmp_path / "rows.csv").write_text("\n".join(["place,text,size,kind", *rows]) + "\n")
    (tmp_path / "plain.csv").write_text("size,text,kind\n" + "".join(f'{k},"a,{k % 2}",{k % 2}\n' for k in (3, 1, 2)))
    code = (
        "import sys; from mistakebound.cli import main; main(['learn', 'plain.csv', '--model', 'm.mb', '--quiet']); "
        "main(['predict', 'm.mb', 'plain.csv']); main(['eval', 'm.mb', 'plain.csv']); "
        "print(*sorted({'numpy', 'pyarrow'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stderr.split() == []
    code = code.replace("plain.csv", "rows.csv")  # a quote in quotes: Arrow takes the cells apart, after the first look
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stderr.split() == ["numpy", "pyarrow"]
