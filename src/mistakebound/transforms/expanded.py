"""More attributes from the same ones: negated literals, conjunctions, and the reductions to disjunctions."""

from __future__ import annotations

from math import prod

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.facts import check_fact
from mistakebound.core.names import IDS
from mistakebound.core.params import Parameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.spread import FeatureMoments
from mistakebound.kernels import conjunctions as kernel
from mistakebound.transforms.conjunctions import LIMIT, MOST_LITERALS, ConjunctionSpace
from mistakebound.transforms.transform import Transform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.rows import Rows
    from mistakebound.transforms.conjunction_names import ConjunctionNames


class Expanded(Transform):
    """A learner behind conjunctions of up to `cross` attributes, or of literals: what `expand` returns.

    Parameters
    ----------
    learner : learner
        A new learner, which is not changed.
    **given
        The parameters of `expand`: cross, negate, n, limit, reduce, rules.

    Examples
    --------
    >>> import mistakebound as mb
    >>> Expanded(mb.Perceptron(), cross=2)
    Perceptron() over conjunctions of up to 2 attributes
    """

    name = "expand"
    parameters = (
        Parameter("cross", "integer", 1, at_least=1, at_most=MOST_LITERALS, help="maximum attributes per conjunction"),
        Parameter("negate", "flag", False, help="add a negated literal for each absent attribute"),
        Parameter("n", "integer", None, at_least=1, at_most=IDS, optional=True, help="number of attributes, if known"),
        Parameter("limit", "integer", LIMIT, at_least=1, at_most=kernel.MOST, help="maximum conjunctions per instance"),
        Parameter(
            "reduce", "word", None, words=("conjunction", "decision-list"), optional=True,
            help="concept learned by a learner of disjunctions",
        ),
        Parameter("rules", "integer", None, at_least=0, at_most=1000, optional=True, help="maximum rules of the list"),
    )  # fmt: skip

    def __init__(self, learner: Any, **given: Any) -> None:
        literals = {} if given.get("reduce") is None else {"negate": True}
        super().__init__(learner, **given | literals)

    def _prepared(self, learner: SparseLearner) -> SparseLearner:
        """Where n is known the learner's own n becomes that of the conjunctions."""
        names, own = [parameter.name for parameter in learner.parameters], self.settings
        cross, negate, reduce = own["cross"], own["negate"], own["reduce"]
        if reduce is not None:
            _check_reduction(learner, names, reduce, cross)
        elif own["rules"] is not None:
            raise BadParameter(f"rules is only for a reduction to decision lists: {own['rules']!r}")
        declared = learner.size_limit
        if own["n"] is None:
            own["n"] = declared
        if own["n"] is None and negate:
            how = "the learner's n (--set n=N)" if "n" in names else "n (--attributes N)"
            raise BadParameter(f"{how} must be given, because attributes are negated")
        if cross == 1 and not negate:
            raise BadParameter(f"cross must be at least 2 when nothing is negated: {cross!r}")
        total = None if own["n"] is None else ConjunctionSpace(cross, negate, own["n"], own["limit"]).total(own["n"])
        if declared not in (None, own["n"], total):
            raise BadParameter(f"n must be {declared}, as this learner declares: {own['n']!r}")
        changed: dict[str, Any] = {"n": total} if "n" in names and total is not None else {}
        if reduce == "decision-list" and learner.settings["delta"] is None:
            alpha = learner.settings["alpha"]
            changed |= {"delta": _delta(own["rules"]), "alpha": None if alpha == 1.5 else alpha}
        return learner.like(**changed)

    def _check_inside(self, inner: Any) -> None:
        super()._check_inside(inner)
        own = self.settings
        n = own["n"]
        if own["negate"] and n is None:
            raise ValueError("attributes are negated, and it is not known how many there are")
        if own["reduce"] is not None:
            names = [parameter.name for parameter in inner.parameters]
            _check_reduction(inner, names, own["reduce"], own["cross"])
        made = ConjunctionSpace(own["cross"], own["negate"], n, own["limit"])
        if "n" in inner.settings and inner.settings["n"] != (None if n is None else made.total(n)):
            raise ValueError("the learner's n is not the number of conjunctions")

    def _wrap(self, inner: SparseLearner) -> None:
        own = self.settings
        self.made = ConjunctionSpace(own["cross"], own["negate"], own["n"], own["limit"])
        self.complement = own["reduce"] == "conjunction"
        self.feature_unit = "literal" if own["cross"] == 1 else "conjunction"
        self._names: ConjunctionNames | None = None
        super()._wrap(inner)

    def __repr__(self) -> str:
        told = {None: "", "conjunction": ", the label complemented", "decision-list": ", for decision lists"}
        return f"{self.inner!r} over {self.made}{told[self.settings['reduce']]}"

    @property
    def size_limit(self) -> int | None:
        n: int | None = self.settings["n"]
        return n

    # Names.

    @property
    def names(self) -> ConjunctionNames:
        if self._names is None:
            from mistakebound.transforms.conjunction_names import ConjunctionNames

            self._names = ConjunctionNames(self)
        return self._names

    def feature_name(self, key: int) -> str:
        return self.names.name(key)

    def feature_name_among(self, key: int, newcomers: Sequence[str]) -> str:
        return self.names.name(key, newcomers)

    def feature_key(self, name: str) -> int:
        return self.names.key(name)

    def own_parts(self, name: str) -> Sequence[tuple[str, bool]]:
        return self.names.parts(self.feature_key(name))

    def own_moments(self, name: str, given: Sequence[FeatureMoments]) -> FeatureMoments:
        """The value of a conjunction is the product of the values of its literals."""
        mean = prod(one.mean for one in given)
        squares = prod(one.variance + one.mean * one.mean for one in given)
        flags = not any(one.variance for one in given)
        return FeatureMoments(prod(one.share for one in given), mean, 0.0 if flags else squares - mean * mean)

    # Rows.

    def reach(self) -> int:
        return self.made.reach(len(self.attributes))

    def may_refuse(self, rows: Rows) -> bool:
        return self.made.too_many(rows, len(self.attributes))

    def blocks(self, rows: Rows, learn: bool) -> Iterator[Block]:
        try:
            yield from self.made.blocks(rows, self.numbers(), len(self.attributes))
        except BadData as error:
            self.refusal = error

    # Theorems.

    def _own_assumable(self) -> dict[str, str]:
        listed = self.settings["reduce"] == "decision-list"
        return {"rules": "maximum rules of the decision list"} if listed else {}

    def _facts_inside(self, told: dict[str, Any]) -> dict[str, Any]:
        """n attributes are so many conjunctions; a decision list of so many rules is separated so far."""
        facts = dict(told)
        if facts.get("n") is not None:
            facts["n"] = self.made.total(check_fact("n", facts["n"]))
        if self.settings["reduce"] == "decision-list":
            rules = check_fact("rules", facts.pop("rules")) if "rules" in facts else self.settings["rules"]
            if rules is not None and "sum_mu" not in facts:
                from mistakebound.concepts.separated import any_list

                delta, sum_mu = any_list(rules)
                facts |= {"delta": facts.get("delta", float(delta)), "sum_mu": float(sum_mu)}
        return facts

    def _assumption(self, text: str, told: dict[str, Any]) -> str:
        made, n = self.made, self.settings["n"] if self.settings["n"] is not None else told.get("n")
        of = f"{n:,} attributes" if n is not None else "the attributes"
        literals = f"literals of {of}"
        if self.settings["reduce"] == "decision-list" and "sum_mu" not in told:
            rules = told.get("rules", self.settings["rules"])
            return f"the target is a decision list of at most {rules} rules over the {literals}"
        few = "k" in told and told.get("r", 1) == 1 and text.startswith("the target is a monotone disjunction")
        if self.complement and few:
            parts = literals if made.cross == 1 else f"clauses of up to {made.cross} {literals}"
            return f"the target is a conjunction of at most k = {told['k']} {parts}"
        many = f"N = {made.total(n):,} " if n is not None else ""
        among = literals if made.negate else of
        what = among if made.cross == 1 else f"conjunctions of up to {made.cross} {'of ' * (not made.negate)}{among}"
        if few:
            return f"the target is a disjunction of at most k = {told['k']} of the {many}{what}"
        return f"{'for the complement of the target, ' * self.complement}{text}, over the {many}{what}"

    def _in_words(self, terms: int) -> str:
        if not self.complement:
            return super()._in_words(terms)
        from mistakebound.transforms.reduced_words import conjunction_in_words

        return conjunction_in_words(self.inner, terms)


