"""Killed at any moment and resumed: the same model, bit for bit, as of a run that was left alone."""

from __future__ import annotations

import functools
import gzip
import os
import random
import shutil
import signal
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.rows import write_rows, write_table
from mistakebound import io as streams
from mistakebound.cli import learn, main
from mistakebound.core import model_file
from mistakebound.io import pass_source as supply
from mistakebound.model.training import Training

# Blocks are small here, so that there is something to go on from; number 1 is the call at which it kills itself.
CHILD = """
import functools, os, signal, sys
from mistakebound import io as streams
from mistakebound.io import shuffled
streams.open_stream = functools.partial(streams.open_stream, block_bytes=20_000)
shuffled.BLOCK = 3_000
from mistakebound.io import pass_source
pass_source._LOOK = 20_000
from mistakebound.cli import main

calls = int(sys.argv[1])
def fatal(function):
    def call(*words):
        global calls
        for _ in range(2):  # once before it and once after it
            calls -= 1
            if calls == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            if _ == 0:
                result = function(*words)
        return result
    return call
os.fsync, os.replace = fatal(os.fsync), fatal(os.replace)
print("ready", flush=True)
sys.exit(main(sys.argv[2:]))
"""
NEVER = 10**9

TABLE = ("--label", "label", "--labels", "no,yes", "--weights", "w")
CASES: list[tuple[str, tuple[object, ...]]] = [
    ("plain", ("--passes", 3, "--learner", "perceptron")),
    ("several", ("--passes", 2, "--holdout", "1/7")),
    ("gzip", ("--learner", "winnow1", "--threads", 2)),
    ("plain", ("--passes", 3, "--cache", "--holdout", "1/10", "--threads", 3)),
    ("several", ("--passes", 3, "--shuffle", "--seed", 5, "--learner", "perceptron", "--holdout", "1/5")),
    ("gzip", ("--passes", 2, "--shuffle", "--cache", "--threads", 3)),
    ("several", ("--cache", "--passes", 2, "--on-error", "skip")),
    ("plain", ("--threads", 1, "--assume", "k=2")),
    ("names", ("--passes", 2, "--learner", "perceptron", "--holdout", "1/4")),
    ("names", ("--learner", "perceptron", "--shuffle", "--passes", 2, "--cache", "--holdout", "1/4", "--threads", 2)),
    ("table", ("--learner", "perceptron", *TABLE, "--bins", 3, "--passes", 2, "--cache", "--holdout", "1/4")),
    ("table", ("--learner", "perceptron", *TABLE, "--hash", 7, "--threads", 2)),
]


