"""An instance is the same in every form that it may have, and whatever the order of its parts."""

from __future__ import annotations

from random import Random

from mistakebound.checks._games import NAMES, ROWS, WIDTH, games, play, require, state
from mistakebound.checks._registry import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.checks._games import Game
    from mistakebound.checks._subject import Subject


@check("rows", "online")
def check_forms_agree(subject: Subject) -> None:
    """A mapping, a row as list, tuple or array, and for 0/1 a set or a list of names: one thing."""
    import numpy as np

    for game in games(subject):
        rows = range(ROWS)
        forms: dict[str, list[Any]] = {
            "mapping": [game.mapping(row) for row in rows],
            "mapping with zeros": [{str(j + 1): v for j, v in enumerate(game.rows[row])} for row in rows],
            "tuple": [tuple(game.rows[row]) for row in rows],
            "array": list(np.array(game.rows)),
        }
        if "binary" in subject.capabilities:
            forms["set"] = [set(game.mapping(row)) for row in rows]
            forms["names"] = [list(game.mapping(row)) for row in rows]
            forms["ints"] = [[int(v) for v in game.rows[row]] for row in rows]
        learner = subject.make()
        said, expected = play(learner, list(game.rows), game.labels), state(learner)
        for name, xs in forms.items():
            other = subject.make()
            require(play(other, xs, game.labels) == said, f"{name}: predictions differ from rows")
            require(state(other) == expected, f"{name}: the state differs from rows")


@check("rows", "online")
def check_encoded_instances_agree(subject: Subject) -> None:
    """encode(x), made before anything is learned or just in time, used once or again, is x."""
    for game in games(subject):
        learner = subject.make()
        said = play(learner, game.rows + game.rows, game.labels + game.labels)
        early = subject.make()
        xs = [early.encode(x) for x in game.rows]
        require(play(early, xs + xs, game.labels + game.labels) == said, "predictions differ for encoded instances")
        require(state(early) == state(learner), "the state differs for encoded instances")
        other = subject.make()
        foreign = [other.predict_one(x) for x in xs]
        require(foreign == [other.predict_one(x) for x in game.rows], "encoded by another learner, it is another thing")


@check("rows", "online", "named")
def check_order_of_entries_does_not_matter(subject: Subject) -> None:
    """Mappings with the same entries in another order, of ids and of texts, lead to the same state, bit for bit."""
    draw = Random(7)
    for game in games(subject):
        for names in (NAMES, [str(j) for j in range(WIDTH)]):
            results = []
            for shuffled in (False, True, True):
                xs = []
                for row in game.rows:
                    entries = [(names[j], v) for j, v in enumerate(row) if v]
                    if shuffled:
                        draw.shuffle(entries)
                    xs.append(dict(entries))
                learner = subject.make()
                said = play(learner, xs, game.labels)
                scores = [learner.score_one(x).hex() for x in xs] if "scores" in subject.capabilities else []
                results.append((said, scores, state(learner)))
            require(results[0] == results[1] == results[2], "the order of the entries of a mapping matters")


def _renamed(game: Game, subject: Subject, names: list[str]) -> object:
    learner = subject.make()
    xs = [{names[j]: v for j, v in enumerate(row) if v} for row in game.rows]
    said = play(learner, xs, game.labels)
    return said, [learner.predict_one(x) for x in xs]


@check("rows", "online", "exact", "named")
def check_names_do_not_matter(subject: Subject) -> None:
    """An exact learner predicts the same whatever the attributes are called: numbering cannot matter to it."""
    for game in games(subject):
        plain = _renamed(game, subject, [str(j) for j in range(WIDTH)])
        turned = _renamed(game, subject, [str(WIDTH - j) for j in range(WIDTH)])
        require(plain == turned, "other names of the attributes lead to other predictions")
        require(plain == _renamed(game, subject, NAMES), "names that are texts lead to other predictions")
