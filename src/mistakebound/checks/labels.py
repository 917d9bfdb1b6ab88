"""Labels come back as they were given."""

from __future__ import annotations

from mistakebound.checks._games import easy_game, play, require
from mistakebound.checks._registry import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.checks._subject import Subject


def _same(found: Any, given: Any) -> bool:
    return bool(found == given) and isinstance(found, str) == isinstance(given, str)


@check("rows", "online")
def check_known_labels_come_back(subject: Subject) -> None:
    """0/1, -1/+1 and False/True, also as NumPy scalars, need no declaration; predictions are of the same pair."""
    import numpy as np

    pairs = [(0, 1), (-1, 1), (False, True), (np.int64(-1), np.int64(1)), (np.bool_(False), np.bool_(True)), (0.0, 1.0)]
    game = easy_game(subject)
    plain = subject.make()
    play(plain, game.rows, [0, 1, *game.labels][: len(game.rows)])
    for pair in pairs:
        learner = subject.make()
        labels = [pair[label] for label in game.labels]
        for x, label in sorted(zip(game.rows, labels, strict=True), key=lambda trial: bool(trial[1] == 1)):
            play(learner, [x], [label])
            said = learner.predict_one(x)
            require(any(_same(said, known) for known in pair), f"labels {pair!r}: the prediction is {said!r}")
            if isinstance(pair[0], bool):
                require(isinstance(said, bool), f"labels False and True: the prediction is {said!r}")


@check("rows", "online")
def check_declared_labels_come_back(subject: Subject) -> None:
    """labels=(negative, positive) may be any two texts or numbers; the play is the same as with 0 and 1."""
    import numpy as np

    if not subject.takes_options:
        return
    game = easy_game(subject)
    plain = subject.make(labels=(0, 1))
    said = play(plain, game.rows, game.labels)
    for pair in (("ham", "spam"), (2, 1), (1, 0), ("no", 5), (np.int64(3), np.int64(4)), (-0.5, 0.5)):
        learner = subject.make(labels=pair)
        heard = play(learner, game.rows, [pair[label] for label in game.labels])
        expected = [pair[label] for label in said]
        require(len(heard) == len(said), f"labels {pair!r}: the play has another length")
        require(all(map(_same, heard, expected)), f"labels {pair!r}: predictions are not in these labels")
        require(learner.hypothesis == plain.hypothesis, f"labels {pair!r}: the hypothesis is another")
        many = learner.predict_many(np.array(game.rows)).tolist()
        one = [learner.predict_one(x) for x in game.rows]
        require(all(map(_same, many, one)), f"labels {pair!r}: predict_many gives other labels than predict_one")
