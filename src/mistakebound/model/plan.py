"""What a training is to do: the plan that `mb.learn` and the command make, and the few words its options have."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def no_bar(reader: Any, ledger: Any, **more: Any) -> Any:
    return None


def say_nothing(line: str) -> None:
    pass


class Plan:
    """What is to be learned, from where, how, and who is told of it.

    Parameters
    ----------
    files : paths, "-" for standard input, or what lies in memory in their place
    new_learner : function that makes the learner, unless training goes on from `start`
    keep_learner : it is somebody's own object, whose place no learner of more labels may take
    read_as : function from what a model remembers of its reader (None: nothing) to the settings of the stream
    facts : what is assumed of the target
    record : the options that must be the same when training is resumed, as JSON
    passes, seed : how often the stream is learned, and of its order (None: as it is)
    holdout : every so many rows, or a path (None: no rows are held out)
    cache : a path, or True for one beside the first file
    stated : whether the format was given, not found
    every : rows or seconds between two checkpoints
    say, say_skipped, say_labels : take a line, one about a bad row, and one about labels that nobody declared
    watch : takes a reader with its ledger, to show progress
    spell : how the name of an option is written in an error
    """

    def __init__(
        self,
        files: list[Any],
        new_learner: Callable[[], Any],
        read_as: Callable[[dict[str, Any] | None], dict[str, Any]],
        *,
        keep_learner: bool = False,
        facts: dict[str, Any] | None = None,
        record: dict[str, Any] | None = None,
        passes: int = 1,
        seed: int | None = None,
        holdout: int | str | None = None,
        cache: str | bool | None = None,
        on_error: str = "fail",
        threads: int | None = None,
        stated: bool = False,
        model: str | None = None,
        start: str | None = None,
        every: tuple[int | None, float | None] | None = None,
        resume: bool = False,
        say: Callable[[str], None] = say_nothing,
        say_skipped: Callable[[str], None] = say_nothing,
        say_labels: Callable[[str], None] = say_nothing,
        watch: Callable[..., Any] = no_bar,
        spell: Callable[[str], str] = str,
    ) -> None:
        self.files = files
        self.new_learner = new_learner
        self.keep_learner = keep_learner
        self.read_as = read_as
        self.facts = facts or {}
        self.record = record or {}
        self.passes = passes
        self.seed = seed
        self.holdout = holdout
        self.cache = cache
        self.on_error = on_error
        self.threads = threads
        self.stated = stated
        self.model = model
        self.start = start
        self.every = every
        self.resume = resume
        self.say = say
        self.say_skipped = say_skipped
        self.say_labels = say_labels
        self.watch = watch
        self.spell = spell


def given_options(options: dict[str, Any]) -> dict[str, Any]:
    """Those options that were given, in the order of their names."""
    return {name: options[name] for name in sorted(options) if stands(options[name])}


def stands(value: Any) -> bool:
    """Whether an option was given: without it there is no value, or an empty list."""
    return value is not None and value is not False and value != []


def interval(text: str, option: str = "checkpoint") -> tuple[int | None, float | None]:
    """Between two checkpoints: rows, or with an s behind the number seconds."""
    number = text.removesuffix("s")
    try:
        every = float(number) if text != number else int(number)
    except ValueError:
        every = 0
    if not 0 < every < float("inf"):
        raise BadParameter(f"{option} must be a number of rows or, with an s behind it, of seconds: {text!r}")
    return (None, float(every)) if text != number else (int(every), None)
