"""Learners side by side: what they search, how, and what they assume, from what each declares of itself."""

from __future__ import annotations

import textwrap
from itertools import zip_longest

from mistakebound.core.errors import BadParameter
from mistakebound.core.text_table import WIDTH
from mistakebound.learners.registry import find, names
from mistakebound.report.latex_formula import latex_text
from mistakebound.report.table import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mistakebound.core.protocol import Learner

CHARACTER = ("hypothesis_class", "search_order", "inductive_bias", "noise_effect")
_HEADS = dict(zip(CHARACTER, ("hypotheses", "search", "bias", "a wrong label"), strict=True))


class LearnerTable:
    """Learners and what they declare: `rows`, as text (`str`), and as a table in Markdown or LaTeX.

    Examples
    --------
    >>> table = compare_methods(["find-s", "decision-tree"], ["inductive_bias"])
    >>> print(table)
    learner        bias
    find-s         a conjunction; negative unless positive is entailed
    decision-tree  short trees, informative tests near the root
    >>> table.markdown().splitlines()[0]
    '| learner | bias |'
    """

    def __init__(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.heads = tuple(heads)
        self.rows = tuple(tuple(row) for row in rows)

    def __str__(self) -> str:
        lines: list[Sequence[str]] = [self.heads, *self.rows]
        widths = _widths(lines)
        broken: list[Sequence[str]] = []
        for row in lines:
            cells = [textwrap.wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
            broken += zip_longest(*cells, fillvalue="")
        return "\n".join(line.rstrip() for line in columns(broken, "<" * len(self.heads), 0))

    def markdown(self) -> str:
        lines = [self.heads, ("---",) * len(self.heads), *self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def latex(self) -> str:
        """A tabular environment."""
        lines = [" & ".join(map(latex_text, row)) + r" \\" for row in (self.heads, *self.rows)]
        body = [lines[0], r"\hline", *lines[1:]]
        return "\n".join([rf"\begin{{tabular}}{{{'l' * len(self.heads)}}}", *body, r"\end{tabular}"])


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Of the columns: the widest ones are broken at their words until a line fits the page."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    least = [
        max(len(part) for cell in column for part in textwrap.wrap(cell, 1, break_long_words=False))
        for column in zip(*rows, strict=True)
    ]
    while sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        wide = [k for k, width in enumerate(widths) if width > least[k]]
        if not wide:
            break
        widths[max(wide, key=lambda k: widths[k])] -= 1
    return widths


def character(learner: type[Learner]) -> dict[str, str]:
    """What kind of learner it is, by the words of `CHARACTER`."""
    told = (learner.hypothesis_class, learner.search_order, learner.inductive_bias, learner.noise_effect)
    return dict(zip(CHARACTER, told, strict=True))


def compare_methods(learners: Iterable[str] | None = None, properties: Iterable[str] = CHARACTER) -> LearnerTable:
    """A table that compares learners: what each declares of its hypotheses, search, bias and noise.

    Parameters
    ----------
    learners : iterable of str or None, default None
        Names of learners, as `mb.learners.names()` has them.  None: all.
    properties : iterable of str, default all four
        Of "hypothesis_class", "search_order", "inductive_bias", "noise_effect".

    Returns
    -------
    LearnerTable

    References
    ----------
    Ma 2019, CS3244 notes, the tables after sections 2 to 5.

    Examples
    --------
    >>> print(compare_methods(["winnow1", "perceptron"], ["hypothesis_class", "noise_effect"]))
    learner     hypotheses         a wrong label
    winnow1     linear-thresholds  is never undone
    perceptron  half-spaces        is undone by later examples
    """
    wanted = list(properties)
    for word in wanted:
        if word not in CHARACTER:
            raise BadParameter(f"a property must be one of {', '.join(CHARACTER)}: {word!r}")
    chosen = list(names() if learners is None else learners)
    rows = []
    for name in chosen:
        declared = character(find(name))
        rows.append([name, *(declared[word] for word in wanted)])
    return LearnerTable(["learner", *(_HEADS[word] for word in wanted)], rows)
