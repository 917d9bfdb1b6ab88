"""The hypotheses between S and G, each with those just above it in generality: as text, DOT or SVG."""

from __future__ import annotations

from itertools import islice
from math import fsum
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from mistakebound.concepts.attribute_conjunction import AttributeConjunction
from mistakebound.concepts.counts import written
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import visible
from mistakebound.report.drawing import directed_graph, in_form, quoted, svg_page

if TYPE_CHECKING:
    from mistakebound.concepts.version_space import VersionSpace

MOST = 60  # hypotheses that are all drawn; of more only the boundaries
_CHARACTER, _NODE, _LEVEL, _GAP, _MARGIN = 7.3, 22, 74, 22, 14  # pixels
_STYLE = (
    "text{font:12px monospace;dominant-baseline:central;text-anchor:middle;fill:#1a1a1a}"
    ".S{fill:#f1f8e9;stroke:#558b2f}.G{fill:#e8f0fe;stroke:#3367d6}.SG{fill:#fff8e1;stroke:#b26a00}"
    ".between{fill:#fff;stroke:#888}.folded{fill:#fff;stroke:#999;stroke-dasharray:3 2}"
    "line{stroke:#999}.side{text-anchor:start;font-weight:bold}"
)


class Lattice:
    """Nodes with their kind ("S", "G", "SG", "between" or "folded") and level, and edges from specific to general."""

    def __init__(self, space: VersionSpace, most: int = MOST) -> None:
        if most < 1:
            raise BadParameter(f"the most hypotheses drawn must be >= 1: {most!r}")
        members = list(islice(space, most + 1))
        if not members:
            raise BadParameter("there is nothing between the boundaries of an empty version space")
        self.folded = 0
        if len(members) > most:
            general = list(islice(space.general(), most))
            members = list(dict.fromkeys([*space.S, *general]))
        self._order(members)
        if len(members) > 1 and space.size != len(members):
            self._fold_rest(space, len(members))

    def _order(self, members: list[Any]) -> None:
        """From the most specific level to the most general."""
        above = [[b for b in members if b is not a and _below(a, b)] for a in members]
        size = [len(over) for over in above]
        place = {id(member): k for k, member in enumerate(members)}
        ordered = sorted(range(len(members)), key=lambda k: (-size[k], k))
        number = {k: n for n, k in enumerate(ordered)}
        self.texts = [visible(str(members[k])) for k in ordered]
        self.edges: list[tuple[int, int]] = []
        least, greatest = {*range(len(members))}, set()
        for a, over in enumerate(above):
            near = [b for b in over if not any(c is not b and _below(c, b) for c in over)]
            self.edges += [(number[a], number[place[id(b)]]) for b in near]
            least -= {place[id(b)] for b in over}
            if not over:
                greatest.add(a)
        self.kinds = [("S" if k in least else "") + ("G" if k in greatest else "") or "between" for k in ordered]
        self.edges.sort()
        self.levels = [0] * len(members)
        for a, b in self.edges:  # by number of the lower one: its level is final
            self.levels[b] = max(self.levels[b], self.levels[a] + 1)
        top = max(self.levels)
        for n, kind in enumerate(self.kinds):
            if kind == "G":
                self.levels[n] = top  # the boundary stands in one line

    def _fold_rest(self, space: VersionSpace, drawn: int) -> None:
        """What lies between the boundaries, as one node."""
        size = space.size
        left = f"{written(int(size) - drawn)} more" if size.exact else "more, in all " + size.text()
        middle = len(self.texts)
        self.texts.append(f"... {left}")
        self.kinds.append("folded")
        below = [n for n, kind in enumerate(self.kinds) if kind in ("S", "SG")]
        over = [n for n, kind in enumerate(self.kinds) if kind == "G"]
        self.levels = [2 if kind == "G" else 0 for kind in self.kinds[:-1]] + [1]
        self.edges = [(n, middle) for n in below] + [(middle, n) for n in over]


def _below(a: Any, b: Any) -> bool:
    """Whether b is more general than a."""
    if isinstance(a, AttributeConjunction):
        return bool(b.more_general(a))
    raise BadParameter(f"only conjunctions of attribute constraints have a drawing: {a}")


def draw_lattice(space: VersionSpace, form: str = "text", most: int = MOST) -> str:
    """Draws a version space as the lattice of its hypotheses, from S to G.

    Parameters
    ----------
    space : VersionSpace
        What is left.
    form : {"text", "dot", "svg"}, default "text"
        The form of the drawing.
    most : int
        With more hypotheses than this only the boundaries are drawn.

    Returns
    -------
    str
        The drawing.

    Examples
    --------
    >>> import mistakebound as mb
    >>> learner = mb.learners.CandidateElimination({"sky": ["sunny", "rainy"], "wind": ["strong", "weak"]})
    >>> _ = learner.learn_one(["sunny", "strong"], 1)
    >>> print(draw_lattice(learner.version_space))
    S  1  <sunny, strong>  below 2, 3
       2  <?, strong>      below 4
       3  <sunny, ?>       below 4
    G  4  <?, ?>
    """
    return in_form(form, {"text": as_text, "dot": as_dot, "svg": as_svg})(Lattice(space, most))


