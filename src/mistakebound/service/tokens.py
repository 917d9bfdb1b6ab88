"""Bearer tokens: random, kept as hashes, each with a name and scopes; compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path

from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.whole_file import WholeFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FILE = "tokens.json"
SCOPES = ("read", "learn", "admin")


class Token:
    """Whose it is, the SHA-256 of its text, and what it allows."""

    __slots__ = ("digest", "name", "scopes")

    def __init__(self, name: str, digest: str, scopes: Sequence[str]) -> None:
        self.name = name
        self.digest = digest
        self.scopes = frozenset(scopes)


class Tokens:
    """The tokens of a directory."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tuple(tokens)

    def __bool__(self) -> bool:
        return bool(self.tokens)

    def find(self, text: str) -> Token | None:
        """The token with this text; every one is compared, and each comparison takes the same time."""
        digest, found = digest_of(text), None
        for token in self.tokens:
            if hmac.compare_digest(token.digest, digest):
                found = token
        return found


def digest_of(text: str) -> str:
    """A token has 256 random bits, so that a plain hash of it says nothing."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def read_tokens(directory: Path) -> Tokens:
    path = directory / FILE
    if not path.exists():
        return Tokens([])
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
        return Tokens([Token(one["name"], one["sha256"], one["scopes"]) for one in read["tokens"]])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BadParameter(f"{path} is no list of tokens: {error}") from error


def new_token(directory: str | os.PathLike[str], name: str, scopes: Sequence[str] = SCOPES) -> str:
    """Make a token, keep its hash in the directory, and give back its text, which is nowhere else.

    Parameters
    ----------
    directory : path of a service's directory
    name : whose it is; a token of the same name is replaced
    scopes : any of "read" (predict, inspect), "learn" (learn, label) and "admin" (create, delete, backup)

    Returns
    -------
    str

    Examples
    --------
    >>> import tempfile
    >>> len(new_token(tempfile.mkdtemp(), "shop", ["read"]))
    43
    """
    folder, text = Path(directory), secrets.token_urlsafe(32)
    if not name or not name.isprintable() or len(name) > 64:
        raise BadParameter(f"a token's name must be a printable text of at most 64 characters: {shown(name)}")
    for scope in scopes:
        if scope not in SCOPES:
            raise BadParameter(f"a scope must be one of {', '.join(SCOPES)}: {shown(scope)}")
    if not scopes:
        raise BadParameter(f"a token needs a scope: {', '.join(SCOPES)}")
    folder.mkdir(parents=True, exist_ok=True)
    kept = [token for token in read_tokens(folder).tokens if token.name != name]
    kept.append(Token(name, digest_of(text), scopes))
    about = [{"name": token.name, "sha256": token.digest, "scopes": sorted(token.scopes)} for token in kept]
    with WholeFile(folder / FILE, sync=True, kind="tokens") as file:
        os.chmod(file.fileno(), 0o600)
        file.write(json.dumps({"tokens": about}).encode() + b"\n")
    return text
