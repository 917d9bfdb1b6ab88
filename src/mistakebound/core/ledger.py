"""The running account of trials and mistakes, and what it proves."""

from __future__ import annotations

from array import array

from mistakebound.core.errors import BadData, shown
from mistakebound.core.fields import Fields, is_label, is_number
from mistakebound.core.labels import Labels
from mistakebound.core.notebook import NotebookView
from mistakebound.core.persistence import Independent
from mistakebound.core.protocol import adapted
from mistakebound.core.weights import ALL_ONE
from mistakebound.kernels import tally as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.calibration import Calibration, CalibrationTable
    from mistakebound.core.certificate import Certificate
    from mistakebound.core.many_labels import ManyLabels
    from mistakebound.core.rows import Rows
    from mistakebound.core.spread import Spread
    from mistakebound.core.theorem import Bound
    from mistakebound.core.threshold import Threshold


class Verdict(str):
    """What the count of mistakes says about the assumptions, in words; `kind` is the same in one word.

    "no bound": nothing was assumed.  "within": the count is one that the theorem allows.  "refuted": it is not, so an
    assumption is false.  "inconsistent": the labels fit no concept of the learner's class.  "above expectation": more
    than a theorem allows on average over the learner's own draws, which one run does not refute.
    """

    __slots__ = ("kind",)
    kind: str

    def __new__(cls, kind: str, text: str) -> Verdict:
        verdict = super().__new__(cls, text)
        verdict.kind = kind
        return verdict

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return self.kind, str(self)


_NO_TRIALS = array("q")


