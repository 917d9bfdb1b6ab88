"""No output of any command is one of its inputs, and no file of another kind is overwritten: all options of all."""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mistakebound
from cli.conftest import ROWS, Run
from mistakebound.cli import commands, outputs
from mistakebound.cli.parser import build_parser
from mistakebound.core.file_kinds import CACHE_MAGIC, MODEL_MAGIC

# Options with text that is no name of a file.  One that is not here must be declared by its command.
NOT_FILES = {
    "match", "bad_codes", "skip_codes",
    "learner", "settings", "assume", "labels", "costs", "label", "weights", "nominal", "numeric", "bins", "ignore",
    "columns", "delimiter", "missing", "keep",
    "checkpoint", "learners", "instance", "instance_json", "target", "concepts", "words", "name", "shell", "values",
    "command", "env", "setup", "m", "hypotheses", "vc", "epsilon", "delta", "threshold", "table",
    "cluster", "host", "allow_host", "new_token", "scopes", "directory", "backup", "lab",
}  # fmt: skip

# A file of each kind, and how a name must end for it.
OF_KIND = {
    "model": (MODEL_MAGIC + b"rest", ".mb"),
    "cache": (CACHE_MAGIC + b"rest", ".mbcache"),
    "picture": (b"\x89PNG\r\n\x1a\nrest", ".png"),
    "svg": (b'<?xml version="1.0"?>\n<!-- by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"></svg>\n', ".svg"),
    "dot": (b"strict digraph tree {\n}\n", ".dot"),
    "hunt log": (b'{"hunt": 1}\n', ".log"),
    "predictions": (b"", ".txt"),
    "python": (b'"""A model of arow, written by mistakebound export"""\n', ".py"),
    "sql": (b"-- A model of arow\n", ".sql"),
    "onnx": (b"\x08\x08\x12\x0cmistakebound", ".onnx"),
    "trace": (b"trial  instance  prediction  label  hypothesis\n", ".txt"),
}
NOTES = b"graph paper, sugar, <svg> lessons\n"
TABLE = "a,b,y\n1,u,no\n2,v,yes\n3,u,yes\n4,v,no\n"

# Words for each command that has files; INPUT stands for each of them in turn.
BASE: dict[str, list[tuple[str, ...]]] = {
    "learn": [
        ("INPUT",), ("rows.svm", "--holdout", "INPUT"), ("rows.svm", "INPUT"), ("t.csv", "--validation", "INPUT"),
    ],
    "compare": [("INPUT",)],
    "eval": [("m.mb", "INPUT"), ("INPUT", "rows.svm")],
    "explain": [("INPUT",), ("m.mb", "INPUT"), ("m.mb", "INPUT", "--row", "1")],
    "export": [("INPUT", "--to", "TO"), ("m.mb", "INPUT", "--to", "TO")],
    "play": [()],
    "version-space": [
        ("INPUT", "--label", "y"),
        ("t.csv", "--label", "y", "--test", "INPUT"),
    ],
    "measure": [("monotone-disjunctions", "n=2", "--only", "opt")],
    "hunt": [("flags", "INPUT", "OUTPUT", "--", "true", "{}")],
}  # fmt: skip


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    (subparsers,) = (a for a in build_parser(list(commands.COMMANDS))._actions if isinstance(a.choices, dict))
    assert isinstance(subparsers.choices, dict)
    yield from subparsers.choices.items()


def has_text(action: argparse.Action) -> bool:
    """Whether a person may write anything there, so that it may be the name of a file."""
    if action.nargs == 0 or action.choices is not None:
        return False
    try:
        return not callable(action.type) or bool(action.type("folder/name.txt"))
    except (TypeError, ValueError, argparse.ArgumentTypeError):  # numbers only
        return False


def pairs() -> list[tuple[str, str, str]]:
    """(command, output, kind), once for each kind of file that the output may be."""
    found = []
    for command in commands.COMMANDS:
        for dest, kind in getattr(commands.module_of(command), "OUTPUTS", {}).items():
            forms = ["model"] if dest == "model" else [kind]
            if dest == "plot" and callable(kind):  # by the ending of the name
                forms = ["dot", "picture"] if command == "explain" else ["dot", "svg"]
            if command == "export":
                forms = ["python", "sql", "onnx"]
            found += [(command, dest, form) for form in forms]
    return found


PAIRS = [pair for pair in pairs() if pair[0] != "demo"]


