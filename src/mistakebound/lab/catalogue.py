"""What can be chosen in the arena: classes, the learners that make sense for each, teachers; all in plain words."""

from __future__ import annotations

from functools import lru_cache
from math import nextafter, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from mistakebound import learners
from mistakebound.concepts import parse_class
from mistakebound.concepts.literal_sets import MonotoneDisjunctions
from mistakebound.concepts.thresholds import RofK
from mistakebound.core.errors import BadParameter
from mistakebound.learners.finite.version_space_learner import width_of_rows

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass
    from mistakebound.lab.request import Request

_LINEAR = ("winnow1", "winnow2", "perceptron", "balanced-winnow", "arow")
_LISTED = ("halving", "standard-optimal")


class Subject(NamedTuple):
    """A class of targets that the arena offers."""

    text: str  # as the library reads it
    title: str
    words: str
    learners: tuple[str, ...]
    density: float  # share of attributes that are on in a random instance, for labels of both kinds
    small: bool = True  # all concepts and instances can be listed


SUBJECTS = (
    Subject(
        "monotone-disjunctions n=8 k=2", "two of 8 switches", "The label is 1 when a secret switch is on; there are at"
        " most two secret ones.", (*_LINEAR, "disjunction-elimination", *_LISTED), 0.3,
    ),
    Subject(
        "monotone-disjunctions n=32 k=2", "two of 32 switches", "The same with 32 switches: 30 of them or more do not"
        " matter.", (*_LINEAR, "disjunction-elimination", "halving"), 0.3, small=False,
    ),
    Subject(
        "monotone-conjunctions n=6", "all of some switches", "The label is 1 when every secret switch is on.",
        ("conjunction-elimination", "perceptron", "balanced-winnow", *_LISTED), 0.7,
    ),
    Subject(
        "r-of-k n=6 r=2 k=4", "2 of 4 secret switches", "The label is 1 when at least two of four secret switches are"
        " on.", ("winnow2", "perceptron", "balanced-winnow", *_LISTED), 0.4,
    ),
    Subject("thresholds m=15", "a threshold on a line", "Points 1 to 15; the label is 1 up to a secret point.",
            _LISTED, 0.5),
    Subject("intervals m=8", "an interval on a line", "Points 1 to 8; the label is 1 between two secret points.",
            _LISTED, 0.5),
    Subject(
        "parities n=4", "odd or even", "The label is 1 when an odd number of secret switches is on: no line separates"
        " that.", (*_LISTED, "perceptron"), 0.5,
    ),
)  # fmt: skip
BY_TEXT = {subject.text: subject for subject in SUBJECTS}
TEACHERS = {
    "random": "a random teacher",
    "adversary": "an adversary",
}
_BY_LENGTH = ("perceptron", "averaged-perceptron", "passive-aggressive")  # whose margin is that of a unit vector


def subject_of(request: Request) -> Subject:
    return BY_TEXT[request.choice("class", BY_TEXT, SUBJECTS[0].text)]


def small_subject_of(request: Request) -> Subject:
    """The subject, if all its concepts can be listed."""
    subject = subject_of(request)
    if not subject.small:
        raise BadParameter(f"class must be one whose concepts can all be listed: {subject.text!r}")
    return subject


@lru_cache(maxsize=16)
def class_of(text: str) -> ConceptClass:
    return parse_class(text)


@lru_cache(maxsize=16)
def width(text: str) -> int | None:
    """The number of attributes where instances are rows of 0 and 1; None where they are points on a line."""
    return width_of_rows(class_of(text))


@lru_cache(maxsize=16)
def listed(text: str) -> FiniteClass:
    """All concepts and instances of a class."""
    return class_of(text).finite()


def make_learner(name: str, subject: Subject) -> Any:
    """The learner with what it cannot do without."""
    if name not in subject.learners:
        raise BadParameter(f"learner must be one of {', '.join(subject.learners)} for {subject.text}: {name!r}")
    kind = learners.find(name)
    known = {"concepts": subject.text, "n": width(subject.text)}
    return kind(labels=(0, 1), **{p.name: known[p.name] for p in kind.parameters if known.get(p.name) is not None})


def facts_of(learner: Any, concepts: ConceptClass) -> dict[str, Any]:
    """What a theorem may assume of any target of the class, where it can use that."""
    known: dict[str, Any] = {"n": concepts.n}
    k = r = None
    if isinstance(concepts, MonotoneDisjunctions):
        k, r = concepts.n if concepts.k is None else concepts.k, 1
    elif isinstance(concepts, RofK):
        k, r = concepts.k, concepts.r
    if k is not None and r is not None:
        known |= {"k": k, "r": r}
        if learner.name in _BY_LENGTH:
            # 2 for each of the k, -(2r - 1) for the constant: every sum is odd, so at least 1 away from 0.
            known["margin"] = nextafter(1 / sqrt(4 * k + (2 * r - 1) ** 2), 0)
    from mistakebound.arena.play import usable_facts

    facts = usable_facts(learner, {name: value for name, value in known.items() if value is not None})
    if learner.settings.get("n") is not None:
        facts.pop("n", None)
    return facts


def catalogue(request: Request) -> dict[str, Any]:
    """For the page's menus."""
    return {
        "classes": [
            {"text": s.text, "title": s.title, "words": s.words, "learners": list(s.learners), "small": s.small,
             "n": width(s.text), "size": class_of(s.text).count()}
            for s in SUBJECTS
        ],
        "learners": {
            name: {"title": _TITLES[name], "words": learners.find(name).summary}
            for name in dict.fromkeys(name for s in SUBJECTS for name in s.learners)
        },
        "teachers": TEACHERS,
    }  # fmt: skip


_TITLES = {
    "winnow1": "Winnow1",
    "winnow2": "Winnow2",
    "perceptron": "the perceptron",
    "balanced-winnow": "balanced Winnow",
    "arow": "AROW",
    "disjunction-elimination": "elimination",
    "conjunction-elimination": "elimination",
    "halving": "halving",
    "standard-optimal": "the optimal algorithm",
}
