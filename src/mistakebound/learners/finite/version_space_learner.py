"""What halving and the standard optimal algorithm share: CONSIST, the concepts that are left of a class."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts import parse_class
from mistakebound.concepts.concept import ConceptClass
from mistakebound.core.atomic import reading
from mistakebound.core.errors import BadData, BadParameter, NoConsistentHypothesis
from mistakebound.core.fields import plain_values
from mistakebound.core.instance import Instance
from mistakebound.core.params import Parameter
from mistakebound.learners.finite.voters import Voters, check_size, voters_of
from mistakebound.learners.numbered_learner import MOST, NumberedLearner

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from mistakebound.core.atomic import Change

_NAMED = 10_000  # concepts that are looked at one by one, to say what they have in common


class ClassParameter(Parameter):
    """The value is a text such as "monotone-disjunctions n=8 k=2"; a class that has none stands for itself.

    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> ClassParameter("concepts", grid=("conjunctions n=2",), help="the class").check(MonotoneDisjunctions(8, 2))
    'monotone-disjunctions n=8 k=2'
    """

    __slots__ = ()

    def __init__(self, name: str, *, grid: tuple[str, ...], help: str) -> None:
        super().__init__(name, "class", grid=grid, help=help)

    @property
    def rule(self) -> str:
        return "a class of concepts such as 'monotone-disjunctions n=8 k=2'"

    def check(self, value: Any) -> Any:
        why = ""
        if isinstance(value, ConceptClass):
            return _text(value) or value
        if isinstance(value, str):
            try:
                found = parse_class(value)
                return _text(found) or found
            except BadParameter as error:
                why = f" ({error})"
        raise BadParameter(f"{self.name} must be {self.rule}{why}: {value!r}")

    def parse(self, text: str) -> Any:
        return self.check(text)


def class_of(value: ConceptClass | str) -> ConceptClass:
    """The class that a checked value stands for."""
    return parse_class(value) if isinstance(value, str) else value


def _text(concepts: ConceptClass) -> str | None:
    """The text of a class, if it is read back as the same class."""
    text = str(concepts)
    try:
        return text if parse_class(text) == concepts else None
    except BadParameter:
        return None


def width_of_rows(concepts: ConceptClass) -> int | None:
    """The number of attributes where all instances are rows of 0 and 1; None where they are anything else."""
    first = next(iter(concepts.domain()), None)
    if not isinstance(first, tuple) or not {*first} <= {0, 1}:
        return None
    if concepts.domain_size() > MOST:  # so many that they can only be a cube
        return len(first)
    rows = all(isinstance(x, tuple) and len(x) == len(first) and {*x} <= {0, 1} for x in concepts.domain())
    return len(first) if rows else None


class VersionSpaceLearner(NumberedLearner):
    """Keeps the concepts that the labels have left.

    Over rows of 0 and 1 an instance is what it is for every learner.  Where the instances of a class are no rows
    (points 0 to m - 1, say), an instance is one of them, or the row in which only its number, from 1, is on.
    """

    def __init__(self, labels: Any = None, **given: Any) -> None:
        super().__init__(labels, **given)
        self.concepts = class_of(self.settings["concepts"])
        check_size(self.concepts)
        width = width_of_rows(self.concepts)
        self._points: dict[Any, int] | None = None
        if width is None:
            self._points = {x: j for j, x in enumerate(self.concepts.domain(), 1)}
            self._instances = [None, *self._points]
        self._enter_attributes(len(self._instances) - 1 if width is None else width)
        self._voters = self._make_voters()
        self._alive = self._voters.everyone

    def _make_voters(self) -> Voters:
        return voters_of(self.concepts)

    @property
    def size(self) -> int:
        """How many concepts are left."""
        return self._alive.bit_count()

    @reading
    def remaining_concepts(self, count: int = 10) -> list[Any]:
        """The first few concepts that are left, in the order of the class."""
        return self._voters.some(self._alive, count)

    def _read(self, x: Any, names: Sequence[str] | None) -> Instance:
        if self._points is not None and not isinstance(x, Instance):
            number = self._number(x)
            if number is not None:
                return Instance([str(number)], None)
        return super()._read(x, names)

    def _number(self, x: Any) -> int | None:
        """The number, from 1, of an instance that is no row of 0 and 1."""
        assert self._points is not None
        x = plain_values(x)
        try:
            return self._points.get(tuple(x) if isinstance(x, list) else x)
        except TypeError:  # a mapping, a set: nothing that could be one of them
            return None

    def _instance(self, active: Sequence[int]) -> Any:
        """The instance as the class's concepts take it."""
        if self._points is None:
            row = [0] * self.n
            for j in active:
                row[j - 1] = 1
            return tuple(row)
        if len(active) != 1:
            raise BadData(f"an instance must be one of the class's {self.n}, alone: {len(active)} are on")
        return self._instances[active[0]]

    def _votes(self, active: Sequence[int]) -> int:
        return self._voters.yes(self._instance(active), self._alive)

    def _hear(self, active: Sequence[int], label: int, prediction: int, how: int) -> list[Change]:
        left = how if label else self._alive ^ how
        if not left:
            raise NoConsistentHypothesis(f"no consistent concept is left of {self.concepts}")
        return [(setattr, self, "_alive", left)] if label != prediction or self._prunes_always else []

    @property
    def _prunes_always(self) -> bool:
        return True

    def _copy(self) -> Self:
        """As of any learner, but the class is not made again."""
        return self._sharing_copy(labels=self.labels.copy())

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """Attributes by the share of the concepts left that mention them; nothing while these are too many."""
        if self._points is not None or self.size > _NAMED:
            return []
        shares: dict[str, int] = {}
        for concept in self.remaining_concepts(_NAMED):
            for name in getattr(concept, "attributes", ()):
                shares[name] = shares.get(name, 0) + 1
        ranked = sorted(shares.items(), key=lambda pair: (-pair[1], int(pair[0])))
        return [(name, share / self.size) for name, share in ranked[:count]]

    def _arrays(self) -> dict[str, Any]:
        return {"left": array("B", self._alive.to_bytes((self._voters.size + 7) // 8, "little"))}

    @classmethod
    def restore(cls, header: dict[str, Any], arrays: dict[str, array[Any]]) -> Self:
        # Before anything is made of a class that a file names: it must be of the size that the file holds.
        concepts = class_of(header["parameters"]["concepts"])
        held = cls._fits(arrays, concepts.count())
        if not held or len(arrays["attributes.keys"]) > concepts.domain_size():
            raise ValueError("expected one entry per concept")
        return super().restore(header, arrays)

    @staticmethod
    def _fits(arrays: dict[str, array[Any]], concepts: int) -> bool:
        return len(arrays["left"]) == (concepts + 7) // 8

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        self._check_attributes()
        left = arrays["left"]
        alive = int.from_bytes(left.tobytes(), "little")
        if left.typecode != "B" or len(left) != (self._voters.size + 7) // 8 or not 0 < alive <= self._voters.everyone:
            raise ValueError("expected one bit per concept")
        self._alive = alive

    def _check_saved(self) -> None:
        if not isinstance(self.settings["concepts"], str):
            raise BadParameter(f"concepts must be a class that has a text form to be saved: {self.concepts}")

    def _form(self) -> Any:
        return (self.name, self.concepts, self._alive, *self._manner())

    def take_form(self, form: Any) -> bool:
        self._alive = form[2]
        return True

    def _manner(self) -> tuple[Any, ...]:
        """What of the settings the prediction depends on."""
        return ()

    def _in_words(self, terms: int) -> str:
        size = self.size
        said = "; ".join(map(str, self.remaining_concepts(terms)))
        if size == 1:
            return said
        more = f"; {size - terms:,} more" if size > terms else ""
        return f"{self._by} of {size:,} concepts: {said}{more}"

    _by: ClassVar[str]
