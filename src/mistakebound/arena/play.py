"""The one loop: instance, prediction, label, update, ledger; and the same examples in several passes."""

from __future__ import annotations

import os

from mistakebound.core.atomic import learn_and_record
from mistakebound.core.errors import BadData, BadParameter, NoConsistentHypothesis
from mistakebound.core.fields import is_path
from mistakebound.core.ledger import Ledger, bound_of, new_ledger
from mistakebound.core.protocol import Teacher, adapted, behind_transforms, trial_prediction
from mistakebound.io.fingerprint import SameFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.protocol import Trial

    Watcher = Callable[[Trial, Any, Any, Ledger], None]


def play(
    learner: Any,
    teacher: Any,
    trials: int | None = None,
    *,
    assume: dict[str, Any] | None = None,
    lemmas: bool = False,
    feedback: str = "label",
    trace: bool = False,
    watch: Callable[[Trial, Any, Any, Ledger], None] | None = None,
    ledger: Ledger | None = None,
) -> Ledger:
    """Plays a learner against a teacher, trial by trial, and keeps the ledger.

    Parameters
    ----------
    learner : learner
        One of this package, or any object with predict_one and learn_one.  It learns.
    teacher : Teacher, pair, list or path
        A teacher, arrays (X, y), a list of (x, y), or the name of a file.
    trials : int or None, default None
        The most trials.  None: until the teacher has no more.
    assume : mapping or None, default None
        Facts about the target for the bound, such as {"k": 5}; a teacher that knows its target adds its own.
    lemmas : bool, default False
        Check the lemmas behind the theorem after every mistake, and stop at the first that fails.
    feedback : {"label", "bandit"}, default "label"
        What the learner hears: the label, or only whether its prediction was right (then it needs `hear_one`).
    trace : bool, default False
        Keep every trial, with the hypothesis and the lemmas that moved, as `ledger.trace` (`mb.arena.Trace`).
    watch : function of (trial, label, prediction, ledger) or None, default None
        Called after every trial.
    ledger : Ledger or None, default None
        A ledger that goes on.  None: a new one.

    Returns
    -------
    Ledger
        Trials, mistakes, the bound and the verdict ("within", "refuted", ...).

    Notes
    -----
    Algorithm::

        for each trial:
            the teacher shows x
            the learner predicts
            the teacher tells the label y
            the learner learns (x, y), and the ledger counts a mistake if the prediction was wrong
        the learner's theorem says how many mistakes there can be; the ledger compares

    A label that no hypothesis of the learner's class explains ends the game; the ledger says which.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, section 2 (the setting).

    Examples
    --------
    >>> import mistakebound as mb
    >>> ledger = play(mb.Winnow1(n=100), mb.teachers.RandomTarget("x3 | x17", n=100, trials=500, seed=1), lemmas=True)
    >>> ledger.trials, ledger.mistakes <= ledger.bound.value, ledger.verdict.kind
    (500, True, 'within')
    """
    if feedback not in ("label", "bandit"):
        raise BadParameter(f"feedback must be 'label' or 'bandit': {feedback!r}")
    if feedback == "bandit":
        from mistakebound.arena.bandit import OnlyRightOrWrong

        learner = OnlyRightOrWrong(learner)
    given, teacher, learner = teacher, as_teacher(teacher), adapted(learner)
    if ledger is None:
        ledger = new_ledger(learner, teacher.seed)
    facts = facts_for(learner, teacher, assume)
    if assume:
        bound_of(learner, ledger, facts)  # facts that cannot be are refused now, not after the last trial
    if trace:
        from mistakebound.arena.trace import Trace

        kept = ledger.trace = Trace(learner, facts)
        watch = _both(lambda trial, label, prediction, ledger: kept.record(trial.x, label, prediction, ledger), watch)
    end = None if trials is None else ledger.trials + trials
    try:
        while end is None or ledger.trials < end:
            trial = teacher.next_trial()
            if trial is None or not _one(learner, teacher, trial, ledger, watch):
                break
            if lemmas and ledger.mistake_trials and ledger.mistake_trials[-1] == ledger.trials:
                _check_lemmas(learner, ledger, facts)
                if ledger.lemma_failures:
                    break
    finally:
        if trace:
            kept.finish()
        if teacher is not given:
            teacher.close()
    ledger.bound = bound_of(learner, ledger, facts)
    _check_word(teacher, ledger)
    return ledger


def _both(first: Watcher, second: Watcher | None) -> Watcher:
    """One function that calls both."""

    def watch(trial: Trial, label: Any, prediction: Any, ledger: Ledger) -> None:
        first(trial, label, prediction, ledger)
        if second is not None:
            second(trial, label, prediction, ledger)

    return watch


def _check_word(teacher: Teacher, ledger: Ledger) -> None:
    """An adversary's target must be in its class and agree with everything that it said."""
    broken = teacher.broken_word()
    if broken is not None:
        ledger.lemma_failures.append(broken)


