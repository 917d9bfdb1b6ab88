"""Every operation on the real server: answers, late labels, uploads, metrics, the same bits after a restart."""

from __future__ import annotations

import doctest
import importlib
import io
import json
import pkgutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
import mistakebound.service as service
from extras.service.running import Running, row
from mistakebound.model.model import from_bytes
from mistakebound.model.new_model import new_model
from mistakebound.service import Client, ServiceError


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("served") / "models") as found:
        yield found


@pytest.fixture
def client(running: Running, request: pytest.FixtureRequest) -> Iterator[Client]:
    with running.client() as found:
        for model in found.models():
            found.delete(model["name"])
        yield found


def refused(status: int, text: str = "") -> Any:
    return pytest.raises(ServiceError, match=f"^{status}.*{text}")


def test_learning_by_the_service_is_learning_by_the_library(client: Client) -> None:
    made = client.create("spam", labels=["ham", "spam"], learner="perceptron", assume={})
    assert (made["learner"], made["labels"], made["ledger"]["trials"]) == ("perceptron", ["ham", "spam"], 0)
    own = new_model(["ham", "spam"], learner="perceptron")
    for number in range(60):
        x, y = row(number)
        assert client.predict("spam", x)["prediction"] == own.predict_one(x)
        answer = client.learn("spam", x, y)
        assert answer["prediction"] == own.learn_one(x, y)
        assert own.ledger is not None
        assert answer["ledger"] == {"trials": own.ledger.trials, "mistakes": own.ledger.mistakes}
        certificate = answer["certificate"]
        assert certificate["low"] <= certificate["errors"] / certificate["trials"] <= certificate["high"]
    assert client.snapshot("spam") == own.to_bytes()
    assert client.inspect("spam")["ledger"]["mistakes"] == own.ledger.mistakes


def test_probabilities_explanation_and_many_rows(client: Client) -> None:
    client.create("spam", labels=["ham", "spam"])
    for number in range(40):
        client.learn("spam", *row(number))
    model, x = from_bytes(client.snapshot("spam")), row(9)[0]
    answer = client.predict("spam", x, probabilities=True, explain=True)
    shares = {one["label"]: one["probability"] for one in answer["probabilities"]}
    assert shares == pytest.approx(model.predict_proba_one(x))
    assert answer["explanation"]["prediction"] == answer["prediction"]
    rows = [row(number)[0] for number in range(50)]
    found = client.predict_many("spam", rows)
    assert [one["prediction"] for one in found] == model.predict(rows)
    assert len({one["id"] for one in found}) == 50
    assert client.predict("spam", x, keep=False)["id"] is None


def test_late_labels(client: Client) -> None:
    client.create("spam", labels=["ham", "spam"], learner="perceptron", assume={"margin": 0.1, "radius": 5})
    first = client.predict("spam", row(3)[0])
    own = new_model(["ham", "spam"], learner="perceptron")
    for number in range(10):
        client.learn("spam", *row(number))
        own.learn_one(*row(number))
    before = client.inspect("spam")["verdict"]
    assert before["kind"] == "within"
    answer = client.label("spam", first["id"], "spam")
    assert answer["prediction"] == first["prediction"] == "ham"
    assert own.ledger is not None
    assert answer["ledger"] == {"trials": 11, "mistakes": own.ledger.mistakes + 1}
    assert "no theorem covers the delay" in answer["late"]
    own.learner.learn_one(own.schema.instance(row(3)[0]), "spam")  # type: ignore[union-attr]
    assert from_bytes(client.snapshot("spam")).learner.weights() == own.learner.weights()
    after = client.inspect("spam")
    assert after["verdict"]["kind"] == "no bound"
    assert "no theorem covers delay" in after["verdict"]["text"]
    assert after["ledger"]["late"] == 1
    assert client.label("spam", first["id"], "spam") == answer  # once
    assert client.label("spam", first["id"], "spam", weight=1) == answer
    with refused(409, "another label"):
        client.label("spam", first["id"], "ham")
    with refused(404, "no such prediction"):
        client.label("spam", "nothing-1", "ham")
    client.delete("spam")
    client.create("spam", labels=["ham", "spam"])
    with refused(404, "no such prediction"):  # it was one of another model of that name
        client.label("spam", first["id"], "spam")


def test_keys(client: Client) -> None:
    client.create("spam", labels=["ham", "spam"])
    first = client.learn("spam", *row(1), key="mine")
    assert client.learn("spam", *row(1), key="mine") == first
    with refused(409, "the key has another request"):
        client.learn("spam", *row(2), key="mine")
    assert client.inspect("spam")["ledger"]["trials"] == 1


