"""Modes, limits, verdicts and output of `mistakebound hunt`: files that shrink, ranges of commits, compilers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mistakebound.teachers.command import CommandOracle, Token
from mistakebound.teachers.git_oracle import GitOracle

TOGETHER = 'case " $* " in *" --x7 "*"--x31 "*) echo "7 meets 31"; exit 1;; esac'
Hunt = Callable[..., Any]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flags.txt").write_text("".join(f"--x{i}\n" for i in range(1, 41)))
    return tmp_path


@pytest.fixture
def hunt(run: Any, folder: Path) -> Hunt:
    def call(line: str, *options: object) -> Any:
        done = run("hunt", "flags", "flags.txt", "--quiet", *options, "--", "sh", "-c", line, "sh", "{}")
        assert os.listdir(folder / "temporary") == []
        return done

    return call


# One set, limits, what is known beforehand


def test_one_set(hunt: Hunt) -> None:
    line = 'test "$#" -lt 5'
    done = hunt(line, "--one")
    assert (done.code, done.out.count("--x")) == (0, 2 * 5)
    text = " ".join(done.out.split())
    assert "one failing set; there may be others" in text
    assert "not bad with any one of them taken away" in text
    assert "assumes nothing: more flags may make it better" in text
    data = hunt(line, "--one", "--json").json
    assert (data["kind"], data["verdict"]["kind"], len(data["culprits"])) == ("one", "minimal", 5)
    assert data["runs"] < 60


def test_limits(hunt: Hunt, folder: Path) -> None:
    done = hunt(TOGETHER, "--max-runs", 6, "--log", "log")
    assert done.code == 18
    assert "ended after 6 runs; the smallest set that was bad has " in " ".join(done.out.split())
    assert "the same command with a higher limit goes on from the log" in " ".join(done.out.split())
    again = hunt(TOGETHER, "--max-runs", 6, "--log", "log")
    assert (again.code, again.out) == (18, done.out), "a log that is read again gives the same report"
    whole = hunt(TOGETHER, "--log", "log")
    assert whole.out.startswith("the culprits are --x7 and --x31, together\n")
    assert hunt("sleep 5; exit 1", "--budget", "0.1s").code == 18


def test_what_is_known_beforehand(hunt: Hunt, folder: Path) -> None:
    (folder / "bad.txt").write_text("--x3\n--x7\n--x20\n--x31\n")
    (folder / "good.txt").write_text("--x31\n--x40\n")
    data = hunt(TOGETHER, "--known-bad", "bad.txt", "--json").json
    assert (data["culprits"], data["flags"]) == (["--x7", "--x31"], 4)
    data = hunt(TOGETHER, "--known-good", "good.txt", "--json").json
    assert (data["culprits"], data["flags"]) == (["--x7"], 38)
    assert data["command"][-3:] == ["--x7", "--x31", "--x40"]
    (folder / "good.txt").write_text("--none\n")
    assert hunt(TOGETHER, "--known-good", "good.txt").code == 3


def test_flags_that_need_others(hunt: Hunt, folder: Path) -> None:
    """--x9 cannot be on without --x8; the culprits are --x9 and --x30."""
    line = 'case " $* " in *" --x8 --x9 "*"--x30 "*) exit 1;; *" --x8 "*) ;; *" --x9 "*) exit 125;; esac'
    (folder / "needs.txt").write_text("--x9\t--x8\n")
    found = hunt(line, "--json").json
    assert found["culprits"] == ["--x8", "--x9", "--x30"]
    told = hunt(line, "--requires", "needs.txt", "--json").json
    assert (told["culprits"], told["kind"]) == (found["culprits"], "one")


# Verdicts


@pytest.mark.parametrize(
    ("line", "options"),
    [
        (f"({TOGETHER}) && exit 3; exit 0", ["--invert", "--bad-codes", "3"]),
        (f"({TOGETHER}); exit 0", ["--match", "7 meets [0-9]+"]),
        (f"({TOGETHER}) || kill -SEGV $$", ["--crash-is-bad"]),
        (f"({TOGETHER}) || exit 200", ["--bad-codes", "7,200-201"]),
        (f"({TOGETHER}) || sleep 60", ["--timeout", "0.3"]),
        (f"({TOGETHER}); exit $((1 - $?))", ["--invert"]),
        (
            f'({TOGETHER}) > /dev/null && echo "took 3 ms" || echo "took 40"',
            ["--measure", "output", "--threshold", "9"],
        ),
        (f"({TOGETHER}) >&2 && echo 3.5 || echo 4e1", ["--measure", "output", "--threshold", "auto"]),
    ],
)
def test_verdicts(hunt: Hunt, line: str, options: list[str]) -> None:
    done = hunt(line, "--kind", "all", "--json", *options)
    assert done.json["culprits"] == ["--x7", "--x31"]


def test_a_threshold_that_was_found_stays_in_the_log(hunt: Hunt, folder: Path) -> None:
    line = f"({TOGETHER}) >&2 && echo 3.5 || echo $(wc -l < log)"
    options = ("--measure", "output", "--threshold", "auto", "--log", "log", "--json")
    (folder / "log").write_text("")
    assert hunt("echo 1", *options).code == 2, "all on is no more than all off"
    line = f"({TOGETHER}) >&2 && echo 3.5 || echo 40"
    first = hunt(line, *options)
    assert first.json["culprits"] == ["--x7", "--x31"]
    assert json.loads((folder / "log").read_text().splitlines()[0])["threshold"] == 21.75
    assert hunt(line, *options).out == first.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--match", "("], "match must be a regular expression"),
        (["--bad-codes", "300"], "exit codes must be numbers from 0 to 255"),
        (["--measure", "seconds"], "--measure needs --threshold"),
        (["--measure", "seconds", "--threshold", "x"], "--threshold must be a number or auto"),
        (["--max-runs", "0"], "max_runs must be > 0"),
    ],
)
def test_options_that_mean_nothing(hunt: Hunt, options: list[str], message: str) -> None:
    done = hunt("true", *options)
    assert done.code == 2
    assert message in done.err


# Output


def test_json_names_no_file_that_is_removed(hunt: Hunt, tmp_path: Path) -> None:
    failed = hunt(f"({TOGETHER}) || {{ echo no; exit 1; }}", "--json", "--quiet").json["failed"]
    assert failed
    assert {run["output"] for run in failed} == {None}


def test_no_minimum_of_answers_is_stated_where_a_prior_lowers_it(hunt: Hunt, tmp_path: Path) -> None:
    prior = tmp_path / "prior.txt"
    prior.write_text("--a7\t50\n")
    assert "information-theoretic" in hunt(TOGETHER, "--quiet").out
    assert "information-theoretic" not in hunt(TOGETHER, "--quiet", "--prior", prior).out


def test_the_failing_command_is_printed_and_saved(hunt: Hunt, run: Any, folder: Path) -> None:
    done = hunt(TOGETHER, "--log", "log")
    script = folder / "log.output" / "failing.sh"
    assert "log.output/failing.sh" in done.out
    ran = subprocess.run([script], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (1, "7 meets 31\n")
    words = ("--", "sh", "-c", '! grep -q "x7$" "$1"', "sh", "{file}")
    assert run("hunt", "flags", "flags.txt", "--quiet", "--log", "other", *words).code == 0
    assert (folder / "other.output" / "failing.txt").read_text() == "--x7\n"
    assert subprocess.run([folder / "other.output" / "failing.sh"]).returncode == 1


def test_variables_keep_the_values_of_the_caller(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN", "mine")
    monkeypatch.setenv("SAID", "before")
    line = 'test "${OWN-unset}-$SAID-$NEW" != "mine-given-1" && test "$SAID" = before -o "$SAID" = given'
    done = run("hunt", "env", "OWN,SAID=given,NEW,OTHER", "--quiet", "--log", "log", "--", "sh", "-c", line)
    assert done.out.startswith("the culprits are OWN, SAID and NEW, together\n")
    monkeypatch.delenv("OWN")
    assert subprocess.run(["log.output/failing.sh"]).returncode == 1
    for names in ("A B", "1A", "A,=x", "Ä"):
        assert run("hunt", "env", names, "--", "true").code == 2


@pytest.mark.parametrize(
    ("line", "code", "error"),
    [
        ("echo last words; exit 0", 13, "NothingToHunt"),
        ("echo last words; exit 1", 14, "FailsWithoutFlags"),
        ("echo last words; exit 126", 16, "CommandStopped"),
        ("echo last words; exit 125", 17, "CannotTell"),
    ],
)
def test_json_and_last_words_of_every_end(hunt: Hunt, line: str, code: int, error: str) -> None:
    for _ in range(2):  # the second time from the log
        done = hunt(line, "--json", "--log", "log")
        assert (done.code, done.json["error"], done.json["exit_code"]) == (code, error, code)
        assert done.json["text"].endswith("\nlast words")
        assert done.err.splitlines()[1] == "last words"


def test_an_error_says_how_many_runs_there_were(hunt: Hunt) -> None:
    assert hunt("exit 0", "--json").json["runs"] == 1
    assert hunt("exit 1", "--json").json["runs"] == 2


def test_a_long_set_fits_the_screen(hunt: Hunt) -> None:
    done = hunt("exit $(($# > 30))", "--max-runs", 3)
    assert done.code == 18
    assert max(len(line) for line in done.out.splitlines()) <= 80


def test_the_script_makes_the_folder_and_the_job_that_the_command_names(run: Any) -> None:
    line = 'test -d "$1" && test "$2" = job0 && shift 2 && case " $* " in *" --x7 "*) exit 1;; esac'
    command = ("sh", "-c", line, "sh", "{dir}/", "job{job}", "{}")
    done = run("hunt", "flags", "flags.txt", "--log", "log", "--quiet", "--", *command)
    assert done.out.startswith("the culprit is --x7\n"), done.err
    assert subprocess.run(["sh", "log.output/failing.sh"]).returncode == 1


def test_a_killed_hunt_leaves_no_folder(folder: Path) -> None:
    temporary = folder / "with blanks"
    temporary.mkdir()
    words = [sys.executable, "-m", "mistakebound", "hunt", "env", "A,B", "--quiet", "--", "sleep", "60"]
    process = subprocess.Popen(words, env={**os.environ, "TMPDIR": str(temporary)})
    deadline = time.monotonic() + 30
    while not list(temporary.glob("*/dir")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(temporary.glob("*/dir"))
    process.kill()
    process.wait()
    while list(temporary.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(temporary.iterdir()) == []


def test_json_of_a_usage_error(hunt: Hunt) -> None:
    done = hunt("true", "--json", "--confidence", "2")
    assert (done.code, done.json["exit_code"]) == (2, 2)


# Files that shrink


C_FILE = """#include <stdio.h>

