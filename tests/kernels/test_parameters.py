"""No `def` of a kernel takes more than eight parameters; classes hold the buffers that belong together."""

from __future__ import annotations

import ast
from pathlib import Path

MOST = 8


def test_no_def_has_more_than_eight_parameters(checkout: Path) -> None:
    found = set()
    for path in (checkout / "src/mistakebound/kernels").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and not any("cfunc" in ast.unparse(d) for d in node.decorator_list):
                names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                if len(names) - (names[:1] == ["self"]) > MOST:
                    found.add(f"{path.stem}.{node.name}")
    assert not found
