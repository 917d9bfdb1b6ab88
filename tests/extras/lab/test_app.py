"""The lab's app without a browser: headers, names, limits."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest


@pytest.fixture
def ask(address: str) -> Iterator[Any]:
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)

    def asked(method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()

    yield asked
    connection.close()


MESSAGE = json.dumps({"view": "arena", "do": "catalogue"}).encode()


@pytest.mark.parametrize("path", ["/", "/lab/", "/style.css", "/vendor/uplot.js", "/lab/vendor/uplot.LICENSE.txt"])
def test_pages_have_their_headers(ask: Any, path: str) -> None:
    status, headers, body = ask("GET", path)
    assert status == 200
    assert body
    assert headers["content-security-policy"].startswith("default-src 'self'; img-src 'self' blob:")
    assert headers["x-content-type-options"] == "nosniff"
    status, _, body = ask("GET", path, If_None_Match=headers["etag"])
    assert (status, body) == (304, b"")


@pytest.mark.parametrize("path", ["/nothing.js", "/../app.py", "/%2e%2e/app.py", "/vendor", "/vendor/..%2f..%2fapp.py"])
def test_nothing_else_is_served(ask: Any, path: str) -> None:
    assert ask("GET", path)[0] == 404


@pytest.mark.parametrize("path", ["/message", "/lab/message"])
def test_messages_are_answered(ask: Any, path: str) -> None:
    status, headers, body = ask("POST", path, MESSAGE, Content_Type="application/json")
    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(body)["classes"]


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        (421, MESSAGE, {"Host": "evil.example"}),
        (421, MESSAGE, {"Host": "127.0.0.1.evil.example"}),
        (421, MESSAGE, {"Origin": "http://evil.example"}),
        (421, MESSAGE, {"Origin": "http://["}),
        (415, MESSAGE, {"Content-Type": "text/plain"}),
        (400, b"{", {}),
        (400, b"[" * 100_000, {}),
        (413, b" " * (5 << 20), {}),
    ],
)
def test_a_strange_request_is_refused(ask: Any, status: int, body: bytes, headers: dict[str, str]) -> None:
    assert ask("POST", "/message", body, **({"Content-Type": "application/json"} | headers))[0] == status


def test_a_page_for_another_name_is_refused(ask: Any) -> None:
    assert ask("GET", "/", Host="evil.example")[0] == 421
    assert ask("GET", "/", Host="localhost:99")[0] == 200


def test_the_engine_that_is_given_plays(ask: Any, engine: Any) -> None:
    """Also one without an open game, whose length is 0."""
    body = json.dumps({"view": "watch", "do": "start"}).encode()
    session = json.loads(ask("POST", "/message", body, Content_Type="application/json")[2])["session"]
    assert engine._sessions.find(session) is not None
