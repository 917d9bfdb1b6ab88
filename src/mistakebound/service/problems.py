"""Errors as problem+json (RFC 9457): a status, a title, one sentence."""

from __future__ import annotations

import orjson

from mistakebound.core.errors import BadData, BadModel, BadParameter, MistakeboundError, NoConsistentHypothesis

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MEDIA_TYPE = "application/problem+json"
TITLES = {
    400: "Bad request",
    401: "A token is needed",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    415: "Unsupported media type",
    421: "Misdirected request",
    422: "Invalid",
    429: "Too many requests",
    500: "Internal error",
    503: "Not ready",
    507: "No room on the disk",
}


class Problem(Exception):
    """What a request is answered with instead of a result."""

    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def body(self) -> bytes:
        about: dict[str, Any] = {"title": TITLES[self.status], "status": self.status, "detail": self.detail}
        made: bytes = orjson.dumps(about)
        return made


def problem_of(error: MistakeboundError) -> Problem:
    """An error of the library as one of a request."""
    if isinstance(error, NoConsistentHypothesis):
        return Problem(409, str(error))
    known = isinstance(error, (BadData, BadParameter, BadModel))
    return Problem(422 if known else 409, _sentence(str(error)))


def _sentence(text: str) -> str:
    """Text that JSON can hold: half a pair of surrogates is written out."""
    return text.encode(errors="backslashreplace").decode()


async def send_problem(problem: Problem, send: Any) -> None:
    body = problem.body()
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
    headers += [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
