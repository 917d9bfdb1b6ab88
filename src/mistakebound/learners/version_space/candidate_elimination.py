"""Candidate elimination: Mitchell 1997, section 2.5; Ma 2019, Theorem 2.6."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.attribute_conjunction import ANY
from mistakebound.concepts.attribute_versions import AttributeVersionSpace
from mistakebound.concepts.deferred_versions import DeferredVersionSpace
from mistakebound.concepts.version_space import Collapse, EmptyVersionSpace
from mistakebound.core.atomic import reading
from mistakebound.core.errors import NoConsistentHypothesis
from mistakebound.learners.version_space._boundaries import Boundaries
from mistakebound.learners.version_space._learner import never_wrong
from mistakebound.learners.version_space._nominal import NominalLearner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.concepts.version_space import VersionSpace
    from mistakebound.core.atomic import Change
    from mistakebound.learners.version_space.rows import CodedRows

UNANIMITY = never_wrong(
    "unanimity",
    "CS3244 notes, Theorem 2.9 (inductive bias of candidate elimination)",
    "it answers only where all hypotheses that are left agree",
    "the target is a conjunction of constraints on the attributes",
)


class CandidateElimination(NominalLearner):
    """Candidate elimination: keeps all conjunctions of attribute values that fit the examples, by two boundaries.

    It answers where all of these agree, and says None ("don't know") elsewhere.

    Parameters
    ----------
    attributes, missing, labels
        As of `FindS`.

    Notes
    -----
    Algorithm, as the textbook states it::

        S = {the hypothesis that no instance satisfies}, G = {the one that all satisfy}
        for each trial (x, y):
            predict 1 if x satisfies all of S, 0 if it satisfies none of G, else None
            if y = 1:  remove from G what x does not satisfy; generalise S as little as x needs, below G
            if y = 0:  remove from S what x satisfies; specialise G as little as x needs, above S
            if S or G is empty:  stop, no hypothesis agrees with the examples     (NoConsistentHypothesis)

    G is not kept here: after n negative examples it can have 2^n members.  It follows from S and the negative examples,
    and is worked out when `version_space.G` is asked for; the answers are the same.

    Theorem.  If the target is a conjunction of constraints on the attributes, mistakes <= 0: it answers only where all
    hypotheses that are left agree.  A prediction of None is no mistake.

    References
    ----------
    Mitchell 1997, Machine Learning, section 2.5.  Ma 2019, CS3244 notes, Theorems 2.6 and 2.9.

    Examples
    --------
    >>> learner = CandidateElimination({"Sky": ["Sunny", "Cloudy", "Rainy"], "Wind": ["Strong", "Weak"]})
    >>> learner.learn_one(["Sunny", "Strong"], 1), learner.learn_one(["Rainy", "Strong"], 0)
    (None, None)
    >>> space = learner.version_space
    >>> space.S, space.G, space.size
    ((<AttributeConjunction <Sunny, Strong>>,), (<AttributeConjunction <Sunny, ?>>,), 2)
    >>> space.classify(["Sunny", "Weak"]), learner.predict_one(["Cloudy", "Strong"])
    (<unknown: 1 of 2>, 0)
    >>> learner.learn_one(["Cloudy", "Strong"], 1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mistakebound.core.errors.NoConsistentHypothesis: trial 3, (Cloudy, Strong) ... rows 1, 2 and 3 agree with none
    """

    name = "candidate-elimination"
    keeps_version_space = True
    summary = "conjunctions of attribute values: answers where all that agree with the examples agree"
    hypothesis_class = "votes of attribute-conjunctions"
    search_order = "both borders of the version space, breadth first"
    inductive_bias = "the target is a conjunction"
    noise_effect = "empties the version space"
    theorems = (UNANIMITY,)

    def _start(self) -> None:
        self._boundaries = Boundaries()
        self._collapse: tuple[tuple[str, ...], int, tuple[int, ...]] | None = None  # example, label, rows
        self._made: VersionSpace | None = None

    @property
    @reading
    def version_space(self) -> VersionSpace:
        """What is left, as a value; after a contradiction the empty one, whose `collapsed_by` tells why."""
        return self._version_space()

    def _version_space(self) -> VersionSpace:
        if self._collapse is None:
            return self._before
        example, label, rows = self._collapse
        return EmptyVersionSpace(Collapse(example, label, self.trials + 1, rows, self._before))

    @property
    def _before(self) -> VersionSpace:
        if self._made is None or self._made.space is not self._known_space():  # type: ignore[attr-defined]
            kept = self._boundaries
            if kept.specific is None:
                self._made = DeferredVersionSpace(self._known_space(), kept.deferred_rows(len(self._numbers)))
            else:
                self._made = AttributeVersionSpace(self._known_space(), kept.specific, list(kept.differences))
        return self._made

    def _check_alive(self) -> None:
        if self._collapse is not None:
            raise NoConsistentHypothesis(f"the version space is empty: {self._version_space().collapsed_by}")

    def _answer(self, codes: Sequence[int]) -> int | None:
        self._check_alive()
        return self._boundaries.answer(codes)

    def _share(self, x: Any, names: Sequence[str] | None) -> float:
        codes = self._read(x, names).codes
        if min(codes) < 0:  # a value never met: in the space it stands for any other that was not demanded
            return 0.5
        return self._before.vote(self._known_space().decode(codes)).share

    def _changed(self, row: int, said: int | None) -> None:
        self._made = None
        super()._changed(row, said)

    def _learn(self, codes: tuple[int, ...], label: int) -> list[Change]:
        self._check_alive()
        rows, changes = self._boundaries.learn(codes, label, self.trials + 1)
        if not rows:
            return [*changes, (setattr, self, "_made", None)]
        values = [list(known) for known in self._numbers.values()]
        example = tuple(values[j][code] for j, code in enumerate(codes))
        self._made = None
        error = NoConsistentHypothesis(str(Collapse(example, label, self.trials + 1, rows, self._before)))
        self._collapse = example, label, rows
        raise error

    def _learn_rows(self, rows: CodedRows, labels: Any, predictions: Any) -> None:
        from mistakebound.learners.version_space.rows import play_blocks

        self._check_alive()
        self._made = None
        first = self._boundaries.defer_rows(self, rows, labels, predictions)
        play_blocks(
            self, rows, labels, predictions,
            lambda start, end: self._boundaries.answer_rows(rows, start, end),
            lambda said, told: said != told, first,
        )  # fmt: skip

    def _state(self) -> dict[str, Any]:
        kept, collapse = self._boundaries, self._collapse
        return super()._state() | {
            "specific": kept.specific,
            "first": None if kept.specific is None else [list(kept.first), kept.first_row, kept.opened],
            "collapse": None if collapse is None else [list(collapse[0]), collapse[1], list(collapse[2])],
        }

    def _arrays(self) -> dict[str, Any]:
        return self._boundaries.arrays(len(self._numbers))

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        super()._restore_state(arrays, state)
        kept = self._boundaries
        if state["specific"] is not None:
            first, row, opened = state["first"]
            specific = self._check_codes(state["specific"], ANY)
            kept.restore(specific, self._check_codes(first), row, opened)
        kept.restore_negatives(arrays, self._check_codes, len(self._numbers), self.trials)
        if state["collapse"] is not None:
            example, label, rows = state["collapse"]
            if label not in (0, 1) or not rows or not all(type(row) is int for row in rows):
                raise ValueError("the contradiction is not an example")
            self._collapse = tuple(map(str, example)), label, tuple(rows)

    def _reason(self, said: int | None) -> str:
        if said is None:
            return super()._reason(said)
        return (
            "it satisfies all of S, and so every hypothesis" if said else "it satisfies none of G, and so no hypothesis"
        )

    def _form(self) -> Any:
        kept = self._boundaries.form() if self._numbers else ()
        return self.name, self._collapse, self._known_space() if self._numbers else None, kept

    def _in_words(self, terms: int) -> str:
        if self._collapse is not None:
            return "nothing: no hypothesis agrees with the examples"
        if not self._numbers:
            return "everything is possible"
        from itertools import islice

        space = self._version_space()
        if space.size == 1:
            return str(space.S[0])
        general = [str(member) for member in islice(space.general(), terms + 1)]
        more = ["..."] if len(general) > terms else []
        return f"all of {space.size} hypotheses between {space.S[0]} and {'; '.join(general[:terms] + more)}"
