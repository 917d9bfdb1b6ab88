"""The record of a game, trial by trial: instance, prediction, label, hypothesis and the slack of the lemmas."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from mistakebound.core.names import attribute_order, visible, write_name
from mistakebound.core.protocol import adapted, behind_transforms
from mistakebound.report.latex_formula import latex_formula, latex_text

if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.ledger import Ledger

_SHOWN = 12  # attributes of an instance that are listed


class LemmaSlack(NamedTuple):
    """A lemma after a trial: its two sides and their difference."""

    name: str
    left: float
    right: float

    @property
    def slack(self) -> float:
        return self.right - self.left


class TracedTrial(NamedTuple):
    """One trial; `lemmas` are those whose slack has changed in it."""

    number: int
    instance: str
    prediction: Any
    label: Any
    before: str
    after: str
    lemmas: tuple[LemmaSlack, ...]

    @property
    def mistake(self) -> bool:
        return bool(self.prediction != self.label)


class Trace:
    """The trials of a game, one after the other, for reading: as text, JSON, HTML and LaTeX.

    `mb.play(..., trace=True)` makes one and leaves it as `ledger.trace`.

    Parameters
    ----------
    learner : learner
        The one that plays; its hypothesis is written down before the first trial and after each.
    facts : mapping or None, default None
        Facts about the target, for the lemmas.

    Examples
    --------
    >>> import mistakebound as mb
    >>> ledger = mb.play(mb.Winnow1(n=3, labels=(0, 1)), [([1, 0, 0], 1), ([1, 1, 0], 1)], assume={"k": 1}, trace=True)
    >>> print(ledger.trace)  # doctest: +NORMALIZE_WHITESPACE
    trial  instance  prediction  label  hypothesis
    1      x1        0 wrong     1      2*x1 > 3, every attribute not seen yet counting 1
                                        Lemma 3: 0 <= 2 (2 left)
                                        Lemma 4: 2 <= 6 (4 left)
                                        Lemma 5: 1 <= 1 (0 left)
    2      x1 x2     0 wrong     1      4*x1 + 2*x2 > 3, every attribute not seen yet counting 1
                                        Lemma 3: 0 <= 3 (3 left)
                                        Lemma 4: 4 <= 6 (2 left)
                                        Lemma 5: 2 <= 2 (0 left)
    """

    def __init__(self, learner: Any, facts: dict[str, Any] | None = None) -> None:
        self._learner: Any = adapted(learner)
        self._facts = facts or {}
        self._hypothesis = self._said()
        self._sides = self._measured(0, 0)
        self.trials: list[TracedTrial] = []

    def _said(self) -> str:
        hypothesis = self._learner.hypothesis
        return "" if hypothesis is None else visible(str(hypothesis))

    def _measured(self, promotions: int, eliminations: int) -> dict[str, LemmaSlack]:
        lemmas = [lemma for lemma in self._learner.lemmas if lemma.sides is not None]
        if not lemmas:
            return {}
        facts = self._learner.all_facts(self._facts)
        inside, turned = behind_transforms(self._learner)
        counts = (eliminations, promotions) if turned else (promotions, eliminations)
        found = {}
        for lemma in lemmas:
            if lemma.applies(facts):
                left, right = lemma.sides(inside, *counts, facts)
                found[lemma.name] = LemmaSlack(lemma.name, float(left), float(right))
        return found

    def record(self, x: Any, label: Any, prediction: Any, ledger: Ledger) -> None:
        """Called after a trial."""
        before, self._hypothesis = self._hypothesis, self._said()
        sides = self._measured(ledger.false_negatives, ledger.false_positives)
        moved = tuple(found for name, found in sides.items() if found != self._sides.get(name))
        self._sides = sides
        self.trials.append(
            TracedTrial(ledger.trials, instance_words(x), prediction, label, before, self._hypothesis, moved)
        )

    def finish(self) -> None:
        """The game is over: nothing of the learner is kept but what was written down."""
        self._learner = None

    def __len__(self) -> int:
        return len(self.trials)

    def _rows(self) -> list[tuple[str, str, str, str, str]]:
        rows = []
        for t in self.trials:
            said = f"{t.prediction}{' wrong' if t.mistake else ''}"
            rows.append((str(t.number), t.instance, said, str(t.label), t.after if t.after != t.before else ""))
            rows += [("", "", "", "", _lemma(found)) for found in t.lemmas]
        return rows

    def __str__(self) -> str:
        rows = [("trial", "instance", "prediction", "label", "hypothesis"), *self._rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(4)]
        cells = [[cell.ljust(width) for cell, width in zip(row, widths, strict=False)] + [row[4]] for row in rows]
        return "\n".join("  ".join(line).rstrip() for line in cells)

    def as_json(self) -> list[dict[str, Any]]:
        """One object per trial."""
        return [
            t._asdict()
            | {"mistake": t.mistake, "lemmas": [found._asdict() | {"slack": found.slack} for found in t.lemmas]}
            for t in self.trials
        ]

    def html(self) -> str:
        """The trials as an HTML table."""
        head = "".join(f"<th>{word}</th>" for word in ("trial", "instance", "prediction", "label", "hypothesis"))
        body = "\n".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self._rows())
        return f"<table>\n<tr>{head}</tr>\n{body}\n</table>\n"

    def latex(self) -> str:
        """The trials as a LaTeX longtable."""
        lines = []
        for *cells, said in self._rows():
            lines.append(" & ".join([*map(latex_text, cells), latex_formula(said)]) + r" \\")
        head = r"trial & instance & prediction & label & hypothesis \\ \hline"
        return "\n".join([r"\begin{longtable}{rlllp{0.5\textwidth}}", head, *lines, r"\end{longtable}", ""])


def instance_words(x: Any) -> str:
    """The attributes that are on, or the values of others, in their order."""
    if isinstance(x, dict):
        given = [(str(name), value) for name, value in x.items()]
    elif isinstance(x, (set, frozenset)):
        given = [(str(name), 1) for name in x]
    elif isinstance(x, (list, tuple)):
        given = [(str(j), value) for j, value in enumerate(x, 1)]
    else:
        return visible(str(x))
    on = sorted(
        [(name, value) for name, value in given if value not in (0, False)], key=lambda p: attribute_order(p[0])
    )
    words = [write_name(name) if value in (1, True) else f"{write_name(name)}={value}" for name, value in on]
    more = f" and {len(words) - _SHOWN:,} more" if len(words) > _SHOWN else ""
    return visible(" ".join(words[:_SHOWN]) + more) or "-"


def _lemma(found: LemmaSlack) -> str:
    return f"{found.name}: {found.left:.4g} <= {found.right:.4g} ({found.slack:.4g} left)"
