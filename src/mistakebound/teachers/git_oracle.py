"""A command that is run in a repository with some commits of a range applied: a worktree for each job."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

from mistakebound.core.errors import BadParameter, CommandStopped
from mistakebound.teachers.command import CommandOracle, Place
from mistakebound.teachers.processes import ORPHANS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from io import BufferedWriter
    from typing import Any

    from mistakebound.teachers.command import Token

# What git tells hooks of their repository: a worktree has all this of its own.
_OF_HOOKS = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_PREFIX")
_CONFLICT = 1  # what `cherry-pick` ends with
_PLAIN = ("-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")


class GitOracle(CommandOracle):
    """`CommandOracle` whose flags are the commits of a range, oldest first, as "HASH SUBJECT".

    A run takes place in a worktree at the base of the range to which the commits that are on are applied, in their
    order.  `needs()` maps each commit to those that it cannot be applied without, as `requires` of `hunt` wants it; a
    set that still cannot be applied counts as "cannot tell".  A worktree that cannot be put back stops the hunt.
    """

    def __init__(self, command: Sequence[str], span: str, repository: str = ".", **more: Any) -> None:
        base, dots, head = span.partition("..")
        if not dots or not base or head.startswith("."):
            raise BadParameter(f"a range of commits must be BASE..HEAD: {span!r}")
        self._where = ["-C", repository]
        folder = self._git("rev-parse", "--absolute-git-dir", errors="surrogateescape").rstrip("\n")
        self._where = [f"--git-dir={folder}"]  # whatever a run does to the files around
        self._base = self._git("rev-parse", "--verify", f"{base}^{{commit}}").strip()
        listed = self._git(
            "log",
            "--reverse",
            "--topo-order",
            "--no-merges",
            "--format=%H %P%x09%h %s",
            f"{self._base}..{head or 'HEAD'}",
        ).splitlines()
        hashes = [line.partition("\t")[0].split() for line in listed]
        self._commits = [commit for commit, *_ in hashes]
        befores = [self._base, *self._commits][: len(hashes)]
        self._is_line = all(parents == [before] for (_, *parents), before in zip(hashes, befores, strict=True))
        names = [line.partition("\t")[2] for line in listed]
        super().__init__(command, names, env={}, **more)
        self._folder = tempfile.mkdtemp(prefix="mistakebound-hunt-git-")
        self._trees: dict[str, Path] = {}  # a worktree and where git keeps what is its own
        self._adding = threading.Lock()  # git locks its list of worktrees, and does not wait
        self._watched = ExitStack()
        self._watched.enter_context(ORPHANS.folder(self._folder))

    def _git(self, *words: str, errors: str = "replace") -> str:
        done = subprocess.run(
            ["git", *self._where, "-c", "core.quotePath=false", *words],
            capture_output=True,
            text=True,
            errors=errors,
        )
        if done.returncode:
            raise BadParameter(f"git {words[0]}: {done.stderr.strip().splitlines()[-1] if done.stderr else 'failed'}")
        return done.stdout

    def needs(self) -> dict[str, list[str]]:
        """Commit to the commits that it needs, by the lines that it changes."""
        from mistakebound.teachers.git_needs import commit_needs

        names = dict(zip(self._commits, self.flags, strict=True))
        found = commit_needs(self._git, self._base, self._commits)
        return {
            names[commit]: [names[one] for one in self._commits if one in needed] for commit, needed in found.items()
        }

    def environment(self, names: Collection[str]) -> dict[str, str]:
        found = super().environment(names)
        return {name: value for name, value in found.items() if name not in _OF_HOOKS}

    def prepare(self, names: Sequence[str], place: Place, sink: BufferedWriter, token: Token) -> bool:
        tree = os.path.join(self._folder, f"job-{place.job}")
        with self._adding:
            if tree not in self._trees and not self._add(tree, place, sink, token):
                return False
        try:
            self._mend(tree)
        except OSError as error:
            raise CommandStopped(f"the worktree {tree} cannot be put back: {error.strerror or error}") from error
        on = set(names)
        commits = [commit for commit, name in zip(self._commits, self.flags, strict=True) if name in on]
        start, picked = self._base, commits
        if self._is_line and commits == self._commits[: len(commits)]:  # then it is a state of the history
            start, picked = (commits or [self._base])[-1], []
        # Named, not looked for: without its .git, git would take the repository that the folder lies in.
        git = ["git", "-C", tree, f"--git-dir={self._trees[tree]}", f"--work-tree={tree}", *_PLAIN]
        for step in (["cherry-pick", "--quit"], ["reset", "--quiet", "--hard", start], ["clean", "-ffdxq"]):
            if self._status(git, step, place, sink, token) != 0:
                return False
        if picked and self._status(git, ["cherry-pick", "--no-commit", *picked], place, sink, token, _CONFLICT) != 0:
            return False
        place.cwd = tree
        return True

    def _add(self, tree: str, place: Place, sink: BufferedWriter, token: Token) -> bool:
        """Whether there is a worktree now, still without files."""
        step = ["worktree", "add", "--no-checkout", "--detach", "--force", "--quiet", tree, self._base]
        added = False
        try:
            added = self._status(["git", *self._where, *_PLAIN], step, place, sink, token) == 0
        finally:
            with suppress(FileNotFoundError):
                kept = os.fsdecode(Path(tree, ".git").read_bytes()).removeprefix("gitdir: ").rstrip("\n")
                self._trees[tree] = Path(tree, kept)
                self._watched.enter_context(ORPHANS.folder(str(self._trees[tree])))
            if not added and tree in self._trees:  # it was ended, perhaps in the middle
                _remove(self._trees.pop(tree))
                shutil.rmtree(tree, ignore_errors=True)
        return added

    def _mend(self, tree: str) -> None:
        """What a run may have left or removed: locks, which nobody else can hold here, and the file that leads git."""
        for lock in self._trees[tree].glob("*.lock"):
            lock.unlink(missing_ok=True)
        os.makedirs(tree, exist_ok=True)
        link = Path(tree, ".git")
        if link.is_dir() and not link.is_symlink():
            shutil.rmtree(link)
        link.unlink(missing_ok=True)
        link.write_bytes(b"gitdir: %s\n" % os.fsencode(self._trees[tree]))

    def _status(
        self, git: list[str], step: list[str], place: Place, sink: BufferedWriter, token: Token, also: int = 0
    ) -> int | None:
        """0 or `also`, what git ends with; anything when the run is not wanted any more."""
        status = self.run([*git, *step], (), Place(place.job, self._folder, ""), sink, token, None)
        if not token.is_set() and status not in (0, also):
            raise CommandStopped(self.how_it_failed("git", " ".join(step[:3]), status, sink))
        return status

    def close(self) -> None:
        """As `git worktree remove --force`, but also what a run has broken or locked."""
        shutil.rmtree(self._folder, ignore_errors=True)
        for kept in list(self._trees.values()):
            _remove(kept)
        self._trees.clear()
        self._watched.close()


def _remove(kept: Path) -> None:
    """What git keeps of a worktree, and the folder of all such when it is empty."""
    shutil.rmtree(kept, ignore_errors=True)
    with suppress(OSError):
        kept.parent.rmdir()
