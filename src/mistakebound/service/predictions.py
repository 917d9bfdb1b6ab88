"""Predictions that wait for their labels: bounded in number and in time, written behind the answers.

A prediction is answered at once and written within half a second.  A killed process may lose the last of them, whose
labels are then refused; nothing that was learned depends on this file.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
import time

from mistakebound.core.errors import BadModel
from mistakebound.service.journal import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

log = logging.getLogger("mistakebound.service")
FILE = "predictions.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS predictions (
    number INTEGER PRIMARY KEY, run TEXT NOT NULL, created INTEGER NOT NULL, row BLOB NOT NULL, said BLOB NOT NULL,
    time REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS predictions_time ON predictions (time);
"""
_PATIENCE = 30.0  # seconds for another process that holds the file
_AT_ONCE = 500  # rows of one statement
_WAITING = 100_000  # predictions that may wait to be written; older ones are dropped where they cannot be


def _opened(path: Path) -> sqlite3.Connection:
    """The file, empty again where it cannot be read: nothing that was learned is in it."""
    for broken in (False, True):
        base = connect(path, _PATIENCE)
        try:
            base.execute("PRAGMA journal_mode=WAL")
            base.execute("PRAGMA synchronous=NORMAL")
            base.executescript(_SCHEMA)
            base.execute("SELECT max(number) FROM predictions")
            return base
        except sqlite3.DatabaseError as error:
            base.close()
            if broken:
                raise BadModel(f"{path} cannot be written: {error}") from error
            log.error("%s is broken (%s): the predictions in it do not wait for labels any more", path, error)
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
    raise AssertionError


class Kept:
    """A prediction: for which model (by the sequence number of its creation), the row, and what was said."""

    __slots__ = ("created", "row", "said", "time")

    def __init__(self, created: int, row: bytes, said: bytes, time: float) -> None:
        self.created = created
        self.row = row
        self.said = said
        self.time = time


class PredictionStore:
    """Keeps predictions by their ids."""

    def __init__(self, directory: Path, most: int, hours: float) -> None:
        self._base = _opened(directory / FILE)
        self._most, self._seconds = most, hours * 3600
        self._run = secrets.token_hex(6)  # a number may be given again after a crash, but not in the same run
        self._next = 1 + (self._base.execute("SELECT max(number) FROM predictions").fetchone()[0] or 0)
        self._waiting: dict[int, Kept] = {}
        self._reader = connect(directory / FILE, _PATIENCE)  # does not wait for the writer
        self.dropped = 0

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def add(self, created: int, row: bytes, said: bytes) -> str:
        """The id of a new prediction."""
        number = self._next
        self._next = number + 1
        self._waiting[number] = Kept(created, row, said, time.time())
        return f"{self._run}-{number}"

    def find(self, id: str) -> Kept | None:
        """The prediction of an id; None where there is none, or it has expired."""
        run, _, digits = id.partition("-")
        number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 19 else -1
        kept = self._waiting.get(number) if run == self._run else None
        if kept is None:
            found = self._reader.execute(
                "SELECT created, row, said, time FROM predictions WHERE number = ? AND run = ?", (number, run)
            ).fetchone()
            kept = None if found is None else Kept(*found)
        return kept if kept is not None and kept.time > time.time() - self._seconds else None

    def flush(self) -> None:
        """Write what waits, and forget what is too old or too much; not by two threads at once."""
        waiting = list(self._waiting.items())
        try:
            self._write(waiting)
        except sqlite3.Error:  # a full disk: the last ones stay in memory
            for number, _ in waiting[:-_WAITING]:
                del self._waiting[number]
                self.dropped += 1
            return
        for number, _ in waiting:
            del self._waiting[number]

    def _write(self, waiting: list[tuple[int, Kept]]) -> None:
        base = self._base
        base.execute("BEGIN")
        try:
            for at in range(0, len(waiting), _AT_ONCE):  # each statement waits once for the event loop's thread
                part = waiting[at : at + _AT_ONCE]
                places = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(part))
                rows = ((number, self._run, kept.created, kept.row, kept.said, kept.time) for number, kept in part)
                base.execute(f"INSERT INTO predictions VALUES {places}", [value for row in rows for value in row])
            base.execute("DELETE FROM predictions WHERE number <= ?", (self._next - 1 - self._most,))
            base.execute("DELETE FROM predictions WHERE time < ?", (time.time() - self._seconds,))
            base.execute("COMMIT")
        except sqlite3.Error:
            if base.in_transaction:
                base.execute("ROLLBACK")
            raise

    def close(self) -> None:
        self.flush()
        self._reader.close()
        self._base.close()