def test_uploads(client: Client) -> None:
    rows = [row(number)[0] | {"kind": row(number)[1]} for number in range(50)]
    model = mb.learn(rows, "kind")
    client.create("mine", file=model.to_bytes())
    assert client.predict("mine", rows[3])["prediction"] == model.predict_one(rows[3])
    assert client.learn("mine", *row(7))["ledger"]["trials"] == 51
    data = bytearray(model.to_bytes())
    data[200] ^= 1
    for bad in (bytes(data), b"", b"\x80\x04\x95", data[:100]):
        with refused(422, "the upload"):
            client.create("bad", file=bytes(bad))
    tree = mb.learn(
        [{"size": number % 5, "kind": row(number)[1]} for number in range(50)], "kind", learner="decision-tree"
    )
    client.create("tree", file=tree.to_bytes())
    assert client.predict("tree", {"size": 3})["prediction"] == tree.predict_one({"size": 3})
    with refused(422, "learns a whole table at once"):
        client.learn("tree", *row(0))


def test_creating_again(client: Client) -> None:
    made = client.create("spam", labels=[0, 1])
    assert client.create("spam", labels=[0, 1])["sequence"] == made["sequence"]  # PUT of the same is no new model
    with refused(409, "there is a model"):
        client.create("spam", labels=[0, 1], learner="perceptron")
    for name in ("../spam", "Spam", "a" * 65, ".hidden", "a/b", "con.mb"):
        with refused(4):
            client.create(name, labels=[0, 1])
    assert [model["name"] for model in client.models()] == ["spam"]


def test_creating_at_once(tmp_path: Path) -> None:
    """Of the same model by several clients there is one, and never are there more than may be."""
    with Running(tmp_path / "models", "--max-models", "3") as limited:

        def create(name: str) -> int:
            return limited.ask("PUT", f"/models/{name}", b'{"labels": [0, 1]}')[0]

        with ThreadPoolExecutor(8) as threads:
            assert {*threads.map(create, ["one"] * 8)} <= {200, 201}
            others = [*threads.map(create, [f"other{number}" for number in range(8)])]
        assert sorted(others) == [201] * 2 + [409] * 6
        assert len(limited.client().models()) == 3


@pytest.mark.parametrize(
    ("specification", "text"),
    [
        ({}, "'labels'"),
        ({"labels": ["a"]}, "at least 2"),
        ({"labels": ["a", "a"]}, "two different labels"),
        ({"labels": [0, 1], "learner": "nix"}, "nix"),
        ({"labels": [0, 1], "learner": "decision-tree"}, "table"),
        ({"labels": [0, 1], "parameters": {"eta": 1}}, "no parameter eta"),
        ({"labels": [0, 1], "format": "csv"}, "one of jsonl"),
        ({"labels": [0, 1], "assume": {"nix": 1}}, "nix"),
        ({"labels": [0, 1], "ngrams": 2}, "ngrams"),
        ({"labels": [0, 1], "unknown": 2}, "no member 'unknown'"),
    ],
)
def test_bad_specifications(client: Client, specification: dict[str, object], text: str) -> None:
    with refused(422, text):
        client.create("bad", **specification)
    assert client.models() == []


@pytest.mark.parametrize(
    ("format", "first", "second"),
    [("text", "Free entry!", "lunch\nat noon"), ("vw", "| free:2 now", "| lunch"), ("libsvm", "3:1 7:0.5", "4:1")],
)
def test_formats(client: Client, format: str, first: str, second: str) -> None:
    client.create("lines", labels=["ham", "spam", "other"], format=format)
    own = new_model(["ham", "spam", "other"], format=format)
    for x, y in ((first, "spam"), (second, "ham"), (first, "other")) * 3:
        assert client.learn("lines", x, y)["prediction"] == own.learn_one(x, y)
    assert client.snapshot("lines") == own.to_bytes()
    assert client.predict_many("lines", [first, second])[0]["prediction"] == own.predict_one(first)


def test_a_refused_row_changes_nothing(client: Client) -> None:
    client.create("spam", labels=["ham", "spam"], learner="winnow2")
    client.learn("spam", {"words": ["free"]}, "spam")
    before = client.snapshot("spam")
    for x, y in (({"size": 7}, "spam"), ({"words": ["free"]}, "nix"), ("{}}", "ham")):
        with refused(422):
            client.learn("spam", x, y)
    for weight in (0, -1, 1e10):
        with refused(422, "weight must be"):
            client.learn("spam", {"words": ["free"]}, "spam", weight=weight)
    assert client.snapshot("spam") == before
    with refused(422, "takes 0 and 1 only"):
        client.predict("spam", {"size": 7})


