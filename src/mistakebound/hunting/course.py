"""The course of a hunt: its stage, the next runs, and the result of the answers so far.  It runs no command."""

from __future__ import annotations

from heapq import heappop, heappush

from mistakebound.core.errors import CannotTell, FailsWithoutFlags, NothingToHunt
from mistakebound.core.labels import Labels
from mistakebound.core.ledger import Ledger
from mistakebound.hunting.log import ANSWERS, CANCELLED
from mistakebound.hunting.minimal_sets import MinimalSets
from mistakebound.hunting.reduction import Proof, Reduction, reduction
from mistakebound.hunting.result import Hunt, Run, halving_bound
from mistakebound.hunting.search import FirstSearch, Search
from mistakebound.hunting.state import Assumptions, Verification, bits_of, numbers_of
from mistakebound.hunting.verdict import contradiction, ended, kind_of, minimal, not_refuted, refuted
from mistakebound.theory.group_testing import culprit_prior

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.ledger import Verdict
    from mistakebound.hunting.decisions import Decisions
    from mistakebound.hunting.preferences import Preferences
    from mistakebound.hunting.reduction import Structure
    from mistakebound.hunting.state import Stage
    from mistakebound.teachers.command import Outcome
    from mistakebound.theory.group_testing import CulpritPrior

_WORDS = {answer: word for word, answer in ANSWERS.items()}
_LEAST, _MOST = 0.02, 0.98  # no answer is taken for granted when runs are planned ahead


