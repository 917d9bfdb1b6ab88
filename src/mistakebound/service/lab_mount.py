"""The lab below /lab of a service: its pages for everyone, its messages for who may read."""

from __future__ import annotations

import logging
import time

from mistakebound.service.problems import Problem, send_problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.service.metrics import Metrics
    from mistakebound.service.security import Guard

log = logging.getLogger("mistakebound.service")
PATH = "/lab"


class LabMount:
    """Made when it is first asked for: a service whose lab nobody opens is not slower for it.

    The host and the origin of a request have been checked.  A page can be opened without a token, as a browser cannot
    send one with an address; the page asks for it, and sends it with every message.
    """

    def __init__(self, guard: Guard, metrics: Metrics, max_upload: int) -> None:
        self._guard, self._metrics = guard, metrics
        self._max_upload = max_upload
        self._app: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        begun, status = time.perf_counter(), 500

        async def noted(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            if scope["method"] == "POST":
                client = scope.get("client")
                self._guard.check_scope("read", scope["named_headers"], client[0] if client else "")
            await self._made()(scope, receive, noted)
        except Problem as problem:
            await send_problem(problem, noted)
        except Exception as error:  # answered with 500 already; what was sent is not written anywhere
            log.error("lab: %s", type(error).__name__)
        finally:
            self._metrics.count("lab", status, time.perf_counter() - begun)

    def _made(self) -> Any:
        if self._app is None:
            from mistakebound.lab.app import LARGEST, app

            self._app = app(hosts=None, largest=min(LARGEST, self._max_upload))
        return self._app
