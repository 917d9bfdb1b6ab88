"""The notebooks are what their scripts make, and every cell runs."""

from __future__ import annotations

import json
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

from mistakebound.course.marking import CHAPTERS


@pytest.fixture(scope="module")
def tool() -> Any:
    loader = SourceFileLoader("notebooks", str(Path(__file__).parents[2] / "tools" / "notebooks"))
    spec = spec_from_loader("notebooks", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_notebook_is_what_its_script_makes(chapter: str, tool: Any) -> None:
    script = tool.FOLDER / f"{chapter}.py"
    assert tool.notebook(script) == script.with_suffix(".ipynb").read_text(), "run tools/notebooks"


def test_there_is_a_notebook_for_every_chapter(tool: Any) -> None:
    assert sorted(path.stem for path in tool.FOLDER.glob("*.ipynb")) == sorted(CHAPTERS)
    page = (tool.FOLDER / "README.md").read_text()
    assert all(f"({chapter}.ipynb)" in page for chapter in CHAPTERS)


def test_cells_and_outputs(tool: Any, tmp_path: Path) -> None:
    assert tool.cells("# %% [markdown]\n# # Title\n#\n# text\n\n# %%\na = 1\na\n") == [
        ("markdown", "# Title\n\ntext"), ("code", "a = 1\na"),
    ]  # fmt: skip
    names: dict[str, object] = {}
    assert tool.run("print('x')\na = 3", names) == ("x\n", "")
    assert tool.run("a + 1", names) == ("", "4")
    script = tmp_path / "winnow.py"
    script.write_text("# %%\nimport mistakebound as mb\n\n# %%\n1 / 2\n")
    cells = json.loads(tool.notebook(script))["cells"]
    assert cells[1]["outputs"][0]["data"]["text/plain"] == ["0.5"]
    assert [cell for cell in cells if cell["cell_type"] == "code"][2]["source"] == ['mb.course.check("winnow-1", None)']
