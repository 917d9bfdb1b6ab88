"""The journal: every write in the order in which it happened, on disk before it is acknowledged.

One SQLite file in WAL mode with synchronous=FULL.  A row is a creation (with the model file), a deletion, a row with
its label, or a late label; models are what comes of the journal when it is replayed in order.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from mistakebound.core.errors import BadModel, MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_AT_ONCE = 500  # rows of one statement
CREATE, DELETE, LEARN, LABEL = "create", "delete", "learn", "label"
FILE = "journal.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS journal (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT,
    body BLOB NOT NULL,
    status INTEGER,
    answer BLOB,
    time REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS shortened (model TEXT PRIMARY KEY, sequence INTEGER NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS journal_key ON journal (model, key) WHERE key IS NOT NULL;
"""
_FULL = (
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY,
)  # fmt: skip
_PATIENCE = 2.0  # seconds for another process that holds the journal


def connect(path: Path, patience: float) -> sqlite3.Connection:
    """A connection without transactions of its own.

    A statement that is kept for the next time keeps the rows that were bound to it: few are.
    """
    return sqlite3.connect(path, patience, isolation_level=None, check_same_thread=False, cached_statements=4)


class StorageFull(MistakeboundError):
    """The journal, or a copy of it, could not be written; nothing of it was."""


class Write:
    """One write on its way: what is asked, then its place in the journal, then its answer."""

    __slots__ = ("answer", "body", "data", "done", "key", "kind", "model", "sequence", "status")

    def __init__(self, model: str, kind: str, key: str | None, body: bytes, data: Any = None) -> None:
        self.model = model
        self.kind = kind
        self.key = key
        self.body = body
        self.data = data  # the body as Python has it, where somebody has read it
        self.sequence = 0
        self.status = 0
        self.answer: bytes | None = None
        self.done: Any = None  # a future of the event loop


