"""The pages of the reference that code makes: the public names, the learners, the exit codes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import mistakebound as mb
from mistakebound.cli import INTERRUPTED, OUT_OF_MEMORY
from mistakebound.cli.learners import as_json
from mistakebound.core import errors

TITLES = {
    "": "mistakebound", "arena": "games and queries", "bayes": "Bayes", "checks": "checks for learners of your own",
    "concepts": "classes of targets", "course": "exercises", "errors": "errors", "inspection": "explanations",
    "io": "streams", "learners": "learners", "plot": "pictures", "river": "River", "sklearn": "scikit-learn",
    "teachers": "who labels", "theory": "numbers of classes", "transforms": "features from features",
}  # fmt: skip

MADE = ("mistakebound.river", "mistakebound.sklearn")  # whose classes are made of the learners' declarations, at import


def api_pages() -> Iterator[tuple[str, str, str]]:
    """(path, title, Markdown) of a page for each public module; mkdocstrings fills in the docstrings."""
    for name in TITLES:
        module = import_module(f"mistakebound.{name}".rstrip("."))
        yield f"reference/api/{name or 'mistakebound'}.md", module.__name__, module_page(module)


def module_page(module: ModuleType) -> str:
    shown = "mb" if module is mb else module.__name__.replace("mistakebound", "mb")
    parts = [f"# `{module.__name__}`", inspect.cleandoc(module.__doc__ or "").partition("\n")[0]]
    for name in public_names(module):
        if module.__name__ in MADE:
            parts += [f"## `{name}`", made_class(getattr(module, name))]
            continue
        home, made = canonical(getattr(module, name), name)
        if home == "":
            continue  # a module: it has a page of its own
        seen = f"{home}.{made}"
        if module is not mb and getattr(mb, made, None) is getattr(module, name) and module.__name__ != home:
            parts.append(f"## `{name}`\n\nThe same as [`mb.{made}`](mistakebound.md#{seen}).")
            continue
        options = ["      show_root_toc_entry: true", f"      heading: {shown}.{name}"]
        if isinstance(getattr(module, name), type):
            options.append("      merge_init_into_class: false")
        parts.append(f"::: {seen}\n    options:\n" + "\n".join(options))
    return "\n\n".join(parts) + "\n"


def made_class(made: type) -> str:
    """Summary and parameters of a class that has no source, from its docstring in numpydoc form."""
    summary, _, rest = inspect.cleandoc(made.__doc__ or "").partition("\n\nParameters\n----------\n")
    rows, lines = [], rest.splitlines()
    for place, line in enumerate(lines):
        if line and not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            rows.append(f"| `{name}` | {cell(kind)} | {cell(lines[place + 1].strip())} |")
    return "\n\n".join([summary, "\n".join(["| parameter | values | meaning |", "|---|---|---|", *rows])])


def public_names(module: ModuleType) -> list[str]:
    return [name for name in module.__all__ if not isinstance(getattr(module, name), ModuleType)]


def canonical(thing: Any, name: str) -> tuple[str, str]:
    """The module and the name under which a public thing is defined."""
    if isinstance(thing, ModuleType):
        return "", ""
    return str(getattr(thing, "__module__", "")), str(getattr(thing, "__qualname__", name))


def learners_page() -> str:
    """Every learner with its parameters, facts and theorems, as it declares them."""
    from theorem_pages import links_of  # the theorems' pages are named there

    parts = ["# Learners and their parameters", "What `mistakebound learners NAME` prints, from the same declarations."]
    for name in mb.learners.names():
        told = as_json(mb.learners.find(name), name)
        parts += [f"## {name}", told["summary"][:1].upper() + told["summary"][1:] + "."]
        character = ("hypothesis_class", "search_order", "inductive_bias", "noise_effect")
        rows = [f"| {word.replace('_', ' ')} | {cell(told[word])} |" for word in character]
        if told["command"] != "learn":
            how = f"`mistakebound {told['command']}`" if told["command"] else "Python only"
            rows.append(f"| used by | {how} |")
        parts.append("\n".join(["| | |", "|---|---|", *rows]))
        if told["parameters"]:
            lines = [parameter_row(parameter) for parameter in told["parameters"]]
            parts.append("\n".join(["| parameter | meaning | values | default |", "|---|---|---|---|", *lines]))
        if told["assumable"]:
            lines = [f"| `{fact}` | {cell(what)} |" for fact, what in told["assumable"].items()]
            parts.append("\n".join(["| fact (`--assume`) | meaning |", "|---|---|", *lines]))
        if theorems := links_of(name, "../theorem/"):
            parts.append("Theorems: " + ", ".join(theorems) + ".")
    return "\n\n".join(parts) + "\n"


def parameter_row(told: dict[str, Any]) -> str:
    default = "must be given" if told["required"] else "" if told["default"] is None else f"`{told['default']}`"
    return f"| `{told['name']}` | {cell(told['help'])} | {cell(told['rule'])} | {default} |"


def cell(text: str) -> str:
    return str(text).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def exit_codes_page() -> str:
    """What a process of the command line can end with, from the classes of errors."""
    rows = {0: "no error", OUT_OF_MEMORY: "out of memory", INTERRUPTED: "interrupted (Ctrl-C)"}
    for _, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, errors.MistakeboundError) and kind is not errors.HuntError:
            line = inspect.cleandoc(kind.__doc__ or kind.__name__).partition("\n")[0].rstrip(".")
            said = f"`{kind.__name__}`: {line[:1].lower()}{line[1:]}"
            rows[kind.exit_code] = f"{rows[kind.exit_code]}; {said}" if kind.exit_code in rows else said
    lines = [f"| {code} | {cell(text)} |" for code, text in sorted(rows.items())]
    return "\n".join(
        ["# Exit codes", "", "What a command ends with; 10 and above up to 99 are those of `hunt`.", "",
         "| code | meaning |", "|---|---|", *lines, ""]
    )  # fmt: skip
