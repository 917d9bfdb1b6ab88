"""A file that is read more than once and is not the same the second time: one sentence, and nothing is lost."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from cli.conftest import Run
from cli.rows import write_rows
from mistakebound.arena import play
from mistakebound.cli import explain_rule
from mistakebound.core.errors import FileChanged
from mistakebound.io.fingerprint import SameFiles
from mistakebound.io.pass_source import PassSource
from mistakebound.model import trainer as long_work


def append(path: Path) -> None:
    with open(path, "a") as file:
        file.write("+1 7:1\n")


def rewrite(path: Path) -> None:
    """The same size, other contents."""
    text = path.read_text()
    path.write_text(text[::-1].strip() + "\n")
    os.utime(path, ns=(1, 1))


def replace(path: Path) -> None:
    """Another file with the same contents, size and time."""
    copy = path.with_name("copy")
    shutil.copy2(path, copy)
    os.replace(copy, path)


CHANGES = {
    append: "bytes and has", rewrite: "it was written to", replace: "it is another file now",
    Path.unlink: "it is gone",
}  # fmt: skip


def between_passes(monkeypatch: pytest.MonkeyPatch, change: Any, after: int = 1) -> None:
    """Something happens when so many passes are over."""
    end = long_work.Trainer.end_pass

    def and_then(work: Any) -> None:
        end(work)
        if len(work.mistakes_by_pass) == after:
            change()

    monkeypatch.setattr(long_work.Trainer, "end_pass", and_then)


@pytest.mark.parametrize("change", CHANGES)
def test_the_stream_changes_between_two_passes(
    change: Any, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, once, model = write_rows(tmp_path / "r.svm", 60), tmp_path / "once.mb", tmp_path / "m.mb"
    learn = ("learn", rows, "--learner", "perceptron", "--json", "--model")
    assert run(*learn, once).code == 0
    between_passes(monkeypatch, lambda: change(rows))
    result = run(*learn, model, "--passes", 3)
    assert result.code == 3
    kept, said = result.err.splitlines()
    assert said.startswith(f"mistakebound: {rows}: the file changed between two passes over it: ")
    assert CHANGES[change] in said
    assert kept == f"mistakebound: {model} holds what was learned so far"
    assert mb.load(model).learner.hypothesis == mb.load(once).learner.hypothesis  # the first pass, whole
    assert result.json["trials"] == 60


def test_it_changes_in_the_last_pass(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = write_rows(tmp_path / "r.svm", 60)
    between_passes(monkeypatch, lambda: append(rows), after=2)
    result = run("learn", rows, "--learner", "perceptron", "--passes", 2, "--quiet")
    assert result.code == 3
    assert "the file changed while it was learned: it had" in result.err


def test_one_pass_over_a_file_that_grows_is_no_matter(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = write_rows(tmp_path / "r.svm", 60)
    between_passes(monkeypatch, lambda: append(rows))
    assert run("learn", rows, "--quiet").code == 0


def test_rows_in_memory_or_in_a_cache_do_not_change(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for more in (["--shuffle"], [f"--cache={tmp_path / 'c'}"]):
        rows = write_rows(tmp_path / "r.svm", 60)
        with monkeypatch.context() as patched:
            between_passes(patched, lambda rows=rows: append(rows))
            assert run("learn", rows, "--learner", "perceptron", "--passes", 2, "--quiet", *more).code == 0


def test_the_cache_changes_between_two_passes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches = [tmp_path / "a.mbcache", tmp_path / "b.mbcache"]
    for seed, cache in enumerate(caches):
        rows = write_rows(tmp_path / f"{seed}.svm", 60, seed)
        assert run("learn", rows, f"--cache={cache}", "--quiet").code == 0
    between_passes(monkeypatch, lambda: shutil.copy(caches[1], caches[0]))
    result = run("learn", caches[0], "--learner", "perceptron", "--passes", 3, "--quiet")
    assert (result.code, result.err) == (
        3, f"mistakebound: {caches[0]}: another cache took the place of the one in use\n"
    )  # fmt: skip


@pytest.mark.parametrize("there", [False, True], ids=["made", "compared"])
@pytest.mark.parametrize("shuffle", [(), ("--shuffle",)], ids=["in order", "shuffled"])
def test_another_process_replaces_the_cache_before_it_is_opened(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool, shuffle: tuple[str, ...]
) -> None:
    rows, other = write_rows(tmp_path / "r.svm", 60), write_rows(tmp_path / "other.svm", 60, 2)
    cache, another = tmp_path / "a.mbcache", tmp_path / "b.mbcache"
    assert run("learn", other, f"--cache={another}", "--quiet").code == 0
    words = ("learn", rows, "--learner", "perceptron", f"--cache={cache}", "--quiet", *shuffle)
    if there:
        assert run(*words).code == 0
    prepare = PassSource._prepare

    def prepare_and_lose(source: PassSource, name: str) -> int:
        identity = prepare(source, name)
        shutil.copy(another, name)
        return identity

    monkeypatch.setattr(PassSource, "_prepare", prepare_and_lose)
    result = run(*words)
    assert (result.code, result.err) == (
        3, f"mistakebound: {cache}: another cache took the place of the one in use\n"
    )  # fmt: skip


def test_the_held_out_file_changes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, held, model = write_rows(tmp_path / "r.svm", 60), write_rows(tmp_path / "h.svm", 9, 2), tmp_path / "m.mb"
    between_passes(monkeypatch, lambda: append(held))
    result = run(
        "learn", rows, "--learner", "perceptron", "--holdout", held, "--passes", 3, "--model", model, "--quiet"
    )
    assert result.code == 3
    assert f"{held}: the file changed between two passes over it" in result.err
    assert mb.load(model).ledger.trials == 120


def test_a_file_that_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = write_rows(tmp_path / "r.svm", 60)
    once = play.play

    def and_then(*args: Any, **more: Any) -> Any:
        ledger = once(*args, **more)
        append(rows)
        return ledger

    monkeypatch.setattr(play, "play", and_then)
    with pytest.raises(FileChanged, match="between two passes"):
        play.play_passes(mb.Perceptron(), rows, 3)


def test_a_file_whose_names_are_looked_up(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, model = write_rows(tmp_path / "r.svm", 60), tmp_path / "m.mb"
    assert run("learn", rows, "--fast", "--hash", 12, "--model", model, "--quiet").code == 0
    assert run("explain", model, rows).code == 0
    names = explain_rule.names_in
    monkeypatch.setattr(explain_rule, "names_in", lambda *given: append(rows) or names(*given))
    result = run("explain", model, rows)
    assert result.code == 3
    assert "the file changed between two readings of it" in result.err


def test_what_is_no_plain_file_is_not_looked_at(tmp_path: Path) -> None:
    same = SameFiles(["-", "/dev/null", str(tmp_path)])
    (tmp_path / "new").write_text("")
    same.check()