class Ledger(NotebookView, Independent):
    """The count of a game: trials, mistakes by label, the trial of each mistake, the bound and the verdict.

    Parameters
    ----------
    labels : Labels or None, default None
        The labels of the learner.  None: 0/1, -1/+1 or False/True, as they come.
    seed : int or None, default None
        The seed of the game, kept with the counts.
    start : mapping or None, default None
        What is known of the learner when the count begins, for the theorems.

    Notes
    -----
    A trial is counted whole or not at all (core/atomic.py): what is counted is worked out first, and written in a
    straight
    line, the number of trials last.  The first trial is 1.  A prediction of None is an abstention, and no mistake.
    Beside the counts stand the weights of the trials, added up: `weighted_trials`, `weighted_mistakes`.

    Examples
    --------
    >>> ledger = Ledger()
    >>> for label, prediction in ((1, 0), (0, 0), (1, None)):
    ...     ledger.record(label, prediction)
    >>> ledger.trials, ledger.mistakes, ledger.false_negatives, ledger.abstentions, list(ledger.mistake_trials)
    (3, 1, 1, 1, [1])
    """

    __slots__ = (
        "_counts", "_pairs", "_sums", "abstention_trials", "bound", "calibration", "inconsistency", "labels",
        "lemma_failures", "mistake_trials", "passes", "seed", "since", "spread", "start", "threshold",
        "trace", "trials",
    )  # fmt: skip

    def __init__(
        self, labels: Labels | ManyLabels | None = None, seed: int | None = None, start: dict[str, Any] | None = None
    ) -> None:
        self.labels: Labels | ManyLabels = labels if labels is not None else Labels()
        self.seed = seed
        self.start = start or {}  # of the learner when the count began (`Learner.start`)
        self.trials = 0
        self.since = 0  # trials before the first whose mistake is listed: those of an earlier life are only counted
        self.passes = 1  # over the same examples
        self.mistake_trials = array("q")
        self.abstention_trials = array("q")
        self.bound: Bound | None = None
        self.inconsistency: str | None = None
        self.lemma_failures: list[str] = []
        self.calibration: Calibration | None = None  # from scores to probabilities, where these are counted
        self.spread: Spread | None = None  # of the attributes, where it is counted
        self.threshold: Threshold | None = None  # another one than the learner's own
        self.trace: Any = None  # of the last game that was played with trace=True
        self._counts = array("q", bytes(32))  # [2 * label + prediction], as codes
        self._pairs: dict[tuple[Any, Any], int] = {}  # everything that has no code: abstentions, further classes
        self._sums = array("d", bytes(24))  # weights of trials, mistakes, abstentions: one trial after another

    def record(self, label: Any, prediction: Any, weight: float = 1.0) -> None:
        """One trial, in the caller's labels; a prediction of None is "don't know"."""
        trials = self.trials + 1
        truth, guess = self.labels.codes_of(label, prediction)
        if truth < 0 or guess < 0 or self.labels.many:
            if self.labels.many:  # in one spelling, where there is one
                name = self.labels.name
                label, prediction = label if truth < 0 else name(truth), prediction if guess < 0 else name(guess)
            counts: Any = self._pairs
            cell: Any = (label, prediction)
            try:
                count = counts.get(cell, 0) + 1
            except TypeError:
                raise BadData(
                    f"a ledger counts mistakes of single labels, not of lists or mappings: {label!r}"
                ) from None
            wrong = prediction is not None and label != prediction
        else:
            counts, cell = self._counts, 2 * truth + guess
            count = counts[cell] + 1
            wrong = truth != guess
        error = wrong or prediction is None
        sums = self._sums[:]
        sums[0] += weight
        if error:
            sums[1 if wrong else 2] += weight
        more = array("q", (trials,)) if error else _NO_TRIALS
        errors = self.mistake_trials if wrong else self.abstention_trials
        errors += more  # this may fail for want of memory,
        try:
            counts[cell] = count  # and this
        except BaseException:
            if error:
                del errors[-1]
            raise
        self._sums = sums
        self.trials = trials

    def record_all(self, labels: Sequence[Any], predictions: Sequence[Any]) -> None:
        """Several trials, of which all are counted or none."""
        whole = Ledger(self.labels)
        whole.trials, whole._pairs, whole._counts = self.trials, dict(self._pairs), self._counts[:]
        whole._sums = self._sums
        for label, prediction in zip(labels, predictions, strict=True):
            whole.record(label, prediction)
        counts = whole._counts, whole._pairs, whole._sums
        self._take(whole.mistake_trials, whole.abstention_trials, *counts, whole.trials)

    def _take(
        self,
        mistakes: array[int],
        abstentions: array[int],
        counts: array[int],
        pairs: dict[tuple[Any, Any], int],
        sums: array[float],
        trials: int,
        tables: dict[int, CalibrationTable] | None = None,
        threshold: Threshold | None = None,
    ) -> None:
        before = len(self.mistake_trials)
        self.mistake_trials += mistakes  # this may fail for want of memory,
        try:
            self.abstention_trials += abstentions  # and this
        except BaseException:
            del self.mistake_trials[before:]
            raise
        self._counts = counts
        self._pairs = pairs
        self._sums = sums
        if tables is not None and self.calibration is not None:
            self.calibration.tables = tables
        if threshold is not None:
            self.threshold = threshold
        self.trials = trials

    def note_rows(self, rows: Rows, played: int, counted: int) -> None:
        """The first `played` of these rows were learned, after so many trials; those of later passes are known."""
        if self.spread is not None and self.passes == 1:
            self.spread.add(rows, played, counted)

    @property
    def calibrates(self) -> bool:
        """Whether the scores of the rows to come are counted: not those of rows that have been learned before."""
        return (self.calibration is not None or self.threshold is not None) and self.passes == 1

    def record_codes(
        self,
        labels: Ints,
        predictions: Ints,
        first: int,
        last: int,
        importance: Floats = ALL_ONE,
        tables: dict[int, CalibrationTable] | None = None,
        threshold: Threshold | None = None,
    ) -> None:
        """Rows first .. last-1 of a block, as codes 0 and 1, or those of many labels.

        How much each counts (empty: 1), and the calibration and the threshold with them.
        """
        found = array("q", bytes(8 * (last - first)))
        counts, pairs, unknown = self._counts[:], self._pairs, _NO_TRIALS
        if self.labels.many:
            wrong, pairs, unknown = self._record_many(labels, predictions, first, last, found)
        else:
            wrong = kernel.tally(labels, predictions, first, last, self.trials + 1, counts, found)
        sums = self._sums[:]
        if len(importance) or self.weighted:
            told, said = (array("i", memoryview(codes)[first:last].tolist()) for codes in (labels, predictions))
            if kernel.weigh(told, said, importance, sums) < 0:
                raise AssertionError("weights and rows do not fit together")
        else:
            for place, count in enumerate((last - first, wrong, len(unknown))):
                sums[place] += count
        self._take(found[:wrong], unknown, counts, pairs, sums, self.trials + last - first, tables, threshold)

    def _record_many(
        self, labels: Ints, predictions: Ints, first: int, last: int, found: array[int]
    ) -> tuple[int, dict[tuple[Any, Any], int], array[int]]:
        """Only pairs that occurred are counted: of all there could be, there are too many."""
        values, pairs = self.labels.values, dict(self._pairs)
        right, others = array("q", bytes(8 * len(values))), array("q", bytes(8 * (last - first)))
        wrong = kernel.tally_many(labels, predictions, first, last, self.trials + 1, right, found, others)
        if wrong < 0:
            raise AssertionError("labels and predictions do not fit together")
        for label, count in zip(values, right, strict=True):
            if count:
                pairs[label, label] = pairs.get((label, label), 0) + count
        abstained = False
        for other in others[: last - first - sum(right)]:
            code, guess = divmod(other, kernel.PAIR)
            abstained = abstained or not guess
            pair = values[code], values[guess - 1] if guess else None
            pairs[pair] = pairs.get(pair, 0) + 1
        if not abstained:
            return wrong, pairs, _NO_TRIALS
        trial = self.trials + 1 - first
        return wrong, pairs, array("q", [trial + row for row in range(first, last) if predictions[row] < 0])

    def record_answers(self, labels: Any, predictions: Any) -> None:
        """Arrays of codes as `record` would take them one by one; a prediction of -1 is "don't know"."""
        import numpy as np

        told, known = np.asarray(labels), np.asarray(predictions) >= 0
        cells = np.bincount(2 * told[known] + np.asarray(predictions)[known], minlength=4)
        counts, pairs = self._counts[:], dict(self._pairs)
        for cell, count in enumerate(cells.tolist()):
            counts[cell] += count
        for code in np.unique(told[~known]).tolist():
            key = (self.labels.values[code], None)
            pairs[key] = pairs.get(key, 0) + int(np.count_nonzero(told[~known] == code))
        wrong, unknown = (
            array("q", (np.flatnonzero(rows) + self.trials + 1).tolist())
            for rows in (known & (told != predictions), ~known)
        )
        sums = self._sums[:]
        for place, count in enumerate((len(told), len(wrong), len(unknown))):
            sums[place] += count
        self._take(wrong, unknown, counts, pairs, sums, self.trials + len(told))

    def merge(self, other: Ledger) -> None:
        """Count the trials of another ledger of the same labels, as if they came next; its mistakes are not listed.

        >>> ledger, other = Ledger(), Ledger()
        >>> ledger.record(1, 0), other.record(0, 0), other.record(1, 0)
        (None, None, None)
        >>> ledger.merge(other)
        >>> ledger.trials, ledger.mistakes, ledger.recent()
        (3, 2, (0, 0))
        """
        self._counts = array("q", [own + more for own, more in zip(self._counts, other._counts, strict=True)])
        for pair, times in other._pairs.items():
            self._pairs[pair] = self._pairs.get(pair, 0) + times
        self._sums = array("d", [own + more for own, more in zip(self._sums, other._sums, strict=True)])
        if self.calibration is not None and other.calibration is not None:
            self.calibration.merge(other.calibration)
        self.trials += other.trials
        self.since = self.trials
        self.mistake_trials, self.abstention_trials = array("q"), array("q")

    def divide_weights(self, times: int) -> None:
        """Count every trial by its own weight, where the learner was told so many times that."""
        self._sums = array("d", [total / times for total in self._sums])

    def widen(self, labels: ManyLabels, start: dict[str, Any], *, calibrate: bool = False) -> None:
        """Go on counting with a learner of more labels, which was `start` when it took over."""
        pairs = self.confusion
        self._pairs = pairs
        self._counts = array("q", bytes(32))
        self.labels = labels
        self.start = start
        self.calibration = None
        if calibrate:
            from mistakebound.core.calibration import Calibration

            self.calibration = Calibration()
        self.threshold = None  # it was one of two labels
        if self.spread is not None:
            self.spread = self.spread.new()  # the learner begins anew, with a table of its own

    @property
    def confusion(self) -> dict[tuple[Any, Any], int]:
        """(label, prediction) -> trials; only pairs that occurred."""
        if self.labels.many:
            return self._ordered_pairs()
        negative, positive = self.labels.values
        named = {
            (label, prediction): self._counts[2 * i + j]
            for i, label in enumerate((negative, positive))
            for j, prediction in enumerate((negative, positive))
            if self._counts[2 * i + j]
        }
        return named | self._ordered_pairs()

    def _ordered_pairs(self) -> dict[tuple[Any, Any], int]:
        """By label, then prediction, "don't know" last: however the trials were cut into blocks."""
        codes = {label: code for code, label in enumerate(self.labels.values)}

        def place(pair: tuple[Any, Any]) -> tuple[int, int]:
            label, guess = pair
            return codes.get(label, len(codes)), len(codes) + 1 if guess is None else codes.get(guess, len(codes))

        return {pair: self._pairs[pair] for pair in sorted(self._pairs, key=place)}

    @property
    def mistakes(self) -> int:
        further = sum(count for (label, guess), count in self._pairs.items() if guess is not None and label != guess)
        return self._counts[1] + self._counts[2] + further

    @property
    def false_positives(self) -> int:
        return self._counts[1]

    @property
    def false_negatives(self) -> int:
        return self._counts[2]

    @property
    def abstentions(self) -> int:
        return sum(count for (_, guess), count in self._pairs.items() if guess is None)

    @property
    def error_rate(self) -> float:
        """The part of the trials in which the right label was not said: mistakes and abstentions."""
        return (self.mistakes + self.abstentions) / self.trials if self.trials else 0.0

    @property
    def weighted_trials(self) -> float:
        """The weights of all trials, added up: each its own weight times the cost of its label."""
        return self._sums[0]

    @property
    def weighted_mistakes(self) -> float:
        """The weights of the mistakes, added up."""
        return self._sums[1]

    @property
    def weighted_error_rate(self) -> float:
        """The part of the weight of the trials that is of mistakes and abstentions."""
        return (self._sums[1] + self._sums[2]) / self._sums[0] if self._sums[0] else 0.0

    @property
    def weighted(self) -> bool:
        """Whether the weights say something else than the counts."""
        return self._sums.tolist() != [self.trials, self.mistakes, self.abstentions]

    @property
    def verdict(self) -> Verdict:
        return judge(self)

    def certificate(self, level: float = 0.95) -> Certificate | None:
        """The interval for the average probability of an error, at all times at once; None after several passes.

        Rows that have been learned before are not new, so that their mistakes say little about others.

        >>> ledger = Ledger()
        >>> for trial in range(1000):
        ...     ledger.record(1, int(trial % 10 > 0))
        >>> print(ledger.certificate())
        10.0 % ± 3.7 % (95 %)
        """
        if self.passes > 1:
            return None
        from mistakebound.core.certificate import certificate

        return certificate(self.mistakes + self.abstentions, self.trials, level)

    @property
    def vacuous(self) -> bool:
        """Whether the bound says nothing about the trials so far, because all of them could be mistakes.

        One that is met says that no mistake will follow, however few the trials were.
        """
        allowed = None if self.bound is None else self.bound.mistakes
        return allowed is not None and allowed >= self.trials > 0 and self.mistakes < allowed

    @property
    def vacuity(self) -> str:
        """What is to be said behind a vacuous bound; nothing behind another."""
        return f", vacuous after {self.trials} trial{'s' * (self.trials != 1)}" if self.vacuous else ""

    def recent(self, window: int | None = None) -> tuple[int, int]:
        """The last `window` trials, as far as they are known one by one, and the errors in them.

        Errors are mistakes and abstentions, as in `error_rate`.  By default the window is a tenth of the trials, but
        at least 100 and at most 10,000.

        >>> ledger = Ledger()
        >>> for prediction in (0, 0, 0, None, 1):
        ...     ledger.record(1, prediction)
        >>> ledger.recent(3)
        (3, 2)
        """
        from bisect import bisect_right

        played = self.trials - self.since
        size = min(played, min(max(100, played // 10), 10_000) if window is None else window)
        errors = (self.mistake_trials, self.abstention_trials)
        return size, sum(len(trials) - bisect_right(trials, self.trials - size) for trials in errors)

    @property
    def refuted_at(self) -> int | None:
        """The trial whose mistake was one more than the bound allows, or whose label fitted no concept any more.

        None when there was none, when it lies before the trials whose mistakes are listed, and when the bound is one
        of hindsight: at that trial it was another.
        """
        if self.inconsistency is not None or self.lemma_failures:
            return self.trials
        if self.bound is None or self.bound.mistakes is None or self.verdict.kind != "refuted":
            return None
        if self.bound.theorem is not None and self.bound.theorem.hindsight:
            return None
        return self.trial_of_mistake(self.bound.mistakes + 1)

    def trial_of_mistake(self, number: int) -> int | None:
        """The trial of the first mistake, the second, ...; None when it lies before those that are listed."""
        place = number - 1 - (self.mistakes - len(self.mistake_trials))
        return self.mistake_trials[place] if place >= 0 else None

    def counts(self) -> list[int]:
        """Negative called negative, negative called positive, positive called negative, positive called positive."""
        return self._counts.tolist()

    def state(self) -> dict[str, Any]:
        """For a model file: the counts go on where they stopped, the list of mistakes does not."""
        more: dict[str, Any] = {"weights": self._sums.tolist()} if self.weighted else {}
        if self.threshold is not None:
            more["threshold"] = self.threshold.state()
        return {
            "trials": self.trials, "passes": self.passes, "counts": self.counts(), "seed": self.seed,
            "start": self.start, "inconsistency": self.inconsistency,
            "pairs": [[label, guess, count] for (label, guess), count in self._ordered_pairs().items()],
            "calibration": None if self.calibration is None else self.calibration.state(),
        } | more  # fmt: skip

    @classmethod
    def restore(cls, state: dict[str, Any], labels: Labels | ManyLabels) -> Ledger:
        """From a model file; ValueError for what `state` never gave."""
        saved = Fields(state, "the ledger")
        trials, counts = saved.whole("trials"), saved.wholes("counts", 4)
        pairs = {}
        for pair in saved.values("pairs"):
            label, guess, count = pair if isinstance(pair, list) and len(pair) == 3 else (None, None, -1)
            if not is_label(label) or not (guess is None or is_label(guess)) or type(count) is not int or count < 0:
                raise ValueError(f"a count of the ledger is not [label, prediction, count]: {shown(pair)}")
            pairs[label, guess] = count
        if trials != sum(counts) + sum(pairs.values()):
            raise ValueError("the ledger's counts are not those of its trials")
        if not isinstance(state.get("seed"), int | None):
            raise ValueError(f"the seed of the ledger must be a whole number: {shown(state['seed'])}")
        ledger = cls(labels, state.get("seed"), _start_of(saved.record("start")))
        ledger.trials = ledger.since = trials
        ledger.passes = saved.whole("passes", 1)
        ledger._counts = array("q", counts)
        ledger.inconsistency = saved.text("inconsistency", none=True)
        ledger._pairs = pairs
        counted = saved.record("calibration", none=True)
        if counted is not None:
            from mistakebound.core.calibration import Calibration

            ledger.calibration = Calibration.restore(counted, max(2, len(labels.values)))
        if "threshold" in state:
            from mistakebound.core.threshold import Threshold

            ledger.threshold = Threshold.restore(saved.record("threshold"))
        ledger._sums = array("d", (trials, ledger.mistakes, ledger.abstentions))
        if "weights" in state:
            sums = saved.values("weights")
            if len(sums) != 3 or not all(is_number(weight) and weight >= 0 for weight in sums):
                raise ValueError(f"the weights of the ledger are not three numbers >= 0: {shown(sums)}")
            ledger._sums = array("d", sums)
        return ledger

    def __repr__(self) -> str:
        return f"Ledger(trials={self.trials}, mistakes={self.mistakes}, verdict={str(self.verdict)!r})"


def _start_of(saved: dict[str, Any]) -> dict[str, Any]:
    """What `Learner.start` gave: flags and numbers by name."""
    for name, value in saved.items():
        if not isinstance(value, bool) and not (is_number(value) and value >= 0):
            raise ValueError(f"{shown(name)} in the ledger's start must be a number >= 0 or a flag: {shown(value)}")
    return dict(saved)


def judge(ledger: Ledger) -> Verdict:
    """The verdict of a ledger: pure, from its counts and its bound."""
    mistakes, bound = ledger.mistakes, ledger.bound
    if ledger.inconsistency is not None:
        return Verdict("inconsistent", f"stopped: {ledger.inconsistency}")
    if ledger.lemma_failures:
        return Verdict("refuted", "; ".join(ledger.lemma_failures))
    if bound is None:
        return Verdict("no bound", f"{_count(mistakes)}; no bound, because nothing is assumed about the target")
    if bound.value is None or bound.theorem is None:
        return Verdict("no bound", f"{_count(mistakes)}; no bound: {bound.failed}")
    law = f"{bound.theorem.name} allows {bound.allowance}"
    if bound.theorem.expected:
        return _in_expectation(mistakes, bound, ledger.vacuity)
    if bound.allows(mistakes):
        return Verdict("within", f"{_count(mistakes)}; {law} if {bound.assumption}{ledger.vacuity}")
    if bound.theorem.hindsight:
        return Verdict("refuted", f"{_count(mistakes)}, but {law}: {bound.refutation}")
    trial = ledger.trial_of_mistake((bound.mistakes or 0) + 1)
    passed = f"exceeded at trial {trial}" if trial is not None else f"exceeded before trial {ledger.since + 1}"
    return Verdict("refuted", f"{_count(mistakes)}, but {law} ({passed}): {bound.refutation}")


def _in_expectation(mistakes: int, bound: Bound, vacuity: str) -> Verdict:
    """Of a bound on the expected number of mistakes one run, with its own draws, says little."""
    assert bound.theorem is not None
    law = f"{bound.theorem.name} allows {bound.value:g} in expectation over the draws if {bound.assumption}"
    if bound.allows(mistakes):
        return Verdict("within", f"{_count(mistakes)}; {law}{vacuity}")
    return Verdict("above expectation", f"{_count(mistakes)} in this run; {law}: one run refutes no expectation")


def _count(mistakes: int) -> str:
    return "1 mistake" if mistakes == 1 else f"{mistakes} mistakes"


def new_ledger(learner: Any, seed: int | None = None, *, for_model: bool = False) -> Ledger:
    """A count that begins with the learner as it is.

    With `for_model` it also counts scores, for probabilities, and the spread of the attributes, for explanations.
    """
    own = adapted(learner)
    ledger = Ledger(own.labels, seed, own.start())
    if for_model:
        from mistakebound.core.calibration import Calibration
        from mistakebound.core.spread import Spread

        ledger.spread = Spread()
        if own.calibrated:
            ledger.calibration = Calibration()
    return ledger


def bound_of(learner: Any, ledger: Ledger, facts: dict[str, Any]) -> Bound | None:
    """The learner's bound for these facts; None when nothing is assumed and nothing follows from that."""
    start = {name: value for name, value in ledger.start.items() if name != "late"}
    bound: Bound | None = adapted(learner).bound_since(start, facts)
    if bound is None or not (facts or bound.value is not None):
        return None
    late = ledger.start.get("late")
    if not late:
        return bound
    from mistakebound.core.theorem import Bound

    count = "1 label" if late == 1 else f"{late} labels"
    return Bound(None, None, {}, failed=f"{count} came after later rows were learned, and no theorem covers delay")
