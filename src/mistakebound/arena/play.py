"""The one loop: instance, prediction, label, update, ledger (row P1)."""

from __future__ import annotations

from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.core.external import adapted
from mistakebound.core.foreign import is_path
from mistakebound.core.ledger import Ledger
from mistakebound.core.protocol import Teacher, trial_prediction
from mistakebound.core.whole_trial import learn_and_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.theorem import Bound
    from mistakebound.core.trial import Trial


def play(
    learner: Any,
    teacher: Any,
    trials: int | None = None,
    *,
    assume: dict[str, Any] | None = None,
    lemmas: bool = False,
    watch: Callable[[Trial, Any, Any, Ledger], None] | None = None,
    ledger: Ledger | None = None,
) -> Ledger:
    """Play a learner against a teacher and keep the ledger (a new one, or one that goes on).

    The teacher is a Teacher, a pair (X, y), a list of (x, y), or the name of a file.  `assume` are facts about the
    target for the bound; a teacher that knows its target knows them itself.  With `lemmas` the steps of the theorem's
    proof are checked after every mistake.  `watch` is called after every trial.

    >>> import mistakebound as mb
    >>> ledger = play(mb.Winnow1(n=100), mb.RandomTarget("x3 | x17", n=100, trials=500, seed=1), lemmas=True)
    >>> ledger.trials, ledger.mistakes <= ledger.bound.value, ledger.verdict.kind
    (500, True, 'within')
    """
    given, teacher, learner = teacher, as_teacher(teacher), adapted(learner)
    if ledger is None:
        ledger = new_ledger(learner, teacher.seed)
    facts = facts_for(learner, teacher, assume)
    if assume:
        bound_of(learner, ledger, facts)  # facts that cannot be are refused now, not after the last trial
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
        if teacher is not given:
            teacher.close()
    ledger.bound = bound_of(learner, ledger, facts)
    _check_word(teacher, ledger)
    return ledger


def _check_word(teacher: Teacher, ledger: Ledger) -> None:
    """An adversary's target must be in its class and agree with everything that it said."""
    broken = teacher.broken_word()
    if broken is not None:
        ledger.lemma_failures.append(broken)


def new_ledger(learner: Any, seed: int | None = None) -> Ledger:
    """A count that begins with the learner as it is."""
    own = adapted(learner)
    return Ledger(own.labels, seed, own.start())


def bound_of(learner: Any, ledger: Ledger, facts: dict[str, Any]) -> Bound | None:
    """The learner's bound for these facts; None when nothing is assumed and nothing follows from that."""
    bound: Bound | None = adapted(learner).bound_since(ledger.start, facts)
    return bound if bound is not None and (facts or bound.value is not None) else None


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
    inside = learner
    while inside.inner is not None:  # the lemmas are those of the learner behind the transforms
        mistakes = mistakes[::-1] if inside.complement else mistakes
        inside = inside.inner
    for lemma in learner.lemmas:
        if lemma.applies(facts) and not lemma.holds(inside, *mistakes, facts):
            cause = f"refuted is that {lemma.assumption(facts)}" if lemma.assumes else "an error in this program"
            ledger.lemma_failures.append(
                f"after trial {ledger.trials} {lemma.name} ({lemma.source}) fails, {lemma.statement}: {cause}"
            )


def as_teacher(teacher: Any) -> Teacher:
    """Whatever can be played against, as a teacher."""
    from mistakebound.teachers.replay import Replay

    if isinstance(teacher, Teacher):
        return teacher
    if is_path(teacher):
        from mistakebound.arena.file_teacher import FileTeacher

        return FileTeacher(teacher)
    if isinstance(teacher, tuple) and len(teacher) == 2:
        return Replay(*teacher)
    return Replay(teacher)
