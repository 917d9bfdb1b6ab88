"""Who may ask what: hosts, origins, tokens and rates."""

from __future__ import annotations

import time

from mistakebound.core.errors import BadParameter
from mistakebound.service.problems import Problem
from mistakebound.service.settings import LOOPBACK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.service.settings import Settings
    from mistakebound.service.tokens import Tokens

    Headers = dict[bytes, bytes]

_EVERYWHERE = ("0.0.0.0", "::", "")
_CLIENTS = 10_000  # whose rates are remembered


class Guard:
    """Checks requests before anything of them is read."""

    def __init__(self, settings: Settings, tokens: Tokens) -> None:
        if not settings.on_loopback and not tokens:
            raise BadParameter(
                f"--host {settings.host} is reached from other machines, which needs tokens: make one with --new-token"
            )
        own = () if settings.host in _EVERYWHERE else (settings.host,)
        self._hosts = {name.lower().encode() for name in (*LOOPBACK, *own, *settings.allow_host)}
        self._tokens = tokens
        self._rate = settings.rate
        self._buckets: dict[str, tuple[float, float]] = {}  # client to what is left of its rate, and when

    def check_host(self, headers: Headers) -> None:
        """Problem for a request that a page of another site, or a name that was bent to this machine, has made."""
        host = headers.get(b"host", b"")
        if host_name(host) not in self._hosts:
            raise Problem(421, "the service does not answer for this host name; --allow-host adds one")
        origin = headers.get(b"origin")
        if origin is not None and origin.partition(b"://")[2].lower() != host.lower():
            raise Problem(403, "requests of pages of another origin are refused")

    def check_scope(self, scope: str, headers: Headers, client: str) -> None:
        """Problem for a request without a token that allows it, or of a client that asks too often."""
        if self._tokens:
            kind, _, text = headers.get(b"authorization", b"").partition(b" ")
            token = self._tokens.find(text.strip().decode("latin-1")) if kind.lower() == b"bearer" else None
            if token is None:
                raise Problem(401, "the request has no valid token", WWW_Authenticate="Bearer")
            if scope not in token.scopes:
                raise Problem(403, f"the token {token.name!r} does not have the scope {scope!r}")
            client = token.name
        if self._rate:
            self._spend(client)

    def _spend(self, client: str) -> None:
        now, rate = time.monotonic(), self._rate
        left, then = self._buckets.get(client, (max(1.0, rate), now))
        left = min(max(1.0, rate), left + rate * (now - then))
        if left < 1:
            raise Problem(429, f"more than {rate:g} requests per second", Retry_After=str(int((1 - left) / rate) + 1))
        if len(self._buckets) >= _CLIENTS:
            self._buckets.clear()
        self._buckets[client] = left - 1, now


def host_name(host: bytes) -> bytes:
    """The name in a Host header, without the port.

    >>> host_name(b"Localhost:8765"), host_name(b"[::1]:80"), host_name(b"127.0.0.1")
    (b'localhost', b'::1', b'127.0.0.1')
    """
    host = host.lower()
    if host.startswith(b"["):
        return host[1:].partition(b"]")[0]
    return host.partition(b":")[0]
