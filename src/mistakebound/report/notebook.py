"""Results as HTML for notebooks: self-contained, escaped, in the colours of a light or a dark page."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from mistakebound.core.names import visible
from mistakebound.report.ledger_text import bound_in_words, mistakes_and_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger

_STYLE = """\
<style>
.mistakebound{font:13px/1.5 var(--jp-ui-font-family,var(--vscode-font-family,system-ui,sans-serif));max-width:60em;
color:var(--jp-content-font-color1,var(--vscode-foreground,#1f2328));overflow-x:auto;padding:2px}
.mistakebound h4{margin:.2em 0 .4em;font-size:1.05em;overflow-wrap:anywhere}
.mistakebound table{border-collapse:collapse;color:inherit;font-size:1em}
.mistakebound td,.mistakebound th{padding:2px 12px 2px 0;text-align:left;vertical-align:top;color:inherit;
border-bottom:1px solid rgba(128,128,128,.25);background:none;overflow-wrap:anywhere;min-width:5em}
.mistakebound th{font-weight:600;white-space:nowrap}
.mistakebound pre{white-space:pre-wrap;overflow-wrap:anywhere;color:inherit;background:none;margin:.3em 0}
.mistakebound .drawing{background:#fff;color:#000;display:inline-block;padding:6px;border-radius:6px;max-width:100%;
overflow-x:auto}
.mistakebound .curve{max-width:100%;height:auto;display:block;margin:.4em 0}
@media (prefers-color-scheme:dark){.mistakebound{color:var(--jp-content-font-color1,var(--vscode-foreground,#e6edf3))}}
</style>"""
_WIDE, _HIGH = 460, 150
_POINTS = 200
_TOP = 10


def html_of(result: Any) -> str:
    """The page of a model, a ledger, a hypothesis, a theorem, a tree, a version space, a comparison or a hunt."""
    for names, page in _PAGES:
        if any(kind.__name__ in names for kind in type(result).__mro__):
            return page(result)
    return html(type(result).__name__, [], text(str(result)))


def html(title: str, facts: Iterable[tuple[str, Any]], *parts: str) -> str:
    """One block: a title, a table of facts, and parts that are HTML already."""
    return f'<div class="mistakebound">{_STYLE}<h4>{_said(title)}</h4>{table(list(facts))}{"".join(parts)}</div>'


def table(rows: Sequence[Sequence[Any]], head: Sequence[str] = ()) -> str:
    """Rows of cells, the first of each in bold where there is no head."""
    if not rows:
        return ""
    top = f"<tr>{''.join(f'<th>{_said(cell)}</th>' for cell in head)}</tr>" if head else ""
    first = "td" if head else "th"
    body = "".join(
        f"<tr><{first}>{_said(row[0])}</{first}>{''.join(f'<td>{_said(cell)}</td>' for cell in row[1:])}</tr>"
        for row in rows
    )
    return f"<table>{top}{body}</table>"


def text(said: str) -> str:
    return f"<pre>{escape(visible(said, keep=chr(10)))}</pre>"


def drawing(svg: str) -> str:
    """A drawing on white, as a picture: what it says of colours and letters is for itself alone."""
    data = b64encode(svg.encode()).decode()
    return f'<div class="drawing"><img alt="drawing" src="data:image/svg+xml;base64,{data}"></div>'


def _said(value: Any) -> str:
    return escape(visible(str(value)))


def curve(ledger: Ledger) -> str:
    """Mistakes against trials, with the bound where there is one."""
    if not ledger.trials:
        return ""
    bound = None if ledger.bound is None else ledger.bound.value
    known = bound is not None and bound <= 3 * max(1, ledger.mistakes)
    most = max(ledger.mistakes, bound if known and bound is not None else 0, 1)
    step = max(1, ledger.mistakes // _POINTS)
    places = [(0, 0)]
    for number in range(step, ledger.mistakes + 1, step):
        trial = ledger.trial_of_mistake(number)
        if trial is not None:
            places += [(trial, number)]
    places.append((ledger.trials, ledger.mistakes))
    points = " ".join(f"{30 + x / ledger.trials * (_WIDE - 40):.1f},{_up(y, most):.1f}" for x, y in places)
    parts = [
        f'<svg class="curve" viewBox="0 0 {_WIDE} {_HIGH + 22}" width="{_WIDE}" role="img" aria-label="mistakes">',
        f'<path d="M30 8V{_HIGH}H{_WIDE - 10}" fill="none" stroke="currentColor" stroke-opacity=".5"/>',
        f'<polyline points="{points}" fill="none" stroke="#3b82c4" stroke-width="2"/>',
    ]
    if known and bound is not None:
        high = _up(bound, most)
        parts.append(f'<path d="M30 {high:.1f}H{_WIDE - 10}" stroke="#c2410c" stroke-dasharray="5 4" fill="none"/>')
        parts.append(f'<text x="34" y="{high + 14:.1f}" font-size="11" fill="currentColor">bound {bound:g}</text>')
    parts.append(
        f'<text x="{_WIDE - 10}" y="{_HIGH + 16}" font-size="11" fill="currentColor" text-anchor="end">'
        f"{ledger.mistakes:,} mistakes in {ledger.trials:,} trials</text></svg>"
    )
    return "".join(parts)


def _up(value: float, most: float) -> float:
    return _HIGH - value / most * (_HIGH - 16)


def _ledger_facts(ledger: Ledger) -> list[tuple[str, Any]]:
    facts: list[tuple[str, Any]] = [("trials", f"{ledger.trials:,}"), *mistakes_and_error(ledger)]
    if ledger.bound is not None:
        facts += [("bound", bound_in_words(ledger.bound, ledger)), ("verdict", ledger.verdict)]
    return facts


def _of_ledger(ledger: Ledger) -> str:
    return html("Ledger", _ledger_facts(ledger), curve(ledger))


def _of_model(model: Any) -> str:
    learner, ledger = model.learner, model.ledger
    facts: list[tuple[str, Any]] = [("learner", repr(learner))]
    if model.schema is not None:
        facts.append(("format", model.schema.format))
    labels = () if learner.takes == "table" and not learner.fitted else model.labels
    facts.append(("labels", ", ".join(map(str, labels[:_TOP])) + (", ..." if len(labels) > _TOP else "")))
    parts = []
    if ledger is not None:
        facts += _ledger_facts(ledger)
        parts.append(curve(ledger))
    if learner.takes == "rows" and learner.ranked:
        weights = [(name, f"{weight:+.4g}") for name, weight in learner.top(_TOP)]
        parts.append(table(weights, ("attribute", "weight")))
    elif learner.takes == "table" and learner.fitted:
        from mistakebound.learners.tree.node_text import ShownTree

        own = learner._repr_html_() if isinstance(learner, ShownTree) else None
        parts.append(own or text("\n".join(learner.lines(_TOP)[: 2 * _TOP])))
    return html("Model", facts, *parts)


def _of_theorem(theorem: Any) -> str:
    return html(
        theorem.name,
        [
            ("statement", theorem.statement),
            ("assumes", re.sub(r"[{](\w+)[}]", r"\1", theorem.assumes)),
            ("source", theorem.source),
        ],
    )


def _of_bound(bound: Any) -> str:
    return html("Bound", [], text(bound_in_words(bound)))


def _of_tree(tree: Any) -> str:
    from mistakebound.report.drawing import draw_tree

    try:
        return html("Mistake tree", [], drawing(draw_tree(tree, "svg")))
    except ModuleNotFoundError:  # the extra that places nodes is not installed
        return html("Mistake tree", [], text(draw_tree(tree)))


def _of_space(space: Any) -> str:
    from mistakebound.core.errors import MistakeboundError
    from mistakebound.report.lattice import draw_lattice

    try:
        return html("Version space", [], drawing(draw_lattice(space, "svg")))
    except (ModuleNotFoundError, MistakeboundError, TypeError, AttributeError):  # no picture of it
        return html("Version space", [], text(str(space)))


def _of_comparison(comparison: Any) -> str:
    rows = [
        (
            entry.name,
            f"{entry.ledger.trials:,}",
            f"{entry.ledger.mistakes:,}",
            f"{entry.ledger.error_rate:.2%}",
            "" if entry.ledger.bound is None else bound_in_words(entry.ledger.bound, entry.ledger),
        )
        for entry in comparison.ranked
    ]
    return html("Comparison", [], table(rows, ("learner", "trials", "mistakes", "error", "bound")))


def _of_hunt(hunt: Any) -> str:
    facts = [("found", hunt.in_words()), ("runs", f"{len(hunt.history):,}"), ("verdict", hunt.verdict)]
    return html("Hunt", facts, *(text(note) for note in hunt.notes))


def _of_text(result: Any) -> str:
    return html(type(result).__name__, [], text(str(result)))


_PAGES = (
    (("Model",), _of_model),
    (("Ledger",), _of_ledger),
    (("Theorem",), _of_theorem),
    (("Bound",), _of_bound),
    (("MistakeTree", "QuestionTree"), _of_tree),
    (("VersionSpace",), _of_space),
    (("Comparison",), _of_comparison),
    (("Hunt",), _of_hunt),
    (("Hypothesis",), _of_text),
)