class Journal:
    """The SQLite file; one thread at a time uses it."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / FILE
        try:
            self._base = connect(self.path, _PATIENCE)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=FULL")
            self._base.executescript(_SCHEMA)
        except sqlite3.Error as error:
            raise BadModel(f"{self.path} is not a journal, or cannot be written: {error}") from error

    def append(self, writes: Sequence[Write]) -> None:
        """Write all in one transaction, and give each its sequence number; StorageFull where there is no room.

        A write whose key the journal has already gets the sequence, the body and the answer that stand there.
        """
        base, now = self._base, time.time()
        # One statement is a transaction by itself, and waits for the event loop's thread once.
        alone = len(writes) <= _AT_ONCE and all(write.key is None and write.kind != DELETE for write in writes)
        try:
            if not alone:
                base.execute("BEGIN IMMEDIATE")
            found = self._find([(write.model, write.key) for write in writes if write.key is not None])
            new = [write for write in writes if (write.model, write.key) not in found]
            rows: list[tuple[Any, ...]] = []
            places: list[int] = []
            for write in new:
                if write.kind == DELETE:
                    places += self._insert(rows)
                    rows = []
                    for table in ("journal", "shortened"):
                        base.execute(f"DELETE FROM {table} WHERE model = ?", (write.model,))
                rows.append((write.model, write.kind, write.key, write.body, now))
            places += self._insert(rows)
            if not alone:
                base.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._undone(error) from error
        for write, sequence in zip(new, places, strict=True):
            write.sequence = sequence
        for write in writes:
            if (write.model, write.key) in found:
                write.sequence, write.body, write.status, write.answer = found[write.model, write.key]

    def _insert(self, rows: list[tuple[Any, ...]]) -> list[int]:
        """Some rows by one statement: between two of them this thread would have to wait for the event loop's."""
        places: list[int] = []
        for at in range(0, len(rows), _AT_ONCE):
            part = rows[at : at + _AT_ONCE]
            places_of = ", ".join(["(?, ?, ?, ?, ?)"] * len(part))
            values = [value for row in part for value in row]
            text = f"INSERT INTO journal (model, kind, key, body, time) VALUES {places_of}"
            last = self._base.execute(text, values).lastrowid or 0
            places += range(last - len(part) + 1, last + 1)
        return places

    def _find(self, keys: list[tuple[str, str]]) -> dict[tuple[str, str | None], tuple[int, bytes, int, bytes]]:
        """Of writes with keys, those that are there: sequence, body, status, answer."""
        found: dict[tuple[str, str | None], tuple[int, bytes, int, bytes]] = {}
        for at in range(0, len(keys), _AT_ONCE):
            part = keys[at : at + _AT_ONCE]
            pairs = ", ".join(["(?, ?)"] * len(part))
            rows = self._base.execute(  # each pair is looked up in the index
                f"WITH asked (model, key) AS (VALUES {pairs}) "
                "SELECT journal.model, journal.key, sequence, body, status, answer FROM asked CROSS JOIN journal "
                "ON journal.model = asked.model AND journal.key = asked.key",
                [text for pair in part for text in pair],
            )
            for model, key, sequence, body, status, answer in rows:
                found[model, key] = sequence, body, status or 409, answer or b""
        return found

    def body(self, model: str, key: str) -> bytes | None:
        """The body of the write of a model that had a key."""
        found = self._find([(model, key)]).get((model, key))
        return None if found is None else found[1]

    def _undone(self, error: sqlite3.Error) -> Exception:
        if self._base.in_transaction:
            self._base.execute("ROLLBACK")
        return _storage_full(error, "the journal") or error

    def keep_answers(self, answers: Sequence[tuple[int, bytes, int]]) -> None:
        """Keep (status, answer, sequence) of writes with keys, so that no snapshot is ahead of them."""
        try:
            self._base.execute("BEGIN IMMEDIATE")
            self._base.executemany("UPDATE journal SET status = ?, answer = ? WHERE sequence = ?", answers)
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._undone(error) from error

    def created(self) -> dict[str, int]:
        """The models that there are, each with the sequence number of its creation."""
        return {name: at for name, (at, kind) in self.lives().items() if kind == CREATE}

    def lives(self) -> dict[str, tuple[int, str]]:
        """Every model that there is or was: sequence number and kind of its last creation or deletion."""
        rows = self._base.execute(  # the kind is that of the row with the largest sequence number
            "SELECT model, max(sequence), kind FROM journal WHERE kind IN (?, ?) GROUP BY model", (CREATE, DELETE)
        )
        return {name: (at, kind) for name, at, kind in rows}

    def creation(self, sequence: int) -> tuple[bytes, str]:
        """The model file of a creation, and its key."""
        found = self._base.execute("SELECT body, key FROM journal WHERE sequence = ?", (sequence,)).fetchone()
        return found[0], found[1] or ""

    def after(self, model: str, sequence: int) -> Iterator[Write]:
        """The writes of a model behind a sequence number, in order."""
        rows = self._base.execute(
            "SELECT sequence, kind, key, body FROM journal WHERE model = ? AND sequence > ? ORDER BY sequence",
            (model, sequence),
        )
        for number, kind, key, body in rows:
            write = Write(model, kind, key, body)
            write.sequence = number
            yield write

    def last(self) -> int:
        """The last sequence number that was given."""
        row = self._base.execute("SELECT seq FROM sqlite_sequence WHERE name = 'journal'").fetchone()
        return 0 if row is None else int(row[0])

    def prune(self, model: str, sequence: int, before: float) -> None:
        """Forget the updates up to a snapshot that are older than a time; the creation stays."""
        which = "model = ? AND sequence <= ? AND time < ? AND kind IN (?, ?)", (model, sequence, before, LEARN, LABEL)
        try:
            self._base.execute("BEGIN IMMEDIATE")
            if self._base.execute(f"DELETE FROM journal WHERE {which[0]}", which[1]).rowcount:
                self._base.execute("INSERT OR REPLACE INTO shortened VALUES (?, ?)", (model, sequence))
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._undone(error) from error

    def shortened(self, model: str) -> bool:
        """Whether updates of a model were forgotten."""
        return self._base.execute("SELECT 1 FROM shortened WHERE model = ?", (model,)).fetchone() is not None

    def close(self) -> None:
        self._base.close()


def copy_journal(directory: Path, target: Path) -> None:
    """A consistent copy of the journal, while it is being written or not."""
    source = sqlite3.connect(f"file:{directory / FILE}?mode=ro", uri=True)
    copy = sqlite3.connect(target)
    try:
        source.backup(copy)
    except sqlite3.Error as error:
        full = _storage_full(error, "the copy of the journal")
        if full is None:
            raise
        raise full from error
    finally:
        copy.close()
        source.close()


def _storage_full(error: sqlite3.Error, what: str) -> StorageFull | None:
    """None where it is another error."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return StorageFull(f"{what} cannot be written: {error}") if code in _FULL else None
