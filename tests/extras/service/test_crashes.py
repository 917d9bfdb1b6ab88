"""kill -9 under load, a full disk, many clients, an end that was asked for: nothing is lost or counted twice."""

from __future__ import annotations

import random
import resource
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import mistakebound.service as service
from extras.service.running import Running, row
from mistakebound.service import Client, ServiceError
from mistakebound.service.hosted import HostedModel
from mistakebound.service.journal import Journal


class Load:
    """Threads that learn, each row with a key; what was acknowledged, and what was only sent."""

    def __init__(self, running: Running, clients: int, name: str, predict: bool = False) -> None:
        self.acknowledged: dict[str, dict[str, Any]] = {}
        self.sent: dict[str, int] = {}
        self.predictions: list[tuple[int, int, Any]] = []
        self._stop = threading.Event()
        own = [running.client(retries=0) for _ in range(clients)]
        self._threads = [
            threading.Thread(target=self._learn, args=(client, f"{name}-{number}", predict))
            for number, client in enumerate(own)
        ]
        for thread in self._threads:
            thread.start()

    def _learn(self, client: Client, name: str, predict: bool) -> None:
        for number in range(1_000_000):
            if self._stop.is_set():
                return
            key = f"{name}-{number}"
            try:
                if predict:
                    said = client.predict("spam", row(number)[0], keep=False)
                    self.predictions.append((said["sequence"], number, said["prediction"]))
                self.sent[key] = number
                self.acknowledged[key] = client.learn("spam", *row(number), key=key)
            except ServiceError:
                return

    def end(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


def keys(directory: Path) -> list[str]:
    journal = Journal(directory)
    found = [write.key or "" for write in journal.after("spam", 0) if write.kind == "learn"]
    journal.close()
    return found


def check_replay(directory: Path) -> None:
    """The snapshot of an end that was asked for is what comes of the whole journal."""
    assert service.replay(directory, "spam") == (directory / "models" / "spam.mb").read_bytes()


@pytest.mark.parametrize("kills", [20, pytest.param(200, marks=pytest.mark.long)])
def test_kills_at_random_moments(tmp_path: Path, kills: int) -> None:
    directory, moments = tmp_path / "models", random.Random(20)
    acknowledged: dict[str, dict[str, Any]] = {}
    unknown: dict[str, int] = {}
    for kill in range(kills + 1):
        # Few updates between snapshots, so that some kills come in the middle of one.
        with Running(directory, "--snapshot-updates", "25") as running:
            client = running.client()
            if kill == 0:
                client.create("spam", labels=["ham", "spam"])
            for key, number in unknown.items():  # as a client does that has lost its connection
                acknowledged[key] = client.learn("spam", *row(number), key=key.removeprefix("key:"))
            assert client.inspect("spam")["ledger"]["trials"] == len(acknowledged)
            for key in moments.sample(sorted(acknowledged), min(3, len(acknowledged))):
                number = int(key.rpartition("-")[2])
                again = client.learn("spam", *row(number), key=key)
                assert again["sequence"] == acknowledged[key]["sequence"]
                assert again["prediction"] == acknowledged[key]["prediction"]
            if kill == kills:
                assert running.stop() == 0
                break
            load = Load(running, 4, str(kill))
            time.sleep(moments.uniform(0.01, 0.4))
            running.kill()
            load.end()
            acknowledged |= load.acknowledged
            unknown = {key: number for key, number in load.sent.items() if key not in load.acknowledged}
    found = keys(directory)
    assert sorted(found) == sorted(f"key:{key}" for key in acknowledged)
    assert len(found) > 2 * kills
    check_replay(directory)


@pytest.mark.parametrize(("clients", "seconds"), [(16, 2), pytest.param(64, 60, marks=pytest.mark.long)])
def test_many_clients_lose_no_update(tmp_path: Path, clients: int, seconds: float) -> None:
    directory = tmp_path / "models"
    with Running(directory, "--snapshot-updates", "200") as running:
        running.client().create("spam", labels=["ham", "spam"])
        load = Load(running, clients, "client", predict=True)
        time.sleep(seconds)
        load.end()
        assert load.sent.keys() == load.acknowledged.keys()
        sequences = [answer["sequence"] for answer in load.acknowledged.values()]
        assert len({*sequences}) == len(sequences) > clients
        assert sorted(answer["ledger"]["trials"] for answer in load.acknowledged.values()) == [
            *range(1, len(sequences) + 1)
        ]
        assert running.client().inspect("spam")["ledger"]["trials"] == len(sequences)
        assert running.stop() == 0
    check_replay(directory)
    check_predictions(directory, load.predictions)


def check_predictions(directory: Path, predictions: list[tuple[int, int, Any]]) -> None:
    """Each prediction is that of the model as it was after the write that its answer names: none was torn."""
    by_sequence: dict[int, list[tuple[int, Any]]] = {}
    for sequence, number, said in random.Random(1).sample(predictions, min(len(predictions), 2000)):
        by_sequence.setdefault(sequence, []).append((number, said))
    journal = Journal(directory)
    created = journal.created()["spam"]
    hosted = HostedModel.from_file("spam", journal.creation(created)[0], created)
    checked = 0
    for write in [None, *journal.after("spam", created)]:
        if write is not None:
            hosted.apply([write])
        for number, said in by_sequence.get(hosted.sequence, ()):
            assert hosted.model.predict_one(row(number)[0]) == said
            checked += 1
    journal.close()
    assert checked == min(len(predictions), 2000)


def taken(client: Client, number: int) -> bool:
    """Whether a row was learned: false where there is no room on the disk."""
    try:
        client.learn("spam", *row(number), key=f"{number}")
    except ServiceError as error:
        if error.status != 507:
            raise
        return False
    return True


def test_a_full_disk_refuses_writes_and_keeps_answering(tmp_path: Path) -> None:
    directory = tmp_path / "models"
    with Running(directory) as running:
        client, pid = running.client(retries=0), running.process.pid
        client.create("spam", labels=["ham", "spam"])
        for number in range(10):
            client.learn("spam", *row(number), key=f"{number}")
        size = (directory / "journal.sqlite-wal").stat().st_size
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size + 20_000, resource.RLIM_INFINITY))
        number = next(number for number in range(10, 1000) if not taken(client, number))
        for _ in range(3):
            with pytest.raises(ServiceError, match=r"^507: .*nothing was learned"):
                client.learn("spam", *row(number), key=f"{number}")
            assert client.predict("spam", row(number)[0])["sequence"] == number + 1
        with pytest.raises(ServiceError, match=r"^507"):
            client.create("other", labels=[0, 1])
        assert client.inspect("spam")["ledger"]["trials"] == number
        assert "mistakebound_disk_full 1" in client.metrics()
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert client.learn("spam", *row(number), key=f"{number}")["ledger"]["trials"] == number + 1
        assert "mistakebound_disk_full 0" in client.metrics()
        assert running.stop() == 0
    assert keys(directory) == [f"key:{k}" for k in range(number + 1)]
    check_replay(directory)


