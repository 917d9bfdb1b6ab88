"""Decision trees (Quinlan, Induction of Decision Trees, 1986, and C4.5, 1993; Mitchell 1997, chapter 3)."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.core.params import PairsParameter, Parameter
from mistakebound.core.table import check_weights
from mistakebound.learners.table_learner import validation_set
from mistakebound.learners.tree._growing import grow
from mistakebound.learners.tree.flat_tree import FlatTree
from mistakebound.learners.tree.grow_options import GrowOptions
from mistakebound.learners.tree.node_text import ShownTree
from mistakebound.learners.tree.walk import classify, probabilities

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Mapping
    from typing import Any, Self

    from numpy.typing import NDArray

    from mistakebound.core.table import Table

_THIRD = 3  # one row of so many is held out for reduced_error where no validation set is given


class DecisionTree(ShownTree):
    """A decision tree on the nominal and numeric columns of a table, grown greedily from the root, and pruned if asked.

    criterion="gain", min_leaf=1, prune=None is the textbook's tree (ID3); criterion="gain_ratio", missing="fractions",
    prune="pessimistic" is C4.5's.

    Parameters
    ----------
    criterion : {"gain", "gain_ratio"}, default "gain"
        What the best test has most of.
    guard : bool, default True
        With gain ratio: only among tests of at least average gain, as in C4.5.
    cost : {"tan_schlimmer", "nunez"} or None, default None
        Weigh the criterion by the costs of the columns: Gain^2/Cost or (2^Gain - 1)/(Cost + 1)^omega.
    omega : float, default 1.0
        How much cost counts in "nunez"; between 0 and 1.
    missing : {"common", "common_in_class", "fractions"}, default "common"
        A missing value is the node's commonest, the commonest of the row's class there, or all values by fractions.
    splits : {"multiway", "binary"}, default "multiway"
        A branch for every value of a nominal column, or one value against the rest.
    stop : {"pure", "chi2"}, default "pure"
        Grow until the classes are apart, or only while a chi-squared test is significant.
    level : float, default 0.05
        The p-value up to which a test is significant; between 0 and 1.
    prune : {"reduced_error", "pessimistic", "mdl"} or None, default None
        Cut back by a validation set, by C4.5's estimate of the error, or by description length.
    confidence : float, default 0.25
        Confidence of the pessimistic estimate; > 0 and <= 1.
    min_leaf : int, default 2
        At least two branches of a test have this many rows; >= 1.
    max_depth : int or None, default None
        The most tests on a path; >= 0.
    random_state : int or None, default None
        Seed of the draws among classes that tie.  None: the first class.

    Notes
    -----
    Algorithm::

        grow(rows):
            if all rows are of one class, no test parts them, or the path has max_depth tests:
                return a leaf with the commonest class of the rows
            test = the test with the largest criterion, of equals that of the first column
            if stop = "chi2" and the test is not significant: return a leaf with the commonest class
            return a node with the test and, for each branch, grow(the rows of that branch);
                a branch without rows is a leaf with the node's commonest class
        tree = grow(all rows), then prune

    A numeric column is tested by "value <= threshold", a nominal one that was split into all its values is not tested
    again below.  There is no mistake bound: a tree is a batch learner.  docs/trees.md and docs/growing_trees.md say
    what is done where textbooks leave something open.

    References
    ----------
    Quinlan 1986, Induction of decision trees.  Quinlan 1993, C4.5: programs for machine learning.
    Mitchell 1997, Machine Learning, chapter 3.  Ma 2019, CS3244 notes, section 3, Theorem 3.1.

    Examples
    --------
    >>> play = [("sunny", "high", "no"), ("rain", "high", "yes"), ("sunny", "normal", "yes"), ("rain", "normal", "yes")]
    >>> rows = [{"outlook": outlook, "humidity": humidity} for outlook, humidity, _ in play]
    >>> tree = DecisionTree(min_leaf=1).fit(rows, [label for *_, label in play])
    >>> tree.predict_many([{"outlook": "sunny", "humidity": "high"}])
    ['no']
    """

    name = "decision-tree"
    validates = True
    weighted = True  # a row counts its weight in every sum
    summary = "a tree of tests on nominal and numeric columns, by gain or gain ratio"
    hypothesis_class = "decision-trees"
    search_order = "greedy, from simple to complex"
    inductive_bias = "short trees, informative tests near the root"
    noise_effect = "is pruned away"
    parameters = (
        Parameter("criterion", "word", "gain", words=("gain", "gain_ratio"), help="criterion that chooses the test"),
        Parameter("guard", "flag", True, help="gain ratio only among tests of at least average gain, as in C4.5"),
        Parameter(
            "cost",
            "word",
            None,
            words=("tan_schlimmer", "nunez"),
            optional=True,
            help="weigh the criterion by the costs of the columns: Gain^2/Cost or (2^Gain - 1)/(Cost + 1)^omega",
        ),
        Parameter("omega", "number", 1.0, at_least=0, at_most=1, help="exponent of the cost in nunez"),
        Parameter(
            "missing",
            "word",
            "common",
            words=("common", "common_in_class", "fractions"),
            help="missing values: the node's commonest, that of the class, or fractions",
        ),
        Parameter(
            "splits",
            "word",
            "multiway",
            words=("multiway", "binary"),
            help="a branch for every value of a nominal column, or one value against the rest",
        ),
        Parameter(
            "stop",
            "word",
            "pure",
            words=("pure", "chi2"),
            help="grow until the classes are apart, or while a test is significant",
        ),
        Parameter("level", "number", 0.05, at_least=0, at_most=1, help="largest p-value of a significant test"),
        Parameter(
            "prune",
            "word",
            None,
            words=("reduced_error", "pessimistic", "mdl"),
            optional=True,
            help="cut back by a validation set, by C4.5's estimate, or by description length",
        ),
        Parameter("confidence", "number", 0.25, above=0, at_most=1, help="confidence of the pessimistic estimate"),
        Parameter("min_leaf", "integer", 2, at_least=1, help="minimum rows in at least two branches of a test"),
        Parameter("max_depth", "integer", None, at_least=0, at_most=1 << 31, optional=True, help="maximum depth"),
        Parameter(
            "random_state", "integer", None, at_least=0, optional=True, help="random seed for ties between classes"
        ),
    )

    fit_parameters = (
        PairsParameter(
            "costs", what="columns with numbers > 0", optional=True, help="cost of a test of each column (default: 1)"
        ),
    )

    def __init__(
        self,
        criterion: str = "gain",
        guard: bool = True,
        cost: str | None = None,
        omega: float = 1.0,
        missing: str = "common",
        splits: str = "multiway",
        stop: str = "pure",
        level: float = 0.05,
        prune: str | None = None,
        confidence: float = 0.25,
        min_leaf: int = 2,
        max_depth: int | None = None,
        random_state: int | None = None,
    ) -> None:
        given = locals()
        super().__init__(**{parameter.name: given[parameter.name] for parameter in self.parameters})

    def fit(  # type: ignore[override]
        self,
        X: Any,
        y: Any,
        validation: tuple[Any, Any] | None = None,
        costs: Mapping[str, float] | None = None,
        weights: Any = None,
    ) -> Self:
        """Grow the tree from a table.

        Parameters
        ----------
        X : table
            A data frame, a list of mappings, a mapping of columns, an array or a file.
        y : sequence or str
            The labels, or the name of the column of X that holds them.
        validation : pair (X, y) or None, default None
            Rows for prune="reduced_error".  None: a third of the rows is held out for it, drawn by the seed.
        costs : mapping or None, default None
            Column to cost, > 0; 1 where none is given.  The parameter `cost` says how they count.
        weights : sequence or None, default None
            How much each row counts, > 0: a whole weight is that many repetitions of the row, of which min_leaf and
            the tests of significance know too.  Not for prune="mdl" and prune="reduced_error".

        Returns
        -------
        DecisionTree
            The learner itself.
        """
        return super().fit(X, y, validation=validation, costs=costs, weights=weights)

    def _fit(  # type: ignore[override]
        self,
        table: Table,
        codes: NDArray[np.int32],
        classes: tuple[Any, ...],
        validation: tuple[Any, Any] | None = None,
        costs: Mapping[str, float] | None = None,
        weights: Any = None,
    ) -> dict[str, Any]:
        held_out = None if validation is None else validation_set(validation, table, classes)
        how = self._how_to_grow(self._costs_of(costs, table))
        counts = check_weights(weights, table.rows)
        if len(counts) and self.settings["prune"] in ("mdl", "reduced_error"):
            raise BadParameter(f"decision-tree does not support weights with prune = {self.settings['prune']}")
        if self.settings["prune"] == "reduced_error" and held_out is None and table.rows >= _THIRD:
            order = np.random.default_rng(self.settings["random_state"] or 0).permutation(table.rows)
            aside, kept = np.sort(order[: table.rows // _THIRD]), np.sort(order[table.rows // _THIRD :])
            held_out = table.take(aside), codes[aside]
            table, codes = table.take(kept), codes[kept]
        grown = grow(table, codes, len(classes), how, counts if len(counts) else None)
        return self._pruned(grown, table, held_out)

    def fit_elsewhere(
        self,
        table: Table,
        classes: tuple[Any, ...],
        grow_tree: Callable[[GrowOptions], FlatTree],
        costs: Mapping[str, float] | None = None,
    ) -> None:
        """As `fit_codes`, of rows that are not in this memory: `table` has no cells, `grow_tree` gives the tree."""
        if self.needs_validation:
            raise BadParameter(
                "prune = reduced_error needs rows that the tree was not grown from, in one memory: "
                "use pessimistic or mdl"
            )
        how = self._how_to_grow(self._costs_of(costs, table))
        self._take(self._pruned(grow_tree(how), table, None), classes, table, self.label)

    def _how_to_grow(self, costs: tuple[float, ...]) -> GrowOptions:
        given = self.settings
        return GrowOptions(
            ratio=given["criterion"] == "gain_ratio",
            guard=given["guard"],
            cost=given["cost"],
            costs=costs,
            omega=given["omega"],
            missing=given["missing"],
            binary=given["splits"] == "binary",
            level=given["level"] if given["stop"] == "chi2" else None,
            min_leaf=given["min_leaf"],
            max_depth=given["max_depth"],
            random_state=given["random_state"],
        )

    def _costs_of(self, costs: Mapping[str, float] | None, table: Table) -> tuple[float, ...]:
        checked = _checked_costs(costs, table)
        if costs and self.settings["cost"] is None:
            raise BadParameter(f"costs must come with cost 'tan_schlimmer' or 'nunez', which weigh them: {costs!r}")
        return checked

    def _pruned(
        self, grown: FlatTree, table: Table, held_out: tuple[Table, NDArray[np.int32]] | None
    ) -> dict[str, Any]:
        """The tree and what is known of its pruning: `unpruned`, `trace`, `code_length`, `code_length_before`."""
        from mistakebound.learners.tree._prune import mdl, pessimistic, reduced_error

        tree, trace, length, before = grown, None, None, None
        if self.settings["prune"] == "pessimistic":
            tree = pessimistic(grown, self.settings["confidence"])
        elif self.settings["prune"] == "mdl":
            tree, length, before = mdl(grown, table)
        elif held_out is not None and self.settings["prune"] == "reduced_error":
            tree, trace = reduced_error(grown, *held_out, fractions=self._fractions)
        return {
            "_tree": tree, "unpruned": grown, "trace": trace, "code_length": length, "code_length_before": before,
        }  # fmt: skip

    @property
    def needs_validation(self) -> bool:
        return bool(self.settings["prune"] == "reduced_error")

    @property
    def _fractions(self) -> bool:
        return bool(self.settings["missing"] == "fractions")

    def _predict(self, table: Table) -> NDArray[np.int32]:
        return classify(self.tree, table, fractions=self._fractions)

    def _proba(self, table: Table) -> NDArray[np.float64]:
        return probabilities(self.tree, table, fractions=self._fractions)

    @property
    def hypothesis(self) -> str:
        """The tree as text, all of it."""
        return self.text(None)

    def _state(self) -> dict[str, Any]:
        return {}

    def _arrays(self) -> dict[str, Any]:
        return self.tree.arrays()

    def _unsaved(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name in _OF_PRUNING}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        self.unpruned = self.tree = FlatTree.restore(arrays, self.schema, len(self.classes))


_OF_PRUNING = ("unpruned", "trace", "code_length", "code_length_before")


def _checked_costs(costs: Mapping[str, Any] | None, table: Table) -> tuple[float, ...]:
    given = dict(costs or {})
    for name, cost in given.items():
        if name not in table.names:
            raise BadParameter(f"costs must be of columns of the table ({', '.join(table.names)}): {name!r}")
        if isinstance(cost, bool) or not isinstance(cost, Real) or not 0 < float(cost) < math.inf:
            raise BadParameter(f"the cost of {name!r} must be a number > 0: {cost!r}")
    return tuple(float(given.get(name, 1.0)) for name in table.names)