def as_text(lattice: Lattice) -> str:
    """A line a hypothesis, from S to G, with the numbers of those just above it."""
    order = sorted(range(len(lattice.texts)), key=lambda n: (lattice.levels[n], n))
    number = {n: place for place, n in enumerate(order, 1)}
    width, digits = max(map(len, lattice.texts)), len(str(len(order)))
    lines = []
    for n in order:
        over = ", ".join(str(place) for place in sorted(number[b] for a, b in lattice.edges if a == n))
        kind = {"S": "S", "G": "G", "SG": "SG"}.get(lattice.kinds[n], "")
        lines.append(
            f"{kind:<2} {number[n]:>{digits}}  {lattice.texts[n]:<{width}}{f'  below {over}' if over else ''}".rstrip()
        )
    return "\n".join(lines)


def as_dot(lattice: Lattice) -> str:
    """For Graphviz: `dot -Tpdf`.  S is below, as in Mitchell's order of generality."""
    colours = {"S": "#f1f8e9", "G": "#e8f0fe", "SG": "#fff8e1", "between": "white", "folded": "white"}
    lines = ["digraph {", '  rankdir=BT; node [shape=box, style=filled, fontname="monospace", fontsize=11];']
    for n, text in enumerate(lattice.texts):
        dashed = ', style="filled,dashed"' if lattice.kinds[n] == "folded" else ""
        lines.append(f'  {n} [label={quoted(text)}, fillcolor="{colours[lattice.kinds[n]]}"{dashed}];')
    lines += [f"  {a} -> {b};" for a, b in lattice.edges]
    for level in sorted(set(lattice.levels)):
        same = "; ".join(str(n) for n in range(len(lattice.texts)) if lattice.levels[n] == level)
        lines.append(f"  {{rank=same; {same}}}")
    return "\n".join([*lines, "}"])


def as_svg(lattice: Lattice) -> str:
    """The most general hypotheses above, laid out by igraph (Sugiyama's algorithm)."""
    width = [_CHARACTER * len(text) + 16 for text in lattice.texts]
    top = max(lattice.levels)
    order = _orders(lattice)
    x = [0.0] * len(width)
    rows = [sorted((n for n in range(len(width)) if lattice.levels[n] == level), key=order.__getitem__)
            for level in range(top + 1)]  # fmt: skip
    lengths = [fsum(width[n] for n in row) + _GAP * (len(row) - 1) for row in rows]
    side = _MARGIN + 3 * _CHARACTER  # the letters of the boundaries
    whole = max(lengths)
    for row, length in zip(rows, lengths, strict=True):
        left = side + (whole - length) / 2
        for n in row:
            x[n] = left + width[n] / 2
            left += width[n] + _GAP
    y = [_MARGIN + _NODE / 2 + (top - level) * _LEVEL for level in lattice.levels]
    parts = [
        f'<line x1="{x[a]:.1f}" y1="{y[a] - _NODE / 2:.1f}" x2="{x[b]:.1f}" y2="{y[b] + _NODE / 2:.1f}"/>'
        for a, b in lattice.edges
    ]
    for n, text in enumerate(lattice.texts):
        parts.append(
            f'<rect class="{lattice.kinds[n]}" x="{x[n] - width[n] / 2:.1f}" y="{y[n] - _NODE / 2:.1f}" '
            f'width="{width[n]:.1f}" height="{_NODE}" rx="5"/><text x="{x[n]:.1f}" y="{y[n]:.1f}">{escape(text)}</text>'
        )
    for level, letter in ((0, "S"), (top, "G")) if top else ((0, "S=G"),):
        parts.append(f'<text class="side" x="4" y="{_MARGIN + _NODE / 2 + (top - level) * _LEVEL:.1f}">{letter}</text>')
    return svg_page(whole + side + _MARGIN, top * _LEVEL + _NODE + 2 * _MARGIN, _STYLE, parts)


def _orders(lattice: Lattice) -> list[float]:
    """The place of each node on its level, so that few lines cross."""
    layout = directed_graph("a lattice", len(lattice.texts), lattice.edges).layout_sugiyama(layers=lattice.levels)
    return [float(place) for place, _ in layout.coords[: len(lattice.texts)]]
