"""A learner that was saved, loaded and taken up again is one that never stopped."""

from __future__ import annotations

from mistakebound.checks._games import ROWS, games, model_bytes, play, require, state
from mistakebound.checks._registry import check
from mistakebound.core import model_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.checks._subject import Subject


def saved_and_loaded(learner: Any) -> Any:
    """The learner out of its own model file; it need not be among the registered ones."""
    import os
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.mb")
        learner.save(path)
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
