"""The same play, whatever comes between: saved, loaded and taken up again, or under any PYTHONHASHSEED."""

from __future__ import annotations

from mistakebound.checks._games import NAMES, ROWS, WIDTH, games, model_bytes, play, require, saved, state
from mistakebound.checks._subject import Subject, check, subjects
from mistakebound.core import model_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SCRIPT = """
import sys
from importlib import import_module
sys.path[:] = {path!r}
from mistakebound.checks.resuming import trace
made = import_module({module!r})
for part in {name!r}.split("."):
    made = getattr(made, part)
print(trace(made, {most}))
"""


def saved_and_loaded(learner: Any) -> Any:
    """The learner out of its own model file; it need not be among the registered ones."""
    with saved(learner) as path:
        header, arrays = model_file.read(path)
    return type(learner).restore(header, arrays)


@check("rows", "online")
def check_resuming_equals_never_stopping(subject: Subject) -> None:
    """Saved and loaded after 0, 1 and some trials, it goes on to the same predictions and the same model file."""
    for game in games(subject)[:: 2 if subject.first else 3]:
        learner = subject.make()
        said = play(learner, game.rows, game.labels)
        for stop in (0, 1, ROWS // 2):
            resumed = subject.make()
            first = play(resumed, game.rows[:stop], game.labels[:stop])
            if len(first) == stop:
                resumed = saved_and_loaded(resumed)
                first += play(resumed, game.rows[stop:], game.labels[stop:])
            require(first == said, f"stopped after {stop} trials, the predictions differ")
            require(state(resumed) == state(learner), f"stopped after {stop} trials, the state differs")
        require(model_bytes(saved_and_loaded(learner)) == model_bytes(learner), "a loaded model saves as another file")


@check("rows", "online")
def check_a_copy_goes_its_own_way(subject: Subject) -> None:
    """restore(header, arrays) of a copy: what one learner learns does not reach the other."""
    for game in games(subject):
        learner = subject.make()
        play(learner, game.rows[: ROWS // 2], game.labels[: ROWS // 2])
        before, other = state(learner), learner.copy()
        require(state(other) == before, "a copy has another state")
        play(other, game.rows, game.labels)
        require(state(learner) == before, "what a copy learned reached the learner that it was copied from")


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
    """Several values of PYTHONHASHSEED give the same predictions, state and text (for what can be imported by name)."""
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
        for seed in (("0", "1", "4242") if subject.most > 1 else ("0", "4242"))
    ]
    digests = {run.communicate()[0] for run in runs}
    require(all(run.returncode == 0 for run in runs), "a process with another hash seed failed")
    require(len(digests) == 1, "the play depends on PYTHONHASHSEED")
