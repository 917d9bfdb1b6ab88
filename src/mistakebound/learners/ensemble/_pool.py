"""Experts and their mistakes: what the weighted majority algorithms share (Littlestone and Warmuth 1994)."""

from __future__ import annotations

from array import array
from math import fsum, log

from mistakebound import learners
from mistakebound.core import model_file
from mistakebound.core.atomic import exclusive, reading
from mistakebound.core.block_labels import settle_labels
from mistakebound.core.errors import BadParameter
from mistakebound.core.params import Parameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.theorem import Bound
from mistakebound.core.weights import ALL_ONE, set_costs
from mistakebound.kernels import ensemble as kernel
from mistakebound.learners.ensemble._ensemble import Ensemble
from mistakebound.learners.ensemble._exact_votes import drawn, majority
from mistakebound.learners.ensemble._external_expert import ExternalExpert
from mistakebound.learners.ensemble._specification import EXTERNAL, ExpertsParameter, is_external, make, split, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, Self

    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.errors import BadData
    from mistakebound.core.instance import Instance
    from mistakebound.core.ledger import Ledger
    from mistakebound.core.rows import Rows
    from mistakebound.learners.ensemble._row_range import RowRange

USUAL = "perceptron,perceptron(bias=false)"  # they take any data
EXPERTS = ExpertsParameter(
    "experts", USUAL, grid=("winnow2,perceptron,disjunction-elimination",),
    help="learners that vote",
)  # fmt: skip
BETA = Parameter("beta", "number", 0.5, above=0, below=1, help="factor of an expert's weight after a mistake")
_NO_LABELS = array("b")
_NO_SCORES = array("d")
ASSUMES = "one of the {experts} experts makes at most {m} mistakes"


