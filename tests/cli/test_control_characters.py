"""Names, labels and file names with anything in them: no control character reaches the terminal, lines stay lines."""

from __future__ import annotations

import ast
import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Run
from mistakebound import cli
from mistakebound.cli import commands
from mistakebound.core.names import is_visible, one_line, visible

ESCAPE = "\x1b[2J\x1b]0;owned\x07"
COLUMN = f"wi{ESCAPE}nd\n\x9b\u202e"
VALUES = [f"st{ESCAPE}rong", "we\nak\x85", "\x7fcalm"]
LABELS = [f"no{ESCAPE}", "yes\nno\u2028", '"quoted"']
FILE = f"t{ESCAPE.replace('/', '')}a\nb.csv"

TREE = ("--learner", "decision-tree")
BAYES = ("--learner", "naive-bayes", "--bins", 2)
NETWORK = ("--learner", "network", "--set", "epochs=2", "--set", "hidden=2")
MEANS = ("--learner", "gaussian-means", "--set", "k=1", "--set", "variance=1")


def table_of(labels: list[str], path: Path, numbers: bool = True) -> Path:
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow([COLUMN, *(["n\x1bumber", "x\x1b"] if numbers else []), "la\x1bbel"])
    for k in range(60):
        rows.writerow([VALUES[k % 3], *([k % 7, k % 5] if numbers else []), labels[k % 3 % len(labels)]])
    path.write_text(text.getvalue())
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    table_of(LABELS, tmp_path / FILE)
    table_of(LABELS[:2], tmp_path / f"two{FILE}")
    table_of(LABELS[:2], tmp_path / f"nominal{FILE}", numbers=False)
    (tmp_path / "flags").write_text(f"a{ESCAPE}\nb\x9b\nc\n")
    return tmp_path


def shown(run: Run, *words: object, code: int = 0) -> str:
    result = run(*words)
    assert result.code == code, result.err
    for text in (result.out, result.err):
        assert is_visible(text.replace("\n", "")), [line for line in text.split("\n") if not is_visible(line)]
    return result.out + result.err


def test_no_command_says_a_control_character(run: Run, folder: Path) -> None:
    label, two = ("--label", "la\x1bbel"), f"two{FILE}"
    for asked in (
        ("learn", FILE, *label, *TREE, "--model", f"tree{ESCAPE}.mb"),
        ("explain", f"tree{ESCAPE}.mb", FILE, "--shortest", "--plot", f"{ESCAPE}.dot"),
        ("explain", f"tree{ESCAPE}.mb", FILE, "--language", "python"),
        ("explain", f"tree{ESCAPE}.mb", FILE, "--row", 1, "--plot", f"{ESCAPE}.svg"),
        ("learn", FILE, *label, *BAYES, "--model", f"bayes{ESCAPE}.mb"),
        ("learn", FILE, *label, *NETWORK, "--holdout", "1/3", "--model", f"network{ESCAPE}.mb"),
        ("version-space", f"nominal{FILE}", *label, "--labels", ",".join(LABELS[:2]), "--lattice"),
        ("version-space", f"nominal{FILE}", *label, "--labels", ",".join(LABELS[:2]), "--steps", 100),
        ("learn", FILE, *MEANS, "--model", f"means{ESCAPE}.mb"),
        ("learn", two, *label, "--labels", ",".join(LABELS[:2]), "--fast", "--model", f"m{ESCAPE}.mb"),
        ("learn", two, *label, "--labels", ",".join(LABELS[:2]), "--model", f"auto{ESCAPE}.mb"),
        ("learn", FILE, *label, "--learner", "one-vs-all", "--model", f"many{ESCAPE}.mb"),
        ("learn", two, *label, "--labels", ",".join(LABELS[:2]), "--on-error", "skip", "--learner", "winnow2"),
        ("compare", two, *label, "--labels", ",".join(LABELS[:2]), "--learners", "perceptron,\x1b[1m=arow"),
        ("hunt", "flags", "flags", "--log", f"l{ESCAPE}", "--", "sh", "-c", "exit $#", "s\x1b", "{}"),
        ("hunt", "flags", "flags", "--dry-run", "--setup", "echo \x1b", "--", "sh", "-c", "\x1b[1m", "{}"),
        ("play", "--target", "x1", "--n", 5, "--trials", 9, "--trace", "--plot", f"{ESCAPE}.png"),
    ):  # fmt: skip
        shown(run, *asked)
    for name in ("tree", "bayes", "network", "many", "m", "auto"):
        model, file = f"{name}{ESCAPE}.mb", two if name in ("m", "auto") else FILE
        for asked in (
            ("explain", model, "--header"), ("explain", model), ("explain", model, file, "--row", 2),
            ("eval", model, file), ("predict", model, file), ("predict", model, file, "--json"),
        ):  # fmt: skip
            shown(run, *asked)
    shown(run, "explain", f"m{ESCAPE}.mb", two)