def _one(
    learner: Any,
    teacher: Teacher,
    trial: Trial,
    ledger: Ledger,
    watch: Callable[[Trial, Any, Any, Ledger], None] | None,
) -> bool:
    """One trial; false when the labels fit no hypothesis, and there is no going on."""
    try:
        x = learner.encode(trial.x)
        _, prediction = trial_prediction(learner, x)
        label = _label(learner, teacher, trial, prediction)
        learn_and_record(learner, ledger, x, label, prediction, trial.weight)
        going = True
    except BadData as error:
        if error.source is None and trial.source is not None:
            error.source, error.line = trial.source, trial.line
        raise
    except NoConsistentHypothesis as error:
        error.trial = ledger.trials
        ledger.inconsistency = str(error)
        going = False
    if watch is not None:
        watch(trial, label, prediction, ledger)
    return going


def _label(learner: Any, teacher: Teacher, trial: Trial, prediction: Any) -> Any:
    """What the teacher says, in the learner's own labels where the teacher knows only 0 and 1."""
    if not teacher.codes or learner.labels is None:
        return teacher.label(trial, prediction)
    names = learner.labels.values
    if learner.labels.many and len(names) < 2:
        names = 0, 1  # they have not both appeared
    return names[teacher.label(trial, int(prediction == names[1]))]


def facts_for(learner: Any, teacher: Teacher, assume: dict[str, Any] | None) -> dict[str, Any]:
    """What is assumed, and what the teacher knows, as far as the learner's theorems can use it."""
    learner = adapted(learner)
    facts = usable_facts(learner, teacher.facts())
    if learner.settings.get("n") is not None:
        facts.pop("n", None)
    return facts | (assume or {})


def usable_facts(learner: Any, known: dict[str, Any]) -> dict[str, Any]:
    """Those of the facts that the learner's theorems can use and that mean the same to them."""
    learner = adapted(learner)
    usable = learner.assumable
    if known.get("r", 1) != 1 and "r" not in usable:
        known = {name: value for name, value in known.items() if name not in ("k", "r")}  # k alone: a disjunction
    return {name: value for name, value in known.items() if name in usable}


def _check_lemmas(learner: Any, ledger: Ledger, told: dict[str, Any]) -> None:
    if ledger.start.get("used"):
        return
    facts = learner.all_facts(told, ledger.start)
    mistakes = ledger.false_negatives, ledger.false_positives
    inside, turned = behind_transforms(learner)  # whose lemmas these are
    mistakes = mistakes[::-1] if turned else mistakes
    for lemma in learner.lemmas:
        if lemma.applies(facts) and not lemma.holds(inside, *mistakes, facts):
            cause = (
                f"this refutes the assumption that {lemma.assumption(facts)}"
                if lemma.assumes
                else "an error in this program"
            )
            ledger.lemma_failures.append(
                f"after trial {ledger.trials} {lemma.name} ({lemma.source}) fails, {lemma.statement}: {cause}"
            )


def as_teacher(teacher: Any) -> Teacher:
    """Whatever can be played against, as a teacher."""
    from mistakebound.teachers.replay import Replay

    if isinstance(teacher, Teacher):
        return teacher
    if is_path(teacher):
        from mistakebound.teachers.replay import FileTeacher

        return FileTeacher(teacher)
    if isinstance(teacher, tuple) and len(teacher) == 2:
        return Replay(*teacher)
    return Replay(teacher)


def play_passes(learner: Any, examples: Any, max_passes: int, *, assume: dict[str, Any] | None = None) -> Ledger:
    """Plays the same examples again and again, until a pass has no mistake or max_passes is reached.

    Parameters
    ----------
    learner : learner
        One of this package, or any object with predict_one and learn_one.  It learns.
    examples : pair, list or path
        Arrays (X, y), a list of (x, y), or the name of a file.
    max_passes : int
        The most passes; >= 1.
    assume : mapping or None, default None
        Facts about the target for the bound, such as {"margin": 0.1}.

    Returns
    -------
    Ledger
        One ledger over the trials of all passes; `ledger.passes` counts them.

    Notes
    -----
    A mistake bound holds over all passes together, so on a target that fits a mistake-bounded learner stops by itself.

    Examples
    --------
    >>> import mistakebound as mb
    >>> conjunction = [([0, 0], -1), ([0, 1], -1), ([1, 0], -1), ([1, 1], 1)]
    >>> ledger = play_passes(mb.Perceptron(), conjunction, max_passes=100)
    >>> ledger.passes < 100, ledger.mistake_trials[-1] <= ledger.trials - 4
    (True, True)
    """
    if max_passes < 1:
        raise BadParameter(f"max_passes must be >= 1: {max_passes!r}")
    file = is_path(examples)
    if not file and not isinstance(examples, (tuple, list)):
        raise BadParameter(f"examples must be replayable, such as a list: {type(examples).__name__}")
    ledger = new_ledger(learner)
    same = SameFiles([os.fspath(examples)] if file else [])
    for number in range(1, max_passes + 1):
        if number > 1:
            same.check()
        before, ledger.passes = ledger.mistakes, number
        play(learner, examples, assume=assume, ledger=ledger)
        if ledger.mistakes == before or ledger.inconsistency is not None:
            break
    return ledger
