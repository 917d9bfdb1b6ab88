"""A person at the terminal: who labels, who answers questions, who may take an answer back."""

from __future__ import annotations

import sys

from mistakebound.core.names import visible
from mistakebound.core.protocol import Teacher, Trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

YES, NO, UNKNOWN, BACK, END = "yes", "no", "unknown", "back", "end"
_WORDS = {
    "y": YES, "yes": YES, "1": YES, "+": YES, "true": YES, "n": NO, "no": NO, "0": NO, "-": NO, "false": NO,
    "?": UNKNOWN, "u": BACK, "undo": BACK, "back": BACK, "q": END, "quit": END, "exit": END,
}  # fmt: skip
HELP = "y: yes, n: no, ?: I don't know, u: take the last answer back, q: stop"


class HumanTeacher(Teacher):
    """A person at the terminal as a teacher: shows instances and asks for their labels.

    y is 1, n is 0, ? skips an instance, q or the end of the input stops.

    Parameters
    ----------
    instances : iterable, default ()
        What is shown.
    read : function or None, default None
        Returns a line of the person's.  None: from standard input.
    write : function of (text) or None, default None
        Shows a text.  None: to standard output.
    show : function of (instance), default str
        The text of an instance.

    Examples
    --------
    >>> answers = iter(["y\\n", "perhaps\\n", "?\\n", "n\\n", ""])
    >>> person = HumanTeacher(["red", "green", "blue", "grey"], read=lambda: next(answers), write=lambda text: None)
    >>> trials = iter(person.next_trial, None)
    >>> [(trial.x, person.label(trial, None)) for trial in trials]
    [('red', 1), ('blue', 0)]
    """

    def __init__(
        self,
        instances: Iterable[Any] = (),
        *,
        read: Callable[[], str] | None = None,
        write: Callable[[str], Any] | None = None,
        show: Callable[[Any], str] = str,
    ) -> None:
        self._instances = iter(instances)
        self._read = read or _hear
        self._write = write or _say
        self._show = show
        self._label = 0

    def ask(self, question: str) -> str:
        """One of YES, NO, UNKNOWN, BACK and END; anything else is asked again, the end of the input is END."""
        while True:
            self._write(f"{visible(question)} [y/n/?/u/q] ")
            line = self._read()
            if not line:
                self._write("\n")
                return END
            word = _WORDS.get(line.strip().lower())
            if word is not None:
                return word
            self._write(f"{HELP}\n")

    def takes_back(self, said: str) -> bool:
        """Once there is nothing more to ask: whether the last answer was wrong.  Anything but u, undo and back ends."""
        self._write(f"{visible(said)} [u: take the last answer back, Enter: end] ")
        line = self._read()
        if not line:
            self._write("\n")
        return _WORDS.get(line.strip().lower()) == BACK

    def next_trial(self) -> Trial | None:
        for x in self._instances:
            answer = self.ask(self._show(x))
            while answer == BACK:
                self._write("answers from the table cannot be taken back\n")
                answer = self.ask(self._show(x))
            if answer == END:
                return None
            if answer != UNKNOWN:
                self._label = int(answer == YES)
                return Trial(x)
        return None

    def label(self, trial: Trial, prediction: Any) -> int:
        return self._label


def _hear() -> str:
    return sys.stdin.readline()


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
