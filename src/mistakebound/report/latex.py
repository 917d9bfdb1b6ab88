"""LaTeX of theorems, lemmas, bounds, hypotheses and mistake trees: for a page of your own, or a whole document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mistakebound.concepts.concept import Concept, ConceptClass
from mistakebound.core.errors import BadParameter
from mistakebound.core.hypothesis import Hypothesis
from mistakebound.core.theorem import Bound, Lemma, Theorem
from mistakebound.report.drawing import draw_tree
from mistakebound.report.latex_formula import latex_formula, latex_text

if TYPE_CHECKING:
    from typing import Any

_DOCUMENT = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{longtable}
\usepackage{tikz}
\begin{document}
%s
\end{document}
"""


def to_latex(thing: Any, *, document: bool = False) -> str:
    """LaTeX of what this package can show: theorems, lemmas, bounds, hypotheses, concepts, trees, traces.

    Parameters
    ----------
    thing : object
        A theorem, lemma or bound of a learner; a learner (its theorems) or its hypothesis; a concept; a mistake tree or
        a question tree; the trace of a game; or a list of these.
    document : bool, default False
        A whole document instead of a fragment.  A fragment with a tree needs `\\usepackage{tikz}`, with a trace
        `\\usepackage{longtable}`.

    Returns
    -------
    str
        The TeX source.

    Examples
    --------
    >>> import mistakebound as mb
    >>> print(to_latex(mb.Winnow1(n=1000).bound(k=5)))
    \\textbf{Bound.} $\\mathit{mistakes} \\le 110.658$ by Theorem 7 (Littlestone 1988, Theorem 7), if the target is a \
monotone disjunction of at most $k = 5$ of $n = 1000$ attributes.
    >>> print(to_latex(mb.concepts.parse("x1 & ~x4")))
    $x_{1} \\land \\lnot x_{4}$
    """
    tex = _fragment(thing)
    return _DOCUMENT % tex if document else tex


def _fragment(thing: Any) -> str:
    if isinstance(thing, list | tuple):
        return "\n\n".join(map(_fragment, thing))
    if isinstance(thing, Theorem):
        return _theorem(thing)
    if isinstance(thing, Lemma):
        return _stated(thing.name, thing.source, f"{_capital(latex_formula(thing.statement))}.")
    if isinstance(thing, Bound):
        return _bound(thing)
    if isinstance(thing, Hypothesis):
        return latex_formula(thing.text())
    if isinstance(thing, Concept | ConceptClass):
        return latex_formula(str(thing))
    if hasattr(thing, "is_leaf"):
        return draw_tree(thing, "latex")
    if hasattr(thing, "latex"):
        tex: str = thing.latex()
        return tex
    if getattr(thing, "theorems", None) is not None:
        return _fragment([*thing.theorems, *getattr(thing, "lemmas", ())])
    raise BadParameter(f"no LaTeX is known for {type(thing).__name__}: give a theorem, a hypothesis, a tree or a trace")


def _stated(name: str, source: str, text: str) -> str:
    return rf"\textbf{{{latex_text(_capital(name))}}} ({latex_text(source)}). {text}"


def _theorem(theorem: Theorem) -> str:
    parts = []
    if isinstance(theorem.assumes, str):
        # "k = {k}" has a place for a number that is not known here.
        words = re.split(r"\{(\w+)\}", re.sub(r"\b(\w+) = \{\1\}", r"\1", theorem.assumes))
        said = [rf"$\mathit{{{latex_text(w)}}}$" if at % 2 else latex_formula(w) for at, w in enumerate(words)]
        parts.append(f"Suppose that {''.join(said)}.")
    if theorem.conditions:
        given = "; ".join(latex_formula(condition.text) for condition in theorem.conditions)
        parts.append(f"Let the following hold: {given}.")
    parts.append(f"Then {latex_formula(theorem.statement)}.")
    return _stated(theorem.name, theorem.source, " ".join(parts))


def _bound(bound: Bound) -> str:
    if bound.theorem is None or bound.value is None:
        return rf"\textbf{{No bound.}} {latex_formula(str(bound.failed))}."
    by = f"{latex_text(bound.theorem.name)} ({latex_text(bound.theorem.source)})"
    given = latex_formula(bound.assumption)
    word = "expected mistakes" if bound.theorem.expected else "mistakes"
    return rf"\textbf{{Bound.}} {latex_formula(f'{word} <= {bound.value:g}')} by {by}, if {given}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