def test_a_restart_gives_the_same_bits(tmp_path: Path) -> None:
    directory = tmp_path / "models"
    with Running(directory, "--snapshot-updates", "7") as first:
        client = first.client()
        client.create("spam", labels=["ham", "spam"])
        client.create("plain", labels=[0, 1], learner="perceptron", format="text")
        client.create("gone", labels=[0, 1])
        kept = [client.predict("spam", row(number)[0])["id"] for number in range(3)]
        for number in range(30):
            client.learn("spam", *row(number), key=f"key {number}")
            client.learn("plain", f"word{number % 5} more", number % 2)
        answer = client.learn("spam", *row(30), key="last")
        late = client.label("spam", kept[0], "ham")
        client.delete("gone")
        files = {name: client.snapshot(name) for name in ("spam", "plain")}
        assert first.stop() == 0
    for name, data in files.items():
        told = from_bytes((directory / "models" / f"{name}.mb").read_bytes())
        told.position = None
        assert told.to_bytes() == data
        assert from_bytes(service.replay(directory, name)).learner.state_form() == told.learner.state_form()
        assert service.replay(directory, name) == (directory / "models" / f"{name}.mb").read_bytes()
    with Running(directory) as second:
        client = second.client()
        assert {model["name"] for model in client.models()} == {"spam", "plain"}
        assert {name: client.snapshot(name) for name in files} == files
        assert client.learn("spam", *row(30), key="last") == answer  # keys survive, of writes before a snapshot too
        assert client.learn("spam", *row(0), key="key 0")["ledger"]["trials"] == 1
        assert client.label("spam", kept[0], "ham") == late
        assert client.inspect("spam")["ledger"]["trials"] == 32
        client.label("spam", kept[1], "ham")  # predictions survive an end that was asked for
        second.kill()
    with Running(directory) as third:
        assert third.client().inspect("spam")["ledger"]["trials"] == 33


def test_backup_while_running(client: Client, running: Running, tmp_path: Path) -> None:
    client.create("spam", labels=["ham", "spam"])
    for number in range(20):
        client.learn("spam", *row(number))
    service.backup(running.directory, tmp_path / "copy")
    with tarfile.open(fileobj=io.BytesIO(client.backup())) as archive:
        archive.extractall(tmp_path / "tar", filter="data")
    expected = client.snapshot("spam")
    client.learn("spam", *row(20))
    for copy in (tmp_path / "copy", tmp_path / "tar" / "service"):
        with Running(copy) as restored:
            assert restored.client().snapshot("spam") == expected
    assert not list(running.directory.glob("backup-*"))
    with pytest.raises(mb.BadParameter, match="refusing to overwrite"):
        service.backup(running.directory, tmp_path / "copy")


def test_metrics_health_and_the_document(client: Client, running: Running) -> None:
    client.create("spam", labels=["ham", "spam"])
    client.learn("spam", *row(0))
    lines = client.metrics().splitlines()
    assert 'mistakebound_trials_total{model="spam"} 1' in lines
    assert all(line.startswith("#") or float(line.rpartition(" ")[2]) >= 0 for line in lines)
    assert running.ask("GET", "/healthz")[0] == running.ask("GET", "/readyz")[0] == 200
    status, headers, body = running.ask("GET", "/openapi.json")
    assert (status, headers["content-type"]) == (200, "application/json")
    document = json.loads(body)
    assert document["openapi"] == "3.1.0"
    assert {"predict", "learn", "label"} <= {path.rpartition("/")[2] for path in document["paths"]}


def test_the_directory_has_one_service(running: Running) -> None:
    with pytest.raises(AssertionError, match="in use by another service") as refusal:
        Running(running.directory)
    assert "Traceback" not in str(refusal.value)


def test_broken_files(tmp_path: Path) -> None:
    """Predictions that wait are dropped with a line in the log; without a journal there is no service."""
    directory = tmp_path / "models"
    with Running(directory) as first:
        first.client().create("spam", labels=["ham", "spam"])
        first.client().learn("spam", *row(0))
        assert first.stop() == 0
    (directory / "predictions.sqlite").write_bytes(b"no database" * 1000)
    with Running(directory) as second:
        client = second.client()
        assert client.inspect("spam")["ledger"]["trials"] == 1
        client.label("spam", client.predict("spam", row(1)[0])["id"], "ham")
        assert "predictions.sqlite is broken" in second.log.read_text()
        assert second.stop() == 0
    for name, text in (("models/spam.mb", "is not a model file"), ("journal.sqlite", "is not a journal")):
        (directory / name).write_bytes(b"no such thing" * 1000)
        words = [sys.executable, "-m", "mistakebound", "serve", str(directory), "--port", "0"]
        ended = subprocess.run(words, capture_output=True, text=True)
        assert ended.returncode == 4
        assert f"{directory / name} {text}" in ended.stderr
        assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(service.__path__)])
def test_docstrings(name: str) -> None:
    module = importlib.import_module(f"mistakebound.service.{name}")
    names = {public: getattr(service, public) for public in service.__all__}
    assert doctest.testmod(module, extraglobs=names, optionflags=doctest.ELLIPSIS).failed == 0
