"""A sketch as text, as DOT for Graphviz, as TikZ, or as SVG, laid out by igraph (Reingold and Tilford's algorithm)."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.core.whole_file import WholeFile
from mistakebound.report.latex_tree import as_latex
from mistakebound.report.sketch import LEVELS, Sketch, sketch_game, sketch_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Draw = Callable[[Any], str]

_CHARACTER = 7.3  # pixels of one in 12-pixel monospace
_LINE, _NODE, _GAP, _MARGIN = 26, 20, 46, 12  # pixels: between leaves, a node's height, beside branches, around
_STYLE = (
    "text{font:12px monospace;dominant-baseline:central;fill:#1a1a1a}"
    ".question{fill:#e8f0fe;stroke:#3367d6}.answer{fill:#f1f8e9;stroke:#558b2f}"
    ".folded{fill:#fff;stroke:#999;stroke-dasharray:3 2}path{fill:none;stroke:#888}.label{fill:#555}"
    ".marked{stroke:#111;stroke-width:2.5}"
)
_MARKED = ' class="marked"'
_MARK = " ◀"  # behind a marked node, in text


def draw_tree(tree: Any, form: str = "text", levels: int | None = LEVELS) -> str:
    """Draws a mistake tree or a question tree.

    Parameters
    ----------
    tree : MistakeTree or QuestionTree
        As `opt(C).tree` or `query_depth(C).tree`.
    form : {"text", "dot", "svg", "latex"}, default "text"
        The form of the drawing; "latex" is a tikzpicture.
    levels : int or None
        Levels that are shown; below, the tree is folded.  None: all.

    Returns
    -------
    str
        The drawing.

    Examples
    --------
    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> from mistakebound.theory.littlestone import opt
    >>> print(draw_tree(opt(MonotoneDisjunctions(2)).tree))
    01?
    ├─0─ 10?
    │    ├─0─ false
    │    └─1─ x1
    └─1─ 10?
         ├─0─ x2
         └─1─ x1 | x2
    """
    return draw(sketch_tree(tree, levels), form)


def form_by_ending(path: str, endings: tuple[str, ...] = ("svg", "dot", "tex")) -> str:
    """ "svg", "dot" or "latex", by the ending of a drawing's name; BadParameter for another."""
    ending = path.rpartition(".")[2].lower()
    if ending not in endings:
        *some, last = (f".{known}" for known in endings)
        raise BadParameter(f"the drawing's name must end in {', '.join(some)} or {last}: {path!r}")
    return "latex" if ending == "tex" else ending


def write_drawing(path: str, draw: Callable[[str], str]) -> None:
    """Write what `draw(form)` gives, in the form that the name of the file has."""
    form = form_by_ending(path)
    with WholeFile(path, sync=False, kind=form) as file:
        file.write(draw(form).encode() + b"\n")


def draw_game(
    trials: Iterable[tuple[Any, Any, Any]], form: str = "text", end: Any = None, most: int | None = None
) -> str:
    """Draws a game, trial by trial.

    Parameters
    ----------
    trials : iterable of (instance, prediction, label)
        The game.
    form : {"text", "dot", "svg", "latex"}, default "text"
        The form of the drawing; "latex" is a tikzpicture.
    end : object, default None
        What stands at the end, such as the target.
    most : int or None, default None
        Trials that are shown.  None: all.

    Returns
    -------
    str
        The drawing.

    Examples
    --------
    >>> print(draw_game([((0, 1), 0, 1), ((1, 0), 1, 1)], end="x1 | x2"))
    01?
    │ 1, predicted 0: mistake 1
    10?
    │ 1, predicted 1
    x1 | x2
    """
    return draw(sketch_game(trials, end, most), form)


def draw(sketch: Sketch, form: str = "text") -> str:
    """A sketch as "text", "dot", "svg" or "latex"."""
    return in_form(form, {"text": as_text, "dot": as_dot, "svg": as_svg, "latex": as_latex})(sketch.visible())


def in_form(form: str, forms: dict[str, Draw]) -> Draw:
    """The function that draws in this form."""
    if form not in forms:
        raise BadParameter(f"form must be one of {', '.join(forms)}: {form!r}")
    return forms[form]


def as_text(sketch: Sketch) -> str:
    """Lines with branches; a run of single branches (a game) goes straight down."""
    lines: list[str] = []
    waiting = [(sketch, "", "")]
    while waiting:
        node, first, rest = waiting.pop()
        lines.append(first + node.text + _MARK * node.marked)
        if len(node.branches) == 1:
            label, child = node.branches[0]
            lines.append(f"{rest}│ {label}")
            waiting.append((child, rest, rest))
            continue
        for place, (label, child) in reversed(list(enumerate(node.branches))):
            last = place == len(node.branches) - 1
            branch = f"{'└' if last else '├'}─{label}─ "
            below = f"{' ' if last else '│'}{' ' * (len(branch) - 1)}"
            waiting.append((child, rest + branch, rest + below))
    return "\n".join(lines)


