"""The same play under any PYTHONHASHSEED: other processes are asked."""

from __future__ import annotations

from mistakebound.checks._games import NAMES, WIDTH, games, play, require, state
from mistakebound.checks._registry import check
from mistakebound.checks._subject import Subject, subjects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SCRIPT = """
import sys
from importlib import import_module
sys.path[:] = {path!r}
from mistakebound.checks.seeds import trace
made = import_module({module!r})
for part in {name!r}.split("."):
    made = getattr(made, part)
print(trace(made, {most}))
"""


def trace(learner: Any, most: int) -> str:
    """A digest of all games with all options: predictions, state, the text of the hypothesis."""
    from hashlib import sha256

    digest = sha256()
    for subject in subjects(learner, most):
        for game in games(subject):
            made = subject.make()
            binary = "binary" in subject.capabilities
            names = NAMES if "named" in subject.capabilities else [str(j) for j in range(1, WIDTH + 1)]
            xs: list[Any] = [{names[j]: v for j, v in enumerate(row) if v} for row in game.rows]
            said = play(made, [set(x) for x in xs] if binary else xs, game.labels)
            digest.update(repr((said, state(made), str(made.hypothesis))).encode())
    return digest.hexdigest()


@check("rows", "online", once=True)
def check_hash_seeds_agree(subject: Subject) -> None:
    """Three values of PYTHONHASHSEED give the same predictions, state and text (for what can be imported by name)."""
    import os
    import subprocess
    import sys

    made: Any = subject.learner_class if subject.takes_options else subject._make
    name, module = getattr(made, "__qualname__", "<"), getattr(made, "__module__", "__main__")
    if "<" in name or module == "__main__":
        return
    script = _SCRIPT.format(path=sys.path, module=module, name=name, most=subject.most)
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed in ("0", "1", "4242")
    ]
    digests = {run.communicate()[0] for run in runs}
    require(all(run.returncode == 0 for run in runs), "a process with another hash seed failed")
    require(len(digests) == 1, "the play depends on PYTHONHASHSEED")
