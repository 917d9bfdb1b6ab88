"""Decision trees: entropy, information gain, and how small a tree can be."""

from __future__ import annotations

from itertools import product

import mistakebound as mb
from mistakebound.concepts.concept import Concept
from mistakebound.course.marking import Exercise, equals, near

_TABLE = [
    {"fever": fever, "cough": cough, "age": age, "ill": ill}
    for fever, cough, age, ill in (
        ("yes", "yes", "old", "yes"), ("yes", "no", "young", "yes"), ("yes", "no", "old", "yes"),
        ("no", "yes", "young", "no"), ("no", "no", "old", "no"), ("no", "yes", "old", "yes"),
        ("no", "no", "young", "no"), ("yes", "yes", "young", "no"),
    )
]  # fmt: skip
_TREE = "x1 = 1? then (x2 = 1? then 1, else 0), else (x3 = 1? then 0, else 1)"


def _best_attribute() -> str:
    return max(("fever", "cough", "age"), key=lambda name: mb.learners.information_gain(_TABLE, name, "ill"))


def _tests() -> int:
    rows = [dict(zip("abc", bits, strict=True)) for bits in product("01", repeat=3)]
    odd = [sum(map(int, row.values())) % 2 for row in rows]
    found: int = mb.learners.shortest_tree(rows, odd).upper
    return found


def _formula(answer: Concept) -> str:
    tree = mb.concepts.parse("(x1 & x2) | (~x1 & ~x3)")
    for x in product((0, 1), repeat=3):
        if answer(x) != tree(x):
            return f"The tree says {tree(x)} to {''.join(map(str, x))}."
    return ""


_ROWS = "; ".join(", ".join(row.values()) for row in _TABLE)
EXERCISES = (
    Exercise(
        "trees-1",
        "A node holds 6 positive and 2 negative examples. What is its entropy, in bits?",
        "number",
        near(lambda: mb.learners.entropy([6, 2])),
        ("Minus the sum of p log2 p over the two shares.", "The shares are 3/4 and 1/4."),
    ),
    Exercise(
        "trees-2",
        f"Eight patients, with fever, cough, age and whether they are ill: {_ROWS}. Which attribute does a tree "
        "that goes by information gain test first?",
        "choice",
        equals(_best_attribute),
        (
            "Split the eight rows by each attribute and look at the labels on either side.",
            "mb.learners.information_gain",
        ),
        ("fever", "cough", "age"),
    ),
    Exercise(
        "trees-3",
        "How many tests has the smallest decision tree for the parity of three attributes (1 where an odd number "
        "of them is 1)?",
        "integer",
        equals(_tests),
        ("No attribute can be left out on any path.", "Every path must ask all three."),
    ),
    Exercise(
        "trees-4",
        f"A tree: {_TREE}. Write it as a formula.",
        "formula",
        _formula,
        ("Each path to a leaf 1 is a conjunction.", "Join the conjunctions of the two such paths by |."),
    ),
)