def files(folder: Path, kind: str, rows: int = 6000) -> list[Path]:
    """A stream as one file, as several, packed, or a table."""
    if kind == "table":
        return [write_table(folder / "rows.csv", rows)]
    whole = write_rows(folder / "rows.svm", rows)
    text = whole.read_bytes()
    if kind == "gzip":
        packed = folder / "rows.svm.gz"
        packed.write_bytes(gzip.compress(text, 1))
        return [packed]
    if kind == "plain":
        return [whole]
    if kind == "names":
        names = folder / "rows.vw"
        names.write_bytes(
            text.replace(b" ", b" | ", 1).replace(b"\n+1 ", b"\n+1 2.5 | ").replace(b"\n-1 ", b"\n-1 | x")
        )
        return [names]
    lines = text.splitlines(keepends=True)
    lines[rows // 2] = b"+1 1:1 1:1\n-1 x:1\n" if rows == 4000 else lines[rows // 2]
    several = [folder / f"part{k}.svm" for k in range(3)]
    for k, path in enumerate(several):
        path.write_bytes(b"".join(lines[k * rows // 3 : (k + 1) * rows // 3]).rstrip(b"\n"))
    return several


def start(model: Path, calls: int, *words: object) -> subprocess.Popen[bytes]:
    learn = ("learn", *words, "--model", model, "--quiet")
    line = [sys.executable, "-c", CHILD, str(calls), *map(str, learn)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def until_it_ends(model: Path, words: tuple[object, ...], chance: random.Random, most: int) -> int:
    """Start the command again and again, killed in the middle of a save or by the clock; how often it was killed."""
    for kills in range(100):
        patience, calls = (60.0, NEVER) if kills >= most else (chance.uniform(0.0, 1.0), chance.randrange(3, 60))
        with start(model, calls, *words) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            child.stdout.readline()
            try:
                child.wait(60.0 if kills == 0 else patience)  # the first one in a save, which is no matter of speed
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
            error = child.stderr.read().decode()
            if child.wait() == 0:
                return kills
            assert child.returncode == -signal.SIGKILL, error
    raise AssertionError("it never ends")


def killed_as_undisturbed(folder: Path, case: int, seed: int, most: int) -> None:
    kind, words = CASES[case % len(CASES)]
    chance = random.Random(seed)
    streams = files(folder, kind, 4000 if "skip" in words else 6000)
    whole, torn = folder / "whole.mb", folder / "torn" / "m.mb"
    torn.parent.mkdir()
    with start(whole, NEVER, *streams, *words) as child:
        assert child.wait() == 0
    for cache in folder.glob("*.mbcache"):
        cache.unlink()
    every = chance.choice([1, 1, 700])
    kills = until_it_ends(torn, (*streams, *words, "--checkpoint", every, "--resume"), chance, most)
    assert kills or every > 1
    assert torn.read_bytes() == whole.read_bytes()
    assert os.listdir(torn.parent) == ["m.mb"], "nothing is left behind"
    assert not list(folder.glob("*.tmp"))


@pytest.mark.some(2)
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
@pytest.mark.parametrize("case", range(4))
def test_killed_and_resumed(tmp_path: Path, case: int, long: bool) -> None:
    killed_as_undisturbed(tmp_path, case, case, 13 if long else 2)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
@pytest.mark.parametrize("seed", range(100, 200))
def test_killed_and_resumed_a_hundred_times(tmp_path: Path, seed: int) -> None:
    killed_as_undisturbed(tmp_path, seed, seed, 13)


@pytest.fixture
def half(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long: bool) -> tuple[object, ...]:
    """The words of a run that was interrupted in the middle; its model holds a position."""
    count, size = (3000, 20_000) if long else (1200, 8000)
    path = write_rows(tmp_path / "rows.svm", count)
    words = ("learn", path, "--passes", 2, "--holdout", "1/4", "--model", tmp_path / "m.mb")
    small_blocks(monkeypatch, size)
    interrupt_at_block(monkeypatch, 4)
    result = run(*words)
    monkeypatch.undo()
    assert result.code == 130
    small_blocks(monkeypatch, size)
    position = model_file.read(tmp_path / "m.mb")[0]["position"]
    assert 0 < position["rows"] < count
    assert not position["run"]["over"]
    return words


def small_blocks(monkeypatch: pytest.MonkeyPatch, size: int = 20_000) -> None:
    monkeypatch.setattr(supply, "_LOOK", size)
    monkeypatch.setattr(supply, "open_stream", functools.partial(streams.open_stream, block_bytes=size))


def interrupt_at_block(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Ctrl-C while that block is in hand."""
    signal_at_block(monkeypatch, number, signal.SIGINT)


def signal_at_block(monkeypatch: pytest.MonkeyPatch, number: int, *signals: signal.Signals) -> None:
    after, count = Training._after_block, [0]

    def later(self: Training, reader: object) -> None:
        after(self, reader)
        count[0] += 1
        if count[0] == number:
            for each in signals:
                os.kill(os.getpid(), each)

    monkeypatch.setattr(Training, "_after_block", later)


@pytest.mark.some(1)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_what_ctrl_c_left_can_be_resumed(run: Run, half: tuple[object, ...], tmp_path: Path, threads: int) -> None:
    resumed = run(*half, "--resume", "--json", "--threads", threads)
    assert resumed.json["resumed"]
    torn = (tmp_path / "m.mb").read_bytes()
    (tmp_path / "m.mb").unlink()
    whole = run(*half, "--json", "--resume")  # no model: from the start
    assert not whole.json["resumed"]
    assert (tmp_path / "m.mb").read_bytes() == torn
    for name in ("trials", "mistakes", "mistakes_by_pass", "holdout"):
        assert whole.json[name] == resumed.json[name]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("threads", [1, 2])
def test_sigterm_where_ctrl_c_is_ignored(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    """As in a shell script's `mistakebound learn ... &`: the block in hand is finished, and Ctrl-C stays ignored."""
    words = ("learn", write_rows(tmp_path / "rows.svm", 1200), "--passes", 2, "--threads", threads, "--model")
    whole, torn = tmp_path / "whole.mb", tmp_path / "torn.mb"
    small_blocks(monkeypatch, 8000)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert run(*words, whole).code == 0
        with monkeypatch.context() as patched:
            signal_at_block(patched, 4, signal.SIGINT, signal.SIGTERM)
            assert run(*words, torn, "--quiet").code == 143
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        position = model_file.read(torn)[0]["position"]
        assert not position["run"]["over"]
        assert run(*words, torn, "--resume").code == 0
    finally:
        signal.signal(signal.SIGINT, before)
    assert torn.read_bytes() == whole.read_bytes()


def test_a_finished_run_is_not_done_again(run: Run, half: tuple[object, ...], tmp_path: Path) -> None:
    first = run(*half, "--resume", "--json").json
    model = (tmp_path / "m.mb").read_bytes()
    again = run(*half, "--resume", "--json")
    assert "m.mb is finished: there is nothing to resume" in again.err
    assert (again.code, again.json["trials"], again.json["holdout"]) == (0, first["trials"], first["holdout"])
    assert (tmp_path / "m.mb").read_bytes() == model


@pytest.mark.some(5)
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--passes", 3), "--passes must be the same as in the run to resume, 2: 3"),
        (("--holdout", "1/5"), "--holdout must be"),
        (("--shuffle",), "--shuffle must be"),
        (("--learner", "winnow1"), "--learner must be"),
        (("--set", "alpha=3"), "--set must be"),
        (("--assume", "k=3"), "--assume must be"),
        (("--on-error", "skip"), "--on-error must be"),
        (("--hash", "6"), "--hash must be"),
        (("--cache",), "--cache must be"),
        (("--labels", "0,1"), "--labels must be"),
    ],
)
def test_another_command_is_refused(
    run: Run, half: tuple[object, ...], tmp_path: Path, more: tuple[object, ...], message: str
) -> None:
    before = (tmp_path / "m.mb").read_bytes()
    result = run(*half, *more, "--resume")
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert (tmp_path / "m.mb").read_bytes() == before


# What another command has beside the words of the run that is resumed, for everything that must be the same.
OTHER_WORDS: dict[str, tuple[object, ...]] = {
    "files": ("other.svm",),
    "learner": ("--learner", "winnow1"),
    "settings": ("--set", "alpha=3"),
    "labels": ("--labels", "0,1"),
    "costs": ("--cost", "1=2"),
    "threshold": ("--threshold", 1),
    "maximize": ("--maximize", "f1"),
    "assume": ("--assume", "k=3"),
    "start": ("--from", "other.mb"),
    "passes": ("--passes", 3),
    "shuffle": (),
    "seed": ("--seed", 5),
    "holdout": ("--holdout", "1/5"),
    "on_error": ("--on-error", "skip"),
    "format": ("--format", "libsvm"),
    "label": ("--label", "y"),
    "no_header": ("--no-header",),
    "columns": ("--columns", "a,b"),
    "delimiter": ("--delimiter", ";"),
    "missing": ("--missing", "none"),
    "keep": ("--keep", "a"),
    "weights": ("--weights", "w"),
    "nominal": ("--nominal", "a"),
    "numeric": ("--numeric", "a"),
    "bins": ("--bins", 3),
    "ignore": ("--ignore", "7*"),
    "hash": ("--hash", 6),
    "cross": ("--cross", 2),
    "fast": ("--fast",),
    "negate": ("--negate",),
    "attributes": ("--attributes", 5),
    "cross_limit": ("--cross-limit", 5),
    "reduce": ("--reduce", "conjunction"),
    "standardize": ("--standardize",),
    "cache": ("--cache",),
    "ngrams": ("--ngrams", 3),
    "keep_case": ("--keep-case",),
    "keep_punctuation": ("--keep-punctuation",),
}


def test_everything_that_must_be_the_same_has_another_command_here() -> None:
    """A new option is compared unless it is said to be free, and either way it is known here."""
    parser = ArgumentParser()
    learn.add_options(parser)
    names = {action.dest for action in parser._actions} - {"help", "cluster", "shards"}  # these with their extra
    assert names == {*OTHER_WORDS} | learn.FREE
    assert not {*OTHER_WORDS} & learn.FREE
    words = [str(word) for name in OTHER_WORDS if name not in ("files", "cache") for word in OTHER_WORDS[name]]
    options = parser.parse_args(["rows.svm", *words, "--shuffle", "--cache"])
    kept = {*learn.command(options, {"k": 3})}
    assert kept == {
        {"settings": "parameters", "costs": "cost", "columns": "names"}.get(name, name) for name in OTHER_WORDS
    }


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run over shuffled rows that can be resumed, and other rows and their model."""
    folder = tmp_path_factory.mktemp("shuffled")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_rows(folder / "rows.svm", 20)
        write_rows(folder / "other.svm", 20)
        assert main(["learn", "other.svm", "--model", "other.mb", "--quiet"]) == 0
        for more in ((), ("--resume",)):
            assert main(["learn", "rows.svm", "--model", "m.mb", "--shuffle", "--quiet", *more]) == 0
    return folder


@pytest.mark.some(20)
@pytest.mark.parametrize("name", OTHER_WORDS)
def test_whatever_is_another_is_refused(
    run: Run, shuffled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    shutil.copytree(shuffled, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    words, shuffle = ("--model", "m.mb"), ("--shuffle",)
    before = (tmp_path / "m.mb").read_bytes()
    result = run("learn", "rows.svm", *OTHER_WORDS[name], *words, *(() if name == "shuffle" else shuffle), "--resume")
    assert (result.code, result.out) == (2, "")
    option = {"files": "the files", "settings": "--set", "start": "--from", "costs": "--cost"}.get(name)
    assert f"{option or '--' + name.replace('_', '-')} must be the same as in the run to resume, " in result.err
    assert (tmp_path / "m.mb").read_bytes() == before


def test_a_text_is_not_finished_with_other_words(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mail.txt").write_text("ham\tSee you, at noon!\nspam\tFREE money, now!\n" * 20)
    words = ("learn", "mail.txt", "--format", "text", "--labels", "ham,spam", "--model", "m.mb", "--quiet")
    assert run(*words, "--ngrams", 2, "--keep-case").code == 0
    before = (tmp_path / "m.mb").read_bytes()
    for more, message in (
        (("--ngrams", 3, "--keep-case"), "--ngrams must be the same as in the run to resume, 2: 3"),
        (("--ngrams", 2), "--keep-case must be the same as in the run to resume, given: not given"),
        (("--keep-case",), "--ngrams must be the same as in the run to resume, 2: not given"),
        (
            ("--ngrams", 2, "--keep-case", "--keep-punctuation"),
            "--keep-punctuation must be the same as in the run to resume, not given: given",
        ),
    ):
        result = run(*words, *more, "--resume")
        assert (result.code, result.err) == (2, f"mistakebound: {message}\n")
        assert (tmp_path / "m.mb").read_bytes() == before
    assert run(*words, "--ngrams", 2, "--keep-case", "--resume").code == 0
    for more, message in (  # and a model that is learned further has its own
        (("--ngrams", 3), "--ngrams must match the model, which has 2: 3"),
        (("--keep-punctuation",), "--keep-punctuation cannot be given: the model was learned without it"),
    ):
        result = run("learn", "mail.txt", "--from", "m.mb", *more)
        assert (result.code, result.err) == (2, f"mistakebound: {message}\n")
    assert run("learn", "mail.txt", "--from", "m.mb", "--ngrams", 2, "--keep-case", "--quiet").code == 0


def test_a_model_that_is_learned_further_has_its_own_settings(run: Run, tmp_path: Path) -> None:
    """Every option of `learn` is one of the model's, which --from refuses to change, or one of the run."""
    table = write_table(tmp_path / "t.csv", 40)
    asked = ("--label", "label", "--labels", "no,yes", "--learner", "perceptron", "--weights", "w", "--ignore", "zz*")
    model = tmp_path / "m.mb"
    assert run("learn", table, *asked, "--model", model, "--quiet").code == 0
    of_the_run = {
        "files", "assume", "start", "passes", "shuffle", "seed", "holdout", "on_error", "cache", *learn.FREE,
    }  # fmt: skip
    refused = {name: words for name, words in OTHER_WORDS.items() if name not in of_the_run}
    refused |= {"label": ("--label", "w"), "weights": ("--weights", "label")}
    assert len(refused) == 29
    for name, words in refused.items():
        result = run("learn", table, "--from", model, *words)
        option = {"settings": "--set", "costs": "--cost"}.get(name, f"--{name.replace('_', '-')}")
        assert (result.code, option in result.err, result.err.count("\n")) == (2, True, 1), (name, result.err)


def test_other_files_are_refused(run: Run, half: tuple[object, ...], tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    text, model = path.read_bytes(), (tmp_path / "m.mb").read_bytes()
    at = model_file.read(tmp_path / "m.mb")[0]["position"]["offset"]
    for changed in (text + b"1 1:1\n", b"0" + text[1:], text[: at - 9] + b"9" + text[at - 8 :], text[:-1] + b" "):
        path.write_bytes(changed)
        result = run(*half, "--resume")
        assert result.code == 1
        assert f"{path} is not the file that was being learned" in result.err
    path.unlink()
    assert run(*half, "--resume").code == 1
    assert (tmp_path / "m.mb").read_bytes() == model
    path.write_bytes(text)
    os.utime(path, (1, 1))
    assert run(*half, "--resume").code == 0, "the time does not matter"


def test_models_that_hold_no_position(run: Run, half: tuple[object, ...], tmp_path: Path) -> None:
    header, arrays = model_file.read(tmp_path / "m.mb")
    for position in (None, {}, {"source": "x", "line": 3}, {"run": 5}):
        model_file.write(tmp_path / "m.mb", header | {"position": position}, arrays)
        result = run(*half, "--resume")
        assert result.code == 1
        assert "holds no position to resume from" in result.err
    run_of = header["position"]["run"]
    for name, value in (("pass", -1), ("pass", "x"), ("mistakes", None), ("holdout", None), ("before", 1.5)):
        position = header["position"] | {"run": run_of | {name: value}}
        model_file.write(tmp_path / "m.mb", header | {"position": position}, arrays)
        result = run(*half, "--resume")
        assert (result.code, "not a model that this program could have written" in result.err) == (4, True), name
    held = run_of["holdout"]
    for pending in ([["x", "AAAA"]], [["x", "?"]], [["x", "A" * 400]], [5], None):
        position = header["position"] | {"run": run_of | {"holdout": held | {"pending": pending}}}
        model_file.write(tmp_path / "m.mb", header | {"position": position}, arrays)
        assert run(*half, "--resume").code == 4, pending
    (tmp_path / "m.mb").write_bytes(b"rubbish")
    assert run(*half, "--resume").code == 4


def test_another_cache_is_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_rows(tmp_path / "rows.svm", 3000)
    words = ("learn", path, "--cache", tmp_path / "c", "--model", tmp_path / "m.mb")
    small_blocks(monkeypatch)
    with monkeypatch.context() as patch:
        interrupt_at_block(patch, 2)
        assert run(*words).code == 130
    other = tmp_path / "other.svm"
    other.write_text(path.read_text())
    run("learn", other, "--cache", tmp_path / "c2", "--hash", 5)
    (tmp_path / "c2").replace(tmp_path / "c")
    result = run(*words, "--resume")  # made again, because it is another file's, and with the same rows
    assert (result.code, "it is being rebuilt" in result.err) == (0, True)


def test_checkpoints_by_the_clock(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, saves = write_rows(tmp_path / "rows.svm", 3000), []
    save = Training.save
    monkeypatch.setattr(Training, "save", lambda self: saves.append(self.ledger.trials) or save(self))
    small_blocks(monkeypatch)
    assert run("learn", path, "--checkpoint", "0.000001s", "--model", tmp_path / "m.mb").code == 0
    assert len(saves) > 5
    assert saves == sorted(saves)
    saves.clear()
    assert run("learn", path, "--checkpoint", "1000", "--model", tmp_path / "m.mb").code == 0
    assert len(saves) == 3
    assert saves[-1] == 3000


def test_checkpoints_do_not_show_in_the_model(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long: bool
) -> None:
    path = write_rows(tmp_path / "rows.svm", 3000 if long else 1500)
    small_blocks(monkeypatch, 20_000 if long else 10_000)
    models = []
    for more in ((), ("--checkpoint", 1), ("--checkpoint", 700, "--threads", 3), ("--resume",)):
        (tmp_path / "m.mb").unlink(missing_ok=True)
        assert run("learn", path, "--holdout", "1/3", "--model", tmp_path / "m.mb", *more).code == 0
        models.append((tmp_path / "m.mb").read_bytes())
    assert len(set(models)) == 1


def test_a_bad_line_leaves_the_last_checkpoint(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, model = write_rows(tmp_path / "rows.svm", 3000), tmp_path / "m.mb"
    path.write_text(path.read_text() + "1 x:1\n")
    small_blocks(monkeypatch)
    assert f"{model} was not written" in run("learn", path, "--model", model).err
    assert f"{model} holds the last checkpoint" in run("learn", path, "--model", model, "--checkpoint", 1000).err
    assert 0 < model_file.read(model)[0]["position"]["rows"] < 3000