class Course:
    """A hunt from its first assumption to its result."""

    def __init__(
        self,
        flags: Sequence[str],
        kind: str,
        k: int | None,
        verify: bool,
        decisions: Decisions,
        confidence: float | None,
        one: bool = False,
        structure: Structure | None = None,
        known: Preferences | None = None,
    ) -> None:
        self.flags = flags
        self.history: list[Run] = []
        self.resumed = 0  # runs of the history that stand in the log from before
        self.stage: Stage = Assumptions(len(flags))
        self._n = len(flags)
        self._kind = kind
        self._known = known
        self._prior = self._prior_of(k)
        self._verify = verify
        self._one = one  # one minimal failing set is enough
        self._structure = structure
        self._k = k
        self._confidence = confidence
        self._decisions = decisions
        self._ledger = Ledger(Labels())
        self._asked: dict[str, int] = {}
        self._seen: set[int] = set()  # sets whose answer is in the ledger
        self._numbers: dict[int, int] = {}  # of the last run of each set
        self._tails: dict[int, str] = {}  # what was printed with all flags on, and off
        self._contradiction: list[tuple[int, bool]] = []
        self._refuted = ""

    def _prior_of(self, k: int | None) -> CulpritPrior:
        return culprit_prior(self._n if self._known is None else self._known.total, k)

    def names(self, on: int) -> frozenset[str]:
        return frozenset(self.flags[number] for number in numbers_of(on))

    # What has been run

    def record(self, on: int, outcome: Outcome) -> Run:
        self._printed(on, outcome.tail)
        return self._note(on, _WORDS[outcome.bad], outcome.seconds, outcome.exit_status, outcome.output)

    def cancelled(self, on: int) -> Run:
        """A run that was started early and is no longer needed; it still counts."""
        return self._note(on, CANCELLED)

    def replay(self, entry: dict[str, Any]) -> None:
        """A run that stands in the log."""
        self.resumed += 1
        self._printed(entry["mask"], entry.get("tail") or "")
        self._note(entry["mask"], entry["answer"], entry.get("seconds"), entry.get("exit"), entry.get("output"))

    def tail(self, on: int) -> str | None:
        """The end of what was printed with all flags on, or off; None for other sets."""
        return self._tails.get(on)

    def _printed(self, on: int, tail: str) -> None:
        if on in (0, (1 << self._n) - 1):
            self._tails[on] = tail

    def _note(self, on: int, answer: str, *known: Any) -> Run:
        if answer != CANCELLED:
            self._decisions.record(on, ANSWERS[answer])
            self._numbers[on] = len(self.history) + 1
        run = Run(len(self.history) + 1, self.names(on), answer, *known)
        self.history.append(run)
        return run

    # State

    def advance(self) -> None:
        """Take all answers that are there."""
        while True:
            question = self.stage.question
            if question is None:
                following = self._following(self.stage)
                if following is None:
                    return
                self._leave(self.stage)
                self.stage = following
                continue
            if not self._decisions.settled(question.on):
                return
            bad = self._decisions.answer(question.on)
            if bad is not None and question.on not in self._seen:
                self._seen.add(question.on)
                self._asked[question.purpose] = self._asked.get(question.purpose, 0) + 1
                self._ledger.record(int(bad), int(question.chance >= 0.5))
            self.stage = self.stage.after(bad)
            self._look_for_contradictions()

    def _leave(self, stage: Stage) -> None:
        if isinstance(stage, Assumptions):
            self._check(stage)
        elif isinstance(stage, Verification) and stage.wrong:
            self._prior = self._prior_of(None)

    def _check(self, stage: Assumptions) -> None:
        on, off = (f"\n{tail}" if tail else "" for tail in map(self._tails.get, ((1 << self._n) - 1, 0)))
        if stage.all_on is None:
            raise CannotTell(f"the command cannot tell with all flags on: there is nothing to hunt{on}")
        if not stage.all_on:
            raise NothingToHunt(f"the command is good with all flags on: there is nothing to hunt{on}")
        if stage.all_off:
            raise FailsWithoutFlags(f"the command is bad with all flags off: no flag is the cause{off}")

    def _following(self, stage: Stage) -> Stage | None:
        """The stage after one that has no more questions; None at the end."""
        if isinstance(stage, Assumptions):
            if stage is not self.stage and (stage.all_on, stage.all_off) != (True, False):
                return None
            return self._search() if stage.all_off is False else self._reduction()
        if isinstance(stage, Search) and stage.stuck:
            return self._reduction()
        if isinstance(stage, Search) and self._verify:
            return Verification(stage.kind, stage.found, self._n, k_known=stage.prior.k is not None)
        if isinstance(stage, Verification) and stage.wrong and stage.k_known:
            return Search(self._prior_of(None), stage.kind, known=self._known)
        if isinstance(stage, Verification) and stage.kind == "all" and self._is_untold(bits_of(stage.found, self._n)):
            return self._reduction()  # what all of them need is not known yet
        return None

    def doubts(self) -> list[str]:
        """What the runs say against the rates of failure that it goes by."""
        return self._decisions.doubts()

    def _is_untold(self, on: int) -> bool:
        return self._decisions.settled(on) and self._decisions.answer(on) is None

    def _smallest(self) -> int:
        """The smallest set that was bad; 0: none was."""
        bad = [on for on, is_bad in self._decisions.answers() if is_bad]
        return min(bad, key=lambda on: (on.bit_count(), on), default=0)

    def _reduction(self) -> Stage:
        failing = (1 << self._n) - 1 if isinstance(self.stage, Assumptions) else self._smallest()
        return reduction(failing, self._n) if self._structure is None else reduction(failing, self._n, self._structure)

    def _search(self) -> Stage:
        if self._one:
            return self._reduction()
        if self._kind == "auto" and self._n > 1 and self._prior.k != 1:
            return FirstSearch(self._prior, known=self._known)
        return Search(self._prior, "any" if self._kind == "auto" else self._kind, known=self._known)

    def _look_for_contradictions(self) -> None:
        if isinstance(self.stage, MinimalSets):
            if self.stage.others and contradiction("monotone", self._decisions.answers(), self._n):
                self.stage = self.stage.without_others()
            return
        if isinstance(self.stage, (Assumptions, Reduction, Proof)):  # nothing is assumed there that could be wrong
            return
        answers = self._decisions.answers()
        kind = self.stage.kind if isinstance(self.stage, (Search, Verification)) else "monotone"
        found = contradiction(kind, answers, self._n)
        if not found:
            return  # then no two runs contradict each other either
        two_runs = contradiction("monotone", answers, self._n)
        monotone = not two_runs
        self._contradiction = found if monotone else two_runs
        before, self._refuted = self._refuted, kind if monotone else "monotone"
        other = {"any": "all", "all": "any"}.get(kind, "")
        if monotone and other and not before and not contradiction(other, answers, self._n):
            self.stage = Search(self._prior_of(None), other, known=self._known)
            return
        self.stage = MinimalSets(reduction(self._smallest(), self._n), self._n, monotone)

    # What comes next

    def wanted(self, jobs: int) -> list[int]:
        """The sets to run now, the one that is needed first; further ones by how likely they will be needed."""
        found: list[int] = []
        waiting: list[tuple[float, int, Stage]] = [(-1.0, 0, self.stage)]
        pushed = 0
        while waiting and len(found) < jobs:
            chance, _, stage = heappop(waiting)
            question = stage.question
            if question is None:
                following = self._following(stage) if stage is not self.stage else None
                if following is not None:
                    pushed += 1
                    heappush(waiting, (chance, pushed, following))
                continue
            bad = max(_LEAST, min(_MOST, question.chance))
            ways: list[tuple[float, bool | None]] = [(bad, True), (1 - bad, False)]
            if self._decisions.settled(question.on):
                ways = [(1.0, self._decisions.answer(question.on))]
            elif question.on not in found:
                found.extend([question.on] * self._decisions.needed(question.on))
            if len(found) < jobs:
                for share, answer in ways:
                    pushed += 1
                    heappush(waiting, (chance * share, pushed, stage.after(answer)))
        return found[:jobs]

    def bits(self) -> float:
        return self._search().bits() if isinstance(self.stage, Assumptions) else self.stage.bits()

    def to_go(self) -> int:
        """About how many runs are still needed."""
        further = self.stage.expected()
        if isinstance(self.stage, Assumptions):
            further = 2.0 - len(self._seen) + self._search().expected()
        if self._verify and isinstance(self.stage, (Assumptions, FirstSearch, Search)) and not self._one:
            further += 1 + (len(self.stage.found) if isinstance(self.stage, Search) else 0)
        return max(1, round(further * self._decisions.runs_each())) if further else 0

    # Result

    def result(self, ended_by: str | None = None) -> Hunt:
        """The result; `ended_by` says what ended the hunt early, if anything did."""
        stage = self.stage
        sets: list[int] = []
        complete = False
        notes = self._decisions.doubts()
        if (ended_by is not None and stage.question is not None) or isinstance(stage, (Reduction, Proof)):
            smallest = bits_of(stage.failing, self._n) if isinstance(stage, Proof) else self._smallest()
            kind, sets, culprits = "one", [smallest] if smallest else [], numbers_of(smallest) if smallest else []
            verdict = self._of_one_set(smallest, ended_by if stage.question is not None else None)
        elif isinstance(stage, MinimalSets):
            sets, complete = list(stage.sets), stage.complete
            kind = kind_of(sets) if complete else "neither"
            culprits = [number for number in range(self._n) if any(failing >> number & 1 for failing in sets)]
            verdict = self._verdict(kind)
        else:
            assert isinstance(stage, (Search, Verification))
            kind, culprits = stage.kind, sorted(stage.found)
            complete = isinstance(stage, Verification) and not stage.untold
            sets = [bits_of(culprits, self._n)] if kind == "all" else [1 << number for number in culprits]
            verdict = self._verdict(kind)
        wrong_k = kind != "one" and self._k not in (None, len(culprits))
        if wrong_k:
            notes.insert(0, f"the number of culprits is not {self._k}, as was assumed")
        if self._contradiction:
            self._ledger.inconsistency = str(verdict)
        elif kind != "one" and not wrong_k and self._known is None:  # a wrong k makes the halving begin again
            kinds = 2 if self._kind == "auto" else 1
            self._ledger.bound = halving_bound(self._n, len(culprits), self._prior.k is not None, kinds)
        return Hunt(
            flags=tuple(self.flags), culprits=tuple(self.flags[number] for number in culprits), kind=kind,
            sets=tuple(self.names(failing) for failing in sets), complete=complete, verdict=verdict,
            contradiction=tuple(self.history[self._numbers[on] - 1] for on, _ in self._contradiction),
            history=tuple(self.history), asked=self._asked, ledger=self._ledger,
            confidence=self._confidence, notes=tuple(notes),
        )  # fmt: skip

    def _of_one_set(self, failing: int, ended_by: str | None) -> Verdict:
        """What is known of a failing set: which of its flags it needs, and whether the runs could tell."""
        answers = {on for on, bad in self._decisions.answers() if not bad}
        needed = [flag for flag in numbers_of(failing) if any(failing & ~on == 1 << flag for on in answers)]
        if ended_by is not None:
            return ended(ended_by, failing.bit_count(), len(needed))
        assert isinstance(self.stage, Proof)
        untold = sum(self._is_untold(self.stage.without(flag)) for flag in self.stage.failing)
        return minimal(failing.bit_count(), self._n, untold)

    def _verdict(self, kind: str) -> Verdict:
        runs = sorted(self._numbers[on] for on, _ in self._contradiction)
        untold = self.stage.untold if isinstance(self.stage, (Verification, MinimalSets)) else None
        if runs:
            return refuted(self._kind, kind, self._refuted, runs, isinstance(self.stage, MinimalSets), untold)
        return not_refuted(untold)
