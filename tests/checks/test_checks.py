"""The common checks: every learner passes them, and each notices what it is there to notice."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import count
from typing import Any

import pytest

import mistakebound as mb
from mistakebound import learners
from mistakebound.checks import CheckFailed, _games, all_checks, check_learner, checks_for, subjects
from mistakebound.core.params import Parameter
from mistakebound.core.protocol import BatchLearner

HASH_SEEDS = """
from mistakebound import learners
from mistakebound.checks.resuming import trace
for name in learners.names():
    found = learners.find(name)
    if found.takes == "rows" and found.online:
        print(name, trace(found, 1))
"""


@pytest.mark.parametrize("most", [1, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", learners.names())
def test_every_learner_passes(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found, only = learners.find(name), set(all_checks())
    if most == 1:
        one_game_each(monkeypatch)
        if name != "winnow2":  # for the others test_hash_seeds_agree starts fewer processes
            only -= {"hash_seeds_agree"}
    ran = check_learner(found, most=most, only=only)
    needed = {
        "rows": {"one_by_one_equals_blocks", "resuming_equals_never_stopping", "hash_seeds_agree"},
        "table": {"a_table_model_is_kept_whole"},
        "instances": {"parameters_are_declared"},
        "points": {"parameters_are_declared"},
        "numbers": {"fitting_rows_is_pure_and_repeatable", "rows_one_by_one_are_rows_in_order"},
    }
    assert needed[found.takes] & only <= set(ran)
    if found.takes == "instances":
        assert {"tables_equal_one_by_one", "concepts_are_kept_whole", "bad_concept_data_are_refused"} <= set(ran)


def one_game_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each check plays one game, in turn, with the first options too, where it would play all three."""
    turn, games = count(), _games.games

    def one(subject: Any) -> list[_games.Game]:
        played = games(subject)
        return [played[next(turn) % len(played)]]

    for name, module in list(sys.modules.items()):
        if name.startswith("mistakebound.checks.") and getattr(module, "games", None) is games:
            monkeypatch.setattr(module, "games", one)


def test_hash_seeds_agree() -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", HASH_SEEDS], stdout=subprocess.PIPE, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        for seed in ("0", "4242")
    ]
    said = [run.communicate()[0].decode().splitlines() for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert said[0] == said[1]
    assert len(said[0]) > 15


def test_every_check_says_what_it_asks() -> None:
    for name, check in all_checks().items():
        assert check.function.__doc__, name
        assert check.function.__name__ == f"check_{name}"


def test_checks_are_chosen_by_capability() -> None:
    by_name = {name: set(checks_for(next(subjects(learners.find(name))))) for name in learners.names()}
    assert "other_values_are_refused" in by_name["winnow1"] - by_name["perceptron"]
    assert "names_do_not_matter" in by_name["winnow2"] - by_name["perceptron"]
    assert "current_is_what_predicts_trials" in by_name["averaged-perceptron"] - by_name["perceptron"]
    assert not any("fit_returns_self" in names for names in by_name.values())


def test_the_grid_leaves_out_what_the_constructor_refuses() -> None:
    chosen = [subject.settings for subject in subjects(mb.Winnow1)]
    assert {"alpha": 2.0, "theta": "n/2", "n": 60, "rule": ">=", "start": 1.0} in chosen
    assert not any(isinstance(s["theta"], str) and s["n"] is None for s in chosen)


def test_no_numpy_before_it_is_needed() -> None:
    script = "import sys, mistakebound.checks as c; c.all_checks(); assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


class Forgetful(mb.learners.DisjunctionElimination):
    """Predicting adds attributes."""

    def predict_one(self, x: Any, names: Any = None) -> Any:
        self.encode(x, names).rows(self.attributes, add=True)
        self._grow(len(self.attributes))
        return super().predict_one(x, names)


class Wrong(mb.Winnow2):
    """Says the opposite of what it predicted, and ignores weights without saying so."""

    weighted = False

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Any = None) -> Any:
        return 1 - super().learn_one(x, y, 1.0, names)


class Rude(mb.Perceptron):
    """Eats its input, and says nothing of bad options."""

    parameters = (Parameter("eta", "number", 1.0, above=0, grid=(1.0,), help="rate"), mb.Perceptron.parameters[1])

    def __init__(self, eta: Any = 1.0, bias: Any = True, labels: Any = None) -> None:
        super().__init__(eta if isinstance(eta, float) and 0 < eta < 9 else 1.0, bias, labels)

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Any = None) -> Any:
        prediction = super().learn_one(x, y, weight, names)
        if isinstance(x, dict):
            x.clear()
        return prediction


