"""mistakebound: learning online, one example at a time, with a proven limit on the number of mistakes.

Names are looked up when they are first used, so that importing the package costs nothing.

>>> import mistakebound as mb
>>> learner = mb.Winnow1(n=1000)
>>> learner.bound(k=5).mistakes
110
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.arena.compare import Comparison as Comparison
    from mistakebound.arena.compare import compare as compare
    from mistakebound.arena.equivalence import AsOnlineLearner as AsOnlineLearner
    from mistakebound.arena.equivalence import AsQueryLearner as AsQueryLearner
    from mistakebound.arena.equivalence import QueryLearner as QueryLearner
    from mistakebound.arena.equivalence import identify as identify
    from mistakebound.arena.pac_experiment import pac_experiment as pac_experiment
    from mistakebound.arena.play import play as play
    from mistakebound.arena.questions import InteractiveLearner as InteractiveLearner
    from mistakebound.arena.questions import fewest_questions as fewest_questions
    from mistakebound.hunting.hunt import Hunt as Hunt
    from mistakebound.hunting.hunt import hunt as hunt
    from mistakebound.learners.bayes.bayes_optimal import BayesOptimal as BayesOptimal
    from mistakebound.learners.bayes.gaussian_means import GaussianMeans as GaussianMeans
    from mistakebound.learners.bayes.gibbs import Gibbs as Gibbs
    from mistakebound.learners.bayes.naive_bayes import NaiveBayes as NaiveBayes
    from mistakebound.learners.em import em as em
    from mistakebound.learners.ensemble.one_vs_all import OneVsAll as OneVsAll
    from mistakebound.learners.ensemble.randomized_weighted_majority import (
        RandomizedWeightedMajority as RandomizedWeightedMajority,
    )
    from mistakebound.learners.ensemble.weighted_majority import WeightedMajority as WeightedMajority
    from mistakebound.learners.finite.halving import Halving as Halving
    from mistakebound.learners.finite.standard_optimal import StandardOptimalAlgorithm as StandardOptimalAlgorithm
    from mistakebound.learners.linear.arow import AROW as AROW
    from mistakebound.learners.linear.averaged_perceptron import AveragedPerceptron as AveragedPerceptron
    from mistakebound.learners.linear.balanced_winnow import BalancedWinnow as BalancedWinnow
    from mistakebound.learners.linear.passive_aggressive import PassiveAggressive as PassiveAggressive
    from mistakebound.learners.linear.perceptron import Perceptron as Perceptron
    from mistakebound.learners.linear.winnow1 import Winnow1 as Winnow1
    from mistakebound.learners.linear.winnow2 import Winnow2 as Winnow2
    from mistakebound.learners.network.linear_unit import LinearUnit as LinearUnit
    from mistakebound.learners.network.network import Network as Network
    from mistakebound.learners.network.sigmoid_unit import SigmoidUnit as SigmoidUnit
    from mistakebound.learners.network.table_network import TableNetwork as TableNetwork
    from mistakebound.learners.rules.conjunction_elimination import ConjunctionElimination as ConjunctionElimination
    from mistakebound.learners.rules.decision_list_learner import DecisionListLearner as DecisionListLearner
    from mistakebound.learners.rules.disjunction_elimination import DisjunctionElimination as DisjunctionElimination
    from mistakebound.learners.tree.criteria import entropy as entropy
    from mistakebound.learners.tree.criteria import gain_ratio as gain_ratio
    from mistakebound.learners.tree.criteria import information_gain as information_gain
    from mistakebound.learners.tree.criteria import split_information as split_information
    from mistakebound.learners.tree.decision_tree import DecisionTree as DecisionTree
    from mistakebound.learners.tree.shortest import shortest_tree as shortest_tree
    from mistakebound.learners.version_space.candidate_elimination import CandidateElimination as CandidateElimination
    from mistakebound.learners.version_space.find_s import FindS as FindS
    from mistakebound.learners.version_space.list_then_eliminate import ListThenEliminate as ListThenEliminate
    from mistakebound.learners.version_space.rote_learner import RoteLearner as RoteLearner
    from mistakebound.model.find_rule import find_rule as find_rule
    from mistakebound.model.learning import learn as learn
    from mistakebound.model.model import Model as Model
    from mistakebound.model.model import load as load
    from mistakebound.model.passes import play_passes as play_passes
    from mistakebound.report.decision_tree import draw_decision_tree as draw_decision_tree
    from mistakebound.report.drawing import draw_game as draw_game
    from mistakebound.report.drawing import draw_tree as draw_tree
    from mistakebound.report.explanation import explain_one as explain_one
    from mistakebound.report.inductive_bias import InductiveBias as InductiveBias
    from mistakebound.report.lattice import draw_lattice as draw_lattice
    from mistakebound.report.mixture import draw_means as draw_means
    from mistakebound.report.network_pictures import draw_boundary as draw_boundary
    from mistakebound.report.network_pictures import draw_code as draw_code
    from mistakebound.report.network_pictures import draw_hidden_weights as draw_hidden_weights
    from mistakebound.report.network_pictures import draw_training as draw_training
    from mistakebound.report.perceptron_strip import draw_perceptron_strip as draw_perceptron_strip
    from mistakebound.teachers.command import CommandOracle as CommandOracle
    from mistakebound.teachers.conjunction_adversary import ConjunctionAdversary as ConjunctionAdversary
    from mistakebound.teachers.disjunction_adversary import DisjunctionAdversary as DisjunctionAdversary
    from mistakebound.teachers.human_teacher import HumanTeacher as HumanTeacher
    from mistakebound.teachers.mistake_tree_adversary import MistakeTreeAdversary as MistakeTreeAdversary
    from mistakebound.teachers.mistake_tree_adversary import adversary_for as adversary_for
    from mistakebound.teachers.oracles import CachingOracle as CachingOracle
    from mistakebound.teachers.oracles import CountingOracle as CountingOracle
    from mistakebound.teachers.oracles import EquivalenceOracle as EquivalenceOracle
    from mistakebound.teachers.oracles import MembershipOracle as MembershipOracle
    from mistakebound.theory import bayes as bayes
    from mistakebound.theory.agnostic import least_training_error as least_training_error
    from mistakebound.theory.agnostic import overfits as overfits
    from mistakebound.theory.halving_worst_case import halving_worst_case as halving_worst_case
    from mistakebound.theory.lower_bounds import lower_bounds as lower_bounds
    from mistakebound.theory.opt import opt as opt
    from mistakebound.theory.pac import error_interval as error_interval
    from mistakebound.theory.pac import is_epsilon_exhausted as is_epsilon_exhausted
    from mistakebound.theory.pac import training_error as training_error
    from mistakebound.theory.pac import true_error as true_error
    from mistakebound.theory.queries import query_depth as query_depth
    from mistakebound.theory.sample_size import exhaustion_bound as exhaustion_bound
    from mistakebound.theory.sample_size import sample_size as sample_size
    from mistakebound.theory.separability import linearly_separable as linearly_separable
    from mistakebound.theory.teaching import teaching_dimension as teaching_dimension
    from mistakebound.theory.vc import dichotomies as dichotomies
    from mistakebound.theory.vc import shatters as shatters
    from mistakebound.theory.vc import vc_dimension as vc_dimension
    from mistakebound.theory.worst_case import worst_case as worst_case
    from mistakebound.transforms.expand import expand as expand
    from mistakebound.transforms.standardize import standardize as standardize

__version__ = "0.1.0"

_HOMES = {
    "HumanTeacher": "mistakebound.teachers.human_teacher",
    "InteractiveLearner": "mistakebound.arena.questions",
    "fewest_questions": "mistakebound.arena.questions",
    "InductiveBias": "mistakebound.report.inductive_bias",
    "draw_lattice": "mistakebound.report.lattice",
    "find_rule": "mistakebound.model.find_rule",
    "expand": "mistakebound.transforms.expand",
    "standardize": "mistakebound.transforms.standardize",
    "play": "mistakebound.arena.play",
    "compare": "mistakebound.arena.compare",
    "Comparison": "mistakebound.arena.compare",
    "play_passes": "mistakebound.model.passes",
    "Model": "mistakebound.model.model",
    "learn": "mistakebound.model.learning",
    "load": "mistakebound.model.model",
    "explain_one": "mistakebound.report.explanation",
    "Ledger": "mistakebound.core.ledger",
    "Theorem": "mistakebound.core.theorem",
    "Bound": "mistakebound.core.theorem",
    "Trial": "mistakebound.core.trial",
    "Teacher": "mistakebound.core.protocol",
    "MistakeboundError": "mistakebound.core.errors",
    "BadData": "mistakebound.core.errors",
    "BadModel": "mistakebound.core.errors",
    "BadParameter": "mistakebound.core.errors",
    "NoConsistentHypothesis": "mistakebound.core.errors",
    "Replay": "mistakebound.teachers.replay",
    "FileTeacher": "mistakebound.arena.file_teacher",
    "RandomTarget": "mistakebound.teachers.random_target",
    "ConjunctionAdversary": "mistakebound.teachers.conjunction_adversary",
    "DisjunctionAdversary": "mistakebound.teachers.disjunction_adversary",
    "MistakeTreeAdversary": "mistakebound.teachers.mistake_tree_adversary",
    "adversary_for": "mistakebound.teachers.mistake_tree_adversary",
    "EquivalenceOracle": "mistakebound.teachers.oracles",
    "MembershipOracle": "mistakebound.teachers.oracles",
    "CountingOracle": "mistakebound.teachers.oracles",
    "CachingOracle": "mistakebound.teachers.oracles",
    "QueryLearner": "mistakebound.arena.equivalence",
    "AsQueryLearner": "mistakebound.arena.equivalence",
    "AsOnlineLearner": "mistakebound.arena.equivalence",
    "identify": "mistakebound.arena.equivalence",
    "hunt": "mistakebound.hunting.hunt",
    "Hunt": "mistakebound.hunting.hunt",
    "CommandOracle": "mistakebound.teachers.command",
    "sample_size": "mistakebound.theory.sample_size",
    "exhaustion_bound": "mistakebound.theory.sample_size",
    "true_error": "mistakebound.theory.pac",
    "training_error": "mistakebound.theory.pac",
    "error_interval": "mistakebound.theory.pac",
    "is_epsilon_exhausted": "mistakebound.theory.pac",
    "least_training_error": "mistakebound.theory.agnostic",
    "overfits": "mistakebound.theory.agnostic",
    "pac_experiment": "mistakebound.arena.pac_experiment",
    "dichotomies": "mistakebound.theory.vc",
    "draw_decision_tree": "mistakebound.report.decision_tree",
    "draw_game": "mistakebound.report.drawing",
    "draw_tree": "mistakebound.report.drawing",
    "halving_worst_case": "mistakebound.theory.halving_worst_case",
    "lower_bounds": "mistakebound.theory.lower_bounds",
    "opt": "mistakebound.theory.opt",
    "query_depth": "mistakebound.theory.queries",
    "Diverged": "mistakebound.core.errors",
    "LearnerBusy": "mistakebound.core.errors",
    "draw_boundary": "mistakebound.report.network_pictures",
    "draw_code": "mistakebound.report.network_pictures",
    "draw_hidden_weights": "mistakebound.report.network_pictures",
    "draw_perceptron_strip": "mistakebound.report.perceptron_strip",
    "draw_training": "mistakebound.report.network_pictures",
    "linearly_separable": "mistakebound.theory.separability",
    "shatters": "mistakebound.theory.vc",
    "shortest_tree": "mistakebound.learners.tree.shortest",
    "teaching_dimension": "mistakebound.theory.teaching",
    "entropy": "mistakebound.learners.tree.criteria",
    "gain_ratio": "mistakebound.learners.tree.criteria",
    "information_gain": "mistakebound.learners.tree.criteria",
    "split_information": "mistakebound.learners.tree.criteria",
    "vc_dimension": "mistakebound.theory.vc",
    "worst_case": "mistakebound.theory.worst_case",
    "em": "mistakebound.learners.em",
    "draw_means": "mistakebound.report.mixture",
}
_PACKAGES = ("concepts", "checks", "io", "learners", "teachers", "theory")
_ALIASES = {"bayes": "mistakebound.theory.bayes"}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name in _PACKAGES:
        value = import_module(f"mistakebound.{name}")
    elif name in _ALIASES:
        value = import_module(_ALIASES[name])
    else:
        value = _learner(name)
    globals()[name] = value
    return value


def _learner(name: str) -> Any:
    from mistakebound import learners

    for known in learners.names():
        if learners.class_name(known) == name:
            return learners.find(known)
    raise AttributeError(f"module 'mistakebound' has no attribute {name!r}")


def __dir__() -> list[str]:
    from mistakebound import learners

    return sorted(
        [*globals(), *_HOMES, *_PACKAGES, *_ALIASES, *(learners.class_name(name) for name in learners.names())]
    )
