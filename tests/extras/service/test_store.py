"""What is on disk, without a server: the journal and what is forgotten of it, predictions that expire, backups."""

from __future__ import annotations

import asyncio
import errno
import math
import sqlite3
from pathlib import Path

import orjson
import pytest

from extras.service.running import Running, row
from mistakebound.core.errors import BadModel, BadParameter
from mistakebound.model.new_model import new_model
from mistakebound.service import backup, handlers, replay, store
from mistakebound.service.hosted import HostedModel
from mistakebound.service.journal import DELETE, LEARN, Journal, Write
from mistakebound.service.predictions import PredictionStore
from mistakebound.service.problems import Problem
from mistakebound.service.service import Service
from mistakebound.service.settings import Settings


def test_the_journal_waits_for_the_disk(tmp_path: Path) -> None:
    """No kill of a process shows the difference; only a power cut would."""
    journal = Journal(tmp_path)
    assert journal._base.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    assert journal._base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    journal.close()


def test_predictions_are_bounded_in_number_and_time(tmp_path: Path) -> None:
    kept = PredictionStore(tmp_path, 3, 1.0)
    ids = [kept.add(7, b"{}", b'"ham"') for _ in range(5)]
    assert all(kept.find(id) is not None for id in ids)  # not written yet
    kept.flush()
    found = [kept.find(id) for id in ids]
    assert [one is None for one in found] == [True, True, False, False, False]
    assert found[4] is not None
    assert (found[4].created, found[4].row, found[4].said) == (7, b"{}", b'"ham"')
    other = "0" + ids[4] if ids[4][0] != "0" else "1" + ids[4]
    assert kept.find(other) is kept.find("") is kept.find(ids[4].partition("-")[2]) is None  # of no run
    kept.close()
    later = PredictionStore(tmp_path, 3, 1.0)
    assert later.find(ids[4]) is not None
    new = later.add(7, b"{}", b'"ham"')
    later.flush()
    assert [later.find(id) is None for id in (*ids[2:], new)] == [True, False, False, False]
    later.close()
    old = PredictionStore(tmp_path, 3, 0.0)
    assert old.find(ids[4]) is None
    assert old.find(old.add(7, b"{}", b'"ham"')) is None
    old.close()


def test_predictions_are_kept_in_memory_while_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mistakebound.service.predictions._WAITING", 3)
    kept = PredictionStore(tmp_path, 100, 1.0)
    kept._base.execute("PRAGMA query_only=1")
    ids = [kept.add(7, b"{}", b'"ham"') for _ in range(5)]
    kept.flush()
    assert (kept.waiting, kept.dropped) == (3, 2)
    assert [kept.find(id) is None for id in ids] == [True, True, False, False, False]
    kept._base.execute("PRAGMA query_only=0")
    kept.flush()
    assert kept.waiting == 0
    assert [kept.find(id) is None for id in ids] == [True, True, False, False, False]
    kept.close()


def test_old_updates_are_forgotten_behind_a_snapshot(tmp_path: Path) -> None:
    directory = tmp_path / "models"
    with Running(directory, "--journal-days", "1e-9", "--snapshot-updates", "7") as running:
        client = running.client()
        client.create("spam", labels=["ham", "spam"])
        for number in range(20):
            client.learn("spam", *row(number), key=f"{number}")
        expected = client.snapshot("spam")
        running.kill()
    journal = Journal(directory)
    left = [write.sequence for write in journal.after("spam", 0)]
    journal.close()
    assert left[0] == 1  # the creation
    assert left[1:] == [*range(left[1], 22)]  # all behind the last snapshot, and only the last ones
    assert left[1] > 7
    with pytest.raises(BadModel, match="does not begin with its creation"):
        replay(directory, "spam")
    with Running(directory) as running:
        client = running.client()
        assert client.snapshot("spam") == expected
        assert client.learn("spam", *row(19), key="19")["ledger"]["trials"] == 20
        assert client.learn("spam", *row(0), key="0")["ledger"]["trials"] == 21  # its key is forgotten too


