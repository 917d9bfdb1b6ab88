"""A client of the service on the standard library: one connection, retries that are never learned twice."""

from __future__ import annotations

import http.client
import json
import secrets
import time
from urllib.parse import quote, urlsplit

from mistakebound.core.errors import BadParameter, MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import Any, Self

_AGAIN = (429, 503, 507)  # the service asks to come back later
_LONGEST = 10.0  # seconds between two tries


class ServiceError(MistakeboundError):
    """The service refused a request: its `status` and one sentence.

    Parameters
    ----------
    status : int
        Of HTTP; 0: the service could not be reached.
    detail : str
        Why.

    Examples
    --------
    >>> str(ServiceError(404, "there is no model 'spam'"))
    "404: there is no model 'spam'"
    """

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status
        self.detail = detail


class Client:
    """Asks a service; a context manager, for one thread at a time.

    Parameters
    ----------
    url : str, default "http://127.0.0.1:8765"
    token : str or None, default None
    timeout : float, default 30.0
        Seconds to wait for an answer.
    retries : int, default 5
        How often a request is sent again after a lost connection, or when the service asks for it.  Every `learn` has
        a key of its own, so that what is sent twice is learned once.

    Examples
    --------
    >>> client = Client("http://127.0.0.1:8765")
    >>> client.create("spam", labels=["ham", "spam"])  # doctest: +SKIP
    >>> client.learn("spam", {"words": ["free"]}, "spam")["prediction"]  # doctest: +SKIP
    'ham'
    """

    def __init__(
        self, url: str = "http://127.0.0.1:8765", token: str | None = None, *, timeout: float = 30.0, retries: int = 5
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadParameter(f"url must begin with http:// or https://: {url!r}")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=timeout)
        self._path = parts.path.rstrip("/")
        self._token = token
        self._retries = retries

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the next request opens another one."""
        self._connection.close()

    def models(self) -> list[dict[str, Any]]:
        """All models, each with its ledger."""
        found: list[dict[str, Any]] = self._json("GET", "/models")["models"]
        return found

    def inspect(self, name: str) -> dict[str, Any]:
        """One model: schema, learner, ledger, certificate."""
        return self._json("GET", _of(name))

    def create(self, name: str, *, file: bytes | None = None, **specification: Any) -> dict[str, Any]:
        """Create a model from the bytes of a model file, or by the parameters of `new_model`: labels, learner, ..."""
        if file is None:
            return self._json("PUT", _of(name), specification)
        return _read(self._send("PUT", _of(name), file, "application/octet-stream"))

    def delete(self, name: str) -> None:
        """Delete a model with its journal."""
        self._send("DELETE", _of(name), None)

    def predict(
        self, name: str, row: Any, *, probabilities: bool = False, explain: bool = False, keep: bool = True
    ) -> dict[str, Any]:
        """The prediction for a raw row, with its id and, where asked for, probabilities and explanation."""
        asked = {"row": row, "probabilities": probabilities, "explain": explain, "keep": keep}
        return self._json("POST", _of(name, "predict"), asked)

    def predict_many(self, name: str, rows: Iterable[Any], **options: bool) -> list[dict[str, Any]]:
        """The same for several rows; `options` are those of `predict`."""
        found: list[dict[str, Any]]
        found = self._json("POST", _of(name, "predict"), {"rows": list(rows), **options})["predictions"]
        return found

    def learn(self, name: str, row: Any, label: Any, *, weight: float = 1.0, key: str | None = None) -> dict[str, Any]:
        """Learn a row: the prediction made before, the ledger, the certificate.  It is on disk when this returns."""
        asked = {"row": row, "label": label, "weight": weight}
        return self._json("POST", _of(name, "learn"), asked, key or secrets.token_hex(16))

    def label(self, name: str, id: str, label: Any, *, weight: float = 1.0) -> dict[str, Any]:
        """Give an earlier prediction its label; a second time it is not learned again."""
        return self._json("POST", _of(name, "label"), {"id": id, "label": label, "weight": weight})

    def snapshot(self, name: str) -> bytes:
        """The model file of a model as it is now."""
        return self._send("GET", _of(name, "snapshot"), None)

    def backup(self) -> bytes:
        """Everything, as a tar archive."""
        return self._send("GET", "/backup", None)

    def metrics(self) -> str:
        """The text for Prometheus."""
        return self._send("GET", "/metrics", None).decode()

    def ready(self) -> bool:
        """Whether the service answers and has all models in memory."""
        try:
            self._once("GET", "/readyz", None, {})
        except (ServiceError, OSError, http.client.HTTPException):
            self.close()
            return False
        return True

    def _json(self, method: str, path: str, asked: Any = None, key: str | None = None) -> dict[str, Any]:
        body = None if asked is None else json.dumps(asked).encode()
        return _read(self._send(method, path, body, "application/json", key))

    def _send(
        self, method: str, path: str, body: bytes | None, kind: str = "application/json", key: str | None = None
    ) -> bytes:
        headers = {} if body is None else {"Content-Type": kind}
        headers |= {} if key is None else {"Idempotency-Key": key}
        failure: Exception | None = None
        for attempt in range(self._retries + 1):
            if attempt:
                time.sleep(min(_LONGEST, 0.05 * 2**attempt * (1 + secrets.randbelow(1000) / 1000)))
            try:
                return self._once(method, path, body, headers)
            except ServiceError as error:
                if attempt and method == "DELETE" and error.status == 404:  # the first try has done it
                    return b""
                if error.status not in _AGAIN:
                    raise
                failure = error
            except (OSError, http.client.HTTPException) as error:
                self.close()
                failure = ServiceError(0, f"the service does not answer: {error}")
        assert failure is not None
        raise failure

    def _once(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        own = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        self._connection.request(method, self._path + path, body, headers | own)
        response = self._connection.getresponse()
        data = response.read()
        if response.status >= 400:
            raise ServiceError(response.status, _detail(data))
        return data


def _of(name: str, operation: str = "") -> str:
    return f"/models/{quote(name, safe='')}" + (f"/{operation}" if operation else "")


def _read(data: bytes) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(data)
    return read


def _detail(data: bytes) -> str:
    try:
        return str(json.loads(data)["detail"])
    except (ValueError, KeyError, TypeError):
        return "no reason was given"
