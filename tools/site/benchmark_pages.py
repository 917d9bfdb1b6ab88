"""A page for each benchmark: the claim, the peer, what was measured, how to run it, and the script itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_MENTION = re.compile(r"`(?:python )?benchmarks/(\w+)\.py`(?!\])")


def pages() -> Iterator[tuple[str, str, str]]:
    """(path, title, Markdown) of every script that benchmarks/README.md lists."""
    measured = rows_of(ROOT / "docs" / "benchmarks.md", 1)
    for name, (row,) in rows_of(ROOT / "benchmarks" / "README.md", 0).items():
        yield f"project/benchmark/{name}.md", f"{name}.py", page(name, row, measured.get(name, []))


def rows_of(path: Path, column: int) -> dict[str, list[list[str]]]:
    """Script to the rows of a table, by the column that names it."""
    found: dict[str, list[list[str]]] = {}
    for line in path.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
        if line.startswith("| ") and len(cells) > column and re.fullmatch(r"`\w+\.py`", cells[column]):
            found.setdefault(cells[column].strip("`").removesuffix(".py"), []).append(cells)
    return found


def page(name: str, row: list[str], measured: list[list[str]]) -> str:
    source = (ROOT / "benchmarks" / f"{name}.py").read_text("utf-8")
    claim, peer, arguments = row[1], row[2], row[3]
    how = arguments.strip("`")
    parts = [f"# `benchmarks/{name}.py`", f"**Claim:** {claim}. **Peer:** {peer or 'none'}."]
    if how.startswith("not run"):
        parts.append(f"`make bench` does {how.removesuffix('.')}.")
    parts.append(f"```text\npython benchmarks/{name}.py {'' if how.startswith('not run') else how}".rstrip() + "\n```")
    if measured:
        lines = [
            f"| {cells[0]} | {cells[3]} | {cells[4]} | {cells[5]} | {cells[6]} | {cells[7]} |" for cells in measured
        ]
        parts.append("## Measured")
        parts.append("\n".join(["| claim | target | got | | machine | date |", "|---|---|---|---|---|---|", *lines]))
    else:
        parts.append("What it last printed is not in [the table](../../benchmarks.md).")
    if about := ast.get_docstring(ast.parse(source)):
        parts += ["## About", f"```text\n{about}\n```"]
    return "\n\n".join([*parts, "## The script", f"```python\n{source.rstrip()}\n```"]) + "\n"


def linked(text: str, up: str) -> str:
    """Text in which every mention of a script is a link to its page."""
    known = rows_of(ROOT / "benchmarks" / "README.md", 0)
    return _MENTION.sub(
        lambda at: f"[{at[0]}]({up}project/benchmark/{at[1]}.md)" if at[1] in known else at[0], text
    )  # fmt: skip


def table_linked(text: str, to: str) -> str:
    """A table of scripts in which each name is a link."""
    known = rows_of(ROOT / "benchmarks" / "README.md", 0)
    return re.sub(
        r"\| `(\w+)\.py` \|", lambda at: f"| [`{at[1]}.py`]({to}{at[1]}.md) |" if at[1] in known else at[0], text
    )