def test_no_error_has_a_control_character(run: Run, folder: Path) -> None:
    """And each is one line, whatever names are in it; beside that of a row there is a remark what to do about rows."""
    for code, *asked in (
        (2, "learn", FILE, "--learner", f"win{ESCAPE}now\n"),
        (2, "learn", FILE, "--set", f"{ESCAPE}\n=1"),
        (2, "learn", FILE, "--model", FILE),
        (3, "learn", FILE, "--label", "la\x1bbel", "--labels", "0,1"),
        (2, "learn", FILE, "--label", f"{ESCAPE}\n"),
        (1, "learn", f"{ESCAPE}\n.svm"),
        (1, "learn", FILE, "--model", f"no\n{ESCAPE}/such.mb"),
        (4, "predict", FILE, FILE),
        (1, "hunt", "flags", f"{ESCAPE}\n", "--", "true", "{}"),
        (12, "hunt", "flags", "flags", "--", f"no{ESCAPE}\nsuch", "{}"),
        (3, "learn", FILE, *MEANS, "--quiet", "--ignore", "n*", "--ignore", "x*"),
    ):
        result = run(*asked)
        said = result.err.removeprefix("mistakebound: --on-error skip leaves out bad rows\n")
        assert (result.code, said.count("\n"), is_visible(said[:-1])) == (code, 1, True), result.err
    shown(run, "learn", FILE, f"--no\n{ESCAPE}", code=2)  # by the parser, with the usage before it
    shown(run, "hunt", "flags", "flags", "--", "sh", "-c", "printf '\\033[2J'; exit 126", "sh", "{}", code=16)


@pytest.mark.parametrize("name", ["tree", "bayes", "network", "many"])
def test_a_label_a_line(run: Run, folder: Path, name: str) -> None:
    how = {
        "tree": TREE, "bayes": BAYES, "network": NETWORK, "many": ("--learner", "one-vs-all"),
    }[name]  # fmt: skip
    assert run("learn", FILE, "--label", "la\x1bbel", *how, "--model", "m.mb").code == 0
    exact = [json.loads(line)["label"] for line in run("predict", "m.mb", FILE, "--json").out.splitlines()]
    lines = run("predict", "m.mb", FILE).out.splitlines()
    assert len(lines) == len(exact) == 60
    assert [json.loads(line) if line.startswith('"') else line for line in lines] == exact
    assert {*exact} <= {*LABELS}
    scored = run("predict", "m.mb", FILE, "--scores").out.splitlines()
    assert [line.split("\t")[0] for line in scored] == lines


def test_two_labels_with_lines_in_them(run: Run, folder: Path) -> None:
    words = ("--label", "la\x1bbel", "--labels", ",".join(LABELS[:2]), "--model", "m.mb")
    assert run("learn", f"two{FILE}", *words).code == 0
    lines = run("predict", "m.mb", f"two{FILE}").out.splitlines()
    assert len(lines) == 60
    assert {*lines} <= {one_line(label) for label in LABELS[:2]}


def test_json_has_the_names_themselves(run: Run, folder: Path) -> None:
    result = run("learn", FILE, "--label", "la\x1bbel", *TREE, "--json").json
    assert (result["files"], result["columns"][0]) == ([FILE], COLUMN)
    assert run("learn", FILE, "--label", "la\x1bbel", *BAYES, "--json").json["classes"] == sorted(LABELS)


def test_code_for_another_program_is_exact_unless_a_terminal_shows_it(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("learn", FILE, "--label", "la\x1bbel", *TREE, "--model", "m.mb").code == 0
    words = ("explain", "m.mb", FILE, "--language", "sql")
    assert f"'{VALUES[0]}'" in run(*words).out
    namespace: dict[str, object] = {}
    exec(run(*words[:-1], "python").out, namespace)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    shown(run, *words)


def test_what_a_person_is_asked(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\nn\ny\ny\ny\nq\n"))
    said = shown(
        run, "version-space", "--ask", "--values", f"{json.dumps(f'wi{ESCAPE}nd')}={json.dumps(VALUES[1])},b x=1,2"
    )
    assert visible(f"wi{ESCAPE}nd") in said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_the_live_line_has_none(tmp_path: Path) -> None:
    """The title of the bar is the name of the file."""
    name = "\x1b]0;owned\x07x"
    (tmp_path / name).write_text("+1 1:1\n-1 2:1\n" * 20)
    there, here = pty.openpty()
    line = [sys.executable, "-m", "mistakebound", "learn", name, "--format", "libsvm"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "200"}
    process = subprocess.Popen(
        line, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=here, stdin=subprocess.DEVNULL, env=environment
    )
    os.close(here)
    said = b""
    while True:
        try:
            more = os.read(there, 1 << 16)
        except OSError:
            break
        if not more:
            break
        said += more
    os.close(there)
    assert process.wait() == 0
    assert b"\x1b]0;" not in said
    assert b"\x07" not in said
    assert rb"\x1b]" in said


def test_all_that_commands_print_is_json_or_goes_through_one_function() -> None:
    """A new print in a command must be of JSON, or be `say`."""
    found = 0
    for path in Path(cli.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if name == "print":
                found += 1
                words = ast.unparse(node.args[0])
                allowed = words.startswith("json.dumps(") or (path.name, words) in (
                    ("parser.py", "script(values)"), ("__init__.py", "message"),
                )  # fmt: skip
                assert allowed or path.name == "commands.py", f"{path}: {ast.unparse(node)}"
            if name.startswith(("sys.stdout.write", "sys.stderr.write")):
                assert path.name in ("predict.py", "table_models.py", "export.py"), path  # rows, and source code
    assert found > 15
    assert {"say", "say_code", "note"} <= {*vars(commands)}