def test_a_full_disk_refuses_a_backup_and_keeps_nothing_of_it(tmp_path: Path) -> None:
    """There may be room for the copy and none for the archive, or not even for the copy."""
    directory = tmp_path / "models"
    with Running(directory) as running:
        client, pid = running.client(retries=0), running.process.pid
        client.create("spam", labels=["ham", "spam"])
        size = len(client.backup())
        for limit in (size - 5000, 1000):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            with pytest.raises(ServiceError, match=r"^507: .*there is no backup"):
                client.backup()
            assert not list(directory.glob("backup-*"))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert len(client.backup()) == size
        assert running.stop() == 0


def test_late_labels_are_learned_once_across_a_kill(tmp_path: Path) -> None:
    """Also where the kill comes before the prediction is written."""
    directory = tmp_path / "models"
    with Running(directory) as running:
        client = running.client()
        client.create("spam", labels=["ham", "spam"])
        id = client.predict("spam", row(1)[0])["id"]
        answer = client.label("spam", id, "spam", weight=2.5)
        running.kill()
    with Running(directory, "--snapshot-updates", "1") as running:
        client = running.client()
        assert client.label("spam", id, "spam", weight=2.5)["sequence"] == answer["sequence"]
        client.learn("spam", *row(2))
        running.stop()
    with Running(directory) as running:  # its answer is in the journal now
        client = running.client()
        assert client.label("spam", id, "spam", weight=2.5)["sequence"] == answer["sequence"]
        for label, weight in (("ham", 2.5), ("spam", 1.0)):
            with pytest.raises(ServiceError, match=r"^409: another label"):
                client.label("spam", id, label, weight=weight)
        assert client.inspect("spam")["ledger"]["trials"] == 2


def test_a_journal_that_another_process_holds(tmp_path: Path) -> None:
    directory = tmp_path / "models"
    with Running(directory) as running:
        client = running.client(retries=0)
        client.create("spam", labels=["ham", "spam"])
        other = sqlite3.connect(directory / "journal.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ServiceError, match=r"^507: .*locked"):
            client.learn("spam", *row(0))
        other.execute("ROLLBACK")
        other.close()
        assert client.learn("spam", *row(0))["ledger"]["trials"] == 1
        assert running.stop() == 0


def test_the_end_drains_and_snapshots(tmp_path: Path) -> None:
    directory = tmp_path / "models"
    with Running(directory) as running:
        running.client().create("spam", labels=["ham", "spam"])
        load = Load(running, 8, "client")
        time.sleep(0.5)
        assert running.stop() == 0
        load.end()
    found = keys(directory)
    assert {f"key:{key}" for key in load.acknowledged} <= {*found}
    check_replay(directory)