static int twice(int a)
{
    int b = a;

    return b + a;
}

static int once(int a)
{
    if (a > 1) {
        return a;
    }
    return 1;
}

int main(void)
{
    printf("%d", twice(1));
    printf("%d", once(2));

    return 0;
}
"""


def test_a_file_is_reduced(run: Any, folder: Path) -> None:
    """Blank lines and lines that are there twice are lines like any others."""
    (folder / "crash.c").write_text(C_FILE)
    line = 'test "$(tr -cd "{" < "$1" | wc -c)" = "$(tr -cd "}" < "$1" | wc -c)" || exit 125; ! grep -q "once(2)" "$1"'
    words = ("hunt", "reduce", "crash.c", "--quiet", "--log", "log", "--", "sh", "-c", line, "sh", "{}")
    done = run(*words)
    assert done.code == 0
    assert done.out.startswith("crash.c: 24 lines to 1, 255 bytes to 7\n")
    assert (folder / "crash.reduced.c").read_text() == "once(2)"
    data = run(*words[:3], "--json", "--quiet", "--by", "lines", *words[6:]).json
    assert (data["lines"], data["out"]) == ([24, 1], "crash.reduced.c")
    assert (folder / "crash.reduced.c").read_text() == '    printf("%d", once(2));\n'
    assert run(*words).out == done.out
    (folder / "crash.reduced.c").write_text("something of mine\n")
    refused = run(*words)
    assert (refused.code, "refusing to overwrite crash.reduced.c" in refused.err) == (2, True)
    assert (folder / "crash.reduced.c").read_text() == "something of mine\n"
    assert (folder / "crash.c").read_text() == C_FILE
    assert os.listdir(folder / "temporary") == []


def test_bytes_that_are_no_text_are_reduced(run: Any, folder: Path) -> None:
    (folder / "data").write_bytes(b"\xff\x00\r\n\r\xc3\xa9\n\n\xfe")
    words = ("hunt", "reduce", "data", "--quiet", "--jobs", "2", "--", "sh", "-c", '! grep -q "é" "$1"', "sh", "{}")
    assert run(*words).code == 0
    assert (folder / "data.reduced").read_bytes() == "é".encode()
    (folder / "empty").write_bytes(b"")
    assert run("hunt", "reduce", "empty", "--", "true", "{}").code == 10
    assert run("hunt", "reduce", "data", "--", "true").code == 2


# Commits


@pytest.fixture
def repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("git") is None:
        pytest.skip("no git")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "a")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@b")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    for name, value in (("COUNT", "1"), ("KEY_0", "core.fsync"), ("VALUE_0", "none")):  # nothing waits for the disk
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    repository = folder / "repository"
    repository.mkdir()
    monkeypatch.chdir(repository)
    subprocess.run(["git", "init", "-q"], check=True)
    for number in range(13):
        name = "shared.txt" if number in (4, 9) else f"file{number}.txt"
        with open(name, "a") as file:
            file.write(f"line {number}\n")
        subprocess.run(["git", "add", "."], check=True)
        subprocess.run(["git", "commit", "-qm", f"change {number}"], check=True)
        if number == 0:
            subprocess.run(["git", "tag", "base"], check=True)
    return repository


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.long), 2])
def test_the_pair_of_commits_that_bisect_cannot_find(run: Any, repository: Path, folder: Path, jobs: int) -> None:
    """It takes change 9, which needs change 4, and change 2."""
    line = "touch made; ! { grep -qs 9 shared.txt && test -e file2.txt; }"
    done = run("hunt", "git", "base..HEAD", "--jobs", jobs, "--quiet", "--json", "--", "sh", "-c", line)
    subjects = [name.partition(" ")[2] for name in done.json["culprits"]]
    assert subjects == ["change 2", "change 4", "change 9"], done.json
    assert done.json["verdict"]["kind"] == "minimal"
    listed = subprocess.run(["git", "worktree", "list"], capture_output=True, text=True, check=True)
    assert len(listed.stdout.splitlines()) == 1
    assert not (repository / "made").exists()
    assert os.listdir(folder / "temporary") == []


def test_a_run_that_was_ended_leaves_no_lock_to_the_next(run: Any, repository: Path) -> None:
    """Git that is ended in the middle leaves its locks behind; a worktree of its own has nobody else who needs them."""
    line = 'cd "$(git rev-parse --git-dir)" && touch index.lock HEAD.lock && cd "$OLDPWD"; ! test -e file7.txt'
    done = run("hunt", "git", "base..HEAD", "--quiet", "--json", "--", "sh", "-c", line)
    assert [name.partition(" ")[2] for name in done.json["culprits"]] == ["change 7"]


def test_a_worktree_that_cannot_be_put_back_stops_the_hunt(run: Any, repository: Path) -> None:
    """Said to be "cannot tell", as a set that cannot be applied, it would give wrong culprits."""
    line = 'test -e file7.txt || exit 0; echo nothing > "$(git rev-parse --git-dir)/HEAD"; exit 1'
    done = run("hunt", "git", "base..HEAD", "--quiet", "--", "sh", "-c", line)
    assert (done.code, done.out) == (16, "")
    assert "git failed (exit status 128): cherry-pick --quit fatal: not a git repository" in " ".join(done.err.split())
    assert len(subprocess.run(["git", "worktree", "list"], capture_output=True, check=True).stdout.splitlines()) == 1


def state_of(repository: Path) -> list[str]:
    said = [["rev-parse", "HEAD"], ["symbolic-ref", "HEAD"], ["status", "--porcelain"], ["diff"], ["diff", "--cached"]]
    return [subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout for words in said]


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.parametrize("around", ["temporary", "repository/temporary"])
def test_a_run_that_removes_what_leads_git_does_no_harm(
    run: Any, repository: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, around: str, jobs: int
) -> None:
    """Neither to the runs that follow, which need git, nor to a repository around the worktrees."""
    (folder / around).mkdir(exist_ok=True)
    (repository / "file3.txt").write_text("precious\n")
    before = state_of(repository)
    monkeypatch.setenv("TMPDIR", str(folder / around))
    monkeypatch.setattr("tempfile.tempdir", None)
    line = 'test "$(git rev-parse --show-toplevel)" = "$PWD" || exit 1; test -e file5.txt && rm -rf .git; '
    line += "! test -e file7.txt"
    done = run("hunt", "git", "base..HEAD", "--jobs", jobs, "--quiet", "--json", "--", "sh", "-c", line)
    assert [name.partition(" ")[2] for name in done.json["culprits"]] == ["change 7"]
    assert state_of(repository) == before


@pytest.mark.parametrize("how", ["bare", "linked", "a name in another alphabet"])
def test_repositories_of_every_kind(
    run: Any, repository: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The hook after a checkout, which is not for worktrees of a hunt, fails."""
    other = folder / os.fsdecode(b"caf\xe9 \xff" if how.startswith("a name") else b"other")
    words = {"bare": ["clone", "-q", "--bare", "."], "linked": ["worktree", "add", "-q", "--detach"]}
    subprocess.run(["git", *words.get(how, ["clone", "-q", "."]), other], check=True)
    hooks = Path(os.fsdecode(subprocess.run(
        ["git", "-C", other, "rev-parse", "--git-common-dir"], capture_output=True, check=True
    ).stdout).rstrip("\n"))  # fmt: skip
    hook = (other / hooks / "hooks" / "post-checkout").resolve()
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    monkeypatch.chdir(other)
    listed = subprocess.run(["git", "worktree", "list"], capture_output=True, check=True).stdout
    done = run("hunt", "git", "base..HEAD", "--quiet", "--json", "--", "sh", "-c", "! test -e file7.txt")
    assert [name.partition(" ")[2] for name in done.json["culprits"]] == ["change 7"]
    assert subprocess.run(["git", "worktree", "list"], capture_output=True, check=True).stdout == listed
    assert (other / hooks / "worktrees").exists() == (how == "linked")


