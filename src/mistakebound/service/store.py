"""The directory of a service: the journal, a snapshot of every model, predictions that wait, one lock.

DIR/journal.sqlite       every write, in order
DIR/NAME.mb              a model file that somebody put there: the model begins with it
DIR/models/NAME.mb       the last snapshot of a model: an ordinary model file
DIR/predictions.sqlite   predictions that wait for their labels
DIR/tokens.json          who may do what, as hashes
DIR/backup-*.part        a backup while it is made and sent: GET /backup
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import tempfile
from pathlib import Path

from mistakebound.core.errors import BadModel, BadParameter
from mistakebound.core.whole_file import WholeFile
from mistakebound.service.hosted import HostedModel, without_place
from mistakebound.service.journal import CREATE, DELETE, FILE, Journal, Write, copy_journal

log = logging.getLogger("mistakebound.service")
NAME = "[a-z0-9][a-z0-9_-]{0,63}"  # of a model, and so of its file
_IS_NAME = re.compile(NAME)


class Store:
    """What is on disk.  Only one process at a time has the directory."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self._lock = _lock(directory / "lock")
        if self._lock is not None:
            for folder in directory.glob("backup-*.part"):  # left by a process that was killed
                shutil.rmtree(folder, ignore_errors=True)
        (directory / "models").mkdir(exist_ok=True)
        self.journal = Journal(directory)

    def new_download(self) -> Path:
        """A folder for a backup that is sent and removed."""
        return Path(tempfile.mkdtemp(suffix=".part", prefix="backup-", dir=self.directory))

    def path(self, name: str) -> Path:
        if _IS_NAME.fullmatch(name) is None:
            raise BadParameter(f"a model's name must match {NAME}: {name!r}")
        return self.directory / "models" / f"{name}.mb"

    def load(self) -> dict[str, HostedModel]:
        """All models: the last snapshot of each, and what the journal has behind it; and model files put there."""
        lives = self.journal.lives()
        for path in sorted((self.directory / "models").glob("*.mb")):
            if path.stem in lives and lives[path.stem][1] == DELETE:  # the process was killed before its snapshot was
                path.unlink()
            elif path.stem not in lives:
                self._adopt(path)
        lives = self.journal.lives()
        for path in sorted(self.directory.glob("*.mb")):
            at, kind = lives.get(path.stem, (0, ""))
            if kind == DELETE:
                log.warning("%s is not served: a model of that name was deleted; rename the file, or upload it", path)
            elif kind == "":
                self._adopt(path)
            elif not self._began_with(path, at):
                log.warning("%s is not read: the model of that name has begun otherwise; rename the file", path)
        return {name: self._restored(name, at) for name, at in sorted(self.journal.created().items())}

    def _adopt(self, path: Path) -> None:
        """Create a model from a file that no request brought."""
        self.path(path.stem)  # the name is one
        self.journal.append([Write(path.stem, CREATE, None, without_place(path.read_bytes(), str(path)))])
        log.info("%s is served as %s", path, path.stem)

    def _began_with(self, path: Path, created: int) -> bool:
        data, first = path.read_bytes(), self.journal.creation(created)[0]
        return data == first or without_place(data, str(path)) == first

    def _restored(self, name: str, created: int) -> HostedModel:
        try:
            hosted = HostedModel.from_file(name, self.path(name).read_bytes(), 0, str(self.path(name)))
        except FileNotFoundError:
            hosted = None
        data, key = self.journal.creation(created)
        if hosted is None or hosted.created != created:  # there is no snapshot, or one of an earlier creation
            hosted = HostedModel.from_file(name, data, created)
        hosted.key = key
        if hosted.sequence > self.journal.last():
            raise BadModel(f"{self.path(name)} is ahead of the journal: the two are not of one backup")
        hosted.replay(self.journal.after(name, hosted.sequence))
        return hosted

    def save(self, name: str, data: bytes) -> None:
        """Replace the snapshot of a model, whole or not at all."""
        with WholeFile(self.path(name), sync=True, kind="model") as file:
            file.write(data)

    def delete(self, name: str) -> None:
        self.path(name).unlink(missing_ok=True)

    def close(self) -> None:
        self.journal.close()
        if self._lock is not None:
            os.close(self._lock)


def _lock(path: Path) -> int | None:
    """An open file that no other process has locked; None on a system without such locks."""
    try:
        import fcntl
    except ImportError:
        return None
    file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise BadParameter(f"{path.parent} is in use by another service") from None
    return file


def backup(directory: str | os.PathLike[str], target: str | os.PathLike[str]) -> Path:
    """Copy the directory of a service, which may be running, to a new directory.

    Parameters
    ----------
    directory : path
    target : path of a directory that is not there yet, or is empty

    Returns
    -------
    Path
        The target: `mistakebound serve TARGET` has every write that was acknowledged before the call.

    Examples
    --------
    >>> backup("no-such-directory", "copy")
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: no-such-directory is not the directory of a service: it has no journal
    """
    source, into = Path(directory), Path(target)
    if not (source / FILE).exists():
        raise BadParameter(f"{source} is not the directory of a service: it has no journal")
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise BadParameter(f"refusing to overwrite {into}: a backup needs a new or an empty directory")
    (into / "models").mkdir(parents=True, exist_ok=True)
    for path in sorted((source / "models").glob("*.mb")):  # first, so that none is ahead of the journal
        try:
            shutil.copyfile(path, into / "models" / path.name)
        except FileNotFoundError:  # it was deleted in this moment
            continue
    copy_journal(source, into / FILE)
    for name in ("tokens.json", "serve.toml"):
        if (source / name).exists():
            shutil.copy2(source / name, into / name)
    return into


def replay(directory: str | os.PathLike[str], name: str) -> bytes:
    """The model file that comes of the whole journal of a model, from its creation on, without any snapshot.

    Parameters
    ----------
    directory : path of a service's directory, or of a backup
    name : the name of a model

    Returns
    -------
    bytes
        Equal to the snapshot that the service writes when it ends; BadModel where the journal was shortened.

    Examples
    --------
    >>> replay("no-such-directory", "spam")
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: no-such-directory is not the directory of a service: it has no journal
    """
    if not (Path(directory) / FILE).exists():
        raise BadParameter(f"{directory} is not the directory of a service: it has no journal")
    journal = Journal(Path(directory))
    try:
        created = journal.created().get(name)
        if created is None:
            raise BadParameter(f"there is no model {name!r} in {directory}")
        if journal.shortened(name):
            raise BadModel(f"the journal of {name!r} does not begin with its creation any more (journal_days)")
        hosted = HostedModel.from_file(name, journal.creation(created)[0], created)
        hosted.replay(journal.after(name, created))
        return hosted.state()
    finally:
        journal.close()
