"""Serve the models of a directory: predict, learn, late labels, over HTTP.

  mistakebound serve models/
  curl --json '{"labels": ["ham", "spam"]}' -X PUT localhost:8765/models/spam
  mistakebound serve models/ --new-token shop --scopes read,learn
  mistakebound serve models/ --backup copy/

An update is on disk before it is answered. Settings also come from the
environment (MISTAKEBOUND_SERVE_PORT=8080) and from serve.toml in DIR.
"""

from __future__ import annotations

import json

from mistakebound.cli.commands import note, say
from mistakebound.cli.options import add, whole
from mistakebound.core.errors import BadParameter
from mistakebound.service.settings import SETTINGS, read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from mistakebound.service.settings import Setting

INPUTS = ("config",)


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="directory of journal and models; made if absent")
    for setting in SETTINGS[:2]:
        parser.add_argument(setting.option, metavar=setting.metavar, help=setting.help, type=_type(setting))
    parser.add_argument("--config", metavar="FILE", help="TOML file of settings (default: DIR/serve.toml)")
    parser.add_argument("--new-token", metavar="NAME", help="make a token, print it, and end")
    parser.add_argument("--scopes", metavar="LIST", help="its scopes: read, learn, admin (default: all)")
    parser.add_argument("--backup", metavar="TARGET", help="copy DIR, running or not, to a new directory, and end")
    add(parser, "json")
    group = parser.add_argument_group("limits")
    for setting in SETTINGS[2:]:
        group.add_argument(setting.option, metavar=setting.metavar, help=setting.help, type=_type(setting))


def _type(setting: Setting) -> Callable[[str], object]:
    """What a flag is read as: a list is a text with commas, yes and no are words."""
    kind = type(setting.default)
    return whole if kind is int else str if kind in (list, bool) else kind


def run(options: Namespace) -> int:
    if options.scopes is not None and options.new_token is None:
        raise BadParameter(f"--scopes needs --new-token: {options.scopes!r}")
    if options.new_token is not None:
        return _new_token(options)
    try:
        import orjson  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise BadParameter(f"serve needs the extra `serve`: pip install 'mistakebound[serve]' ({error})") from error
    if options.backup is not None:
        from mistakebound.service.store import backup

        made = backup(options.directory, options.backup)
        print(json.dumps({"backup": str(made)})) if options.json else note(f"{made} is a backup")
        return 0
    from mistakebound.service.server import serve

    settings = read_settings(
        options.directory, {setting.name: getattr(options, setting.name) for setting in SETTINGS}, config=options.config
    )

    def tell(line: str) -> None:
        url = line.rpartition(" ")[2]
        if options.json:
            print(json.dumps({"serving": str(settings.directory), "url": url}), flush=True)
        else:
            say(line, flush=True)

    serve(settings, say=tell)
    return 0


def _new_token(options: Namespace) -> int:
    from mistakebound.service.tokens import SCOPES, new_token

    scopes = list(SCOPES) if options.scopes is None else [scope.strip() for scope in options.scopes.split(",")]
    text = new_token(options.directory, options.new_token, scopes)
    if options.json:
        print(json.dumps({"name": options.new_token, "scopes": scopes, "token": text}))
    else:
        say(text)
        note(f"{options.directory} keeps only its hash: this is the only time that the token is shown")
    return 0
