"""An instance is the same in every form, whatever the order of its parts; labels come back as given."""

from __future__ import annotations

from random import Random

from mistakebound.checks._games import NAMES, ROWS, WIDTH, easy_game, games, play, require, state
from mistakebound.checks._subject import check

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