def test_a_certificate_under_load_is_of_more_than_half_of_the_trials() -> None:
    hosted = HostedModel("spam", new_model(["ham", "spam"], learner="perceptron"), 1, 1)
    assert hosted.proof()["certificate"] is not None  # of no trial: the first of a model that has just been made
    known = []
    for number in range(40):
        hosted._proof_due = math.inf  # the last one took long
        x, y = row(number)
        write = Write("spam", LEARN, None, orjson.dumps({"row": x, "label": y}))
        hosted.apply([write])
        known.append(orjson.loads(write.answer or b"")["certificate"]["trials"])
    assert known == [2 ** n.bit_length() // 2 for n in range(1, 41)]  # anew when the trials have doubled


def test_a_backup_has_no_snapshot_that_is_ahead_of_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "models"
    (directory / "models").mkdir(parents=True)
    Journal(directory).close()
    (directory / "models" / "spam.mb").write_bytes(b"before")
    copy_journal = store.copy_journal

    def copy(source: Path, target: Path) -> None:
        (directory / "models" / "spam.mb").write_bytes(b"a snapshot after more writes")
        copy_journal(source, target)

    monkeypatch.setattr(store, "copy_journal", copy)
    made = backup(directory, tmp_path / "copy")
    assert (made / "models" / "spam.mb").read_bytes() == b"before"
    sqlite3.connect(made / "journal.sqlite").close()


def test_a_backup_that_fails_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running = Service(Settings(tmp_path))

    def archive(folder: Path) -> None:
        assert (folder / "service" / "journal.sqlite").exists()
        raise error

    monkeypatch.setattr(handlers, "_archive", archive)
    error: Exception = OSError(errno.ENOSPC, "No space left on device")
    asked = handlers.Request("", {}, b"", None)
    with pytest.raises(Problem, match="No space left on device; there is no backup") as caught:
        asyncio.run(handlers.Handlers(running).backup(asked))
    assert (caught.value.status, caught.value.headers) == (507, {"Retry-After": "10"})
    error = ValueError("a bug")
    with pytest.raises(ValueError, match="a bug"):
        asyncio.run(handlers.Handlers(running).backup(asked))
    assert not list(tmp_path.glob("backup-*"))
    running.predictions.close()
    running.store.close()


def test_what_a_killed_process_left_of_a_backup_is_removed(tmp_path: Path) -> None:
    first = store.Store(tmp_path)
    left, own = first.new_download(), tmp_path / "backup-20240101"
    for folder in (left, own):
        (folder / "service").mkdir(parents=True)
    with pytest.raises(BadParameter, match="in use"):
        store.Store(tmp_path)
    assert left.exists(), "the service that runs is sending it"
    first.close()
    store.Store(tmp_path).close()
    assert not left.exists()
    assert own.exists(), "a person's"


def test_a_snapshot_that_is_ahead_of_the_journal_is_refused(tmp_path: Path) -> None:
    directory, body = tmp_path / "models", b' {"label":"ham",  "row": {"b": 1, "a": [2, 1e2]}}'
    with Running(directory) as running:
        running.client().create("spam", labels=["ham", "spam"])
        backup(directory, tmp_path / "copy")
        assert running.ask("POST", "/models/spam/learn", body)[0] == 200
        running.stop()
    journal = Journal(directory)
    (write,) = journal.after("spam", 1)
    journal.close()
    assert (write.kind, write.body) == ("learn", body)  # as it came
    (tmp_path / "copy" / "models" / "spam.mb").write_bytes((directory / "models" / "spam.mb").read_bytes())
    copy = store.Store(tmp_path / "copy")
    with pytest.raises(BadModel, match="not of one backup"):
        copy.load()
    copy.close()


@pytest.mark.parametrize(("count", "keyed"), [(1, False), (3, False), (1201, False), (3, True), (1201, True)])
def test_writes_have_the_numbers_of_their_rows(tmp_path: Path, count: int, keyed: bool) -> None:
    journal = Journal(tmp_path)
    for first in (0, count):
        group = [Write("spam", LEARN, f"{n}" if keyed else None, b"%d" % n) for n in range(first, first + count)]
        journal.append(group)
        assert [write.sequence for write in group] == [*range(first + 1, first + count + 1)]
    assert [(write.sequence, write.body) for write in journal.after("spam", 0)] == [
        (n + 1, b"%d" % n) for n in range(2 * count)
    ]
    journal.append([Write("spam", DELETE, None, b""), Write("ham", LEARN, None, b"after")])
    assert [write.sequence for write in journal.after("spam", 0)] == [2 * count + 1]  # no number is given twice
    assert [write.sequence for write in journal.after("ham", 0)] == [2 * count + 2]
    journal.close()


def _file_of(path: Path, rows: int) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    model = new_model(["ham", "spam"], learner="perceptron")
    for number in range(rows):
        model.learn_one(*row(number))
    model.save(path)
    return model.to_bytes()


def test_model_files_in_the_directory_are_served(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Those that people put there: beside the journal, or where the snapshots are; none of them is deleted."""
    directory, before = tmp_path / "models", {}
    for name, place in (("above", "above.mb"), ("below", "models/below.mb")):
        before[name] = _file_of(directory / place, 20)
    kept = store.Store(directory)
    assert {name: hosted.model.to_bytes() for name, hosted in kept.load().items()} == before
    write = Write("above", LEARN, None, orjson.dumps({"row": row(3)[0], "label": "ham"}))
    kept.journal.append([write])
    kept.close()
    again = store.Store(directory)
    assert again.load()["above"].model.ledger.trials == 21  # type: ignore[union-attr]
    with caplog.at_level("WARNING"):
        again.load()
        assert caplog.text == ""
        _file_of(directory / "above.mb", 10)
        again.load()
    assert "above.mb is not read: the model of that name has begun otherwise" in caplog.text
    again.journal.append([Write("above", DELETE, None, b"")])
    with caplog.at_level("WARNING"):
        assert list(again.load()) == ["below"]
    assert "above.mb is not served: a model of that name was deleted" in caplog.text
    again.close()
    assert (directory / "above.mb").exists()


def test_model_files_that_cannot_be_served(tmp_path: Path) -> None:
    for place, text in (("No Name.mb", "must match"), ("no-model.mb", "no-model.mb is not a model file")):
        path = tmp_path / place[:3] / place
        path.parent.mkdir()
        path.write_bytes(b"no model")
        kept = store.Store(path.parent)
        with pytest.raises((BadModel, BadParameter), match=text):
            kept.load()
        kept.close()
        assert path.exists()


def test_what_a_kill_left_of_a_deletion_is_cleared(tmp_path: Path) -> None:
    _file_of(tmp_path / "models" / "spam.mb", 3)
    kept = store.Store(tmp_path)
    kept.load()
    kept.journal.append([Write("spam", DELETE, None, b"")])
    assert kept.load() == {}
    assert not kept.path("spam").exists()
    kept.close()
