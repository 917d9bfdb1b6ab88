"""The notebooks of the course as pages: text, code and what the code printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

COURSE = Path(__file__).resolve().parents[2] / "docs" / "course"


def pages() -> Iterator[tuple[str, str, str]]:
    """(path, title, Markdown) of every notebook, in the order of the course."""
    listed = (COURSE / "README.md").read_text("utf-8")
    names = [line.partition("](")[2].partition(".ipynb")[0] for line in listed.splitlines() if ".ipynb)" in line]
    for name in names:
        text = page(COURSE / f"{name}.ipynb")
        yield f"course/{name}.md", text.partition("\n")[0].lstrip("# "), text


def page(notebook: Path) -> str:
    parts = []
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            printed = "".join(output.get("text") or output["data"]["text/plain"])
            parts.append(f"```text\n{printed.rstrip()}\n```")
    parts.insert(1, f"This page is [a notebook]({notebook.name}); its cells are run by the tests.")
    return "\n\n".join(parts) + "\n"
