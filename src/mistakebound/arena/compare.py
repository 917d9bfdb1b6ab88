"""Several learners on the same examples: a stream is read once, and every block is played by each of them."""

from __future__ import annotations

from collections.abc import Mapping

from mistakebound import learners as registry
from mistakebound.arena.comparison_entry import EACH, Entry
from mistakebound.arena.play import usable_facts
from mistakebound.arena.stream_labels import asks_labels, distinct, first_labels, many_in_words, pair_in_words, usual
from mistakebound.core.block_labels import ROWS
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.fields import is_path
from mistakebound.core.notebook import NotebookView
from mistakebound.core.persistence import Independent
from mistakebound.core.protocol import adapted
from mistakebound.core.weights import check_costs, set_costs, takes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.block import Block


class Comparison(NotebookView, Independent):
    """Learners with their ledgers after the same examples; prints itself as a table and draws its curves.

    `compare` makes one.  `entries` has one entry per learner (name, learner, ledger), `ranked` the lowest error first,
    `as_json()` plain values, `draw(path)` the curves.

    Parameters
    ----------
    learners : mapping
        Name to learner; at least one.
    assume : mapping or None, default None
        Facts about the target, for those learners that can use them.
    window : int or None, default None
        Trials of the recent error; >= 1.  None: a tenth of the trials, 100 to 10,000 of them.

    Examples
    --------
    >>> import mistakebound as mb
    >>> found = mb.compare([({"3"}, 1), ({"5"}, 0)] * 10, ["winnow2", "perceptron"])
    >>> [entry.name for entry in found.ranked], found.entries[0].ledger.trials
    (['winnow2', 'perceptron'], 20)
    """

    def __init__(
        self,
        learners: Mapping[str, Any],
        assume: Mapping[str, Any] | None = None,
        window: int | None = None,
    ) -> None:
        if not learners:
            raise BadParameter("learners must name at least one learner: none is given")
        if window is not None and window < 1:
            raise BadParameter(f"window must be >= 1: {window}")
        told = dict(assume or {})
        self.window = window
        self.labels_found: str | None = None  # what had to be assumed of labels that nobody declared, in words
        self.entries = [Entry(name, learner, usable_facts(learner, told)) for name, learner in learners.items()]
        for name in told:
            if not any(name in entry.facts for entry in self.entries):
                known = {fact: None for entry in self.entries for fact in adapted(entry.learner).assumable}
                uses = ", ".join(known) or "none"
                raise BadParameter(f"{name} is not a fact that any of these learners can use; known facts: {uses}")
        for entry in self.entries:
            if entry.facts:
                entry.learner.bound(**entry.facts)  # a value that cannot be is said now, not after the stream

    @property
    def ranked(self) -> list[Entry]:
        """The lowest error by weight first; then those whose class the labels left, the last first; then refused."""

        def place(entry: Entry) -> tuple[int, float]:
            if entry.refused is not None:
                return 2, 0.0
            if entry.ledger.inconsistency is not None:
                return 1, -entry.ledger.trials
            return 0, entry.ledger.weighted_error_rate

        return sorted(self.entries, key=place)

    def find_labels(self, found: Sequence[Any], *, in_file: bool = True, where: str = "") -> None:
        """Take up the labels of the first examples, before any is played; `where` is the file, for an error."""
        asking = [entry for entry in self.entries if asks_labels(adapted(entry.learner))]
        for entry in asking:
            entry.find_labels(found, in_file=in_file, where=where)
        self._refuse_for_all()
        labels, count = asking[0].learner.labels if asking else None, len(distinct(found))
        if count > 2 and asking:
            self.labels_found = many_in_words(EACH, found)
        elif count and asking and not usual(labels):
            self.labels_found = pair_in_words(labels)

    @property
    def third_label(self) -> str | None:
        """What is to be said of a third label that appeared in the middle of the stream."""
        return next((entry.third for entry in self.entries if entry.third is not None), None)

    def play_stream(
        self, reader: Any, *, threads: int = 1, skip: bool = False, after_block: Callable[[], None] | None = None
    ) -> None:
        """Every block of a reader is played by every learner that still can; BadData when none can any more.

        With `skip` a row that a learner cannot take is skipped by that learner alone.
        """
        from mistakebound.io.reader import run

        place = reader.locate if reader.shuffled else None

        def handle(block: Block) -> bool:
            for entry in self.entries:
                if entry.going:
                    entry.play_block(block, skip, place)
            if after_block is not None:
                after_block()
            return not any(entry.going for entry in self.entries)

        run(reader, handle, threads)
        self._refuse_for_all()

    def play_examples(self, examples: Any, names: Sequence[str] | None = None) -> None:
        """A pair (X, y) of arrays, or a list of (x, y)."""
        for entry in self.entries:
            entry.play_examples(examples, names)
        self._refuse_for_all()

    def finish(self) -> Comparison:
        for entry in self.entries:
            entry.finish()
        return self

    def _refuse_for_all(self) -> None:
        """BadData when no learner could take the examples: then there is nothing to compare."""
        refusals = {str(entry.refused): entry.refused for entry in self.entries if entry.refused is not None}
        if any(entry.refused is None for entry in self.entries):
            return
        if len(refusals) == 1:
            raise next(iter(refusals.values()))
        each = "; ".join(f"{entry.name}: {entry.refused}" for entry in self.entries)
        raise BadData(f"none of these learners can take the examples: {each}")

    def __str__(self) -> str:
        from mistakebound.report.comparison import as_text

        return "\n".join(as_text(self.ranked, self.window))

    def as_json(self) -> list[dict[str, Any]]:
        """Plain values, the best learner first."""
        from mistakebound.report.comparison import as_json

        return [as_json(entry, self.window) for entry in self.ranked]

    def draw(self, path: str, title: str = "mistakes of several learners") -> None:
        """Mistakes so far and recent error against trials, PNG or SVG by the ending of the name."""
        from mistakebound.report.learning_curve import draw_comparison

        draw_comparison(path, self.ranked, title=title, window=self.window)


