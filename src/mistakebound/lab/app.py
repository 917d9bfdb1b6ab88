"""The lab as a small Starlette app: its pages, and one address for messages to the engine."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

try:
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Mount, Route
except ModuleNotFoundError as _missing:
    from mistakebound.core.errors import MistakeboundError

    raise MistakeboundError("the lab needs starlette and uvicorn: pip install 'mistakebound[serve]'") from _missing

from mistakebound.lab.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Collection

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
LARGEST = 4 << 20  # bytes of a message


def app(engine: Engine | None = None, hosts: Collection[str] | None = LOOPBACK, largest: int = LARGEST) -> Starlette:
    """The lab as an ASGI app: the page at `/` (and `/lab/`), messages by POST to `message` beside it.

    Parameters
    ----------
    engine : Engine or None, default None
        Plays the games.  None: a new one.
    hosts : collection of str or None
        Names under which the app may be asked for, without a port; the default is this machine's own.  None: any, for
        an app that is mounted in one that checks the name itself.
    largest : int, default 4 MiB
        Most bytes of a message.

    Returns
    -------
    Starlette
        Serve it with uvicorn, or mount it in another app.
    """
    pages, player = _pages(), Engine() if engine is None else engine  # one without games is not true

    def allowed(request: Any) -> bool:
        """Asked for by a name of ours, and not by another site's page."""
        host = request.headers.get("host", "")
        name = host if host.endswith("]") else host.rsplit(":", 1)[0]
        origin = request.headers.get("origin")
        return (hosts is None or name in hosts) and (origin is None or origin.partition("://")[2] == host)

    async def page(request: Any) -> Response:
        if not allowed(request):
            return _refusal(421, "this lab answers to its own address only")
        found = pages.get(request.path_params.get("name") or "index.html")
        if found is None:
            return _refusal(404, "there is no such page")
        kind, tag, data = found
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=_HEADERS | {"ETag": tag})
        return Response(data, headers=_HEADERS | {"ETag": tag, "Content-Type": kind})

    async def message(request: Any) -> Response:
        if not allowed(request):
            return _refusal(421, "this lab answers to its own address only")
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _refusal(415, "a message must be application/json")
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > largest:
                return _refusal(413, f"a message must have at most {largest:,} bytes")
        try:
            asked = json.loads(bytes(body))
        except (ValueError, RecursionError):
            return _refusal(400, "a message must be JSON")
        answer = await run_in_threadpool(player.handle, asked)
        return Response(json.dumps(answer, allow_nan=False), media_type="application/json", headers=_HEADERS)

    def routes() -> list[Any]:
        return [
            Route("/message", message, methods=["POST"]),
            Route("/", page),
            Route("/{name:path}", page),
        ]

    return Starlette(routes=[Mount("/lab", routes=routes()), *routes()])


def _refusal(status: int, why: str) -> Response:
    return PlainTextResponse(why, status_code=status, headers=_HEADERS)


def _pages() -> dict[str, tuple[str, str, bytes]]:
    """Every file of the page: kind, tag and contents by its name; nothing else can be asked for."""
    found: dict[str, tuple[str, str, bytes]] = {}
    folders = [("", files("mistakebound.lab") / "static")]
    while folders:
        prefix, folder = folders.pop()
        for entry in folder.iterdir():
            if entry.is_dir():
                folders.append((f"{prefix}{entry.name}/", entry))
                continue
            kind = _TYPES.get(entry.name.rpartition(".")[2])
            if kind is not None:
                data = entry.read_bytes()
                found[prefix + entry.name] = kind, f'"{hashlib.sha256(data).hexdigest()[:16]}"', data
    return found
