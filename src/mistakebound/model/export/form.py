"""What every exported model is, whatever the language: how cells become attributes, and what is computed of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Key = Any  # of a feature: the name of an attribute or, of a conjunction, its literals (attribute, whether negated)


@dataclass(frozen=True)
class InputColumn:
    """A column of a table: texts, numbers (with cuts: bins), or dates.  `mark` is the decimal mark of dressed numbers.

    `order` says how dates are written; `values` are the texts of a nominal column that the model knows.
    """

    name: str
    kind: str  # "nominal", "numeric" or "moment"
    cuts: tuple[float, ...] = ()
    mark: str = ""
    order: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inputs:
    """How a raw row becomes attributes: a row of a table, a mapping of attributes, a JSON object, or a text."""

    kind: str  # "table", "attributes", "json" or "text"
    columns: tuple[InputColumn, ...] = ()
    missing: tuple[str, ...] = ("",)
    settings: dict[str, Any] = field(default_factory=dict)  # of texts and JSON; "ignore" and "hash" of any
    zeros: bool = False  # a number that is 0 is a value, not an absent attribute

    @property
    def hash(self) -> int | None:
        bits: int | None = self.settings.get("hash")
        return bits


@dataclass(frozen=True)
class Standardize:
    """(v - mean)/sd of what an attribute has had, v among it: how many there were, their mean, their squares."""

    tallies: dict[Key, tuple[float, float, float]]


@dataclass(frozen=True)
class Scale:
    """Numbers less a centre, divided by a size, cut off at a limit; what is no number here stays as it is."""

    numbers: dict[str, tuple[float, float, float]]


@dataclass(frozen=True)
class Cut:
    """Bins of numbers, beside the numbers: names and cuts, bin k from cut k - 1 to below cut k."""

    numbers: dict[str, tuple[tuple[tuple[str, ...], tuple[float, ...]], ...]]

    def bins(self) -> dict[str, tuple[str, float | None, float | None]]:
        """Of each bin its number, from where (None: from below) and to below what (None: all above)."""
        found = {}
        for number, ways in self.numbers.items():
            for names, cuts in ways:
                for k, name in enumerate(names):
                    low, high = (cuts[k - 1] if k else None), (cuts[k] if k < len(cuts) else None)
                    found[name] = number, low, high
        return found


@dataclass(frozen=True)
class Expand:
    """Conjunctions of up to `cross` attributes; with `negated`, all attributes in order, of literals of these."""

    cross: int
    negated: tuple[str, ...] = ()


@dataclass(frozen=True)
class Curve:
    """A calibration table: the mean size of scores, and the probability in the middle of each of 33 cells."""

    mean: float
    theta: float
    cells: tuple[float, ...]


@dataclass
class Form:
    """What all exported models share.  `note` is a sentence that the file begins with."""

    inputs: Inputs
    labels: tuple[Any, ...]
    what: str
    note: str = ""


@dataclass
class LinearForm(Form):
    """A sum of weights for each of `outputs` (the codes of labels; of two labels one sum, for the second).

    `starts` are the weights of features that have never appeared: of an output the start weight of each when so many
    appear in one row.  `softmax`: the sums are logs of products, whose largest wins.
    """

    outputs: tuple[int, ...] = ()
    steps: tuple[Standardize | Scale | Cut | Expand, ...] = ()
    weights: dict[Key, tuple[float, ...]] = field(default_factory=dict)
    biases: tuple[float, ...] = ()
    start: Start | None = None
    rule: str = ">"
    theta: float = 0.0
    curves: tuple[Curve, ...] | None = None
    softmax: bool = False

    @property
    def bins(self) -> dict[str, tuple[str, float | None, float | None]]:
        """The attributes that are bins of numbers."""
        return next((step.bins() for step in self.steps if isinstance(step, Cut)), {})

    @property
    def expand(self) -> Expand | None:
        return next((step for step in self.steps if isinstance(step, Expand)), None)


@dataclass(frozen=True)
class Start:
    """What a feature that has never appeared counts: `unit`, halved so often as the number of features tells.

    appeared: how many have; None: it does not matter.
    """

    unit: float
    appeared: int | None = None

    def weight(self, new: int) -> float:
        """Of each of so many new ones in one row."""
        if self.appeared is None:
            return self.unit
        most = (self.appeared + new).bit_length() - 1
        return float(self.unit * 2.0 ** -(most + 2 * most.bit_length()))


@dataclass
class ListForm(Form):
    """A decision list over attributes: (attribute, whether it is on, the score) and the score of what is left."""

    steps: tuple[tuple[str, bool, float], ...] = ()
    default: float = 1.0
    curves: tuple[Curve, ...] | None = None


@dataclass(frozen=True)
class TreeNode:
    """A node: its class, the shares of the classes; of a test its column, its threshold or the child of each text.

    `otherwise` is the child of a row without a value, `parts` the shares of the children in the rows.
    """

    label: int
    shares: tuple[float, ...]
    column: str = ""
    threshold: float | None = None
    branch: dict[str, int] = field(default_factory=dict)
    children: tuple[int, ...] = ()
    otherwise: int = -1
    parts: tuple[float, ...] = ()


@dataclass
class TreeForm(Form):
    """A decision tree; with `fractions` a row without a value goes down all branches, by their shares."""

    nodes: tuple[TreeNode, ...] = ()
    fractions: bool = False