class Careless(mb.Perceptron):
    """Takes a hypothesis that goes on learning."""

    @property
    def hypothesis(self) -> Any:
        from mistakebound.core.hypothesis import Hypothesis

        return Hypothesis(self)


class Confused(mb.AveragedPerceptron):
    """Says that trials are predicted by the average, which they are not."""

    trials_by = "predict_one"


class Stale(mb.AveragedPerceptron):
    """Gives out the average as what predicts trials."""

    @property
    def current(self) -> Any:
        return self.hypothesis


@pytest.mark.parametrize(
    ("learner", "check"),
    [
        (Forgetful, "predict_is_pure"),
        (Wrong, "learn_one_returns_the_prediction"),
        (Wrong, "weight_is_refused"),
        (Rude, "input_is_not_changed"),
        (Rude, "bad_parameters_have_one_error_shape"),
        (Careless, "hypothesis_stands_still"),
        (Confused, "learn_one_returns_the_prediction"),
        (Stale, "current_is_what_predicts_trials"),
    ],
)
def test_a_bad_learner_is_found_out(learner: Any, check: str) -> None:
    with pytest.raises(CheckFailed, match=f"^{check}: {learner.__name__}"):
        check_learner(learner, only=[check])
    assert check_learner(learner, only=[check], expected_failures={check: "it is meant to"}) == [check]


def test_expected_failures_must_fail() -> None:
    with pytest.raises(CheckFailed, match=r"weight_is_refused was expected to fail \(habit\) and passed"):
        check_learner(mb.Perceptron, only=["weight_is_refused"], expected_failures={"weight_is_refused": "habit"})
    with pytest.raises(ValueError, match="no check has the name nonsense"):
        check_learner(mb.Perceptron, expected_failures={"nonsense": ""})


def test_a_factory_of_fresh_learners(monkeypatch: pytest.MonkeyPatch) -> None:
    one_game_each(monkeypatch)
    assert "predict_is_pure" in check_learner(lambda: mb.Winnow1(n=40, alpha=3, theta=5))


class Majority(BatchLearner):
    """A learner of whole tables: the more frequent label."""

    name = "majority"
    parameters = ()

    def fit(self, table: Any, y: Any) -> Majority:
        self.label = int(2 * sum(y) > len(y))
        return self

    def predict_one(self, x: Any) -> int:
        return self.label

    def predict_many(self, X: Any) -> list[int]:
        return [self.label for _ in X]

    @property
    def hypothesis(self) -> Any:
        return self.label


class Restless(Majority):
    """Another hypothesis at every call."""

    calls = 0

    def fit(self, table: Any, y: Any) -> Restless:
        Restless.calls += 1
        self.label = Restless.calls
        return self


class Boaster(mb.Perceptron):
    """Declares what it cannot do."""

    probabilities = True


class Modest(mb.Winnow2):
    """Can do more than it declares."""

    ranked = False


class Gossip(mb.Perceptron):
    """Says something else of many rows."""

    def score_many(self, X: Any, *, names: Any = None) -> Any:
        return super().score_many(X, names=names) + 1


class Blind(mb.DecisionTree):
    """Has probabilities that are none."""

    def _proba(self, table: Any) -> Any:
        return super()._proba(table) / 2


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (Boaster, "probabilities is True, and predict_proba_one is there: False"),
        (Modest, "ranked is False, and top is there: True"),
        (Gossip, "score_many and score_one differ"),
        (Blind, "probabilities do not sum to 1"),
    ],
)
def test_what_is_declared_must_be_true(learner: Any, message: str) -> None:
    with pytest.raises(CheckFailed, match=message):
        check_learner(learner, only=["declared_methods_are_there", "declared_methods_agree"], most=2)


def test_the_checks_want_a_learner_that_keeps_the_contract() -> None:
    with pytest.raises(mb.BadParameter, match=r"must keep the contract of mistakebound.core.protocol: 5"):
        check_learner(lambda: 5)


def test_batch_learners() -> None:
    ran = check_learner(Majority)
    assert "fit_returns_self" in ran
    assert "predict_is_pure" not in ran
    with pytest.raises(CheckFailed, match="another hypothesis"):
        check_learner(Restless)
