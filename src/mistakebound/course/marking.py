"""Exercises as data, and what marks them: one format for notebooks, tests and any page that shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any, NamedTuple

from mistakebound.concepts.concept import Concept
from mistakebound.core.errors import BadParameter
from mistakebound.course.answers import KINDS, read_answer

CHAPTERS = (
    "trials", "concepts", "trees", "networks", "bayes", "samples", "mistakes", "halving", "winnow", "perceptron",
)  # fmt: skip
_NEAR = Fraction(1, 200)  # half a percent: three digits are enough


class Mark(NamedTuple):
    """Whether an answer is right, and what is said to it; true where it is right.

    Parameters
    ----------
    right : bool
        Whether the answer is right.
    message : str
        A sentence for the student.

    Examples
    --------
    >>> mark = Mark(False, "It is too small.")
    >>> bool(mark), str(mark)
    (False, 'Not yet. It is too small.')
    """

    right: bool
    message: str

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return "Right." if self.right else f"Not yet. {self.message}"

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Exercise:
    """A question, the kind of its answer, what marks it and some hints.

    Parameters
    ----------
    id : str
        The chapter and a number: "winnow-3".
    question : str
        What is asked.
    kind : str
        The kind of the answer, such as "integer" or "formula"; an answer is given as text or as a Python value.
    fault : function of (answer)
        What is wrong with an answer, in a sentence; "" where it is right.  It computes, and knows no answer by heart.
    hints : tuple of str
        From the first to the last, each says more.
    options : tuple of str, default ()
        Of a choice.

    Examples
    --------
    >>> exercises("winnow")[0].as_json()["kind"]
    'number'
    """

    id: str
    question: str
    kind: str
    fault: Callable[[Any], str] = field(repr=False)
    hints: tuple[str, ...] = field(repr=False)
    options: tuple[str, ...] = ()

    @property
    def chapter(self) -> str:
        return self.id.rpartition("-")[0]

    def as_json(self) -> dict[str, Any]:
        """All that a page needs to ask the question; the answer goes to `check`."""
        words, example, _ = KINDS[self.kind]
        return {
            "id": self.id, "chapter": self.chapter, "question": self.question, "kind": self.kind, "form": words,
            "example": self.options[0] if self.options else example, "options": list(self.options),
            "hints": list(self.hints),
        }  # fmt: skip

    def mark(self, answer: Any) -> Mark:
        if answer is None:
            return Mark(False, f'There is no answer yet; mb.course.hint("{self.id}") helps.')
        try:
            given = read_answer(self.kind, answer)
        except BadParameter as error:  # a sentence for the student, not a traceback
            return Mark(False, f"The {error}.")
        if self.options and given not in self.options:
            return Mark(False, f"The answer must be one of {', '.join(self.options)}: {given!r}.")
        fault = self.fault(given)
        return Mark(not fault, fault or "Right.")


def equals(compute: Callable[[], Any]) -> Callable[[Any], str]:
    """Marks a whole number, or a choice, by what the library computes."""

    def fault(answer: Any) -> str:
        expected = compute()
        if answer == expected:
            return ""
        return (
            "It is another one."
            if isinstance(answer, str)
            else f"It is too {'small' if answer < expected else 'large'}."
        )

    return fault


def near(compute: Callable[[], Any]) -> Callable[[Fraction], str]:
    """Marks a number by what the library computes, to half a percent."""

    def fault(answer: Fraction) -> str:
        expected = Fraction(compute())
        if abs(answer - expected) <= _NEAR * abs(expected):
            return ""
        return f"It is too {'small' if answer < expected else 'large'}."

    return fault


def predicts_as(learned: Callable[[], Any], n: int) -> Callable[[Concept], str]:
    """Marks a formula over n attributes by what a learner predicts for every instance."""

    def fault(answer: Concept) -> str:
        learner = learned()
        for x in product((0, 1), repeat=n):
            if answer(x) != learner.predict_one(x):
                return f"The learner would predict {learner.predict_one(x)} for {''.join(map(str, x))}."
        return ""

    return fault


@cache
def _all() -> dict[str, Exercise]:
    modules = (import_module(f"mistakebound.course.chapters.{chapter}") for chapter in CHAPTERS)
    return {exercise.id: exercise for module in modules for exercise in module.EXERCISES}


def _found(exercise: str) -> Exercise:
    if exercise not in _all():
        raise BadParameter(f"exercise must be an id such as 'winnow-3', one of mb.course.exercises(): {exercise!r}")
    return _all()[exercise]


def exercises(chapter: str | None = None) -> list[Exercise]:
    """The exercises of the course, in order.

    Parameters
    ----------
    chapter : str or None, default None
        One of "trials", "concepts", "trees", "networks", "bayes", "samples", "mistakes", "halving", "winnow",
        "perceptron".  None: all chapters.

    Returns
    -------
    list of Exercise

    Examples
    --------
    >>> len(exercises()), [exercise.id for exercise in exercises("halving")]
    (40, ['halving-1', 'halving-2', 'halving-3', 'halving-4'])
    """
    if chapter is not None and chapter not in CHAPTERS:
        raise BadParameter(f"chapter must be one of {', '.join(CHAPTERS)}: {chapter!r}")
    return [exercise for exercise in _all().values() if chapter in (None, exercise.chapter)]


def check(exercise: str, answer: Any) -> Mark:
    """Marks an answer.

    Parameters
    ----------
    exercise : str
        The id, such as "winnow-3".
    answer : object
        As text or as a Python value; `exercises` says of which kind.  None: no answer yet.

    Returns
    -------
    Mark
        True where the answer is right; its text says what is wrong.

    Examples
    --------
    >>> check("halving-2", 3), check("halving-2", "4")
    (Not yet. It is too small., Right.)
    """
    return _found(exercise).mark(answer)


def hint(exercise: str, number: int = 1) -> str:
    """A hint for an exercise.

    Parameters
    ----------
    exercise : str
        The id, such as "winnow-3".
    number : int, default 1
        Which hint; later ones say more.

    Returns
    -------
    str

    Examples
    --------
    >>> print(hint("halving-2"))
    Ask the point in the middle: how many thresholds does each answer leave?
    """
    found = _found(exercise)
    if number not in range(1, len(found.hints) + 1):
        raise BadParameter(f"number must be between 1 and {len(found.hints)} for {exercise}: {number!r}")
    return found.hints[number - 1]