def test_a_worktree_that_was_ended_while_it_was_added_is_added_again(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oracle, token, real = GitOracle(["true"], "base..HEAD"), Token(), CommandOracle.run

    def ended(self: GitOracle, words: list[str], *more: Any, **options: Any) -> int | None:
        status = real(self, words, *more, **options)
        if "worktree" in words:
            token.set()
        return 125 if token.is_set() else status

    monkeypatch.setattr(CommandOracle, "run", ended)
    assert oracle.outcome(frozenset(), token).bad is None
    monkeypatch.undo()
    assert not (repository / ".git" / "worktrees").exists()
    assert oracle.outcome(frozenset()).bad is False
    oracle.close()


def test_a_hunt_that_is_killed_leaves_no_worktree_in_the_list(repository: Path, folder: Path) -> None:
    def wait_for(state: Callable[[], bool]) -> None:
        end = time.monotonic() + 30
        while not state():
            assert time.monotonic() < end
            time.sleep(0.01)

    line = f"touch {folder}/begun; sleep 60"
    words = [sys.executable, "-m", "mistakebound", "hunt", "git", "base..HEAD", "--quiet", "--", "sh", "-c", line]
    hunt = subprocess.Popen(words)
    wait_for((folder / "begun").exists)
    assert any((repository / ".git" / "worktrees").iterdir())
    hunt.kill()
    hunt.wait()
    wait_for(lambda: not any((repository / ".git").glob("worktrees/*")) and not any((folder / "temporary").iterdir()))


def test_a_hunt_from_a_hook_leaves_the_index_of_its_repository(
    run: Any, repository: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "file3.txt").write_text("precious\n")
    subprocess.run(["git", "add", "file3.txt"], check=True)
    before = state_of(repository)
    with monkeypatch.context() as hook:
        hook.setenv("GIT_DIR", str(repository / ".git"))
        hook.setenv("GIT_INDEX_FILE", str(repository / ".git" / "index"))
        line = "git diff --quiet HEAD~1 -- file7.txt; ! test -e file7.txt"
        done = run("hunt", "git", "base..HEAD", "--quiet", "--json", "--", "sh", "-c", line)
    assert [name.partition(" ")[2] for name in done.json["culprits"]] == ["change 7"]
    assert state_of(repository) == before


def test_a_run_that_is_not_wanted_any_more_cannot_tell(repository: Path) -> None:
    oracle, token = GitOracle(["true"], "base..HEAD"), Token()
    oracle.cancel(token)
    assert oracle.outcome(frozenset(), token).bad is None
    oracle.close()


def test_git_that_fails_is_no_conflict(
    run: Any, repository: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed, or with a full disk: said to be "cannot tell", it would give wrong culprits."""
    path = shutil.which("git")
    (folder / "git").write_text(
        f"""#!/bin/sh
case " $* " in *" --no-commit "*) test -e {folder}/twice && kill -KILL $$; touch {folder}/twice ;; esac
exec {path} "$@"
"""
    )
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    line = "! { test -e file2.txt && test -e file6.txt; }"
    done = run("hunt", "git", "base..HEAD", "--quiet", "--", "sh", "-c", line)
    assert (done.code, done.out) == (16, "")
    assert "git failed (ended by SIGKILL): cherry-pick --no-commit" in " ".join(done.err.split())


def test_repositories_that_a_run_makes_go_before_the_next(run: Any, repository: Path) -> None:
    line = "test -e sub && exit 1; test -e file7.txt && { git init -q sub; exit 1; }; exit 0"
    done = run("hunt", "git", "base..HEAD", "--quiet", "--json", "--", "sh", "-c", line)
    assert [name.partition(" ")[2] for name in done.json["culprits"]] == ["change 7"]


def test_git_takes_its_time(run: Any, repository: Path) -> None:
    """The limit is for the command."""
    done = run("hunt", "git", "base..HEAD", "--quiet", "--timeout", "0.001", "--", "sleep", "1")
    assert (done.code, done.err.count("git")) == (14, 0), done.err


def test_what_a_run_that_nobody_needed_printed_is_not_kept(hunt: Hunt, folder: Path) -> None:
    """It says what would stop the hunt, after those that are needed have ended."""
    (folder / "alone").mkdir()
    name = f'{folder}/alone/$(echo "$*" | cksum | cut -d" " -f1)'
    hunt(f"echo > {name}; {TOGETHER}", "--kind", "all")
    line = f"test -e {name} || {{ echo words; exit 126; }}; sleep 0.05; {TOGETHER}"
    done = hunt(line, "--kind", "all", "--jobs", 4, "--log", "log", "--json")
    assert done.json["culprits"] == ["--x7", "--x31"]
    assert not any(name.startswith("begun-") for name in os.listdir(folder / "log.output"))


def test_what_the_last_run_of_a_parallel_hunt_printed_is_not_kept(hunt: Hunt, folder: Path) -> None:
    hunt(TOGETHER, "--jobs", 2, "--log", "log")
    kept = os.listdir(folder / "log.output")
    assert any(name.startswith("run-") for name in kept)
    assert not any(name.startswith("begun-") for name in kept), kept


def test_a_worktree_that_a_run_has_locked_goes_too(run: Any, repository: Path) -> None:
    line = "git worktree lock . 2> /dev/null; ! test -e file7.txt"
    done = run("hunt", "git", "base..HEAD", "--quiet", "--", "sh", "-c", line)
    assert "change 7" in done.out
    assert len(subprocess.run(["git", "worktree", "list"], capture_output=True, check=True).stdout.splitlines()) == 1


def test_commits_are_applied_with_those_that_they_need(run: Any, repository: Path, folder: Path) -> None:
    """A chain of changes of one line, a file that is made, emptied and filled again, and two culprits among them."""

    def commit(name: str, text: str, subject: str) -> None:
        (repository / name).write_text(text)
        subprocess.run(["git", "add", "."], check=True)
        subprocess.run(["git", "commit", "-qm", subject], check=True)

    for number in range(6):
        commit("chain.txt", f"first\nvalue {number}\nlast\n", f"chain {number}")
        commit(f"ä {number}.txt", "alone\n", f"alone {number}")
    for number, text in enumerate(("", "filled\n")):
        commit("empty.txt", text, f"empty {number}")
    line = "! { grep -qs -e 'value 4' -e 'value 5' chain.txt && test -e 'ä 2.txt' && test -s empty.txt; }"
    log = folder / "log"
    done = run("hunt", "git", "base..HEAD", "--log", log, "--json", "--", "sh", "-c", line)
    subjects = [name.partition(" ")[2] for name in done.json["culprits"]]
    assert subjects == [*(f"chain {n}" for n in (0, 1, 2)), "alone 2", "chain 3", "chain 4", "empty 0", "empty 1"]
    assert "cannot tell" not in log.read_text()
    assert "7 of 26 commits change lines of others" in done.err


def test_commits_that_need_no_other(run: Any, repository: Path) -> None:
    line = "! { test -e file2.txt && test -e file7.txt; }"
    done = run("hunt", "git", "base..HEAD~4", "--quiet", "--json", "--", "sh", "-c", line)
    assert (done.json["kind"], len(done.json["culprits"])) == ("all", 2)


def test_ranges_that_are_none(run: Any, repository: Path) -> None:
    for span in ("base", "..HEAD", "base...HEAD", "base..none", "none..HEAD"):
        assert run("hunt", "git", span, "--", "true").code == 2, span
    assert run("hunt", "git", "HEAD..HEAD", "--", "true").code == 10


# Compilers


def test_flags_are_read_from_the_compiler(run: Any, folder: Path) -> None:
    (folder / "cc").write_text(
        "#!/bin/sh\n"
        'case " $* " in *" -O0 "*) s=disabled; v=none;; *) s=enabled; v=cheap;; esac\n'
        'for f in a b c d; do printf "  -f$f \\t\\t[$s]\\n"; done; printf "  -fcost=[none|cheap] \\t$v\\n"\n'
        'printf "  -falways \\t[enabled]\\n  -O<number> \\t\\n"\n'
    )
    (folder / "cc").chmod(0o755)
    line = 'case " $* " in *" -fb "*" -fcost=cheap "*) exit 1;; *-falways*) exit 126;; esac; test "$#" = 5'
    done = run("hunt", "compiler", "./cc -O2", "--json", "--quiet", "--", "sh", "-c", line, "sh", "{}")
    assert done.json["culprits"] == ["-fb", "-fcost=cheap"]
    assert done.json["command"][-5:] == ["-fno-a", "-fb", "-fno-c", "-fno-d", "-fcost=cheap"]
    assert run("hunt", "compiler", "no-such-cc -O2", "--", "true", "{}").code == 12
    assert run("hunt", "compiler", "false", "--", "true", "{}").code == 2


@pytest.mark.parametrize("tests", [2, pytest.param(4, marks=pytest.mark.long)])
def test_the_example_of_the_help_with_pytest_works(
    run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, tests: int
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    (folder / "pytest.ini").write_text("[pytest]\n")
    for number in range(tests):
        line = "os.environ['X'] = '1'" if number == 1 else "pass"
        (folder / f"test_{number}.py").write_text(f"import os\ndef test_it(): {line}\n")
    (folder / "test_victim.py").write_text("import os\ndef test_it(): assert 'X' not in os.environ\n")
    (folder / "tests.txt").write_text("".join(f"test_{number}.py\n" for number in range(tests)))
    words = ("--", sys.executable, "-m", "pytest", "-q", "@{file}", "test_victim.py")
    done = run("hunt", "flags", "tests.txt", "--quiet", *words)
    assert done.out.startswith("the culprit is test_1.py\n"), done.err


def test_a_command_stands_behind_dashes(run, tmp_path: Path) -> None:
    """Without them a word of it might be taken for an option of ours, or one of ours for a word of it."""
    flags = tmp_path / "flags.txt"
    flags.write_text("a\nb\n")
    for words in (["true", "{}"], ["--jobs", "2", "true"], ["gcc", "-c", "{}"]):
        done = run("hunt", "flags", flags, *words)
        assert (done.code, done.out) == (2, "")
        assert "COMMAND must follow --, as in `... -- make {}`" in done.err
    assert "must follow" not in run("hunt", "flags", flags, "--", "true", "{}").err
    assert "arguments are required: COMMAND" in run("hunt", "flags", flags).err
