"""Open the lab in a browser: games, version spaces, lines, trees, own data.

  mistakebound lab
  mistakebound lab --port 9000 --no-browser

The page is served to this machine only, and nothing leaves it. Ctrl-C stops it.
"""

from __future__ import annotations

import socket

from mistakebound.cli.commands import note
from mistakebound.cli.options import whole
from mistakebound.cli.settings import at_least
from mistakebound.core.errors import BadParameter, MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_HOST = "127.0.0.1"
_PORT = 8674


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=whole, metavar="N", help=f"port, 0 for any that is free (default: {_PORT}, or a free one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser; print the address only")


def run(options: Namespace) -> int:
    place = _listening(options.port)
    try:
        import uvicorn
    except ModuleNotFoundError:
        raise MistakeboundError("the lab needs starlette and uvicorn: pip install 'mistakebound[serve]'") from None
    from threading import Thread

    from mistakebound.lab.app import app
    from mistakebound.lab.engine import Engine

    address = f"http://{_HOST}:{place.getsockname()[1]}/"
    engine = Engine()
    Thread(target=engine.prepare, daemon=True).start()
    server = uvicorn.Server(uvicorn.Config(app(engine), log_level="warning", lifespan="off", access_log=False))
    note(f"the lab is at {address} (Ctrl-C stops it)")
    if not options.no_browser:
        import webbrowser

        webbrowser.open(address)
    with place:
        server.run(sockets=[place])
    return 0


def _listening(port: int | None) -> socket.socket:
    """A socket at this port; where none is asked for and the usual one is taken, at a free one."""
    if port is not None:
        at_least("--port", port, 0)
        if port > 65535:
            raise BadParameter(f"--port must be <= 65535: {port}")
    for wanted in (_PORT, 0) if port is None else (port,):
        place = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            place.bind((_HOST, wanted))
            place.listen(128)
            return place
        except OSError as error:
            place.close()
            why = error.strerror or str(error)
    raise BadParameter(f"--port must be one that can be used: {port} ({why})")
