"""Learning decision lists by levels of rules: Balcan 2011, lecture 4."""

from __future__ import annotations

from array import array

from mistakebound.core.atomic import reading
from mistakebound.core.errors import BadParameter
from mistakebound.core.facts import RULES_AND_N, SOME_RULE
from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Condition, Theorem
from mistakebound.learners.numbered_learner import NumberedLearner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.atomic import Change

BALCAN_LISTS = Theorem(
    "Balcan's bound for decision lists",
    source="Balcan, lecture 4, Decision lists",
    statement="mistakes <= (4n + 2)(L + 1)",
    assumes="the target is a decision list of {rules} rules, the default included, over n = {n} attributes",
    refutes="no decision list of {rules} rules over {n} attributes explains these labels",
    needs=("n", "rules"),
    conditions=(Condition("L >= 1", ("rules",), lambda f: f["rules"] >= 1),),
    formula=lambda f: (4 * f["n"] + 2) * (f["rules"] + 1),
)
# A list needs no attribute twice: L <= n + 1.
ANY_LIST = Theorem(
    "Balcan's bound for any decision list",
    source="Balcan, lecture 4, Decision lists, with L <= n + 1",
    statement="mistakes <= (4n + 2)(n + 2)",
    assumes="the target is a decision list over n = {n} attributes",
    refutes="no decision list over {n} attributes explains these labels",
    needs=("n",),
    formula=lambda f: (4 * f["n"] + 2) * (f["n"] + 2),
)


