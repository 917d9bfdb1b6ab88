"""The protocol, on one page.  A teacher shows an instance, the learner predicts, the teacher tells the label.

Learners never count, log, print or draw: the ledger counts, reports read the ledger.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array

from mistakebound.core.atomic import new_lock, reading
from mistakebound.core.facts import check_facts
from mistakebound.core.params import check_all
from mistakebound.core.persistence import Independent, Persistent
from mistakebound.core.theorem import Bound, best_bound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, ClassVar

    from mistakebound.core.facts import Relation
    from mistakebound.core.params import Parameter
    from mistakebound.core.theorem import Lemma, Theorem


class Trial:
    """An instance that waits for its label.

    Parameters
    ----------
    x : object
        The instance.
    weight : float, default 1.0
        The weight of the example.
    tag : str or None, default None
        A name that travels with it.
    source : str or None, default None
        The file that it came from.
    line : int or None, default None
        Its line there, from 1.

    Examples
    --------
    >>> Trial({"free"}, source="mails.svm", line=3).line
    3
    """

    __slots__ = ("line", "source", "tag", "weight", "x")

    def __init__(
        self, x: Any, *, weight: float = 1.0, tag: str | None = None, source: str | None = None, line: int | None = None
    ) -> None:
        self.x = x
        self.weight = weight
        self.tag = tag
        self.source = source
        self.line = line


class Learner(Persistent, ABC):
    """What all learners share: a name, capabilities, parameters, theorems about it, a hypothesis, a model file.

    Any number of threads may use one learner: predictions are those of one thread, learning excludes every other call,
    and what is copied, saved or read meanwhile is the learner before a trial or after it.  A call in the middle of
    another by the same thread (from a signal handler, say) is refused with LearnerBusy (docs/threads.md).

    Examples
    --------
    >>> import mistakebound as mb
    >>> learner: Learner = mb.Winnow2(n=20)
    >>> learner.name, learner.online, learner.batch
    ('winnow2', True, False)
    """

    name: ClassVar[str]

    # What it can do: declared here, never looked for.  The common checks try that it is true.
    online: bool = False  # learn_one and learn_many play trials, and return what was predicted before
    batch: ClassVar[bool] = False  # fit learns a whole table, and returns the learner
    takes: ClassVar[str] = "rows"  # of a stream; or a "table", "instances", rows of "numbers", or "points"
    scores: ClassVar[bool] = False  # score_one and score_many
    probabilities: ClassVar[bool] = False  # predict_proba_one and predict_proba_many
    weighted: bool = False  # gives a meaning to weights of examples and, on rows of a stream, to costs of labels
    whole_weights: bool = False  # to whole ones only: what it keeps are exponents
    binary: bool = False  # takes the values 0 and 1 only
    counts_zeros: bool = False  # a 0 that is written in dense rows is a value like any other, not an absent attribute
    slow: bool = False  # its trials take long: blocks are small, so that checkpoints, signals and progress do not wait
    named: bool = False  # takes attributes of any name, new ones at any time
    exact: bool = False  # state is whole numbers: the names and the numbering of attributes cannot matter to it
    many_classes: ClassVar[bool] = False  # more than two labels
    ranked: bool = False  # top(count) gives the attributes that weigh most
    readable: ClassVar[str] = ""  # the hypothesis: "weights", "literals", "disjunction", "list" or "mixture"; "": none
    multiplicative: ClassVar[bool] = False  # a new attribute has a weight above 0
    ensemble: ClassVar[str] = ""  # made of learners: of "experts", or of one for each of the "labels"
    trials_by: ClassVar[str] = "predict_one"  # the method that says what learn_one will; see `current`
    scores_trials: bool = False  # a trial has a score before its label is heard
    calibrated: bool = False  # probabilities come from the scores of its trials (core/calibration.py)
    inconsistent: ClassVar[str] = ""  # what to say when no hypothesis of the class is left; "": there always is one
    conservative: bool = False  # a trial without a mistake never changes what it predicts, then or later

    # What kind of learner it is, for tables that compare them.
    hypothesis_class: ClassVar[str] = ""  # what its hypotheses are; the kind of a class of `concepts`, where one fits
    search_order: ClassVar[str] = ""  # how it gets from one hypothesis to the next
    inductive_bias: ClassVar[str] = ""  # what it assumes or prefers
    noise_effect: ClassVar[str] = ""  # what wrong labels do to it

    shown: ClassVar[int] = 10  # how much of what was learned is listed unless told otherwise
    command: ClassVar[str] = "learn"  # the one that learns it from a file; "" where none does
    for_files: ClassVar[str] = ""  # the learner of tables that stands for one of arrays where rows come from a file
    summary: ClassVar[str] = ""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    fit_parameters: ClassVar[tuple[Parameter, ...]] = ()  # what `fit` takes beside the rows: epochs, costs of columns
    theorems: ClassVar[tuple[Theorem, ...]] = ()
    lemmas: ClassVar[tuple[Lemma, ...]] = ()
    assumable: ClassVar[dict[str, str]] = {}  # facts that may be told to `bound`, each with its meaning
    relations: ClassVar[tuple[Relation, ...]] = ()  # between these: what else is impossible

    costs: Any = None  # label to the cost of a mistake on it, where it is not 1
    labels: Any = None  # how labels are coded, where there are two or they may appear at any time
    inner: Any = None  # of a transform: the learner that sees what it makes of instances
    theta: float = 0.0  # the threshold that scores are compared with
    _row: array[int]  # [0]: how many of the trials in hand are learned; it changes in the step that learns them

    def __init__(self, **given: Any) -> None:
        self.settings: dict[str, Any] = check_all(self.parameters, given)
        self._lock = new_lock()
        self._row = array("q", (0,))

    def __repr__(self) -> str:
        changed = [f"{p.name}={self.settings[p.name]!r}" for p in self.parameters if self.settings[p.name] != p.default]
        return f"{type(self).__name__}({', '.join(changed)})"

    @property
    @abstractmethod
    def hypothesis(self) -> Any:
        """The function that the learner would predict with now, as a value: evaluate, compare, print it."""

    @property
    def current(self) -> Any:
        """The function by which the next trial is predicted: the hypothesis, unless `trials_by` names another method.

        A learner whose hypothesis is an average over trials plays them by something else.
        """
        return self.hypothesis

    def _form(self) -> Any:
        """A hashable value, equal for equal hypotheses."""
        return self.hypothesis

    def state_form(self) -> Any:
        """A hashable value that says all of which further trials depend; `_form`, unless that is rounded."""
        return self._form()

    def take_form(self, form: Any) -> bool:
        """Become what this learner was when `state_form` gave this value; false where that cannot be."""
        return False

    def encode(self, x: Any, names: Sequence[str] | None = None) -> Any:
        """x read and checked once, where that makes it faster: accepted wherever an instance is."""
        return x

    def trial_begins(self) -> None:
        """For `trial_taken`: the next trial has not taken place yet."""
        self._row[0] = 0

    def trial_taken(self) -> bool:
        """Whether a trial was learned since then: an exception may come out of `learn_one` after it was."""
        return self._row[0] > 0

    def code_said(self, x: Any, names: Sequence[str] | None = None) -> int | None:
        """The code of the class predicted for x, where it may have no name yet; None for "don't know"."""
        return None

    def facts(self) -> dict[str, Any]:
        """What the learner itself knows of the facts that its theorems ask for."""
        return {name: value for name, value in self.settings.items() if value is not None}

    @reading
    def bound(self, **facts: Any) -> Bound:
        """The smallest mistake bound that a theorem of the learner gives for these facts about the target.

        Parameters
        ----------
        **facts
            What is assumed about the target, such as k=5 or margin=0.1; `assumable` lists the names with their meaning.

        Returns
        -------
        Bound
            `value`, `mistakes` (the largest whole number that it allows), `theorem`; or `failed`, why no theorem
            applies.

        Examples
        --------
        >>> import mistakebound as mb
        >>> mb.Perceptron().bound(margin=0.5, radius=2).mistakes
        16
        >>> mb.Perceptron().bound().value is None  # no margin was told
        True
        """
        return self.bound_since({}, facts)

    @reading
    def bound_since(self, start: dict[str, Any], told: dict[str, Any]) -> Bound:
        """The bound for a count that began when `self.start()` was `start`."""
        if start.get("used"):
            return Bound(None, None, {}, failed=why_used(start))
        return best_bound(self.theorems, self.all_facts(told, start))

    def start(self) -> dict[str, Any]:
        """What a bound must know of the state in which a count of mistakes begins: nothing, for a new learner."""
        return {}

    @reading
    def all_facts(self, told: dict[str, Any], start: dict[str, Any] | None = None) -> dict[str, Any]:
        """The facts that are told, those that the learner knows itself, and what follows from both."""
        if told:
            told = check_facts(self.name, told, list(self.assumable), self.relations, self.declared_facts())
        return self.derived_facts(self.facts() | (start or {}) | told)

    def declared_facts(self) -> dict[str, Any]:
        """What is certain of the facts from the first trial on: facts that do not fit to it are impossible."""
        return {name: value for name, value in self.settings.items() if value is not None}

    def derived_facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Facts that follow from others (k literals make a separation of 1, and so on)."""
        return facts


