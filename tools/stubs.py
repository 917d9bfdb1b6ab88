"""Write the type stubs (.pyi) of the kernels from their source: `python tools/stubs.py`, or with `--check` compare.

mypy cannot read Cython's annotations.  A buffer of whole numbers becomes Ints, of doubles Floats, of bytes Buffer.
What has no annotation of Cython says its type in a comment: `# type: (int, bool) -> None` behind a `def`, as mypy reads
them, and `# seen: name: type` in a class for an attribute that others than kernels use.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "src/mistakebound/kernels"
WIDTH = 120
NUMBERS = {"double": "float", "float": "float", "bint": "bool", "void": "None"}  # all others are whole
SEEN = "# seen: "
TABLES = {"naive_bayes", "naive_bayes_rows", "tree_walk"}  # the buffers of these may be NumPy's
MODULES = {
    "array": "array",
    "Any": "typing",
    "Buffer": "typing_extensions",
    "AnyBuffer": "mistakebound.kernels._buffers",
    "Floats": "mistakebound.kernels._buffers",
    "Ints": "mistakebound.kernels._buffers",
    "CallLock": "mistakebound.kernels.call_lock",
    "Inputs": "mistakebound.kernels.auto_inputs",
    "JsonNames": "mistakebound.kernels.json_names",
    "KeyRows": "mistakebound.kernels.key_rows",
    "Members": "mistakebound.kernels.auto_members",
    "Mixture": "mistakebound.kernels.auto_mixture",
    "NameTable": "mistakebound.kernels.name_table",
    "NewRows": "mistakebound.kernels.key_rows",
    "Numbers": "mistakebound.kernels.auto_numbers",
    "RowBatch": "mistakebound.kernels.row_batch",
    "SingleRow": "mistakebound.kernels.single_row",
    "TextTable": "mistakebound.kernels.texts",
    "TreeBuffers": "mistakebound.kernels.tree_buffers",
}


def python_type(annotation: ast.expr | None, tables: bool = False) -> str:
    """What mypy is to think of what the annotation says to Cython."""
    text = "Any" if annotation is None else ast.unparse(annotation)
    if "[::1]" in text:
        item = text.removesuffix("[::1]").removeprefix("cython.const[").removesuffix("]").removeprefix("cython.")
        return "AnyBuffer" if tables else {"double": "Floats", "uchar": "Buffer"}.get(item, "Ints")
    if text.startswith("cython."):
        return NUMBERS.get(text.removeprefix("cython."), "int")
    return {"object": "Any", "dict": "dict[str, Any]", "list": "list[Any]", "tuple": "tuple[Any, ...]"}.get(text, text)


def hidden(function: ast.FunctionDef) -> bool:
    """One that Python cannot see once it is compiled, or that is private."""
    private = function.name.startswith("_") and function.name not in ("__init__", "__enter__", "__exit__")
    return private or any(ast.unparse(d) == "cython.cfunc" for d in function.decorator_list)


def function_stub(function: ast.FunctionDef, indent: str = "", tables: bool = False) -> list[str]:
    names = [a.arg for a in function.args.args]
    types = [python_type(a.annotation, tables) for a in function.args.args]
    returned = "None" if function.name == "__init__" else python_type(function.returns)
    own = indent and names[:1] == ["self"]
    if function.type_comment:
        comment = ast.parse(function.type_comment, mode="func_type")
        types = ["", *map(ast.unparse, comment.argtypes)] if own else [*map(ast.unparse, comment.argtypes)]
        returned = ast.unparse(comment.returns)
    parts = [n if own and n == "self" else f"{n}: {t}" for n, t in zip(names, types, strict=True)]
    for k, default in enumerate(reversed(function.args.defaults), 1):
        parts[-k] += f" = {ast.unparse(default)}"
    head, tail = f"{indent}def {function.name}(", f") -> {returned}: ..."
    line = ", ".join(parts)
    if len(head + line + tail) <= WIDTH:
        return [head + line + tail]
    if len(indent) + 4 + len(line) <= WIDTH:
        return [head, f"{indent}    {line}", indent + tail]
    return [head, *(f"{indent}    {part}," for part in parts), indent + tail]


def class_stub(node: ast.ClassDef, source: str) -> list[str]:
    bases = ", ".join(map(ast.unparse, node.bases))
    functions = [f for f in node.body if isinstance(f, ast.FunctionDef) and not hidden(f)]
    lines = [f"class {node.name}({bases}):" if bases else f"class {node.name}:"]
    comments = (line.strip() for line in source.splitlines()[node.lineno : node.end_lineno])
    lines += [f"    {line.removeprefix(SEEN)}" for line in comments if line.startswith(SEEN)]
    for function in functions:
        lines += function_stub(function, "    ")
    return lines if len(lines) > 1 else [f"{lines[0]} ..."]


def value_type(value: object) -> str:
    if isinstance(value, dict):
        key, item = next(iter(value.items()))
        return f"dict[{value_type(key)}, {value_type(item)}]"
    return type(value).__name__


def constants(tree: ast.Module) -> dict[str, str]:
    """The public names that are assigned constants, with their types."""
    found: dict[str, object] = {}
    types: dict[str, str] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or "cython." in ast.unparse(node.value):
            continue
        value = eval(ast.unparse(node.value), {}, dict(found))  # our own source
        for target in node.targets:
            several = isinstance(target, ast.Tuple)
            for name, item in zip(target.elts if several else [target], value if several else [value], strict=True):
                found[name.id] = item
                if not name.id.startswith("_"):
                    types[name.id] = node.type_comment or value_type(item)
    return types


def stub(source: str, tables: bool = False) -> str:
    """The stub of a kernel's source; `tables`: its buffers may be NumPy's."""
    tree = ast.parse(source, type_comments=True)
    groups = [[f"{name}: {kind}" for name, kind in constants(tree).items()]]
    functions: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not hidden(node):
            functions += function_stub(node, tables=tables)
        elif isinstance(node, ast.ClassDef):
            groups += [functions, class_stub(node, source)]
            functions = []
    groups.append(functions)
    body = "\n\n".join("\n".join(lines) for lines in groups if lines)
    return imports(body) + body + "\n"


def imports(body: str) -> str:
    """The lines that import the names which a stub uses and does not define."""
    tree = ast.parse(body)
    own = {n.name for n in tree.body if isinstance(n, ast.ClassDef)}
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & MODULES.keys() - own
    lines = [
        f"from {m} import {', '.join(sorted(n for n in used if MODULES[n] == m))}" for m in {MODULES[n] for n in used}
    ]
    ours = sorted(line for line in lines if "mistakebound" in line)
    others = [sorted(line for line in lines if line.startswith(start)) for start in ("from array", "from typing ")]
    outside = sorted(line for line in lines if "typing_extensions" in line)
    return "".join("\n".join(group) + "\n\n" for group in ([*others[0], *others[1]], outside, ours) if group)


def main(check: bool) -> int:
    stale = []
    for path in sorted(FOLDER.glob("[a-z]*.py")):
        text, place = stub(path.read_text(encoding="utf-8"), path.stem in TABLES), path.with_suffix(".pyi")
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            stale.append(place.name)
            if not check:
                place.write_text(text, encoding="utf-8")
    if check and stale:
        print(f"these stubs differ from their kernels: {', '.join(stale)}; `python tools/stubs.py` writes them")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