def compare(
    examples: Any,
    learners: Any = None,
    *,
    assume: Mapping[str, Any] | None = None,
    labels: Any = None,
    cost: Mapping[Any, float] | None = None,
    window: int | None = None,
    reader: dict[str, Any] | None = None,
    names: Sequence[str] | None = None,
    threads: int = 1,
    on_error: str = "fail",
) -> Comparison:
    """Plays several learners on the same examples and compares their mistakes.

    Parameters
    ----------
    examples : path, list of paths, pair or list
        A file or files, arrays (X, y), or a list of (x, y).
    learners : list, mapping or None, default None
        Names, classes or fresh learners, or names of your own mapped to them.  None: all that need to be told nothing.
    assume : mapping or None, default None
        Facts about the target; they go to those learners that can use them.
    labels : sequence or None, default None
        The labels (negative, positive).  None: those of the first examples.
    cost : mapping or None, default None
        Label to cost of a mistake on it; learners that have no use for it are left out of the default ones.
    window : int or None, default None
        Trials of the recent error; >= 1.  None: a tenth of the trials, 100 to 10,000 of them.
    reader : mapping or None, default None
        Settings of `mistakebound.io.open_stream`, for files.
    names : sequence of str or None, default None
        Names of the columns of X.
    threads : int, default 1
        Threads that read files; the result does not depend on it.
    on_error : {"fail", "skip"}, default "fail"
        Whether an invalid row of a file ends the comparison or is skipped.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import mistakebound as mb
    >>> rows = [({"3", "7"}, 1), ({"2", "7"}, 0), ({"3"}, 1), ({"5"}, 0), ({"3", "5"}, 1)] * 20
    >>> found = mb.compare(rows, ["winnow1", "perceptron"], assume={"k": 1})
    >>> [(entry.name, entry.ledger.mistakes, entry.ledger.verdict.kind) for entry in found.ranked]
    [('perceptron', 2, 'no bound'), ('winnow1', 4, 'within')]
    """
    comparison = Comparison(_made(learners, labels, cost), assume, window)
    if is_path(examples) or _files(examples):
        from mistakebound.io import open_stream
        from mistakebound.io.multi_file import listed
        from mistakebound.io.pass_source import labels_in, looked, readable_twice

        files = readable_twice(listed(examples))
        with open_stream(files, reader, on_error=on_error) as stream:
            comparison.find_labels(labels_in(stream, ROWS), where=stream.name)
        looked(files)
        with open_stream(files, reader, on_error=on_error) as stream:
            comparison.play_stream(stream, threads=threads, skip=on_error == "skip")
    else:
        if reader is not None or on_error != "fail":
            raise BadParameter("reader and on_error are only for files: the examples are not files")
        given = examples if isinstance(examples, (tuple, list)) else list(examples)
        y = given[1] if isinstance(given, tuple) and len(given) == 2 else [label for _, label in given[:ROWS]]
        comparison.find_labels(first_labels(y), in_file=False)
        comparison.play_examples(given, names)
    return comparison.finish()


def default_learners() -> list[str]:
    """Every learner of the registry that takes rows of a stream and needs to be told nothing.

    These have compiled kernels, and the stream is read once for all of them.  Those that
    number their attributes or list a class of concepts play row by row in Python, and must be told n or the class.
    """
    found = []
    for name in registry.names():
        learner = registry.find(name)
        row_by_row = learner.online and learner.takes == "rows" and learner.command == "learn"
        if row_by_row and not any(parameter.required for parameter in learner.parameters):
            found.append(name)
    return found


def _files(examples: Any) -> bool:
    return isinstance(examples, list) and bool(examples) and all(map(is_path, examples))


def _made(learners: Any, labels: Any, cost: Any) -> dict[str, Any]:
    """Name -> learner."""
    if learners is None:
        counts = check_costs(cost).values()
        learners = [name for name in default_learners() if all(takes(registry.find(name)(), c) for c in counts)]
    elif isinstance(learners, str):
        learners = [learners]
    named = dict(learners) if isinstance(learners, Mapping) else {}
    if not named:
        for given in learners:
            name = given if isinstance(given, str) else given.name
            if name in named:
                raise BadParameter(
                    f"learners must have different names (a mapping gives them names): {name!r} is twice"
                )
            named[name] = given
    made = {name: set_costs(_fresh(given, labels), cost) for name, given in named.items()}
    if len({id(learner) for learner in made.values()}) < len(made):
        raise BadParameter(f"learners must be different objects, but one has two names: {', '.join(made)}")
    return made


def _fresh(given: Any, labels: Any) -> Any:
    if isinstance(given, str):
        given = registry.find(given)
    if not isinstance(given, type):
        return given
    if given.takes != "rows":  # type: ignore[attr-defined]
        raise BadParameter(f"learners must take rows of a stream: {given.name!r}")  # type: ignore[attr-defined]
    return given(labels=labels)