class Pool(Ensemble):
    """Experts, each with weight beta**mistakes; how their votes become a prediction is the subclass's one line."""

    ensemble = "experts"
    drawing: ClassVar[bool]  # a draw decides, and not the majority

    def __init__(self, experts: Any, labels: Any, costs: Any = None, **given: Any) -> None:
        listed = split(experts) if isinstance(experts, str) else experts
        super().__init__(labels, experts=experts, **given)
        texts = split(self.settings["experts"])
        self._spoken: tuple[Any, Any] | None = None  # the labels of the block in hand
        self._experts: list[Any] = [
            ExternalExpert(_own(expert), self._pair, self.attributes) if is_external(expert) else make(_known(text))
            for text, expert in zip(texts, listed, strict=True)
        ]
        self._share_table([expert for expert in self._experts if not isinstance(expert, ExternalExpert)])
        self.weighted = self.weighted and not self._external()
        self.whole_weights = True  # an expert's weight is beta**(the weights of its mistakes)
        set_costs(self, costs, "costs")
        self._mistakes = array("q", bytes(8 * len(texts)))
        self._weights = array("d", bytes(8 * len(texts)))
        self._row = self._counts = array("q", [0, 0, 0])  # see the kernel: a row, trials learned, the largest weight
        self._expected = array("d", [0.0])
        self._beta: float = self.settings["beta"]
        self.assumable = {  # type: ignore[misc]
            "m": "maximum mistakes of the best expert by weight (default: counted, or its bound)",
        } | {name: text for expert in self._experts for name, text in expert.assumable.items()}

    def behind(self, transform: Callable[[SparseLearner], SparseLearner]) -> Self:
        """Every expert gets the transform."""
        self._check_new()
        if externals := self._external():
            raise BadParameter(
                f"a transform cannot be applied to experts that are objects, give each its own: {externals[0].name}"
            )
        experts = [write(transform(make(text))) for text in split(self.settings["experts"])]
        changed = self.settings | {"experts": experts}
        return type(self)(**changed, labels=self._declared_labels(), costs=self.costs)

    def _external(self) -> list[ExternalExpert]:
        return [expert for expert in self._experts if isinstance(expert, ExternalExpert)]

    def _members(self) -> list[tuple[str, Any]]:
        return [(str(number), expert) for number, expert in enumerate(self._experts)]

    @reading
    def experts(self) -> list[tuple[str, int, float]]:
        """Of each expert its text, its mistakes (each counted by its weight) and its part of the whole weight."""
        fewest = min(self._mistakes)
        weights = [self._beta ** (count - fewest) for count in self._mistakes]
        whole = fsum(weights)
        texts = split(self.settings["experts"])
        return [
            (text, count, weight / whole)
            for text, count, weight in zip(texts, self._mistakes, weights, strict=True)
        ]  # fmt: skip

    @exclusive
    def expert(self, number: int) -> Any:
        """A copy of an expert, by its place from 0."""
        return self._experts[number].copy()

    def expert_says(self, number: int, x: Any) -> Any:
        """What an expert would say to an instance now; changes nothing."""
        instance = self._read(x, None)
        with self._lock:
            self._check(instance)
            self._follow_slots()
            said = array("b", b"\0")
            expert, rows = self._experts[number], self._row_of(instance, add=False)
            rows = rows if expert.counts_zeros else rows.without_zeros()
            expert._run(rows, _NO_LABELS, said, _NO_SCORES, False)
            return None if said[0] < 0 else self._label(said[0])

    # Play.

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        heard = [labels] * len(self._experts)
        self._importance = rows.importance
        return self._ask(self._experts, rows, heard, False, labels, predictions, scores, learn)

    def _conclude(self, span: RowRange, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> None:
        said, played, forced = span.said, span.count, kernel.NOT_FORCED
        experts = kernel.Experts(self._beta, self._mistakes, self._weights, self._expected, self._counts)
        ballots = kernel.Ballots(said, played, 2)
        if self.drawing:
            experts.draw_by(self._seed)
        if learn:
            ballots.teach(labels, self._importance)
        first = self._counts[kernel.ROW] if learn else 0
        while True:
            status = kernel.vote(experts, ballots, first, forced, predictions, scores)
            if status == kernel.OK:
                return
            if status != kernel.UNDECIDED:
                raise AssertionError("buffers do not fit together")
            first = self._counts[kernel.ROW]
            forced = self._decide([said[number * played + first] for number in range(len(self._experts))])

    _seed = 0
    _importance: Floats = ALL_ONE  # of the rows in hand

    def _decide(self, said: list[int]) -> int:
        """What is said to one row, in whole numbers."""
        if self.drawing:
            draw = kernel.draw(self._seed, self._counts[kernel.TRIALS])
            return said[drawn(draw, self._mistakes, self._beta)]
        return majority(said, self._mistakes, self._beta)

    def _pair(self) -> tuple[Any, Any]:
        pair: tuple[Any, Any] = self._spoken or self.labels.values
        return pair

    def _codes(self, block: Block, first: int, earlier: Ints | None = None) -> tuple[Ints, array[float]]:
        codes, costs = super()._codes(block, first, earlier)
        if self._external():  # they hear the labels as they are spelled from this block on
            labels, bad = self.labels.copy(), bytes(codes[first:]).find(b"\xff")
            settle_labels(block, first, block.rows if bad < 0 else first + bad, labels)
            self._spoken = labels.values
        return codes, costs

    def _learn_instance(self, instance: Instance, y: Any, weight: float) -> Any:
        if not self._external():
            return super()._learn_instance(instance, y, weight)
        labels = self.labels.copy()
        labels.code(y)
        self._spoken = labels.values  # as externals hear them
        try:
            return super()._learn_instance(instance, y, weight)
        finally:
            self._spoken = None

    def _learn_block(
        self, block: Block, ledger: Ledger | None, predictions: Ints, skip: Callable[[BadData], None] | None
    ) -> None:
        try:
            super()._learn_block(block, ledger, predictions, skip)
        finally:
            self._spoken = None

    # What it has learned.

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """The largest weights of the expert with the fewest mistakes, the first of several."""
        best = self._experts[list(self._mistakes).index(min(self._mistakes))]
        return list(best.top(count))

    @reading
    def facts(self) -> dict[str, Any]:
        return {"experts": len(self._experts), "beta": self._beta, "m": min(self._mistakes)}

    @reading
    def bound_since(self, start: dict[str, Any], told: dict[str, Any]) -> Bound:
        """m is told, or follows from what is told of an expert, or is what the best expert has made so far."""
        self.all_facts(told)
        for expert in self._experts:
            if not isinstance(expert, ExternalExpert):
                expert.all_facts({name: value for name, value in told.items() if name in expert.assumable})
        about = {name: value for name, value in told.items() if name != "m"}
        if about and "m" not in told and not start.get("used"):
            bounds = [
                expert.bound(**{name: value for name, value in about.items() if name in expert.assumable})
                for expert in self._experts
                if {*about} & {*expert.assumable}
            ]
            settled = [bound for bound in bounds if bound.theorem is not None and not bound.theorem.expected]
            known = [bound for bound in settled if bound.value is not None]
            if not known:
                failed = next((bound.failed for bound in bounds if bound.failed), "bounds in expectation do not help")
                return Bound(None, None, {}, failed=f"no expert has a known bound: {failed}")
            best = min(known, key=lambda bound: bound.value or 0.0)
            heaviest = max(1, self._counts[kernel.HEAVIEST])
            whole = super().bound_since(start, {"m": heaviest * max(0, best.mistakes or 0)})
            whole.assumption = best.assumption  # the expert's mistakes follow from it
            return whole
        return super().bound_since(start, {name: value for name, value in told.items() if name == "m"})

    @reading
    def start(self) -> dict[str, Any]:
        return {"used": True} if self._counts[kernel.TRIALS] else {}

    def _arrays(self) -> dict[str, Any]:
        for place, expert in enumerate(self._experts, 1):
            if isinstance(expert, ExternalExpert) and not expert.kept:
                kind = type(expert.given).__name__
                raise BadParameter(
                    f"a model file cannot hold expert {place} of {len(self._experts)}, an object of class {kind}: "
                    "pickle the ensemble instead"
                )
        return {"mistakes": self._mistakes, "expected": self._expected} | super()._arrays()

    def _state(self) -> dict[str, Any]:
        return super()._state() | {"trials": self._counts[kernel.TRIALS], "heaviest": self._counts[kernel.HEAVIEST]}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        mistakes, expected, trials = arrays["mistakes"], arrays["expected"], state["trials"]
        heaviest = state["heaviest"]
        if type(heaviest) is not int or not 0 <= heaviest < 1 << 62:
            raise ValueError("the largest weight of a trial is not a whole number")
        if mistakes.typecode != "q" or len(mistakes) != len(self._experts) or type(trials) is not int:
            raise ValueError("expected one count of mistakes per expert")
        if min(mistakes) < 0 or max(mistakes) > trials * heaviest or trials >= 1 << 62:
            raise ValueError("an expert has more mistakes than there were trials")
        if expected.typecode != "d" or len(expected) != 1 or not 0 <= expected[0] <= trials:
            raise ValueError("the expected mistakes are not a number >= 0")
        self._mistakes, self._expected, self._counts[kernel.TRIALS] = mistakes, expected, trials
        self._counts[kernel.HEAVIEST] = heaviest
        self._restore_members(arrays, state)

    def _copied_parts(self) -> tuple[Any, ...]:
        """Objects among the experts go into copies and pickles as they are."""
        if not self._external():
            return super()._copied_parts()
        given = [expert.copy() if isinstance(expert, ExternalExpert) else None for expert in self._experts]
        return self._header(), self._arrays_without_external(), {"experts": given}

    def _arrays_without_external(self) -> dict[str, array[Any]]:
        self._follow_slots()
        kept = [expert for expert in self._members() if not isinstance(expert[1], ExternalExpert)]
        arrays: dict[str, Any] = {"mistakes": self._mistakes, "expected": self._expected} | self.attributes.arrays()
        arrays |= {f"{key}.{name}": values for key, member in kept for name, values in member._arrays().items()}
        return {name: model_file.as_array(values) for name, values in arrays.items()}

    @classmethod
    def restore(cls, header: dict[str, Any], arrays: dict[str, array[Any]]) -> Self:
        texts, given = split(header["parameters"]["experts"]), []
        for number, text in enumerate(texts):
            guest = None
            if text.startswith(EXTERNAL):
                inner, start = header["state"]["members"][number]["guest"], f"{number}."
                own = {name[len(start) :]: values for name, values in arrays.items() if name.startswith(start)}
                guest = learners.find(inner["learner"]).restore(inner, own)
            given.append(guest)
        return cls._with_external(header, arrays, given)

    @classmethod
    def _rebuilt(cls, header: dict[str, Any], arrays: dict[str, array[Any]], unsaved: dict[str, Any]) -> Self:
        if not unsaved:
            return super()._rebuilt(header, arrays, unsaved)
        return cls._with_external(header, arrays, unsaved["experts"])

    @classmethod
    def _with_external(cls, header: dict[str, Any], arrays: dict[str, array[Any]], given: list[Any]) -> Self:
        """As `restore`, with the externals among the experts given as they are."""
        parameters = dict(header["parameters"])
        if any(given):
            texts = split(parameters["experts"])
            parameters["experts"] = [text if guest is None else guest for text, guest in zip(texts, given, strict=True)]
        return super().restore(header | {"parameters": parameters}, arrays)

    def _form(self) -> Any:
        fewest = min(self._mistakes)
        counts = tuple(count - fewest for count in self._mistakes)
        return (self.name, self._beta, counts, tuple(expert._form() for expert in self._experts), *self._manner())

    def _manner(self) -> tuple[Any, ...]:
        """What else a prediction depends on."""
        return ()

    def _in_words(self, terms: int) -> str:
        parts = [f"{share:.3g} {text}" for text, _, share in self.experts()]
        more = [f"{len(parts) - terms:,} more experts"] if len(parts) > terms else []
        return f"{self._says} {', '.join([*parts[:terms], *more])}"

    _says: ClassVar[str]


def _own(expert: Any) -> Any:
    """Of a learner of this package a copy plays: nobody else's learns with it.  Other objects are asked themselves."""
    return expert.copy() if isinstance(expert, SparseLearner) else expert


def _known(text: str) -> str:
    if text.startswith(EXTERNAL):
        raise BadParameter(f"an expert without a text form must be given as an object: {text!r}")
    return text


def weighted_bound(m: float, experts: int, beta: float) -> float:
    """m ln(1/beta) + ln N: what the logarithm of the whole weight can fall by."""
    return m * log(1 / beta) + log(experts)
