"""Every code block of README and docs is run as it stands, or a comment before it says why not."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mistakebound.cli.commands import COMMANDS
from mistakebound.cli.parser import build_parser
from pages import ROOT, SOURCES, Block, agrees, blocks, consoles, environment, follow, follow_block, ran

BLOCKS = [block for page in SOURCES for block in blocks(page)]
DATA = {"text", "csv", "ini", "nginx"}  # what is not code
EXTRAS = {"docs/cluster.md", "docs/export.md", "docs/howto/serve.md"}  # tests/extras/docs/test_pages.py
OWN_TESTS = {  # scripts, and Python without prompts: page to the test that runs them
    "docs/hunt.md": "tests/test_pages.py",
    "docs/service.md": "tests/extras/service/test_docs.py",
    "docs/python_tools.md": "tests/extras/test_frames.py",
}
OF_OTHERS = {
    "--coin",
    "--ftrl",
    "--oaa",
    "--sets",
    "--only",
    "--hunts",
    "--name",
    "--opt",
}  # peers, benchmarks, examples
PROOFS = {"docs/theorems.md", "docs/bounds_met.md"}  # "times as many" is mathematics there
CLAIM = re.compile(
    r"times (?:as fast|as many|faster|the work|the time|the mistakes|as long)|(?:as fast|faster|slower) (?:as|than)"
    r"|(?:tenth|half) of (?:the|its) (?:time|mistakes)"
    r"|(?:Vowpal Wabbit|VW|River|scikit-learn|picire)\b[^.|]{0,60}\d+(?:\.\d+)? (?:times|%|s\b|MB)"
)
SLOW = {"docs/howto/flaky_test.md"}  # starts pytest again and again
PAGES = [page for page in SOURCES if consoles(page) and page not in EXTRAS and page != "docs/hunt.md"]


def kind(block: Block) -> str:
    """How a block is run, or that it is not."""
    if block.reason:
        return "not run"
    if block.language in DATA:
        return "data"
    if block.language in ("python", "pycon") and block.text.startswith(">>> "):
        return "doctest"
    if block.language == "console":
        return "console"
    return "own test" if block.page in OWN_TESTS and block.language in ("sh", "python") else ""


@pytest.mark.parametrize("page", sorted({block.page for block in BLOCKS}))
def test_every_block_is_run_or_says_why_not(page: str) -> None:
    for block in blocks(page):
        place = f"{page}:{block.line}"
        assert kind(block), f"{place}: nothing runs this block of {block.language!r}"
        if kind(block) == "data":
            commands = re.findall(r"^(?:\$ |mistakebound [a-z]|>>> |pip |make |python ).*", block.text, re.MULTILINE)
            assert not commands, f"{place}: a command in a block of data: {commands[0]}"
    assert len(re.findall(r"^ *```", (ROOT / page).read_text("utf-8"), re.MULTILINE)) == 2 * len(blocks(page)), page


def test_nothing_is_left_out() -> None:
    kinds = [kind(block) for block in BLOCKS]
    assert kinds.count("console") >= 40
    assert kinds.count("not run") <= 10
    for page, test in OWN_TESTS.items():
        assert Path(page).name in (ROOT / test).read_text("utf-8")


@pytest.mark.parametrize("page", [pytest.param(name, marks=[pytest.mark.long] * (name in SLOW)) for name in PAGES])
def test_commands_print_what_the_page_says(tmp_path: Path, page: str) -> None:
    follow(page, tmp_path)


@pytest.mark.parametrize(
    "block",
    [  # pytest is started again and again; test_pytest_polluter.py has the same in short
        pytest.param(block, id=f"line {block.line}", marks=[pytest.mark.long] * ("--hunt-polluter" in block.text))
        for block in consoles("docs/hunt.md")
    ],
)
def test_the_tutorial_and_recipes_of_hunts(tmp_path: Path, block: Block) -> None:
    for tool in ("gcc", "git"):
        if re.search(rf"\b{tool}\b", block.text) and shutil.which(tool) is None:
            pytest.skip(f"no {tool}")
    (script,) = (block for block in blocks("docs/hunt.md") if block.language == "sh")
    (tmp_path / "build.sh").write_text(script.text)
    follow_block(block, tmp_path)


def test_there_are_seven_recipes_of_hunts() -> None:
    assert len(consoles("docs/hunt.md")) == 1 + 7


def test_a_page_that_says_something_else_is_noticed(tmp_path: Path) -> None:
    printed = ran("mistakebound learners winnow1", tmp_path, environment(tmp_path))
    assert printed == ran("mistakebound learners winnow1 | cat", tmp_path, environment(tmp_path))
    assert agrees(printed, printed)
    assert agrees(printed, printed.partition("\n")[0] + "\n...\n")
    assert not agrees(printed, printed.replace("winnow1", "winnow3"))
    assert not agrees(printed, printed.partition("\n")[2])
    assert agrees("  time    1.0 s\n", "  time    2.0 s\n")


def test_every_option_that_is_named_exists() -> None:
    known = {"--version", "--hunt-polluter"}  # of the program itself, and of pytest
    for name in COMMANDS:
        (commands,) = (action for action in build_parser([name])._actions if isinstance(action.choices, dict))
        known |= {word for action in commands.choices[name]._actions for word in action.option_strings}
    for page in SOURCES:
        prose = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for code in re.findall(r"`([^`\n]+)`", prose):
            if not re.search(r"benchmarks/|\.py|make ", code) and page != "benchmarks/README.md":
                unknown = {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", code)} - known - OF_OTHERS
                assert not unknown, f"{page}: {code}"


@pytest.mark.parametrize("page", [page for page in SOURCES if page not in PROOFS])
def test_every_claim_of_speed_names_its_benchmark(page: str) -> None:
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for section in re.split(r"^#+ .*$", text, flags=re.MULTILINE):
        claim = CLAIM.search(section)
        assert claim is None or "benchmark" in section, f"{page}: {claim[0]}"


@pytest.mark.long
def test_the_demo_says_what_the_readme_says() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "readme_figures", "--check"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")
