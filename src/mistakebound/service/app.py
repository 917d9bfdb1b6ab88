"""The ASGI application: routes of the declared operations, checks, bodies within limits, problems."""

from __future__ import annotations

import logging
import shutil
import time
from contextlib import asynccontextmanager

import orjson
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route, Router

from mistakebound.core.errors import MistakeboundError
from mistakebound.service import lab_mount
from mistakebound.service.handlers import Answer, Handlers, Request
from mistakebound.service.lab_mount import LabMount
from mistakebound.service.operations import BINARY, JSON, OPERATIONS, Operation
from mistakebound.service.problems import Problem, problem_of, send_problem
from mistakebound.service.security import Guard
from mistakebound.service.service import Service
from mistakebound.service.shapes import check
from mistakebound.service.tokens import read_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Any

    from mistakebound.service.settings import Settings

log = logging.getLogger("mistakebound.service")
_PART = 1 << 16  # bytes of a file that are sent at once
_OPEN = ("health", "readiness", "openapi", "metrics")  # while models are being loaded


class App:
    """All operations of one service, and what else is mounted; each request is checked before it is read."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.guard = Guard(settings, read_tokens(settings.directory))
        self.service = Service(settings)
        self.handlers = Handlers(self.service)
        by_path: dict[str, dict[str, Operation]] = {}
        for operation in OPERATIONS:
            by_path.setdefault(operation.path, {})[operation.method] = operation
        self._endpoints = {path: Endpoint(self, methods) for path, methods in by_path.items()}
        others: list[Any] = []
        if settings.lab:
            lab = LabMount(self.guard, self.handlers.metrics_of, settings.max_upload)
            others += [Route(lab_mount.PATH, _to_the_lab), Mount(lab_mount.PATH, app=lab)]
        self._router = Router(others, redirect_slashes=False, default=Endpoint(self, {}), lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, app: Any) -> AsyncIterator[None]:
        await self.service.start()
        yield
        await self.service.stop()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope["named_headers"] = headers = dict(scope["headers"])
            try:
                self.guard.check_host(headers)
            except Problem as problem:
                await send_problem(problem, send)
                return
            name, path = split_path(scope["path"])
            endpoint = self._endpoints.get(path)
            if endpoint is not None:  # every path has one place, so that none is looked for
                scope["path_params"] = {"name": name}
                await endpoint(scope, receive, send)
                return
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._router(scope, receive, send)


async def _to_the_lab(request: Any) -> RedirectResponse:
    return RedirectResponse("lab/")


def split_path(path: str) -> tuple[str, str]:
    """The name of a model in a path, and the path with {name} in its place.

    >>> split_path("/models/spam/learn"), split_path("/models/spam"), split_path("/models"), split_path("/models/")
    (('spam', '/models/{name}/learn'), ('spam', '/models/{name}'), ('', '/models'), ('', '/models/'))
    """
    if not path.startswith("/models/") or path.endswith("/"):
        return "", path
    name, slash, operation = path[8:].partition("/")
    return name, f"/models/{{name}}{slash}{operation}"


class Endpoint:
    """A path: the operation of its method is done, and whatever goes wrong is answered as a problem."""

    def __init__(self, app: App, methods: dict[str, Operation]) -> None:
        self._app = app
        self._methods = {method: (one, getattr(app.handlers, one.name)) for method, one in methods.items()}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        begun = time.perf_counter()
        found = self._methods.get(scope["method"])
        name, status = "unknown" if found is None else found[0].name, 500
        try:
            if found is None:
                raise self._no_operation()
            answer = await self._answer(*found, scope, receive)
            status = answer.status
            await send_answer(answer, send)
        except Problem as problem:
            status = problem.status
            await send_problem(problem, send)
        except MistakeboundError as error:
            refused = problem_of(error)
            status = refused.status
            await send_problem(refused, send)
        except Exception as error:  # the row is not written anywhere, so that only the kind and the place are
            place = error.__traceback__
            while place is not None and place.tb_next is not None:
                place = place.tb_next
            where = "" if place is None else f" at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}"
            log.error("%s: %s%s", name, type(error).__name__, where)
            await send_problem(Problem(500, "the service has a fault; its log says where"), send)
        finally:
            self._app.handlers.metrics_of.count(name, status, time.perf_counter() - begun)

    def _no_operation(self) -> Problem:
        if not self._methods:
            return Problem(404, "there is nothing at this path; /openapi.json lists what there is")
        return Problem(405, "this path does not have that method", Allow=", ".join(self._methods))

    async def _answer(self, operation: Operation, handler: Any, scope: Any, receive: Any) -> Answer:
        app, headers = self._app, scope["named_headers"]
        if operation.scope is not None:
            client = scope.get("client")
            app.guard.check_scope(operation.scope, headers, client[0] if client else "")
        if not app.service.ready and operation.name not in _OPEN:
            raise Problem(503, "the models are being loaded", Retry_After="1")
        name = scope["path_params"].get("name", "")
        if operation.body is None:
            return await handler(Request(name, headers, b"", None))  # type: ignore[no-any-return]
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().decode("latin-1").lower()
        if kind != JSON and not (kind == BINARY and operation.uploads):
            wanted = f"{JSON} or {BINARY}" if operation.uploads else JSON
            raise Problem(415, f"the content type must be {wanted}")
        limit = app.settings.max_upload if kind == BINARY else app.settings.max_body
        body = await read_body(headers, receive, limit)
        data = None
        if kind == JSON:
            try:
                data = orjson.loads(body)
            except orjson.JSONDecodeError as error:
                raise Problem(400, f"the body is not JSON: {error.msg} at byte {error.pos}") from None
            check(data, operation.body)
        return await handler(Request(name, headers, body, data))  # type: ignore[no-any-return]


async def read_body(headers: dict[bytes, bytes], receive: Any, limit: int) -> bytes:
    """The body of a request; Problem 413 as soon as it is too long."""
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length) > limit:
        raise Problem(413, f"the body may have at most {limit} bytes")
    message = await receive()
    body: bytes = message.get("body", b"")
    if message.get("more_body"):
        parts, size = [body], len(body)
        while message.get("more_body"):
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Problem(400, "the body is not whole")
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > limit:
                raise Problem(413, f"the body may have at most {limit} bytes")
        body = b"".join(parts)
    if len(body) > limit:
        raise Problem(413, f"the body may have at most {limit} bytes")
    return body


async def send_answer(answer: Answer, send: Any) -> None:
    size = len(answer.body) if answer.file is None else answer.file.stat().st_size
    headers = [
        (b"content-type", answer.media_type.encode()),
        (b"content-length", b"%d" % size),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if answer.status == 204:
        del headers[:2]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if answer.file is None:
        await send({"type": "http.response.body", "body": answer.body})
        return
    try:
        with open(answer.file, "rb") as file:
            while part := file.read(_PART):
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        shutil.rmtree(answer.file.parent, ignore_errors=True)
