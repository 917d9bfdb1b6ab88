"""Decision trees (M §3; Quinlan, Induction of Decision Trees, 1986, and C4.5, 1993)."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.core.params import PairsParameter, Parameter
from mistakebound.learners.table_learner import validation_set
from mistakebound.learners.tree._growing import GrowOptions, grow
from mistakebound.learners.tree._walk import classify, probabilities
from mistakebound.learners.tree.flat_tree import FlatTree
from mistakebound.learners.tree.node_text import ShownTree

if TYPE_CHECKING:
    from array import array
    from collections.abc import Mapping
    from typing import Any, Self

    from numpy.typing import NDArray

    from mistakebound.core.table import Table

_THIRD = 3  # one row of so many is held out for reduced_error where no validation set is given


class DecisionTree(ShownTree):
    """A tree of tests on the columns of a table, grown greedily from the root (M Theorem 3.1).

    criterion="gain", min_leaf=1, prune=None is M's tree; criterion="gain_ratio", missing="fractions",
    prune="pessimistic" is C4.5's.  docs/trees.md says what each parameter does.

    >>> play = [("sunny", "high", "no"), ("rain", "high", "yes"), ("sunny", "normal", "yes"), ("rain", "normal", "yes")]
    >>> rows = [{"outlook": outlook, "humidity": humidity} for outlook, humidity, _ in play]
    >>> tree = DecisionTree(min_leaf=1).fit(rows, [label for *_, label in play])
    >>> tree.predict_many([{"outlook": "sunny", "humidity": "high"}])
    ['no']
    """

    name = "decision-tree"
    validates = True
    summary = "a tree of tests on nominal and numeric columns, by gain or gain ratio"
    parameters = (
        Parameter("criterion", "word", "gain", words=("gain", "gain_ratio"), help="what the best test has most of"),
        Parameter("guard", "flag", True, help="gain ratio only among tests of at least average gain, as in C4.5"),
        Parameter(
            "cost",
            "word",
            None,
            words=("tan_schlimmer", "nunez"),
            optional=True,
            help="weigh the criterion by the costs of the columns: Gain^2/Cost or (2^Gain - 1)/(Cost + 1)^omega",
        ),
        Parameter("omega", "number", 1.0, at_least=0, at_most=1, help="how much cost counts in nunez"),
        Parameter(
            "missing",
            "word",
            "common",
            words=("common", "common_in_class", "fractions"),
            help="a missing value is the node's commonest, the commonest of the row's class there, or all by fractions",
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
        Parameter("level", "number", 0.05, at_least=0, at_most=1, help="the p-value up to which a test is significant"),
        Parameter(
            "prune",
            "word",
            None,
            words=("reduced_error", "pessimistic", "mdl"),
            optional=True,
            help="cut back by a validation set, by C4.5's estimate, or by description length",
        ),
        Parameter("confidence", "number", 0.25, above=0, at_most=1, help="of the pessimistic estimate"),
        Parameter("min_leaf", "integer", 2, at_least=1, help="at least two branches of a test have this many rows"),
        Parameter(
            "max_depth", "integer", None, at_least=0, at_most=1 << 31, optional=True, help="the most tests on a path"
        ),
        Parameter("random_state", "integer", None, at_least=0, optional=True, help="draws among classes that tie"),
    )

    fit_parameters = (
        PairsParameter(
            "costs", what="columns with numbers > 0", optional=True, help="what a test of a column costs, else 1"
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
    ) -> Self:
        """Learn a table (`table_of` says what may be one) with its labels; y may be the name of a column.

        `validation` is (X, y), for reduced_error; without it a third of the rows is held out, drawn by the seed.
        `costs` are numbers > 0 by column, 1 where none is given; the parameter `cost` says how they count.
        """
        return super().fit(X, y, validation=validation, costs=costs)

    def _fit(  # type: ignore[override]
        self,
        table: Table,
        codes: NDArray[np.int32],
        classes: tuple[Any, ...],
        validation: tuple[Any, Any] | None = None,
        costs: Mapping[str, float] | None = None,
    ) -> dict[str, Any]:
        held_out = None if validation is None else validation_set(validation, table, classes)
        how = self._how_to_grow(_checked_costs(costs, table))
        if costs and self.settings["cost"] is None:
            raise BadParameter(f"costs must come with cost 'tan_schlimmer' or 'nunez', which weigh them: {costs!r}")
        if self.settings["prune"] == "reduced_error" and held_out is None and table.rows >= _THIRD:
            order = np.random.default_rng(self.settings["random_state"] or 0).permutation(table.rows)
            aside, kept = np.sort(order[: table.rows // _THIRD]), np.sort(order[table.rows // _THIRD :])
            held_out = table.take(aside), codes[aside]
            table, codes = table.take(kept), codes[kept]
        grown = grow(table, codes, len(classes), how)
        return self._pruned(grown, table, held_out)

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