def why_used(start: dict[str, Any]) -> str:
    """Why no theorem counts from a start with "used"."""
    if start.get("shards", 1) > 1:
        return "the shards of a cluster were mixed, and no theorem is known for that"
    return "the learner had learned before this count of mistakes began"


class OnlineLearner(Learner):
    """A learner that learns from one trial at a time.

    An instance x is a mapping, active names, a row of numbers, or `encode(x)`.

    Two labels that are not declared are 0/1, -1/+1 or False/True, and the first negative one says which.  Until then
    the negative class has no name, and `predict_one` and `learn_one` say None where it is predicted; the positive class
    is called 1 until a label spells it.  So no class has two names.  Whoever counts goes by classes, not by names: a
    trial in which None was said and the label is 1 is a mistake (`mb.play`, ledgers, bounds).  Arrays of predictions
    have a name for every class: `learn_many` that of the end, and without a name 0 (False beside True).

    Examples
    --------
    >>> import mistakebound as mb
    >>> isinstance(mb.Perceptron(), OnlineLearner)
    True
    """

    online = True
    scores = True

    @abstractmethod
    def predict_one(self, x: Any, names: Sequence[str] | None = None) -> Any:
        """The label predicted for one instance; nothing changes.

        Parameters
        ----------
        x : mapping, set, sequence or encoded instance
            Names to values, the names that are 1, a row of numbers, or what `encode` returns.
        names : sequence of str or None, default None
            Names of the values of a row.  None: "1", "2", ...

        Returns
        -------
        label or None
            None: "don't know", or a class that has no name yet.

        Examples
        --------
        >>> import mistakebound as mb
        >>> learner = mb.Perceptron(labels=("ham", "spam"))
        >>> learner.learn_one({"free"}, "spam"), learner.predict_one({"free", "lunch"})
        ('ham', 'spam')
        """

    @abstractmethod
    def score_one(self, x: Any, names: Sequence[str] | None = None) -> float:
        """The number that is compared with the threshold for one instance; nothing changes.

        Parameters
        ----------
        x, names
            As of `predict_one`.

        Returns
        -------
        float

        Examples
        --------
        >>> import mistakebound as mb
        >>> learner = mb.Perceptron(bias=False, labels=(0, 1))
        >>> _ = learner.learn_one({"free"}, 1)
        >>> learner.score_one({"free": 3})
        3.0
        """

    @abstractmethod
    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Sequence[str] | None = None) -> Any:
        """Plays one trial: predicts, then learns the label.  The only place where the state changes.

        Parameters
        ----------
        x : mapping, set, sequence or encoded instance
            As of `predict_one`.
        y : label
            The true label.
        weight : float, default 1.0
            Weight of the example, > 0, for learners that give weights a meaning (`weighted`).
        names : sequence of str or None, default None
            Names of the values of a row.

        Returns
        -------
        label or None
            The prediction that was made before the update.

        Examples
        --------
        >>> import mistakebound as mb
        >>> learner = mb.Winnow2(labels=(0, 1))
        >>> [learner.learn_one({"free"}, 1) for _ in range(3)]
        [0, 1, 1]
        """