def test_every_option_that_may_name_a_file_is_declared() -> None:
    seen = 0
    for command, parser in parsers():
        module = commands.module_of(command)
        inputs, written = {*getattr(module, "INPUTS", ())}, {*getattr(module, "OUTPUTS", {})}
        others = NOT_FILES - inputs
        for action in parser._actions:
            if has_text(action):
                places = [action.dest in names for names in (inputs, written, others)]
                assert places.count(True) == 1, f"{command}: {action.dest} is not declared, or in two ways"
                seen += 1
            else:
                assert action.dest not in inputs | written
        assert inputs | written <= {action.dest for action in parser._actions}
        assert command in BASE or not written or command == "demo"
    assert seen > 80


def test_every_output_has_a_kind_and_a_case_here() -> None:
    assert {command for command, *_ in PAIRS} == {*BASE}
    assert {kind for *_, kind in PAIRS} <= {*OF_KIND}
    assert len(PAIRS) == 19


@pytest.fixture
def folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.svm").write_text("\n".join(ROWS) + "\n")
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "flags.txt").write_text("a\nb\n")
    (tmp_path / "m.mb").write_bytes(MODEL_MAGIC)
    (tmp_path / "sub").mkdir()
    return tmp_path


class Ran(Exception):
    """The command has begun."""


