"""The public names: where they are, that nothing else is shown, and that looking costs nothing."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb

LAZY = (
    "arena",
    "bayes",
    "concepts",
    "course",
    "errors",
    "inspection",
    "learners",
    "plot",
    "teachers",
    "theory",
    "transforms",
)
MODULES = {"": mb} | {name: import_module(f"mistakebound.{name}") for name in (*LAZY, "checks", "io")}


def stub(module: Any) -> Path:
    return Path(module.__file__).with_suffix(".pyi")


def stated(module: Any) -> dict[str, str]:
    """The module of each name in a stub."""
    found = {}
    for node in ast.parse(stub(module).read_text()).body:
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                assert name.asname == name.name, "else type checkers do not show it"
                found[name.name] = str(node.module)
    return found


@pytest.mark.parametrize("name", ["", *LAZY])
def test_the_stub_says_what_is_found(name: str) -> None:
    module = MODULES[name]
    said = stated(module)
    assert sorted(said) == module.__all__
    for public, home in said.items():
        whole = f"{home}.{public}"
        expected = import_module(whole) if home == "mistakebound" else getattr(import_module(home), public)
        assert getattr(module, public) is expected


@pytest.mark.parametrize("name", MODULES)
def test_nothing_else_is_shown(name: str) -> None:
    module = MODULES[name]
    assert dir(module) == sorted(module.__all__)
    assert all(getattr(module, public).__doc__ for public in module.__all__)


def test_few_names_at_the_top() -> None:
    modules = {name for name in mb.__all__ if name in MODULES}
    assert modules == MODULES.keys() - {""}
    assert len(mb.__all__) - len(modules) == 27
    assert not hasattr(mb, "annotations")
    assert not hasattr(mb, "TYPE_CHECKING")
    assert mb.littlestone_dimension is mb.opt


def test_every_learner_is_public() -> None:
    for name in mb.learners.names():
        assert mb.learners.find(name).__name__ in mb.learners.__all__


def test_one_name_is_one_thing() -> None:
    """A name that several modules have is the same thing in each."""
    found: dict[str, object] = {}
    for module in MODULES.values():
        for name in module.__all__:
            assert found.setdefault(name, getattr(module, name)) is getattr(module, name)


def test_a_name_that_is_elsewhere() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'FindS'; it is mistakebound\.learners\.FindS$"):
        mb.FindS  # type: ignore[attr-defined] # noqa: B018
    with pytest.raises(AttributeError, match=r"^module 'mistakebound' has no attribute 'nothing'$"):
        mb.nothing  # type: ignore[attr-defined] # noqa: B018
    with pytest.raises(AttributeError, match=r"^module 'mistakebound.theory' has no attribute 'FindS'$"):
        mb.theory.FindS  # type: ignore[attr-defined] # noqa: B018


def test_a_submodule_does_not_hide_a_name() -> None:
    for name, module in MODULES.items():
        folder = Path(str(module.__file__)).parent
        if name and (folder / "__init__.py") == Path(str(module.__file__)):
            assert not {path.stem for path in folder.glob("*")} & set(module.__all__)


def test_the_page_of_the_api_has_every_name(checkout: Path) -> None:
    top, learners, theory, others = (checkout / "docs/api.md").read_text().split("\n## ")[1:]
    pages = {"": top, "learners": top + learners, "theory": theory}
    rows = {line.split("`")[1].partition(".")[2]: line for line in others.splitlines() if line.startswith("| `")}
    rows["errors"] += top
    for name, module in MODULES.items():
        said = set(re.findall(r"`(\w+)", pages.get(name) or rows[name]))
        assert set(module.__all__) - MODULES.keys() <= said
    assert rows.keys() | pages.keys() == MODULES.keys()


def run(code: str) -> list[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_importing_costs_nothing() -> None:
    modules = ", ".join(f"mistakebound.{name}" for name in LAZY)
    code = f"import sys; before = set(sys.modules); import mistakebound, {modules}; dir(mistakebound); "
    new = run(code + "print(*sorted(set(sys.modules) - before))")
    assert [name for name in new if name.startswith("mistakebound.")] == sorted(
        ["mistakebound.core", "mistakebound.core.lazy", *(f"mistakebound.{name}" for name in LAZY)]
    )
    assert not {"numpy", "typing", "dataclasses"} & set(new)


def test_one_learner_loads_no_other() -> None:
    code = "import sys, mistakebound as mb; mb.learners.Winnow1; "
    found = run(
        code + "print(*(m for m in sys.modules if m.startswith('mistakebound.learners.')), 'numpy' in sys.modules)"
    )
    assert not [name for name in found if "perceptron" in name or "tree" in name]
    assert found[-1] == "False"


def test_all_names_by_a_star() -> None:
    assert run("from mistakebound.theory import *; print(opt.__name__, vc_dimension.__name__)") == [
        "opt",
        "vc_dimension",
    ]


@pytest.mark.long
def test_a_users_file_has_no_type_errors(checkout: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "tests/public_api_user.py"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
