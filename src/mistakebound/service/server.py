"""The process: a socket, uvicorn, a line when it listens, an end that loses nothing."""

from __future__ import annotations

import gc
import logging
import socket
import sys

import uvicorn

from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.service.app import App

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mistakebound.service.settings import Settings

_GARBAGE = 1000  # objects between two garbage collections
_DRAIN = 30  # seconds for requests that are under way when the process is told to end


class Server(uvicorn.Server):  # type: ignore[misc]
    """Says when it listens, and ends when the service cannot go on."""

    def __init__(self, config: uvicorn.Config, app: App, say: Callable[[str], object]) -> None:
        super().__init__(config)
        self._app = app
        self._say = say

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for one in sockets or []:
            host, port = one.getsockname()[:2]
            self._say(f"serving {self._app.settings.directory} on http://{f'[{host}]' if ':' in host else host}:{port}")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        self._captured_signals.clear()  # all is done that they asked for: the process ends with code 0

    async def on_tick(self, counter: int) -> bool:
        if self._app.service.failure() is not None:
            self.should_exit = True
        ended: bool = await super().on_tick(counter)
        return ended


def serve(settings: Settings, say: Callable[[str], object] = print) -> None:
    """Serve the models of a directory until the process is told to end (SIGTERM, Ctrl-C).

    Parameters
    ----------
    settings : Settings
    say : function, default print
        Is told where the service listens.

    Examples
    --------
    >>> serve(Settings("models", host="0.0.0.0"))
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: --host 0.0.0.0 is reached from other machines, ...
    """
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s")
    app = App(settings)
    config = uvicorn.Config(
        app,
        http="httptools",
        loop="auto",
        lifespan="on",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # whoever asks on this machine could call itself any address
        log_level="warning",
        log_config=None,
        timeout_graceful_shutdown=_DRAIN,
        ws="none",
    )
    server = Server(config, app, say)
    gc.freeze()  # what is there stays; what a group of requests leaves behind is large, and must not wait for long
    gc.set_threshold(_GARBAGE)
    server.run(sockets=[_listen(settings)])
    failure = app.service.failure()
    if isinstance(failure, MistakeboundError):
        raise failure
    if failure is not None:
        raise MistakeboundError(f"the service ended: {type(failure).__name__}") from failure


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadParameter(f"cannot listen on {settings.host} port {settings.port}: {reason}") from error
