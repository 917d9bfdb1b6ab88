"""Find-S: Mitchell 1997, section 2.4; Ma 2019, Theorem 2.1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mistakebound.concepts.attribute_conjunction import ANY, AttributeConjunction
from mistakebound.core.atomic import reading
from mistakebound.core.facts import LITERALS_AND_N
from mistakebound.core.theorem import Condition, Lemma, Theorem
from mistakebound.learners.version_space._nominal import NominalLearner

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from mistakebound.core.atomic import Change
    from mistakebound.learners.version_space.rows import CodedRows

_SOURCE = "Mitchell 1997, section 2.4, counted as Balcan counts conjunctions"
_TARGET = "the target is a conjunction of {literals} constraints over n = {n} attributes"
FIND_S = Theorem(
    "Find-S", source=_SOURCE, statement="mistakes <= n + 1", assumes=_TARGET.replace("{literals} ", ""), needs=("n",),
    formula=lambda f: f["n"] + 1,
)  # fmt: skip
FIND_S_WITH_SIZE = Theorem(
    "Find-S, with the target's size", source=_SOURCE, statement="mistakes <= n + 1 - |c|", assumes=_TARGET,
    needs=("n", "literals"), formula=lambda f: f["n"] + 1 - f["literals"],
    conditions=(Condition("|c| <= n", ("literals", "n"), lambda f: f["literals"] <= f["n"]),),
)  # fmt: skip
CONSISTENT = Lemma(
    "consistency",
    source="CS3244 notes, Theorem 2.3",
    statement="h never covers a negative example",
    holds=lambda learner, u, v, f: v == 0,
    assumes="the target is a conjunction of constraints on the attributes",
)


class FindS(NominalLearner):
    """Find-S: the most specific conjunction of attribute values that covers all positive examples.

    Parameters
    ----------
    attributes : mapping or None, default None
        Attribute to its values.  None: both are observed; rows without names are over x1, x2, ...
    missing : {"refuse", "value"}, default "refuse"
        A missing cell is bad data, or one more value of its attribute.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.

    Notes
    -----
    Algorithm::

        h = the hypothesis that no instance satisfies
        for each trial (x, y):
            predict h(x)
            if y = 1:  replace every constraint of h that x does not satisfy by "?" (any value);
                       the first positive example becomes h itself
            if y = 0:  nothing

    Theorem.  If the target is a conjunction that constrains |c| of n attributes, mistakes <= n + 1 - |c|, all of them
    false negatives.

    It cannot tell whether it has found the target, nor whether the examples contradict each other.  Of the hypotheses
    that agree with the examples it takes a maximally specific one; in another class there might be several of these.

    References
    ----------
    Mitchell 1997, Machine Learning, section 2.4.  Ma 2019, CS3244 notes, Theorems 2.1 and 2.3.
    Balcan 2011, 8803 Machine Learning Theory, lecture 4 (the count of mistakes).

    Examples
    --------
    >>> learner = FindS({"Sky": ["Sunny", "Rainy"], "Wind": ["Strong", "Weak"]}, labels=(False, True))
    >>> learner.learn_one(["Sunny", "Strong"], True), str(learner.hypothesis)
    (False, '<Sunny, Strong>')
    >>> learner.learn_one({"Wind": "Weak", "Sky": "Sunny"}, True), str(learner.hypothesis)
    (False, '<Sunny, ?>')
    >>> learner.predict_one(["Rainy", "Weak"])
    False
    """

    name = "find-s"
    summary = "conjunctions of attribute values: the most specific one that covers the positive examples"
    hypothesis_class = "attribute-conjunctions"
    search_order = "from specific to general, one path"
    inductive_bias = "a conjunction; negative unless positive is entailed"
    noise_effect = "is not noticed"
    theorems = (FIND_S, FIND_S_WITH_SIZE)
    lemmas = (CONSISTENT,)
    assumable = {"literals": "attributes that the target constrains"}  # noqa: RUF012 - a constant of the class
    relations = (LITERALS_AND_N,)
    conservative = True
    refuses = False

    def _start(self) -> None:
        self._specific: list[int] | None = None

    @property
    @reading
    def concept(self) -> AttributeConjunction:
        """h itself."""
        return self._concept()

    def _concept(self) -> AttributeConjunction:
        return AttributeConjunction(self._known_space(), self._specific)

    @reading
    def facts(self) -> dict[str, Any]:
        return super().facts() | {"n": len(self._numbers) or None}

    def declared_facts(self) -> dict[str, Any]:
        return {"n": len(self._numbers) or None}

    def start(self) -> dict[str, Any]:
        return {"used": True} if self.trials else {}

    def _answer(self, codes: Sequence[int]) -> int:
        h = self._specific
        return int(h is not None and all(own in (ANY, code) for own, code in zip(h, codes, strict=True)))

    def _learn(self, codes: tuple[int, ...], label: int) -> list[Change]:
        if not label:
            return []
        specific = list(codes)
        if self._specific is not None:
            specific = [own if own == code else ANY for own, code in zip(self._specific, codes, strict=True)]
        return [(setattr, self, "_specific", specific)]

    def _learn_rows(self, rows: CodedRows, labels: Any, predictions: Any) -> None:
        from mistakebound.learners.version_space.rows import play_blocks

        def say(first: int, last: int) -> Any:
            if self._specific is None:
                return predictions[first:last] * 0
            places = [j for j, code in enumerate(self._specific) if code != ANY]
            return rows.agreement(first, last, self._specific, places).all(axis=0).astype(predictions.dtype)

        play_blocks(self, rows, labels, predictions, say, lambda said, told: (told == 1) & (said == 0))

    def _state(self) -> dict[str, Any]:
        return super()._state() | {"specific": self._specific}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        super()._restore_state(arrays, state)
        specific = state["specific"]
        self._specific = None if specific is None else list(self._check_codes(specific, ANY))

    def _reason(self, said: int | None) -> str:
        return f"it {'satisfies' if said else 'does not satisfy'} {self._concept()}"

    def _form(self) -> Any:
        return (self.name, self._concept()) if self._numbers else self.name

    def _in_words(self, terms: int) -> str:
        return str(self._concept()) if self._numbers else "∅"
