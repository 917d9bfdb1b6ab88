"""Invalid input is refused with BadData (or BadParameter), and leaves no trace."""

from __future__ import annotations

from functools import partial

from mistakebound.checks._games import ROWS, WIDTH, easy_game, play, refused, require, state
from mistakebound.checks._subject import check
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.optional import scipy_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.checks._subject import Subject


def _refused(subject: Subject, *trials: tuple[str, Any, Any]) -> None:
    """BadData from learn_one, and from predict_one unless the label is at fault; the state is as before.

    Trials are (what is wrong, instance, label).
    """
    game = easy_game(subject)
    learner = subject.make()
    play(learner, game.rows[: ROWS // 2], game.labels[: ROWS // 2])
    before = state(learner)
    for what, x, label in trials:
        refused(partial(learner.learn_one, x, label), f"{what}: {x!r}")
        if label in (0, 1):
            refused(partial(learner.predict_one, x), f"{what}: {x!r}")
        require(state(learner) == before, f"{what}: refused, but the state changed")


@check("rows", "online")
def check_bad_instances_are_refused(subject: Subject) -> None:
    """A bare str, NaN, infinity, a text as value, a name that is not a str, a name twice, mixed names and numbers."""
    nan = float("nan")
    bad = [
        ("a bare str", "free"), ("NaN", {"1": nan}), ("NaN in a row", [1.0, nan]), ("infinity", [float("inf")]),
        ("a text as value", {"1": "1"}), ("a name that is not a str", {1: 1}), ("a name twice", ["a", "b", "a"]),
        ("a mixture", ["a", 1]), ("a number", 5), ("nothing", None), ("a set of numbers", {1, 2}),
        ("rows of rows", [[1], [0]]), ("bytes", b"free"), ("None as value", {"new": 1, "1": None}),
    ]  # fmt: skip
    _refused(subject, *((what, x, 1) for what, x in bad))


@check("rows", "online", "binary")
def check_other_values_are_refused(subject: Subject) -> None:
    """Learners of 0 and 1 refuse every other value."""
    values = (2, 0.5, -1, 1e300, 1 + 2**-52)
    _refused(subject, *((f"the value {value!r}", {"new": 1, "1": value}, 1) for value in values))


@check("rows", "online", "n")
def check_attributes_beyond_n_are_refused(subject: Subject) -> None:
    """With n declared, an id beyond n and more than n attributes are bad data; the message names the attribute."""
    n = subject.sample.settings["n"]
    many = {f"new{j}" for j in range(n + 1)}
    _refused(subject, ("an id beyond n", {"1", str(n + 1)}, 1), ("more attributes than n", many, 1))
    error = refused(lambda: subject.make().learn_one({str(n + 1)}, 1), "an id beyond n")
    require(repr(str(n + 1)) in str(error), f"the message does not name the attribute: {error}")


@check("rows", "online")
def check_bad_labels_are_refused(subject: Subject) -> None:
    """NaN, None, a list, and for learners of two classes a third label or one of another pair: bad data."""
    third = ("spam", 2, -1, 0.5) if "pair" in subject.capabilities else ()
    x = {"1", "new"} if "n" not in subject.capabilities else {"1", "20"}
    _refused(subject, *((f"label {label!r}", x, label) for label in (*third, float("nan"), None, [1])))


@check("rows", "online")
def check_bad_rows_of_arrays_are_refused(subject: Subject) -> None:
    """A bad row of a matrix ends learn_many with its row number; the rows before it are learned, it is not."""
    import numpy as np

    csr_matrix = scipy_module("sparse", "the check of refused matrices").csr_matrix
    game = easy_game(subject)
    good = 6
    expected = subject.make()
    require(len(play(expected, game.rows[:good], game.labels[:good])) == good, "the game is too hard for this check")
    X = csr_matrix(np.array(game.rows[: good + 1]))
    twice = csr_matrix(
        (np.append(X.data[: X.indptr[good]], [1.0, 1.0]), np.append(X.indices[: X.indptr[good]], [3, 3]),
         np.append(X.indptr[: good + 1], X.indptr[good] + 2)), shape=X.shape
    )  # fmt: skip
    nan = np.array(game.rows[: good + 1])
    nan[good, 3] = float("nan")
    cases: list[tuple[str, Any, list[Any]]] = [
        ("NaN", nan, game.labels[: good + 1]),
        ("a column twice", twice, game.labels[: good + 1]),
        ("a third label", X, [*game.labels[:good], 7 if "pair" in subject.capabilities else None]),
    ]
    if "binary" in subject.capabilities:
        other = np.array(game.rows[: good + 1])
        other[good, :] = 0.5
        cases.append(("the value 0.5", other, game.labels[: good + 1]))
    for what, matrix, labels in cases:
        learner = subject.make()
        error: Any = refused(partial(learner.learn_many, matrix, labels), what)
        require(error.row == good, f"{what}: row {error.row} is named, it was {good}")
        require(state(learner) == state(expected), f"{what}: the state is not that of the rows before")


@check("rows", "online")
def check_bad_matrices_are_refused(subject: Subject) -> None:
    """Texts, three dimensions, too few labels, names that do not fit: BadData, and nothing is learned."""
    import numpy as np

    fine = np.array(easy_game(subject).rows[:2])
    names = [f"c{j}" for j in range(WIDTH)]
    cases: list[tuple[str, Any, Any, Any]] = [
        ("texts", np.array([["a"]]), [1], None), ("3 dimensions", fine[None], [1], None),
        ("a label too few", fine, [1], None), ("a name too few", fine, [0, 1], names[1:]),
        ("a name twice", fine, [0, 1], names[1:] + names[1:2]),
        ("rows of two lengths", [[1.0], [1.0, 1.0]], [0, 1], None),
    ]  # fmt: skip
    for what, X, y, columns in cases:
        learner = subject.make()
        before = state(learner)
        refused(partial(learner.learn_many, X, y, names=columns), what)
        require(state(learner)[1:] == before[1:], f"{what}: refused, but the state changed")


@check("rows", "online")
def check_weight_is_refused(subject: Subject) -> None:
    """A learner that gives no meaning to a trial's weight says so, unless it declares `weighted = True`."""
    if subject.sample.weighted:
        return
    learner = subject.make()
    before = state(learner)
    for weight in (2.0, 0.0, 0.5, -1.0):
        call = partial(learner.learn_one, [1, 0, 1], 1, weight=weight)
        error = refused(call, f"weight {weight}", (BadParameter, BadData))
        require("weight" in str(error), f"the message does not mention the weight: {error}")
    require(state(learner) == before, "a refused weight changed the state")
    learner.learn_one([1, 0, 1], 1, weight=1)
