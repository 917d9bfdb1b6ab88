"""On real processes: the same bits with one worker, two, or one that is killed; resumption; errors; versions."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from distributed import Client, LocalCluster

import mistakebound as mb
from mistakebound.cluster import engine as engines
from mistakebound.cluster import splits, trees
from mistakebound.cluster.engine import Engine, connected
from mistakebound.cluster.training import MixedTraining
from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.model.plan import Plan, new_learner


def trained_here(stream: Path, here: Any, tmp_path: Path, name: str, passes: int) -> bytes:
    """The model that the same shards make in this process, one after another."""
    path = tmp_path / "here.mb"
    plan = Plan([str(stream)], lambda: new_learner(name, None, None, None, "arow"), {}, passes=passes)
    training = MixedTraining(plan, here, 5)
    training.learn()
    training.judge()
    training.model().save(path)
    return path.read_bytes()


def saved(model: mb.Model, path: Path) -> bytes:
    model.position = None
    model.save(path)
    return path.read_bytes()


@pytest.mark.parametrize("name", ["arow", "perceptron", "winnow2"])
def test_the_same_bits_whoever_learns(name: str, client: Any, here: Any, stream: Path, tmp_path: Path) -> None:
    found = mb.learn(str(stream), learner=name, passes=2, client=client, shards=5)
    assert saved(found, tmp_path / "there.mb") == trained_here(stream, here, tmp_path, name, 2)
    assert found.evaluate(str(stream)).error_rate < 0.35  # type: ignore[operator]


def test_many_labels(client: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.vw"
    path.write_text("".join(f"{'abc'[k % 3]} | w{k % 3} w{k % 7 + 5}\n" for k in range(600)))
    found = mb.learn(str(path), learner="perceptron", format="vw", passes=3, client=client, shards=3)
    assert found.labels == ("a", "b", "c")
    assert found.evaluate(str(path)).mistakes == 0


def kill_one(client: Any) -> Callable[[Any], None]:
    """Kills a worker the first time that it is called."""
    pids = list(client.run(os.getpid).values())

    def kill(ledger: Any) -> None:
        if pids:
            os.kill(pids.pop(), signal.SIGKILL)
            pids.clear()

    return kill


def test_a_worker_is_killed(client: Any, here: Any, stream: Path, tmp_path: Path) -> None:
    kill = kill_one(client)
    found = mb.learn(str(stream), learner="arow", passes=3, client=client, shards=5, progress=kill)
    assert saved(found, tmp_path / "killed.mb") == trained_here(stream, here, tmp_path, "arow", 3)


def once(cut: Callable[[], Any]) -> Callable[[Any], None]:
    """Does it the first time that it is called."""
    waiting = [cut]

    def call(ledger: Any) -> None:
        if waiting:
            waiting.pop()()

    return call


def _hang_up(address: str, dask_scheduler: Any = None) -> None:
    dask_scheduler.stream_comms[address].comm.abort()


@pytest.fixture
def own_client() -> Iterator[Any]:
    """Of two workers that nobody else needs, threads of this process behind sockets."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None) as own,
        Client(own, set_as_default=False) as found,
    ):
        yield found


def test_a_worker_loses_its_connection(own_client: Any, here: Any, stream: Path, tmp_path: Path) -> None:
    address = next(iter(own_client.scheduler_info()["workers"]))
    lose = once(lambda: own_client.run_on_scheduler(_hang_up, address))
    found = mb.learn(str(stream), learner="arow", passes=3, client=own_client, shards=5, progress=lose)
    assert saved(found, tmp_path / "lost.mb") == trained_here(stream, here, tmp_path, "arow", 3)
    assert len(own_client.scheduler_info()["workers"]) == 1


def test_the_client_loses_its_connection(own_client: Any, here: Any, stream: Path, tmp_path: Path) -> None:
    lost = []
    lose = once(lambda: lost.append(own_client.sync(_drop, own_client)))
    found = mb.learn(str(stream), learner="arow", passes=3, client=own_client, shards=5, progress=lose)
    assert saved(found, tmp_path / "lost.mb") == trained_here(stream, here, tmp_path, "arow", 3)
    assert lost == [True]


