"""What the Bayes-optimal classifier and Gibbs share: a posterior over a class of concepts, or over a list of functions.

A class lives as sets of bits and plays rows like any learner.  A list of functions (or a class with a likelihood of its
own) takes whatever its functions take, one instance at a time, and any labels.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from fractions import Fraction
from operator import setitem
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.bits import pack_array, places
from mistakebound.core.atomic import commit, reading
from mistakebound.core.errors import BadParameter, NoConsistentHypothesis
from mistakebound.core.params import Parameter
from mistakebound.learners.bayes._belief import ConceptBelief, FunctionBelief, groups_of
from mistakebound.learners.finite.version_space_learner import ClassParameter, VersionSpaceLearner, class_of
from mistakebound.learners.numbered_learner import NumberedLearner
from mistakebound.theory.bayes.likelihood import LabelNoise, NoiseFree, likelihood_of
from mistakebound.theory.bayes.prior import exact_number, hypotheses_of, prior_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

MOST_CONTRADICTED = 1 << 20  # labels: exact votes take powers of the noise as high as that
_NAMED = 10_000  # concepts that are looked at one by one, to say what they have in common


class HypothesesParameter(ClassParameter):
    """A class of concepts, by its text where it has one; or a list of functions."""

    __slots__ = ()

    @property
    def rule(self) -> str:
        return super().rule + " or a list of functions"

    def check(self, value: Any) -> Any:
        if isinstance(value, (list, tuple)) and value and all(map(callable, value)):
            return tuple(value)
        return super().check(value)


class PriorParameter(Parameter):
    """ "uniform", or the probabilities of the hypotheses in their order, kept as texts of fractions.

    >>> PriorParameter("prior", help="").parse("0.5, 1/4,1/4")
    ['1/2', '1/4', '1/4']
    """

    __slots__ = ()

    def __init__(self, name: str, *, help: str) -> None:
        super().__init__(name, "word", "uniform", words=("uniform",), help=help)

    @property
    def rule(self) -> str:
        return "'uniform' or as many probabilities as there are hypotheses, with the sum 1"

    def check(self, value: Any) -> Any:
        if isinstance(value, str) and value == "uniform":
            return value
        if isinstance(value, (list, tuple)):
            return [str(exact_number(self.name, number)) for number in value]
        raise BadParameter(f"{self.name} must be {self.rule}: {value!r}")

    def parse(self, text: str) -> Any:
        return self.check(text if text == "uniform" else [part.strip() for part in text.split(",")])


def prior_texts(hypotheses: Any, prior: Any) -> Any:
    """A prior in any form (a mapping, a function, an array) as the parameter keeps it."""
    if prior is None or (isinstance(prior, str) and prior == "uniform"):
        return "uniform"
    try:
        return [str(p) for p in prior_of(hypotheses_of(hypotheses), prior)]
    except (BadParameter, TypeError) as error:
        raise BadParameter(f"prior must be {PriorParameter('prior', help='').rule} ({error}): {prior!r}") from None


HYPOTHESES = HypothesesParameter(
    "concepts", grid=("monotone-disjunctions n=11 k=3",), help="the class of the target, or a list of functions"
)
NOISE = Parameter("noise", "number", 0.0, at_least=0, at_most=0.5, grid=(0.0, 0.1), help="rate of wrong labels (noise)")
PRIOR = PriorParameter("prior", help="P(h) before the first label")


class BayesianLearner(VersionSpaceLearner):
    """Keeps the posterior; `_say` is the algorithm's own."""

    probabilities = True

    def __init__(
        self, concepts: Any, noise: float = 0.0, prior: Any = "uniform", likelihood: Any = None, labels: Any = None,
        **more: Any,
    ) -> None:  # fmt: skip
        checked = HYPOTHESES.check(concepts)
        space: Any = checked if isinstance(checked, tuple) else class_of(checked)
        given = {"concepts": checked, "noise": noise, "prior": prior_texts(space, prior), **more}
        self._functions: FunctionBelief | None = None
        if isinstance(checked, tuple) or likelihood is not None:
            NumberedLearner.__init__(self, labels, **given)
            self._enter_attributes(0)
            self.concepts = space
            rule = self._rule(likelihood, labels)
            hypotheses = hypotheses_of(space)
            self._functions = FunctionBelief(hypotheses, rule, prior_of(hypotheses, self.settings["prior"]))
        else:
            super().__init__(labels, **given)
            self._start()

    def _rule(self, likelihood: Any, labels: Any) -> Any:
        """How functions are judged: by what is given, or by the rate of wrong labels."""
        if likelihood is not None:
            if self.settings["noise"]:
                raise BadParameter(f"noise must be 0 where a likelihood is given: {self.settings['noise']}")
            return likelihood_of(likelihood, labels or (0, 1))
        noise = exact_number("noise", self.settings["noise"])
        return LabelNoise(noise, labels or (0, 1)) if noise else NoiseFree()

    def _start(self) -> None:
        everyone, prior = self._voters.everyone, self.settings["prior"]
        if prior == "uniform":
            groups = [(Fraction(1, self._voters.size), everyone)]
        else:
            groups = groups_of(prior_of(range(self._voters.size), prior))
        self._alive = sum(members for _, members in groups)
        self._belief = ConceptBelief(groups, {0: self._alive}, exact_number("noise", self.settings["noise"]))

    # Any instance, with functions.

    def encode(self, x: Any, names: Sequence[str] | None = None) -> Any:
        return super().encode(x, names) if self._functions is None else x

    def predict_one(self, x: Any, names: Sequence[str] | None = None) -> Any:
        if self._functions is None:
            return super().predict_one(x, names)
        return self._label_of(self._functions, x)

    def predict_proba_one(self, x: Any, names: Sequence[str] | None = None) -> dict[Any, float]:
        """P(t | x, D) of every label."""
        if self._functions is not None:
            return {t: float(p) for t, p in self._functions.votes(x).items()}
        negative, positive = self.labels.values
        one = (1 + VersionSpaceLearner.score_one(self, x, names)) / 2
        return {negative: 1 - one, positive: one}

    def score_probabilities(self, scores: array[float]) -> array[float]:
        """Of each score the probability of the positive label."""
        return array("d", [(1 + score) / 2 for score in scores])

    def predict_proba_many(self, X: Any, *, names: Sequence[str] | None = None) -> Any:
        """P(t | x, D) of every label (columns, in the order of `labels.values`) for each row."""
        import numpy as np

        one = (1 + self.score_many(X, names=names)) / 2
        return np.column_stack([1 - one, one])

    def score_one(self, x: Any, names: Sequence[str] | None = None) -> float:
        """P(the positive label | x, D) - P(any other | x, D)."""
        if self._functions is None:
            return super().score_one(x, names)
        return 2 * float(self._functions.votes(x).get(self.labels.values[1], 0)) - 1

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Sequence[str] | None = None) -> Any:
        if self._functions is None:
            return super().learn_one(x, y, weight, names)
        if weight != 1.0:
            raise BadParameter(f"weight must be 1 for {self.name}: {weight!r}")
        with self._lock:
            said, after = self._label_of(self._functions, x), self._functions.after(x, y)
            commit([(setattr, self, "_functions", after), *self._heard(), (setitem, self._row, 0, 1)])
            return said

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        if self._functions is not None:
            raise BadParameter(f"{self.name} must have a class of concepts for rows in blocks: it has functions")
        return super()._run(rows, labels, predictions, scores, learn)

    @abstractmethod
    def _label_of(self, belief: FunctionBelief, x: Any) -> Any:
        """What is predicted for an instance of functions."""

    def _heard(self) -> list[Change]:
        """For `commit`: what else changes when a label is learned."""
        return []

    # Rows of 0 and 1, with a class of concepts.

    def _hear(self, active: Sequence[int], label: int, prediction: int, how: int) -> list[Change]:
        after = self._belief.after(how if label else self._alive ^ how)
        if after is None:
            raise NoConsistentHypothesis(f"no consistent concept is left of {self.concepts}")
        return [(setattr, self, "_belief", after), (setattr, self, "_alive", after.alive), *self._heard()]

    def _score(self, yes: int) -> tuple[int, float]:
        """Which label wins (1, -1, or 0 at a tie), and P(1 | x, D) - P(0 | x, D)."""
        winner, margin = self._belief.lead(yes)
        noise = self._belief.noise
        if not noise:
            return winner, margin
        if noise == Fraction(1, 2):
            return 0, 0.0
        return winner, float(1 - 2 * noise) * margin

    @reading
    def posterior(self, count: int = 10) -> list[tuple[Any, float]]:
        """The most probable hypotheses with their posterior; of equal ones the first in the order of the class."""
        if self._functions is not None:
            pairs = zip(self._functions.hypotheses, map(float, self._functions.posterior()), strict=True)
            return sorted((pair for pair in pairs if pair[1]), key=lambda pair: -pair[1])[:count]
        cells = self._belief.cells()
        total = sum(weight * here.bit_count() for weight, here in cells)
        found: list[tuple[Any, float]] = []
        for weight in sorted({weight for weight, _ in cells}, reverse=True):
            same = sum(here for other, here in cells if other == weight)
            wanted = count - len(found)
            if not wanted:
                break
            found += [(concept, float(Fraction(weight, total))) for concept in self._voters.some(same, wanted)]
        return found

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """Attributes by the posterior of the concepts that mention them; nothing while these are too many."""
        if self._functions is not None or self._points is not None or self.size > _NAMED:
            return []
        shares: dict[str, float] = {}
        for concept, p in self.posterior(_NAMED):
            for name in getattr(concept, "attributes", ()):
                shares[name] = shares.get(name, 0.0) + p
        return sorted(shares.items(), key=lambda pair: (-pair[1], int(pair[0])))[:count]

    @reading
    def facts(self) -> dict[str, Any]:
        known = super().facts()
        if self._functions is not None:
            return known | {"least_prior": float(min(p for p in self._functions.posterior() if p))}
        groups = self._belief.groups
        return known | {"least_prior": float(min(prior for prior, _ in groups))}

    @reading
    def start(self) -> dict[str, Any]:
        if self._functions is not None:
            return {"least_prior": self.facts()["least_prior"]}
        return {"least_prior": float(self._belief.least())}

    def derived_facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        return facts if facts["noise"] else {"noisy": 0, **facts}

    # Model files: how many labels every concept contradicted more than the best; -1 where its posterior is 0.

    def _arrays(self) -> dict[str, Any]:
        import numpy as np

        size = self._voters.size
        counts = np.full(size, -1, np.int32)
        for k, level in self._belief.levels.items():
            counts[places(level, size)] = k
        return {"contradicted": array("i", counts.tobytes())}

    def _check_saved(self) -> None:
        if self._functions is not None:
            raise BadParameter(f"concepts must be a class that has a text form to be saved, not functions: {self.name}")
        super()._check_saved()

    @staticmethod
    def _fits(arrays: dict[str, array[Any]], concepts: int) -> bool:
        return len(arrays["contradicted"]) == concepts

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        import numpy as np

        self._check_attributes()
        if arrays["contradicted"].typecode != "i":
            raise ValueError("expected one count per concept")
        counts, possible = np.array(arrays["contradicted"], np.int32), self._alive
        levels = {int(k): pack_array(counts == k) for k in np.unique(counts)}
        left_out = levels.pop(-1, 0)
        if 0 not in levels or min(levels) < 0 or (len(levels) > 1 and not self._belief.noise):
            raise ValueError("the counts are not those of a posterior")
        if max(levels) > MOST_CONTRADICTED:
            raise ValueError(f"a concept was contradicted more than {MOST_CONTRADICTED} times")
        self._belief = ConceptBelief(self._belief.groups, levels, self._belief.noise)
        self._alive = self._belief.alive
        if self._alive & ~possible or (self._belief.noise and left_out & possible):
            raise ValueError("the counts are not those of a posterior")

    def _form(self) -> Any:
        belief = self._belief.form() if self._functions is None else self._functions.form()
        return (self.name, self.concepts if self._functions is None else None, belief, *self._manner())