def adapted(learner: Any) -> Any:
    """A learner of this package as it is, any other with the attributes of the contract."""
    if isinstance(learner, Learner):
        return learner
    from mistakebound.core.external import ExternalLearner

    return learner if isinstance(learner, ExternalLearner) else ExternalLearner(learner)


def trial_prediction(learner: Any, x: Any) -> tuple[Any, Any]:
    """What a learner says of the next instance, and what stands for that in counts."""
    said = learner.predict_one(x) if learner.trials_by == "predict_one" else learner.predict_trial(x)
    return said, counted(learner, x, said)


def counted(learner: Any, x: Any, said: Any, names: Sequence[str] | None = None) -> Any:
    """What was said of x; where it was None because the class has no name yet, what stands for that class in counts."""
    labels = learner.labels
    if said is not None or labels is None or labels.settled:
        return said
    if labels.sure:
        return labels.values[0]
    code = learner.code_said(x, names)
    return None if code is None else labels.values[code]


def behind_transforms(learner: Any) -> tuple[Any, bool]:
    """The learner behind all transforms (itself without transforms), and whether it is told the other label."""
    turned = False
    while learner.inner is not None:
        turned, learner = turned != learner.complement, learner.inner
    return learner, turned


class BatchLearner(Learner):
    """A learner that learns from a whole table at once.

    Examples
    --------
    >>> import mistakebound as mb
    >>> isinstance(mb.DecisionTree(), BatchLearner)
    True
    """

    batch = True
    tells: ClassVar[bool] = True  # what was learned is short enough to be shown right after learning
    validates: ClassVar[bool] = False  # fit takes a validation set, to prune or to stop by

    @property
    def needs_validation(self) -> bool:
        """Whether `fit` as it is set can do nothing without a validation set."""
        return False

    def fit_facts(self) -> list[tuple[str, str]]:
        """What a report says of the last `fit`: names with texts."""
        return []

    def fit_json(self) -> dict[str, Any]:
        """The same as data."""
        return {}

    def fit_progress(self, watch: Callable[[int, int, str], None], given: dict[str, Any]) -> dict[str, Any]:
        """Keywords of `fit` by which `watch(done, of, text)` hears how far it is; `given` are other keywords of it."""
        return {}

    def remarks(self, table: Any) -> list[str]:
        """What is to be said of the columns of a training table."""
        return []

    @abstractmethod
    def fit(self, X: Any, y: Any) -> BatchLearner:
        """Learns the rows of a whole table with their labels, from the beginning.

        Parameters
        ----------
        X : table
            A data frame, a list of mappings, a mapping of columns, an array or a file.
        y : sequence or str
            The labels, or the name of the column of X that holds them.

        Returns
        -------
        BatchLearner
            The learner itself.
        """