class DecisionListLearner(NumberedLearner):
    """Learns decision lists of single literals over 0/1 attributes, by levels of rules.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.

    Notes
    -----
    There are 4n + 2 rules: "literal => label" for the 2n literals and both labels, "true => 1" and "true => 0".

    Algorithm::

        all 4n + 2 rules are in level 0
        for each trial (x, y):
            level = the first level in which a rule fires
            predict what the first rule of that level that fires says
            if the prediction was wrong:
                move all rules of that level that fired and say the other label than y one level down

    Theorem.  If the target is a decision list of L rules, the default included, over n attributes, ::

        mistakes <= (4n + 2)(L + 1)

    and so at most (4n + 2)(n + 2), because a list needs no attribute twice.

    References
    ----------
    Balcan 2011, 8803 Machine Learning Theory, lecture 4, Decision lists.
    Rivest 1987, Learning decision lists.

    Examples
    --------
    >>> learner = DecisionListLearner(2)
    >>> learner.learn_one([0, 1], 0)  # Balcan's example
    1
    >>> print(learner.hypothesis)
    {x1 => 1, x1 => 0, ~x1 => 0, x2 => 0, ~x2 => 1, ~x2 => 0, true => 0} else {~x1 => 1, x2 => 1, true => 1}
    >>> learner.bound(rules=2).mistakes
    30
    """

    name = "decision-list-learner"
    readable = "list"
    summary = "decision lists of literals, no noise"
    hypothesis_class = "decision-lists in levels"
    search_order = "moves wrong rules down"
    inductive_bias = "short decision lists"
    noise_effect = "moves right rules down too"
    parameters = (Parameter("n", "integer", None, at_least=1, grid=(60,), help="number of attributes"),)
    theorems = (BALCAN_LISTS, ANY_LIST)
    conservative = True
    assumable = {  # noqa: RUF012 - a constant of the class
        "n": "attributes",
        "rules": "rules of the target's shortest list, the default included",
    }
    relations = (RULES_AND_N, SOME_RULE)

    def __init__(self, n: int, labels: Any = None) -> None:
        super().__init__(labels, n=n)
        self._enter_attributes(self.settings["n"])
        # The level of each rule, in Balcan's order: x1 => 1, x1 => 0, ~x1 => 1, ~x1 => 0, ..., true => 1, true => 0.
        self._rules = array("q", bytes(8 * (4 * self.n + 2)))
        # Of an instance of zeros: the rules of all negated literals, and the two that always fire.
        self._off = [rule for rule in range(4 * self.n) if rule & 2] + [4 * self.n, 4 * self.n + 1]

    def _firing(self, active: Sequence[int]) -> list[int]:
        """The rules that fire, in order: rule r predicts 1 when r is even."""
        firing = self._off.copy()
        for j in active:
            firing[2 * j - 2 : 2 * j] = (4 * j - 4, 4 * j - 3)
        return firing

    def _say(self, active: Sequence[int]) -> tuple[int, float, list[int]]:
        firing = self._firing(active)
        first = min(firing, key=self._rules.__getitem__)  # of several in that level, the first in order
        level = self._rules[first]
        share = 1.0 / (1 + level)
        return (0, -share, firing) if first & 1 else (1, share, firing)

    def _hear(self, active: Sequence[int], label: int, prediction: int, how: list[int]) -> list[Change]:
        if label == prediction:
            return []
        rules = self._rules[:]
        level = min(map(rules.__getitem__, how))
        for rule in how:
            if rules[rule] == level and rule & 1 == label:  # even rules predict 1
                rules[rule] += 1
        return [(setattr, self, "_rules", rules)]

    @property
    @reading
    def levels(self) -> list[list[str]]:
        """The rules of each level as texts, in order; levels that all rules have left are left out."""
        levels: dict[int, list[str]] = {}
        for rule, level in enumerate(self._rules):
            levels.setdefault(level, []).append(self._text(rule))
        return [levels[level] for level in sorted(levels)]

    def _text(self, rule: int) -> str:
        j, kind = divmod(rule, 4)
        condition = "true" if j == self.n else f"{'~' if kind & 2 else ''}x{j + 1}"
        return f"{condition} => {1 - (kind & 1)}"

    @reading
    def as_list(self) -> tuple[list[tuple[str, bool, bool]], bool]:
        """The hypothesis as one decision list: (attribute, whether it is on, whether 1 is predicted), and the default.

        Rules by level, then in order; those that cannot fire any more are left out, and those at the end that say
        what the default says.

        >>> learner = DecisionListLearner(2)
        >>> learner.as_list(), learner.learn_one([0, 1], 0), learner.as_list()
        (([], True), 1, ([('1', True, True)], False))
        """
        steps: list[tuple[str, bool, bool]] = []
        asked: set[tuple[int, bool]] = set()
        for rule in sorted(range(4 * self.n + 2), key=self._rules.__getitem__):
            j, on, positive = rule // 4, not rule & 2, not rule & 1
            if j == self.n or (j, not on) in asked:  # it fires whenever none before it did
                break
            if (j, on) not in asked:
                asked.add((j, on))
                steps.append((str(j + 1), on, positive))
        while steps and steps[-1][2] == positive:
            steps.pop()
        return steps, positive

    @reading
    def level_of(self, name: str, positive: bool, label: int) -> int:
        """The level, from 0, of a literal's rule."""
        j = int(name)
        if not 1 <= j <= self.n:
            raise BadParameter(f"name must be an attribute between 1 and {self.n}: {name!r}")
        return self._rules[4 * j - 4 + 2 * (not positive) + (1 - label)]

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """Attributes by the level of their highest rule, those first of which one label has fallen below the other."""
        found = []
        for j in range(self.n):
            one, zero = self._rules[4 * j], self._rules[4 * j + 1]
            if one != zero:
                found.append((min(one, zero), j, 1.0 if one < zero else -1.0))
        return [(str(j + 1), sign) for _, j, sign in sorted(found)[:count]]

    def _arrays(self) -> dict[str, Any]:
        return {"levels": self._rules}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        self._check_attributes()
        levels = arrays["levels"]
        if levels.typecode != "q" or len(levels) != len(self._rules) or min(levels) < 0 or max(levels) > 1 << 40:
            raise ValueError("expected one level per rule")
        self._rules = levels

    def _form(self) -> Any:
        return ("levels of rules", tuple(self._rules))

    def take_form(self, form: Any) -> bool:
        self._rules = array("q", form[1])
        return True

    def _in_words(self, terms: int) -> str:
        levels = [
            "{" + ", ".join([*rules[:terms], *([f"{len(rules) - terms} more"] if len(rules) > terms else [])]) + "}"
            for rules in self.levels
        ]
        return " else ".join(
            [*levels[:terms], *([f"{len(levels) - terms} more levels"] if len(levels) > terms else [])]
        )