def refused_or_run(run: Run, command: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Exit code and message; nothing is done: instead of the work comes Ran."""

    def work(options: object) -> int:
        raise Ran

    with monkeypatch.context() as patch:
        patch.setattr(commands.module_of(command), "run", work)
        result = run(command, *words)
    return result.code, result.err


def line(command: str, dest: str, kind: str, *, source: str, to: str, case: int = 0) -> list[str]:
    given = [outputs.option_of(dest), to] if dest != "cache" else [f"--cache={to}"]
    stands_for = {"INPUT": source, "TO": kind}
    words = [stands_for.get(word, word) for word in BASE[command][case]]
    if "OUTPUT" in words:
        at = words.index("OUTPUT")
        return [*words[:at], *given, *words[at + 1 :]]
    return [*words, *given]


def usual(command: str) -> str:
    return {"explain": "m.mb", "export": "m.mb", "hunt": "flags.txt", "version-space": "t.csv"}.get(command, "rows.svm")


@pytest.mark.parametrize(("command", "dest", "kind"), PAIRS)
def test_an_output_is_no_input(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, dest: str, kind: str
) -> None:
    content, ending = OF_KIND[kind]
    mine = folder / f"mine{ending}"
    other = f"sub/other{ending}"
    for case, words in enumerate(BASE[command]):
        if "INPUT" not in words:
            continue
        for link in (None, os.symlink, os.link) if case == 0 else (None,):
            mine.write_bytes(content)  # even where it is of the kind that is written
            names = [(mine.name, mine.name), (f"sub/../{mine.name}", mine.name), (mine.name, str(mine))]
            if link is not None:
                link(mine, other)
                names = [(other, mine.name), (mine.name, other)]
            for source, to in names:
                code, err = refused_or_run(
                    run, command, line(command, dest, kind, source=source, to=to, case=case), monkeypatch
                )
                assert (code, err.count("\n")) == (2, 1), err
                assert f"refusing to overwrite {to}: {outputs.option_of(dest)} is an input of this command" in err
            if link is not None:
                os.unlink(other)
            assert mine.read_bytes() == content


@pytest.mark.parametrize(("command", "dest", "kind"), PAIRS)
def test_a_file_of_another_kind_stays(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, dest: str, kind: str
) -> None:
    ending = OF_KIND[kind][1]
    place = folder / f"place{ending}"
    link = folder / f"link{ending}"
    link.symlink_to(place)
    own = {kind}, {"picture", "svg"}
    others = [content for name, (content, _) in OF_KIND.items() if content and {name, kind} not in own]
    for content in (NOTES, TABLE.encode(), b"\0\1\2", b"a", b"<html><svg></svg></html>", *others):
        place.write_bytes(content)
        for to in (place, link) if content is NOTES else (place,):
            words = line(command, dest, kind, source=usual(command), to=str(to))
            code, err = refused_or_run(run, command, words, monkeypatch)
            assert code == 2, content
            assert f"refusing to overwrite {to}: it is not a" in err or "it is not the log of a hunt" in err, err
            assert place.read_bytes() == content


@pytest.mark.parametrize(("command", "dest", "kind"), PAIRS)
def test_a_file_of_its_own_kind_an_empty_one_or_none_is_taken(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, dest: str, kind: str
) -> None:
    content, ending = OF_KIND[kind]
    place = folder / f"place{ending}"
    words = line(command, dest, kind, source=usual(command), to=place.name)
    for there in (None, b"", content):
        if there is not None:
            place.write_bytes(there)
        with pytest.raises(Ran):
            refused_or_run(run, command, words, monkeypatch)


@pytest.mark.parametrize(("command", "dest", "kind"), PAIRS)
def test_a_place_that_cannot_be_written_is_said_before_the_work(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, dest: str, kind: str
) -> None:
    ending = OF_KIND[kind][1]
    (folder / f"d{ending}").mkdir()
    os.mkfifo(folder / f"pipe{ending}")
    for to, message in (
        (f"no/such/x{ending}", "there is no folder"),
        (f"d{ending}", "a regular file"),
        (f"pipe{ending}", "a regular file"),
        (f"rows.svm/x{ending}", "there is no folder"),
    ):
        if kind == "predictions" and to.startswith("pipe"):  # they may go there
            continue
        words = line(command, dest, kind, source=usual(command), to=to)
        code, err = refused_or_run(run, command, words, monkeypatch)
        if dest == "cache" and message == "a regular file":  # said by the parser, which would take a stream for a cache
            assert (code, "it is not a cache" in err) == (2, True)
            continue
        assert (code, err.count("\n")) == (1, 1), err
        assert f"cannot write {to}: " in err
        assert message in err
    code, err = refused_or_run(run, command, line(command, dest, kind, source=usual(command), to=""), monkeypatch)
    assert (code, err.strip()) == (2, f"mistakebound: {outputs.option_of(dest)} must name a file: ''")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission_is_said_before_the_work(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "m.mb").chmod(0o400)
    (folder / "sub").chmod(0o500)
    for to in ("m.mb", "sub/x.mb"):
        code, err = refused_or_run(run, "tree", ["t.csv", "--label", "y", "--model", to], monkeypatch)
        assert (code, "no permission to write" in err) == (1, True)


def test_two_outputs_are_two_files(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = 0
    for command in BASE:
        several = [(dest, kind) for name, dest, kind in PAIRS if name == command and kind not in ("text", "dot")]
        for dest, kind in several:
            for other, _ in several:
                if other == dest:
                    continue
                for name, again in (("x.svg", "x.svg"), ("sub/../x.svg", "x.svg"), ("x.svg", "X.SVG")):
                    words = line(command, dest, kind, source=usual(command), to=name)
                    more = [outputs.option_of(other), again] if other != "cache" else [f"--cache={again}"]
                    code, err = refused_or_run(run, command, [*words, *more], monkeypatch)
                    assert (code, err.count("\n")) == (2, 1), err
                    assert " must be different files" in err
                    pairs += 1
    assert pairs >= 24


def test_a_model_may_be_learned_further_into_its_own_file(run: Run, folder: Path) -> None:
    for _ in range(2):
        assert run("learn", "rows.svm", "--model", "x.mb", "--quiet").code == 0
        assert run("learn", "rows.svm", "--from", "x.mb", "--model", "x.mb", "--quiet").code == 0
    os.symlink("x.mb", "y.mb")
    assert run("learn", "rows.svm", "--from", "x.mb", "--model", "y.mb", "--quiet").code == 0
    assert os.path.islink("y.mb")
    result = run("learn", "x.mb", "--from", "x.mb", "--model", "x.mb")
    assert (result.code, "refusing to overwrite x.mb" in result.err) == (2, True), "as a stream it is an input"


def test_the_cache_beside_a_stream_is_an_output_too(run: Run, folder: Path) -> None:
    beside = folder / "rows.svm.mbcache"
    result = run("learn", "rows.svm", "--cache", "--model", beside.name)
    assert (result.code, "must be different files" in result.err) == (2, True)
    beside.write_text("mine\n")
    result = run("learn", "rows.svm", "--cache")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "refusing to overwrite rows.svm.mbcache: it is not a cache of parsed rows" in result.err
    assert beside.read_text() == "mine\n"


def test_what_is_redirected_is_an_input_or_an_output_too(folder: Path) -> None:
    program = [sys.executable, "-m", "mistakebound"]
    with open("t.csv") as table:
        line = [*program, "learn", "-", "--label", "y", "--model", "t.csv"]
        done = subprocess.run(line, stdin=table, capture_output=True, text=True, check=False)
    assert (done.returncode, "t.csv: --model is an input of this command, standard input" in done.stderr) == (2, True)
    before = (folder / "rows.svm").read_bytes()
    assert subprocess.run([*program, "learn", "rows.svm", "--model", "new.mb", "--quiet"], check=False).returncode == 0
    with open("rows.svm", "a") as out:
        line = [*program, "predict", "new.mb", "rows.svm"]
        done = subprocess.run(line, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "refusing to write to standard output" in done.stderr) == (2, True)
    assert (folder / "rows.svm").read_bytes() == before
    assert (folder / "t.csv").read_text() == TABLE


def test_the_folder_of_a_hunt_is_a_folder(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "h.log.output").write_bytes(NOTES)
    words = ["flags", "flags.txt", "--log", "h.log", "--", "true", "{}"]
    code, err = refused_or_run(run, "hunt", words, monkeypatch)
    assert (code, "cannot write into h.log.output: it is not a folder" in err) == (1, True)


@pytest.mark.parametrize(
    "name", ["stream.svm", "stream.svm.json", "winnow1.mb", "perceptron.mb", "mistakes.png", "events.csv"]
)
def test_the_demo_leaves_what_it_did_not_make(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (folder / "sub" / name).write_bytes(ROWS[0].encode() if name == "stream.svm" else NOTES)
    code, err = refused_or_run(run, "demo", ["--out", "sub"], monkeypatch)
    assert (code, err.count("\n"), f"refusing to overwrite sub/{name}: it is not " in err) == (2, 1, True), err


def test_the_demo_makes_its_files_again(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mistakebound.cli.demo.draw", lambda *words: None)  # which takes longest
    words = ("demo", "--n", 50, "--active", 5, "--relevant", 2, "--json", "--out", "sub")
    for rows in (20, 30, 30):
        assert run(*words, "--rows", rows).code == 0
    os.unlink("sub/stream.svm")
    assert run(*words, "--rows", 30).code == 0


def test_the_kinds_are_those_of_what_is_written(run: Run, folder: Path) -> None:
    """Every command twice: what it has written is of its own kind."""
    for words in (
        ("learn", "t.csv", "--label", "y", "--learner", "decision-tree", "--model", "t.mb", "--quiet"),
        ("explain", "t.mb", "--plot", "t.svg"),
        ("explain", "t.mb", "--plot", "t.dot"),
        ("learn", "t.csv", "--nominal", "a", "--label", "y", "--learner", "naive-bayes", "--model", "b.mb"),
        ("learn", "rows.svm", "--cache", "--model", "l.mb", "--quiet"),
        ("learn", "rows.svm", "--cache=c", "--plot", "l.svg", "--quiet"),
        *(("measure", "monotone-disjunctions", "n=2", "--only", "opt", "--plot", f"o.{f}") for f in ("dot", "svg")),
        *(
            ("version-space", "t.csv", "--nominal", "a", "--label", "y", "--labels", "no,yes",
             "--plot", f"v.{f}") for f in ("dot", "svg")
        ),
        ("hunt", "flags", "flags.txt", "--quiet", "--log", "h", "--", "sh", "-c", 'test "${*#*b}" = "$*"', "h", "{}"),
    ):  # fmt: skip
        for _ in range(2):
            result = run(*words)
            assert result.code == 0, result.err


def test_the_library_refuses_too(tmp_path: Path) -> None:
    """Whoever writes by the library's own functions is asked the same: is this a file of that kind?"""
    place = tmp_path / "notes.png"
    place.write_bytes(NOTES)
    from mistakebound.io.synthetic import write_stream
    from mistakebound.report.plots import picture

    with pytest.raises(mistakebound.BadParameter, match="it is not a model file"):
        mistakebound.Perceptron().save(place)
    with pytest.raises(mistakebound.BadParameter, match="it is not a picture"), picture(str(place), 1, 1):
        pass
    with pytest.raises(mistakebound.BadParameter, match="it is not a stream of libsvm rows"):
        write_stream(place, n=9, active=2, relevant=1, rows=2, seed=1)
    with pytest.raises(mistakebound.BadData, match="not the log of a hunt"):
        mistakebound.hunt(lambda on: True, ["a", "b"], log=place)
    assert place.read_bytes() == NOTES


def test_whoever_writes_a_file_says_its_kind() -> None:
    """WholeFile is the one way to replace a file, and every use of it names a kind."""
    root = Path(mistakebound.__file__).parent
    uses = 0
    writers = ("WholeFile(", "open(", "os.rename(", "shutil.")
    for path in root.rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text if any(word in text for word in writers) else "")):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if name == "WholeFile":
                assert "kind" in {word.arg for word in node.keywords}, path
                uses += 1
            modes = [ast.literal_eval(word) for word in node.args[1:2] if isinstance(word, ast.Constant)]
            if name == "open" and modes and isinstance(modes[0], str) and {*modes[0]} & {"w", "a", "x", "+"}:
                # the file itself, the log and the predictions that grow, and what belongs to one run of a command
                assert path.name in (
                    "whole_file.py",
                    "log.py",
                    "progressive.py",
                    "command.py",
                    "file_oracle.py",
                    "hunt_report.py",
                ), path
            assert name not in ("os.rename", "shutil.move", "shutil.copy"), path
    assert uses >= 6