def as_dot(sketch: Sketch) -> str:
    """For Graphviz: `dot -Tpdf`."""
    shapes = {"question": "shape=ellipse", "answer": "shape=box", "folded": "shape=box, style=dashed"}
    nodes = list(sketch.walk())
    number = {id(node): place for place, node in enumerate(nodes)}
    lines = ["digraph {", '  node [fontname="monospace", fontsize=11]; edge [fontname="monospace", fontsize=10];']
    lines += [
        f"  {place} [label={quoted(node.text)}, {shapes[node.kind]}{_dot_look(node)}];"
        for place, node in enumerate(nodes)
    ]
    lines += [
        f"  {number[id(node)]} -> {number[id(child)]} [label={quoted(label)}{', penwidth=2.5' * child.marked}];"
        for node in nodes
        for label, child in node.branches
    ]
    return "\n".join([*lines, "}"])


def _dot_look(node: Sketch) -> str:
    style = "filled,dashed" if node.kind == "folded" else "filled"
    colour = f', style="{style}", fillcolor="{node.colour}"' if node.colour else ""
    return colour + ", penwidth=2.5" * node.marked


def quoted(text: str) -> str:
    """A text as DOT has it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def as_svg(sketch: Sketch) -> str:
    """From the left to the right, so that the texts of leaves stand below each other."""
    nodes = list(sketch.walk())
    places = _layout(sketch, nodes)
    width = [_CHARACTER * len(node.text) + 14 for node in nodes]
    levels = max(level for level, _ in places) + 1
    widest, branch = [0.0] * levels, [0.0] * levels
    number = {id(node): place for place, node in enumerate(nodes)}
    for (level, _), node, wide in zip(places, nodes, width, strict=True):
        widest[level] = max(widest[level], wide)
        for label, _ in node.branches:
            branch[level] = max(branch[level], _GAP + _CHARACTER * len(label))
    start = [_MARGIN + fsum(widest[:level]) + fsum(branch[:level]) for level in range(levels)]
    top = min(place for _, place in places)
    y = [_MARGIN + _NODE / 2 + (place - top) * _LINE for _, place in places]
    edges: tuple[list[str], list[str]] = ([], [])  # the marked ones last: they lie on top
    boxes = []
    for place, node in enumerate(nodes):
        x = start[places[place][0]]
        boxes.append(
            f'<rect class="{node.kind}{" marked" * node.marked}"{_fill(node)} x="{x:.1f}" '
            f'y="{y[place] - _NODE / 2:.1f}" width="{width[place]:.1f}" height="{_NODE}" rx="5"/>'
            f'<text x="{x + 7:.1f}" y="{y[place]:.1f}">{escape(node.text)}</text>'
        )
        for label, child in node.branches:
            below = number[id(child)]
            right, left = x + width[place], start[places[below][0]]
            bend = right + 10
            end = left - _CHARACTER * len(label) - 14  # the label stands on the level part before the child
            line = f"M{right:.1f},{y[place]:.1f}H{bend:.1f}L{end:.1f},{y[below]:.1f}H{left:.1f}"
            edges[child.marked].append(
                f'<path{_MARKED * child.marked} d="{line}"/>'
                f'<text class="label" x="{end + 5:.1f}" y="{y[below] - 8:.1f}">{escape(label)}</text>'
            )
    parts = [*edges[0], *edges[1], *boxes]
    return svg_page(start[-1] + widest[-1] + _MARGIN, max(y) + _NODE / 2 + _MARGIN, _STYLE, parts)


def svg_page(width: float, height: float, style: str, parts: Iterable[str]) -> str:
    """An SVG file of these elements, so many pixels large."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
    head += f' viewBox="0 0 {width:.0f} {height:.0f}">'
    return "\n".join([head, f"<style>{style}</style>", *parts, "</svg>"])


def _fill(node: Sketch) -> str:
    return f' style="fill:{node.colour}"' if node.colour else ""


def _layout(sketch: Sketch, nodes: list[Sketch]) -> list[tuple[int, float]]:
    """For each node its level, and its place on the level in units that keep neighbours apart."""
    number = {id(node): place for place, node in enumerate(nodes)}
    edges = [(number[id(node)], number[id(child)]) for node in nodes for _, child in node.branches]
    layout = directed_graph("a tree", len(nodes), edges).layout_reingold_tilford(mode="out", root=[0])
    return [(round(level), float(place)) for place, level in layout.coords]


def directed_graph(what: str, nodes: int, edges: list[tuple[int, int]]) -> Any:
    """For igraph to lay out."""
    try:
        import igraph
    except ImportError:
        raise MistakeboundError(f"drawing {what} as SVG needs igraph: pip install 'mistakebound[plot]'") from None
    return igraph.Graph(n=nodes, edges=edges, directed=True)