class Teacher(Independent, ABC):
    """The contract of a teacher: who shows instances and knows labels.

    A subclass writes `next_trial()`, the next instance or None, and `label(trial, prediction)`, told after the
    prediction: a replay ignores the prediction, an adversary uses it.  `facts()` may say what is known of the target.

    Examples
    --------
    >>> import mistakebound as mb
    >>> class Opposite(Teacher):  # never agrees
    ...     def next_trial(self):
    ...         return Trial([1])
    ...
    ...     def label(self, trial, prediction):
    ...         return 0 if prediction == 1 else 1
    >>> mb.play(mb.Perceptron(labels=(0, 1)), Opposite(), trials=5).mistakes
    5
    """

    seed: int | None = None
    codes = False  # its labels are 0 and 1, which stand for what the learner calls them

    @abstractmethod
    def next_trial(self) -> Trial | None:
        """The next instance, or None at the end."""

    @abstractmethod
    def label(self, trial: Trial, prediction: Any) -> Any:
        """The label of the instance just shown, told after the prediction."""

    def facts(self) -> dict[str, Any]:
        """What is known of the target: facts that theorems ask for."""
        return {}

    def broken_word(self) -> str | None:
        """How the target contradicts the labels that were told, where it does: only an adversary can do so."""
        return None

    def close(self) -> None:
        """Let go of what the teacher reads from."""