@pytest.mark.parametrize("who", ["worker", "client"])
def test_rows_that_a_worker_held_are_lost(
    who: str, own_client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The coded rows of a tree lie on the workers: those that are lost are read again."""
    path = tmp_path / "table.csv"
    cells = [(k * k % 7, k % 5, k // 3 % 4) for k in range(2000)]
    path.write_text("a,b,c,label\n" + "".join(f"v{a},w{b},u{c},{'ny'[(a + b + c) % 3 > 0]}\n" for a, b, c in cells))
    address = next(iter(own_client.scheduler_info()["workers"]))
    seen, move = [], trees._moves

    def moves(level: Any, splits: Any) -> Any:
        seen.append(len(level))
        if len(seen) == 2 and who == "client":
            own_client.sync(_drop, own_client)
        elif len(seen) == 2:
            own_client.run_on_scheduler(_hang_up, address)
        return move(level, splits)

    monkeypatch.setattr(splits, "RANGE_BYTES", 5000)
    monkeypatch.setattr(trees, "_moves", moves)
    found = mb.learn(str(path), "label", learner="decision-tree", client=own_client)
    assert found.learner.tree == mb.learn(str(path), "label", learner="decision-tree").learner.tree
    assert len(seen) > 2


async def _drop(client: Any) -> bool:
    client.scheduler_comm.comm.abort()
    return bool(client.scheduler_comm.comm.closed())


def test_a_slow_worker(client: Any, here: Any, stream: Path, tmp_path: Path) -> None:
    address = list(client.scheduler_info()["workers"])[-1]
    asleep = client.submit(sleep, 0.7, workers=[address], pure=False)
    found = mb.learn(str(stream), learner="arow", passes=2, client=client, shards=5)
    assert saved(found, tmp_path / "slow.mb") == trained_here(stream, here, tmp_path, "arow", 2)
    asleep.result()


KILLED = """
import os, signal, sys
from distributed import Client
import mistakebound as mb

def die(ledger):
    if ledger.trials > 6500:  # in the middle of the third pass
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    address, rows, model = sys.argv[1:]
    with Client(address, set_as_default=False) as client:
        mb.learn(rows, learner="perceptron", passes=4, client=client, shards=4, model=model, progress=die)
"""


def test_a_client_is_killed(client: Any, stream: Path, tmp_path: Path) -> None:
    path, whole = tmp_path / "model.mb", tmp_path / "whole.mb"
    given: dict[str, Any] = {"learner": "perceptron", "passes": 4, "client": client, "shards": 4}
    command = [sys.executable, "-c", KILLED, client.scheduler.address, str(stream), str(path)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert mb.load(path).ledger.trials == 6000  # type: ignore[union-attr]
    mb.learn(str(stream), model=path, resume=True, **given)
    mb.learn(str(stream), model=whole, **given)
    assert path.read_bytes() == whole.read_bytes()


def test_a_killed_client_goes_on_from_the_last_pass(client: Any, stream: Path, tmp_path: Path) -> None:
    path, left = tmp_path / "model.mb", tmp_path / "left.mb"
    given: dict[str, Any] = {"learner": "winnow2", "passes": 3, "client": client, "shards": 4}

    def look(ledger: Any) -> None:
        if ledger.trials > 3000 and not left.exists():
            shutil.copy(path, left)  # what lies on the disk in the middle of the second pass

    mb.learn(str(stream), model=path, progress=look, **given)
    whole = path.read_bytes()
    os.replace(left, path)
    assert mb.load(path).ledger.trials == 3000  # type: ignore[union-attr]
    mb.learn(str(stream), model=path, resume=True, **given)
    assert path.read_bytes() == whole
    with pytest.raises(mb.BadParameter, match="shards must be the same as in the run to resume"):
        mb.learn(str(stream), model=path, resume=True, **given | {"shards": 3})


def test_an_error_names_file_and_line(client: Any, stream: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.svm"
    lines = stream.read_text().splitlines(keepends=True)
    lines[2100], lines[2900] = "+1 x:1\n", "+1 y:1\n"
    path.write_text("".join(lines))
    with pytest.raises(mb.BadData, match="attribute 'x' is not a number") as raised:
        mb.learn(str(path), client=client, shards=6)
    assert (raised.value.source, raised.value.line) == (str(path), 2101)
    with pytest.warns(UserWarning, match="2 bad rows were skipped"):
        found = mb.learn(str(path), client=client, shards=6, on_error="skip")
    assert found.ledger is not None
    assert found.ledger.trials == 2998
    path.write_text("+1 1:1\n+1 x:1\n-1 2:1\n")  # and not that there is only one label
    with pytest.raises(mb.BadData, match="attribute 'x' is not a number"):
        mb.learn(str(path), client=client)
    third = tmp_path / "third.svm"
    third.write_text("".join(lines[:2000]) + "+7 1:1\n" + "".join(lines[:50]))
    with pytest.raises(mb.BadData, match="label 7 is neither -1 nor 1") as raised:
        mb.learn(str(third), client=client, shards=2)
    assert raised.value.line == 2001


def test_versions_that_differ(client: Any, stream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = engines.versions
    monkeypatch.setattr(engines, "versions", _Other(real))
    with pytest.raises(MistakeboundError, match=r"worker tcp://.* has numpy .*, and this process has 0\.1: install"):
        Engine(client)


class _Other:
    """Says another version here than on the workers, which get the function itself."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __call__(self) -> dict[str, str]:
        return self._real() | {"numpy": "0.1"}  # type: ignore[no-any-return]

    def __reduce__(self) -> Any:
        return _real, ()


def _real() -> Any:
    from mistakebound.cluster.engine import versions

    return versions


def test_who_is_no_client(stream: Path) -> None:
    with pytest.raises(mb.BadParameter, match=r"client must be a distributed\.Client"):
        mb.learn(str(stream), client="tcp://127.0.0.1:8786")
    with pytest.raises(mb.BadParameter, match="client needs files"):
        mb.learn([{"a": 1, "y": 1}], "y", client=object())
    with pytest.raises(mb.BadParameter, match="- is standard input: write it to shared storage"):
        mb.learn("-", client=object())
    with pytest.raises(mb.BadParameter, match="shards needs client"):
        mb.learn(str(stream), shards=2)
    with pytest.raises(MistakeboundError, match="there is no Dask scheduler at"), connected("tcp://127.0.0.1:9", 0.5):
        pass
    with pytest.raises(mb.BadParameter, match="--cluster must be local:N"), connected("local:none"):
        pass


def test_a_client_that_is_closed(client: Any, stream: Path) -> None:
    import distributed

    other = distributed.Client(client.scheduler.address, set_as_default=False)
    other.close()
    with pytest.raises(mb.BadParameter, match="client is closed"):
        mb.learn(str(stream), learner="arow", client=other)


def test_workers_that_do_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    def fails(**how: Any) -> Any:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", fails)
    with (
        pytest.raises(MistakeboundError, match="the workers of local:2 did not start: Nanny failed"),
        connected("local:2"),
    ):
        pass


def test_the_command(client: Any, stream: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mistakebound.cli import main

    address = client.scheduler.address
    path = tmp_path / "model.mb"
    given = ["learn", "--cluster", address, "--shards", "4", "--learner", "arow", "--model", str(path), str(stream)]
    assert main([*given, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["cluster"]["workers"] == len(client.scheduler_info()["workers"])
    assert said["cluster"]["shards"] == 4
    assert said["cluster"]["dashboard"].startswith("http://")
    assert len(said["cluster"]["bytes_sent"]) == 1
    whole = path.read_bytes()
    mb.learn(str(stream), learner="arow", model=path, client=client, shards=4)
    assert path.read_bytes() == whole
    assert main(given) == 0
    out, err = capsys.readouterr()
    assert "4 shards" in out
    assert "dashboard http://" in err
    assert max(len(line) for line in out.splitlines() if str(tmp_path.parent) not in line) <= 80
    assert main(["learn", "--cluster", address, "--learner", "auto", str(stream)]) == 2
    assert "auto cannot be learned on a cluster" in capsys.readouterr().err
    for option in ("--iid", "--window=50"):
        assert main([*given, option]) == 2
        assert option[:5] in (said := capsys.readouterr().err)
        assert "is not supported on a cluster" in said


def _fail_late(number: int) -> None:
    sleep(0.5 * (number == 0))
    raise BadData(f"task {number} is wrong")


def test_the_first_of_two_errors_is_told(client: Any) -> None:
    with pytest.raises(BadData, match="task 0 is wrong"):
        Engine(client).run(_fail_late, [(0,), (1,)])


def test_tasks_that_nobody_does(monkeypatch: pytest.MonkeyPatch) -> None:
    with connected("local:1") as client:
        engine = Engine(client)
        monkeypatch.setattr(engines, "_WAIT", 0.5)
        client.cluster.scale(0)
        with pytest.raises(MistakeboundError, match="no worker came to the cluster within"):
            engine.run(len, [("abc",)])
