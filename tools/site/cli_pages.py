"""The pages of the command line, from the parsers that read it."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator

from mistakebound.cli.commands import COMMANDS
from mistakebound.cli.parser import build_parser


def pages() -> Iterator[tuple[str, str, str]]:
    """(path, title, Markdown) of every command, the list of all first."""
    rows = [f"| [`{name}`]({name}.md) | {what} |" for name, what in COMMANDS.items()]
    listed = "\n".join(["| command | what it does |", "|---|---|", *rows])
    yield (
        "reference/cli/index.md",
        "Commands",
        "# The command line\n\n`mistakebound COMMAND [options]`. This page and those of the commands are made from the "
        f"parsers that read the options.\n\n{listed}\n\n`--version` prints the version, `--completion bash|zsh|tcsh` a "
        "script that completes words, `COMMAND --help-all` all options. [Exit codes](../exit_codes.md).\n",
    )
    for name in COMMANDS:
        yield f"reference/cli/{name}.md", name, page(name)


def parser_of(name: str) -> ArgumentParser:
    """The parser of one command."""
    for action in build_parser([name])._actions:
        if isinstance(action.choices, dict):
            found: ArgumentParser = action.choices[name]
            return found
    raise ValueError(name)


def page(name: str) -> str:
    parser = parser_of(name)
    about, _, rest = (parser.description or "").partition("\n")
    parts = [f"# `mistakebound {name}`", about, f"```text\n{parser.usage}\n```"]
    if rest.strip():
        lines = rest.strip("\n").splitlines()
        parts.append("```text\n" + "\n".join(line.removeprefix("  ") for line in lines) + "\n```")
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help is not SUPPRESS]
        if actions or group.description:
            parts.append(f"## {(group.title or 'options').capitalize()}")
        if group.description:
            parts.append(f"```text\n{group.description.strip()}\n```")
        if actions:
            parts.append("\n".join(["| option | meaning |", "|---|---|", *map(row, actions)]))
    return "\n\n".join(parts) + "\n"


def row(action: Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if action.option_strings:
        value = metavar or ("" if action.nargs == 0 else "|".join(map(str, action.choices or ())))
        name = ", ".join(f"{option} {value}".strip() for option in action.option_strings)
    else:
        name = metavar or action.dest
    text = (action.help or "").replace("%%", "%").replace("|", "\\|")
    if action.choices and metavar and not isinstance(action.choices, dict):
        text += f" ({', '.join(map(str, action.choices))})" if str(next(iter(action.choices))) not in text else ""
    return f"| `{name}` | {text} |".replace("`" + name + "`", "`" + name.replace("|", "\\|") + "`")
