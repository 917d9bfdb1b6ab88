"""A command's exit status as an oracle: what its words become, what each status means, and how it is ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from mistakebound.core.errors import BadParameter, CommandMissing, CommandStopped
from mistakebound.teachers.command import CommandOracle, Token

FLAGS = ["--a", "--b b", "$HOME"]


def shell(line: str) -> list[str]:
    return ["sh", "-c", line, "sh", "{}"]


@pytest.mark.parametrize(("status", "answer"), [(0, 0), (1, 1), (2, 1), (124, 1), (125, None)])
def test_exit_status(status: int, answer: int | None) -> None:
    assert CommandOracle(shell(f"exit {status}"), FLAGS).ask({"--a"}) == answer


@pytest.mark.parametrize(
    ("line", "said"), [("exit 126", "126"), ("exit 255", "255"), ("kill -SEGV $$", "ended by SIGSEGV")]
)
def test_what_stops_a_hunt_is_said_with_its_output(line: str, said: str) -> None:
    with pytest.raises(CommandStopped, match=f"(?s){said}.* with --a on.*\nwords at the end") as caught:
        CommandOracle(shell(f"echo words at the end; {line}"), FLAGS).ask({"--a"})
    assert caught.value.exit_code == 16
    assert ("say --crash-is-bad" in str(caught.value)) == said.endswith("SEGV")


def test_flags_are_arguments_as_they_are_in_their_order(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    oracle = CommandOracle(["sh", "-c", f'printf "%s\\n" "$@" > {seen}', "sh", "first", "{}", "x{}"], FLAGS)
    assert oracle.ask({"$HOME", "--b b"}) == 0
    assert seen.read_text().splitlines() == ["first", "--b b", "$HOME", "x{}"]
    oracle.ask(set())
    assert seen.read_text().splitlines() == ["first", "x{}"]


def test_flags_in_a_file(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    oracle = CommandOracle(["sh", "-c", 'cat "${1#--list=}" > ' + str(seen), "sh", "--list={file}"], FLAGS)
    assert oracle.ask(set(FLAGS)) == 0
    assert seen.read_text().splitlines() == FLAGS
    oracle.ask(set())
    assert seen.read_text() == ""


def test_variables_are_set_or_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOW", "from outside")
    env = {"FAST": ("FAST", "1", None), "SLOW": ("SLOW", "very", None)}
    oracle = CommandOracle(["sh", "-c", 'test "$FAST-$SLOW" = "1-very"'], list(env), env=env)
    assert oracle.ask({"FAST", "SLOW"}) == 0
    assert oracle.ask({"FAST"}) == 1
    unset = CommandOracle(["sh", "-c", 'test -z "${SLOW+x}"'], list(env), env=env)
    assert (unset.ask({"FAST"}), unset.ask({"SLOW"})) == (0, 1)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def gone(pid: int) -> bool:
    for _ in range(100):
        if not alive(pid):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks at /proc")
@pytest.mark.parametrize("stubborn", ["", "trap '' TERM; "])
def test_a_timeout_is_bad_and_ends_all_that_was_started(tmp_path: Path, stubborn: str, monkeypatch) -> None:
    monkeypatch.setattr("mistakebound.teachers.processes._GRACE", 0.2)
    pids = tmp_path / "pids"
    oracle = CommandOracle(shell(f"{stubborn}sleep 60 & echo $! $$ > {pids}; sleep 60"), FLAGS, timeout=0.5)
    start = time.monotonic()
    outcome = oracle.outcome(frozenset())
    assert (outcome.bad, outcome.exit_status) == (True, 124)
    assert time.monotonic() - start < 20
    assert all(gone(int(pid)) for pid in pids.read_text().split())


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks at /proc")
@pytest.mark.parametrize("early", [True, False])
def test_a_run_that_is_cancelled_cannot_tell(tmp_path: Path, early: bool) -> None:
    pid = tmp_path / "pid"
    oracle = CommandOracle(shell(f"echo $$ > {pid}; sleep 60"), FLAGS, keep=str(tmp_path / "kept"))
    token, answers = Token(), []
    if early:
        oracle.cancel(token)
    thread = threading.Thread(target=lambda: answers.append(oracle.outcome(frozenset(), token).bad))
    thread.start()
    if not early:
        while not pid.exists() or not pid.read_text():
            time.sleep(0.01)
        oracle.cancel(token)
    thread.join(20)
    assert answers == [None]
    assert not pid.exists() or not pid.read_text() or gone(int(pid.read_text()))
    assert os.listdir(tmp_path / "kept") == []


def test_output_of_bad_runs_is_kept(tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    oracle = CommandOracle(shell('echo "with $*"; echo error >&2; test "$#" -lt 2'), FLAGS, keep=str(keep), first=7)
    assert oracle.outcome(frozenset({"--a"})).output is None
    bad = oracle.outcome(frozenset({"--a", "$HOME"}))
    assert bad.output == str(keep / "begun-0008.txt")
    oracle.name_output(bad)
    assert bad.output == str(keep / "run-0008.txt")
    assert (keep / "run-0008.txt").read_text() == "with --a $HOME\nerror\n"
    assert os.listdir(keep) == ["run-0008.txt"]


def test_setup_goes_before_each_run(tmp_path: Path) -> None:
    count = tmp_path / "count"
    oracle = CommandOracle(shell(f"test -s {count}; exit $?"), FLAGS, setup=f"echo x >> {count}")
    assert (oracle.ask(set()), oracle.ask(set())) == (0, 0)
    assert count.read_text() == "x\nx\n"
    assert CommandOracle(shell("exit 0"), FLAGS, setup="exit 125").ask(set()) is None
    with pytest.raises(CommandStopped, match=r"the setup failed \(exit status 3\): exit 3"):
        CommandOracle(shell("exit 0"), FLAGS, setup="exit 3").ask(set())


def test_what_cannot_be_run(tmp_path: Path) -> None:
    with pytest.raises(CommandMissing, match="no command 'no-such-command' that can be run"):
        CommandOracle(["no-such-command", "{}"], FLAGS)
    with pytest.raises(BadParameter, match="there must be a command"):
        CommandOracle([], FLAGS)
    with pytest.raises(BadParameter, match=r"must say where its flags go.*: make check"):
        CommandOracle(["make", "check"], FLAGS)
    with pytest.raises(BadParameter, match="timeout must be > 0: 0"):
        CommandOracle(["true", "{}"], FLAGS, timeout=0)
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(CommandMissing, match="cannot run"):
        CommandOracle([str(script), "{}"], FLAGS).ask(set())


@pytest.mark.long
def test_too_many_flags_for_one_command_line() -> None:
    flags = [f"--{'x' * 1000}{i}" for i in range(5000)]
    with pytest.raises(CommandMissing, match=r"\{file\} takes any number of flags"):
        CommandOracle(["true", "{}"], flags).ask(set(flags))
    script = "import sys; sys.exit(len(open(sys.argv[1]).readlines()) == 5000)"
    assert CommandOracle([sys.executable, "-c", script, "{file}"], flags).ask(set(flags)) == 1


def test_it_reads_nothing_from_us() -> None:
    script = (
        "from mistakebound.teachers.command import CommandOracle;"
        "print(CommandOracle(['sh', '-c', 'read line', 'sh', '{}'], ['a']).ask({'a'}), input())"
    )
    done = subprocess.run([sys.executable, "-c", script], input="ours\n", capture_output=True, text=True, check=True)
    assert done.stdout == "1 ours\n"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_what_a_run_leaves_in_the_background_ends_with_it(tmp_path: Path) -> None:
    """It writes into the folder of its run as fast as it can; what `setup` leaves stays."""
    write = "i=0; while :; do i=$((i + 1)); echo > {dir}/$i; done > /dev/null 2>&1 &"
    setup = f"sleep 60 > /dev/null 2>&1 & echo $! > {tmp_path}/setup"
    oracle = CommandOracle(shell(f"{write} echo $! > {tmp_path}/pid; exit 1"), FLAGS, setup=setup)
    for _ in range(5):
        assert oracle.ask({"--a"}) == 1
        left, stays = (int((tmp_path / name).read_text()) for name in ("pid", "setup"))
        try:
            assert gone(left)
            assert alive(stays)
        finally:
            for pid in (left, stays):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
