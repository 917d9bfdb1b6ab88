"""The lab below /lab of a service: its pages, its messages, who may send them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from extras.service.running import Running
from mistakebound.service import new_token
from mistakebound.service.settings import Settings

MESSAGE = json.dumps({"view": "watch", "do": "start", "seed": 3}).encode()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("lab") / "models", "--max-upload", "4000") as found:
        yield found


def test_the_lab_is_served(running: Running) -> None:
    status, headers, _ = running.ask("GET", "/lab")
    assert (status, headers["location"]) == (307, "lab/")
    status, headers, body = running.ask("GET", "/lab/")
    assert status == 200
    assert b"mistakebound lab" in body
    assert headers["content-security-policy"].startswith("default-src 'self'; img-src 'self' blob:")
    assert running.ask("GET", "/lab/main.js")[0] == 200
    assert running.ask("GET", "/lab/nothing.js")[0] == 404
    status, _, body = running.ask("POST", "/lab/message", MESSAGE)
    assert (status, json.loads(body)["target"]) == (200, "x3 | x8")
    assert b'operation="lab",status="200"' in running.ask("GET", "/metrics")[2]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "localhost:7", "Origin": "http://localhost:7"}, 200),
        ({"Content-Type": "text/plain"}, 415),
    ],
)
def test_hosts_and_origins_are_checked(running: Running, headers: dict[str, str], status: int) -> None:
    assert running.ask("POST", "/lab/message", MESSAGE, headers)[0] == status
    if "Content-Type" not in headers:
        assert running.ask("GET", "/lab/", headers=headers)[0] == status


def test_a_message_is_bounded(running: Running) -> None:
    assert running.ask("POST", "/lab/message", MESSAGE + b" " * 4000)[0] == 413


def test_tokens(tmp_path: Path) -> None:
    directory = tmp_path / "models"
    reader, learner = (new_token(directory, scope, [scope]) for scope in ("read", "learn"))
    with Running(directory) as running:
        assert running.ask("GET", "/lab/")[0] == running.ask("GET", "/lab/main.js")[0] == 200
        for token, status in ((None, 401), ("wrong", 401), (learner, 403), (reader, 200)):
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            assert running.ask("POST", "/lab/message", MESSAGE, headers)[0] == status
        assert reader not in running.log.read_text()


def test_it_can_be_left_out(tmp_path: Path) -> None:
    with Running(tmp_path / "models", "--lab", "no") as running:
        assert running.ask("GET", "/lab/")[0] == running.ask("GET", "/lab")[0] == 404


@pytest.mark.parametrize(("given", "found"), [("yes", True), ("No", False), (False, False), ("1", True)])
def test_yes_and_no(given: object, found: bool) -> None:
    assert Settings("models", lab=given).lab is found


def test_neither_yes_nor_no() -> None:
    with pytest.raises(Exception, match="lab must be yes or no: 'perhaps'"):
        Settings("models", lab="perhaps")
