"""Tokens and scopes, hosts and origins, limits, hostile bodies, and no row in the logs."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from extras.service.running import Running, row
from mistakebound.core.errors import BadParameter
from mistakebound.service import ServiceError, new_token
from mistakebound.service.security import Guard
from mistakebound.service.settings import Settings, read_settings
from mistakebound.service.tokens import Tokens

LIMITS = ("--max-body", "2000", "--max-upload", "3000", "--max-rows", "3", "--max-features", "5", "--max-models", "2")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("limited") / "models", *LIMITS) as found:
        found.client().create("spam", labels=["ham", "spam"])
        yield found


def test_tokens_and_scopes(tmp_path: Path) -> None:
    directory = tmp_path / "models"
    tokens = {scope: new_token(directory, scope, [scope]) for scope in ("read", "learn", "admin")}
    kept = (directory / "tokens.json").read_text()
    assert not any(token in kept for token in tokens.values())
    assert (directory / "tokens.json").stat().st_mode & 0o777 == 0o600
    with Running(directory) as running:
        admin, learner, reader = (running.client(tokens[scope]) for scope in ("admin", "learn", "read"))
        admin.create("spam", labels=["ham", "spam"])
        assert learner.learn("spam", *row(1))["ledger"]["trials"] == 1
        assert reader.predict("spam", row(1)[0])["prediction"] in ("ham", "spam")
        for who, what in ((reader, "learn"), (admin, "learn"), (learner, "predict"), (reader, "delete")):
            arguments = {"learn": row(1), "predict": row(1)[:1], "delete": ()}[what]
            with pytest.raises(ServiceError, match=r"403: .*does not have the scope"):
                getattr(who, what)("spam", *arguments)
        for token in (None, "wrong", tokens["read"][:-1], tokens["read"] + "x", ""):
            with pytest.raises(ServiceError, match=r"401: .*no valid token"):
                running.client(token).models()
        assert running.ask("GET", "/models")[1]["www-authenticate"] == "Bearer"
        assert running.ask("GET", "/metrics")[0] == running.ask("GET", "/backup")[0] == 401
        assert running.ask("GET", "/healthz")[0] == running.ask("GET", "/readyz")[0] == 200
        log = running.log.read_text()
    assert not any(token in log for token in tokens.values())


def test_other_machines_need_tokens(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="which needs tokens"):
        Running(tmp_path / "models", "--host", "0.0.0.0")
    token = new_token(tmp_path / "models", "me")
    with Running(tmp_path / "models", "--host", "0.0.0.0", "--allow-host", "models.example") as running:
        own = {"Authorization": f"Bearer {token}"}
        assert running.ask("GET", "/models", headers=own | {"Host": "models.example:80"})[0] == 200
        assert running.ask("GET", "/models", headers=own | {"Host": "other.example"})[0] == 421


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:8765"}, 421),
        ({"Host": ""}, 421),
        ({"Host": "localhost"}, 200),
        ({"Host": "[::1]:1"}, 200),
        ({"Host": "LOCALHOST:99"}, 200),
        ({"Host": "localhost.evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "localhost:7", "Origin": "http://localhost:8"}, 403),
        ({"Host": "localhost:7", "Origin": "http://localhost:7"}, 200),
    ],
)
def test_hosts_and_origins(running: Running, headers: dict[str, str], status: int) -> None:
    found, said, body = running.ask("GET", "/models", headers=headers)
    assert found == status
    assert "access-control-allow-origin" not in said
    if status >= 400:
        assert said["content-type"] == "application/problem+json"
        assert json.loads(body)["status"] == status


def test_cross_site_requests_are_refused_by_their_content_type_too(running: Running) -> None:
    body = json.dumps({"row": {"a": 1}, "label": "ham"}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        assert running.ask("POST", "/models/spam/learn", body, {"Content-Type": kind})[0] == 415
    assert running.ask("OPTIONS", "/models/spam/learn")[0] == 405


def test_limits(running: Running) -> None:
    def ask(path: str, asked: object, method: str = "POST") -> int:
        return running.ask(method, path, json.dumps(asked).encode())[0]

    assert ask("/models/spam/predict", {"row": {"a": "x" * 3000}}) == 413
    assert ask("/models/spam/predict", {"rows": [{"a": 1}] * 3}) == 200
    assert ask("/models/spam/predict", {"rows": [{"a": 1}] * 4}) == 413
    assert ask("/models/spam/predict", {"row": {f"f{k}": 1 for k in range(6)}}) == 413
    assert ask("/models/spam/learn", {"row": {f"f{k}": 1 for k in range(6)}, "label": "ham"}) == 413
    binary = {"Content-Type": "application/octet-stream"}
    assert running.ask("PUT", "/models/big", b"x" * 4000, binary)[0] == 413
    assert running.ask("PUT", "/models/big", b"x" * 2500, binary)[0] == 422
    assert ask("/models/second", {"labels": [0, 1]}, "PUT") == 201
    assert ask("/models/third", {"labels": [0, 1]}, "PUT") == 409
    assert running.ask("DELETE", "/models/second")[0] == 204
    assert running.ask("GET", "/models/second")[0] == 404


def test_a_body_without_a_length_is_limited_too(running: Running) -> None:
    place = urlsplit(running.url)
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=20) as connection:
        head = "POST /models/spam/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        connection.sendall((head + "Transfer-Encoding: chunked\r\n\r\n").encode() + b"400\r\n" + b"x" * 1024 + b"\r\n")
        connection.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n" + b"400\r\n" + b"x" * 1024 + b"\r\n0\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 413 ")


def test_rates(tmp_path: Path) -> None:
    with Running(tmp_path / "models", "--rate", "5") as running:
        answers = [running.ask("GET", "/models") for _ in range(12)]
        assert {status for status, *_ in answers} == {200, 429}
        assert int(next(headers["retry-after"] for status, headers, _ in answers if status == 429)) >= 1


HOSTILE = [
    b"", b"null", b"[]", b"1", b'"', b"{", b"{}", b"\xff\xfe", b"\x00", b'{"row":}', b"[" * 1500, b'{"row":' * 200,
    b'{"row": null, "label": "ham"}', b'{"row": 5, "label": "ham"}', b'{"row": {}, "label": "ham"}',
    b'{"row": {"a": NaN}, "label": "ham"}', b'{"row": {"a": 1e999}, "label": "ham"}',
    b'{"row": {"a": 123456789012345678901234567890}, "label": "ham"}', b'{"row": {"a": null}, "label": "ham"}',
    b'{"row": {"a": {"b": {"c": [[[1]]]}}}, "label": "ham"}', b'{"row": {"": ""}, "label": "ham"}',
    b'{"row": {"a": "\\ud800"}, "label": "ham"}', b'{"row": {"\\u0000": "\\u0000\\n"}, "label": "ham"}',
    b'{"row": "\\n", "label": "ham"}', b'{"row": "{\\"a\\": 1}\\n{}", "label": "ham"}', b'{"row": [], "label": "ham"}',
    b'{"row": [1, "a"], "label": "ham"}', b'{"row": {"a": 1}, "label": []}', b'{"row": {"a": 1}, "label": {}}',
    b'{"row": {"a": 1}, "label": null}', b'{"row": {"a": 1}, "label": 1e400}', b'{"row": {"a": 1}, "label": "\\u0000"}',
    b'{"row": {"a": 1}, "label": "ham", "weight": 0}', b'{"row": {"a": 1}, "label": "ham", "weight": -1}',
    b'{"row": {"a": 1}, "label": "ham", "weight": 1e308}', b'{"row": {"a": 1}, "label": "ham", "weight": "2"}',
    b'{"row": {"a": 1}, "label": "ham", "more": 1}', b'{"row": {"label": "ham", "a": 1e-320}, "label": "ham"}',
    b'{"rows": []}', b'{"rows": [1]}', b'{"row": {}, "rows": [{}]}', b'{"row": {"a": 1}, "explain": "yes"}',
    b'{"row": {"a": 1e308, "b": -1e308}, "explain": true, "probabilities": true}',
    b'{"id": "", "label": "ham"}', b'{"id": "-", "label": "ham"}', b'{"id": "a-99999999999999999999", "label": "ham"}',
    b'{"id": "x-\\u0661", "label": "ham"}', b'{"id": "\\ud800", "label": 1}',
    b'{"labels": ["a", "b"], "parameters": {"r": 1e999}}', b'{"labels": [1, true]}', b'{"labels": ["", "\\u0000"]}',
    b'{"labels": ["a", "b"], "parameters": {"r": []}}', b'{"labels": ["a", "b"], "cost": {"c": 2}}',
    b'{"labels": ["a", "b"], "learner": "one-vs-all"}', b'{"labels": ["a", "b"], "learner": "../../etc/passwd"}',
    b'{"labels": ["a", "b"], "learner": "weighted-majority"}', b'{"labels": ["a", "b"], "cross": 1000000000}',
    b'{"labels": ["a", "b"], "assume": {"k": -1}}', b'{"labels": ["a", "b"], "label": ""}',
]  # fmt: skip
PLACES = ("/models/spam/predict", "/models/spam/learn", "/models/spam/label", "/models/new")


@pytest.mark.parametrize("place", PLACES)
def test_hostile_bodies_are_no_faults(running: Running, place: str) -> None:
    before = running.ask("GET", "/models/spam/snapshot")[2]
    learned = 0
    for body in HOSTILE:
        put = place.endswith("new")
        status, headers, answer = running.ask("PUT" if put else "POST", place, body)
        assert status in (200, 201) or 400 <= status < 500, (body, answer)
        assert json.loads(answer), body
        if status >= 400:
            assert headers["content-type"] == "application/problem+json"
            assert json.loads(answer)["detail"]
        elif put:
            assert running.ask("DELETE", place)[0] == 204
        learned += status == 200 and place.endswith("learn")
    assert "the service has a fault" not in running.log.read_text()
    assert (running.ask("GET", "/models/spam/snapshot")[2] == before) == (learned == 0)
    assert running.ask("GET", "/healthz")[0] == 200


def test_hostile_paths_and_keys(running: Running) -> None:
    names = ("..%2f..%2fetc", "%00", "a" * 5000, "spam/", "a%0ab", "..", "A", "%ff")
    for path in ("//models", *(f"/models/{name}" for name in names)):
        assert running.ask("GET", path)[0] in (404, 422)
        assert running.ask("PUT", path, b'{"labels": [0, 1]}')[0] in (404, 422)
    body = b'{"row": {"a": 1}, "label": "ham"}'
    assert running.ask("POST", "/models/spam/learn", body, {"Idempotency-Key": "k" * 201})[0] == 422
    assert running.ask("POST", "/models/spam/learn", body, {"Idempotency-Key": "id:x-1; drop table journal"})[0] == 200
    assert running.ask("POST", "/models/nix/learn", body)[0] == 404


def test_logs_have_no_rows(tmp_path: Path) -> None:
    with Running(tmp_path / "models", "--snapshot-updates", "2") as running:
        client = running.client()
        client.create("spam", labels=["ham", "spam"])
        for number in range(5):
            client.learn("spam", {"words": ["confidential"], "n": number}, "ham")
        for bad in ({"words": ["confidential"], "n": "\ud800"}, "confidential {"):
            with pytest.raises(ServiceError, match="4"):
                client.learn("spam", bad, "confidential")
        running.stop()
        log = running.log.read_text()
    assert "snapshot" in log
    assert "confidential" not in log


def test_settings_by_flags_environment_and_file(tmp_path: Path) -> None:
    (tmp_path / "serve.toml").write_text('port = 1\nmax_rows = 2\nallow_host = ["a"]\nrate = 0.5\n')
    environment = {"MISTAKEBOUND_SERVE_MAX_ROWS": "3", "MISTAKEBOUND_SERVE_PORT": "4", "OTHER": "x"}
    found = read_settings(tmp_path, {"port": 5, "rate": None}, environment)
    assert (found.port, found.max_rows, found.allow_host, found.rate, found.host) == (5, 3, ["a"], 0.5, "127.0.0.1")
    other = tmp_path / "other.toml"
    for text, words in (
        ("port = 'x'", "port must be a whole number"), ("nix = 1", "no setting 'nix'"), ("port =", "is not TOML"),
        ("port = 70000", "at most 65535"), ("host = 3", "host must be a text"), ("max_rows = true", "max_rows must be"),
    ):  # fmt: skip
        other.write_text(text)
        with pytest.raises(BadParameter, match=words):
            read_settings(tmp_path, {}, {}, other)
    with pytest.raises(BadParameter, match="MISTAKEBOUND_SERVE_NIX"):
        read_settings(tmp_path, {}, {"MISTAKEBOUND_SERVE_NIX": "1"})
    with pytest.raises(BadParameter, match="cannot read"):
        read_settings(tmp_path, {}, {}, tmp_path / "missing.toml")
    with pytest.raises(BadParameter, match="which needs tokens"):
        Guard(Settings(tmp_path, host="192.0.2.1"), Tokens([]))


def test_bad_tokens_are_refused(tmp_path: Path) -> None:
    for name, scopes, words in (("", ["read"], "name"), ("a", ["root"], "scope"), ("a", [], "scope")):
        with pytest.raises(BadParameter, match=words):
            new_token(tmp_path, name, scopes)
    first = new_token(tmp_path, "a", ["read"])
    assert new_token(tmp_path, "a", ["read"]) != first
    assert len(json.loads((tmp_path / "tokens.json").read_text())["tokens"]) == 1
