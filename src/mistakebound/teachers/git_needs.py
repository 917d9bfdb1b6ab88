"""Which commits of a range need which: those that wrote the lines that a commit changes, or the lines beside them.

A commit is put onto another state by `git cherry-pick`, which conflicts where the lines around a change are not those
that the commit knew.  So the commits of the range that `git blame` names for these lines must be there first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+")
_HASH = re.compile(r"\^?([0-9a-f]{40}) \d+ \d+")
_NOTHING = "/dev/null"

Git = Callable[..., str]


def commit_needs(git: Git, base: str, commits: Sequence[str]) -> dict[str, set[str]]:
    """Commit to the commits that it needs, where there are any.

    `git` runs git with these words and returns what it prints; `commits` are hashes, oldest first.
    """
    known, found = set(commits), {}
    for commit in commits:
        before = f"{base}..{commit}^"
        needed: set[str] = set()
        for path, lines in changed_lines(git("show", "--format=", "-U0", "--no-renames", "--no-ext-diff", commit)):
            written = _writers(git("blame", "--porcelain", before, "--", path)) if lines else []
            touched = {written[line - 1] for line in lines if 0 < line <= len(written)}
            if not written:  # an empty file, a binary one, or a change of its mode: who wrote it last
                touched = set(git("log", "--format=%H", "-1", before, "--", path).split())
            needed |= touched & known
        if needed - {commit}:
            found[commit] = needed - {commit}
    return found


def changed_lines(patch: str) -> Iterator[tuple[str, list[int]]]:
    r"""Each file that was there before, with the numbers of the lines that a patch changes and of those beside them.

    >>> list(changed_lines("--- a/f\n+++ b/f\n@@ -3,0 +4 @@\n+x\n@@ -9,2 +10 @@\n-a\n-b\n+c\n"))
    [('f', [3, 4, 8, 9, 10, 11])]
    >>> list(changed_lines("diff --git a/i.png b/i.png\nindex 1..2 100644\nBinary files a/i.png and b/i.png differ\n"))
    [('i.png', [])]
    """
    path, lines = "", list[int]()
    for line in patch.split("\n"):
        if line.startswith("diff --git "):
            if path:
                yield path, lines
            path, lines = "", []
        elif line.startswith("--- a/"):
            path = line[6:].rstrip("\t")
        elif line.startswith("Binary files a/"):
            path = line[15:].partition(" and ")[0]
        elif match := _HUNK.match(line):
            start, size = int(match[1]), int(match[2] or "1")
            lines.extend(range(start, start + 2) if not size else range(start - 1, start + size + 1))
    if path:
        yield path, lines


def _writers(blame: str) -> list[str]:
    """The commit of each line."""
    return [match[1] for line in blame.split("\n") if (match := _HASH.match(line))]