def expand(
    learner: Any,
    cross: int = 1,
    *,
    negate: bool = False,
    n: int | None = None,
    limit: int = LIMIT,
    reduce: str | None = None,
    rules: int | None = None,
) -> SparseLearner:
    """Wraps a learner so that it sees conjunctions of up to `cross` attributes, or of literals, as its features.

    Parameters
    ----------
    learner : learner
        A new learner, or one of an ensemble; it is not changed.
    cross : int, default 1
        Attributes (or literals) in one conjunction, at most; >= 1.
    negate : bool, default False
        Conjunctions of literals: an absent attribute makes its negation true.  This needs n.
    n : int or None, default None
        Number of attributes.  None: the learner's own n, if it has one.
    limit : int, default 100,000
        The most conjunctions that one instance may make true; one with more is bad data.
    reduce : {"conjunction", "decision-list"} or None, default None
        "conjunction": the learner, one of disjunctions, is told the complement of the label and so learns conjunctions
        of literals.  "decision-list": Winnow2 on all literals, with the separation of decision lists of at most `rules`
        rules.
    rules : int or None, default None
        The most rules of the decision list.

    Returns
    -------
    learner
        A new learner like the one given.  Where n is known its own n becomes the number of conjunctions.

    Notes
    -----
    A k-DNF formula is a disjunction of conjunctions of at most k literals.  So a learner of disjunctions learns it
    behind
    expand(..., cross=k, negate=True), with its own bound for n conjunctions in place of n attributes.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound (k-DNF by transformation).
    Valiant 1984, A theory of the learnable (k-DNF).

    Examples
    --------
    >>> import mistakebound as mb
    >>> learner = mb.transforms.expand(mb.Winnow1(n=100, labels=(0, 1)), cross=2)
    >>> learner
    Winnow1(n=5050) over the 5,050 conjunctions of up to 2 of 100 attributes
    >>> [learner.learn_one({"free", "money"}, 1) for _ in range(13)][-1]
    1
    >>> learner.weight("free & money"), learner.predict_one({"free", "lunch"})
    (2048.0, 0)
    """

    def transform(plain: Any) -> SparseLearner:
        return Expanded(plain, cross=cross, negate=negate, n=n, limit=limit, reduce=reduce, rules=rules)

    return learner.behind(transform) if isinstance(learner, SparseLearner) else transform(learner)


def _check_reduction(learner: Any, names: list[str], reduce: str, cross: int) -> None:
    if reduce == "conjunction" and not learner.disjunctive:
        raise BadParameter(
            f"conjunctions must be learned by a learner of disjunctions (winnow1, winnow2, disjunction-elimination): "
            f"{learner.name!r}"
        )
    if reduce == "decision-list" and not {"delta", "n"} <= set(names):
        raise BadParameter(f"decision lists must be learned by winnow2: {learner.name!r}")
    if reduce == "decision-list" and cross != 1:
        raise BadParameter(f"decision lists, whose rules have one literal, do not support cross: {cross!r}")


def _delta(rules: int | None) -> float:
    if rules is None:
        raise BadParameter(
            "a reduction to decision lists needs their maximum length (--assume rules=M), or the learner's delta: None"
        )
    from mistakebound.concepts.separated import any_list

    return float(any_list(rules)[0])
